"""The Gymnasium example: spaces, seeds, autoreset, and that agents find the goal."""

import os
import sys

import numpy as np
import pytest

from conftest import PACKAGE

sys.path.insert(0, str(PACKAGE / "examples"))
if os.environ.get("CI"):
    import dungeon_env
else:
    dungeon_env = pytest.importorskip("dungeon_env", exc_type=ImportError)


def run(env, steps, seed):
    observation, _ = env.reset(seed=seed)
    env.action_space.seed(seed)
    log = [observation]
    for _ in range(steps):
        observation, rewards, terminated, truncated, info = env.step(env.action_space.sample())
        log += [observation, rewards, terminated, truncated]
    return log


def test_observations_and_actions_are_in_their_spaces():
    env = dungeon_env.DungeonEnv(num_envs=8)
    for part in run(env, 20, 1):
        if part.dtype == np.float32:
            assert env.observation_space.contains(part)


def test_a_seed_gives_the_same_episode():
    one, same, other = (run(dungeon_env.DungeonEnv(num_envs=8), 20, seed) for seed in (3, 3, 4))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(one, same))
    assert any(a.tobytes() != b.tobytes() for a, b in zip(one, other))


def test_ended_environments_start_again_in_the_next_step():
    env = dungeon_env.DungeonEnv(num_envs=4, max_steps=3)
    env.reset(seed=1)
    for _ in range(3):
        _, _, terminated, truncated, _ = env.step(np.zeros((4, 2)))
    assert truncated.all() and not terminated.any()
    before = env.crowd.feet
    _, rewards, terminated, truncated, info = env.step(np.ones((4, 2)))
    assert info["fresh"].all() and not (terminated | truncated).any() and (rewards == 0).all()
    assert (np.linalg.norm(env.crowd.feet - before, axis=1) > 0.01).any()


def test_agents_that_follow_the_way_find_the_goal():
    env = dungeon_env.DungeonEnv(num_envs=16, size=3)
    env.reset(seed=2)
    goals, rewards_sum = np.zeros(16, int), np.zeros(16)
    for _ in range(250):
        _, rewards, terminated, _, _ = env.step(env.way())
        goals += terminated
        rewards_sum += rewards
    assert (goals > 0).all() and (rewards_sum > 0).all()


def test_walls_hold():
    env = dungeon_env.DungeonEnv(num_envs=32)
    env.reset(seed=5)
    env.action_space.seed(5)
    for _ in range(100):
        env.step(env.action_space.sample())
        cells = env._cells()
        assert env.floor[cells[:, 0], cells[:, 1]].all()
