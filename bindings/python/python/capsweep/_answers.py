"""Answers: the tables of queries, crowds and validation."""

from __future__ import annotations

import numpy as np

from ._codes import Verdict
from ._table import (
    Bools,
    Bytes,
    Floats,
    Floats32,
    Ints,
    Keys,
    RaggedTable,
    Table,
    Tags,
)


class _Contact:
    """Where a target was touched."""

    normal: Floats32
    feature: Bytes
    feature_index: Bytes


class _Touch(_Contact):
    """Where a target was touched, and by which part of the capsule."""

    face_normal: Floats32
    region: Bytes
    barycentrics: Floats


class _Target:
    """The body that was touched."""

    body: Ints
    triangle: Ints
    key: Keys
    tag: Tags
    kind: Bytes


class PairSweepHits(_Touch, Table):
    """The first touch of each sweep and its target. Without a hit numbers are NaN."""

    _flag = "hit"
    hit: Bools
    time: Floats
    distance: Floats
    depth: Floats
    point: Floats
    invalid: Bools

    def safe_advance(self, contact_offset: float) -> Floats:
        """Metres that keep `contact_offset` to the surface; NaN without a hit."""
        return np.maximum(self.distance - contact_offset, 0.0)


class SweepHits(_Target, PairSweepHits):
    """The first touch of each sweep. Without a hit numbers are NaN and ids are -1."""


class PairOverlapHits(_Touch, Table):
    """The overlap of each capsule and its target. Without one numbers are NaN."""

    _flag = "hit"
    hit: Bools
    depth: Floats
    point: Floats
    invalid: Bools


class OverlapHits(_Target, PairOverlapHits):
    """The deepest overlap of each capsule. Without one numbers are NaN and ids are -1."""


class PairClosestHits(_Touch, Table):
    """The closest points of each capsule and its target."""

    _flag = "hit"
    hit: Bools
    distance: Floats
    on_capsule: Floats
    on_geometry: Floats
    invalid: Bools


class ClosestHits(_Target, PairClosestHits):
    """The closest points of each capsule and the scene, up to a limit."""


class PairRayHits(_Contact, Table):
    """The first point of the target on each ray."""

    _flag = "hit"
    hit: Bools
    time: Floats
    distance: Floats
    point: Floats
    barycentrics: Floats
    invalid: Bools


class RayHits(_Target, PairRayHits):
    """The first surface on each ray."""


class Liquids(Table):
    """The liquid that each point is in."""

    _flag = "wet"
    wet: Bools
    surface: Floats
    depth: Floats
    kind: Ints
    number: Ints
    invalid: Bools


class Pushes(Table):
    """The displacement that frees each capsule; `state` is a `Clearance`."""

    push: Floats
    pushes: Ints
    state: Bytes
    left: Floats
    invalid: Bools


class Flags(Table):
    """Yes or no for each query, and which had bad input."""

    _flag = "hit"
    hit: Bools
    invalid: Bools


class AllSweepHits(_Touch, _Target, RaggedTable):
    """Every touch of each sweep, by time."""

    time: Floats
    distance: Floats
    depth: Floats
    point: Floats


class AllOverlapHits(_Touch, _Target, RaggedTable):
    """Every overlap of each capsule, the deepest first."""

    depth: Floats
    point: Floats


class Supports(_Contact, _Target, RaggedTable):
    """Floors and ceilings over and under each point, from top to bottom."""

    _flag = "walkable"
    height: Floats
    point: Floats
    faces_up: Bools
    walkable: Bools


class AllLiquids(RaggedTable):
    """Every liquid over and under each point."""

    surface: Floats
    depth: Floats
    kind: Ints
    number: Ints


class Bodies(Table):
    """The bodies of a scene."""

    body: Ints
    kind: Bytes
    key: Keys
    mask: Tags
    dynamic: Bools
    triangles: Ints
    min: Floats
    max: Floats


class Triangles(Table):
    """Triangles in world coordinates: `corners` has shape (n, 9), three points."""

    corners: Floats
    body: Ints
    triangle: Ints
    tag: Tags

    @property
    def vertices(self) -> Floats:
        """The corners with shape (n, 3, 3)."""
        return self.corners.reshape(-1, 3, 3)


class Moves(Table):
    """What each character of a crowd did in a tick or move, and its state after it."""

    _flag = "grounded"
    feet: Floats
    velocity: Floats
    mode: Bytes
    grounded: Bools
    requested: Floats
    achieved: Floats
    carried: Floats
    stepped: Bools
    snapped: Bools
    sides: Bools
    above: Bools
    below: Bools
    obstruction: Bytes
    obstruction_depth: Floats
    ground_point: Floats
    ground_normal: Floats32
    ground_distance: Floats
    ground_body: Ints
    ground_triangle: Ints
    ground_walkable: Bools
    contacts: Ints
    queries: Tags


class MoveDetails(Table):
    """What `Moves` leaves out. `recovery` is the push out of overlaps, `recovery_left` the depth
    of the skin that stays; `ground_velocity` is that of the ground below the feet."""

    recovery: Floats
    recovery_left: Floats
    ground_key: Keys
    ground_tag: Tags
    ground_velocity: Floats


class Contacts(_Contact, _Target, Table):
    """The surfaces that characters touched in their last move; `part` is a `Pass`."""

    character: Ints
    part: Bytes
    point: Floats
    face_normal: Floats32
    region: Bytes


class States(Table):
    """The states of the characters of a crowd."""

    _flag = "grounded"
    feet: Floats
    center: Floats
    velocity: Floats
    mode: Bytes
    grounded: Bools
    height: Floats32
    ground_body: Ints


class Verdicts(Table):
    """The verdict on each claimed move.

    `verdict` is a `Verdict`, `reason` a `Reason`. `amount` has the reason's metres or seconds,
    `at` its place, `body` the surface in the way. `accepted` is the position to go on from.
    """

    verdict: Bytes
    reason: Bytes
    amount: Floats
    at: Floats
    body: Ints
    accepted: Floats
    queries: Tags

    @property
    def possible(self) -> Bools:
        """Claims that could have happened."""
        return np.asarray(self.verdict == Verdict.POSSIBLE)

    @property
    def impossible(self) -> Bools:
        """Claims that no inputs lead to."""
        return np.asarray(self.verdict == Verdict.IMPOSSIBLE)

    @property
    def undecided(self) -> Bools:
        """Claims for which the budget of queries did not suffice."""
        return np.asarray(self.verdict == Verdict.UNDECIDED)


class Accepted(Table):
    """The last accepted state of each character; `support` is a `Support`."""

    feet: Floats
    support: Bytes
    reach_credit: Floats
    clock_credit: Floats
