"""Scenes: opened, built from arrays, changed, asked and saved."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any, Callable, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _arguments as arguments
from . import _arrays as arrays
from . import _core, _progress
from ._arguments import ALL
from ._errors import InputError, InputTypeError
from ._mesh import Mesh
from ._queries import Queries
from ._tables import ArrayLike, Bodies, Ints, Triangles

Path = Union[str, "os.PathLike[str]"]

LIQUIDS = ("water", "ocean", "magma", "slime")


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
    if not isinstance(path, (str, os.PathLike)):
        raise InputTypeError(f"path is {path!r}: it must be the name of a file", "path")
    z_up = None if up is None else bool(arrays.choice("up", up, ("y", "z")))
    scale = None if unit is None else arrays.number("unit", unit)
    full = os.path.abspath(os.fspath(path))
    args = SimpleNamespace(path=full, z_up=z_up, unit=scale, mapped=bool(mapped),
                           threads=arrays.threads(threads))
    core = _progress.run(f"opening {os.path.basename(full)}", lambda: _core.SceneCore.open(args),
                         progress)
    options = {"up": up, "unit": unit, "mapped": mapped}
    return Scene._of(core, (_open_again, (full, options)))


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


class Scene(Queries):
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
        # How to make the scene again in another process; None if only its content tells.
        self._source: Optional[tuple[Callable[..., Scene], tuple[Any, ...]]] = None

    @classmethod
    def _of(cls, core: Any, source: Any) -> "Scene":
        scene = cls.__new__(cls)
        scene._core, scene._source = core, source
        return scene

    # Pickles and copies.

    def __reduce__(self) -> tuple[Any, ...]:
        """By path if a file has the content; otherwise the whole content."""
        if self._source is not None:
            return self._source
        return (_from_bytes, (self._core.to_bytes(),))

    def __copy__(self) -> "Scene":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Scene":
        return self.copy()

    def copy(self) -> "Scene":
        """An independent scene. It shares memory with this one until one of them changes."""
        scene = Scene._of(self._core.copy(), self._source)
        scene.platform, scene.platform_ends = self.platform, self.platform_ends
        return scene

    def save(self, path: Path) -> int:
        """Writes a scene file and returns its length. The scene then pickles by this path.

        Bodies may have other ids in the file's scene if some were removed; their keys stay.
        """
        full = os.path.abspath(os.fspath(path))
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

    # Building.

    def _bodies(self, rows: int, key: Any, mask: Any, dynamic: bool) -> SimpleNamespace:
        keys = arrays.integers("key", key, np.uint64)
        masks = arrays.integers("mask", mask, np.uint32)
        count = arrays.rows(bodies=np.empty(rows), key=keys, mask=masks)
        return SimpleNamespace(rows=count, key=keys, mask=masks, dynamic=bool(dynamic))

    def _added(self, added: Any, single: bool) -> Any:
        self._source = None
        return int(added[0]) if single and len(added) == 1 else added

    def add_mesh(
        self,
        mesh: Any,
        triangles: Optional[ArrayLike] = None,
        *,
        position: Optional[ArrayLike] = None,
        rotation: Optional[ArrayLike] = None,
        scale: Optional[ArrayLike] = None,
        matrix: Optional[ArrayLike] = None,
        key: ArrayLike = 0,
        mask: ArrayLike = ALL,
        dynamic: bool = False,
        double_sided: bool = False,
        tags: Optional[ArrayLike] = None,
        masks: Optional[ArrayLike] = None,
        progress: Optional[bool] = None,
    ) -> Any:
        """Places a mesh, once or at n poses, and returns the id or the n ids.

        Args:
            mesh: a `Mesh`, a `trimesh.Trimesh`, or the vertices of `triangles`.
            position, rotation, scale: of each body; a rotation is a quaternion (x, y, z, w).
            matrix: (4, 4) or (n, 4, 4) instead of the three.
            key: a number of yours that hits report.
            dynamic: it may move at any time; static bodies move rarely.

        >>> scene = Scene()
        >>> tile = Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 1, 2]])
        >>> ids = scene.add_mesh(tile, position=[(0, 0, 0), (5, 0, 0)], key=[7, 8])
        >>> scene.ray((5.5, 0.2, 1), (0, 0, -2)).key.tolist()
        [8]
        """
        if not isinstance(mesh, Mesh):
            mesh = Mesh(mesh, triangles, double_sided=double_sided, tags=tags, masks=masks,
                        progress=progress)
        elif triangles is not None or tags is not None or masks is not None or double_sided:
            raise InputTypeError("a Mesh has its triangles, tags, masks and sides already", "mesh")
        poses, single = arguments.poses(position, rotation, scale, matrix)
        bodies = self._bodies(arrays.rows(**poses.names), key, mask, dynamic)
        return self._added(self._core.add_meshes(mesh._core, poses, bodies), single)

    def add_height_field(
        self,
        heights: ArrayLike,
        spacing: ArrayLike = 1.0,
        *,
        turned: ArrayLike = False,
        holes: Optional[ArrayLike] = None,
        tags: Optional[ArrayLike] = None,
        masks: Optional[ArrayLike] = None,
        double_sided: bool = False,
        position: Optional[ArrayLike] = None,
        rotation: Optional[ArrayLike] = None,
        scale: Optional[ArrayLike] = None,
        matrix: Optional[ArrayLike] = None,
        key: ArrayLike = 0,
        mask: ArrayLike = ALL,
        dynamic: bool = False,
    ) -> Any:
        """Places terrain: a grid of heights, of which rows run along x and columns along y.

        Args:
            heights: (rows + 1, columns + 1) array of the corners of cells, stored as float32:
                `heights[i, j]` is at x = i · spacing[0], y = j · spacing[1].
            spacing: size of a cell along x and along y: one number, or both.
            turned: of each cell (rows, columns): the diagonal runs from its corner (0, 1).
            holes: of each cell: it has no surface.
            tags, masks: of each cell.

        >>> scene = Scene()
        >>> hill = scene.add_height_field([[0, 0], [1, 1]], spacing=2)
        >>> scene.ray((1, 1, 5), (0, 0, -9)).point[0].tolist()
        [1.0, 1.0, 0.5]
        """
        grid = arrays.real("heights", heights)
        if grid.ndim != 2:
            raise InputError(f"heights has shape {grid.shape}: it must be (rows, columns)",
                             "heights")
        steps = arrays.real("spacing", spacing)
        if steps.shape not in ((), (2,)):
            raise InputError(f"spacing has shape {steps.shape}: it must be () or (2,)", "spacing")
        cells = (max(grid.shape[0] - 1, 0), max(grid.shape[1] - 1, 0))
        materials = tags is not None or masks is not None
        args = SimpleNamespace(
            heights=_narrow(grid),
            spacing=[float(step) for step in np.broadcast_to(steps, 2)],
            turned=_cells("turned", arrays.array("turned", turned), cells, np.bool_),
            holes=None if holes is None else _cells("holes", holes, cells, np.bool_),
            tags=_cells("tags", 0 if tags is None else tags, cells, np.uint32)
            if materials else None,
            masks=_cells("masks", ALL if masks is None else masks, cells, np.uint32)
            if materials else None,
            double_sided=bool(double_sided),
        )
        poses, single = arguments.poses(position, rotation, scale, matrix)
        bodies = self._bodies(arrays.rows(**poses.names), key, mask, dynamic)
        return self._added(self._core.add_fields(_core.FieldCore(args), poses, bodies), single)

    def _shapes(self, kind: str, a: Any, b: Any, radius: Any, rotation: Any, obstacle: bool,
                ) -> tuple[SimpleNamespace, int, bool]:
        names = {
            "box": ("center", "half_extents"), "sphere": ("center", "center"),
            "capsule": ("p0", "p1"), "half_space": ("point", "normal"),
        }[kind]
        single = all(np.ndim(part) <= 1 for part in (a, b, rotation)) and np.ndim(radius) == 0
        first, second = arrays.vectors(names[0], a), arrays.vectors(names[1], b)
        sizes, turns = arrays.numbers("radius", radius), arrays.vectors("rotation", rotation, 4)
        columns = {names[0]: first, names[1]: second, "radius": sizes, "rotation": turns}
        made = SimpleNamespace(kind=kind, a=first, b=second, radius=sizes, rotation=turns,
                               obstacle=bool(obstacle))
        return made, arrays.rows(**columns), single

    def _add_shapes(self, shapes: tuple[SimpleNamespace, int, bool], key: Any, mask: Any,
                    dynamic: bool) -> Any:
        made, rows, single = shapes
        return self._added(
            self._core.add_shapes(made, self._bodies(rows, key, mask, dynamic)), single
        )

    def add_box(self, center: ArrayLike, half_extents: ArrayLike, *,
                rotation: ArrayLike = (0, 0, 0, 1), obstacle: bool = False, key: ArrayLike = 0,
                mask: ArrayLike = ALL, dynamic: bool = False) -> Any:
        """Places one box, or n of them. An obstacle is a body that you put into the world, such
        as a door or another character.

        >>> scene = Scene()
        >>> ids = scene.add_box([(0, 0, 0), (3, 0, 0)], (1, 1, 1))
        >>> len(scene)
        2
        """
        shapes = self._shapes("box", center, half_extents, 1.0, rotation, obstacle)
        return self._add_shapes(shapes, key, mask, dynamic)

    def add_sphere(self, center: ArrayLike, radius: ArrayLike, *, obstacle: bool = False,
                   key: ArrayLike = 0, mask: ArrayLike = ALL, dynamic: bool = False) -> Any:
        """Places one sphere, or n of them."""
        shapes = self._shapes("sphere", center, (0, 0, 0), radius, (0, 0, 0, 1), obstacle)
        return self._add_shapes(shapes, key, mask, dynamic)

    def add_capsule(self, p0: ArrayLike, p1: ArrayLike, radius: ArrayLike, *,
                    obstacle: bool = False, key: ArrayLike = 0, mask: ArrayLike = ALL,
                    dynamic: bool = False) -> Any:
        """Places one capsule, or n of them."""
        shapes = self._shapes("capsule", p0, p1, radius, (0, 0, 0, 1), obstacle)
        return self._add_shapes(shapes, key, mask, dynamic)

    def add_half_space(self, point: ArrayLike, normal: ArrayLike, *, obstacle: bool = False,
                       key: ArrayLike = 0, mask: ArrayLike = ALL, dynamic: bool = False) -> Any:
        """Places all that is behind a plane, or n of them."""
        shapes = self._shapes("half_space", point, normal, 1.0, (0, 0, 0, 1), obstacle)
        return self._add_shapes(shapes, key, mask, dynamic)

    def add_liquid(
        self,
        heights: ArrayLike,
        spacing: ArrayLike = 1.0,
        *,
        origin: ArrayLike = (0.0, 0.0),
        kind: Union[str, int] = "water",
        wet: Optional[ArrayLike] = None,
        position: Optional[ArrayLike] = None,
    ) -> None:
        """Adds a sheet of liquid: heights of its surface at the corners of cells. Up is +z.

        Args:
            heights: (rows + 1, columns + 1) array; rows run along x, columns along y.
            spacing: size of a cell along x and along y: one number, or both.
            origin: x and y of the first corner.
            kind: "water", "ocean", "magma", "slime", or a number of yours.
            wet: of each cell: it has a surface.

        >>> scene = Scene()
        >>> scene.add_liquid([[2, 2], [2, 2]], spacing=10)
        >>> scene.liquid((5, 5, 1)).depth.tolist()
        [1.0]
        """
        grid = arrays.real("heights", heights)
        if grid.ndim != 2:
            raise InputError(f"heights has shape {grid.shape}: it must be (rows, columns)",
                             "heights")
        corner, steps = arrays.real("origin", origin), arrays.real("spacing", spacing)
        if corner.shape != (2,):
            raise InputError(f"origin has shape {corner.shape}: it must be (2,)", "origin")
        if steps.shape not in ((), (2,)):
            raise InputError(f"spacing has shape {steps.shape}: it must be () or (2,)", "spacing")
        if isinstance(kind, str):
            number = arrays.choice("kind", kind, LIQUIDS)
        else:
            number = arrays.integer("kind", kind, np.uint32) | 1 << 32
        cells = (max(grid.shape[0] - 1, 0), max(grid.shape[1] - 1, 0))
        args = SimpleNamespace(
            heights=_narrow(grid),
            wet=None if wet is None else _cells("wet", wet, cells, np.bool_),
            origin=[float(number) for number in corner],
            spacing=[float(step) for step in np.broadcast_to(steps, 2)],
            kind=number,
        )
        self._core.add_liquid(args, arguments.poses(position, None, None, None)[0])
        self._source = None

    def clear_liquids(self) -> None:
        """Removes all liquids."""
        self._core.clear_liquids()
        self._source = None

    # Changes.

    def _ids(self, body: ArrayLike) -> Ints:
        return arrays.integers("body", body, np.int64)

    def _rows_of(self, ids: Ints, columns: dict[str, Any]) -> None:
        count = arrays.rows(body=ids, **columns)
        if count != len(ids):
            raise InputError(f"body has {len(ids)} rows and the new places {count}", "body")

    def move_mesh(self, body: ArrayLike, *, position: Optional[ArrayLike] = None,
                  rotation: Optional[ArrayLike] = None, scale: Optional[ArrayLike] = None,
                  matrix: Optional[ArrayLike] = None) -> None:
        """Moves meshes and height fields to new poses. If one cannot move, none does."""
        ids, (poses, _) = self._ids(body), arguments.poses(position, rotation, scale, matrix)
        self._rows_of(ids, poses.names)
        self._core.move_meshes(ids, poses)
        self._source = None

    def _move_shapes(self, body: Any, shapes: tuple[SimpleNamespace, int, bool]) -> None:
        ids = self._ids(body)
        self._rows_of(ids, {"shape": np.empty(shapes[1])})
        self._core.move_shapes(ids, shapes[0])
        self._source = None

    def move_box(self, body: ArrayLike, center: ArrayLike, half_extents: ArrayLike, *,
                 rotation: ArrayLike = (0, 0, 0, 1)) -> None:
        """Replaces the shapes of bodies by boxes."""
        self._move_shapes(body, self._shapes("box", center, half_extents, 1.0, rotation, False))

    def move_sphere(self, body: ArrayLike, center: ArrayLike, radius: ArrayLike) -> None:
        """Replaces the shapes of bodies by spheres."""
        turn = (0, 0, 0, 1)
        self._move_shapes(body, self._shapes("sphere", center, (0, 0, 0), radius, turn, False))

    def move_capsule(self, body: ArrayLike, p0: ArrayLike, p1: ArrayLike,
                     radius: ArrayLike) -> None:
        """Replaces the shapes of bodies by capsules."""
        self._move_shapes(body, self._shapes("capsule", p0, p1, radius, (0, 0, 0, 1), False))

    def set_mesh(self, body: int, mesh: Mesh) -> None:
        """Gives a body another mesh, at the same pose."""
        if not isinstance(mesh, Mesh):
            raise InputTypeError(f"mesh is {type(mesh).__name__}: it must be a Mesh", "mesh")
        self._core.set_mesh(arrays.integer("body", body, np.int64), mesh._core)
        self._source = None

    def remove(self, body: ArrayLike) -> None:
        """Removes bodies. If one of them does not exist, none is removed."""
        self._core.remove(self._ids(body))
        self._source = None

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
        """
        around = self.bounds
        if around is None:
            around = np.zeros((2, 3))
        bottom = arrays.vector("low", around[0] if low is None else low)
        top = arrays.vector("high", around[1] if high is None else high)
        columns, more = self._core.triangles(bottom, top, limit)
        if more:
            raise InputError(f"there are more than {limit} triangles: ask for a smaller box, or "
                             "raise limit", "limit", None, float(limit))
        return Triangles(columns)

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


def _narrow(grid: Any) -> Any:
    # A height beyond float32 becomes infinite, and the native half refuses it.
    with np.errstate(over="ignore"):
        return grid.astype(np.float32)


def _cells(name: str, value: Any, shape: tuple[int, int], dtype: Any) -> Any:
    """One value for each cell, flat."""
    found = arrays.array(name, value)
    if dtype is np.bool_ and found.dtype != np.bool_:
        raise InputTypeError(f"{name} has dtype {found.dtype}: it must be bool", name)
    if dtype is not np.bool_:
        checked = arrays.integers(name, found, dtype, 2)
        found = checked.reshape(found.shape)
    if found.shape not in ((), shape):
        raise InputError(f"{name} has shape {found.shape}: it must be () or {shape}", name)
    return np.ascontiguousarray(np.broadcast_to(found, shape)).reshape(-1)
