"""Errors name the argument, the row and the value. Nothing is reinterpreted."""

import sys

import numpy as np
import pytest

import capsweep
from capsweep import InputError, InputTypeError

GOOD = dict(p0=(0, 0, 1), p1=(0, 0, 2), radius=0.3, motion=(0, 0, -1))


def check(error, argument, index=None, text=""):
    assert error.argument == argument, error
    assert error.index == index, error
    assert argument in str(error) and text in str(error), error


@pytest.mark.parametrize("name", ["p0", "p1", "motion"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e30])
def test_bad_numbers_are_named(course, name, bad):
    rows = np.tile(np.array(GOOD[name], float), (5, 1))
    rows[3, 1] = bad
    with pytest.raises(InputError) as raised:
        course.sweep(**{**GOOD, name: rows})
    check(raised.value, name, 3, f"{name}[3].y is ")
    assert raised.value.value == bad or np.isnan(bad)
    with pytest.raises(ValueError):
        course.sweep(**{**GOOD, name: rows[3]})


@pytest.mark.parametrize("bad", [0, -1, np.nan, np.inf, 1e300, 1e-60])
def test_bad_radii_are_named(course, bad):
    with pytest.raises(InputError) as raised:
        course.sweep(**{**GOOD, "radius": [0.3, 0.3, bad]})
    check(raised.value, "radius", 2)
    with pytest.raises(InputError) as raised:
        course.sweep(**{**GOOD, "radius": bad})
    check(raised.value, "radius", None)


def test_the_first_bad_row_is_named_with_any_number_of_threads(course):
    p0 = np.zeros((100_000, 3))
    p0[[70_000, 77_777, 99_999], 2] = np.nan
    for threads in (1, 2, 8):
        with pytest.raises(InputError) as raised:
            course.sweep(**{**GOOD, "p0": p0}, threads=threads)
        check(raised.value, "p0", 70_000, "p0[70000].z is NaN")


@pytest.mark.parametrize(
    "shape", [(), (2,), (4,), (3, 1), (2, 2), (1, 2, 3), (3, 3, 3), (0,), (0, 2)]
)
def test_wrong_shapes_are_told(course, shape):
    with pytest.raises(InputError) as raised:
        course.sweep(**{**GOOD, "p0": np.zeros(shape)})
    check(raised.value, "p0", None, str(shape))


@pytest.mark.parametrize(
    "dtype", [complex, bool, "U3", "S3", object, "M8[s]", "m8[s]", "V8", np.longdouble]
)
def test_wrong_types_are_told(course, dtype):
    with pytest.raises(InputTypeError) as raised:
        course.sweep(**{**GOOD, "p0": np.zeros(3, dtype)})
    check(raised.value, "p0")
    assert isinstance(raised.value, TypeError)


def test_integers_that_float64_cannot_hold_are_told(course):
    with pytest.raises(InputError, match="does not hold"):
        course.sweep(**{**GOOD, "p0": np.array([0, 0, 2**60 + 1])})


def test_different_numbers_of_rows_are_told(course):
    with pytest.raises(InputError, match="motion has 3 rows and p0 has 2"):
        course.sweep(**{**GOOD, "p0": np.zeros((2, 3)), "motion": np.zeros((3, 3))})


@pytest.mark.parametrize("name", ["sides", "bodies", "start_overlaps", "invalid"])
def test_unknown_words_are_told(course, name):
    with pytest.raises(InputError, match=f"{name} is 'sideways'"):
        course.sweep(**GOOD, **{name: "sideways"})


@pytest.mark.parametrize("mask", [-1, 2**32, 1.5, [1, -1], "all", 2**70])
def test_bad_masks_are_told(course, mask):
    with pytest.raises(InputError, match="mask"):
        course.sweep(**GOOD, mask=mask)


def test_a_capsule_has_points_or_feet(course):
    for bad in ({"feet": (0, 0, 0)}, {"height": 1.8}, {"p1": None}):
        with pytest.raises(InputTypeError):
            course.sweep(**{**GOOD, **bad})


@pytest.mark.parametrize("threads", [0, -1, 5000, 1.5, True, "2"])
def test_bad_numbers_of_threads_are_told(course, threads):
    with pytest.raises(InputError, match="threads"):
        course.sweep(**GOOD, threads=threads)


def test_bad_bodies_are_told(course):
    for body in (999, -1, 2**62):
        with pytest.raises(capsweep.SceneError, match=str(body)):
            course.remove(body)
    shape = course.add_box((0, 0, 9), (1, 1, 1))
    with pytest.raises(capsweep.SceneError):
        course.move_mesh(shape, position=(0, 0, 0))
    count = len(course)
    with pytest.raises(capsweep.SceneError):
        course.remove([shape, 999])
    assert len(course) == count, "a refused change changes nothing"


@pytest.mark.parametrize(
    "make, argument",
    [
        (lambda s: s.add_box((0, 0, 0), (1, -1, 1)), "half_extents"),
        (lambda s: s.add_box((0, 0, 0), (1, 1, 1e300)), "half_extents"),
        (lambda s: s.add_box((0, 0, 0), (1, 1, 1), rotation=(0, 0, 0, 0)), "rotation"),
        (lambda s: s.add_sphere((0, np.nan, 0), 1), "center"),
        (lambda s: s.add_sphere((0, 0, 0), 0), "radius"),
        (lambda s: s.add_capsule((0, 0, 0), (0, np.inf, 0), 1), "p1"),
        (lambda s: s.add_half_space((0, 0, 0), (0, 0, 0)), "normal"),
        (lambda s: s.add_mesh([[0, 0, 0]], [[0, 0, 1]]), "triangles"),
        (lambda s: s.add_mesh([[0, np.nan, 0]], [[0, 0, 0]]), "vertices"),
        (lambda s: s.add_mesh([[0, 0, 0]]), "triangles"),
        (lambda s: s.add_mesh([[0, 0, 0]], [[0, 0, -1]]), "triangles"),
        (lambda s: s.add_mesh([[0, 0, 0]], [[0.0, 0, 0]]), "triangles"),
        (lambda s: s.add_mesh([[0, 0, 0]], [[0, 0, 0]], scale=0), "scale"),
        (lambda s: s.add_mesh([[0, 0, 0]], [[0, 0, 0]], matrix=np.zeros((4, 4))), "matrix"),
        (lambda s: s.add_mesh([[0, 0, 0]], [[0, 0, 0]], tags=[1, 2]), "tags"),
        (lambda s: s.add_height_field([[0, np.inf], [0, 0]]), "heights"),
        (lambda s: s.add_height_field([[0, 1], [0, 0]], spacing=-1), "spacing"),
        (lambda s: s.add_height_field(np.zeros((30, 30)), tags=np.arange(841).reshape(29, 29)),
         "tags"),
        (lambda s: s.add_height_field(np.zeros((30, 30)), masks=np.arange(841).reshape(29, 29)),
         "masks"),
        (lambda s: s.add_height_field([[0, 1], [0, 0]], four=True, turned=True), "turned"),
        (lambda s: s.add_liquid([[0, 1], [0, 0]], spacing=-1), "spacing"),
        (lambda s: s.add_liquid([[0, 1], [0, 0]], origin=(0, np.nan)), "origin"),
        (lambda s: s.add_height_field([[0, 1], [0, 0]], holes=[True, False]), "holes"),
        (lambda s: s.add_liquid([0, 1]), "heights"),
        (lambda s: s.add_sphere((0, 0, 0), 1, key=-1), "key"),
        (lambda s: s.supports((0, 0, 0), slope_degrees=200), "slope_degrees"),
        (lambda s: s.supports((0, 0, 0), above=-1), "above"),
        (lambda s: s.closest((0, 0, 0), (0, 0, 1), radius=1, limit=-1), "limit"),
        (lambda s: s.ray((0, np.nan, 0), (0, 0, 1)), "origin"),
        (lambda s: s.liquid((0, np.nan, 0)), "point"),
        (lambda s: s.liquids_over((0, np.nan, 0)), "point"),
        (lambda s: s.triangles(limit=-1), "limit"),
        (lambda s: s.triangles(limit=2.5), "limit"),
        (lambda s: s.add_box([(0, 0, 0), (1,)], (1, 1, 1)), "center"),
        (lambda s: capsweep.plot(s, pixels=0), "pixels"),
        # One flag for the whole call: a list of flags would be true.
        (lambda s: s.add_box([(0, 0, 0), (9, 0, 0)], (1, 1, 1), dynamic=[False, True]), "dynamic"),
        (lambda s: s.add_box((0, 0, 0), (1, 1, 1), obstacle=np.zeros(2, bool)), "obstacle"),
        (lambda s: s.add_height_field(np.zeros((2, 2)), four="no"), "four"),
        (lambda s: capsweep.Mesh([(0, 0, 0)] * 3, [(0, 1, 2)], double_sided=[False]),
         "double_sided"),
        (lambda s: capsweep.Crowd(s, (0, 0, 0), cache=None), "cache"),
        (lambda s: capsweep.Crowd(s, (0, 0, 0)).resize(1.0, force="no"), "force"),
        (lambda s: capsweep.Validator().check(s, [(0, 0, 0)], 0.1, put_back=1), "put_back"),
        (lambda s: capsweep.open("level.obj", mapped="no"), "mapped"),
        (lambda s: capsweep.Crowd(s, [(0, 0, 0)]).tick(water=np.inf), "water"),
        (lambda s: capsweep.Crowd(s, [(0, 0, 0)]).tick(water=np.nan), "water"),
        (lambda s: capsweep.Validator().check(s, np.zeros((2, 3)), 0.1, water=np.inf), "water"),
        (lambda s: capsweep.Crowd(s, np.zeros((2, 3))).tick(jump=[True] * 3), "jump"),
        (lambda s: capsweep.Crowd(s, np.zeros((2, 3))).move((0, 0, 0), hover=-1), "hover"),
        (lambda s: capsweep.Crowd(s, np.zeros((2, 3))).move((0, 0, 0), floor=np.inf), "floor"),
        (lambda s: capsweep.Crowd(s, (0, 0, 0)).tick(carriers=[capsweep.Carrier(0, (0, 0), 0)]),
         "carriers"),
        (lambda s: capsweep.Validator().start(s, (0, 0, 0)).knock_back((0, 0, 1), window=np.nan),
         "window"),
        (lambda s: capsweep.Crowd(s, [(0, 0, 0), (0, np.nan, 0)]), "positions"),
        (lambda s: capsweep.Crowd(s, [(0, 0, 0)]).move((np.nan, 0, 0)), "displacement"),
        (lambda s: capsweep.Crowd(s, [(0, 0, 0)]).tick(walk=np.zeros((2, 3))), "walk"),
        (lambda s: capsweep.Crowd(s, [(0, 0, 0)]).tick(jump=1), "jump"),
        (lambda s: capsweep.Crowd(s, [(0, 0, 0)]).teleport((0, 0, 0), [1]), "which"),
        (lambda s: capsweep.Validator().start(s, (0, np.nan, 0)), "feet"),
        (lambda s: capsweep.Validator().start(s, (0, 0, 0), speeds=(-1, 0, 0)), "speeds"),
        (lambda s: capsweep.ControllerConfig.human(radius=0), "radius"),
        (lambda s: capsweep.ControllerConfig.human(up=(0, 0, 0)), "up"),
        (lambda s: capsweep.ControllerConfig.human(max_iterations=99), "max_iterations"),
        (lambda s: capsweep.ControllerConfig.human(slope_degrees=91), "slope_degrees"),
        (lambda s: capsweep.LocomotionConfig.human(gravity=-1), "gravity"),
    ],
)
def test_every_call_names_its_bad_argument(make, argument):
    scene = capsweep.Scene()
    with pytest.raises(InputError) as raised:
        made = make(scene)
        if isinstance(made, capsweep.LocomotionConfig):
            capsweep.Crowd(scene, (0, 0, 0), locomotion=made)
    assert raised.value.argument == argument and argument in str(raised.value), raised.value
    assert len(scene) == 0


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing.glb"):
        capsweep.open(tmp_path / "missing.glb")
    bad = tmp_path / "bad.obj"
    bad.write_text("v 0 0 x\n")
    with pytest.raises(capsweep.LoadError, match="line 1"):
        capsweep.open(bad)
    with pytest.raises(capsweep.LoadError):
        other = tmp_path / "notes.txt"
        other.write_text("hello")
        capsweep.open(other)
    with pytest.raises(InputTypeError):
        capsweep.open(3)
    with pytest.raises(OSError):
        capsweep.course().save(tmp_path / "no" / "folder.capsweep")


def test_damaged_scene_files_are_refused(tmp_path, course):
    path = tmp_path / "course.capsweep"
    course.save(path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(capsweep.LoadError):
        capsweep.open(path)


@pytest.mark.parametrize(
    "module, call",
    [
        ("pyarrow", lambda scene, hits: hits.to_arrow()),
        ("pandas", lambda scene, hits: hits.to_pandas()),
        ("matplotlib.pyplot", lambda scene, hits: scene.plot()),
        ("tqdm.auto", lambda scene, hits: capsweep.Mesh([[0, 0, 0]], [[0, 0, 0]], progress=True)),
    ],
)
def test_missing_packages_are_told(course, monkeypatch, module, call):
    hits = course.sweep(**GOOD)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(capsweep.MissingPackageError, match="pip install"):
        call(course, hits)


def test_errors_pickle(course):
    import pickle

    with pytest.raises(InputError) as raised:
        course.sweep(**{**GOOD, "radius": [1, -1]})
    again = pickle.loads(pickle.dumps(raised.value))
    assert (again.argument, again.index, again.value) == ("radius", 1, -1.0)
