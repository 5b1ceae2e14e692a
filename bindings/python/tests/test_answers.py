"""Answers whose columns are made when they are read."""

import copy
import pickle
import threading

import numpy as np
import pytest

import capsweep

# Above this number of rows, columns are copied by several threads.
MANY = 5000


def crowds(course, count, *, twins=2):
    """Equal crowds, with a walk of their own for each character."""
    rng = np.random.default_rng(11)
    feet = rng.uniform((0, -2.5, 0.2), (30, 2.5, 1), (count, 3))
    ways = rng.uniform(-3, 3, (count, 3)) * [1, 1, 0]
    return [capsweep.Crowd(course, feet) for _ in range(twins)], ways


@pytest.mark.parametrize("count", [0, 1, 70, MANY])
@pytest.mark.parametrize("threads", [1, 3])
def test_columns_read_alone_have_the_bits_of_columns_read_together(course, count, threads):
    (one, two), ways = crowds(course, count)
    for _ in range(3):
        alone = one.tick(walk=ways, threads=threads)
        together = two.tick(walk=ways).to_dict()
        assert len(alone) == count and alone.columns == tuple(together)
        for name in reversed(alone.columns):
            column = getattr(alone, name)
            assert column.dtype == together[name].dtype and column.shape == together[name].shape
            assert column.tobytes() == together[name].tobytes(), name


def test_an_answer_that_is_read_late_is_that_of_its_step(course):
    (late, early), ways = crowds(course, 300)
    kept, read = [], []
    for number in range(6):
        kept.append(late.tick(walk=ways) if number % 2 else late.move(ways / 60))
        read.append((early.tick(walk=ways) if number % 2 else early.move(ways / 60)).to_dict())
        for crowd in (late, early):
            crowd.teleport((number, 0, 1), [0, 5])
            crowd.set_velocity((0, 0, 1), [7])
            crowd.resize(1.2, [8])
    states, now = late.states, early.states.to_dict()
    late.remove(np.arange(200))
    late.load(late.save())
    with pytest.raises(capsweep.InputError):
        late.tick(walk=(np.nan, 0, 0))
    for answer, columns in zip([*kept, states], [*read, now]):
        for name, column in columns.items():
            assert answer[name].tobytes() == column.tobytes(), name


def test_a_column_is_one_array_wherever_it_is_read(course):
    moves = crowds(course, 20)[0][0].tick()
    feet = moves.feet
    assert feet is moves.feet and feet is moves["feet"] and feet is moves.to_dict()["feet"]
    feet[:] = 7
    assert (moves[3:5].feet == 7).all() and (moves.to_pandas()["feet_x"] == 7).all()
    assert not (moves.achieved == 7).any()


def test_all_columns_are_made_once_and_the_rows_are_freed(course):
    moves = crowds(course, 20)[0][0].tick()
    moves.to_dict()
    assert moves._columns._rows is None
    assert moves.grounded is moves.to_dict()["grounded"] and len(moves) == 20


def test_answers_pickle_and_copy_whatever_was_read(course):
    (one, two), ways = crowds(course, 50)
    for read in ((), ("feet",), ("feet", "queries"), one.tick().columns):
        two.load(one.save())
        moves, whole = one.tick(walk=ways), two.tick(walk=ways)
        for name in read:
            getattr(moves, name)
        for again in (pickle.loads(pickle.dumps(moves)), copy.copy(moves), copy.deepcopy(moves)):
            assert again == whole and again.columns == whole.columns
            assert again.feet.tobytes() == whole.feet.tobytes()
        assert moves == whole


def test_a_row_or_a_selection_of_an_unread_answer(course):
    (one, two, three), ways = crowds(course, 40, twins=3)
    whole = one.tick(walk=ways)
    whole.to_dict()
    row = two.tick(walk=ways)[3]
    assert row.feet.tobytes() == whole.feet[3].tobytes() and row.queries == whole.queries[3]
    unread = three.tick(walk=ways)
    assert "40 rows" in repr(unread) and "ground_body" in dir(unread)
    assert unread[5:9] == whole[5:9] and unread[whole.grounded] == whole[whole.grounded]
    assert "<th>queries</th>" in unread._repr_html_()


def test_what_is_no_column_is_told(course):
    moves = crowds(course, 2)[0][0].tick()
    with pytest.raises(AttributeError, match="'Moves' object has no attribute 'foot'"):
        moves.foot  # noqa: B018
    with pytest.raises(KeyError):
        moves["foot"]
    assert not hasattr(moves, "_missing")


def test_threads_that_read_one_answer_get_the_same_arrays(course):
    crowd, ways = crowds(course, MANY)[0][0], 0.5
    for _ in range(5):
        moves, found = crowd.tick(walk=(ways, 0, 0)), []
        start = threading.Barrier(4)

        def read(whole):
            start.wait()
            found.append(moves.to_dict() if whole else {n: moves[n] for n in moves.columns})

        threads = [threading.Thread(target=read, args=(number % 2,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 4
        assert all(one[name] is found[0][name] for one in found for name in moves.columns)


@pytest.mark.parametrize("key", [None, True, np.array(1) > 0, np.zeros((2, 2), int)])
def test_a_key_that_selects_no_list_of_rows_is_told(course, key):
    with pytest.raises(capsweep.InputError, match="select"):
        crowds(course, 4)[0][0].tick()[key]


def test_an_array_of_one_integer_selects_one_row(course):
    moves = crowds(course, 4)[0][0].tick()
    assert moves[np.array(2)].feet.tobytes() == moves.feet[2].tobytes()
