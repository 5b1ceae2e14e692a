"""Map files: made from the folders of a game server, and checked."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace
from typing import Any, Callable, Optional, Union

import numpy as np

from . import _arrays as arrays
from . import _core
from ._errors import InputError, InputTypeError, MissingPackageError, optional

Path = Union[str, "os.PathLike[str]"]

#: Meanings of the liquid bits in .map files.
LIQUID_BITS = ("mangos", "trinity")


def _folder(name: str, path: Optional[Path], out: str) -> Optional[str]:
    if path is None:
        return None
    found = arrays.path(name, path, "a folder")
    if os.path.realpath(os.path.dirname(out)) == os.path.realpath(found):
        raise InputError(f"{out} lies in {found}, which the import reads: write to another folder",
                         "path")
    return found


def import_map(
    path: Path,
    map: int,  # noqa: A002 - the name that users expect
    *,
    vmaps: Optional[Path] = None,
    maps: Optional[Path] = None,
    parent: Optional[int] = None,
    liquids: Optional[str] = None,
    double_sided: bool = False,
    threads: Optional[int] = None,
    progress: Optional[bool] = None,
) -> dict[str, Any]:
    """Makes a map file from the folders of a game server, as `capsweep import` does, and returns
    what is in it. `open` opens the file.

    Args:
        path: the map file to write. It appears as a whole, or not at all.
        map: number of the map, such as 1.
        vmaps: folder with the models and their placements.
        maps: folder with the terrain and its liquids.
        parent: number of the map that has the tiles which this one lacks.
        liquids: "mangos" or "trinity": the meaning of the liquid bits; None to find it out.
        double_sided: both sides of models count, as in the line-of-sight checks of servers.
        progress: show a bar; None for one on a terminal.

    Returns:
        counts of tiles, models, placements, triangles and liquids; and `missing`: names of what
        the folders lack, by kind. `docs/worlds.md` explains them.

    Raises:
        LookupError: there is no such map.
        LoadError: a folder cannot be read, or a file is damaged.
        OSError: the map file cannot be written.
    """
    out = arrays.path("path", path)
    if vmaps is None and maps is None:
        raise InputTypeError("vmaps and maps are missing: name at least one folder", "vmaps")
    if liquids is not None:
        arrays.choice("liquids", liquids, LIQUID_BITS)
    args = SimpleNamespace(
        path=out, map=arrays.integer("map", map, np.uint32),
        vmaps=_folder("vmaps", vmaps, out), maps=_folder("maps", maps, out),
        parent=None if parent is None else arrays.integer("parent", parent, np.uint32),
        liquids=liquids, double_sided=arrays.flag("double_sided", double_sided),
        threads=arrays.threads(threads),
    )
    with _Bar(progress) as report:
        return _core.import_map(args, report)


class _Bar:
    """A bar of tqdm, if one is wanted."""

    def __init__(self, progress: Optional[bool]) -> None:
        self._bars: Any = None
        self._bar: Any = None
        self._part = ""
        if progress or (progress is None and sys.stderr.isatty()):
            try:
                self._bars = optional("tqdm.auto", "tqdm", "progress=True")
            except MissingPackageError:
                if progress:
                    raise

    def __enter__(self) -> Callable[[str, int, int], None]:
        return self._report

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def _report(self, part: str, done: int, total: int) -> None:
        if self._bars is None:
            return
        if part != self._part:
            self.__exit__()
            self._part, self._bar = part, self._bars.tqdm(desc=part, total=total, leave=False)
        self._bar.update(done - self._bar.n)


def verify(path: Path) -> list[str]:
    """Checks every byte of a scene or map file and returns its defects: none in a sound file.

    Raises:
        OSError: the file cannot be read.
    """
    return _core.verify(arrays.path("path", path))
