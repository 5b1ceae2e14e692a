"""capsweep.ray: batches of Arrow, workers of Ray, and a cluster that loses a node."""

import importlib.util
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import capsweep
import capsweep.ray as mappers

pa = pytest.importorskip("pyarrow") if not os.environ.get("CI") else __import__("pyarrow")
import pyarrow.parquet as pq  # noqa: E402

BENCHES = Path(__file__).resolve().parents[1] / "benches"
ROWS = 500


def lists(vectors):
    flat = pa.array(np.ascontiguousarray(vectors).reshape(-1))
    return pa.FixedSizeListArray.from_arrays(flat, 3)


def matrix(column):
    column = column.combine_chunks()
    return column.flatten().to_numpy().reshape(len(column), 3)


@pytest.fixture
def level(tmp_path):
    path = tmp_path / "course.capsweep"
    capsweep.course().save(path)
    return path


@pytest.fixture
def queries():
    """Arguments of sweeps, and the table that holds them."""
    rng = np.random.default_rng(3)
    arguments = {
        "feet": rng.uniform((-1, -3, 0.0), (42, 3, 3), (ROWS, 3)),
        "motion": rng.uniform(-4, 4, (ROWS, 3)),
        "radius": rng.uniform(0.1, 0.5, ROWS),
        "height": rng.uniform(1.0, 2.0, ROWS),
    }
    cells = {n: lists(a) if a.ndim == 2 else a for n, a in arguments.items()}
    return arguments, pa.table({"id": np.arange(ROWS)[::-1].copy(), **cells})


def same(table, answer, prefix=""):
    """The table's columns have the bits of the answer."""
    wanted = answer.to_arrow()
    for name in wanted.column_names:
        got, want = table.column(prefix + name), wanted.column(name)
        assert got.type == want.type, name
        one, two = (side.combine_chunks() for side in (got, want))
        if pa.types.is_fixed_size_list(one.type):
            one, two = one.flatten(), two.flatten()
        one, two = (side.to_numpy(zero_copy_only=False) for side in (one, two))
        assert one.tobytes() == two.tobytes(), name


def test_answers_equal_the_scene_in_bits_and_other_columns_stay(level, queries):
    arguments, table = queries
    scene = capsweep.open(level)
    capsule = {name: arguments[name] for name in ("feet", "radius", "height")}
    asked = {
        mappers.Sweep: scene.sweep(**arguments),
        mappers.Overlap: scene.overlap(**capsule),
        mappers.Closest: scene.closest(**capsule, limit=2.0),
    }
    for mapper, answer in asked.items():
        options = {"limit": 2.0} if mapper is mappers.Closest else {}
        done = mapper(level, **options)(table)
        assert done.column_names == table.column_names + list(answer.columns)
        assert done.select(table.column_names).equals(table)
        same(done, answer)
    rays = table.rename_columns(["id", "origin", "motion", "radius", "height"])
    done = mappers.RayCast(level, sides="both")(rays)
    same(done, scene.ray(arguments["feet"], arguments["motion"], sides="both"))


def test_every_form_of_a_vector_gives_the_same_bits(level, queries):
    arguments, table = queries
    wanted = capsweep.open(level).sweep(**arguments)
    motion = arguments["motion"]
    axes = dict(zip("xyz", motion.T))
    plain = table.drop_columns(["motion"])
    three = plain
    for axis, column in axes.items():
        three = three.append_column(f"motion_{axis}", pa.array(column.copy()))
    parts = [pa.array(column.copy()) for column in axes.values()]
    forms = [
        table,
        plain.append_column("motion", pa.array(motion.tolist(), pa.list_(pa.float64()))),
        plain.append_column("motion", pa.array(motion.tolist(), pa.large_list(pa.float64()))),
        plain.append_column("motion", pa.StructArray.from_arrays(parts, ["x", "y", "z"])),
        three,
        pa.concat_tables([table.slice(0, 123), table.slice(123)]),
    ]
    for form in forms:
        same(mappers.Sweep(level)(form), wanted)
    # A slice begins in the middle of its memory.
    part = mappers.Sweep(level)(table.slice(100, 50))
    same(part, wanted[100:150])


def test_constants_and_names_take_the_place_of_columns(level, queries):
    arguments, table = queries
    scene = capsweep.open(level)
    renamed = table.rename_columns(["id", "place", "step", "r", "h"])
    for rows in (ROWS, 3, 1, 0):
        ask = mappers.Sweep(level, columns={"feet": "place", "motion": "step"}, radius=0.3,
                            height=1.8, prefix="hit_")
        done = ask(renamed.slice(0, rows))
        feet, motion = arguments["feet"][:rows], arguments["motion"][:rows]
        same(done, scene.sweep(feet=feet, motion=motion, radius=0.3, height=1.8), "hit_")
        down = mappers.Sweep(level, feet=(0, 0, 2), radius=0.3, height=1.8, motion=(0, 0, -5))
        assert down(renamed.slice(0, rows)).column("distance").to_pylist() == [2.0] * rows


def test_results_are_chosen_and_flat_on_demand(level, queries):
    _, table = queries
    whole = mappers.Sweep(level)(table)
    done = mappers.Sweep(level, results=["hit", "point"], vectors="columns")(table)
    added = done.column_names[len(table.column_names):]
    assert added == ["hit", "point_x", "point_y", "point_z"]
    got = done.column("point_y").to_numpy()
    assert got.tobytes() == matrix(whole.column("point"))[:, 1].tobytes()


def test_bad_rows_are_told_or_marked(level, queries):
    arguments, table = queries
    motion = arguments["motion"].tolist()
    motion[7], motion[9], motion[11] = [0.0, float("nan"), 0.0], None, [1.0, None, 2.0]
    for form in (pa.list_(pa.float64(), 3), pa.list_(pa.float64())):
        bad = table.set_column(2, "motion", pa.array(motion, form))
        with pytest.raises(capsweep.InputError, match=r"motion.*\[\d+\]|motion\[\d+\]") as told:
            mappers.Sweep(level)(bad)
        assert told.value.index in (7, 9, 11)
        assert f"'id': {ROWS - 1 - told.value.index}" in str(told.value)
        done = mappers.Sweep(level, invalid="mark")(bad)
        assert np.flatnonzero(done.column("invalid").to_numpy()).tolist() == [7, 9, 11]
        good = np.setdiff1d(np.arange(ROWS), [7, 9, 11])
        same(done.take(good), capsweep.open(level).sweep(**arguments)[good])
    # A list of the wrong length.
    motion[9], motion[11] = [1.0, 2.0], [1.0, 2.0, 3.0]
    bad = table.set_column(2, "motion", pa.array(motion, pa.list_(pa.float64())))
    with pytest.raises(capsweep.InputError, match="3 numbers"):
        mappers.Sweep(level)(bad)
    done = mappers.Sweep(level, invalid="mark")(bad)
    assert np.flatnonzero(done.column("invalid").to_numpy()).tolist() == [7, 9]


def test_wrong_tables_and_options_are_told(level, queries):
    _, table = queries
    cases = [
        (lambda: mappers.Sweep(level)(table.drop_columns(["motion"])), "motion.*missing"),
        (lambda: mappers.Sweep(level, columns={"motion": "x"})(table), "'x'.*missing"),
        (lambda: mappers.Sweep(level)(table.append_column("time", table["id"])), "prefix"),
        (lambda: mappers.Sweep(level, results=["speed"])(table), "speed"),
        (lambda: mappers.Sweep(level, speed=1), "speed"),
        (lambda: mappers.Sweep(level, columns={"speed": "x"}), "speed"),
        (lambda: mappers.Sweep(level, vectors="tuple"), "vectors"),
        (lambda: mappers.Sweep(level, invalid="drop"), "invalid"),
        (lambda: mappers.Sweep(level, threads=0), "threads"),
        (lambda: mappers.Sweep(level)(table.to_pydict()), "batch_format"),
        (lambda: mappers.Sweep(level)(table.set_column(3, "radius", pa.array(["a"] * ROWS))),
         "radius.*type"),
        (lambda: mappers.Sweep(level)(table.set_column(2, "motion", table["id"])), "motion"),
        (lambda: mappers.Sweep(level)(
            table.set_column(2, "motion", pa.array([[1.0, 2.0]] * ROWS, pa.list_(pa.float64(), 2)))
        ), "3 numbers"),
        (lambda: mappers.Sweep(level)(table.append_column("mask", pa.nulls(ROWS, pa.int64()))),
         "mask.*null"),
        (lambda: mappers.ValidateChains(level, dt=0.1)(table), "character"),
    ]
    for case, message in cases:
        with pytest.raises(capsweep.InputError, match=message):
            case()
    with pytest.raises(FileNotFoundError):
        mappers.Sweep(level.with_name("absent.capsweep"))
    level.write_bytes(b"no scene")
    with pytest.raises(capsweep.LoadError):
        mappers.Sweep(level)


def test_levels_of_other_formats_and_scenes_are_opened(tmp_path, queries):
    _, table = queries
    path = tmp_path / "floor.obj"
    path.write_text("v -9 0 -9\nv 9 0 -9\nv 9 0 9\nv -9 0 9\nf 1 4 3 2\n")
    for scene, options in ((path, {}), (capsweep.open(path), {}), (path, {"up_axis": "y"})):
        ask = mappers.Sweep(scene, feet=(0, 0, 2), radius=0.3, height=1.8, motion=(0, 0, -5),
                            **options)
        assert ask(table.select(["id"])).column("distance").to_pylist() == [2.0] * ROWS


def claims():
    """Walks of 20 characters on the course, 30 claims each; some are too far."""
    rng = np.random.default_rng(5)
    characters = np.repeat(np.arange(20), 30)
    start = np.repeat(np.column_stack([rng.uniform(-1, 3, 20), rng.uniform(-2, 2, 20),
                                       np.zeros(20)]), 30, axis=0)
    steps = rng.uniform(-0.15, 0.15, (600, 3)) * (1, 1, 0)
    steps[rng.integers(0, 600, 30)] = (3, 0, 0)
    walked = steps.reshape(20, 30, 3).cumsum(axis=1).reshape(600, 3)
    return characters, start, start + walked, start + walked - steps


def test_moves_that_stand_alone_are_judged_as_by_the_validator(level):
    _, _, feet, before = claims()
    before = before.copy()
    table = pa.table({"id": np.arange(600), "start": lists(before), "feet": lists(feet),
                      "dt": np.full(600, 0.1)})
    scene, validator = capsweep.open(level), capsweep.Validator()
    wanted = validator.check(scene, feet, 0.1, start=before, character=np.arange(600))
    assert 0 < wanted.impossible.sum() < 300
    done = mappers.Validate(level)(table)
    same(done, wanted)
    assert not done.column("invalid").to_numpy().any()
    # The order and the neighbours of a row decide nothing.
    order = np.random.default_rng(1).permutation(600)
    same(mappers.Validate(level)(table.take(order)), wanted[order])
    bad = before.copy()
    bad[4], bad[70] = np.nan, (0, 1e30, 0)
    table = table.set_column(1, "start", lists(bad))
    with pytest.raises(capsweep.InputError, match="start|feet"):
        mappers.Validate(level)(table)
    done = mappers.Validate(level, invalid="mark")(table)
    assert np.flatnonzero(done.column("invalid").to_numpy()).tolist() == [4, 70]
    assert done.column("verdict")[4].as_py() == -1
    good = np.setdiff1d(np.arange(600), [4, 70])
    same(done.take(good), wanted[good])


def test_chains_are_judged_in_the_order_of_time(level):
    characters, _, feet, _ = claims()
    wanted = capsweep.Validator().check(capsweep.open(level), feet, 0.1, character=characters)
    assert 0 < wanted.impossible.sum() < 600
    tick = np.tile(np.arange(30), 20)
    table = pa.table({"character": [f"c{n}" for n in characters], "tick": tick,
                      "feet": lists(feet), "dt": np.full(600, 0.1)})
    same(mappers.ValidateChains(level)(table), wanted)
    order = np.random.default_rng(2).permutation(600)
    same(mappers.ValidateChains(level, order="tick")(table.take(order)), wanted[order])
    # A chain with bad first rows starts at the first good one.
    bad = feet.copy()
    bad[30:33] = np.nan
    table = table.set_column(2, "feet", lists(bad))
    done = mappers.ValidateChains(level, order="tick", invalid="mark")(table.take(order))
    found = np.flatnonzero(done.column("invalid").to_numpy())
    assert sorted(order[found].tolist()) == [30, 31, 32]
    others = np.flatnonzero(characters[order] != 1)
    same(done.take(others), wanted[order[others]])
    rest = capsweep.Validator().check(capsweep.open(level), feet[33:60], 0.1)
    back = np.argsort(order)
    same(done.take(back[33:60]), rest)
    # Later in a chain, a bad number is a verdict of the claim.
    bad = feet.copy()
    bad[45, 1] = np.nan
    table = table.set_column(2, "feet", lists(bad))
    done = mappers.ValidateChains(level, invalid="mark")(table)
    assert not done.column("invalid").to_numpy().any()
    assert done.column("reason")[45].as_py() == capsweep.Reason.INVALID_NUMBER


def test_errors_of_a_sorted_log_name_the_row_of_the_batch(level):
    feet = np.zeros((6, 3))
    feet[1] = (np.nan, 0, 0)
    table = pa.table({"character": [3, 2, 3, 1, 1, 2], "tick": [9, 1, 8, 2, 1, 5],
                      "feet": lists(feet), "dt": np.full(6, 0.1)})
    with pytest.raises(capsweep.InputError, match=r"feet\[1\].*'tick': 1") as told:
        mappers.ValidateChains(level, order="tick")(table)
    assert told.value.index == 1 and 'invalid="mark"' in str(told.value)
    modes = table.append_column("mode", pa.array([0, 0, 0, 0, 99, 0]))
    with pytest.raises(capsweep.InputError, match=r"mode\[4\] is 99.*'tick': 1"):
        mappers.ValidateChains(level, order="tick")(
            modes.set_column(2, "feet", lists(np.zeros((6, 3)))))


def test_bad_integers_are_marked(level, queries):
    arguments, table = queries
    wanted = capsweep.open(level).sweep(**arguments)
    mask = [None, -1, 2**32, *[capsweep.ALL] * (ROWS - 3)]
    bad = table.append_column("mask", pa.array(mask, pa.int64()))
    done = mappers.Sweep(level, invalid="mark")(bad)
    assert np.flatnonzero(done.column("invalid").to_numpy()).tolist() == [0, 1, 2]
    same(done.slice(3).select(wanted.to_arrow().column_names), wanted[3:])
    null = table.append_column("ignore", pa.nulls(ROWS))
    assert mappers.Sweep(level, invalid="mark")(null).column("invalid").to_numpy().all()

    characters, _, feet, before = claims()
    log = pa.table({"character": characters, "start": lists(before), "feet": lists(feet),
                    "dt": np.full(600, 0.1), "mode": pa.array([None, 77, *[-1] * 598])})
    for mapper in (mappers.Validate, mappers.ValidateChains):
        with pytest.raises(capsweep.InputError, match=r"mode\[0\] is null") as told:
            mapper(level)(log)
        assert 'invalid="mark"' in str(told.value)
        done = mapper(level, invalid="mark")(log)
        assert np.flatnonzero(done.column("invalid").to_numpy()).tolist() == [0, 1]


def test_a_hint_is_given_only_where_it_helps(level):
    table = pa.table({"character": [1, None], "feet": lists(np.zeros((2, 3))), "dt": [0.1, 0.1]})
    with pytest.raises(capsweep.InputError, match="character.*null") as told:
        mappers.ValidateChains(level)(table)
    assert "mark" not in str(told.value)


def test_text_and_dates_order_a_log(level):
    characters, _, feet, _ = claims()
    wanted = capsweep.Validator().check(capsweep.open(level), feet, 0.1, character=characters)
    times = [f"2026-01-01T00:00:{n:02}" for n in np.tile(np.arange(30), 20)]
    order = np.random.default_rng(2).permutation(600)
    for column in (pa.array(times), pa.array(np.array(times, "M8[ms]"))):
        table = pa.table({"character": characters, "time": column, "feet": lists(feet),
                          "dt": np.full(600, 0.1)}).take(order)
        same(mappers.ValidateChains(level, order="time")(table), wanted[order])
    with pytest.raises(capsweep.InputError, match="cannot be sorted"):
        mappers.ValidateChains(level, order="feet")(table)


def need_ray():
    if importlib.util.find_spec("ray") is None:
        assert not os.environ.get("CI"), "CI has no Ray: pip install capsweep[ray]"
        pytest.skip("Ray is not installed: pip install capsweep[ray]")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_mapper_uses_its_threads(level, queries):
    _, table = queries
    mappers.Sweep(level, threads=11)(table)
    # On a busy machine a thread may begin after the answer, and gives itself its name then.
    end, names = time.monotonic() + 30, set()
    while "capsweep-10" not in names and time.monotonic() < end:
        for task in Path("/proc/self/task").iterdir():
            try:
                names.add((task / "comm").read_text(encoding="ascii").strip())
            except OSError:
                # It ended meanwhile.
                continue
    assert "capsweep-10" in names


# On a cluster.


def cluster_script():
    sys.path.insert(0, str(BENCHES))
    try:
        import ray_cluster
    finally:
        sys.path.remove(str(BENCHES))
    return ray_cluster


def test_the_comparison_sees_missing_doubled_and_different_rows(tmp_path):
    script = cluster_script()
    expected = {"row": np.arange(10), "time": np.linspace(0, 1, 10)}

    def report(rows, time):
        for path in tmp_path.glob("*.parquet"):
            path.unlink()
        pq.write_table(pa.table({"row": rows, "time": time}), tmp_path / "a.parquet")
        found = script.Report(10, 1.0, 1.0)
        script.compare(found, tmp_path, expected)
        return found.missing, found.doubled, found.different["time"], found.right

    rows, time = expected["row"], expected["time"]
    assert report(rows[::-1], time[::-1]) == (0, 0, 0, True)
    assert report(rows[:9], time[:9]) == (1, 0, 0, False)
    assert report(np.append(rows, 3), np.append(time, time[3])) == (0, 1, 0, False)
    other = time.copy()
    other[4] = np.nextafter(other[4], 2)
    assert report(rows, other) == (0, 0, 1, False)


def test_a_cluster_that_loses_a_node_answers_every_row_once(tmp_path):
    need_ray()
    command = [sys.executable, str(BENCHES / "ray_cluster.py"), "--rows", "200000",
               "--file-rows", "10000", "--kill-at", "0.2"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    # Ray keeps sockets in its own folder, whose path must be short.
    environment["RAY_TMPDIR"] = "/tmp"
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False,
                          timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "missing 0, doubled 0, different 0 of 200000 rows" in done.stdout
    assert "a node with 1 actors was killed" in done.stdout


# On workers of Ray.


@pytest.fixture(scope="module")
def ray():
    need_ray()
    os.environ.setdefault("RAY_DATA_USE_DATASOURCE_V2", "0")
    import ray

    ray.init("local", num_cpus=3, object_store_memory=200_000_000, include_dashboard=False,
             log_to_driver=False, logging_level="ERROR")
    yield ray
    ray.shutdown()


def test_workers_have_the_threads_that_ray_gives_them(ray, level):
    def threads(cpus):
        worker = ray.remote(num_cpus=cpus)(lambda: mappers.Sweep(str(level)).threads)
        return ray.get(worker.remote())

    assert [threads(cpus) for cpus in (0.5, 1, 2)] == [1, 1, 2]
    # The driver is no worker.
    assert mappers.Sweep(level).threads is None
    assert mappers.Sweep(level, threads=2).threads == 2


def test_chains_over_groups_and_moves_over_batches(ray, level, tmp_path):
    characters, _, feet, before = claims()
    tick = np.tile(np.arange(30), 20)
    rows = {"row": np.arange(600), "character": characters, "tick": tick, "feet": lists(feet),
            "start": lists(before), "dt": np.full(600, 0.1)}
    order = np.random.default_rng(2).permutation(600)
    folder = tmp_path / "moves"
    folder.mkdir()
    for number in range(6):
        part = pa.table(rows).take(order[number * 100:(number + 1) * 100])
        pq.write_table(part, folder / f"{number}.parquet")
    scene, check = capsweep.open(level), capsweep.Validator().check

    def answered(dataset, name):
        dataset.write_parquet(str(tmp_path / name))
        table = pq.read_table(tmp_path / name)
        at = table.column("row").to_numpy()
        assert sorted(at.tolist()) == list(range(600))
        return table.take(np.argsort(at))

    moves = ray.data.read_parquet(str(folder)).map_batches(
        mappers.Validate, fn_constructor_args=[str(level)], batch_format="pyarrow", batch_size=50,
        compute=ray.data.ActorPoolStrategy(size=2))
    same(answered(moves, "moves-out"),
         check(scene, feet, 0.1, start=before, character=np.arange(600)))
    chains = ray.data.read_parquet(str(folder)).groupby("character", num_partitions=4).map_groups(
        mappers.ValidateChains, fn_constructor_args=[str(level)],
        fn_constructor_kwargs={"order": "tick"}, batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=1))
    same(answered(chains, "chains-out"), check(scene, feet, 0.1, character=characters))


def test_the_example_of_the_document_runs(ray, level, tmp_path):
    text = (BENCHES.parents[2] / "docs" / "scale.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    _, _, feet, before = claims()
    (tmp_path / "moves").mkdir()
    pq.write_table(pa.table({"start": lists(before), "feet": lists(feet),
                             "dt": np.full(600, 0.1)}), tmp_path / "moves" / "0.parquet")
    for name in ("moves/", "verdicts/", "level.capsweep"):
        there = level if name == "level.capsweep" else tmp_path / name
        program = program.replace(f'"{name}"', repr(str(there)))
    exec(program, {})
    assert pq.read_table(tmp_path / "verdicts").num_rows == 600


def test_a_bad_row_ends_a_job_with_its_content(ray, level):
    rows = ray.data.from_items([{"id": 41, "feet": [0.0, 0.0, float("nan")]}])
    job = rows.map_batches(mappers.Overlap, fn_constructor_args=[str(level)],
                           fn_constructor_kwargs={"radius": 0.3, "height": 1.8},
                           batch_format="pyarrow",
                           compute=ray.data.ActorPoolStrategy(size=1))
    with pytest.raises(Exception, match="'id': 41"):
        job.materialize()
