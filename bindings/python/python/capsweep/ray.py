"""Queries and validation over Ray Data, for more rows than one machine should answer.

Each class is a callable for `Dataset.map_batches(..., batch_format="pyarrow")`. A worker opens the
scene once; batches are Arrow tables; an answer is the input with the result's columns added, row
by row. Needs `pip install capsweep[ray]`.

    import ray, capsweep.ray

    ds = ray.data.read_parquet("sweeps/").map_batches(
        capsweep.ray.Sweep, fn_constructor_args=["level.capsweep"],
        fn_constructor_kwargs={"radius": 0.4, "height": 1.8},
        batch_format="pyarrow", compute=ray.data.ActorPoolStrategy(size=2))
    ds.write_parquet("hits/")

The classes work without a cluster too: `Sweep("level.capsweep", radius=0.4)(table)` answers a
`pyarrow.Table` in this process, with the same bits.
"""

from __future__ import annotations

import sys
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _arguments as arguments
from . import _arrays as arrays
from ._answers import Verdicts
from ._arguments import ALL
from ._codes import Mode
from ._config import ControllerConfig, LocomotionConfig, ValidatorConfig
from ._core import MAX_POSITION
from ._errors import InputError, InputTypeError, LoadError, optional, rows_of
from ._scene import Path, Scene
from ._scene import open as open_scene
from ._table import Table
from ._validate import Validator

__all__ = ["Closest", "Overlap", "RayCast", "Sweep", "Validate", "ValidateChains"]

# The kinds of argument that a column can hold.
_VECTOR, _NUMBER, _INTEGER = "vector", "number", "integer"
_CAPSULE = {"p0": _VECTOR, "p1": _VECTOR, "radius": _NUMBER, "feet": _VECTOR, "height": _NUMBER,
            "up": _VECTOR, "mask": _INTEGER}
VECTORS = ("list", "columns")
# Of the columns of integers: the least, the greatest, and what takes the place of a marked one.
_INTEGERS = {"mask": (0, ALL, ALL), "ignore": (-2**63, 2**63 - 1, -1),
             "mode": (-1, max(Mode), -1), "world": (0, 2**64 - 1, 0)}


class _Mapper:
    """Reads arguments from columns and adds the columns of answers.

    Args:
        scene: path of a file that `capsweep.open` reads, on every node; or a `Scene`, which
            travels by its path, or whole if no file has its content. A worker opens it once. Scene
            and map files are mapped: workers of one node share the memory.
        columns: names of columns that differ from the names of arguments, such as
            `{"motion": "displacement"}`.
        results: columns of the answer to keep; by default all.
        prefix: put before the names of the answer's columns.
        vectors: "list" for vectors as lists of fixed size, such as `point`; "columns" for three
            columns, such as `point_x`.
        invalid: "raise" an `InputError`, which ends the job, or "mark" rows with bad numbers in
            the column `invalid`.
        threads: threads of a worker; by default the processors that Ray gives it (`num_cpus`).
        up_axis, unit: as `up` and `unit` of `capsweep.open`.
        options: constants for arguments of the query, such as `radius=0.4`. They take the place
            of columns.

    A vector is a column of lists (of fixed size or not), of structs with x, y and z, a tensor
    column of Ray, or three columns with the endings _x, _y and _z. A null is a bad number, and so
    is an integer out of range.
    """

    #: Arguments that are read from columns, and their kinds.
    _from_columns: Mapping[str, str] = {}
    #: Arguments that must be there.
    _required: tuple[str, ...] = ()
    #: Other keywords of the query.
    _keywords: tuple[str, ...] = ("sides", "bodies")

    def __init__(
        self,
        scene: Union[Path, Scene],
        *,
        columns: Optional[Mapping[str, str]] = None,
        results: Optional[Sequence[str]] = None,
        prefix: str = "",
        vectors: str = "list",
        invalid: str = "raise",
        threads: Optional[int] = None,
        up_axis: Optional[str] = None,
        unit: Optional[float] = None,
        **options: Any,
    ) -> None:
        self._arrow: Any = optional("pyarrow", "pyarrow", "capsweep.ray")
        self.columns = dict(columns or {})
        for name in self.columns:
            if name not in self._from_columns:
                known = ", ".join(self._from_columns)
                raise InputError(f"columns names {name!r}: the arguments are {known}", "columns")
        for name in options:
            if name not in self._from_columns and name not in self._keywords:
                known = ", ".join((*self._from_columns, *self._keywords))
                raise InputTypeError(
                    f"{type(self).__name__} has no argument {name!r}: there are {known}", name
                )
        arrays.choice("vectors", vectors, VECTORS)
        arrays.choice("invalid", invalid, arguments.INVALID)
        self.options, self.prefix, self.vectors = options, str(prefix), vectors
        self.results = None if results is None else tuple(results)
        self.mark = invalid == "mark"
        self.threads = _assigned_threads() if threads is None else arrays.threads(threads)
        self.scene = scene if isinstance(scene, Scene) else _open(scene, up_axis, unit)

    # Reading.

    def _arguments(self, table: Any) -> tuple[dict[str, Any], npt.NDArray[np.bool_]]:
        """The arguments that the table's columns and the constants give; and, where rows are
        marked, those with bad integers, which have others in their place."""
        bad = np.zeros(table.num_rows, bool)
        found: dict[str, Any] = {}
        for name, kind in self._from_columns.items():
            if name in self.options:
                found[name] = _repeated(self.options[name], table.num_rows)
                continue
            column = self._column(table, name, self.columns.get(name, name), kind)
            if column is not None and kind == _INTEGER:
                column, wrong = self._integers(name, column)
                bad |= wrong
            if column is not None:
                found[name] = column
            elif name in self.columns:
                raise self._missing(table, name)
        for name in self._required:
            if name not in found:
                raise self._missing(table, name)
        return found, bad

    def _missing(self, table: Any, name: str) -> InputError:
        column = self.columns.get(name, name)
        there = ", ".join(table.column_names)
        more = f", or {column}_x, {column}_y and {column}_z," if (
            self._from_columns[name] == _VECTOR) else ""
        return InputError(
            f"the column {column!r}{more} is missing: there are {there}. `columns` renames, "
            f"and a constant {name}= takes its place", name
        )

    def _column(self, table: Any, name: str, column: str, kind: str) -> Any:
        names = table.column_names
        if kind == _VECTOR:
            parts = [f"{column}_{axis}" for axis in "xyz"]
            if column in names:
                return self._vectors(name, _whole(table.column(column)))
            if all(part in names for part in parts):
                return np.stack([self._numbers(part, table.column(part)) for part in parts], 1)
            return None
        if column not in names:
            return None
        found = table.column(column)
        return found if kind == _INTEGER else self._numbers(name, found)

    def _integers(self, name: str, column: Any) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        """The integers, and the rows whose own is bad. If rows are not marked, these raise."""
        flat, types = _whole(column), self._arrow.types
        low, high, other = _INTEGERS[name]
        if not types.is_integer(flat.type) and not types.is_null(flat.type):
            raise InputTypeError(f"the column of {name} has type {flat.type}: it must be integers",
                                 name)
        bad = np.asarray(flat.is_null())
        if bad.any() and not self.mark:
            row = int(np.argmax(bad))
            raise InputError(f"{name}[{row}] is null: it must be an integer", name, row)
        if types.is_null(flat.type):
            return np.full(len(flat), other), bad
        numbers = np.asarray((flat.fill_null(0) if bad.any() else flat).to_numpy())
        if self.mark:
            bad = bad | (numbers < low) | (numbers > high)
            if bad.any():
                # -1 and 2⁶⁴ - 1 share no type of numpy but objects.
                good = numbers[~bad]
                numbers = np.full(len(bad), other, np.uint64 if high >= 2**63 else np.int64)
                numbers[~bad] = good
        return numbers, bad

    def _numbers(self, name: str, column: Any) -> npt.NDArray[Any]:
        flat = _whole(column)
        types = self._arrow.types
        right = types.is_integer(flat.type) or (
            types.is_floating(flat.type) or types.is_null(flat.type))
        if not right:
            raise InputTypeError(f"the column of {name} has type {flat.type}: it must be numbers",
                                 name)
        # The values of nulls become NaN, a bad number.
        if flat.null_count:
            flat = flat.cast(self._arrow.float64())
        return np.asarray(flat.to_numpy(zero_copy_only=False))

    def _vectors(self, name: str, column: Any) -> npt.NDArray[Any]:
        pa = self._arrow
        if isinstance(column.type, pa.ExtensionType):
            # A tensor column of Ray stores lists.
            column = column.storage
        types, rows = pa.types, len(column)
        if types.is_struct(column.type):
            parts = [column.type.get_field_index(axis) for axis in "xyz"]
            if min(parts) < 0:
                raise InputTypeError(f"{name} has type {column.type}: it needs x, y and z", name)
            # flatten() keeps the nulls of the rows, field() does not.
            flat = column.flatten()
            return np.stack([self._numbers(name, flat[part]) for part in parts], 1)
        if types.is_fixed_size_list(column.type):
            if column.type.list_size != 3:
                raise InputTypeError(f"{name} has type {column.type}: it needs 3 numbers", name)
            good = None if column.null_count == 0 else ~np.asarray(column.is_null())
        elif types.is_list(column.type) or types.is_large_list(column.type):
            compute: Any = optional("pyarrow.compute", "pyarrow", "capsweep.ray")
            sizes = compute.fill_null(compute.list_value_length(column), 0)
            good = np.asarray(sizes) == 3
            if good.all():
                good = None
            elif not self.mark:
                row = int(np.argmin(good))
                raise InputError(f"{name}[{row}] is {column[row]}: it needs 3 numbers", name, row)
        else:
            raise InputTypeError(
                f"{name} has type {column.type}: it must be lists of 3 numbers, structs of x, y "
                "and z, or three columns", name
            )
        if good is None:
            return self._numbers(name, column.flatten()).reshape(rows, 3)
        vectors = np.full((rows, 3), np.nan)
        chosen = column.filter(pa.array(good)).flatten()
        vectors[good] = self._numbers(name, chosen).reshape(-1, 3)
        return vectors

    # Answering.

    def _answer(self, found: dict[str, Any], bad: npt.NDArray[np.bool_], table: Any) -> Table:
        raise NotImplementedError

    def __call__(self, table: Any) -> Any:
        """The table with the columns of the answers."""
        if not isinstance(table, self._arrow.Table):
            raise InputTypeError(
                f"a batch is {type(table).__name__}: it must be a pyarrow.Table; give "
                'map_batches batch_format="pyarrow"', "table"
            )
        try:
            answer = self._answer(*self._arguments(table), table)
        except InputError as error:
            raise self._located(error, table) from error
        return self._joined(table, answer)

    def _located(self, error: InputError, table: Any) -> InputError:
        """The error, with the content of its row: its number is that in one batch."""
        index = error.index
        if index is None and error.value is not None and table.num_rows == 1:
            # A query does not number its only row.
            index = 0
        if index is None or not 0 <= index < table.num_rows:
            return error
        cells = {name: table.column(name)[index].as_py() for name in table.column_names}
        text = f"{error}; the row is {cells}"
        if not self.mark and error.argument in self._from_columns:
            text += '. invalid="mark" marks such rows'
        return type(error)(text, error.argument, index, error.value)

    def _joined(self, table: Any, answer: Table) -> Any:
        if self.results is not None:
            for name in self.results:
                if name not in answer.columns:
                    known = ", ".join(answer.columns)
                    raise InputError(f"results names {name!r}: there are {known}", "results")
            answer = Table({name: answer[name] for name in self.results})
        taken = set(table.column_names)
        for name, column in self._result_columns(answer):
            if name in taken:
                raise InputError(
                    f"the input has a column {name!r} as the answer has: give the answer's a "
                    "prefix, such as prefix=\"hit_\"", "prefix"
                )
            table = table.append_column(name, column)
        return table

    def _result_columns(self, answer: Table) -> list[tuple[str, Any]]:
        if not answer.columns:
            return []
        if self.vectors == "columns":
            answer = Table(answer._flat())
        lists = answer.to_arrow()
        return [(self.prefix + name, lists.column(name)) for name in lists.column_names]


class _CapsuleMapper(_Mapper):
    _query = ""

    def _answer(self, found: dict[str, Any], bad: npt.NDArray[np.bool_], table: Any) -> Table:
        keywords = {name: self.options[name] for name in self._keywords if name in self.options}
        if bad.any():
            # A bad number in one argument marks the row.
            first = self._required[0]
            found[first] = np.array(found[first], np.float64)
            found[first][bad] = np.nan
        answer: Table = getattr(self.scene, self._query)(
            **found, **keywords, invalid="mark" if self.mark else "raise", threads=self.threads)
        return answer


class Sweep(_CapsuleMapper):
    """The first touch of each moving capsule: `Scene.sweep`.

    Columns, or constants: `motion`; `radius`; `p0` and `p1`, or `feet` and `height`; if there
    are any, `up`, `mask` and `ignore`. Further keywords: `sides`, `bodies`, `start_overlaps`.
    """

    _query = "sweep"
    _from_columns = {**_CAPSULE, "motion": _VECTOR, "ignore": _INTEGER}
    _required = ("radius", "motion")
    _keywords = ("sides", "bodies", "start_overlaps")


class Overlap(_CapsuleMapper):
    """The deepest overlap of each capsule: `Scene.overlap`. Columns as those of `Sweep`, without
    `motion` and `ignore`."""

    _query = "overlap"
    _from_columns = _CAPSULE
    _required = ("radius",)


class Closest(_CapsuleMapper):
    """The closest points of each capsule and the scene: `Scene.closest`. Columns as those of
    `Overlap`, and `limit`."""

    _query = "closest"
    _from_columns = {**_CAPSULE, "limit": _NUMBER}
    _required = ("radius",)


class RayCast(_CapsuleMapper):
    """The first surface on each ray: `Scene.ray`. Columns `origin` and `motion`; `mask`."""

    _query = "ray"
    _from_columns = {"origin": _VECTOR, "motion": _VECTOR, "mask": _INTEGER}
    _required = ("origin", "motion")


class _ClaimMapper(_Mapper):
    """What validation of single moves and of chains have in common."""

    _claim = {"feet": _VECTOR, "dt": _NUMBER, "server_dt": _NUMBER, "velocity": _VECTOR,
              "mode": _INTEGER, "world": _INTEGER}
    _keywords = ("world_id", "water", "mask", "speeds")

    def __init__(
        self,
        scene: Union[Path, Scene],
        *,
        config: Optional[ControllerConfig] = None,
        locomotion: Optional[LocomotionConfig] = None,
        validation: Optional[ValidatorConfig] = None,
        **options: Any,
    ) -> None:
        super().__init__(scene, **options)
        self.validator = Validator(config, locomotion, validation)

    def _check(self, found: dict[str, Any], **more: Any) -> Verdicts:
        keywords = {name: self.options[name] for name in self._keywords if name in self.options}
        return self.validator.check(self.scene, **found, **keywords, **more, threads=self.threads)


class Validate(_ClaimMapper):
    """Judges moves that stand alone: could a character get from `start` to `feet` in `dt` seconds?

    Columns: `start`, `feet` and `dt`; if there are any, `start_velocity`, `server_dt`, `velocity`,
    `mode` and `world`, as in `Validator.check`. Keywords: `config`, `locomotion`, `validation`,
    `speeds`, `water`, `mask`, `world_id`. The result has the columns of `Verdicts`.

    Every row is judged with the full credit of a character that just logged in. That raises no
    false alarm. But cheats that stay within the allowances of each row show only in chains:
    `ValidateChains`.

    A bad number in a claim is a verdict, `Reason.INVALID_NUMBER`. One in `start` is an error, or
    marked: its verdict is -1.
    """

    _from_columns = {**_ClaimMapper._claim, "start": _VECTOR, "start_velocity": _VECTOR}
    _required = ("start", "feet", "dt")

    def _answer(self, found: dict[str, Any], bad: npt.NDArray[np.bool_], table: Any) -> Table:
        rows = table.num_rows
        if self.mark:
            bad = bad | _bad_starts(found)
            found = {name: value[~bad] for name, value in found.items()}
        kept = rows - int(np.count_nonzero(bad))
        with rows_of(found, np.flatnonzero(~bad)):
            columns = self._check(found, character=np.arange(kept)).to_dict()
        if kept < rows:
            columns = {name: _spread(name, column, ~bad) for name, column in columns.items()}
        return Table({**columns, "invalid": bad})


class ValidateChains(_ClaimMapper):
    """Judges logs of moves, each character's from its first row on: `Validator.check`.

    A batch must hold all rows of its characters, which `groupby` makes sure of:

        ds.groupby("character").map_groups(
            capsweep.ray.ValidateChains, fn_constructor_args=["level.capsweep"],
            fn_constructor_kwargs={"order": "tick"}, batch_format="pyarrow",
            compute=ray.data.ActorPoolStrategy(size=2))

    Columns: `character`, `feet` and `dt`; if there are any, `server_dt`, `velocity`, `mode` and
    `world`. The first row of a character is its start, and counts as possible: with any velocity,
    if it is in the air.

    Args:
        order: column whose values ascend with time in the rows of a character; by default rows
            are in the order of time. Rows of the answer are in the order of the input.
        put_back: as in `Validator.check`.
    """

    _from_columns = _ClaimMapper._claim
    _required = ("feet", "dt")

    def __init__(
        self,
        scene: Union[Path, Scene],
        *,
        character: str = "character",
        order: Optional[str] = None,
        put_back: bool = True,
        **options: Any,
    ) -> None:
        super().__init__(scene, **options)
        self.character, self.order = character, order
        self.put_back = arrays.flag("put_back", put_back)

    @staticmethod
    def _named(table: Any, name: str, column: str) -> npt.NDArray[Any]:
        if column not in table.column_names:
            there = ", ".join(table.column_names)
            raise InputError(f"the column {column!r} is missing: there are {there}", name)
        flat = _whole(table.column(column))
        if flat.null_count:
            row = int(np.argmax(np.asarray(flat.is_null())))
            raise InputError(f"{column}[{row}] is null: each row needs one", name, row)
        try:
            # Ranks: text and dates sort too.
            _, ranks = np.unique(flat.to_numpy(zero_copy_only=False), return_inverse=True)
        except (TypeError, ValueError) as error:
            raise InputTypeError(f"the column {column!r} of type {flat.type} cannot be sorted: "
                                 f"{error}", name) from error
        return np.asarray(ranks.reshape(-1), np.int64)

    def _answer(self, found: dict[str, Any], bad: npt.NDArray[np.bool_], table: Any) -> Table:
        rows = table.num_rows
        chains = self._named(table, "character", self.character)
        time = np.arange(rows) if self.order is None else self._named(table, "order", self.order)
        order = np.lexsort((time, chains))
        found = {name: value[order] for name, value in found.items()}
        chains, bad = chains[order], bad[order]
        if self.mark:
            # A chain whose first row is bad starts at its first good row.
            good = ~_bad_starts({"start": found["feet"]}) & ~bad
            number = np.cumsum(good)
            first = np.searchsorted(chains, chains)
            before = np.where(first > 0, number[np.maximum(first - 1, 0)], 0)
            bad = bad | (number == before)
        kept = {name: value[~bad] for name, value in found.items()}
        with rows_of(kept, order[~bad]):
            verdicts = self._check(kept, character=chains[~bad], put_back=self.put_back).to_dict()
        back = np.empty(rows, np.int64)
        back[order] = np.arange(rows)
        columns = {
            name: _spread(name, column, ~bad)[back] for name, column in verdicts.items()
        }
        return Table({**columns, "invalid": bad[back]})


def _open(path: Path, up: Optional[str], unit: Optional[float]) -> Scene:
    """Maps scene files; other levels are read."""
    if up is None and unit is None:
        try:
            return open_scene(path, mapped=True, progress=False)
        except LoadError:
            # Not a scene file. If it is damaged, the next call says how.
            pass
    return open_scene(path, up=up, unit=unit, progress=False)


def _assigned_threads() -> Optional[int]:
    """One thread for each processor that Ray gave this worker; None outside of workers."""
    # A worker has imported Ray. Elsewhere it is not worth the seconds.
    ray = sys.modules.get("ray")
    if ray is None or not ray.is_initialized():
        return None
    context = ray.get_runtime_context()
    if context.worker.mode != ray.WORKER_MODE:
        return None
    cpus = context.get_assigned_resources().get("CPU", 1)
    return max(1, int(cpus))


def _whole(column: Any) -> Any:
    """A column in one piece, without a copy if it has one chunk."""
    if not hasattr(column, "chunks"):
        return column
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _repeated(constant: Any, rows: int) -> npt.NDArray[Any]:
    """A constant for each row, without a copy."""
    found = np.asarray(constant)
    return np.broadcast_to(found, (rows, *found.shape))


def _bad_starts(found: Mapping[str, Any]) -> npt.NDArray[np.bool_]:
    """Rows from which no chain can start."""
    inside = np.abs(found["start"]) <= MAX_POSITION
    bad: npt.NDArray[np.bool_] = ~np.asarray(inside.all(axis=1))
    velocity = found.get("start_velocity")
    if velocity is not None:
        # A row of NaN is an unknown velocity.
        unknown = np.isnan(velocity).all(axis=1)
        bad |= ~unknown & ~(np.abs(velocity) <= MAX_POSITION).all(axis=1)
    return bad


def _spread(name: str, column: npt.NDArray[Any], good: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
    """The column with empty cells where no row was judged."""
    empty: Any = np.nan if column.dtype.kind == "f" else 0 if name == "queries" else -1
    whole = np.full((len(good), *column.shape[1:]), empty, column.dtype)
    whole[good] = column
    return whole
