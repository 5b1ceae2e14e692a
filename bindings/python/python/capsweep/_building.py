"""Building: the bodies and liquids of a scene, from arrays."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Callable, Optional, Union

import numpy as np

from . import _arguments as arguments
from . import _arrays as arrays
from . import _core
from ._arguments import ALL
from ._errors import InputError, InputTypeError
from ._mesh import Mesh
from ._table import ArrayLike, Ints

LIQUIDS = ("water", "ocean", "magma", "slime")


class Building:
    """The part of a `Scene` that changes it."""

    _core: _core.SceneCore
    # How to make the scene again in another process; None if only its content tells.
    _source: Optional[tuple[Callable[..., Any], tuple[Any, ...]]]
    # Whether bodies were removed: the ids of the others may have gaps then.
    _gaps = False

    def _bodies(self, rows: int, key: Any, mask: Any, dynamic: bool) -> SimpleNamespace:
        keys = arrays.integers("key", key, np.uint64)
        masks = arrays.integers("mask", mask, np.uint32)
        count = arrays.rows(bodies=np.broadcast_to(0, rows), key=keys, mask=masks)
        return SimpleNamespace(rows=count, key=keys, mask=masks,
                               dynamic=arrays.flag("dynamic", dynamic))

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

        >>> from capsweep import Scene
        >>> scene = Scene()
        >>> tile = Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 1, 2]])
        >>> ids = scene.add_mesh(tile, position=[(0, 0, 0), (5, 0, 0)], key=[7, 8])
        >>> scene.ray((5.5, 0.2, 1), (0, 0, -2)).key.tolist()
        [8]
        """
        if not isinstance(mesh, Mesh):
            mesh = Mesh(mesh, triangles, double_sided=double_sided, tags=tags, masks=masks,
                        progress=progress)
        elif (triangles is not None or tags is not None or masks is not None
              or double_sided is not False):
            raise InputTypeError("a Mesh has its triangles, tags, masks and sides already", "mesh")
        poses, single = arguments.poses(position, rotation, scale, matrix)
        bodies = self._bodies(arrays.rows(**poses.names), key, mask, dynamic)
        return self._added(self._core.add_meshes(mesh._core, poses, bodies), single)

    def add_height_field(
        self,
        heights: ArrayLike,
        spacing: ArrayLike = 1.0,
        *,
        four: bool = False,
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
            four: cells have four triangles around a centre instead of two.
            turned: of each cell (rows, columns): the diagonal runs from its corner (0, 1).
            holes: of each cell: it has no surface.
            tags, masks: of each cell.

        >>> from capsweep import Scene
        >>> scene = Scene()
        >>> hill = scene.add_height_field([[0, 0], [1, 1]], spacing=2)
        >>> scene.ray((1, 1, 5), (0, 0, -9)).point[0].tolist()
        [1.0, 1.0, 0.5]
        """
        grid, steps, cells = _grid(heights, spacing)
        flipped = _cells("turned", turned, cells, np.bool_)
        if arrays.flag("four", four) and flipped.any():
            raise InputError("turned is for cells of two triangles: four have no diagonal",
                             "turned")
        materials = tags is not None or masks is not None
        args = SimpleNamespace(
            heights=_narrow(grid),
            spacing=steps,
            four=arrays.flag("four", four),
            turned=flipped,
            holes=None if holes is None else _cells("holes", holes, cells, np.bool_),
            tags=_cells("tags", 0 if tags is None else tags, cells, np.uint32)
            if materials else None,
            masks=_cells("masks", ALL if masks is None else masks, cells, np.uint32)
            if materials else None,
            is_masked=tags is None,
            double_sided=arrays.flag("double_sided", double_sided),
        )
        poses, single = arguments.poses(position, rotation, scale, matrix)
        bodies = self._bodies(arrays.rows(**poses.names), key, mask, dynamic)
        return self._added(self._core.add_fields(_core.FieldCore(args), poses, bodies), single)

    def _add_shapes(self, shapes: SimpleNamespace, obstacle: bool, key: Any, mask: Any,
                    dynamic: bool) -> Any:
        bodies = self._bodies(arrays.rows(**shapes.names), key, mask, dynamic)
        solid = arrays.flag("obstacle", obstacle)
        return self._added(self._core.add_shapes(shapes, solid, bodies), shapes.single)

    def add_box(self, center: ArrayLike, half_extents: ArrayLike, *,
                rotation: ArrayLike = (0, 0, 0, 1), obstacle: bool = False, key: ArrayLike = 0,
                mask: ArrayLike = ALL, dynamic: bool = False) -> Any:
        """Places one box, or n of them. An obstacle is a body that you put into the world, such
        as a door or another character.

        >>> from capsweep import Scene
        >>> scene = Scene()
        >>> ids = scene.add_box([(0, 0, 0), (3, 0, 0)], (1, 1, 1))
        >>> len(scene)
        2
        """
        shapes = arguments.boxes(center, half_extents, rotation)
        return self._add_shapes(shapes, obstacle, key, mask, dynamic)

    def add_sphere(self, center: ArrayLike, radius: ArrayLike, *, obstacle: bool = False,
                   key: ArrayLike = 0, mask: ArrayLike = ALL, dynamic: bool = False) -> Any:
        """Places one sphere, or n of them."""
        shapes = arguments.spheres(center, radius)
        return self._add_shapes(shapes, obstacle, key, mask, dynamic)

    def add_capsule(self, p0: ArrayLike, p1: ArrayLike, radius: ArrayLike, *,
                    obstacle: bool = False, key: ArrayLike = 0, mask: ArrayLike = ALL,
                    dynamic: bool = False) -> Any:
        """Places one capsule, or n of them."""
        shapes = arguments.capsule_shapes(p0, p1, radius)
        return self._add_shapes(shapes, obstacle, key, mask, dynamic)

    def add_half_space(self, point: ArrayLike, normal: ArrayLike, *, obstacle: bool = False,
                       key: ArrayLike = 0, mask: ArrayLike = ALL, dynamic: bool = False) -> Any:
        """Places all that is behind a plane, or n of them."""
        shapes = arguments.half_spaces(point, normal)
        return self._add_shapes(shapes, obstacle, key, mask, dynamic)

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

        >>> from capsweep import Scene
        >>> scene = Scene()
        >>> scene.add_liquid([[2, 2], [2, 2]], spacing=10)
        >>> scene.liquid((5, 5, 1)).depth.tolist()
        [1.0]
        """
        grid, steps, cells = _grid(heights, spacing)
        corner = arrays.real("origin", origin)
        if corner.shape != (2,):
            raise InputError(f"origin has shape {corner.shape}: it must be (2,)", "origin")
        if isinstance(kind, str):
            number = arrays.choice("kind", kind, LIQUIDS)
        else:
            number = arrays.integer("kind", kind, np.uint32) | 1 << 32
        args = SimpleNamespace(
            heights=_narrow(grid),
            wet=None if wet is None else _cells("wet", wet, cells, np.bool_),
            origin=[float(number) for number in corner],
            spacing=steps,
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

    def _move_shapes(self, body: Any, shapes: SimpleNamespace) -> None:
        ids = self._ids(body)
        self._rows_of(ids, shapes.names)
        self._core.move_shapes(ids, shapes)
        self._source = None

    def move_box(self, body: ArrayLike, center: ArrayLike, half_extents: ArrayLike, *,
                 rotation: ArrayLike = (0, 0, 0, 1)) -> None:
        """Replaces the shapes of bodies by boxes."""
        self._move_shapes(body, arguments.boxes(center, half_extents, rotation))

    def move_sphere(self, body: ArrayLike, center: ArrayLike, radius: ArrayLike) -> None:
        """Replaces the shapes of bodies by spheres."""
        self._move_shapes(body, arguments.spheres(center, radius))

    def move_capsule(self, body: ArrayLike, p0: ArrayLike, p1: ArrayLike,
                     radius: ArrayLike) -> None:
        """Replaces the shapes of bodies by capsules."""
        self._move_shapes(body, arguments.capsule_shapes(p0, p1, radius))

    def set_mesh(self, body: int, mesh: Mesh) -> None:
        """Gives a body another mesh, at the same pose."""
        if not isinstance(mesh, Mesh):
            raise InputTypeError(f"mesh is {type(mesh).__name__}: it must be a Mesh", "mesh")
        self._core.set_mesh(arrays.integer("body", body, np.int64), mesh._core)
        self._source = None

    def remove(self, body: ArrayLike) -> None:
        """Removes bodies. If one of them does not exist, none is removed."""
        self._core.remove(self._ids(body))
        self._source, self._gaps = None, True


def _grid(heights: Any, spacing: Any) -> tuple[Any, list[float], tuple[int, int]]:
    """Heights of corners, the size of a cell along x and y, and the number of cells."""
    grid, steps = arrays.real("heights", heights), arrays.real("spacing", spacing)
    if grid.ndim != 2:
        raise InputError(f"heights has shape {grid.shape}: it must be (rows, columns)", "heights")
    if steps.shape not in ((), (2,)):
        raise InputError(f"spacing has shape {steps.shape}: it must be () or (2,)", "spacing")
    cells = (max(grid.shape[0] - 1, 0), max(grid.shape[1] - 1, 0))
    return grid, [float(step) for step in np.broadcast_to(steps, 2)], cells


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
    else:
        found = arrays.proper(found)
    if found.shape not in ((), shape):
        raise InputError(f"{name} has shape {found.shape}: it must be () or {shape}", name)
    return np.ascontiguousarray(np.broadcast_to(found, shape)).reshape(-1)
