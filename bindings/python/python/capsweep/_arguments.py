"""Arguments that several calls share, in the form that the native half reads."""

from __future__ import annotations

from enum import Enum
from types import SimpleNamespace
from typing import Any, Optional, Union

import numpy as np

from . import _arrays as arrays
from ._core import MAX_POSITION
from ._errors import InputError, InputTypeError

#: A mask that sees everything.
ALL = 0xFFFF_FFFF
#: The same as a column, checked already.
ALL_ROW = np.full(1, ALL, np.uint32)
ALL_ROW.flags.writeable = False


class NoWater(Enum):
    """The type of `NO_WATER`."""

    NO_WATER = "no water"

    def __repr__(self) -> str:
        return "NO_WATER"


#: Water nowhere, for `water=`.
NO_WATER = NoWater.NO_WATER
#: A height of water, none, or that of the scene's liquids.
Water = Union[float, NoWater, None]

BODIES = ("all", "static", "dynamic")
SIDES = ("front", "both")
START_OVERLAPS = ("report", "skip")
INVALID = ("raise", "mark")


def capsules(
    p0: Any, p1: Any, radius: Any, feet: Any, height: Any, up: Any
) -> SimpleNamespace:
    """Capsules by their two points, or by feet and height."""
    radius = arrays.numbers("radius", radius)
    if feet is None and height is None:
        if p0 is None or p1 is None:
            raise InputTypeError("a capsule needs p0 and p1, or feet and height", "p0")
        a, b = arrays.vectors("p0", p0), arrays.vectors("p1", p1)
        names = {"p0": a, "p1": b, "radius": radius}
        return SimpleNamespace(a=a, b=b, radius=radius, height=None, names=names)
    if p0 is not None or p1 is not None:
        raise InputTypeError("a capsule has p0 and p1, or feet and height: not both", "feet")
    if feet is None or height is None:
        missing = "feet" if feet is None else "height"
        raise InputTypeError(f"{missing} is missing: a capsule by its feet has a height", missing)
    a, b = arrays.vectors("feet", feet), arrays.vectors("up", up)
    tall = arrays.numbers("height", height)
    names = {"feet": a, "up": b, "radius": radius, "height": tall}
    return SimpleNamespace(a=a, b=b, radius=radius, height=tall, names=names)


def filters(
    mask: Any,
    sides: str = "front",
    bodies: str = "all",
    start_overlaps: str = "report",
    ignore: Any = None,
) -> SimpleNamespace:
    """The bodies, triangles and sides that a query sees."""
    masks = ALL_ROW if mask is ALL else arrays.integers("mask", mask, np.uint32)
    ignored = None if ignore is None else arrays.integers("ignore", ignore, np.int64)
    names = {"mask": masks, "ignore": ignored}
    return SimpleNamespace(
        mask=masks,
        both_sides=bool(arrays.choice("sides", sides, SIDES)),
        bodies=arrays.choice("bodies", bodies, BODIES),
        skip_start_overlaps=bool(arrays.choice("start_overlaps", start_overlaps, START_OVERLAPS)),
        ignore=ignored,
        names=names,
    )


def call(rows: int, threads: Optional[int], invalid: str) -> SimpleNamespace:
    """What all queries have in common."""
    mark = bool(arrays.choice("invalid", invalid, INVALID))
    return SimpleNamespace(rows=rows, threads=arrays.threads(threads), mark=mark)


def water(value: Any) -> Optional[float]:
    """A height of water as the native half reads it: NaN for none at all."""
    if value is None:
        return None
    if value is NO_WATER:
        return float("nan")
    height = arrays.number("water", value)
    if not abs(height) <= MAX_POSITION:
        raise InputError(f"water is {height}: it must be a height of at most {MAX_POSITION:g} in "
                         "magnitude, NO_WATER or None", "water", None, height)
    return height


def column(name: str, found: Any, members: Any) -> Any:
    """A column for some members: one row for all, or one for each."""
    if len(found) not in (1, len(members)):
        raise InputError(f"{name} has {len(found)} rows for {len(members)} characters", name)
    return found


def which(chosen: Any, count: int) -> Any:
    """The numbers of some of `count` characters: a mask, or numbers; None for all."""
    if chosen is None:
        return np.arange(count)
    found = arrays.array("which", chosen)
    if found.dtype == np.bool_:
        if found.shape != (count,):
            raise InputError(f"which has shape {found.shape}: a mask must be ({count},)", "which")
        return np.nonzero(found)[0]
    numbers = arrays.integers("which", found, np.int64)
    bad = (numbers < 0) | (numbers >= count)
    if bad.any():
        index = int(np.argmax(bad))
        raise InputError(
            f"which[{index}] is {numbers[index]}: it must be 0 to {count - 1}",
            "which", index, float(numbers[index]),
        )
    return numbers


def poses(position: Any, rotation: Any, scale: Any, matrix: Any) -> tuple[SimpleNamespace, bool]:
    """Poses of bodies, and whether there is one for a single body."""
    if matrix is not None:
        if position is not None or rotation is not None or scale is not None:
            raise InputTypeError("a pose is a matrix, or position, rotation and scale", "matrix")
        found = arrays.real("matrix", matrix)
        single = found.ndim == 2
        if found.shape[-2:] != (4, 4) or found.ndim not in (2, 3):
            raise InputError(
                f"matrix has shape {found.shape}: it must be (4, 4) or (n, 4, 4)", "matrix"
            )
        flat = np.ascontiguousarray(found).reshape(-1, 16)
        one = np.zeros((1, 4))
        made = SimpleNamespace(position=one[:, :3], rotation=one, scale=one[:, :3], matrix=flat)
        made.names = {"matrix": flat}
        return made, single
    position = (0.0, 0.0, 0.0) if position is None else position
    rotation = (0.0, 0.0, 0.0, 1.0) if rotation is None else rotation
    scale = 1.0 if scale is None else scale
    places = arrays.vectors("position", position)
    turns = arrays.vectors("rotation", rotation, 4)
    sizes = arrays.real("scale", scale)
    single = all(np.ndim(part) == 1 for part in (position, rotation)) and sizes.ndim < 2
    if sizes.ndim == 0:
        sizes = np.full((1, 3), sizes)
    sizes = arrays.vectors("scale", sizes)
    made = SimpleNamespace(position=places, rotation=turns, scale=sizes, matrix=None)
    made.names = {"position": places, "rotation": turns, "scale": sizes}
    return made, single


def shapes(kind: str, names: tuple[str, str], a: Any, b: Any, radius: Any = 1.0,
           rotation: Any = (0, 0, 0, 1)) -> SimpleNamespace:
    """Shapes of one kind; `names` are those of the arguments `a` and `b`."""
    given = {names[0]: a, names[1]: b, "rotation": rotation, "radius": radius}
    found = {name: arrays.real(name, value) for name, value in given.items()}
    single = all(found[name].ndim == (0 if name == "radius" else 1) for name in found)
    first, second = arrays.vectors(names[0], a), arrays.vectors(names[1], b)
    sizes, turns = arrays.numbers("radius", radius), arrays.vectors("rotation", rotation, 4)
    columns = {names[0]: first, names[1]: second, "radius": sizes, "rotation": turns}
    return SimpleNamespace(kind=kind, a=first, b=second, radius=sizes, rotation=turns,
                           single=single, names=columns)


def boxes(center: Any, half_extents: Any, rotation: Any) -> SimpleNamespace:
    return shapes("box", ("center", "half_extents"), center, half_extents, rotation=rotation)


def spheres(center: Any, radius: Any) -> SimpleNamespace:
    return shapes("sphere", ("center", "unused"), center, (0, 0, 0), radius)


def capsule_shapes(p0: Any, p1: Any, radius: Any) -> SimpleNamespace:
    return shapes("capsule", ("p0", "p1"), p0, p1, radius)


def half_spaces(point: Any, normal: Any) -> SimpleNamespace:
    return shapes("half_space", ("point", "normal"), point, normal)
