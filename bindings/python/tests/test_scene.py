"""Scenes: built from arrays, changed, saved, pickled, copied between processes."""

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
import trimesh

import capsweep

QUAD = ([[-4, -4, 0], [4, -4, 0], [4, 4, 0], [-4, 4, 0]], [[0, 1, 2], [0, 2, 3]])
DOWN = dict(p0=(0, 0, 3), p1=(0, 0, 4), radius=0.5, motion=(0, 0, -10))


def test_a_mesh_from_arrays_has_triangles_tags_and_masks():
    scene = capsweep.Scene()
    body = scene.add_mesh(*QUAD, tags=[5, 6], masks=[1, 2], key=9)
    assert isinstance(body, int)
    hits = scene.ray([(1, -1, 1), (-1, 1, 1)], (0, 0, -2))
    assert hits.triangle.tolist() == [0, 1] and hits.tag.tolist() == [5, 6]
    assert hits.key.tolist() == [9, 9]
    assert scene.ray([(1, -1, 1), (-1, 1, 1)], (0, 0, -2), mask=1).hit.tolist() == [True, False]


def test_one_mesh_at_many_poses():
    mesh = capsweep.Mesh(*QUAD)
    scene = capsweep.Scene()
    positions = [(10.0 * i, 0, i) for i in range(5)]
    bodies = scene.add_mesh(mesh, position=positions, key=np.arange(5), scale=0.5)
    assert len(bodies) == 5 == len(scene)
    hits = scene.ray([(10.0 * i, 0.1, 20) for i in range(5)], (0, 0, -30))
    assert hits.body.tolist() == bodies.tolist() and hits.point[:, 2].tolist() == [0, 1, 2, 3, 4]
    assert not scene.ray((3, 0, 20), (0, 0, -30)).hit[0], "scaled by a half"


def test_a_matrix_is_the_same_as_its_parts():
    half = np.sqrt(0.5)
    matrix = np.array([[0, -2, 0, 1], [2, 0, 0, 2], [0, 0, 2, 3], [0, 0, 0, 1.0]])
    one, other = capsweep.Scene(), capsweep.Scene()
    one.add_mesh(*QUAD, matrix=matrix)
    other.add_mesh(*QUAD, position=(1, 2, 3), rotation=(0, 0, half, half), scale=2)
    rays = ([(0.5, 0.5, 9), (8.9, 2, 9)], (0, 0, -20))
    np.testing.assert_allclose(one.ray(*rays).point, other.ray(*rays).point)
    assert one.ray(*rays).hit.all()


def test_trimesh_is_accepted():
    box = trimesh.creation.box(extents=(2, 2, 2))
    scene = capsweep.Scene()
    scene.add_mesh(box)
    assert scene.sweep(**DOWN).distance[0] == pytest.approx(1.5)
    assert len(capsweep.Mesh(box)) == 12


def test_shapes_one_or_many():
    scene = capsweep.Scene()
    boxes = scene.add_box([(0, 0, 0), (5, 0, 0)], (1, 1, [1, 2][0]))
    sphere = scene.add_sphere((10, 0, 0), 1)
    capsule = scene.add_capsule((15, 0, 0), (15, 0, 1), 0.5, obstacle=True)
    hits = scene.ray([(0, 0, 9), (5, 0, 9), (10, 0, 9), (15, 0, 9)], (0, 0, -20))
    assert hits.body.tolist() == [*boxes, sphere, capsule]
    np.testing.assert_allclose(hits.point[:, 2], [1, 1, 1, 1.5])
    assert hits.kind[3] == capsweep.BodyKind.OBSTACLE
    turned = capsweep.Scene()
    half = np.sqrt(0.5)
    turned.add_box((0, 0, 0), (3, 1, 1), rotation=(0, half, 0, half))
    assert turned.ray((0, 0, 9), (0, 0, -20)).point[0, 2] == pytest.approx(3)


def test_height_fields():
    # 3 cells of 2 m along x, 4 cells of 3 m along y; it rises along y.
    heights = np.add.outer(np.zeros(4), np.arange(5.0))
    scene = capsweep.Scene()
    holes = np.zeros((3, 4), bool)
    holes[1, 2] = True
    scene.add_height_field(heights, spacing=(2, 3), holes=holes, tags=np.arange(12).reshape(3, 4))
    hits = scene.ray([(1, 1.5, 9), (5, 10.5, 9), (3, 7.5, 9)], (0, 0, -20))
    np.testing.assert_allclose(hits.point[:2, 2], [0.5, 3.5])
    assert hits.hit.tolist() == [True, True, False]
    assert hits.tag[:2].tolist() == [0, 11]


def test_changes_are_seen_by_the_next_query(course):
    platform = course.platform
    above = dict(p0=(35.5, 0, 5), p1=(35.5, 0, 6), radius=0.2, motion=(0, 0, -10))
    assert course.sweep(**above).body[0] != platform
    course.move_mesh(platform, position=(35.5, 0, 2.4))
    assert course.sweep(**above).body[0] == platform
    np.testing.assert_array_equal(course.pose(platform)["position"], [35.5, 0, 2.4])
    course.remove(platform)
    assert course.sweep(**above).body[0] != platform
    box = course.add_box((35.5, 0, 1), (1, 1, 1))
    assert course.sweep(**above).body[0] == box
    course.move_box(box, (35.5, 0, 1), (1, 1, 2))
    assert course.sweep(**above).point[0, 2] == pytest.approx(3)
    course.move_sphere(box, (35.5, 0, 1), 0.5)
    assert course.sweep(**above).point[0, 2] == pytest.approx(1.5)
    course.move_capsule(box, (35.5, 0, 1), (35.5, 0, 2), 0.5)
    assert course.sweep(**above).point[0, 2] == pytest.approx(2.5)


def test_set_mesh():
    scene = capsweep.Scene()
    body = scene.add_mesh(*QUAD)
    scene.set_mesh(body, capsweep.Mesh([[-1, -1, 1], [1, -1, 1], [0, 1, 1]], [[0, 1, 2]]))
    assert scene.sweep(**DOWN).point[0, 2] == 1


def test_a_saved_scene_answers_the_same(course, capsules, tmp_path):
    expected = course.sweep(**capsules)
    path = tmp_path / "course.capsweep"
    assert course.save(path) == path.stat().st_size
    for opened in (capsweep.open(path), capsweep.open(path, mapped=True),
                   capsweep.Scene.from_bytes(course.to_bytes())):
        assert opened.sweep(**capsules) == expected
        assert opened.body_name(expected[expected.hit].body[0])


def test_obj_files_open_with_their_axes(tmp_path):
    path = tmp_path / "floor.obj"
    path.write_text("v -100 0 100\nv 100 0 100\nv 0 0 -100\nf 1 2 3\n")
    scene = capsweep.open(path, unit=0.01)
    assert scene.ray((0, 0, 1), (0, 0, -2)).point[0].tolist() == [0, 0, 0]
    np.testing.assert_allclose(scene.bounds, [[-1, -1, 0], [1, 1, 0]])
    upright = capsweep.open(path, up="z")
    assert not upright.ray((0, 0, 1), (0, 0, -2)).hit[0]


def test_pickles_are_paths_where_a_file_has_the_content(course, capsules, tmp_path):
    expected = course.sweep(**capsules)
    assert len(pickle.dumps(course)) < 200, "the course is built in"
    path = tmp_path / "level.capsweep"
    changed = course.copy()
    changed.add_sphere((0, 0, 50), 1)
    assert len(pickle.dumps(changed)) > 1000, "the content itself"
    assert len(pickle.loads(pickle.dumps(changed))) == len(course) + 1
    changed.save(path)
    assert changed.path == str(path)
    pickled = pickle.dumps(changed)
    assert len(pickled) < 500 and str(path).encode() in pickled
    assert pickle.loads(pickled).sweep(**capsules) == expected
    changed.add_sphere((0, 0, 60), 1)
    assert changed.path is None, "the file no longer has the content"


def test_a_fresh_process_opens_the_file_again(course, capsules, tmp_path):
    course.save(tmp_path / "level.capsweep")
    np.savez(tmp_path / "in.npz", **capsules)
    (tmp_path / "scene.pickle").write_bytes(pickle.dumps(course))
    program = (
        "import pickle, sys, numpy as np\n"
        "scene = pickle.load(open('scene.pickle', 'rb'))\n"
        "hits = scene.sweep(**np.load('in.npz'))\n"
        "np.savez('out.npz', **hits.to_dict())\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
    found = capsweep.SweepHits(dict(np.load(tmp_path / "out.npz")))
    assert found == course.sweep(**capsules)


def _hits_in_a_worker(arguments):
    scene, capsules = arguments
    return int(scene.sweep(**capsules).hit.sum())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*:DeprecationWarning")
def test_forked_processes_have_threads_of_their_own(course, capsules):
    """Threads do not survive a fork: a child that waits for the parent's would hang."""
    expected = int(course.sweep(**capsules).hit.sum())
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(_hits_in_a_worker, [(course, capsules)] * 4).get(timeout=20)
    assert found == [expected] * 4


def test_copies_are_independent(course):
    for copied in (course.copy(), copy.copy(course), copy.deepcopy(course)):
        copied.remove(course.platform)
        assert len(copied) == len(course) - 1


def test_bodies_triangles_and_names(course):
    bodies = course.bodies()
    assert len(bodies) == len(course) == 11
    names = [course.body_name(body) for body in bodies.body]
    assert "stairs" in names and course.body_name(12345) is None
    assert bodies.dynamic.sum() == 1
    triangles = course.triangles()
    assert len(triangles) == bodies.triangles.sum()
    assert triangles.vertices.shape == (len(triangles), 3, 3)
    with pytest.raises(capsweep.InputError, match="more than 5"):
        course.triangles(limit=5)
    assert "11 bodies" in repr(course) and course.unit == "m"


def test_mesh_reports_name_defects():
    report = capsweep.Mesh.report([[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [9, 9, 9]],
                                  [[0, 1, 2], [0, 1, 3], [0, 1, 3]])
    assert report["degenerate"].tolist() == [0]
    assert report["duplicate"].tolist() == [2]
    assert report["unreferenced"].tolist() == [4]


def test_progress_bars(capsys):
    capsweep.Mesh(*QUAD, progress=True)
    assert "building 2 triangles" in capsys.readouterr().err
    capsweep.Mesh(*QUAD, progress=False)
    assert capsys.readouterr().err == ""
    with pytest.raises(capsweep.InputError):
        capsweep.Mesh([[0, 0, np.inf]], [[0, 0, 0]], progress=True)
