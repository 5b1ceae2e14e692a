"""Codes in the columns of answers."""

from __future__ import annotations

from enum import IntEnum


class Region(IntEnum):
    """The part of the capsule that touches."""

    NONE = -1
    BOTTOM = 0
    SIDE = 1
    TOP = 2
    SPHERE = 3


class Feature(IntEnum):
    """The part of the target that is touched. `feature_index` has its number."""

    NONE = -1
    FACE = 0
    EDGE = 1
    VERTEX = 2


class BodyKind(IntEnum):
    """The kind of a body."""

    NONE = -1
    MESH = 0
    SHAPE = 1
    OBSTACLE = 2


class Clearance(IntEnum):
    """Whether a capsule is free after `Scene.depenetrate`."""

    NONE = -1
    FREE = 0
    SQUEEZED = 1
    UNFINISHED = 2


class Mode(IntEnum):
    """How a character moves."""

    NONE = -1
    WALK = 0
    FALL = 1
    SWIM = 2
    FLY = 3
    WATER_WALK = 4


class Obstruction(IntEnum):
    """What kept a character from moving freely."""

    NONE = 0
    BLOCKED = 1
    SQUEEZED = 2
    CRUSHED = 3


class Pass(IntEnum):
    """The part of a move in which a contact was found."""

    RIDE = 0
    RECOVERY = 1
    UP = 2
    SIDE = 3
    STEP = 4
    DOWN = 5
    FREE = 6


class Verdict(IntEnum):
    """The verdict on a claimed move."""

    POSSIBLE = 0
    IMPOSSIBLE = 1
    UNDECIDED = 2


class Reason(IntEnum):
    """Why a claimed move is impossible."""

    NONE = -1
    TOO_FAST = 0
    THROUGH_SURFACE = 1
    INSIDE_GEOMETRY = 2
    TOO_STEEP = 3
    TOO_HIGH = 4
    HOVERING = 5
    WRONG_MODE = 6
    CLOCK_AHEAD = 7
    WRONG_WORLD = 8
    INVALID_NUMBER = 9
    OTHER = 10


class Support(IntEnum):
    """What carries a character."""

    GROUND = 0
    STEEP = 1
    WATER = 2
    AIR = 3
