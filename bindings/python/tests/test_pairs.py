"""Single pairs: shapes, broadcasting, errors."""

import numpy as np
import pytest

from capsweep import InputError, InputTypeError, pairs

CAPSULE = dict(p0=(0, 0, 2), p1=(0, 0, 3), radius=0.5)


def test_a_segment_and_a_point_are_touched_by_the_bottom():
    for target in (pairs.Segment((-1, 0, 0), (1, 0, 0)), pairs.Point((0, 0, 0))):
        hits = pairs.sweep(target, **CAPSULE, motion=(0, 0, -4))
        assert hits.distance.tolist() == [1.5]
        assert pairs.closest(target, **CAPSULE).distance.tolist() == [1.5]
        assert not pairs.overlap(target, **CAPSULE).hit.any()
        near = pairs.overlap(target, (0, 0, 0.25), (0, 0, 1), radius=0.5)
        assert near.depth.tolist() == [0.25]


def test_one_target_serves_all_rows_and_rows_have_their_own():
    heights = np.array([1.0, 2.0, 4.0])
    feet = np.stack([np.zeros(3), np.zeros(3), heights], axis=1)
    floor = pairs.HalfSpace((0, 0, 0), (0, 0, 1))
    falls = pairs.sweep(floor, feet=feet, height=1.8, radius=0.4, motion=(0, 0, -10))
    assert falls.distance.tolist() == heights.tolist()
    balls = pairs.Sphere([(0, 0, -1), (0, 0, -2)], [1.0, 1.5])
    assert pairs.closest(balls, **CAPSULE).distance.tolist() == [1.5, 2.0]
    assert "body" not in falls.columns


def test_the_back_of_a_triangle_counts_on_demand():
    floor = pairs.Triangle((-5, -5, 0), (5, -5, 0), (0, 5, 0))
    up = dict(p0=(0, 0, -3), p1=(0, 0, -2), radius=0.5, motion=(0, 0, 5))
    assert pairs.sweep(floor, **up).hit.tolist() == [False]
    assert pairs.sweep(floor, **up, sides="both").hit.tolist() == [True]
    assert pairs.ray(floor, (0, 0, -1), (0, 0, 2)).hit.tolist() == [False]
    assert pairs.ray(floor, (0, 0, -1), (0, 0, 2), sides="both").time.tolist() == [0.5]


@pytest.mark.parametrize(
    ("target", "argument", "index"),
    [
        (pairs.Triangle((0, 0, 0), [(1, 0, 0), (np.nan, 0, 0)], (0, 1, 0)), "b", 1),
        (pairs.Triangle((0, 0, 0), (1, 0, 0), (0, np.inf, 0)), "c", None),
        (pairs.Segment([(0, 0, 0), (0, np.nan, 0)], (1, 0, 0)), "a", 1),
        (pairs.Point((np.nan, 0, 0)), "position", None),
        (pairs.Sphere((0, 0, 0), [1.0, -1.0]), "radius", 1),
        (pairs.Box((0, 0, 0), [(1, 1, 1), (1, -1, 1)]), "half_extents", 1),
    ],
)
def test_errors_name_the_row_of_the_target(target, argument, index):
    with pytest.raises(InputError) as caught:
        pairs.overlap(target, **CAPSULE)
    assert (caught.value.argument, caught.value.index) == (argument, index)
    marked = pairs.overlap(target, **CAPSULE, invalid="mark")
    assert marked.invalid[-1] and not marked.hit[-1]


def test_wrong_targets_are_told():
    with pytest.raises(InputTypeError, match="must be one of"):
        pairs.sweep("floor", **CAPSULE, motion=(0, 0, -1))
    with pytest.raises(InputTypeError, match="must be one of Triangle, Box"):
        pairs.ray(pairs.Point((0, 0, 0)), (0, 0, 1), (0, 0, -2))
    with pytest.raises(InputError, match="rows"):
        pairs.overlap(pairs.Point(np.zeros((3, 3))), np.zeros((2, 3)), (0, 0, 1), radius=0.5)
