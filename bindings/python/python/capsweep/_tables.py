"""Answers: objects of arrays, one row for each query or for each thing that was found."""

from __future__ import annotations

import html
from enum import IntEnum
from types import SimpleNamespace
from typing import Any, Iterator, TypeVar, Union

import numpy as np
import numpy.typing as npt

from ._errors import optional

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]
Keys = npt.NDArray[np.uint64]
Tags = npt.NDArray[np.uint32]

TableType = TypeVar("TableType", bound="Table")


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


class Table:
    """Columns of equal length. Each column is an attribute and an item.

    An index, a slice or a mask selects rows: `hits[hits.hit]`, `hits[10:20]`. One integer gives
    one row, with the same attributes.
    """

    _flag = ""

    def __init__(self, columns: dict[str, npt.NDArray[Any]]) -> None:
        self._columns = columns
        self.__dict__.update(columns)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    def to_dict(self) -> dict[str, npt.NDArray[Any]]:
        """The columns by name."""
        return dict(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def __iter__(self) -> Iterator[SimpleNamespace]:
        return (self.row(index) for index in range(len(self)))

    def row(self, index: int) -> SimpleNamespace:
        """One row, with an attribute for each column."""
        cells = {name: column[index] for name, column in self._columns.items()}
        return SimpleNamespace(**cells)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self._columns[key]
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            return self.row(int(key))
        selected = {name: column[key] for name, column in self._columns.items()}
        return type(self)(selected)

    def __eq__(self, other: object) -> bool:
        """Equal in bits: the same columns with the same bytes."""
        if type(self) is not type(other) or not isinstance(other, Table):
            return NotImplemented
        if self.columns != other.columns:
            return False
        pairs = ((self._columns[name], other._columns[name]) for name in self._columns)
        return all(
            one.dtype == two.dtype and one.shape == two.shape and one.tobytes() == two.tobytes()
            for one, two in pairs
        )

    __hash__ = None  # type: ignore[assignment]

    def to_arrow(self) -> Any:
        """A `pyarrow.Table`. Vectors are lists of fixed size."""
        pa: Any = optional("pyarrow", "pyarrow", "to_arrow()")
        arrays = {}
        for name, column in self._columns.items():
            if column.ndim == 1:
                arrays[name] = pa.array(column)
            else:
                flat = pa.array(np.ascontiguousarray(column).reshape(-1))
                arrays[name] = pa.FixedSizeListArray.from_arrays(flat, column.shape[1])
        return pa.table(arrays)

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame`. A vector has three columns, such as `point_x`."""
        pd: Any = optional("pandas", "pandas", "to_pandas()")
        series: dict[str, npt.NDArray[Any]] = {}
        for name, column in self._columns.items():
            if column.ndim == 1:
                series[name] = column
                continue
            width = column.shape[1]
            is_vector = width == 3 and name != "barycentrics"
            for index, part in enumerate("xyz" if is_vector else map(str, range(width))):
                series[f"{name}_{part}"] = column[:, index]
        return pd.DataFrame(series)

    def __repr__(self) -> str:
        count = len(self)
        text = f"{type(self).__name__}: {count} row{'' if count == 1 else 's'}"
        if self._flag:
            text += f", {int(np.count_nonzero(self._columns[self._flag]))} {self._flag}"
        return f"<{text}; columns {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        shown = min(len(self), 10)
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self._columns)
        body = "".join(
            "<tr>"
            + "".join(f"<td>{html.escape(_short(c[i]))}</td>" for c in self._columns.values())
            + "</tr>"
            for i in range(shown)
        )
        more = "" if shown == len(self) else f"<p>{len(self) - shown} more rows</p>"
        return f"<table><tr>{head}</tr>{body}</table>{more}"


def _short(cell: Any) -> str:
    if isinstance(cell, np.ndarray):
        return ", ".join(f"{number:.4g}" for number in cell)
    if isinstance(cell, (float, np.floating)):
        return f"{cell:.6g}"
    return str(cell)


class _Target:
    """What was touched."""

    normal: Floats32
    feature: Bytes
    feature_index: Bytes
    body: Ints
    triangle: Ints
    key: Keys
    tag: Tags
    kind: Bytes


class _Touch(_Target):
    """What was touched, and by which part of the capsule."""

    face_normal: Floats32
    region: Bytes
    barycentrics: Floats


class SweepHits(_Touch, Table):
    """The first touch of each sweep. Without a hit numbers are NaN and ids are -1."""

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


class OverlapHits(_Touch, Table):
    """The deepest overlap of each capsule. Without one numbers are NaN and ids are -1."""

    _flag = "hit"
    hit: Bools
    depth: Floats
    point: Floats
    invalid: Bools


class ClosestHits(_Touch, Table):
    """The closest points of each capsule and the scene, up to a limit."""

    _flag = "hit"
    hit: Bools
    distance: Floats
    on_capsule: Floats
    on_geometry: Floats
    invalid: Bools


class RayHits(_Target, Table):
    """The first surface on each ray."""

    _flag = "hit"
    hit: Bools
    time: Floats
    distance: Floats
    point: Floats
    barycentrics: Floats
    invalid: Bools


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


class RaggedTable(Table):
    """Any number of rows for each query. `query` is the number of the query of each row.

    Attributes:
        counts: number of rows of each query.
        offsets: rows `offsets[i]` to `offsets[i + 1]` answer query i.
        invalid: queries with bad input.
    """

    query: Ints
    counts: Ints
    invalid: Bools

    def __init__(self, columns: dict[str, npt.NDArray[Any]]) -> None:
        columns = dict(columns)
        counts, invalid = columns.pop("count", None), columns.pop("invalid", None)
        ordered = {"query": columns.pop("query"), **columns}
        super().__init__(ordered)
        if counts is None:
            counts = np.bincount(self.query) if len(self.query) else np.zeros(0, np.int64)
        if invalid is None:
            invalid = np.zeros(len(counts), bool)
        self.counts, self.invalid = counts, invalid

    def __getitem__(self, key: Any) -> Any:
        """As in other tables. `counts` are then those of the selected rows."""
        selected = super().__getitem__(key)
        if isinstance(selected, RaggedTable):
            selected.counts = np.bincount(selected.query, minlength=len(self.counts))
            selected.invalid = self.invalid
        return selected

    @property
    def offsets(self) -> Ints:
        """Rows `offsets[i]` to `offsets[i + 1]` answer query i."""
        return np.concatenate(([0], np.cumsum(self.counts)))

    def of(self: "RaggedType", query: int) -> "RaggedType":
        """The rows of one query."""
        start, end = self.offsets[query], self.offsets[query + 1]
        found: RaggedType = self[int(start):int(end)]
        return found


RaggedType = TypeVar("RaggedType", bound=RaggedTable)


class AllSweepHits(_Touch, RaggedTable):
    """Every touch of each sweep, by time."""

    time: Floats
    distance: Floats
    depth: Floats
    point: Floats


class AllOverlapHits(_Touch, RaggedTable):
    """Every overlap of each capsule, the deepest first."""

    depth: Floats
    point: Floats


class Supports(_Target, RaggedTable):
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


class Contacts(_Target, Table):
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


ArrayLike = Union[npt.ArrayLike, Any]
