"""Tables: columns of equal length, one row for each query or for each thing that was found."""

from __future__ import annotations

import html
from functools import cached_property
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ItemsView, Iterator, Mapping, Optional, TypeVar, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import integer
from ._errors import InputError, optional

ArrayLike = Union[npt.ArrayLike, Any]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]
Keys = npt.NDArray[np.uint64]
Tags = npt.NDArray[np.uint32]


class LazyColumns(Mapping[str, npt.NDArray[Any]]):
    """Columns that are made from the rows of an answer when they are first read."""

    def __init__(self, rows: _core.Rows) -> None:
        #: Number of rows.
        self.count = len(rows)
        self._names = rows.names()
        self._made: dict[str, npt.NDArray[Any]] = {}
        # None once all columns are made.
        self._rows: Optional[_core.Rows] = rows

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        rows = self._rows
        if rows is None or name in self._made:
            return self._made[name]
        # Another thread may make it at the same time: the first one stays.
        return self._made.setdefault(name, rows.column(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def items(self) -> ItemsView[str, npt.NDArray[Any]]:
        """All columns, made in one pass."""
        rows = self._rows
        if rows is not None:
            for name, column in rows.columns().items():
                self._made.setdefault(name, column)
            self._made = {name: self._made[name] for name in self._names}
            self._rows = None
        return self._made.items()

    def __reduce__(self) -> tuple[Any, ...]:
        return (dict, (list(self.items()),))


class Table:
    """Columns of equal length. Each column is an attribute and an item.

    An index, a slice or a mask selects rows: `hits[hits.hit]`, `hits[10:20]`. One integer gives
    one row, with the same attributes.
    """

    _flag = ""

    def __init__(self, columns: Mapping[str, npt.NDArray[Any]]) -> None:
        self._columns = columns

    if not TYPE_CHECKING:  # Checkers shall know only the columns that a class names.

        def __getattr__(self, name: str) -> npt.NDArray[Any]:
            columns = self.__dict__.get("_columns", ())
            if name not in columns:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            return self.__dict__.setdefault(name, columns[name])

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._columns})

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    def to_dict(self) -> dict[str, npt.NDArray[Any]]:
        """The columns by name."""
        return dict(self._columns.items())

    def __len__(self) -> int:
        if isinstance(self._columns, LazyColumns):
            return self._columns.count
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
        if not isinstance(key, slice):
            chosen = np.arange(len(self))[key]
            if chosen.ndim == 0:
                return self.row(int(chosen))
            if chosen.ndim > 1:
                raise InputError(f"the key would select shape {chosen.shape}: rows are selected "
                                 "by an integer, a slice, a mask or a list of integers", "key")
        selected = {name: column[key] for name, column in self._columns.items()}
        return type(self)(selected)

    def __eq__(self, other: object) -> bool:
        """Equal in bits: the same columns with the same bytes."""
        if type(self) is not type(other) or not isinstance(other, Table):
            return NotImplemented
        if self.columns != other.columns:
            return False
        pairs = zip(self.to_dict().values(), other.to_dict().values())
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
        return pd.DataFrame(self._flat())

    def _flat(self) -> dict[str, npt.NDArray[Any]]:
        """The columns, with one for each coordinate of a vector."""
        flat: dict[str, npt.NDArray[Any]] = {}
        for name, column in self._columns.items():
            if column.ndim == 1:
                flat[name] = column
                continue
            width = column.shape[1]
            is_vector = width == 3 and name != "barycentrics"
            for index, part in enumerate("xyz" if is_vector else map(str, range(width))):
                flat[f"{name}_{part}"] = column[:, index]
        return flat

    def __repr__(self) -> str:
        count = len(self)
        text = f"{type(self).__name__}: {count} row{'' if count == 1 else 's'}"
        if self._flag:
            text += f", {int(np.count_nonzero(self._columns[self._flag]))} {self._flag}"
        return f"<{text}; columns {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        shown = min(len(self), 10)
        columns = self.to_dict()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        body = "".join(
            "<tr>"
            + "".join(f"<td>{html.escape(_short(c[i]))}</td>" for c in columns.values())
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

    def __init__(self, columns: Mapping[str, npt.NDArray[Any]]) -> None:
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

    def __eq__(self, other: object) -> bool:
        """Equal in bits, also in queries without a row."""
        equal = super().__eq__(other)
        if equal is not True or not isinstance(other, RaggedTable):
            return equal
        return (np.array_equal(self.counts, other.counts)
                and np.array_equal(self.invalid, other.invalid))

    __hash__ = None

    @cached_property
    def _ascends(self) -> bool:
        return bool((self.query[1:] >= self.query[:-1]).all())

    @property
    def offsets(self) -> Ints:
        """Rows `offsets[i]` to `offsets[i + 1]` answer query i."""
        if not self._ascends:
            raise InputError("the rows were selected in another order than their queries: `of` "
                             "finds those of a query", "offsets")
        return np.concatenate(([0], np.cumsum(self.counts)))

    def of(self: "RaggedType", query: int) -> "RaggedType":
        """The rows of one query, in the order of this table."""
        number = integer("query", query, np.int64)
        if not 0 <= number < len(self.counts):
            raise InputError(f"query is {number}: it must be 0 to {len(self.counts) - 1}",
                             "query", None, float(number))
        if not self._ascends:
            some: RaggedType = self[self.query == number]
            return some
        first, end = np.searchsorted(self.query, (number, number + 1))
        found: RaggedType = self[int(first):int(end)]
        return found


RaggedType = TypeVar("RaggedType", bound=RaggedTable)
