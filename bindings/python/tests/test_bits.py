"""Answers have the bits of the Rust library, on all families of the oracle.

`capsweep-testkit answers` builds the scenes and asks the queries in Rust; here the same numbers go
through Python.
"""

import numpy as np
import pytest

import capsweep
from capsweep import pairs
from conftest import cargo

CASES = 60

PAIRS = ["triangle", "box", "sphere", "capsule", "half-space"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("answers")
    cargo("run", "-q", "-p", "capsweep-testkit", "--", "answers", "--cases", str(CASES), "--out",
          str(out))
    return out


def scene_of(pair, rows):
    scene = capsweep.Scene()
    a, b, rotation, radius = np.split(rows["target"], [3, 6, 10], axis=1)
    key = np.arange(len(rows), dtype=np.uint64)
    if pair == "triangle":
        for index, row in enumerate(rows):
            corners = [row["corner0"], row["corner1"], row["corner2"]]
            scene.add_mesh(corners, [[0, 1, 2]], position=a[index], key=index)
    elif pair == "box":
        scene.add_box(a, b, rotation=rotation, key=key)
    elif pair == "sphere":
        scene.add_sphere(a, radius[:, 0], key=key)
    elif pair == "capsule":
        scene.add_capsule(a, b, radius[:, 0], key=key)
    else:
        scene.add_half_space(a, b, key=key)
    return scene


def target_of(pair, rows):
    a, b, rotation, radius = np.split(rows["target"], [3, 6, 10], axis=1)
    if pair == "triangle":
        corners = [a + rows[f"corner{number}"] for number in range(3)]
        return pairs.Triangle(*corners)
    if pair == "box":
        return pairs.Box(a, b, rotation)
    if pair == "sphere":
        return pairs.Sphere(a, radius[:, 0])
    if pair == "capsule":
        return pairs.Capsule(a, b, radius[:, 0])
    return pairs.HalfSpace(a, b)


def same(found, expected, what):
    found = np.ascontiguousarray(found)
    expected = np.ascontiguousarray(expected.astype(found.dtype))
    # NaN stands for "none" on both sides, whatever its bits.
    one, two = found.copy(), expected.copy()
    if one.dtype.kind == "f":
        assert (np.isnan(one) == np.isnan(two)).all(), what
        one[np.isnan(one)] = two[np.isnan(two)] = 0
    assert one.tobytes() == two.tobytes(), what


def same_contact(hits, rows, name):
    point = hits.on_geometry if name == "closest" else hits.point
    same(point, rows[f"{name}_point"], f"{name}_point")
    parts = ["normal", "barycentrics", "hit", "feature", "feature_index", "key", "triangle"]
    if name != "ray":
        parts += ["face_normal", "region"]
    for part in parts:
        same(getattr(hits, part), rows[f"{name}_{part}"], f"{name}_{part}")


def last_of(table, column):
    """The last value of each query; NaN without one."""
    values = np.full(len(table.counts), np.nan)
    some = table.counts > 0
    values[some] = column[table.offsets[1:][some] - 1]
    return values


@pytest.mark.parametrize("pair", PAIRS)
def test_every_family_has_the_bits_of_the_library(folder, pair):
    files = sorted(folder.glob(f"{pair}-*.npy"))
    files = [file for file in files if file.stem.split("-")[0] == pair.split("-")[0]]
    assert len(files) == 18
    hits = 0
    for file in files:
        rows = np.load(file)
        assert len(rows) == CASES
        scene = scene_of(pair, rows)
        for both in (0, 1):
            some = rows[rows["both_sides"] == both]
            hits += check(scene, some, "both" if both else "front")
    assert hits > 18 * CASES * 0.3


def check(scene, rows, sides):
    capsules = dict(p0=rows["p0"], p1=rows["p1"], radius=rows["radius"], sides=sides)
    moving = dict(capsules, motion=rows["motion"])
    hits = scene.sweep(**moving)
    same_contact(hits, rows, "sweep")
    for part in ("time", "distance", "depth"):
        same(getattr(hits, part), rows[f"sweep_{part}"], part)
    same(scene.sweep_any(**moving), rows["sweep_any"], "sweep_any")
    every = scene.sweep_all(**moving)
    same(every.counts, rows["sweep_all_count"], "sweep_all_count")
    same(last_of(every, every.time), rows["sweep_all_last"], "sweep_all_last")

    deepest = scene.overlap(**capsules)
    same_contact(deepest, rows, "overlap")
    same(deepest.depth, rows["overlap_depth"], "overlap_depth")
    same(scene.overlaps(**capsules), rows["overlaps"], "overlaps")
    every = scene.overlap_all(**capsules)
    same(every.counts, rows["overlap_all_count"], "overlap_all_count")
    same(last_of(every, every.depth), rows["overlap_all_last"], "overlap_all_last")

    closest = scene.closest(**capsules)
    same_contact(closest, rows, "closest")
    same(closest.distance, rows["closest_distance"], "closest_distance")
    same(closest.on_capsule, rows["closest_on_capsule"], "closest_on_capsule")

    rays = scene.ray(rows["p0"], rows["motion"], sides=sides)
    same_contact(rays, rows, "ray")
    same(rays.time, rows["ray_time"], "ray_time")

    supports = scene.supports(rows["p1"], above=10, below=10, sides=sides)
    same(supports.counts, rows["supports_count"], "supports_count")
    some = supports.counts > 0
    first = np.full(len(rows), np.nan)
    first[some] = supports.height[supports.offsets[:-1][some]]
    same(first, rows["supports_first"], "supports_first")

    pushes = scene.depenetrate(**capsules)
    same(pushes.push, rows["push"], "push")
    same(pushes.left, rows["push_left"], "push_left")
    return int(hits.hit.sum())


PARTS = ("hit", "normal", "feature", "feature_index", "barycentrics")
TOUCH = (*PARTS, "face_normal", "region")


@pytest.mark.parametrize("pair", PAIRS)
def test_single_pairs_have_the_bits_of_a_scene_with_one_shape(folder, pair):
    files = [file for file in sorted(folder.glob(f"{pair}-*.npy"))
             if file.stem.split("-")[0] == pair.split("-")[0]]
    hits = 0
    for file in files:
        rows = np.load(file)
        for index in range(0, len(rows), 4):
            row = rows[index:index + 1]
            hits += one_pair(scene_of(pair, row), target_of(pair, row), row)
    assert hits > 18 * CASES / 4 * 0.3


def one_pair(scene, target, row):
    sides = "both" if row["both_sides"][0] else "front"
    capsule = dict(p0=row["p0"], p1=row["p1"], radius=row["radius"])
    moving = dict(capsule, motion=row["motion"], sides=sides)
    swept = pairs.sweep(target, **moving)
    expected = scene.sweep(**moving)
    parts = (*TOUCH, "time", "distance", "depth", "point")
    if isinstance(target, pairs.Triangle) and sides == "front" and expected.depth[0] > 0:
        # Out of a mesh an axis that pierces it exits through the front only, out of a single
        # triangle through both sides.
        parts = ("hit", "time", "distance")
    for part in parts:
        same(swept[part], expected[part], f"sweep {part}")
    rays = pairs.ray(target, row["p0"], row["motion"], sides=sides)
    expected = scene.ray(row["p0"], row["motion"], sides=sides)
    for part in (*PARTS, "time", "distance", "point"):
        same(rays[part], expected[part], f"ray {part}")
    # A scene has sides and a limit for these two; a single pair has both sides and no limit.
    overlap, expected = pairs.overlap(target, **capsule), scene.overlap(**capsule, sides="both")
    for part in (*TOUCH, "depth", "point"):
        same(overlap[part], expected[part], f"overlap {part}")
    closest, expected = pairs.closest(target, **capsule), scene.closest(**capsule, sides="both")
    for part in (*TOUCH, "distance", "on_capsule", "on_geometry"):
        same(closest[part], expected[part], f"closest {part}")
    return int(swept.hit.sum())
