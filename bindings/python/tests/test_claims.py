"""Validation: inputs, moved bodies, members; steering."""

import pickle

import numpy as np
import pytest

import capsweep
from capsweep import InputError, Inputs, Mode, Reason, Speeds


@pytest.fixture
def floor():
    scene = capsweep.Scene()
    scene.add_half_space((0, 0, 0), (0, 0, 1))
    return scene


def walked(scene, ticks, dt, walk):
    """Positions after each of the ticks."""
    crowd = capsweep.Crowd(scene, [(0, 0, 0)])
    # A character that was just made falls. Chains start on the ground.
    crowd.tick()
    return np.concatenate([crowd.tick(walk=walk, dt=dt).feet for _ in range(ticks)])


def test_inputs_are_replayed(floor):
    feet = walked(floor, 20, 0.05, (3, 1, 0))
    claims = feet[[1, 5, 9, 19]]
    times = np.array([2, 4, 4, 10]) * 0.05
    inputs = Inputs([2, 4, 4, 10], walk=(3, 1, 0), dt=0.05)
    start = [(0, 0, 0)]
    validator = capsweep.Validator()
    replayed = validator.check(floor, claims, dt=times, start=start, inputs=inputs)
    plain = validator.check(floor, claims, dt=times, start=start)
    assert replayed.possible.all() and plain.possible.all()
    # A replay that ends at the claim costs no search.
    assert (replayed.queries != plain.queries).any()
    # Inputs of a false claim do not help it.
    far = claims + [[0, 0, 0], [0, 0, 0], [9, 0, 0], [9, 0, 0]]
    forged = validator.check(floor, far, dt=times, start=start, inputs=inputs, put_back=False)
    assert forged.possible.tolist() == [True, True, False, True]


def test_inputs_follow_the_rows_of_their_character(floor):
    one, two = walked(floor, 4, 0.05, (3, 0, 0)), walked(floor, 4, 0.05, (0, -3, 0))
    feet = np.array([one[1], two[0], one[3], two[3]])
    count = [2, 1, 2, 3]
    walk = [(3, 0, 0)] * 2 + [(0, -3, 0)] + [(3, 0, 0)] * 2 + [(0, -3, 0)] * 3
    arguments = dict(dt=np.array(count) * 0.05, character=["a", "b", "a", "b"],
                     start=np.zeros((2, 3)))
    validator = capsweep.Validator()
    mixed = validator.check(floor, feet, inputs=Inputs(count, walk=walk, dt=0.05), **arguments)
    assert mixed.possible.all()
    for rows, ticks in (([0, 2], [0, 1, 3, 4]), ([1, 3], [2, 5, 6, 7])):
        alone = validator.check(
            floor, feet[rows], dt=arguments["dt"][rows], start=[(0, 0, 0)],
            inputs=Inputs(np.array(count)[rows], walk=np.array(walk)[ticks], dt=0.05),
        )
        assert (alone.queries == mixed.queries[rows]).all()


def test_wrong_inputs_are_told(floor):
    with pytest.raises(InputError, match="walk has 2 rows"):
        Inputs([1, 2], walk=np.zeros((2, 3)), dt=0.1)
    with pytest.raises(InputError, match=r"count\[1\] is -1"):
        Inputs([1, -1], walk=(0, 0, 0), dt=0.1)
    with pytest.raises(InputError, match="inputs has 2 claims"):
        capsweep.Validator().check(floor, np.zeros((3, 3)), dt=0.1,
                                   inputs=Inputs([1, 1], walk=(0, 0, 0), dt=0.1))
    bad = Inputs([1], walk=(np.nan, 0, 0), dt=0.1)
    verdict = capsweep.Validator().check(floor, [(0, 0, 0)], dt=0.1, start=[(0, 0, 0)], inputs=bad)
    assert verdict.reason.tolist() == [Reason.INVALID_NUMBER]


def test_a_lift_carries_what_stands_on_it():
    scene = capsweep.Scene()
    corners = [(-3, -3, 0), (3, -3, 0), (3, 3, 0), (-3, 3, 0)]
    lift = scene.add_mesh(corners, [[0, 1, 2], [0, 2, 3]], dynamic=True)
    chains = capsweep.Validator().start(scene, [(0, 0, 0), (1, 0, 0)])
    scene.move_mesh(lift, position=(0, 0, 0.5))
    moved = [capsweep.Carrier(lift, (0, 0, 0), (0, 0, 0.5))]
    again = pickle.loads(pickle.dumps(chains))
    raised = chains.check(scene, [(0, 0, 0.5), (1, 0, 0.5)], dt=0.5, moved=moved)
    assert raised.possible.all()
    alone = again.check(scene, [(0, 0, 3.0), (1, 0, 3.0)], dt=0.5, moved=moved)
    assert alone.impossible.all()
    with pytest.raises(InputError, match=r"moved\[0\], next pose"):
        again.check(scene, np.zeros((2, 3)), dt=0.1,
                    moved=[capsweep.Carrier(lift, (0, 0, 0), (0, 0, np.nan))])


def test_chains_come_and_go(floor):
    chains = capsweep.Validator().start(floor, [(0, 0, 0), (5, 0, 0)])
    assert chains.add(floor, [(9, 0, 0)], speeds=(1, 1, 1)).tolist() == [2]
    verdicts = chains.check(floor, [(9.4, 0, 0), (0.4, 0, 0)], dt=0.1, which=[2, 0])
    assert verdicts.possible.tolist() == [False, True]
    assert chains.accepted.feet[:, 0].tolist() == [0.4, 5.0, 9.0]
    chains.remove(0)
    assert len(chains) == 2 and chains.accepted.feet[:, 0].tolist() == [5.0, 9.0]
    with pytest.raises(InputError, match="twice"):
        chains.check(floor, np.zeros((2, 3)), dt=0.1, which=[1, 1])


def test_a_crouching_character_passes_below_a_beam(floor):
    floor.add_box((2, 0, 2), (1, 5, 0.7))
    chains = capsweep.Validator().start(floor, [(0, 0, 0), (0, 1, 0)])
    chains.resize(1.0, which=[0])
    claims = np.array([(0.0, 0, 0), (0, 1, 0)])
    possible = np.ones(2, bool)
    for _ in range(20):
        claims[:, 0] += 0.2
        possible &= chains.check(floor, claims, dt=0.05).possible
    assert possible.tolist() == [True, False]


def test_crowds_come_and_go(floor):
    crowd = capsweep.Crowd(floor, [(0, 0, 0), (1, 0, 0), (2, 0, 0)])
    crowd.tick(walk=(1, 0, 0))
    crowd.remove([1])
    crowd.add([(7, 0, 0)])
    assert crowd.feet[:, 0].round(1).tolist() == [0.0, 2.0, 7.0]
    crowd.remove(np.array([True, False, False]))
    assert len(crowd) == 2


def test_steering_has_the_numbers_of_the_library():
    speeds = Speeds.wow()
    facing = np.array([0.0, np.pi / 2, np.pi])
    assert capsweep.steer(facing, speeds=speeds).round(6).tolist() == [
        [7, 0, 0], [0, 7, 0], [-7, 0, 0]
    ]
    back = capsweep.steer(0.0, speeds=speeds, forward=-1, strafe=[0, 1])
    assert np.linalg.norm(back, axis=1).round(9).tolist() == [4.5, 4.5]
    modes = capsweep.steer(0.0, speeds=speeds, pitch=np.pi / 2, mode=[Mode.WALK, Mode.SWIM])
    assert modes.round(6).tolist() == [[7, 0, 0], [0, 0, 4.722222]]
    assert capsweep.SpeedLimits.of(speeds) == capsweep.SpeedLimits.wow()
    with pytest.raises(InputError, match=r"facing\[1\] is NaN"):
        capsweep.steer([0, np.nan], speeds=speeds)
    with pytest.raises(InputError, match="mode is -1"):
        capsweep.steer(0.0, speeds=speeds, mode=Mode.NONE)
