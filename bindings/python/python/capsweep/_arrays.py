"""Checks of arguments: types and shapes are told, never guessed.

Every function returns an array with one row, which serves all rows of a call, or with as many as
the call. Arrays that have the right type are not copied, whatever their strides, if these are
multiples of the item size.
"""

from __future__ import annotations

import os
from typing import Any, Optional, Sequence

import numpy as np
import numpy.typing as npt

from ._errors import InputError, InputTypeError

Floats = npt.NDArray[np.float64]


def array(name: str, value: object) -> npt.NDArray[Any]:
    """The value as an array of any type."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise InputError(f"{name} has masked values: fill them, or drop these rows", name)
    try:
        # Also a column or frame of pandas, a column of pyarrow: its nulls become NaN.
        return np.asarray(value)
    except (ValueError, TypeError, NotImplementedError) as error:
        raise InputError(f"{name} is no array: {error}", name) from error


def aligned(found: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, copied if its strides are no multiples of its items, as in records: the native
    half counts strides in items."""
    return found if found.flags.aligned else found.copy()


def real(name: str, value: object) -> Floats:
    """Real numbers as float64. Integers and narrower floats convert without loss."""
    found = array(name, value)
    kind, size = found.dtype.kind, found.dtype.itemsize
    if kind not in "fiu" or (kind == "f" and size > 8):
        raise InputTypeError(
            f"{name} has dtype {found.dtype}: it must be float64, or convert to it without loss",
            name,
        )
    if kind in "iu" and size == 8 and found.size:
        # Beyond 2^53, float64 skips integers.
        worst = int(max(abs(int(found.min())), abs(int(found.max()))))
        if worst > 2**53:
            raise InputError(f"{name} has {worst}: float64 does not hold it exactly", name)
    return aligned(found.astype(np.float64, copy=False))


def vectors(name: str, value: object, width: int = 3) -> Floats:
    """Rows of `width` numbers: shape (width,) or (n, width)."""
    found = real(name, value)
    if isinstance(value, (list, tuple)) and len(value) == 0:
        return found.reshape(0, width)
    if found.ndim == 1 and found.shape[0] == width:
        return found.reshape(1, width)
    if found.ndim == 2 and found.shape[1] == width:
        return found
    raise InputError(
        f"{name} has shape {found.shape}: it must be ({width},) or (n, {width})", name
    )


def vector(name: str, value: object) -> list[float]:
    """One vector of three numbers."""
    found = real(name, value)
    if found.shape != (3,):
        raise InputError(f"{name} has shape {found.shape}: it must be (3,)", name)
    return [float(number) for number in found]


def numbers(name: str, value: object) -> Floats:
    """One number for each row: shape () or (n,)."""
    found = real(name, value)
    if found.ndim > 1:
        raise InputError(f"{name} has shape {found.shape}: it must be () or (n,)", name)
    return np.atleast_1d(found)


def number(name: str, value: object) -> float:
    """One number."""
    found = real(name, value)
    if found.ndim != 0:
        raise InputError(f"{name} has shape {found.shape}: it must be one number", name)
    return float(found)


#: The flag of a default, checked already.
NO = np.zeros(1, np.bool_)
NO.flags.writeable = False


def flags(name: str, value: object) -> npt.NDArray[np.bool_]:
    """One flag for each row."""
    if value is False:
        return NO
    found = array(name, value)
    if found.size == 0:
        found = found.astype(np.bool_)
    if found.dtype != np.bool_:
        raise InputTypeError(f"{name} has dtype {found.dtype}: it must be bool", name)
    if found.ndim > 1:
        raise InputError(f"{name} has shape {found.shape}: it must be () or (n,)", name)
    return np.atleast_1d(proper(found))


def flag(name: str, value: object) -> bool:
    """One flag for the whole call."""
    if not isinstance(value, (bool, np.bool_)):
        kind = type(value).__name__
        raise InputTypeError(f"{name} is {kind}: it must be True or False", name)
    return bool(value)


def proper(found: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The flags with a byte of 0 or 1 each: numpy also takes others for true."""
    return np.not_equal(found.view(np.uint8), 0)


def integers(name: str, value: object, dtype: Any, ndim: int = 1) -> npt.NDArray[Any]:
    """Integers that fit a type."""
    found = array(name, value)
    if found.size == 0:
        # An empty list has no type of its own.
        found = np.zeros(found.shape, np.int64)
    if found.dtype.kind not in "iu":
        # Integers beyond 64 bits are objects.
        if found.dtype.kind != "O" or not all(type(item) is int for item in found.flat):
            raise InputTypeError(f"{name} has dtype {found.dtype}: it must be integers", name)
    if found.ndim > ndim:
        raise InputError(f"{name} has shape {found.shape}: it has too many dimensions", name)
    limits = np.iinfo(dtype)
    if found.size and (int(found.min()) < limits.min or int(found.max()) > limits.max):
        bad = (found < limits.min) | (found > limits.max)
        place = np.unravel_index(int(np.argmax(bad)), found.shape)
        value_of = int(found[place])
        row: Optional[int] = int(place[0]) if place else None
        at = f"[{', '.join(str(part) for part in place)}]" if place else ""
        raise InputError(
            f"{name}{at} is {shown(value_of)}: it must be {limits.min} to {limits.max}",
            name, row, as_float(value_of),
        )
    if found.dtype.kind == "O":
        raise InputTypeError(f"{name} has dtype {found.dtype}: it must be integers", name)
    return np.atleast_1d(aligned(found.astype(dtype, copy=False)))


def as_float(value: int) -> float:
    """The nearest float; infinite beyond its range."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def shown(value: int) -> str:
    """An integer in a message. Python refuses to write those of thousands of digits."""
    if value.bit_length() <= 256:
        return str(value)
    return f"an integer of {value.bit_length()} bits"


def integer(name: str, value: object, dtype: Any) -> int:
    """One integer that fits a type."""
    found = integers(name, value, dtype)
    if len(found) != 1:
        raise InputError(f"{name} has {len(found)} rows: it must be one integer", name)
    return int(found[0])


def codes(name: str, value: object, low: int, high: int) -> npt.NDArray[np.int64]:
    """One code for each row, `low` to `high`."""
    found = integers(name, value, np.int64)
    bad = (found < low) | (found > high)
    if bad.any():
        index = int(np.argmax(bad))
        at = f"[{index}]" if len(found) > 1 else ""
        raise InputError(f"{name}{at} is {found[index]}: it must be {low} to {high}", name,
                         index if at else None, float(found[index]))
    return found


def choice(name: str, value: object, choices: Sequence[str]) -> int:
    """The number of a word in a list."""
    if isinstance(value, str) and value in choices:
        return choices.index(value)
    names = ", ".join(repr(word) for word in choices)
    raise InputError(f"{name} is {value!r}: it must be one of {names}", name)


def rows(**columns: Optional[npt.NDArray[Any]]) -> int:
    """The number of rows of a call: that of the columns that have not one row."""
    count, of = 1, ""
    for name, column in columns.items():
        if column is None or len(column) == 1:
            continue
        if of and len(column) != count:
            raise InputError(
                f"{name} has {len(column)} rows and {of} has {count}: "
                "each must have one row or as many as the others",
                name,
            )
        count, of = len(column), name
    return count


def path(name: str, value: object, what: str = "a file") -> str:
    """The whole name of a file or folder."""
    if not isinstance(value, (str, os.PathLike)) or not isinstance(os.fspath(value), str):
        raise InputTypeError(f"{name} is {value!r}: it must be the name of {what}", name)
    found: str = os.path.abspath(os.fspath(value))
    if "\0" in found:
        raise InputError(f"{name} is {value!r}: a name has no zero byte", name)
    try:
        os.fsencode(found)
    except UnicodeEncodeError as error:
        raise InputError(f"{name} is {value!r}: no name of a file: {error}", name) from error
    return found


def threads(value: Optional[int]) -> Optional[int]:
    """A number of threads; None for the number that `set_threads` set."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise InputTypeError(f"threads is {value!r}: it must be an integer", "threads")
    number = int(value)
    if not 1 <= number <= 1024:
        message = f"threads is {shown(number)}: it must be 1 to 1024"
        raise InputError(message, "threads", None, as_float(number))
    return number
