"""The number of threads."""

from __future__ import annotations

from typing import Optional

from . import _arrays as arrays
from . import _core


def set_threads(threads: Optional[int]) -> None:
    """Sets the number of threads of calls that name none; None for one per core.

    The environment variable CAPSWEEP_THREADS sets it at the start. Answers have the same bits
    with any number of threads.

    >>> set_threads(2)
    >>> get_threads()
    2
    >>> set_threads(None)
    """
    _core.set_threads(arrays.threads(threads) or 0)


def get_threads() -> int:
    """The number of threads of calls that name none."""
    return _core.get_threads()
