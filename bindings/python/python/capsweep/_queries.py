"""Queries of scenes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Optional

from . import _arguments as arguments
from . import _arrays as arrays
from . import _core
from ._answers import (
    AllLiquids,
    AllOverlapHits,
    AllSweepHits,
    ClosestHits,
    Flags,
    Liquids,
    OverlapHits,
    Pushes,
    RayHits,
    Supports,
    SweepHits,
)
from ._arguments import ALL
from ._errors import renamed
from ._table import ArrayLike


class Queries:
    """The queries of a `Scene`."""

    _core: _core.SceneCore

    def _ask(self, query: Any, threads: Any, invalid: str, filters: SimpleNamespace,
             columns: dict[str, Any], *values: Any) -> dict[str, Any]:
        count = arrays.rows(**columns, **filters.names)
        call = arguments.call(count, threads, invalid)
        answer: dict[str, Any] = query(call, self._core, *values, filters)
        return answer

    def sweep(self, p0: Optional[ArrayLike] = None, p1: Optional[ArrayLike] = None, *,
              radius: ArrayLike, motion: ArrayLike, feet: Optional[ArrayLike] = None,
              height: Optional[ArrayLike] = None, up: ArrayLike = (0, 0, 1),
              mask: ArrayLike = ALL, sides: str = "front", bodies: str = "all",
              start_overlaps: str = "report", ignore: Optional[ArrayLike] = None,
              invalid: str = "raise", threads: Optional[int] = None) -> SweepHits:
        """The first touch of each moving capsule.

        Args:
            motion: displacements.
            start_overlaps: "report" overlaps at the start, at time 0, or "skip" them.
            ignore: a body that each capsule passes through, such as its own; -1 for none.

        >>> from capsweep import course
        >>> scene = course()
        >>> hits = scene.sweep(feet=(0, 0, 2), height=1.8, radius=0.3, motion=(0, 0, -5))
        >>> hits.distance.round(6).tolist(), scene.body_name(hits.body[0])
        ([2.0], 'floor')
        """
        capsules = arguments.capsules(p0, p1, radius, feet, height, up)
        motions = arrays.vectors("motion", motion)
        filters = arguments.filters(mask, sides, bodies, start_overlaps, ignore)
        columns = {**capsules.names, "motion": motions}
        return SweepHits(self._ask(_core.sweep, threads, invalid, filters, columns, capsules,
                                   motions))

    def sweep_any(self, p0: Optional[ArrayLike] = None, p1: Optional[ArrayLike] = None, *,
                  radius: ArrayLike, motion: ArrayLike, feet: Optional[ArrayLike] = None,
                  height: Optional[ArrayLike] = None, up: ArrayLike = (0, 0, 1),
                  mask: ArrayLike = ALL, sides: str = "front", bodies: str = "all",
                  start_overlaps: str = "report", invalid: str = "raise",
                  threads: Optional[int] = None) -> Any:
        """Whether each moving capsule touches anything. With `invalid="mark"` the answer is a
        table with the columns `hit` and `invalid`: a row with a bad number is not free.

        >>> from capsweep import course
        >>> course().sweep_any((0, 0, 1), (0, 0, 2), radius=0.3, motion=(0, 0, -3)).tolist()
        [True]
        """
        capsules = arguments.capsules(p0, p1, radius, feet, height, up)
        motions = arrays.vectors("motion", motion)
        filters = arguments.filters(mask, sides, bodies, start_overlaps)
        columns = {**capsules.names, "motion": motions}
        flags = Flags(self._ask(_core.sweep_any, threads, invalid, filters, columns, capsules,
                                motions))
        return flags if invalid == "mark" else flags.hit

    def sweep_all(self, p0: Optional[ArrayLike] = None, p1: Optional[ArrayLike] = None, *,
                  radius: ArrayLike, motion: ArrayLike, feet: Optional[ArrayLike] = None,
                  height: Optional[ArrayLike] = None, up: ArrayLike = (0, 0, 1),
                  mask: ArrayLike = ALL, sides: str = "front", bodies: str = "all",
                  start_overlaps: str = "report", invalid: str = "raise",
                  threads: Optional[int] = None) -> AllSweepHits:
        """Everything that each moving capsule touches, by time.

        >>> from capsweep import Scene
        >>> scene = Scene()
        >>> balls = scene.add_sphere([(0, 0, 0), (3, 0, 0)], 1.0)
        >>> found = scene.sweep_all((-3, 0, 0), (-3, 0, 1), radius=0.5, motion=(10, 0, 0))
        >>> found.counts.tolist(), found.distance.tolist()
        ([2], [1.5, 4.5])
        """
        capsules = arguments.capsules(p0, p1, radius, feet, height, up)
        motions = arrays.vectors("motion", motion)
        filters = arguments.filters(mask, sides, bodies, start_overlaps)
        columns = {**capsules.names, "motion": motions}
        return AllSweepHits(self._ask(_core.sweep_all, threads, invalid, filters, columns,
                                      capsules, motions))

    def overlap(self, p0: Optional[ArrayLike] = None, p1: Optional[ArrayLike] = None, *,
                radius: ArrayLike, feet: Optional[ArrayLike] = None,
                height: Optional[ArrayLike] = None, up: ArrayLike = (0, 0, 1),
                mask: ArrayLike = ALL, sides: str = "front", bodies: str = "all",
                invalid: str = "raise", threads: Optional[int] = None) -> OverlapHits:
        """The deepest overlap of each capsule.

        >>> from capsweep import Scene
        >>> scene = Scene()
        >>> ball = scene.add_sphere((0, 0, 0), 1.0)
        >>> scene.overlap((0, 0, 1.25), (0, 0, 3), radius=0.5).depth.tolist()
        [0.25]
        """
        capsules = arguments.capsules(p0, p1, radius, feet, height, up)
        filters = arguments.filters(mask, sides, bodies)
        return OverlapHits(self._ask(_core.overlap, threads, invalid, filters, capsules.names,
                                     capsules))

    def overlaps(self, p0: Optional[ArrayLike] = None, p1: Optional[ArrayLike] = None, *,
                 radius: ArrayLike, feet: Optional[ArrayLike] = None,
                 height: Optional[ArrayLike] = None, up: ArrayLike = (0, 0, 1),
                 mask: ArrayLike = ALL, sides: str = "front", bodies: str = "all",
                 invalid: str = "raise", threads: Optional[int] = None) -> Any:
        """Whether each capsule overlaps anything. With `invalid="mark"` the answer is a table with
        the columns `hit` and `invalid`: a row with a bad number is not free.

        >>> from capsweep import Scene
        >>> scene = Scene()
        >>> ball = scene.add_sphere((0, 0, 0), 1.0)
        >>> scene.overlaps([(0, 0, 1), (0, 0, 3)], (0, 0, 4), radius=0.5).tolist()
        [True, False]
        """
        capsules = arguments.capsules(p0, p1, radius, feet, height, up)
        filters = arguments.filters(mask, sides, bodies)
        flags = Flags(self._ask(_core.overlaps, threads, invalid, filters, capsules.names,
                                capsules))
        return flags if invalid == "mark" else flags.hit

    def overlap_all(self, p0: Optional[ArrayLike] = None, p1: Optional[ArrayLike] = None, *,
                    radius: ArrayLike, feet: Optional[ArrayLike] = None,
                    height: Optional[ArrayLike] = None, up: ArrayLike = (0, 0, 1),
                    mask: ArrayLike = ALL, sides: str = "front", bodies: str = "all",
                    invalid: str = "raise", threads: Optional[int] = None) -> AllOverlapHits:
        """Everything that each capsule overlaps, the deepest first.

        >>> from capsweep import Scene
        >>> scene = Scene()
        >>> balls = scene.add_sphere([(0, 0, 0), (0, 0, 2)], 1.0)
        >>> scene.overlap_all((0, 0, -1), (0, 0, 0.75), radius=0.5).depth.tolist()
        [1.5, 0.25]
        """
        capsules = arguments.capsules(p0, p1, radius, feet, height, up)
        filters = arguments.filters(mask, sides, bodies)
        return AllOverlapHits(self._ask(_core.overlap_all, threads, invalid, filters,
                                        capsules.names, capsules))

    def closest(self, p0: Optional[ArrayLike] = None, p1: Optional[ArrayLike] = None, *,
                radius: ArrayLike, feet: Optional[ArrayLike] = None,
                height: Optional[ArrayLike] = None, up: ArrayLike = (0, 0, 1),
                limit: ArrayLike = float("inf"), mask: ArrayLike = ALL, sides: str = "front",
                bodies: str = "all", invalid: str = "raise",
                threads: Optional[int] = None) -> ClosestHits:
        """The closest points of each capsule and the scene, at most `limit` metres apart. The
        distance is below 0 in an overlap.

        >>> from capsweep import Scene
        >>> scene = Scene()
        >>> floor = scene.add_half_space((0, 0, 0), (0, 0, 1))
        >>> scene.closest((0, 0, 2), (0, 0, 3), radius=0.5).distance.tolist()
        [1.5]
        """
        capsules = arguments.capsules(p0, p1, radius, feet, height, up)
        limits = arrays.numbers("limit", limit)
        filters = arguments.filters(mask, sides, bodies)
        columns = {**capsules.names, "limit": limits}
        return ClosestHits(self._ask(_core.closest, threads, invalid, filters, columns, capsules,
                                     limits))

    def ray(self, origin: ArrayLike, motion: ArrayLike, *, mask: ArrayLike = ALL,
            sides: str = "front", bodies: str = "all", invalid: str = "raise",
            threads: Optional[int] = None) -> RayHits:
        """The first surface on each ray from `origin` to `origin + motion`.

        >>> from capsweep import Scene
        >>> scene = Scene()
        >>> ball = scene.add_sphere((0, 0, 0), 1.0)
        >>> scene.ray((0, 0, 5), (0, 0, -10)).point.tolist()
        [[0.0, 0.0, 1.0]]
        """
        origins, motions = arrays.vectors("origin", origin), arrays.vectors("motion", motion)
        filters = arguments.filters(mask, sides, bodies)
        columns = {"origin": origins, "motion": motions}
        return RayHits(self._ask(_core.ray, threads, invalid, filters, columns, origins, motions))

    def supports(self, point: ArrayLike, *, above: ArrayLike = 2.0, below: ArrayLike = 100.0,
                 up: ArrayLike = (0, 0, 1), slope_degrees: float = 50.0, mask: ArrayLike = ALL,
                 sides: str = "front", bodies: str = "all", invalid: str = "raise",
                 threads: Optional[int] = None) -> Supports:
        """Floors and ceilings over and under each point, from top to bottom.

        >>> from capsweep import Scene
        >>> scene = Scene()
        >>> table = scene.add_box((0, 0, 0.75), (1, 1, 0.25))
        >>> found = scene.supports((0.2, 0.1, 2))
        >>> found.height.tolist(), found.walkable.tolist()
        ([-1.0, -1.5], [True, False])
        """
        points = arrays.vectors("point", point)
        over, under = arrays.numbers("above", above), arrays.numbers("below", below)
        filters = arguments.filters(mask, sides, bodies)
        columns = {"point": points, "above": over, "below": under}
        args = SimpleNamespace(points=points, above=over, below=under,
                               up=arrays.vector("up", up),
                               slope_degrees=arrays.number("slope_degrees", slope_degrees))
        with renamed("slope_limit", "slope_degrees"):
            return Supports(self._ask(_core.supports, threads, invalid, filters, columns, args))

    def liquid(self, point: ArrayLike, *, invalid: str = "raise",
               threads: Optional[int] = None) -> Liquids:
        """The liquid that each point is in. `kind` is the number of a word in `LIQUIDS`; kinds of
        your own have the bit 2³².

        >>> from capsweep import Scene
        >>> scene = Scene()
        >>> scene.add_liquid([[2, 2], [2, 2]], spacing=10)
        >>> pool = scene.liquid([(5, 5, 1), (5, 5, 3)])
        >>> pool.wet.tolist(), pool.surface[0].item()
        ([True, False], 2.0)
        """
        points = arrays.vectors("point", point)
        call = arguments.call(len(points), threads, invalid)
        with renamed("position", "point"):
            return Liquids(_core.liquid(call, self._core, points))

    def liquids_over(self, point: ArrayLike, *, invalid: str = "raise",
                     threads: Optional[int] = None) -> AllLiquids:
        """Every liquid over and under each point."""
        points = arrays.vectors("point", point)
        call = arguments.call(len(points), threads, invalid)
        with renamed("position", "point"):
            columns = _core.liquids_over(call, self._core, points)
        columns.pop("wet")
        return AllLiquids(columns)

    def depenetrate(self, p0: Optional[ArrayLike] = None, p1: Optional[ArrayLike] = None, *,
                    radius: ArrayLike, feet: Optional[ArrayLike] = None,
                    height: Optional[ArrayLike] = None, up: ArrayLike = (0, 0, 1),
                    mask: ArrayLike = ALL, sides: str = "front", bodies: str = "all",
                    invalid: str = "raise", threads: Optional[int] = None) -> Pushes:
        """The displacement that frees each capsule of its overlaps.

        >>> from capsweep import Clearance, Scene
        >>> scene = Scene()
        >>> floor = scene.add_half_space((0, 0, 0), (0, 0, 1))
        >>> pushes = scene.depenetrate((0, 0, 0.25), (0, 0, 2), radius=0.5)
        >>> Clearance(pushes.state[0]).name, bool(pushes.push[0, 2] >= 0.25)
        ('FREE', True)
        """
        capsules = arguments.capsules(p0, p1, radius, feet, height, up)
        filters = arguments.filters(mask, sides, bodies)
        return Pushes(self._ask(_core.depenetrate, threads, invalid, filters, capsules.names,
                                capsules))
