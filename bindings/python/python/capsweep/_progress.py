"""Progress of long builds: a bar of tqdm that shows the seconds so far."""

from __future__ import annotations

import sys
import threading
from typing import Any, Callable, Optional, TypeVar

from ._errors import MissingPackageError, optional

Answer = TypeVar("Answer")

#: Seconds of work before a bar appears by itself.
DELAY = 1.0


def run(label: str, work: Callable[[], Answer], progress: Optional[bool]) -> Answer:
    """Runs `work`, which releases the interpreter's lock, under a bar.

    None shows a bar on a terminal, if tqdm is installed and the work takes longer than a second.
    """
    if progress is None:
        if not sys.stderr.isatty():
            return work()
        try:
            bars = optional("tqdm.auto", "tqdm", "a progress bar")
        except MissingPackageError:
            return work()
    elif progress:
        bars = optional("tqdm.auto", "tqdm", "progress=True")
    else:
        return work()
    return _watch(label, work, bars, 0.0 if progress else DELAY)


def _watch(label: str, work: Callable[[], Answer], bars: Any, delay: float) -> Answer:
    answers: list[Answer] = []
    errors: list[BaseException] = []

    def worker() -> None:
        try:
            answers.append(work())
        except BaseException as error:  # raised again below, in the caller's thread
            errors.append(error)

    thread = threading.Thread(target=worker, name="capsweep-build", daemon=True)
    thread.start()
    thread.join(delay)
    if thread.is_alive() or not delay:
        with bars.tqdm(desc=label, bar_format="{desc}: {elapsed}", leave=False) as bar:
            while thread.is_alive():
                thread.join(0.1)
                bar.refresh()
    if errors:
        raise errors[0]
    return answers[0]
