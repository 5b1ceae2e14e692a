"""The exceptions of this package."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Container, Iterator, Optional


class CapsweepError(Exception):
    """Base class of the exceptions of this package."""


class InputError(CapsweepError, ValueError):
    """A value that cannot be used: which argument, which row, which number.

    Attributes:
        argument: name of the argument.
        index: its row, or None if one value serves all rows.
        value: the number, or None if the error is not about one number.
    """

    def __init__(
        self,
        message: str,
        argument: str = "",
        index: Optional[int] = None,
        value: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.argument = argument
        self.index = index
        self.value = value

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (str(self), self.argument, self.index, self.value))


class InputTypeError(InputError, TypeError):
    """An argument of a type that is not converted, such as text or complex numbers."""


class LoadError(CapsweepError, ValueError):
    """A file that is damaged, too large or of an unknown format."""


class SceneError(CapsweepError, LookupError):
    """A body that the scene does not have, or that cannot be changed like this."""


class MissingPackageError(CapsweepError, ImportError):
    """An optional package that is not installed."""


@contextmanager
def renamed(given: str, wanted: str, rows: Any = None) -> Iterator[None]:
    """Names an argument in errors as the caller knows it, and its row as `rows` maps it."""
    try:
        yield
    except InputError as error:
        if error.argument != given:
            raise
        text, index = str(error), error.index
        if text.startswith(given):
            text = wanted + text[len(given):]
        if index is not None and rows is not None:
            mapped = int(rows[index])
            text, index = text.replace(f"[{index}]", f"[{mapped}]", 1), mapped
        raise type(error)(text, wanted, index, error.value) from None


@contextmanager
def rows_of(names: Container[str], rows: Any) -> Iterator[None]:
    """Numbers the rows of these arguments in errors as the caller does: row i is its `rows[i]`."""
    try:
        yield
    except InputError as error:
        if error.index is None or error.argument not in names:
            raise
        given, wanted = error.index, int(rows[error.index])
        text = str(error).replace(f"[{given}]", f"[{wanted}]", 1)
        raise type(error)(text, error.argument, wanted, error.value) from None


def optional(module: str, package: str, purpose: str) -> object:
    """Imports an optional module, or says how to install it."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingPackageError(
            f"{purpose} needs {package}: pip install {package} ({error})"
        ) from error
