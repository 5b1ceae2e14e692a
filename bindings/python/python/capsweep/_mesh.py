"""Meshes: triangles and their tree, to be placed any number of times."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _arrays as arrays
from . import _core, _progress
from ._errors import InputError, InputTypeError
from ._table import ArrayLike


class Mesh:
    """Triangles and their tree, to be placed any number of times.

    Args:
        vertices: (v, 3) array, or a `trimesh.Trimesh`. The library stores float32.
        triangles: (t, 3) array of indices. Counter-clockwise is the front.
        double_sided: both sides of all triangles count.
        tags: a number for each triangle, which hits report.
        masks: a mask for each triangle, as `Scene.add_mesh` has one for the whole body.
        progress: show a bar; None for one on a terminal if it takes long.

    >>> corners = [[-4, -4, 0], [4, -4, 0], [4, 4, 0], [-4, 4, 0]]
    >>> floor = Mesh(corners, [[0, 1, 2], [0, 2, 3]])
    >>> len(floor)
    2
    """

    def __init__(
        self,
        vertices: Any,
        triangles: Optional[ArrayLike] = None,
        *,
        double_sided: bool = False,
        tags: Optional[ArrayLike] = None,
        masks: Optional[ArrayLike] = None,
        threads: Optional[int] = None,
        progress: Optional[bool] = None,
    ) -> None:
        args = _mesh_args(vertices, triangles, double_sided, tags, masks, threads)
        count = len(args.triangles)
        self._core = _progress.run(f"building {count} triangles", lambda: _core.MeshCore(args),
                                   progress)

    @staticmethod
    def report(
        vertices: Any, triangles: Optional[ArrayLike] = None
    ) -> dict[str, npt.NDArray[Any]]:
        """Defects of a mesh: the triangles that are degenerate, duplicate, slivers, at open edges,
        flipped or at non-manifold edges; and the vertices that no triangle uses.

        >>> found = Mesh.report([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]])
        >>> found["degenerate"].tolist()
        [0]
        """
        args = _mesh_args(vertices, triangles, False, None, None, None)
        return _core.MeshCore.report(args)

    def __len__(self) -> int:
        return self._core.triangle_count()

    @property
    def bounds(self) -> Optional[npt.NDArray[np.float64]]:
        """Corners of the box around it, (2, 3); None if it is empty."""
        found = self._core.bounds()
        return None if found is None else np.array(found)

    @property
    def memory(self) -> int:
        """Bytes of memory."""
        return self._core.memory()

    def __repr__(self) -> str:
        return f"<Mesh: {len(self)} triangles>"


def _mesh_args(
    vertices: Any, triangles: Any, double_sided: bool, tags: Any, masks: Any, threads: Any
) -> SimpleNamespace:
    if triangles is None:
        if not hasattr(vertices, "vertices") or not hasattr(vertices, "faces"):
            raise InputTypeError("triangles are missing: only a trimesh brings its own",
                                 "triangles")
        vertices, triangles = vertices.vertices, vertices.faces
    corners = arrays.vectors("vertices", _table("vertices", vertices))
    indices = arrays.integers("triangles", _table("triangles", triangles), np.uint32, 2)
    if indices.ndim != 2 or indices.shape[1] != 3:
        raise InputError(f"triangles has shape {indices.shape}: it must be (n, 3)", "triangles")
    with np.errstate(over="ignore"):
        narrow = corners.astype(np.float32)

    def column(name: str, value: Any) -> Any:
        if value is None:
            return None
        found = arrays.integers(name, value, np.uint32)
        return np.broadcast_to(found, len(indices)) if len(found) == 1 else found

    return SimpleNamespace(
        vertices=narrow,
        triangles=indices,
        double_sided=arrays.flag("double_sided", double_sided),
        tags=column("tags", tags),
        masks=column("masks", masks),
        threads=arrays.threads(threads),
    )


def _table(name: str, value: Any) -> Any:
    """An empty list is a table without rows."""
    found = arrays.array(name, value)
    return found.reshape(0, 3) if found.size == 0 and found.ndim == 1 else found
