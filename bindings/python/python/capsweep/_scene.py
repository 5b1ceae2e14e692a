"""Scenes: opened, built from arrays, changed, asked and saved."""

from __future__ import annotations

import os
import warnings
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, Iterator, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _arguments as arguments
from . import _arrays as arrays
from . import _core, _progress
from ._answers import Bodies, Triangles
from ._arguments import ALL
from ._building import Building
from ._errors import InputError, InputTypeError, renamed
from ._queries import Queries
from ._table import ArrayLike, Ints

Path = Union[str, "os.PathLike[str]"]


def open(  # noqa: A001 - the name that users expect
    path: Path,
    *,
    up: Optional[str] = None,
    unit: Optional[float] = None,
    mapped: bool = False,
    threads: Optional[int] = None,
    progress: Optional[bool] = None,
) -> "Scene":
    """Opens an OBJ, glTF, GLB, scene or map file.

    Args:
        path: the file. A scene file is written by `Scene.save` or `capsweep build`, a map file by
            `capsweep import`.
        up: "y" or "z": the axis that points up in the file; by default that of its format.
        unit: metres in one unit of the file, such as 0.01; by default that of its format.
        mapped: map a scene file instead of reading it. Processes that map the same file share its
            memory. No program may write into the file while it is mapped: replace it by a rename,
            as `Scene.save` does. Map files are always mapped.
        progress: show a bar; None for one on a terminal if it takes long.

    Raises:
        OSError: the file cannot be read, such as FileNotFoundError.
        LoadError: the file is damaged or of an unknown format.
    """
    full = arrays.path("path", path)
    z_up = None if up is None else bool(arrays.choice("up", up, ("y", "z")))
    scale = None if unit is None else arrays.number("unit", unit)
    args = SimpleNamespace(path=full, z_up=z_up, unit=scale, mapped=arrays.flag("mapped", mapped),
                           threads=arrays.threads(threads))
    core = _progress.run(f"opening {os.path.basename(full)}", lambda: _core.SceneCore.open(args),
                         progress)
    options = {"up": up, "unit": unit, "mapped": mapped}
    return Scene._of(core, (_open_again, (full, options)))


@contextmanager
def _corners() -> Iterator[None]:
    """Names the corners of a box in errors as `low` and `high`."""
    with renamed("min", "low"), renamed("max", "high"):
        try:
            yield
        except InputError as error:
            if error.argument not in ("x", "y", "z"):
                raise
            raise InputError(f"low.{error}", "low", None, error.value) from None


def _open_again(path: str, options: dict[str, Any]) -> "Scene":
    return open(path, progress=False, **options)


def course() -> "Scene":
    """The built-in course: a wall, a doorway, stairs, a crate, a low beam, a ramp and a platform.

    It runs along x, in metres, Z up. A character starts at (0, 0, 0).

    >>> scene = course()
    >>> scene.body_name(scene.platform)
    'platform'
    """
    core, platform, ends = _core.SceneCore.course()
    scene = Scene._of(core, (course, ()))
    scene.platform, scene.platform_ends = platform, np.array(ends)
    return scene


def _from_bytes(data: bytes) -> "Scene":
    if not isinstance(data, bytes):
        raise InputTypeError(f"data is {type(data).__name__}: it must be bytes", "data")
    return Scene._of(_core.SceneCore.from_bytes(data), None)


class Scene(Queries, Building):
    """Bodies in a world, and queries of them.

    Queries take arrays, run on all cores without the interpreter's lock, and answer with arrays.
    Any number of threads may ask one scene. A query that runs while the scene changes sees the
    scene as it was.

    Arguments of queries are (n, 3) or (3,) arrays and (n,) arrays or numbers: what has one row
    serves all rows. A capsule is `p0`, `p1` and `radius`, or `feet`, `height` and `radius`.
    Radii and heights are float32 in the library and are rounded to it.

    Common arguments:
        mask: a query sees the bodies and triangles whose masks share a bit with it.
        sides: "front", or "both" sides of triangles.
        bodies: "all", "static" or "dynamic".
        invalid: "raise" an `InputError` for rows with bad numbers, or "mark" them in `invalid`.
        threads: number of threads; by default that of `set_threads`.

    >>> scene = Scene()
    >>> floor = scene.add_half_space((0, 0, 0), (0, 0, 1))
    >>> hits = scene.sweep((0, 0, 2), (0, 0, 3), radius=0.5, motion=[(0, 0, -5), (0, 0, 5)])
    >>> hits.hit.tolist(), hits.distance[0].item()
    ([True, False], 1.5)
    """

    #: The course's platform and both ends of its way; None in other scenes.
    platform: Optional[int] = None
    platform_ends: Optional[npt.NDArray[np.float64]] = None

    def __init__(self) -> None:
        self._core = _core.SceneCore()
        self._source = None

    @classmethod
    def _of(cls, core: Any, source: Any) -> "Scene":
        scene = cls.__new__(cls)
        scene._core, scene._source = core, source
        return scene

    # Pickles and copies.

    def __reduce__(self) -> tuple[Any, ...]:
        """By path if a file has the content; otherwise the whole content."""
        source = self._source
        if source is not None and source[0] is course:
            return source
        numbers = self._numbers_in_file()
        platform = self.platform
        if numbers is not None:
            warnings.warn("in the pickle of this scene bodies have new ids, and their old keys: "
                          "some were removed, or it is a map with changes", stacklevel=2)
            platform = None if platform is None else numbers.get(platform)
        if source is None:
            source = (_from_bytes, (self._core.to_bytes(),))
        if platform is None:
            return source
        ends = None if self.platform_ends is None else self.platform_ends.tolist()
        return (*source, (platform, ends))

    def __setstate__(self, state: tuple[int, Any]) -> None:
        self.platform, ends = state
        self.platform_ends = None if ends is None else np.array(ends)

    def _numbers_in_file(self) -> Optional[dict[int, int]]:
        """The ids that bodies have in a scene file, if some differ. A file numbers static bodies
        from 0 and dynamic ones from 2³¹, in their order."""
        if self._source is not None and not self._gaps:
            return None
        # Generations are in the upper half. A file has the order of the lower half.
        ids = sorted(self._core.bodies()["body"].tolist(), key=lambda body: body & 0xFFFF_FFFF)
        first = [0, 2**31]
        numbers = {}
        for body in ids:
            part = body >> 31 & 1
            numbers[body], first[part] = first[part], first[part] + 1
        return None if all(old == new for old, new in numbers.items()) else numbers

    def __copy__(self) -> "Scene":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Scene":
        return self.copy()

    def copy(self) -> "Scene":
        """An independent scene. It shares memory with this one until one of them changes."""
        scene = Scene._of(self._core.copy(), self._source)
        scene.platform, scene.platform_ends = self.platform, self.platform_ends
        scene._gaps = self._gaps
        return scene

    def save(self, path: Path) -> int:
        """Writes a scene file and returns its length. The scene then pickles by this path.

        Bodies have other ids in the file's scene if some were removed; their keys stay.

        >>> import os, tempfile
        >>> scene = course()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "course.capsweep")
        ...     size = scene.save(path)
        ...     len(open(path)) == len(scene)
        True
        """
        full = arrays.path("path", path)
        written: int = self._core.save(full)
        self._source = (_open_again, (full, {}))
        return written

    def to_bytes(self) -> bytes:
        """The content of a scene file."""
        data: bytes = self._core.to_bytes()
        return data

    @staticmethod
    def from_bytes(data: bytes) -> "Scene":
        """The scene of the content of a scene file."""
        return _from_bytes(data)

    # What there is.

    def __len__(self) -> int:
        return self._core.body_count()

    @property
    def path(self) -> Optional[str]:
        """The file that has this content; None if there is none."""
        if self._source is None or self._source[0] is not _open_again:
            return None
        path: str = self._source[1][0]
        return path

    @property
    def unit(self) -> str:
        """The unit of lengths: "m", or "yd" in some map files."""
        return self._core.unit()

    @property
    def bounds(self) -> Optional[npt.NDArray[np.float64]]:
        """Corners of the box around all bounded bodies, (2, 3); None if there are none."""
        found = self._core.bounds()
        return None if found is None else np.array(found)

    def damage(self) -> list[str]:
        """Parts of a map file that were damaged when they were loaded, and are absent."""
        return self._core.damage()

    def bodies(self) -> Bodies:
        """All bodies. Those of a map file are loaded for it."""
        return Bodies(self._core.bodies())

    def body_name(self, body: int) -> Optional[str]:
        """The name of a body in its file; None if it has none."""
        return self._core.body_name(arrays.integer("body", body, np.int64))

    def tag_name(self, tag: int) -> Optional[str]:
        """The name of a tag (a material) in its file; None if it has none."""
        return self._core.tag_name(arrays.integer("tag", tag, np.uint32))

    def pose(self, body: int) -> Optional[dict[str, npt.NDArray[np.float64]]]:
        """Position, rotation and scale of a mesh; None for shapes."""
        found = self._core.pose(arrays.integer("body", body, np.int64))
        if found is None:
            return None
        names = ("position", "rotation", "scale")
        return {name: np.array(part) for name, part in zip(names, found)}

    def triangles(self, low: Optional[ArrayLike] = None, high: Optional[ArrayLike] = None, *,
                  limit: int = 1_000_000) -> Triangles:
        """Triangles of meshes and height fields whose boxes meet a box, by default all.

        Raises:
            InputError: there are more than `limit`.

        >>> scene = Scene()
        >>> tile = scene.add_mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
        >>> scene.triangles().vertices.tolist()
        [[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]
        """
        around = self.bounds
        if around is None:
            around = np.zeros((2, 3))
        bottom = arrays.vector("low", around[0] if low is None else low)
        top = arrays.vector("high", around[1] if high is None else high)
        most = arrays.integer("limit", limit, np.uint32)
        with _corners():
            columns, more = self._core.triangles(bottom, top, most)
        if more:
            raise InputError(f"there are more than {most} triangles: ask for a smaller box, or "
                             "raise limit", "limit", None, float(most))
        return Triangles(columns)

    def bodies_in(self, low: ArrayLike, high: ArrayLike, *, mask: int = ALL,
                  bodies: str = "all") -> Ints:
        """The ids of the bodies with a surface in a box, such as what is near a place.

        >>> scene = Scene()
        >>> balls = scene.add_sphere([(0, 0, 0), (9, 0, 0)], 1.0)
        >>> (scene.bodies_in((-1, -1, -1), (2, 2, 2)) == balls[:1]).all().item()
        True
        """
        filters = arguments.filters(arrays.integer("mask", mask, np.uint32), bodies=bodies)
        bottom, top = arrays.vector("low", low), arrays.vector("high", high)
        with _corners():
            found: Ints = self._core.bodies_in(bottom, top, filters)
        return found

    def defect(self) -> Optional[str]:
        """What is wrong with the search trees: None in a sound scene. It reads the whole scene."""
        return self._core.defect()

    def __repr__(self) -> str:
        around = self.bounds
        size = ""
        if around is not None:
            size = ", " + " × ".join(f"{length:.4g}" for length in around[1] - around[0])
            size += f" {self.unit}"
        source = "" if self.path is None else f", {os.path.basename(self.path)}"
        count = f"{len(self)} bod{'y' if len(self) == 1 else 'ies'}"
        return f"<Scene: {count}{size}{source}>"

    # Pictures.

    def plot(self, view: str = "both", **options: Any) -> Any:
        """Draws a plan and a section with matplotlib: see `capsweep.plot`."""
        from ._plot import plot

        return plot(self, view, **options)

    def _repr_png_(self) -> Optional[bytes]:
        from ._plot import png

        return png(self)

    def _repr_html_(self) -> str:
        from ._plot import page

        return page(self)
