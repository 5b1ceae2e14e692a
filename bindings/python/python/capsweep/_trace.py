"""Traces: every step of a crowd with what it depends on, to be replayed."""

from __future__ import annotations

import json
import os
from types import SimpleNamespace
from typing import Any, Optional, Union

from . import _arrays as arrays
from . import _core
from ._errors import InputError, InputTypeError, LoadError
from ._scene import Scene

VERSION = 1


class Trace:
    """Recorded steps. In the same scene a replay gives the same bits.

    >>> from capsweep import Crowd, course
    >>> scene, trace = course(), Trace()
    >>> crowd = Crowd(scene, [(0, 0, 0)])
    >>> for _ in range(10):
    ...     moves = crowd.tick(walk=(2, 0, 0), dt=1 / 60, trace=trace)
    >>> len(trace), trace.replay(scene)
    (10, {})
    """

    def __init__(self) -> None:
        #: "tick" or "move"; None before the first step.
        self.kind: Optional[str] = None
        self._lines: list[str] = []

    @staticmethod
    def check(trace: object, kind: str) -> None:
        """Raises if steps of this kind cannot be recorded into `trace`."""
        if not isinstance(trace, Trace):
            raise InputTypeError(f"trace is {type(trace).__name__}: it must be a Trace", "trace")
        if trace.kind not in (None, kind):
            raise InputError(f"trace has {trace.kind}s: record {kind}s into another one", "trace")

    def _add(self, kind: str, lines: list[str]) -> None:
        self.kind = kind
        self._lines.extend(lines)

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, index: int) -> Any:
        """One step: configuration, state, input and outcome."""
        return json.loads(self._lines[index])

    def replay(self, scene: Scene, *, threads: Optional[int] = None) -> dict[int, list[str]]:
        """Makes every step again and returns the differences by number of the step: none in the
        same scene."""
        if not isinstance(scene, Scene):
            raise InputTypeError(f"scene is {type(scene).__name__}: it must be a Scene", "scene")
        ticks = self.kind == "tick"
        found = _core.replay(scene._core, self._lines, ticks, arrays.threads(threads))
        return {index: lines for index, lines in enumerate(found) if lines}

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the trace as lines of JSON."""
        head = {"capsweep_python_trace": VERSION, "kind": self.kind, "steps": len(self)}
        path = arrays.path("path", path)
        partial = f"{path}.part"
        with open(partial, "w", encoding="utf-8") as file:
            file.write("\n".join([json.dumps(head), *self._lines]) + "\n")
        os.replace(partial, path)

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Trace":
        """Reads a trace of `save`, or one of `capsweep walk --trace`."""
        path = arrays.path("path", path)
        with open(path, encoding="utf-8") as file:
            try:
                lines = file.read().splitlines()
            except UnicodeDecodeError as error:
                raise LoadError(f"{path}: no trace: {error}") from error
        trace = cls()
        head = _head(lines[0] if lines else "", path)
        trace.kind, trace._lines = head.kind, lines[1:]
        if len(trace) != head.steps:
            raise LoadError(f"{path}: {len(trace)} steps of {head.steps}: the file is cut off")
        return trace


def _head(line: str, path: str) -> SimpleNamespace:
    try:
        head = json.loads(line)
        if (head.get("capsweep_python_trace") == VERSION
                and head["kind"] in (None, "tick", "move")):
            return SimpleNamespace(kind=head["kind"], steps=head["steps"])
        if head.get("capsweep_trace") == 3:
            return SimpleNamespace(kind="move", steps=head["moves"])
    except (ValueError, AttributeError, KeyError, RecursionError):
        pass
    raise LoadError(f"{path}: no trace that this version reads")
