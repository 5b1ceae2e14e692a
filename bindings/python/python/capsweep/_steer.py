"""Steering: desired velocities from keys, facing and speeds."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Optional

import numpy as np

from . import _arguments as arguments
from . import _arrays as arrays
from . import _core
from ._codes import Mode
from ._config import Speeds
from ._table import ArrayLike, Floats


def steer(
    facing: ArrayLike,
    *,
    speeds: Speeds,
    forward: ArrayLike = 1,
    strafe: ArrayLike = 0,
    walking: ArrayLike = False,
    pitch: ArrayLike = 0.0,
    mode: ArrayLike = Mode.WALK,
    up: ArrayLike = (0, 0, 1),
    threads: Optional[int] = None,
) -> Floats:
    """The desired velocity of each character, for `Crowd.tick` and `Inputs`.

    Args:
        facing: direction (radians): 0 is +x, counter-clockwise about `up`.
        forward: above 0 forward, below 0 backward.
        strafe: above 0 to the right, below 0 to the left.
        walking: walks instead of running.
        pitch: angle (radians) by which the direction of a swimmer or flyer points up.
        mode: a `Mode`, such as `crowd.mode`.

    >>> steer(np.pi / 2, speeds=Speeds.wow()).round(9).tolist()
    [[0.0, 7.0, 0.0]]
    """
    Speeds.check_type("speeds", speeds)
    args = SimpleNamespace(
        forward=arrays.codes("forward", forward, -128, 127).astype(np.int8),
        strafe=arrays.codes("strafe", strafe, -128, 127).astype(np.int8),
        walking=arrays.flags("walking", walking),
        facing=arrays.numbers("facing", facing),
        pitch=arrays.numbers("pitch", pitch),
        mode=arrays.codes("mode", mode, 0, max(Mode)).astype(np.uint8),
    )
    call = arguments.call(arrays.rows(**vars(args)), threads, "raise")
    velocity: Floats = _core.steer(call, args, speeds.to_json(),
                                   arrays.vector("up", up))["velocity"]
    return velocity
