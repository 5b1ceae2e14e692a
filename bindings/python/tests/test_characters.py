"""Crowds, validation and traces."""

import pickle

import numpy as np
import pytest

import capsweep
from capsweep import Carrier, Crowd, Mode, Reason, Trace, Validator
from conftest import cargo

DT = 1 / 60


def walk(crowd, velocity, seconds, **more):
    """Walks and returns the feet after every tick."""
    steps = [crowd.tick(walk=velocity, dt=DT, **more).feet for _ in range(round(seconds / DT))]
    return np.array(steps)


def test_a_crowd_is_the_same_as_its_characters_alone(course):
    rng = np.random.default_rng(3)
    starts = np.stack([rng.uniform(0, 30, 64), rng.uniform(-2.5, 1, 64), np.full(64, 0.5)], axis=1)
    ways = rng.uniform(-3, 3, (64, 3)) * [1, 1, 0]
    together = Crowd(course, starts)
    walk(together, ways, 1)
    for index in range(0, 64, 9):
        alone = Crowd(course, starts[index], cache=False)
        walk(alone, ways[index], 1, threads=1)
        assert alone.feet.tobytes() == together.feet[index : index + 1].tobytes()


def test_characters_walk_fall_jump_and_stop_at_walls(course):
    crowd = Crowd(course, [(0, 0, 0), (0, 0, 2), (9.6, -2, 0)])
    moves = crowd.tick()
    assert moves.mode[1] == Mode.FALL
    walk(crowd, (0, 0, 0), 1.5)
    assert crowd.grounded.all() and (crowd.mode == Mode.WALK).all()
    moves = crowd.tick(jump=[True, False, False])
    assert moves.mode.tolist() == [Mode.FALL, Mode.WALK, Mode.WALK]
    assert crowd.velocity[0, 2] > 2
    walk(crowd, [(0, 0, 0), (0, 0, 0), (-2, 0, 0)], 1)
    contacts = crowd.contacts()
    assert crowd.feet[2, 0] > 9.1, "the doorway's wall"
    assert course.body_name(contacts[contacts.character == 2].body[-1]) in ("doorway", "floor")


def test_a_stair_is_climbed(course):
    crowd = Crowd(course, (9.6, 0, 0))
    steps = walk(crowd, (2, 0, 0), 2)
    assert crowd.feet[0, 2] > 1 and (np.diff(steps[:, 0, 2]) < 0.25).all()


def test_move_is_the_controller_alone(course):
    crowd = Crowd(course, (0, 0, 1))
    moves = crowd.move((0.5, 0, 0))
    np.testing.assert_allclose(crowd.feet, [[0.5, 0, 1]])
    assert not moves.grounded[0] and moves.queries[0] > 0
    crowd.move((0, 0, -5))
    assert crowd.grounded[0]
    crowd.move((0, 0, 2), fly=True)
    assert crowd.feet[0, 2] == pytest.approx(2)


def test_platforms_carry_those_who_stand_on_them(course):
    begin, end = course.platform_ends
    crowd = Crowd(course, [begin, (0, 0, 0)])
    walk(crowd, (0, 0, 0), 0.5)
    start, place = crowd.feet, begin
    for step in range(60):
        following = begin + (end - begin) * (step + 1) / 60
        course.move_mesh(course.platform, position=following)
        moves = crowd.tick(dt=DT, carriers=(Carrier(course.platform, place, following),))
        place = following
    np.testing.assert_allclose(crowd.feet[0] - start[0], end - begin, atol=1e-6)
    assert crowd.feet[1, 0] == start[1, 0]
    assert moves.ground_body[0] == course.platform


def test_water_floats_and_flight_flies(floor):
    crowd = Crowd(floor, [(0, 0, 0)])
    walk(crowd, (0, 0, 0), 0.5, water=5.0)
    assert crowd.mode[0] == Mode.SWIM
    walk(crowd, (0, 0, 0), 0.2, water=capsweep.NO_WATER)
    assert crowd.mode[0] != Mode.SWIM
    walk(crowd, (0, 0, 2), 0.5, abilities=capsweep.Abilities(fly=True))
    assert crowd.mode[0] == Mode.FLY and crowd.feet[0, 2] > 0.5


def test_knock_back_throws_those_with_a_row(floor):
    crowd = Crowd(floor, [(0, 0, 0), (5, 0, 0)])
    walk(crowd, (0, 0, 0), 0.2)
    crowd.tick(knock_back=[(0, 0, 5), (np.nan, np.nan, np.nan)])
    assert crowd.velocity[0, 2] > 4 and crowd.grounded.tolist() == [False, True]


def test_states_roll_back_and_pickle(course):
    crowd = Crowd(course, [(0, 0, 0), (3, 0, 0.3)])
    walk(crowd, (1, 0.5, 0), 0.3)
    saved = crowd.save()
    later = walk(crowd, (1, 0, 0), 0.5)
    crowd.load(saved)
    assert walk(crowd, (1, 0, 0), 0.5).tobytes() == later.tobytes()
    crowd.load(saved)
    again = pickle.loads(pickle.dumps(crowd))
    assert walk(again, (1, 0, 0), 0.5).tobytes() == later.tobytes()
    assert walk(crowd.copy(), (1, 0, 0), 0.5).tobytes() == later.tobytes()
    with pytest.raises(capsweep.InputError):
        crowd.load("[]")
    with pytest.raises(capsweep.InputError):
        crowd.load("nonsense")


def test_teleport_resize_free_and_separate(floor):
    crowd = Crowd(floor, [(0, 0, 0), (0.1, 0, 0), (9, 0, 0)])
    crowd.teleport((20, 0, 0), [False, False, True])
    assert crowd.feet[2, 0] == 20
    pushes = crowd.separate(1.0)
    assert pushes[0, 0] < 0 < pushes[1, 0] and not pushes[2].any()
    floor.add_box((0, 0, 2.5), (3, 3, 0.5))
    assert crowd.resize(1.0).all()
    assert crowd.resize(3.0).tolist() == [False, False, True]
    np.testing.assert_allclose(crowd.states.height, [1, 1, 3])
    crowd.teleport((0, 0, -3))
    assert crowd.free(6.0).all()
    assert not floor.overlaps(feet=crowd.feet, height=1.0, radius=0.3).any()
    crowd.set_velocity((1, 0, 0), [0])
    assert crowd.velocity[0, 0] == 1


def test_a_refused_tick_moves_nobody(course):
    crowd = Crowd(course, [(0, 0, 0), (2, 0, 0)])
    before = crowd.save()
    with pytest.raises(capsweep.InputError, match=r"walk\[1\].x is NaN"):
        crowd.tick(walk=[(1, 0, 0), (np.nan, 0, 0)])
    assert crowd.save() == before


def test_an_empty_crowd(course):
    crowd = Crowd(course, np.zeros((0, 3)))
    assert len(crowd.tick()) == 0 == len(crowd.contacts()) == len(crowd.separate())


def test_presets_are_those_of_the_library():
    human, physx, wow = (getattr(capsweep.ControllerConfig, name)() for name in
                         ("human", "physx", "wow"))
    assert (human.radius, physx.contact_offset, wow.step_offset) == (0.3, 0.1, 1.0)
    assert human.slope_degrees == pytest.approx(50, abs=0.02)
    assert capsweep.ControllerConfig.human(slope_degrees=50).slope_limit == human.slope_limit
    assert wow.footing == "point" and human.replace(footing="point").to_json()


def honest_log(course, characters=6, seconds=2):
    """Claims that crowds really made, ten a second."""
    starts = [(x, -0.5, 0) for x in range(characters)]
    crowd = Crowd(course, starts)
    walk(crowd, (0, 0, 0), 0.2)
    rng = np.random.default_rng(5)
    ways = rng.uniform(-2, 2, (characters, 3)) * [1, 1, 0]
    log = [crowd.feet]
    for _ in range(seconds * 10):
        log.append(walk(crowd, ways, 0.1)[-1])
    return np.array(log)


def test_honest_logs_are_possible_and_forged_ones_are_not(course):
    log = honest_log(course)
    times, characters = log.shape[:2]
    feet = log.reshape(-1, 3)
    names = np.tile([f"bot{i}" for i in range(characters)], times)
    validator = Validator()
    verdicts = validator.check(course, feet, dt=0.1, character=names)
    assert verdicts.possible.all(), verdicts[~verdicts.possible].reason
    forged = feet.copy()
    forged[10 * characters + 2] += (0, 0, 4)
    verdicts = validator.check(course, forged, dt=0.1, character=names)
    assert np.nonzero(~verdicts.possible)[0].tolist() == [10 * characters + 2]
    bad = verdicts[10 * characters + 2]
    assert bad.reason in (Reason.TOO_HIGH, Reason.TOO_FAST, Reason.HOVERING)
    np.testing.assert_array_equal(bad.accepted, feet[9 * characters + 2])
    # The order of the rows of different characters is nobody's business.
    order = np.argsort(names, kind="stable")
    sorted_verdicts = validator.check(course, forged[order], dt=0.1, character=names[order])
    assert sorted_verdicts == verdicts[order]
    assert validator.check(course, forged, dt=0.1, character=names, threads=1) == verdicts


def test_chains_claim_by_claim_are_the_same_as_a_log(course):
    log = honest_log(course)
    log[12, 3] += (3, 0, 0)
    validator = Validator()
    chains = validator.start(course, log[0])
    at_once = validator.check(
        course, log[1:].reshape(-1, 3), dt=0.1, start=log[0],
        character=np.tile(np.arange(6), len(log) - 1),
    )
    found = []
    for claims in log[1:]:
        chains = pickle.loads(pickle.dumps(chains))
        found.append(chains.check(course, claims, dt=0.1))
    for name in at_once.columns:
        together = np.concatenate([one[name] for one in found])
        assert together.tobytes() == at_once[name].tobytes(), name
    assert at_once.impossible.any() and len(chains.accepted) == 6


def test_put_back_or_go_on(floor):
    feet = [(0, 0, 0), (50, 0, 0), (50.3, 0, 0)]
    back = Validator().check(floor, feet, dt=0.1)
    assert back.possible.tolist() == [True, False, False]
    on = Validator().check(floor, feet, dt=0.1, put_back=False)
    assert on.possible.tolist() == [True, False, True]


def test_bad_numbers_of_claims_are_verdicts(floor):
    feet = [(0, 0, 0), (np.nan, 0, 0), (0.1, 0, 0)]
    verdicts = Validator().check(floor, feet, dt=0.1)
    assert verdicts.reason.tolist() == [-1, Reason.INVALID_NUMBER, -1]
    other = Validator().check(floor, [(0, 0, 0), (0.1, 0, 0)], dt=0.1, world=[0, 3])
    assert other.reason.tolist() == [-1, Reason.WRONG_WORLD]


def test_events_of_a_server(floor):
    validator = Validator()
    chains = validator.start(floor, [(0, 0, 0), (5, 0, 0)])
    chains.displace((10, 0, 0), [0])
    assert chains.check(floor, [(10.2, 0, 0), (5.2, 0, 0)], dt=0.1).possible.all()
    chains.change_speeds((40, 2, 5), which=[1])
    assert chains.check(floor, [(10.2, 0, 0), (8, 0, 0)], dt=0.1).possible.all()
    chains.knock_back((0, 0, 8), which=[0])
    assert chains.check(floor, [(10.2, 0, 0.7), (8, 0, 0)], dt=0.1).possible.all()
    chains.set_abilities(capsweep.Abilities(fly=True), [1])
    rise = [(10.2, 0, 1.1), (8, 0, 0.4)]
    assert chains.check(floor, rise, dt=0.1, mode=[-1, Mode.FLY]).possible.all()


def test_no_claims(floor):
    assert len(Validator().check(floor, np.zeros((0, 3)), dt=0.1)) == 0
    none = np.zeros(0, int)
    assert len(Validator().check(floor, np.zeros((0, 3)), dt=0.1, character=none)) == 0


def test_traces_replay_without_a_difference(course, tmp_path):
    trace, moves = Trace(), Trace()
    crowd = Crowd(course, [(0, 0, 0), (10, 0, 0)])
    for _ in range(20):
        crowd.tick(walk=(2, 0.3, 0), dt=DT, trace=trace)
        crowd.move((0.02, 0, -0.02), trace=moves)
    for one in (trace, moves):
        assert len(one) == 40 and one.replay(course) == {}
        one.save(tmp_path / "trace.jsonl")
        again = Trace.load(tmp_path / "trace.jsonl")
        assert again.kind == one.kind and again.replay(course) == {}
    assert trace[0]["input"]["walk"] == [2, 0.3, 0]
    course.add_box(crowd.feet[0] - [0.3, 0, 0], (0.05, 2, 1))
    assert trace.replay(course)
    with pytest.raises(capsweep.InputError, match="record moves into another"):
        crowd.move((0, 0, 0), trace=trace)
    (tmp_path / "cut.jsonl").write_text((tmp_path / "trace.jsonl").read_text()[:-3000])
    with pytest.raises((capsweep.LoadError, capsweep.InputError)):
        Trace.load(tmp_path / "cut.jsonl").replay(course)
    with pytest.raises(capsweep.LoadError):
        Trace.load(__file__)


def test_a_recorded_tick_changes_nothing_but_the_trace(course):
    plain, traced = (Crowd(course, [(0, 0, 0)]) for _ in range(2))
    for _ in range(30):
        assert plain.tick(walk=(2, 1, 0)) == traced.tick(walk=(2, 1, 0), trace=Trace())


def test_traces_of_the_command_have_the_same_bits(course, tmp_path):
    """`capsweep walk` is another program: its moves are those of this package, bit by bit."""
    path = tmp_path / "walk.jsonl"
    cargo("run", "-q", "-p", "capsweep-cli", "--", "walk", "--trace", str(path))
    trace = Trace.load(path)
    assert len(trace) > 1000 and trace.replay(course) == {}


def test_starts_are_in_the_order_in_which_characters_appear(floor):
    """Not in the order of their names."""
    names = ["zoe", "adam", "zoe", "adam"]
    starts = [(100, 0, 0), (0, 0, 0)]
    feet = [(100.3, 0, 0), (0.3, 0, 0), (100.6, 0, 0), (0.6, 0, 0)]
    verdicts = Validator().check(floor, feet, dt=0.1, character=names, start=starts)
    assert verdicts.possible.all()
    swapped = Validator().check(floor, feet, dt=0.1, character=names, start=starts[::-1])
    assert not swapped.possible.any()


def test_each_ability_has_its_effect(floor):
    def after(seconds, start=(0, 0, 0), walking=(0, 0, 0), **more):
        crowd = Crowd(floor, start)
        walk(crowd, walking, seconds, **more)
        return crowd

    plain = after(0.8, (0, 0, 30))
    slow = after(0.8, (0, 0, 30), abilities=capsweep.Abilities(slow_fall=True))
    assert -2.001 < slow.velocity[0, 2] < 0 and plain.velocity[0, 2] < -5
    rooted = after(0.5, walking=(2, 0, 0), abilities=capsweep.Abilities(rooted=True))
    assert abs(rooted.feet[0, 0]) < 1e-9
    hovering = after(0.5, (0, 0, 1), abilities=capsweep.Abilities(hover=0.5))
    assert hovering.feet[0, 2] == pytest.approx(0.5, abs=0.01)
    on_water = after(1.0, (0, 0, 3.5), water=3.0, abilities=capsweep.Abilities(water_walking=True))
    assert on_water.mode[0] == Mode.WATER_WALK and on_water.feet[0, 2] == pytest.approx(3)


def test_slippery_ground_does_not_hold():
    scene = capsweep.Scene()
    scene.add_half_space((0, 0, 0), (0.3, 0, 1))
    crowd = Crowd(scene, [(0, 0, 0.1), (0, 5, 0.1)])
    walk(crowd, (0, 0, 0), 1.5, slippery=[False, True])
    assert abs(crowd.feet[0, 0]) < 1e-9 and crowd.feet[1, 0] > 0.02


def test_those_aboard_ride_in_the_air_too(course):
    begin = course.platform_ends[0]
    crowd = Crowd(course, [begin + [0, 0, 5], begin + [0, 0.5, 5]])
    place = begin
    for step in range(11):
        following = place + [0.1, 0, 0]
        course.move_mesh(course.platform, position=following)
        carrier = Carrier(course.platform, place, following, ride="boarded")
        crowd.tick(dt=DT, carriers=(carrier,), aboard=[0, -1])
        place = following
        if step == 0:
            # It boarded at rest in the world. At rest aboard from now on.
            crowd.set_velocity((0, 0, 0), [0])
            boarded = crowd.feet
    np.testing.assert_allclose((crowd.feet - boarded)[:, 0], [1, 0], atol=1e-6)


def test_a_trace_that_is_cut_between_lines_is_refused(course, tmp_path):
    trace = Trace()
    crowd = Crowd(course, (0, 0, 0))
    for _ in range(3):
        crowd.tick(trace=trace)
    trace.save(tmp_path / "trace.jsonl")
    lines = (tmp_path / "trace.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "trace.jsonl").write_text("".join(lines[:-1]))
    with pytest.raises(capsweep.LoadError, match="2 steps of 3"):
        Trace.load(tmp_path / "trace.jsonl")
