"""Fixtures of all tests."""

import os
import shutil
import subprocess
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

import capsweep

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = Path(__file__).resolve().parents[1]

# The same cases in every run, and no time limit: machines differ.
settings.register_profile(
    "capsweep", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("capsweep")


def cargo(*arguments: str) -> str:
    """Runs cargo in the repository; skips the test if there is none, but not in CI."""
    if shutil.which("cargo") is None:
        assert not os.environ.get("CI"), "CI has no cargo"
        pytest.skip("cargo is not installed")
    # The profile of `cargo test`, which has most of it built already.
    profile = os.environ.get("CAPSWEEP_TEST_PROFILE", "dev")
    command = ["cargo", arguments[0], "--profile", profile, *arguments[1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def course() -> capsweep.Scene:
    return capsweep.course()


@pytest.fixture
def floor() -> capsweep.Scene:
    """Everything below z = 0 is solid."""
    scene = capsweep.Scene()
    scene.add_half_space((0, 0, 0), (0, 0, 1))
    return scene


@pytest.fixture
def capsules() -> dict:
    """A thousand random capsules around the course, and motions."""
    rng = np.random.default_rng(7)
    p0 = rng.uniform((-1, -3, 0.2), (42, 3, 3), (1000, 3))
    axis = rng.uniform(-1, 1, (1000, 3))
    radius = rng.uniform(0.05, 0.5, 1000)
    motion = rng.uniform(-4, 4, (1000, 3))
    return {"p0": p0, "p1": p0 + axis, "radius": radius, "motion": motion}
