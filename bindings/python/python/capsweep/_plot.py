"""Pictures of scenes with matplotlib: a plan from above and a section from the side."""

from __future__ import annotations

import base64
import html
import io
from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np
import numpy.typing as npt

from . import _arrays as arrays
from ._codes import BodyKind
from ._core import MAX_POSITION
from ._errors import InputError, InputTypeError, MissingPackageError, optional
from ._table import ArrayLike

if TYPE_CHECKING:
    from ._scene import Scene

VIEWS = ("plan", "section", "both")

#: Rays across the longer side of a plan, and columns of a section.
PIXELS = 480
MAX_PIXELS = 10_000
#: Largest coordinate of a picture: rays go beyond its edges.
MAX_DRAWN = MAX_POSITION / 4
#: Most triangles that a section cuts.
MAX_TRIANGLES = 2_000_000


def plot(
    scene: "Scene",
    view: str = "both",
    *,
    bounds: Optional[ArrayLike] = None,
    ceiling: Optional[float] = None,
    y: Optional[float] = None,
    hits: Any = None,
    walks: Optional[Sequence[ArrayLike]] = None,
    points: Optional[ArrayLike] = None,
    values: Optional[ArrayLike] = None,
    pixels: int = PIXELS,
    axes: Any = None,
    title: Optional[str] = None,
) -> Any:
    """Draws a scene whose up is +z, and returns the matplotlib figure.

    The plan shows the surface that rays from above meet, shaded by height and slope. The section
    cuts the scene at one y.

    Args:
        view: "plan", "section" or "both".
        bounds: (2, 3) corners of the region; by default the whole scene.
        ceiling: height at which the rays of the plan start, to look below roofs.
        y: where the section is; by default through the walk, the hits or the middle.
        hits: hits with points and normals, such as the answer of `Scene.sweep`.
        walks: (t, 3) or (t, n, 3) positions of feet over time, or a list of such.
        points: (n, 3) places to mark, coloured by `values`.
        pixels: rays across the longer side of the plan, and columns of the section.
        axes: matplotlib axes to draw into; two for "both".
    """
    from ._scene import Scene

    if not isinstance(scene, Scene):
        raise InputTypeError(f"scene is {type(scene).__name__}: it must be a Scene", "scene")
    plt: Any = optional("matplotlib.pyplot", "matplotlib", "plot()")
    arrays.choice("view", view, VIEWS)
    fineness = arrays.integer("pixels", pixels, np.uint32)
    if not 2 <= fineness <= MAX_PIXELS:
        raise InputError(f"pixels is {fineness}: it must be 2 to {MAX_PIXELS}", "pixels", None,
                         float(fineness))
    around = _bounds(scene, bounds)
    paths = _paths(walks)
    marks, values = _marks(points, values)
    found = _hits(hits)
    y = _middle(around, paths, found, marks) if y is None else _place("y", y)
    ceiling = None if ceiling is None else _place("ceiling", ceiling)
    wide, deep = around[1][0] - around[0][0], around[1][1] - around[0][1]
    tall = around[1][2] - around[0][2]
    count = 2 if view == "both" else 1
    if axes is None:
        parts = {"plan": [deep], "section": [tall], "both": [deep, tall]}[view]
        ratios = [max(part, 0.15 * wide) for part in parts]
        height = 10 * sum(ratios) / wide + 1.0 * count
        figure, axes = plt.subplots(
            count, 1, figsize=(10, min(max(height, 3.0), 16.0)), squeeze=False,
            gridspec_kw={"height_ratios": ratios}, layout="constrained",
        )
        axes = axes[:, 0]
    else:
        axes = np.atleast_1d(np.asarray(axes, dtype=object))
        if len(axes) != count:
            raise InputError(f"axes has {len(axes)}: view {view!r} needs {count}", "axes")
        figure = axes[0].figure
    names = ("plan", "section") if view == "both" else (view,)
    for axis, name in zip(axes, names):
        if name == "plan":
            _plan(scene, axis, around, ceiling, fineness)
            if view == "both":
                axis.axhline(y, color="tab:red", lw=0.6, ls=":")
        else:
            _section(scene, axis, around, y, fineness)
        _overlay(axis, 1 if name == "plan" else 2, paths, found, marks, values)
        _frame(axis, around, name, y, scene.unit)
    if title is not None:
        figure.suptitle(title)
    return figure


def png(scene: "Scene") -> Optional[bytes]:
    """A small picture for a notebook; None if matplotlib is missing or it cannot be drawn."""
    try:
        figure_class: Any = optional("matplotlib.figure", "matplotlib", "a picture")
    except MissingPackageError:
        return None
    try:
        around = _bounds(scene, None)
    except InputError:
        # Nothing is there, or it is too far away.
        return None
    figure = figure_class.Figure(figsize=(8, 5), layout="constrained")
    wide, deep, tall = around[1] - around[0]
    ratios = [max(deep, 0.15 * wide), max(tall, 0.15 * wide)]
    axes = figure.subplots(2, 1, gridspec_kw={"height_ratios": ratios})
    try:
        plot(scene, "both", axes=axes, pixels=320)
    except InputError:
        # Too much is there.
        return None
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=80)
    return buffer.getvalue()


def page(scene: "Scene") -> str:
    """What a notebook shows."""
    rows = [("bodies", str(len(scene))), ("file", scene.path or "none")]
    around = scene.bounds
    if around is not None:
        low, high = (", ".join(f"{x:.5g}" for x in corner) for corner in around)
        rows.append(("bounds", f"{low} to {high} {scene.unit}"))
    table = "".join(
        f"<tr><th>{name}</th><td>{html.escape(value)}</td></tr>" for name, value in rows
    )
    picture = png(scene)
    image = ""
    if picture is not None:
        data = base64.b64encode(picture).decode("ascii")
        image = f'<img alt="plan and section" src="data:image/png;base64,{data}">'
    return f"<table>{table}</table>{image}"


def _bounds(scene: "Scene", bounds: Any) -> npt.NDArray[np.float64]:
    if bounds is None:
        around = scene.bounds
        if around is None:
            raise InputError("the scene has no bounded body: name bounds to draw", "bounds")
        if np.abs(around).max() > MAX_DRAWN:
            raise InputError("the scene is too far away or too large: name bounds to draw",
                             "bounds")
        # Air on all sides, so that the outline is inside the picture.
        margin = 0.02 * max(float((around[1] - around[0]).max()), 1e-3)
        return np.asarray(around + [[-margin], [margin]])
    found = arrays.real("bounds", bounds)
    if found.shape != (2, 3) or not np.isfinite(found).all() or (found[0] >= found[1]).any():
        message = "bounds must be two finite corners, (2, 3), the lower one first"
        raise InputError(message, "bounds")
    worst = float(np.abs(found).max())
    if worst > MAX_DRAWN:
        raise InputError(f"bounds has {worst:g}: it must be at most {MAX_DRAWN:g} in magnitude",
                         "bounds", None, worst)
    return found


def _place(name: str, value: Any) -> float:
    place = arrays.number(name, value)
    if not abs(place) <= MAX_POSITION:
        raise InputError(f"{name} is {place}: it must be finite and in range", name, None, place)
    return place


def _paths(walks: Any) -> list[npt.NDArray[np.float64]]:
    if walks is None:
        return []
    if isinstance(walks, np.ndarray):
        walks = [walks]
    paths: list[npt.NDArray[np.float64]] = []
    if not isinstance(walks, (list, tuple)):
        raise InputError(f"walks is {type(walks).__name__}: it must be an array or a list of them",
                         "walks")
    for walk in walks:
        found = arrays.real("walks", walk)
        if found.ndim == 2 and found.shape[1] == 3:
            paths.append(found)
        elif found.ndim == 3 and found.shape[2] == 3:
            paths.extend(found[:, index] for index in range(found.shape[1]))
        else:
            raise InputError(
                f"walks has an array of shape {found.shape}: it must be (t, 3) or (t, n, 3)",
                "walks",
            )
    return [path for path in paths if len(path)]


def _marks(points: Any, values: Any) -> tuple[Any, Any]:
    """Points and values from bottom to top, so that the plan shows the upper ones."""
    if points is None:
        return None, None
    marks = arrays.vectors("points", points)
    order = np.argsort(marks[:, 2], kind="stable")
    if values is None:
        return marks[order], None
    numbers = arrays.numbers("values", values)
    if len(numbers) != len(marks):
        raise InputError(f"values has {len(numbers)} rows: points has {len(marks)}", "values")
    return marks[order], numbers[order]


def _hits(hits: Any) -> Optional[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
    if hits is None:
        return None
    points = getattr(hits, "point", None)
    if points is None:
        points = getattr(hits, "on_geometry", None)
    normals = getattr(hits, "normal", None)
    if points is None or normals is None:
        raise InputError("hits must have points and normals", "hits")
    points, normals = arrays.vectors("hits", points), arrays.vectors("hits", normals)
    there = np.isfinite(points).all(axis=1)
    return points[there], normals[there]


def _middle(around: Any, paths: Any, found: Any, marks: Any) -> float:
    kinds = [paths, [] if found is None else [found[0]], [] if marks is None else [marks]]
    for places in kinds:
        if places:
            ys = np.concatenate([part[:, 1] for part in places])
            # NaN is a gap in a walk.
            ys = ys[np.abs(ys) <= MAX_POSITION]
            if len(ys):
                return float(np.median(ys))
    return float(around[:, 1].mean())


def _plan(scene: "Scene", axis: Any, around: Any, ceiling: Any, pixels: int) -> None:
    low, high = around
    step = max(high[0] - low[0], high[1] - low[1]) / pixels
    # A narrow region has at least one row.
    wide, deep = min(step, high[0] - low[0]), min(step, high[1] - low[1])
    # A grid that misses the round numbers at which modelled walls and edges lie.
    xs = np.arange(low[0] + 0.4937 * wide, high[0], wide)
    ys = np.arange(low[1] + 0.4937 * deep, high[1], deep)
    top = high[2] + 1.0 if ceiling is None else ceiling
    x, y = np.meshgrid(xs, ys)
    origins = np.stack([x.ravel(), y.ravel(), np.full(x.size, top)], axis=1)
    rays = scene.ray(origins, (0.0, 0.0, low[2] - top - 1.0), sides="both")
    heights = rays.point[:, 2].reshape(x.shape)
    normals = rays.normal.astype(float).reshape(*x.shape, 3)
    light = np.array([-0.45, 0.5, 0.74])
    # Rays see both sides, so a normal may point down.
    flip = np.where(normals[..., 2:] < 0, -1.0, 1.0)
    shade = 0.55 + 0.45 * np.clip((normals * flip) @ light, 0, 1)
    bottom, span = low[2], max(high[2] - low[2], 1e-9)
    import matplotlib

    colours = matplotlib.colormaps["terrain"](0.15 + 0.7 * (heights - bottom) / span)
    colours[..., :3] *= np.nan_to_num(shade, nan=1.0)[..., None]
    colours[~rays.hit.reshape(x.shape)] = (1, 1, 1, 1)
    edges = (xs[0] - wide / 2, xs[-1] + wide / 2, ys[0] - deep / 2, ys[-1] + deep / 2)
    axis.imshow(colours, origin="lower", extent=edges, interpolation="nearest", zorder=0)


def _section(scene: "Scene", axis: Any, around: Any, y: float, pixels: int) -> None:
    from matplotlib.collections import LineCollection

    low, high = around.copy()
    low[1] = high[1] = y
    # A cut exactly along faces would show nothing of them or all: 0.1 mm beside they are cut.
    y = y + 1e-4
    corners = scene.triangles(low, high + [0, 2e-4, 0], limit=MAX_TRIANGLES).vertices
    lines = _cuts(corners, y)
    axis.add_collection(LineCollection(list(lines), colors="0.25", linewidths=0.9, zorder=1))
    # Solids have no triangles: their tops and bottoms along the cut.
    xs = np.linspace(low[0], high[0], pixels)
    top = np.full_like(xs, high[2])
    columns = np.stack([xs, np.full_like(xs, y), top], axis=1)
    found = scene.supports(columns, above=0.0, below=float(high[2] - low[2]))
    solid = found[found.kind != BodyKind.MESH]
    x, z, up = solid.point[:, 0], solid.point[:, 2], solid.faces_up
    # A top, and the next bottom of the same body below it: solid between.
    inside = up[:-1] & ~up[1:] & (x[:-1] == x[1:]) & (solid.body[:-1] == solid.body[1:])
    bars = np.stack([np.stack([x[:-1], z[:-1]], 1), np.stack([x[1:], z[1:]], 1)], 1)[inside]
    width = 1.2 * axis.figure.get_figwidth() * 72 / pixels
    axis.add_collection(LineCollection(list(bars), colors="0.8", linewidths=width, zorder=0.5))
    axis.scatter(x, z, s=1.5, color="0.25", zorder=1)


def _cuts(corners: npt.NDArray[np.float64], y: float) -> npt.NDArray[np.float64]:
    """The segments in x and z in which triangles cut the plane of one y."""
    side = corners[:, :, 1] > y
    crossing = side.any(axis=1) & ~side.all(axis=1)
    corners, side = corners[crossing], side[crossing]
    ends = []
    for first, second in ((0, 1), (1, 2), (2, 0)):
        a, b = corners[:, first], corners[:, second]
        crosses = side[:, first] != side[:, second]
        part = np.zeros(len(a))
        np.divide(y - a[:, 1], b[:, 1] - a[:, 1], out=part, where=crosses)
        ends.append(np.where(crosses[:, None], a + part[:, None] * (b - a), np.nan))
    crossings = np.stack(ends, axis=1)[:, :, [0, 2]]
    # Two of the three edges cross: drop the third.
    there = np.isfinite(crossings).all(axis=2)
    return np.asarray(crossings[there].reshape(-1, 2, 2), np.float64)


def _overlay(axis: Any, second: int, paths: Any, found: Any, marks: Any, values: Any) -> None:
    many = len(paths) > 12
    for index, path in enumerate(paths):
        colour = "tab:blue" if many else f"C{index % 10}"
        axis.plot(path[:, 0], path[:, second], color=colour, lw=0.9 if many else 1.4,
                  alpha=0.6 if many else 1.0, zorder=3)
        if not many:
            axis.plot(path[0, 0], path[0, second], "o", color=colour, ms=4, zorder=3)
    if marks is not None:
        x, z = marks[:, 0], marks[:, second]
        if values is None:
            axis.scatter(x, z, color="tab:orange", edgecolors="black", s=30, zorder=4)
        else:
            drawn = axis.scatter(x, z, c=values, s=6, cmap="viridis", zorder=4)
            axis.figure.colorbar(drawn, ax=axis, shrink=0.8)
    if found is not None and len(found[0]):
        points, normals = found
        axis.quiver(points[:, 0], points[:, second], normals[:, 0], normals[:, second],
                    color="tab:red", angles="xy", scale=25, width=0.003, zorder=5)
        axis.scatter(points[:, 0], points[:, second], color="tab:red", s=8, zorder=5)


def _frame(axis: Any, around: Any, name: str, y: float, unit: str) -> None:
    second = 1 if name == "plan" else 2
    axis.set_xlim(around[0][0], around[1][0])
    axis.set_ylim(around[0][second], around[1][second])
    axis.set_aspect("equal")
    axis.set_xlabel(f"x ({unit})")
    axis.set_ylabel(f"{'y' if name == 'plan' else 'z'} ({unit})")
    axis.set_title("plan" if name == "plan" else f"section at y = {y:.3g} {unit}")
