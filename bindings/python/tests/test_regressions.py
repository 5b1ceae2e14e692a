"""Bugs that were found once. The names say what went wrong."""

import signal
import threading

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


def test_a_step_that_fails_moves_no_character(floor):
    crowd = capsweep.Crowd(floor, [(0, 0, 0), (5, 0, 0)])
    before = crowd.save()
    # Each number is in range, their product is not.
    with pytest.raises(InputError):
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


def test_a_map_scene_counts_bodies_that_were_added(tmp_path, floor):
    assert len(floor) == 1 and floor.bounds is None
    floor.add_box((0, 0, 5), (1, 1, 1))
    assert len(floor) == 2 and floor.bounds.tolist() == [[-1, -1, 4], [1, 1, 6]]
