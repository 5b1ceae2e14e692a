"""A Gymnasium vector environment: agents find a goal in a generated dungeon.

Every environment is one character of a crowd, so a step of all of them is one call. Each sees its
velocity, the way to the goal and the free distance in eight directions. It walks where its action
points, at up to 3 m/s. The reward is the progress towards the goal along open floor.
"""

from __future__ import annotations

import sys
from collections import deque
from typing import Any, Optional

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import capsweep

CELL = 3.0  # metres
HEIGHT = 2.5
SPEED = 3.0
TICKS_PER_STEP = 6  # at 60 ticks a second: ten decisions a second
SIGHT = 10.0
DIRECTIONS = 8


def dungeon(size: int, rng: np.random.Generator) -> np.ndarray:
    """A maze of cells with some loops: True is floor."""
    width = 2 * size + 1
    floor = np.zeros((width, width), bool)
    stack = [(1, 1)]
    floor[1, 1] = True
    while stack:
        row, column = stack[-1]
        ways = [(row + 2 * dr, column + 2 * dc, row + dr, column + dc)
                for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
                if 0 < row + 2 * dr < width and 0 < column + 2 * dc < width
                and not floor[row + 2 * dr, column + 2 * dc]]
        if not ways:
            stack.pop()
            continue
        to_row, to_column, wall_row, wall_column = ways[rng.integers(len(ways))]
        floor[to_row, to_column] = floor[wall_row, wall_column] = True
        stack.append((to_row, to_column))
    loops = (rng.random(floor.shape) < 0.08) & ~floor
    loops[[0, -1]] = loops[:, [0, -1]] = False
    return floor | loops


def build(floor: np.ndarray) -> capsweep.Scene:
    """Walls as boxes over a level floor."""
    scene = capsweep.Scene()
    scene.add_half_space((0, 0, 0), (0, 0, 1))
    rows, columns = np.nonzero(~floor)
    centers = np.stack([rows * CELL, columns * CELL, np.full(len(rows), HEIGHT / 2)], axis=1)
    scene.add_box(centers, (CELL / 2, CELL / 2, HEIGHT / 2))
    return scene


def steps_to(floor: np.ndarray, goal: tuple[int, int]) -> np.ndarray:
    """Cells on the shortest way from each cell to the goal."""
    steps = np.full(floor.shape, -1)
    steps[goal] = 0
    queue = deque([goal])
    while queue:
        row, column = queue.popleft()
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            cell = (row + dr, column + dc)
            if floor[cell] and steps[cell] < 0:
                steps[cell] = steps[row, column] + 1
                queue.append(cell)
    return steps


class DungeonEnv(VectorEnv):
    """Agents in one dungeon, each with its own start. The goal is in the far corner."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, num_envs: int = 64, size: int = 4, max_steps: int = 300,
                 threads: Optional[int] = None) -> None:
        self.num_envs, self.size, self.max_steps, self.threads = num_envs, size, max_steps, threads
        seen = 2 + 2 + 1 + DIRECTIONS
        self.single_observation_space = gymnasium.spaces.Box(-1.0, 1.0, (seen,), np.float32)
        self.single_action_space = gymnasium.spaces.Box(-1.0, 1.0, (2,), np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        angles = np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS
        self.rays = np.stack([np.cos(angles), np.sin(angles), np.zeros(DIRECTIONS)], axis=1)
        self._rng: Optional[np.random.Generator] = None

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[np.ndarray, dict]:
        if seed is not None or self._rng is None:
            self._rng = np.random.default_rng(seed)
        self.floor = dungeon(self.size, self._rng)
        self.scene = build(self.floor)
        self.goal_cell = (self.floor.shape[0] - 2, self.floor.shape[1] - 2)
        self.goal = np.array([*self.goal_cell, 0.0]) * [CELL, CELL, 0]
        self.steps = steps_to(self.floor, self.goal_cell)
        # Everyone starts at least four cells away.
        self.starts = np.argwhere(self.steps >= 4)
        self.crowd = capsweep.Crowd(self.scene, self._spawn(self.num_envs))
        self.left = self._distance()
        self.elapsed = np.zeros(self.num_envs, int)
        self.done = np.zeros(self.num_envs, bool)
        return self._observe(), {}

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
        # Autoreset: environments that ended in the last step begin anew and take no action.
        fresh = self.done.copy()
        if fresh.any():
            self.crowd.teleport(self._spawn(int(fresh.sum())), fresh)
            self.elapsed[fresh] = 0
        actions = np.clip(np.nan_to_num(np.asarray(actions, float)), -1, 1)
        walk = np.zeros((self.num_envs, 3))
        length = np.linalg.norm(actions, axis=1, keepdims=True)
        walk[:, :2] = SPEED * actions / np.maximum(length, 1)
        walk[fresh] = 0
        for _ in range(TICKS_PER_STEP):
            moves = self.crowd.tick(walk=walk, dt=1 / 60, threads=self.threads)
        before, self.left = self.left, self._distance()
        self.elapsed += ~fresh
        found = np.linalg.norm((moves.feet - self.goal)[:, :2], axis=1) < 1.0
        rewards = np.where(fresh, 0.0, before - self.left + 10.0 * found)
        terminated = found & ~fresh
        truncated = (self.elapsed >= self.max_steps) & ~terminated
        self.done = terminated | truncated
        return self._observe(), rewards, terminated, truncated, {"fresh": fresh}

    def _spawn(self, count: int) -> np.ndarray:
        assert self._rng is not None
        cells = self.starts[self._rng.integers(len(self.starts), size=count)]
        jitter = self._rng.uniform(-0.5, 0.5, (count, 2))
        return np.column_stack([cells * CELL + jitter, np.zeros(count)])

    def _cells(self) -> np.ndarray:
        return np.round(self.crowd.feet[:, :2] / CELL).astype(int)

    def _distance(self) -> np.ndarray:
        """Metres to the goal along open floor: cells, and the way to the next cell's middle."""
        cells = self._cells()
        return np.asarray(self.steps[cells[:, 0], cells[:, 1]] * CELL, float)

    def way(self) -> np.ndarray:
        """Unit vectors towards the next cell on the shortest way: what a good agent learns."""
        cells = self._cells()
        best = np.tile(self.goal[:2], (len(cells), 1))
        for index, (row, column) in enumerate(cells):
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                if self.steps[row + dr, column + dc] == self.steps[row, column] - 1 >= 0:
                    best[index] = np.array([row + dr, column + dc]) * CELL
        way = best - self.crowd.feet[:, :2]
        return np.asarray(way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9))

    def _observe(self) -> np.ndarray:
        states = self.crowd.states
        eyes = states.center
        origins = np.repeat(eyes, DIRECTIONS, axis=0)
        rays = np.tile(self.rays * SIGHT, (self.num_envs, 1))
        seen = self.scene.ray(origins, rays, threads=self.threads).time
        seen = np.nan_to_num(seen, nan=1.0).reshape(self.num_envs, DIRECTIONS)
        to_goal = (self.goal - states.feet)[:, :2]
        far = np.linalg.norm(to_goal, axis=1, keepdims=True)
        parts = [states.velocity[:, :2] / SPEED, to_goal / np.maximum(far, 1e-9),
                 far / (CELL * self.floor.shape[0] * 1.5), seen]
        return np.clip(np.concatenate(parts, axis=1), -1, 1).astype(np.float32)


def main() -> None:
    quick = "--quick" in sys.argv
    env = DungeonEnv(num_envs=32 if quick else 256)
    observation, _ = env.reset(seed=7)
    goals = episodes = 0
    paths = [env.crowd.feet]
    for step in range(150 if quick else 400):
        # Mostly the right way, with some noise: put your policy here.
        action = env.way() + 0.3 * env.action_space.sample()
        observation, rewards, terminated, truncated, _ = env.step(action)
        goals, episodes = goals + terminated.sum(), episodes + (terminated | truncated).sum()
        if step < 60:
            paths.append(env.crowd.feet)
    print(f"{env.num_envs} agents: {episodes} episodes ended, {goals} at the goal")
    bounds = [[-1.6, -1.6, -0.5], [*(env.goal[:2] + CELL + 1.6), HEIGHT + 0.5]]
    walks = np.array(paths)[:, :10]
    figure = env.scene.plot("plan", bounds=bounds, walks=walks, points=env.goal[None])
    figure.savefig("dungeon.png")
    print("dungeon.png: the first six seconds of ten agents")


if __name__ == "__main__":
    main()
