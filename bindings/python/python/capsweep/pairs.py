"""Single pairs: capsules or rays against one shape per row, without a scene.

>>> from capsweep import pairs
>>> floor = pairs.Triangle((-5, -5, 0), (5, -5, 0), (0, 5, 0))
>>> hits = pairs.sweep(floor, (0, 0, 2), (0, 0, 3), radius=0.5, motion=(0, 0, -5))
>>> hits.hit.tolist(), hits.distance.tolist()
([True], [1.5])

A target has one shape, which serves all rows, or one for each row. The answers are those of a
scene with this one shape, without the columns of a body.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Optional, Union

from . import _arguments as arguments
from . import _arrays as arrays
from . import _core
from ._answers import PairClosestHits, PairOverlapHits, PairRayHits, PairSweepHits
from ._arguments import SIDES
from ._errors import InputTypeError
from ._table import ArrayLike

__all__ = [
    "Box", "Capsule", "HalfSpace", "Point", "Segment", "Sphere", "Target", "Triangle", "closest",
    "overlap", "ray", "sweep",
]


def _corners(**columns: Any) -> SimpleNamespace:
    made = {name: arrays.vectors(name, column) for name, column in columns.items()}
    return SimpleNamespace(shapes=None, corners=list(made.values()), names=made)


def _shapes(shapes: SimpleNamespace) -> SimpleNamespace:
    return SimpleNamespace(shapes=shapes, corners=[], names=shapes.names)


@dataclass(frozen=True)
class Triangle:
    """Triangles by their corners. Counter-clockwise is the front."""

    a: ArrayLike
    b: ArrayLike
    c: ArrayLike

    def _args(self) -> SimpleNamespace:
        return _corners(a=self.a, b=self.b, c=self.c)


@dataclass(frozen=True)
class Segment:
    """Segments by their ends."""

    a: ArrayLike
    b: ArrayLike

    def _args(self) -> SimpleNamespace:
        return _corners(a=self.a, b=self.b)


@dataclass(frozen=True)
class Point:
    """Points."""

    position: ArrayLike

    def _args(self) -> SimpleNamespace:
        return _corners(position=self.position)


@dataclass(frozen=True)
class Box:
    """Boxes; a rotation is a quaternion (x, y, z, w)."""

    center: ArrayLike
    half_extents: ArrayLike
    rotation: ArrayLike = (0, 0, 0, 1)

    def _args(self) -> SimpleNamespace:
        return _shapes(arguments.boxes(self.center, self.half_extents, self.rotation))


@dataclass(frozen=True)
class Sphere:
    """Spheres."""

    center: ArrayLike
    radius: ArrayLike

    def _args(self) -> SimpleNamespace:
        return _shapes(arguments.spheres(self.center, self.radius))


@dataclass(frozen=True)
class Capsule:
    """Capsules that do not move."""

    p0: ArrayLike
    p1: ArrayLike
    radius: ArrayLike

    def _args(self) -> SimpleNamespace:
        return _shapes(arguments.capsule_shapes(self.p0, self.p1, self.radius))


@dataclass(frozen=True)
class HalfSpace:
    """All that is behind a plane."""

    point: ArrayLike
    normal: ArrayLike

    def _args(self) -> SimpleNamespace:
        return _shapes(arguments.half_spaces(self.point, self.normal))


Target = Union[Triangle, Segment, Point, Box, Sphere, Capsule, HalfSpace]
_TARGETS = (Triangle, Segment, Point, Box, Sphere, Capsule, HalfSpace)


def _target(target: Target, kinds: tuple[type, ...] = _TARGETS) -> SimpleNamespace:
    if not isinstance(target, kinds):
        names = ", ".join(kind.__name__ for kind in kinds)
        raise InputTypeError(
            f"target is {type(target).__name__}: it must be one of {names}", "target"
        )
    made: SimpleNamespace = target._args()
    return made


def _call(target: SimpleNamespace, columns: dict[str, Any], threads: Any,
          invalid: str) -> SimpleNamespace:
    # The target's columns have names of their own: a capsule may be held against a capsule.
    names = {f"target.{name}": column for name, column in target.names.items()}
    return arguments.call(arrays.rows(**names, **columns), threads, invalid)


def sweep(target: Target, p0: Optional[ArrayLike] = None, p1: Optional[ArrayLike] = None, *,
          radius: ArrayLike, motion: ArrayLike, feet: Optional[ArrayLike] = None,
          height: Optional[ArrayLike] = None, up: ArrayLike = (0, 0, 1), sides: str = "front",
          invalid: str = "raise", threads: Optional[int] = None) -> PairSweepHits:
    """The first touch of each moving capsule and its target. `Scene.sweep` has the arguments."""
    shape, capsules = _target(target), arguments.capsules(p0, p1, radius, feet, height, up)
    motions = arrays.vectors("motion", motion)
    call = _call(shape, {**capsules.names, "motion": motions}, threads, invalid)
    both = bool(arrays.choice("sides", sides, SIDES))
    return PairSweepHits(_core.pair_sweep(call, shape, capsules, motions, both))


def overlap(target: Target, p0: Optional[ArrayLike] = None, p1: Optional[ArrayLike] = None, *,
            radius: ArrayLike, feet: Optional[ArrayLike] = None,
            height: Optional[ArrayLike] = None, up: ArrayLike = (0, 0, 1),
            invalid: str = "raise", threads: Optional[int] = None) -> PairOverlapHits:
    """The overlap of each capsule and its target.

    >>> ball = Sphere((0, 0, 0), 1.0)
    >>> overlap(ball, (0, 0, 1.25), (0, 0, 2), radius=0.5).depth.tolist()
    [0.25]
    """
    shape, capsules = _target(target), arguments.capsules(p0, p1, radius, feet, height, up)
    call = _call(shape, capsules.names, threads, invalid)
    return PairOverlapHits(_core.pair_overlap(call, shape, capsules))


def closest(target: Target, p0: Optional[ArrayLike] = None, p1: Optional[ArrayLike] = None, *,
            radius: ArrayLike, feet: Optional[ArrayLike] = None,
            height: Optional[ArrayLike] = None, up: ArrayLike = (0, 0, 1),
            invalid: str = "raise", threads: Optional[int] = None) -> PairClosestHits:
    """The closest points of each capsule and its target. The distance is below 0 in an overlap.

    >>> closest(Point((3, 0, 0)), (0, 0, 0), (0, 0, 1), radius=0.5).distance.tolist()
    [2.5]
    """
    shape, capsules = _target(target), arguments.capsules(p0, p1, radius, feet, height, up)
    call = _call(shape, capsules.names, threads, invalid)
    return PairClosestHits(_core.pair_closest(call, shape, capsules))


def ray(target: Target, origin: ArrayLike, motion: ArrayLike, *, sides: str = "front",
        invalid: str = "raise", threads: Optional[int] = None) -> PairRayHits:
    """The first point of the target on each ray from `origin` to `origin + motion`. No ray hits a
    segment or a point.

    >>> ray(Box((0, 0, 0), (1, 1, 1)), (0, 0, 5), (0, 0, -10)).time.tolist()
    [0.4]
    """
    shape = _target(target, (Triangle, Box, Sphere, Capsule, HalfSpace))
    origins, motions = arrays.vectors("origin", origin), arrays.vectors("motion", motion)
    call = _call(shape, {"origin": origins, "motion": motions}, threads, invalid)
    both = bool(arrays.choice("sides", sides, SIDES))
    return PairRayHits(_core.pair_ray(call, shape, origins, motions, both))
