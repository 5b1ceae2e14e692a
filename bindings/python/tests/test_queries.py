"""Queries: what they answer, and what does not change the answer."""

import threading

import numpy as np
import pytest

import capsweep


def test_a_falling_capsule_meets_the_floor(floor):
    hits = floor.sweep((1, 2, 3), (1, 2, 4), radius=0.5, motion=(0, 0, -5))
    assert hits.hit.tolist() == [True]
    assert hits.time[0] == 0.5 and hits.distance[0] == 2.5 and hits.depth[0] == 0
    np.testing.assert_array_equal(hits.point, [[1, 2, 0]])
    np.testing.assert_array_equal(hits.normal, [[0, 0, 1]])
    assert hits.region[0] == capsweep.Region.BOTTOM
    assert hits.feature[0] == capsweep.Feature.FACE
    assert hits.kind[0] == capsweep.BodyKind.SHAPE
    assert hits.triangle[0] == -1


def test_the_columns_have_the_types_of_the_library(course, capsules):
    hits = course.sweep(**capsules)
    types = {name: str(column.dtype) for name, column in hits.to_dict().items()}
    assert types["point"] == types["time"] == "float64"
    assert types["normal"] == types["face_normal"] == "float32"
    assert types["body"] == types["triangle"] == "int64"
    assert types["key"] == "uint64" and types["tag"] == "uint32" and types["hit"] == "bool"
    assert hits.point.shape == (1000, 3)
    assert 100 < hits.hit.sum() < 1000


def test_a_miss_is_nan_and_minus_one(floor):
    miss = floor.sweep((0, 0, 3), (0, 0, 4), radius=0.5, motion=(0, 0, 1))[0]
    assert not miss.hit and np.isnan(miss.time) and np.isnan(miss.point).all()
    assert miss.body == miss.triangle == miss.region == miss.feature == -1


def test_one_row_serves_all_rows(course, capsules):
    several = {**capsules, "radius": np.full(1000, 0.25)}
    assert course.sweep(**several) == course.sweep(**{**capsules, "radius": 0.25})
    p0, motion = np.tile([[0.0, 0, 1]], (5, 1)), np.tile([[1.0, 0, -1]], (5, 1))
    wide = course.sweep(p0, p0 + [0, 0, 1], radius=0.3, motion=motion)
    narrow = course.sweep((0, 0, 1), (0, 0, 2), radius=0.3, motion=motion)
    assert wide == narrow and len(narrow) == 5


def test_layout_and_lossless_types_do_not_change_the_answer(course, capsules):
    expected = course.sweep(**capsules)
    wide = np.zeros((2000, 6))
    wide[::2, ::2] = capsules["p0"]
    strided = {**capsules, "p0": wide[::2, ::2], "p1": np.asfortranarray(capsules["p1"])}
    assert course.sweep(**strided) == expected
    swapped = {**capsules, "motion": capsules["motion"].astype(">f8")}
    assert course.sweep(**swapped) == expected
    backwards = {name: column[::-1] for name, column in capsules.items()}
    assert course.sweep(**backwards)[::-1] == expected
    narrow = {name: column.astype(np.float32) for name, column in capsules.items()}
    widened = {name: column.astype(np.float64) for name, column in narrow.items()}
    assert course.sweep(**narrow) == course.sweep(**widened)
    assert course.sweep([0, 0, 1], [0, 0, 2], radius=1, motion=[0, 0, -3]).hit[0]


def test_columns_of_records_are_read_where_they_are(course, capsules):
    """Fields of records may have strides that are no multiples of their items."""
    packed = np.dtype([("tag", "u1"), ("p0", "f8", 3), ("radius", "f8"), ("mask", "u4")])
    records = np.zeros(1000, packed)
    records["p0"], records["radius"] = capsules["p0"], capsules["radius"]
    records["mask"] = np.arange(1000) % 2
    assert not records["p0"].flags.aligned
    mixed = {**capsules, "p0": records["p0"], "radius": records["radius"]}
    assert course.sweep(**mixed) == course.sweep(**capsules)
    masked = course.sweep(**mixed, mask=records["mask"])
    assert masked == course.sweep(**capsules, mask=np.arange(1000) % 2)
    some = {name: np.ascontiguousarray(column[1::2]) for name, column in capsules.items()}
    assert course.sweep(**{**some, "p0": records["p0"][1::2]}) == course.sweep(**some)


def test_arguments_are_not_changed(course, capsules):
    before = {name: column.copy() for name, column in capsules.items()}
    for column in capsules.values():
        column.flags.writeable = False
    course.sweep(**capsules)
    for name, column in capsules.items():
        np.testing.assert_array_equal(column, before[name])


def test_the_number_of_threads_changes_no_bit(course, capsules):
    one = course.sweep(**capsules, threads=1)
    assert one == course.sweep(**capsules, threads=2) == course.sweep(**capsules, threads=7)
    capsweep.set_threads(3)
    assert capsweep.get_threads() == 3
    assert course.sweep(**capsules) == one
    capsweep.set_threads(None)


def test_feet_and_height_are_a_capsule(course):
    feet = np.array([[0.0, 0, 2], [10, 0, 2]])
    by_feet = course.sweep(feet=feet, height=1.8, radius=0.3, motion=(0, 0, -3))
    # The library rounds sizes to float32.
    radius, height = float(np.float32(0.3)), float(np.float32(1.8))
    p0 = feet + [0, 0, radius]
    p1 = feet + [0, 0, radius + (height - 2 * radius)]
    by_points = course.sweep(p0, p1, radius=0.3, motion=(0, 0, -3))
    np.testing.assert_allclose(by_feet.time, by_points.time, rtol=1e-12)
    lying = dict(feet=(0, 0, 2), height=1.8, radius=0.3, up=(1, 0, 0))
    sideways = course.sweep(**lying, motion=(0, 0, -3))
    assert sideways.distance[0] < by_feet.distance[0]


def test_any_and_all_agree_with_the_first(course, capsules):
    first = course.sweep(**capsules)
    assert (course.sweep_any(**capsules) == first.hit).all()
    every = course.sweep_all(**capsules)
    assert (every.counts > 0).tolist() == first.hit.tolist()
    starts = every.offsets[:-1][first.hit]
    np.testing.assert_array_equal(every.time[starts], first.time[first.hit])
    for query in np.nonzero(every.counts > 1)[0][:20]:
        assert (np.diff(every.of(query).time) >= 0).all()
        assert (every.of(query).query == query).all()


def test_selected_rows_keep_their_queries(course):
    points = np.stack([np.linspace(0, 30, 50), np.zeros(50), np.full(50, 4.0)], axis=1)
    every = course.supports(points, below=10)
    floors = every[every.walkable]
    assert len(floors.counts) == 50 and floors.counts.sum() == len(floors) < len(every)
    for query in (0, 7, 49):
        np.testing.assert_array_equal(
            floors.of(query).height, every.of(query).height[every.of(query).walkable]
        )


def test_overlaps_agree(course, capsules):
    capsules.pop("motion")
    deepest = course.overlap(**capsules)
    assert (course.overlaps(**capsules) == deepest.hit).all()
    every = course.overlap_all(**capsules)
    assert ((every.counts > 0) == deepest.hit).all()
    touching = course.closest(**capsules)
    assert (touching.distance[deepest.hit] <= 0).all()
    assert touching.hit.all()
    near = course.closest(**capsules, limit=0.1)
    assert (near.hit == (touching.distance <= 0.1)).all()


def test_depenetration_frees(course, capsules):
    capsules.pop("motion")
    pushed = course.depenetrate(**capsules)
    free = pushed.state == capsweep.Clearance.FREE
    assert free.sum() > 500 and (pushed.left[free] == 0).all()
    moved = {**capsules, "p0": capsules["p0"] + pushed.push, "p1": capsules["p1"] + pushed.push}
    left = course.overlap(**moved)
    assert not (left.depth[free] > 1e-5).any()


def test_rays_and_supports_see_the_same_floor(course):
    points = np.stack([np.linspace(0.03, 30, 200), np.full(200, 0.11), np.full(200, 4.0)], axis=1)
    rays = course.ray(points, (0, 0, -10))
    supports = course.supports(points, above=0, below=10)
    assert rays.hit.all() and (supports.counts > 0).all()
    tops = supports[supports.offsets[:-1]]
    np.testing.assert_allclose(tops.point[:, 2], rays.point[:, 2], atol=1e-9)
    assert tops.faces_up.all()


def test_masks_sides_and_bodies_filter():
    scene = capsweep.Scene()
    low = scene.add_sphere((0, 0, 0), 1.0, mask=1, key=10)
    high = scene.add_sphere((0, 0, 5), 1.0, mask=2, key=20, dynamic=True)
    ask = dict(p0=(0, 0, 9), p1=(0, 0, 10), radius=0.2, motion=(0, 0, -20))
    assert scene.sweep(**ask).body[0] == high
    assert scene.sweep(**ask, mask=[1, 2, 3, 4]).key.tolist() == [10, 20, 20, 0]
    assert scene.sweep(**ask, bodies="static").body[0] == low
    assert scene.sweep(**ask, ignore=high).body[0] == low
    assert scene.sweep(**ask, ignore=[-1, high]).body.tolist() == [high, low]
    mesh = capsweep.Mesh([[-9, -9, 2], [9, -9, 2], [0, 9, 2]], [[0, 1, 2]])
    scene.add_mesh(mesh)
    rising = dict(p0=(0, 0, 1.3), p1=(0, 0, 1.4), radius=0.1, motion=(0, 0, 1), bodies="static")
    assert not scene.sweep(**rising).hit[0]
    assert scene.sweep(**rising, sides="both").hit[0]


def test_start_overlaps_are_reported_or_skipped(floor):
    inside = dict(p0=(0, 0, 0.1), p1=(0, 0, 1), radius=0.5, motion=(0, 0, -1))
    assert floor.sweep(**inside).time[0] == 0
    assert not floor.sweep(**inside, start_overlaps="skip").hit[0]


def test_liquids():
    scene = capsweep.Scene()
    wet = np.array([[True], [False]])
    scene.add_liquid(np.full((3, 2), 1.5), spacing=4, wet=wet, kind="magma")
    scene.add_liquid([[0.5, 0.5], [0.5, 0.5]], spacing=4, kind=77)
    found = scene.liquid([(1, 1, 1), (6, 1, 1), (1, 1, 0), (1, 1, 9)])
    assert found.wet.tolist() == [True, False, True, False]
    assert found.depth[:1].tolist() == [0.5]
    assert capsweep.LIQUIDS[found.kind[0]] == "magma"
    assert found.kind[2] == 77 | 1 << 32
    assert scene.liquids_over((1, 1, 0)).surface.tolist() == [1.5, 0.5]
    scene.clear_liquids()
    assert not scene.liquid((1, 1, 1)).wet[0]


def test_bad_rows_are_marked_on_demand(course, capsules):
    expected = course.sweep(**capsules)
    capsules["p0"][[3, 500]] = np.nan
    capsules["radius"][7] = -1
    marked = course.sweep(**capsules, invalid="mark")
    assert np.nonzero(marked.invalid)[0].tolist() == [3, 7, 500]
    assert not marked.hit[[3, 7, 500]].any()
    assert marked[~marked.invalid] == expected[~marked.invalid]
    every = course.sweep_all(**capsules, invalid="mark")
    assert np.nonzero(every.invalid)[0].tolist() == [3, 7, 500]
    assert (every.counts[[3, 7, 500]] == 0).all()


def test_no_rows_give_no_answers(course):
    none = np.zeros((0, 3))
    assert len(course.sweep(none, none, radius=0.3, motion=(0, 0, 1))) == 0
    assert len(course.sweep_all(none, none, radius=0.3, motion=(0, 0, 1))) == 0
    assert len(course.supports(none)) == 0
    assert capsweep.Scene().sweep((0, 0, 0), (0, 0, 1), radius=1, motion=(0, 0, 1)).hit[0] == False


def test_other_threads_run_during_a_query(course, capsules):
    """The interpreter's lock is free during a query: another thread counts on."""
    many = {name: np.tile(column, (200,) + (1,) * (column.ndim - 1))
            for name, column in capsules.items()}
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    hits = course.sweep(**many, threads=1)
    during = counted[0] - before
    done.set()
    thread.join()
    assert len(hits) == 200_000 and during > 1000


def test_queries_of_many_threads_and_changes_between_them(course, capsules):
    expected = course.sweep(**capsules, bodies="static")
    failures = []

    def ask():
        for _ in range(5):
            if course.sweep(**capsules, bodies="static", threads=1) != expected:
                failures.append("another answer")

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for step in range(50):
        course.move_mesh(course.platform, position=(33 + 0.1 * step, 0, 2))
    for thread in threads:
        thread.join()
    assert not failures


@pytest.mark.parametrize("name", ["sweep", "overlap", "closest"])
def test_arrow_and_pandas(course, capsules, name):
    if name != "sweep":
        capsules.pop("motion")
    hits = getattr(course, name)(**capsules)
    table = hits.to_arrow()
    assert table.num_rows == 1000 and table.column_names == list(hits.columns)
    flat = table.column("normal").combine_chunks().values.to_numpy()
    np.testing.assert_array_equal(flat.reshape(-1, 3), hits.normal)
    frame = hits.to_pandas()
    np.testing.assert_array_equal(frame["normal_z"], hits.normal[:, 2])
    np.testing.assert_array_equal(frame["body"], hits.body)


def test_columns_of_pandas_and_arrow_are_arguments(course, capsules):
    import pandas
    import pyarrow

    expected = course.sweep(**capsules)
    frame = pandas.DataFrame(capsules["p0"], columns=list("xyz"))
    radius = pyarrow.array(capsules["radius"])
    mixed = {**capsules, "p0": frame[["x", "y", "z"]], "radius": radius}
    assert course.sweep(**mixed) == expected


def test_tables_select_rows(course, capsules):
    hits = course.sweep(**capsules)
    some = hits[hits.hit][:5]
    assert len(some) == 5 and some.hit.all()
    assert "1000 rows" in repr(hits) and "<table>" in hits._repr_html_()
    assert [row.hit for row in some] == [True] * 5
    assert hits["time"] is hits.time
