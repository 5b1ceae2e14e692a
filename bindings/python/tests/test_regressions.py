"""Bugs that were found once. The names say what went wrong."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import capsweep
from capsweep import InputError, InputTypeError


@pytest.fixture
def floor():
    scene = capsweep.Scene()
    scene.add_half_space((0, 0, 0), (0, 0, 1))
    return scene


def test_more_rows_than_memory_is_a_memory_error(floor):
    many = np.broadcast_to(np.zeros(3), (10**12, 3))
    for ask in (
        lambda: floor.ray(many, (0, 0, -1)),
        lambda: floor.sweep(many, (0, 0, 1), radius=0.5, motion=(0, 0, -1)),
        lambda: floor.supports(many),
    ):
        with pytest.raises(MemoryError, match="do not fit"):
            ask()


def test_more_characters_chains_ticks_and_bodies_than_memory_are_memory_errors(floor):
    many = np.broadcast_to(np.zeros(3), (10**12, 3))
    claims = np.zeros((100, 3))
    long = capsweep.Inputs([2**31] * 100, walk=(0, 0, 0), dt=0.05)
    mixed = capsweep.Inputs([2**31], np.broadcast_to(np.zeros(3), (2**31, 3)), dt=0.05)
    assert "214748364800 ticks" in repr(long)
    for ask in (
        lambda: capsweep.Crowd(floor, many),
        lambda: capsweep.Validator().start(floor, many),
        lambda: floor.add_sphere(many, 1.0),
        lambda: capsweep.Validator().check(floor, claims, 0.1, start=(0, 0, 0), inputs=long),
        lambda: capsweep.Validator().check(floor, claims[:1], 0.1, start=(0, 0, 0), inputs=mixed),
    ):
        with pytest.raises(MemoryError, match="do not fit"):
            ask()


def test_claims_without_ticks_are_judged_without_inputs(floor):
    feet = np.zeros((2, 3))
    for inputs in (
        capsweep.Inputs([0, 0], walk=(0, 0, 0), dt=0.05),
        capsweep.Inputs([0, 0], walk=np.zeros((0, 3)), dt=0.05),
        capsweep.Inputs([0, 0], walk=[], dt=[], jump=[]),
    ):
        assert capsweep.Validator().check(floor, feet, 0.1, inputs=inputs).possible.all()
    none = capsweep.Inputs([], walk=(0, 0, 0), dt=0.05)
    assert len(capsweep.Validator().check(floor, np.zeros((0, 3)), 0.1, inputs=none)) == 0


def test_inputs_that_were_changed_do_not_reach_beyond_their_ticks(floor):
    inputs = capsweep.Inputs([2, 2], walk=np.zeros((4, 3)), dt=0.05)
    inputs.walk = np.zeros((1000, 3))
    with pytest.raises(InputError, match="walk has 1000 rows"):
        capsweep.Validator().check(floor, np.zeros((2, 3)), 0.1, inputs=inputs)


def test_a_step_that_fails_moves_no_character(floor):
    crowd = capsweep.Crowd(floor, [(0, 0, 0), (5, 0, 0)])
    crowd.tick()
    before = crowd.save()
    # Each number is in range, their product is not.
    with pytest.raises(InputError, match=r"walk\[1\]"):
        crowd.tick(walk=[(1, 0, 0), (1e9, 0, 0)], dt=10.0)
    assert crowd.save() == before
    assert crowd.contacts().columns and len(crowd.contacts()) == 0


def test_a_signal_handler_may_look_at_the_crowd(floor):
    crowd = capsweep.Crowd(floor, np.zeros((200_000, 3)), cache=False)
    seen = []
    old = signal.signal(signal.SIGALRM, lambda *_: seen.append(len(crowd.feet)))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        while not seen:
            crowd.tick(walk=(1, 0, 0))
    finally:
        signal.signal(signal.SIGALRM, old)
    assert seen == [200_000]


def test_a_signal_handler_may_look_at_the_crowd_while_an_error_is_raised(floor):
    """Also at chains: in another process, because a failure hangs."""
    program = textwrap.dedent("""
        import signal, numpy as np, capsweep
        scene = capsweep.Scene()
        scene.add_half_space((0, 0, 0), (0, 0, 1))
        crowd = capsweep.Crowd(scene, np.zeros((2, 3)))
        chains = capsweep.Validator().start(scene, np.zeros((2, 3)))
        original = capsweep._errors.InputError.__init__

        def look(self, *arguments):
            # What a handler would do that runs while the exception is made.
            assert len(crowd.feet) == 2 and len(chains.accepted) == 2
            original(self, *arguments)

        capsweep._errors.InputError.__init__ = look
        bad = (0, np.nan, 0)
        for change in (
            lambda: crowd.tick(walk=bad), lambda: crowd.move(bad), lambda: crowd.teleport(bad),
            lambda: crowd.set_velocity(bad), lambda: crowd.resize(-1.0), lambda: crowd.free(-1.0),
            lambda: crowd.load("[]"), lambda: chains.displace(bad), lambda: chains.resize(-1.0),
            lambda: chains.knock_back(bad), lambda: chains.change_speeds(bad),
        ):
            try:
                change()
            except capsweep.InputError:
                continue
            raise AssertionError("no error")
        print("done")
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.stdout == "done\n", done.stderr


def test_a_crowd_that_another_thread_changes_is_no_panic(floor):
    crowd = capsweep.Crowd(floor, np.zeros((100, 3)))
    chains = capsweep.Validator().start(floor, np.zeros((100, 3)))
    done, failures = threading.Event(), []

    def change():
        while not done.is_set():
            for members in (crowd, chains):
                scene = () if members is crowd else (floor,)
                try:
                    members.add(*scene, np.zeros((7, 3)))
                    members.remove(np.arange(5))
                except InputError:
                    pass
                except BaseException as error:  # a panic is no Exception
                    failures.append(error)

    thread = threading.Thread(target=change)
    thread.start()
    for _ in range(300):
        for ask in (
            lambda: crowd.tick(walk=np.zeros((len(crowd), 3))),
            lambda: crowd.teleport(np.zeros((len(crowd), 3))),
            lambda: crowd.remove([len(crowd) - 1]),
            lambda: crowd.resize(np.ones(len(crowd))),
            lambda: chains.check(floor, np.zeros((len(chains), 3)), 0.1),
            lambda: chains.displace(np.zeros((len(chains), 3))),
            lambda: chains.remove([len(chains) - 1]),
        ):
            try:
                ask()
            except InputError as error:
                assert str(error)
    done.set()
    thread.join()
    assert not failures


def test_characters_beyond_the_crowd_are_told_by_the_native_half(floor):
    crowd = capsweep.Crowd(floor, np.zeros((2, 3)))
    with pytest.raises(InputError, match=r"which\[1\] is 2"):
        crowd._core.teleport(np.array([0, 2]), np.zeros((1, 3)))
    with pytest.raises(InputError, match="which has 3 rows"):
        crowd._core.keep(np.ones(3, bool))


def test_ctrl_c_ends_a_long_log(floor):
    feet = np.zeros((400_000, 3))
    old = signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            while time.monotonic() < began + 20:
                capsweep.Validator().check(floor, feet, 0.1,
                                           character=np.arange(400_000) // 40_000)
        assert time.monotonic() < began + 5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_a_selection_in_another_order_keeps_rows_with_their_queries():
    scene = capsweep.Scene()
    scene.add_sphere([(0, 0, 0), (3, 0, 0)], 1.0)
    found = scene.sweep_all([(-3, 0, 0), (-3, 9, 0), (-3, 0.5, 0)], (0, 0, 1), radius=0.5,
                            motion=(10, 0, 0))
    mixed = found[::-1]
    for query in range(3):
        assert (mixed.of(query).query == query).all()
        assert sorted(mixed.of(query).time) == sorted(found.of(query).time)
    with pytest.raises(InputError, match="another order"):
        mixed.offsets
    for bad in (-1, 3):
        with pytest.raises(InputError, match=f"query is {bad}"):
            found.of(bad)


def test_tables_that_differ_in_empty_or_bad_queries_are_not_equal(floor):
    up, bad = [(0, 0, 9), (0, 0, 9)], [(0, 0, 9), (0, 0, np.nan)]
    ask = dict(radius=0.5, motion=(0, 0, 1), invalid="mark")
    two = floor.sweep_all(up, (0, 0, 10), **ask)
    assert two == floor.sweep_all(up, (0, 0, 10), **ask)
    assert two != floor.sweep_all(up[:1], (0, 0, 10), **ask)
    assert two != floor.sweep_all(bad, (0, 0, 10), **ask)


def test_empty_lists_are_no_rows(floor):
    crowd = capsweep.Crowd(floor, [(0, 0, 0)])
    before = crowd.save()
    crowd.remove([])
    crowd.teleport([(1, 0, 0)], [])
    crowd.teleport([], which=[])
    assert crowd.resize(1.0, []).tolist() == [] and crowd.save() == before
    assert len(capsweep.Crowd(floor, []).tick(jump=[])) == 0
    assert len(capsweep.Mesh([], [])) == 0
    floor.remove([])
    assert len(floor) == 1


def test_columns_of_pyarrow_of_any_type_are_read_or_told(floor):
    import pyarrow as pa

    crowd = capsweep.Crowd(floor, np.zeros((2, 3)))
    for _ in range(2):
        moves = crowd.tick(jump=pa.array([True, False]))
    assert moves.grounded.tolist() == [False, True]
    ask = dict(p0=(0, 0, 1), p1=(0, 0, 2), motion=(0, 0, -5))
    with pytest.raises(InputError, match=r"radius\[1\] is NaN"):
        floor.sweep(**ask, radius=pa.array([0.5, None]))
    for wrong in (pa.array(["a", "b"]), pa.array([True, None]), pa.nulls(2)):
        with pytest.raises(InputTypeError, match="radius"):
            floor.sweep(**ask, radius=wrong)
    chunks = pa.chunked_array([[0.5], [0.25]])
    assert floor.sweep(**ask, radius=chunks).distance.tolist() == [0.5, 0.75]


def test_a_trace_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "trace.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(capsweep.LoadError):
        capsweep.Trace.load(path)
    for wrong in (3, b"trace", "a\0b"):
        with pytest.raises(InputError, match="path"):
            capsweep.Trace.load(wrong)
        with pytest.raises(InputError, match="path"):
            capsweep.course().save(wrong)


def test_a_pickle_keeps_the_platform_and_tells_of_new_ids():
    course = capsweep.course()
    course.add_sphere((0, 0, 50), 1)
    again = pickle.loads(pickle.dumps(course))
    assert again.platform == course.platform
    np.testing.assert_array_equal(again.platform_ends, course.platform_ends)
    course.remove(course.bodies().body[0])
    with pytest.warns(UserWarning, match="new ids"):
        again = pickle.loads(pickle.dumps(course))
    assert again.body_name(again.platform) == "platform"


def test_the_mark_of_a_bad_row_is_not_lost_as_free(floor):
    rows = [(0, 0, -0.1), (0, 0, np.nan), (0, 0, 9)]
    ask = dict(height=1.8, radius=0.3, invalid="mark")
    for flags in (floor.overlaps(feet=rows, **ask),
                  floor.sweep_any(feet=rows, motion=(0, 0, -0.01), **ask)):
        assert flags.invalid.tolist() == [False, True, False]
        assert flags.hit.tolist() == [True, False, False]


def test_errors_of_tables_of_integers_name_their_row(floor):
    with pytest.raises(InputError, match=r"triangles\[1, 2\] is -1") as told:
        capsweep.Mesh(np.zeros((3, 3)), [[0, 1, 2], [0, 1, -1]])
    assert told.value.index == 1
    with pytest.raises(InputError, match=r"heights\[1, 2\] is inf") as told:
        floor.add_height_field([[0, 0, 0], [0, 0, np.inf]])
    assert told.value.index == 1


def test_threads_that_change_one_large_scene_do_not_wait_for_each_other():
    scene = capsweep.Scene()
    rows = np.random.default_rng(1).uniform(0, 1000, (40_000, 3))
    scene.add_box(rows, (0.1, 0.1, 0.1), dynamic=True)

    def change(first):
        for number in range(first, first + 3):
            body = scene.add_box((number, 0, 0), (0.1, 0.1, 0.1), dynamic=True)
            scene.move_box(body, (number, 1, 0), (0.1, 0.1, 0.1))

    threads = [threading.Thread(target=change, args=(100 * index,), daemon=True)
               for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)
    assert len(scene) == 40_012


def test_threads_that_add_liquids_lose_none():
    scene = capsweep.Scene()

    def add(first):
        for number in range(first, first + 20):
            scene.add_liquid([[1, 1], [1, 1]], origin=(number, 0))

    threads = [threading.Thread(target=add, args=(20 * index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    xs = np.arange(80) + 0.5
    points = np.stack([xs, np.full(80, 0.5), np.zeros(80)], axis=1)
    assert scene.liquid(points).wet.all()


@pytest.mark.parametrize("within", [np.nan, np.inf, -1.0, 1e9])
def test_the_search_for_a_free_place_is_bounded(floor, within):
    crowd = capsweep.Crowd(floor, [(0, 0, -5)])
    with pytest.raises(InputError, match="within"):
        crowd.free(within)


def test_flags_with_other_bytes_than_0_and_1_are_true(floor):
    odd = np.frombuffer(b"\x02\x00", bool)
    crowd = capsweep.Crowd(floor, np.zeros((2, 3)))
    for _ in range(2):
        moves = crowd.tick(jump=odd)
    assert moves.grounded.tolist() == [False, True]


def test_abilities_of_each_character_need_a_row_each(floor):
    crowd = capsweep.Crowd(floor, np.zeros((3, 3)))
    with pytest.raises(InputError, match="rows"):
        crowd.tick(abilities=capsweep.Abilities(hover=[0.1, 0.2]))
    for _ in range(60):
        moves = crowd.tick(walk=(1, 0, 0),
                           abilities=capsweep.Abilities(rooted=[False, True, False]))
    assert (moves.feet[:, 0] > 0.5).tolist() == [True, False, True]


def test_codes_out_of_range_are_told(floor):
    validator = capsweep.Validator()
    with pytest.raises(InputError, match=r"mode\[1\] is 17"):
        validator.check(floor, np.zeros((2, 3)), dt=0.1, mode=[0, 17])
    crowd = capsweep.Crowd(floor, np.zeros((2, 3)))
    with pytest.raises(InputError, match=r"aboard\[1\] is 0"):
        crowd.tick(aboard=[-1, 0])
    with pytest.raises(InputError, match="max_push"):
        crowd.separate(-1.0)


def test_masked_values_are_told(floor):
    masked = np.ma.masked_array([[0.0, 0, 1], [0, 0, 2]], mask=[[0, 0, 0], [1, 0, 0]])
    with pytest.raises(InputError, match="masked"):
        floor.ray(masked, (0, 0, -1))
    assert floor.ray(np.ma.masked_array([0.0, 0, 1]), (0, 0, -2)).hit.all()


def test_wrong_types_of_arguments_are_told(floor):
    crowd = capsweep.Crowd(floor, [(0, 0, 0)])
    for wrong in (
        lambda: capsweep.Crowd(floor, [(0, 0, 0)], config="human"),
        lambda: capsweep.Validator(validation={}),
        lambda: crowd.tick(carriers=["lift"]),
        lambda: crowd.tick(carriers=3),
        lambda: crowd.tick(trace=[]),
        lambda: capsweep.Validator().start(floor, [(0, 0, 0)]).set_abilities({"fly": True}),
        lambda: capsweep.steer(0.0, speeds=5.0),
    ):
        with pytest.raises(InputTypeError):
            wrong()


def test_events_with_bad_numbers_change_no_chain(floor):
    chains = capsweep.Validator().start(floor, [(0, 0, 0)])
    before = chains._core.states()
    for bad in (np.nan, np.inf, -1.0):
        for change in (
            lambda: chains.knock_back((1, 0, 0), window=bad),
            lambda: chains.change_speeds((5, 5, 5), window=bad),
            lambda: chains.set_abilities(capsweep.Abilities(hover=bad)),
            lambda: chains.resize(bad),
        ):
            with pytest.raises(InputError):
                change()
    assert chains._core.states() == before


def test_a_stored_chain_with_a_bad_number_is_refused(floor):
    chains = capsweep.Validator().start(floor, [(0.5, 0, 0)])
    states = chains._core.states().replace("[0.5,", "[1e300,")
    with pytest.raises(InputError, match=r"states\[0\]"):
        chains.validator._core.restore(states)


def test_an_error_of_a_start_names_the_row_of_the_log(floor):
    feet = np.zeros((5, 3))
    feet[3, 1] = np.nan
    with pytest.raises(InputError) as caught:
        capsweep.Validator().check(floor, feet, dt=0.1, character=["a", "a", "b", "c", "b"])
    assert (caught.value.argument, caught.value.index) == ("feet", 3)
    assert str(caught.value).startswith("feet[3].y")


def test_a_scene_without_bounds_counts_bodies_that_were_added(floor):
    assert len(floor) == 1 and floor.bounds is None
    floor.add_box((0, 0, 5), (1, 1, 1))
    assert len(floor) == 2 and floor.bounds.tolist() == [[-1, -1, 4], [1, 1, 6]]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_pools_of_many_sizes_do_not_stay_for_ever(floor):
    def running():
        return len(list(Path("/proc/self/task").iterdir()))

    before = running()
    for threads in range(2, 40):
        floor.ray(np.zeros((3, 3)), (0, 0, -1), threads=threads)
    end = time.monotonic() + 30
    # Of 779 threads, the last four pools have 150.
    while running() - before > 4 * 40 and time.monotonic() < end:
        time.sleep(0.05)
    assert running() - before <= 4 * 40


def test_the_variable_of_threads_is_read_once():
    program = ("import os, capsweep; before = capsweep.get_threads();"
               "os.environ['CAPSWEEP_THREADS'] = '5'; print(before, capsweep.get_threads())")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          check=True, env={**os.environ, "CAPSWEEP_THREADS": "3"})
    assert done.stdout == "3 3\n"


@pytest.mark.parametrize("bits", [1300, 20_000])
def test_enormous_numbers_of_threads_are_told(floor, bits):
    threads = 1 << bits
    for call in (lambda: floor.ray((0, 0, 1), (0, 0, -2), threads=threads),
                 lambda: floor.ray((0, 0, 1), (0, 0, -2), threads=-threads),
                 lambda: capsweep.set_threads(threads)):
        with pytest.raises(InputError, match="threads is an integer of") as told:
            call()
        assert told.value.argument == "threads" and np.isinf(told.value.value)


def test_integers_beyond_64_bits_name_their_row_and_value(floor):
    ray = dict(origin=(0, 0, 1), motion=(0, 0, -2))
    with pytest.raises(InputError, match=rf"mask\[1\] is {2**70}") as told:
        floor.ray(**ray, mask=[1, 2**70])
    assert (told.value.argument, told.value.index) == ("mask", 1)
    assert told.value.value == float(2**70)
    with pytest.raises(InputError, match="mask is an integer of 16610 bits"):
        floor.ray(**ray, mask=10**5000)
    with pytest.raises(InputTypeError, match="dtype object"):
        floor.ray(**ray, mask=np.array([1, 2], object))


def test_a_name_that_no_file_can_have_is_told():
    for call in (capsweep.open, capsweep.verify, capsweep.course().save):
        with pytest.raises(InputError, match="path is") as told:
            call("\ud800.obj")
        assert told.value.argument == "path"


@pytest.mark.parametrize("field, value, text", [
    ("radius", "x", "dtype <U1"), ("radius", True, "dtype bool"), ("radius", 1e300, "1e[+]300"),
    ("perch_limit", "x", "dtype <U1"), ("max_iterations", True, "dtype bool"),
    ("max_iterations", 300, "300"), ("max_iterations", 1 << 1300, "bits"),
    ("max_iterations", 4.0, "dtype float64"), ("footing", "feet", "'capsule', 'point'"),
    ("ceiling", None, "None"),
])
def test_bad_fields_of_configurations_are_named(field, value, text):
    with pytest.raises(InputError, match=text) as told:
        capsweep.ControllerConfig.human(**{field: value})
    assert told.value.argument == field and str(told.value).startswith(f"{field} ")


def test_fields_of_configurations_have_their_types(floor):
    config = capsweep.ControllerConfig.human(max_iterations=np.int64(4), footing="Point")
    assert len(capsweep.Crowd(floor, [(0, 0, 0)], config=config).tick()) == 1
    with pytest.raises(InputTypeError, match="allowances is int"):
        capsweep.Validator(validation=capsweep.ValidatorConfig(allowances=3))
    chains = capsweep.Validator().start(floor, [(0, 0, 0)])
    for wrong in (1, None, [True]):
        with pytest.raises(InputTypeError, match="fly is"):
            chains.set_abilities(capsweep.Abilities(fly=wrong))
    chains.set_abilities(capsweep.Abilities(fly=np.True_, hover=0.5))


def test_the_corners_of_a_box_have_the_names_of_the_arguments(floor):
    for call in (floor.triangles, floor.bodies_in):
        for low, high, argument in (
            ((np.nan, 0, 0), (1, 1, 1), "low"), ((0, 0, 0), (1, 1e300, 1), "high"),
            ((0, 2, 0), (1, 1, 1), "low"),
        ):
            with pytest.raises(InputError) as told:
                call(low, high)
            assert told.value.argument == argument
            assert str(told.value).startswith(f"{argument}.")


def test_a_tick_too_long_is_no_bad_walk(floor):
    falling = capsweep.Crowd(floor, [(0, 0, 50)])
    with pytest.raises(InputError, match="walk and dt are too large together: motion.z"):
        falling.tick(dt=1e9)
    crowd = capsweep.Crowd(floor, np.zeros((2, 3)))
    crowd.tick()
    with pytest.raises(InputError, match=r"walk\[1\] and dt are too large") as told:
        crowd.tick(walk=[(0, 0, 0), (1e9, 0, 0)], dt=10.0)
    assert (told.value.argument, told.value.index) == ("walk", 1)


@pytest.mark.parametrize("names", [
    [1.0, np.nan, np.nan], np.array(["a", np.nan, "b"], object),
    np.array(["2026", "NaT", "NaT"], "M8[D]"),
])
def test_rows_without_a_character_are_not_one_character(floor, names):
    with pytest.raises(InputError, match=r"character\[1\]") as told:
        capsweep.Validator().check(floor, np.zeros((3, 3)), 0.1, character=names)
    assert (told.value.argument, told.value.index) == ("character", 1)


def test_pictures_of_odd_regions_and_walks():
    plt = pytest.importorskip("matplotlib.pyplot")
    scene = capsweep.course()
    try:
        for bounds in ([[0, 0, 0], [1000, 0.5, 3]], [[0, 0, 0], [0.5, 1000, 3]]):
            assert scene.plot("plan", bounds=bounds, pixels=32).axes
        gap = [(0, 0, 0), (np.nan,) * 3, (1, 0, 0)]
        for walks in (np.zeros((0, 3)), np.zeros((0, 2, 3)), [gap], np.full((3, 3), np.nan)):
            assert scene.plot("section", walks=walks, pixels=32).axes
        assert scene.plot("section", points=np.full((3, 3), np.nan), pixels=32).axes
        for bad in (dict(bounds=[[-1e9] * 3, [1e9] * 3]), dict(scene=3)):
            with pytest.raises(InputError):
                capsweep.plot(**{"scene": scene, **bad})
    finally:
        plt.close("all")


def test_a_notebook_shows_scenes_that_are_hard_to_draw():
    line = capsweep.Scene()
    line.add_mesh([[0, 0, 0], [0, 0, 1], [0, 0, 2]], [[0, 1, 2]])
    assert line._repr_png_().startswith(b"\x89PNG")
    far = capsweep.Scene()
    far.add_box([(0, 0, 0), (1e9 - 1, 0, 0)], (1, 1, 1))
    assert far._repr_png_() is None and "<table>" in far._repr_html_()
    with pytest.raises(InputError, match="bounds"):
        far.plot()


def test_the_variable_of_threads_has_the_limit_of_calls():
    done = subprocess.run([sys.executable, "-c", "import capsweep; print(capsweep.get_threads())"],
                          capture_output=True, text=True, check=True,
                          env={**os.environ, "CAPSWEEP_THREADS": "99999999"})
    assert done.stdout == "1024\n"
