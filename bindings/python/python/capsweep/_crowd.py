"""Crowds: n characters that walk, fall, swim and ride at once."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Optional, Sequence

import numpy as np

from . import _arguments as arguments
from . import _arrays as arrays
from . import _core
from ._answers import Contacts, MoveDetails, Moves, States
from ._arguments import ALL, Water
from ._config import Abilities, ControllerConfig, LocomotionConfig
from ._errors import InputError, InputTypeError, renamed
from ._scene import Scene
from ._table import ArrayLike, Bools, Bytes, Floats, Ints, LazyColumns
from ._trace import Trace

RIDES = ("full", "vertical", "manual", "boarded")


@dataclass(frozen=True)
class Carrier:
    """The motion of a body that carries characters: its positions and rotations at the last step
    and now. The scene holds the body at its new place already.

    `ride` is "full", "vertical", "manual" or "boarded". `scale` is that of the body.
    """

    body: int
    previous: Any
    next: Any
    previous_rotation: Any = (0.0, 0.0, 0.0, 1.0)
    next_rotation: Any = (0.0, 0.0, 0.0, 1.0)
    ride: str = "full"
    scale: Any = 1.0

    def _args(self) -> SimpleNamespace:
        with renamed("position", "previous"), renamed("rotation", "previous_rotation"):
            before, one = arguments.poses(self.previous, self.previous_rotation, self.scale, None)
        with renamed("position", "next"), renamed("rotation", "next_rotation"):
            now, other = arguments.poses(self.next, self.next_rotation, self.scale, None)
        if not (one and other):
            raise InputError("previous and next must be one pose each: (3,) and (4,) arrays",
                             "previous")
        ride = arrays.choice("ride", self.ride, RIDES)
        body = arrays.integer("body", self.body, np.int64)
        return SimpleNamespace(body=body, previous=before, next=now, ride=ride)


def carrier_args(name: str, carriers: Any) -> list[SimpleNamespace]:
    """The carriers of an argument, for the native half."""
    if not isinstance(carriers, (tuple, list)):
        raise InputTypeError(f"{name} is {type(carriers).__name__}: it must be a list", name)
    made = []
    for index, carrier in enumerate(carriers):
        if not isinstance(carrier, Carrier):
            kind = type(carrier).__name__
            raise InputTypeError(f"{name}[{index}] is {kind}: it must be a Carrier", name, index)
        try:
            made.append(carrier._args())
        except InputError as error:
            text = f"{name}[{index}].{error}"
            raise type(error)(text, name, index, error.value) from error
    return made


class Crowd:
    """Characters in a scene, with a cache of nearby triangles each.

    Args:
        scene: the scene. The crowd sees later changes of it.
        positions: (n, 3) array of feet.
        config: size and rules, by default `ControllerConfig.human()`.
        locomotion: gravity, jumps and water, by default `LocomotionConfig.human()`.
        cache: keep nearby triangles of each character. Answers have the same bits without.

    Characters do not see each other: `separate` parts those that overlap.

    >>> scene = Scene()
    >>> floor = scene.add_half_space((0, 0, 0), (0, 0, 1))
    >>> crowd = Crowd(scene, [(0, 0, 0), (5, 0, 0)])
    >>> for _ in range(60):
    ...     moves = crowd.tick(walk=(1.5, 0, 0), dt=1 / 60)
    >>> crowd.feet.round(1).tolist()
    [[1.5, 0.0, 0.0], [6.5, 0.0, 0.0]]
    """

    def __init__(
        self,
        scene: Scene,
        positions: ArrayLike,
        *,
        config: Optional[ControllerConfig] = None,
        locomotion: Optional[LocomotionConfig] = None,
        cache: bool = True,
    ) -> None:
        if not isinstance(scene, Scene):
            raise InputTypeError(f"scene is {type(scene).__name__}: it must be a Scene", "scene")
        if config is not None:
            ControllerConfig.check_type("config", config)
        if locomotion is not None:
            LocomotionConfig.check_type("locomotion", locomotion)
        self.scene = scene
        self.config = ControllerConfig.human() if config is None else config
        self.locomotion = LocomotionConfig.human() if locomotion is None else locomotion
        self._cache = arrays.flag("cache", cache)
        feet = arrays.vectors("positions", positions)
        rules = (self.config.to_json(), self.locomotion.to_json())
        with renamed("feet", "positions"):
            self._core = _core.CrowdCore(*rules, feet, self._cache)

    # The state.

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"<Crowd: {len(self)} characters>"

    @property
    def states(self) -> States:
        """All columns of the state."""
        return States(LazyColumns(self._core.rows()))

    @property
    def feet(self) -> Floats:
        """Positions of the feet, (n, 3)."""
        return self.states.feet

    @property
    def velocity(self) -> Floats:
        """Velocities, (n, 3) m/s."""
        return self.states.velocity

    @property
    def mode(self) -> Bytes:
        """How each character moves: a `Mode`."""
        return self.states.mode

    @property
    def grounded(self) -> Bools:
        """Whether each character stands on walkable ground."""
        return self.states.grounded

    def save(self) -> str:
        """All states as JSON, every bit of them."""
        return self._core.states()

    def load(self, states: str) -> None:
        """Puts the characters back into stored states: rollback."""
        if not isinstance(states, str):
            raise InputTypeError("states must be the text that save() gives", "states")
        self._core.set_states(states)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore, (self.scene, self.config, self.locomotion, self._cache, self.save()))

    def copy(self) -> "Crowd":
        """The same characters in the same scene, with empty caches."""
        return _restore(self.scene, self.config, self.locomotion, self._cache, self.save())

    # Steps.

    def _step(self, name: str, motion: Any, dt: Any, jump: Any, abilities: Any, slippery: Any,
              knock_back: Any, water: Any, carriers: Any, aboard: Any, mask: Any, sides: str,
              bodies: str, ignore: Any, threads: Any, *, hover: Any = None,
              floor: Any = None) -> SimpleNamespace:
        abilities = Abilities() if abilities is None else abilities
        Abilities.check_type("abilities", abilities)
        filters = arguments.filters(mask, sides, bodies, "report", ignore)
        motions, times = arrays.vectors(name, motion), arrays.numbers("dt", dt)
        jumps = arrays.flags("jump", jump)
        hover = arrays.numbers("hover", abilities.hover if hover is None else hover)
        floors = None if floor is None else arrays.numbers("floor", floor)
        marks = {name: arrays.flags(name, value) for name, value in (
            ("fly", abilities.fly), ("water_walking", abilities.water_walking),
            ("slow_fall", abilities.slow_fall), ("rooted", abilities.rooted),
            ("slippery", slippery),
        )}
        knocks = None if knock_back is None else arrays.vectors("knock_back", knock_back)
        moved = carrier_args("carriers", carriers)
        numbers = None
        if aboard is not None:
            numbers = arrays.codes("aboard", aboard, -1, len(moved) - 1)
        columns = {name: motions, "dt": times, "jump": jumps, "hover": hover, **marks,
                   "knock_back": knocks, "floor": floors, "aboard": numbers, **filters.names}
        count = len(self)
        for name, column in columns.items():
            if column is not None and len(column) not in (1, count):
                raise InputError(f"{name} has {len(column)} rows: the crowd has {count}", name)
        # One bit for each ability, in the order of the native half.
        skills = np.zeros(1, np.uint8)
        for bit, mark in enumerate(marks.values()):
            if mark is not arrays.NO:
                skills = skills | (mark.astype(np.uint8) << np.uint8(bit))
        return SimpleNamespace(
            motion=motions, jump=jumps, dt=times, abilities=skills, hover=hover, floor=floors,
            knock_back=knocks, water=arguments.water(water),
            carriers=moved, aboard=numbers, filter=filters, threads=arrays.threads(threads),
        )

    def _made(self, step: Any, args: SimpleNamespace, kind: str, trace: Optional[Trace]) -> Moves:
        if trace is not None:
            Trace.check(trace, kind)
        rows, lines = step(self.scene._core, args, trace is not None)
        if trace is not None:
            trace._add(kind, lines)
        return Moves(LazyColumns(rows))

    def tick(
        self,
        walk: ArrayLike = (0.0, 0.0, 0.0),
        dt: ArrayLike = 1 / 60,
        *,
        jump: ArrayLike = False,
        abilities: Optional[Abilities] = None,
        slippery: ArrayLike = False,
        knock_back: Optional[ArrayLike] = None,
        water: Water = None,
        carriers: Sequence[Carrier] = (),
        aboard: Optional[ArrayLike] = None,
        mask: ArrayLike = ALL,
        sides: str = "front",
        bodies: str = "all",
        ignore: Optional[ArrayLike] = None,
        trace: Optional[Trace] = None,
        threads: Optional[int] = None,
    ) -> Moves:
        """Moves every character for `dt` seconds: walks, falls, jumps, swims or flies.

        Args:
            walk: desired velocities, (n, 3) or one for all (m/s).
            jump: which characters jump.
            abilities: of all characters; arrays in it give each character its own.
            knock_back: velocities to leave the ground with; rows of NaN for none.
            water: height of a plane of water; `NO_WATER`; None for the scene's liquids.
            carriers: bodies that moved; a character that stands on one rides on it.
            aboard: number of the carrier that each character is aboard of; -1 for none.
            ignore: a body that each character passes through, such as its own; -1 for none.
            trace: records the ticks.

        If a number is bad, no character moves.

        >>> scene = Scene()
        >>> floor = scene.add_half_space((0, 0, 0), (0, 0, 1))
        >>> crowd = Crowd(scene, [(0, 0, 0), (5, 0, 0)])
        >>> moves = crowd.tick(), crowd.tick(jump=[True, False])
        >>> moves[1].grounded.tolist()
        [False, True]
        """
        args = self._step("walk", walk, dt, jump, abilities, slippery, knock_back, water, carriers,
                          aboard, mask, sides, bodies, ignore, threads)
        try:
            return self._made(self._core.tick, args, "tick", trace)
        except InputError as error:
            if error.argument != "motion":
                raise
            # The motion that follows from a velocity may be out of range where the velocity is
            # not.
            row = "" if error.index is None else f"[{error.index}]"
            raise InputError(f"walk{row} and dt are too large together: {error}", "walk",
                             error.index, error.value) from None

    def move(
        self,
        displacement: ArrayLike,
        dt: ArrayLike = 0.0,
        *,
        fly: ArrayLike = False,
        hover: ArrayLike = 0.0,
        floor: Optional[ArrayLike] = None,
        slippery: ArrayLike = False,
        carriers: Sequence[Carrier] = (),
        aboard: Optional[ArrayLike] = None,
        mask: ArrayLike = ALL,
        sides: str = "front",
        bodies: str = "all",
        ignore: Optional[ArrayLike] = None,
        trace: Optional[Trace] = None,
        threads: Optional[int] = None,
    ) -> Moves:
        """Moves every character by a displacement, without gravity of its own: the controller
        alone. Velocities stay.

        Args:
            fly: which characters move freely, without steps, snaps and slopes.
            hover: height of the feet over the ground.
            floor: height of a level surface that carries the feet, such as water; NaN for none.
            others: as in `tick`.

        >>> scene = Scene()
        >>> wall = scene.add_box((2, 0, 1), (0.5, 5, 1))
        >>> floor = scene.add_half_space((0, 0, 0), (0, 0, 1))
        >>> crowd = Crowd(scene, [(0, 0, 0)])
        >>> moves = crowd.move((5, 0, -0.01))
        >>> moves.sides.tolist(), crowd.feet[:, 0].round(3).tolist()
        ([True], [1.18])
        """
        abilities = Abilities(fly=fly)
        args = self._step("displacement", displacement, dt, False, abilities, slippery, None, None,
                          carriers, aboard, mask, sides, bodies, ignore, threads, hover=hover,
                          floor=floor)
        with renamed("motion", "displacement"), renamed("abilities", "hover"):
            return self._made(self._core.move, args, "move", trace)

    def contacts(self) -> Contacts:
        """The surfaces that each character touched in its last step."""
        columns = self._core.contacts()
        columns = {("part" if name == "pass_" else name): column
                   for name, column in columns.items()}
        return Contacts(columns)

    def details(self) -> MoveDetails:
        """What `Moves` leaves out of the last step: the push out of overlaps, and the key, the
        tag and the velocity of the ground.

        >>> scene = Scene()
        >>> floor = scene.add_box((0, 0, -1), (5, 5, 1), key=7)
        >>> crowd = Crowd(scene, [(0, 0, 0)])
        >>> moves = crowd.tick()
        >>> crowd.details().ground_key.tolist()
        [7]
        """
        return MoveDetails(self._core.details())

    # Places and sizes.

    def _which(self, which: Optional[ArrayLike]) -> Ints:
        numbers: Ints = arguments.which(which, len(self))
        return numbers

    def teleport(self, feet: ArrayLike, which: Optional[ArrayLike] = None) -> None:
        """Puts characters elsewhere, at rest. `which` is a mask or numbers; by default all.

        >>> crowd = Crowd(Scene(), [(0, 0, 0), (5, 0, 0)])
        >>> crowd.teleport((1, 2, 3), which=[1])
        >>> crowd.feet.tolist()
        [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]]
        """
        chosen = self._which(which)
        places = arguments.column("feet", arrays.vectors("feet", feet), chosen)
        self._core.teleport(chosen, places)

    def set_velocity(self, velocity: ArrayLike, which: Optional[ArrayLike] = None) -> None:
        """Sets velocities (m/s)."""
        chosen = self._which(which)
        speeds = arguments.column("velocity", arrays.vectors("velocity", velocity), chosen)
        self._core.set_velocity(chosen, speeds)

    def resize(self, height: ArrayLike, which: Optional[ArrayLike] = None, *,
               force: bool = False) -> Bools:
        """Makes characters taller or smaller where there is room, and returns where there was.
        `force` does it everywhere.

        >>> scene = Scene()
        >>> ceiling = scene.add_box((0, 0, 3), (1, 1, 1))
        >>> crowd = Crowd(scene, [(0, 0, 0), (5, 0, 0)])
        >>> crowd.resize(2.5).tolist()
        [False, True]
        """
        chosen = self._which(which)
        tall = arguments.column("height", arrays.numbers("height", height), chosen)
        found = self._core.resize(self.scene._core, chosen, tall, arrays.flag("force", force))
        return np.array(found, dtype=bool)

    def free(self, within: float = 2.0, *, threads: Optional[int] = None) -> Bools:
        """Moves characters that overlap something to free places, at most `within` metres away;
        returns which ones are free.

        >>> scene = Scene()
        >>> crate = scene.add_box((0, 0, 1), (0.5, 0.5, 1))
        >>> crowd = Crowd(scene, [(0, 0, 0)])
        >>> crowd.free().tolist(), scene.overlaps(feet=crowd.feet, height=1.8, radius=0.3).tolist()
        ([True], [False])
        """
        found = self._core.free(self.scene._core, arrays.number("within", within),
                                arrays.threads(threads))
        return np.array(found, dtype=bool)

    # Members.

    def add(self, positions: ArrayLike) -> Ints:
        """Adds characters at the end of the crowd and returns their numbers.

        >>> scene = Scene()
        >>> crowd = Crowd(scene, [(0, 0, 0)])
        >>> crowd.add([(1, 0, 0), (2, 0, 0)]).tolist(), len(crowd)
        ([1, 2], 3)
        """
        more = Crowd(self.scene, positions, config=self.config, locomotion=self.locomotion,
                     cache=self._cache)
        count = len(more)
        first = self._core.extend(more._core)
        numbers: Ints = np.arange(first, first + count)
        return numbers

    def remove(self, which: ArrayLike) -> None:
        """Removes characters. Those after them move up: their numbers change.

        >>> crowd = Crowd(Scene(), [(0, 0, 0), (5, 0, 0)])
        >>> crowd.remove([0])
        >>> crowd.feet.tolist()
        [[5.0, 0.0, 0.0]]
        """
        keep = np.ones(len(self), bool)
        keep[self._which(which)] = False
        self._core.keep(keep)

    def separate(self, max_push: float = 0.1) -> Floats:
        """Level displacements that part characters which overlap each other: add them to the
        next step.

        >>> crowd = Crowd(Scene(), [(0, 0, 0), (0.5, 0, 0)])
        >>> crowd.separate(max_push=0.5)[:, 0].round(2).tolist()
        [-0.06, 0.06]
        """
        most = arrays.number("max_push", max_push)
        if not most >= 0:
            raise InputError(f"max_push is {most}: it must be 0 or more", "max_push", None, most)
        pushes: Floats = self._core.separate(most)
        return pushes

    def cache_stats(self) -> dict[str, int]:
        """How the caches did, summed over all characters."""
        names = ("hits", "refills", "bypassed", "over_limit", "triangles")
        return dict(zip(names, self._core.cache_stats()))


def _restore(scene: Scene, config: ControllerConfig, locomotion: LocomotionConfig, cache: bool,
             states: str) -> Crowd:
    crowd = Crowd.__new__(Crowd)
    crowd.scene, crowd.config, crowd.locomotion = scene, config, locomotion
    crowd._cache = cache
    crowd._core = _core.CrowdCore.from_states(config.to_json(), locomotion.to_json(), states,
                                              cache)
    return crowd
