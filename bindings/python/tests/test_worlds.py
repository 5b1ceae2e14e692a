"""Levels of other programs: GLB files, and the maps of game servers."""

import json
import pickle
import signal
import struct
import time

import numpy as np
import pytest

import capsweep
from conftest import cargo

MAP = 1


def glb(vertices, triangles):
    """A GLB file with one mesh."""
    corners = np.asarray(vertices, "<f4")
    indices = np.asarray(triangles, "<u2").tobytes()
    padded = indices + b"\0" * (-len(indices) % 4)
    content = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "floor"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 1}, "indices": 0}]}],
        "buffers": [{"byteLength": len(padded) + corners.nbytes}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(indices)},
            {"buffer": 0, "byteOffset": len(padded), "byteLength": corners.nbytes},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5123, "count": len(indices) // 2, "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5126, "count": len(corners), "type": "VEC3",
             "min": corners.min(axis=0).tolist(), "max": corners.max(axis=0).tolist()},
        ],
    }
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    data = padded + corners.tobytes()
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def test_a_glb_opens_with_its_names_and_axes(tmp_path):
    path = tmp_path / "floor.glb"
    path.write_bytes(glb([(-4, 1, 4), (4, 1, 4), (0, 1, -4)], [0, 1, 2]))
    scene = capsweep.open(path)
    hits = scene.ray((0, 0, 5), (0, 0, -10))
    np.testing.assert_allclose(hits.point, [[0, 0, 1]])
    assert scene.body_name(hits.body[0]) == "floor"
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(capsweep.LoadError):
        capsweep.open(path)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The folders of a game server."""
    folder = tmp_path_factory.mktemp("server")
    cargo("run", "-q", "-p", "capsweep-testkit", "--", "continent", "--tiles", "4", "--placements",
          "40", "--models", "4", "--map", str(MAP), "--out", str(folder))
    return {"vmaps": folder / "vmaps", "maps": folder / "maps"}


@pytest.fixture(scope="module")
def world(server, tmp_path_factory):
    path = tmp_path_factory.mktemp("world") / "world.capsweep"
    counts = capsweep.import_map(path, MAP, **server)
    assert counts["tiles"] == 4 and counts["placements"] > 0
    assert counts["missing"]["models"] == ["Lostsign.m2"]
    return path


def test_a_map_is_imported_opened_and_asked(world):
    scene = capsweep.open(world)
    assert scene.unit == "yd" and "yd" in repr(scene) and len(scene) > 4
    low, high = scene.bounds
    origins = np.random.default_rng(1).uniform(low, high, (200, 3))
    origins[:, 2] = high[2] + 1
    hits = scene.ray(origins, (0, 0, low[2] - high[2] - 2))
    assert hits.hit.any() and scene.damage() == [] and capsweep.verify(world) == []
    assert "yd" in scene._repr_html_()
    assert pickle.loads(pickle.dumps(scene)).ray(origins, (0, 0, -1e4)).hit.any()


def test_a_map_counts_bodies_that_were_added(world):
    scene = capsweep.open(world)
    count, (low, high) = len(scene), scene.bounds
    scene.add_box(high + 10, (1, 1, 1))
    assert len(scene) == count + 1
    np.testing.assert_allclose(scene.bounds, [low, high + 11])


def test_a_changed_map_pickles_as_a_scene_with_new_ids(world):
    scene = capsweep.open(world)
    scene.add_box((0, 0, 0), (1, 1, 1))
    with pytest.warns(UserWarning, match="new ids"):
        again = pickle.loads(pickle.dumps(scene))
    assert len(again) == len(scene) and again.unit == "m"


def test_damaged_parts_of_a_map_are_told(world, tmp_path):
    data = bytearray(world.read_bytes())
    path = tmp_path / "damaged.capsweep"
    found = []
    # Somewhere in the content, which is checked when it is loaded.
    for part in (0.3, 0.5, 0.7):
        changed = data.copy()
        changed[int(len(data) * part)] ^= 0xFF
        path.write_bytes(changed)
        try:
            found.append(capsweep.verify(path))
        except capsweep.LoadError as error:
            found.append([str(error)])
            continue
        scene = capsweep.open(path)
        assert len(scene.bodies()) > 0
        found[-1] += scene.damage()
    assert any(found)


def test_an_import_shows_its_progress(server, tmp_path, capsys):
    capsweep.import_map(tmp_path / "world.capsweep", MAP, **server, progress=True)
    assert "tiles" in capsys.readouterr().err
    capsweep.import_map(tmp_path / "world.capsweep", MAP, **server, progress=False)
    assert capsys.readouterr().err == ""


def test_an_import_that_cannot_be_made_is_told(server, tmp_path):
    path = tmp_path / "world.capsweep"
    with pytest.raises(LookupError):
        capsweep.import_map(path, 777, **server)
    with pytest.raises((capsweep.LoadError, LookupError, OSError)):
        capsweep.import_map(path, MAP, maps=tmp_path / "absent")
    with pytest.raises(OSError):
        capsweep.import_map(tmp_path / "no" / "world.capsweep", MAP, **server)
    with pytest.raises(capsweep.InputError, match="another folder"):
        capsweep.import_map(server["maps"] / "world.capsweep", MAP, **server)
    for wrong in (dict(map=-1), dict(map="0"), dict(liquids="lava"), dict(threads=0),
                  dict(vmaps=3), dict(vmaps=None, maps=None)):
        with pytest.raises(capsweep.InputError):
            capsweep.import_map(path, **{"map": MAP, **server, **wrong})
    assert not path.exists()


def test_ctrl_c_ends_an_import(server, tmp_path):
    """Also in a thread pool: only the main thread sees signals."""
    path = tmp_path / "world.capsweep"

    def interrupt(*_):
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                signal.setitimer(signal.ITIMER_REAL, 0.002)
                capsweep.import_map(path, MAP, **server, threads=1)
                time.sleep(0.01)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_an_exception_of_the_bar_ends_an_import(server, tmp_path):
    core, path = capsweep._core, tmp_path / "world.capsweep"

    class Args:
        path, map, parent, liquids = str(tmp_path / "world.capsweep"), MAP, None, None
        vmaps, maps = str(server["vmaps"]), str(server["maps"])
        double_sided, threads = False, None

    def report(part, done, total):
        raise ZeroDivisionError(part)

    with pytest.raises(ZeroDivisionError):
        core.import_map(Args, report)
    assert not path.exists() or capsweep.verify(path) == []
