"""The memory of answers is used again, and what is kept has a limit."""

import gc
import sys

import numpy as np
import pytest

import capsweep


def resident():
    """Megabytes of this process in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_memory_of_answers_of_many_sizes_does_not_grow(course):
    rng = np.random.default_rng(1)
    feet = rng.uniform((0, -3, 0), (40, 3, 3), (200_000, 3))

    def ask(rows):
        return course.sweep(feet=feet[:rows], height=1.8, radius=0.3, motion=(0, 0, -1))

    ask(200_000)
    gc.collect()
    before = resident()
    for rows in rng.integers(1, 200_000, 60):
        ask(int(rows))
    gc.collect()
    # At most 64 MB of freed blocks are kept.
    assert resident() - before < 100


def test_an_answer_that_is_alive_keeps_its_memory(course):
    rng = np.random.default_rng(2)
    feet = rng.uniform((0, -3, 0), (40, 3, 3), (50_000, 3))

    def ask():
        return course.sweep(feet=feet, height=1.8, radius=0.3, motion=(0, 0, -1))

    kept = [ask() for _ in range(8)]
    point = ask().point
    for _ in range(8):
        ask()
    assert all(one == kept[0] for one in kept)
    assert point.tobytes() == kept[0].point.tobytes()
