"""Validation: could these claimed moves have happened?"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _arguments as arguments
from . import _arrays as arrays
from . import _core
from ._answers import Accepted, Verdicts
from ._arguments import ALL, Water
from ._codes import Mode, Verdict
from ._config import (
    Abilities,
    ControllerConfig,
    LocomotionConfig,
    SpeedLimits,
    ValidatorConfig,
)
from ._crowd import Carrier, carrier_args
from ._errors import InputError, InputTypeError, renamed
from ._scene import Scene
from ._table import ArrayLike, Floats, Ints


class Inputs:
    """The inputs of the ticks between claims, which validation replays.

    Args:
        count: number of ticks of each claim, (n,). The ticks of all claims follow each other.
        walk: desired velocity of each tick: one for all, or (m, 3) with the sum of `count` rows.
            `steer` makes it from keys and facing.
        dt: seconds of each tick.
        jump: ticks in which the character jumps.

    >>> inputs = Inputs([2, 1], walk=(5, 0, 0), dt=0.05)
    >>> inputs
    <Inputs: 3 ticks of 2 claims>
    """

    def __init__(self, count: ArrayLike, walk: ArrayLike, dt: ArrayLike,
                 jump: ArrayLike = False) -> None:
        self.count = arrays.codes("count", count, 0, 2**31)
        self.walk = arrays.vectors("walk", walk)
        self.dt = arrays.numbers("dt", dt)
        self.jump = arrays.flags("jump", jump)
        ticks = int(self.count.sum())
        for name, column in (("walk", self.walk), ("dt", self.dt), ("jump", self.jump)):
            if len(column) not in (1, ticks):
                raise InputError(f"{name} has {len(column)} rows: count has {ticks} ticks", name)

    def __repr__(self) -> str:
        return f"<Inputs: {int(self.count.sum())} ticks of {len(self.count)} claims>"

    def _args(self) -> SimpleNamespace:
        if len(self.walk) == len(self.jump) == len(self.dt) == 1:
            # All ticks are the same: claims share those of the longest.
            ticks, first = int(self.count.max(initial=0)), np.zeros(len(self.count), np.int64)
        else:
            ticks, first = int(self.count.sum()), np.cumsum(self.count) - self.count
        return SimpleNamespace(ticks=ticks, first=first, count=self.count, walk=self.walk,
                               jump=self.jump, dt=self.dt)


class Validator:
    """Judges claimed moves by one set of rules of movement.

    >>> from capsweep import Reason
    >>> scene = Scene()
    >>> floor = scene.add_half_space((0, 0, 0), (0, 0, 1))
    >>> feet = [(0, 0, 0), (0.4, 0, 0), (10.4, 0, 0)]
    >>> verdicts = Validator().check(scene, feet, dt=0.1)
    >>> verdicts.possible.tolist(), Reason(verdicts.reason[2]).name
    ([True, True, False], 'TOO_FAST')
    """

    def __init__(
        self,
        config: Optional[ControllerConfig] = None,
        locomotion: Optional[LocomotionConfig] = None,
        validation: Optional[ValidatorConfig] = None,
    ) -> None:
        for kind, name, given in (
            (ControllerConfig, "config", config), (LocomotionConfig, "locomotion", locomotion),
            (ValidatorConfig, "validation", validation),
        ):
            if given is not None:
                kind.check_type(name, given)
        self.config = ControllerConfig.human() if config is None else config
        self.locomotion = LocomotionConfig.human() if locomotion is None else locomotion
        self.validation = ValidatorConfig() if validation is None else validation
        self._core = _core.ValidatorCore(
            self.config.to_json(), self.locomotion.to_json(), self.validation.to_json()
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (Validator, (self.config, self.locomotion, self.validation))

    def check(
        self,
        scene: Scene,
        feet: ArrayLike,
        dt: ArrayLike,
        *,
        character: Optional[ArrayLike] = None,
        start: Optional[ArrayLike] = None,
        start_velocity: Optional[ArrayLike] = None,
        server_dt: Optional[ArrayLike] = None,
        velocity: Optional[ArrayLike] = None,
        mode: Optional[ArrayLike] = None,
        world: ArrayLike = 0,
        world_id: int = 0,
        inputs: Optional[Inputs] = None,
        speeds: Union[SpeedLimits, ArrayLike, None] = None,
        put_back: bool = True,
        moved: Sequence[Carrier] = (),
        water: Water = None,
        mask: int = ALL,
        sides: str = "front",
        bodies: str = "all",
        threads: Optional[int] = None,
    ) -> Verdicts:
        """Judges a log of claims, all characters in parallel.

        Args:
            feet: (n, 3) claimed positions.
            dt: seconds since the character's last claim, by its clock.
            character: whose claim each row is: numbers or text. Rows of one character are in the
                order of time, and may lie between those of others. NaN is no name. Without it
                all rows are of one.
            start: where each character starts, in the order in which they first appear, (c, 3).
                Without it the first row of each is its start, and counts as possible.
            start_velocity: velocity there; without it a character in the air may have any.
            server_dt: seconds by the server's clock, if it differs.
            velocity: claimed velocities; rows of NaN for none.
            mode: claimed modes; -1 for none.
            world: number of the world that each claim is of; `world_id` is that of the scene.
            inputs: inputs of each claim, which are replayed first.
            speeds: limits for all characters, or (c, 3) rows of ground, swim and fly.
            put_back: after an impossible claim go on from the last accepted position, as a
                server does. Otherwise, and after an undecided one, go on from the claimed one.
            moved: bodies that moved during all claims, as in `Chains.check`.

        A bad number in a claim is a verdict, `Reason.INVALID_NUMBER`. One in a start is an error.
        """
        claims = _claims(feet, dt, server_dt, velocity, mode, world, world_id, inputs, moved,
                         water, arguments.filters(mask, sides, bodies), threads)
        rows = len(claims.feet)
        chains = _Chains(character, rows)
        limits = _speeds(speeds)
        skip = start is None
        first = chains.first_rows()
        starts = claims.feet[first] if start is None else arrays.vectors("start", start)
        if len(starts) != chains.count:
            raise InputError(
                f"start has {len(starts)} rows: there are {chains.count} characters", "start"
            )
        begin = None
        if start_velocity is not None:
            begin = arrays.vectors("start_velocity", start_velocity)
        back = arrays.flag("put_back", put_back)
        for name, column in (("speeds", limits), ("start_velocity", begin)):
            if column is not None and len(column) not in (1, chains.count):
                raise InputError(
                    f"{name} has {len(column)} rows: there are {chains.count} characters", name
                )
        order, offsets = chains.order(skip)
        args = SimpleNamespace(feet=starts, velocity=begin, speeds=limits)
        chosen = _select(claims, order, rows)
        # A start is row `first` of the claims, or a row of its own.
        numbers = first if skip else np.arange(chains.count)
        with renamed("feet", "feet" if skip else "start", numbers), \
                renamed("velocity", "start_velocity"):
            columns = self._core.check_chains(_scene(scene), args, chosen, offsets, back)
        if not skip and len(order) == rows and (order == np.arange(rows)).all():
            return Verdicts(columns)
        return Verdicts(_scattered(columns, order, rows, claims.feet))

    def start(
        self,
        scene: Scene,
        feet: ArrayLike,
        *,
        velocity: Optional[ArrayLike] = None,
        speeds: Union[SpeedLimits, ArrayLike, None] = None,
        water: Water = None,
        mask: int = ALL,
        sides: str = "front",
        bodies: str = "all",
        threads: Optional[int] = None,
    ) -> "Chains":
        """Starts a chain of claims for each of n characters, where the server knows them to be.

        >>> scene = Scene()
        >>> floor = scene.add_half_space((0, 0, 0), (0, 0, 1))
        >>> chains = Validator().start(scene, [(0, 0, 0), (5, 0, 0)])
        >>> chains.check(scene, [(0.3, 0, 0), (9, 0, 0)], dt=0.1).possible.tolist()
        [True, False]
        """
        places, limits = arrays.vectors("feet", feet), _speeds(speeds)
        begin = None if velocity is None else arrays.vectors("velocity", velocity)
        for name, column in (("speeds", limits), ("velocity", begin)):
            if column is not None and len(column) not in (1, len(places)):
                raise InputError(f"{name} has {len(column)} rows: feet has {len(places)}", name)
        claims = _claims(places, 0.0, None, None, None, 0, 0, None, (), water,
                         arguments.filters(mask, sides, bodies), threads)
        args = SimpleNamespace(feet=places, velocity=begin, speeds=limits)
        return Chains(self, self._core.start(_scene(scene), args, claims))


class Chains:
    """The last accepted states of n characters, for a server that judges claims as they come."""

    def __init__(self, validator: Validator, core: Any) -> None:
        self.validator, self._core = validator, core

    def __len__(self) -> int:
        return len(self._core)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_chains_again, (self.validator, self._core.states()))

    @property
    def accepted(self) -> Accepted:
        """Where each character was accepted last, and what it still has in credit."""
        return Accepted(self._core.columns())

    def check(
        self,
        scene: Scene,
        feet: ArrayLike,
        dt: ArrayLike,
        *,
        server_dt: Optional[ArrayLike] = None,
        velocity: Optional[ArrayLike] = None,
        mode: Optional[ArrayLike] = None,
        world: ArrayLike = 0,
        world_id: int = 0,
        inputs: Optional[Inputs] = None,
        moved: Sequence[Carrier] = (),
        which: Optional[ArrayLike] = None,
        water: Water = None,
        mask: int = ALL,
        sides: str = "front",
        bodies: str = "all",
        threads: Optional[int] = None,
    ) -> Verdicts:
        """Judges one claim of each character, or of those in `which`: a mask or numbers. Claims
        that are not possible leave the accepted state as it is: put the character back to
        `accepted`.

        Args:
            inputs: inputs of each claim, which are replayed first.
            moved: doors, lifts and ships that moved since the last claims: their poses then and
                now. The scene has them at their new places.
        """
        claims = _claims(feet, dt, server_dt, velocity, mode, world, world_id, inputs, moved,
                         water, arguments.filters(mask, sides, bodies), threads)
        chosen = self._which(which)
        if len(np.unique(chosen)) != len(chosen):
            raise InputError("which names a character twice: judge its claims one by one", "which")
        if len(claims.feet) != len(chosen):
            raise InputError(
                f"feet has {len(claims.feet)} rows: there are {len(chosen)} characters", "feet"
            )
        return Verdicts(self._core.check(_scene(scene), claims, chosen))

    def add(self, scene: Scene, feet: ArrayLike, **options: Any) -> Ints:
        """Starts more chains, with the options of `Validator.start`, and returns their numbers."""
        more = self.validator.start(scene, feet, **options)
        count = len(more)
        first = self._core.extend(more._core)
        numbers: Ints = np.arange(first, first + count)
        return numbers

    def remove(self, which: ArrayLike) -> None:
        """Ends chains. Those after them move up: their numbers change."""
        keep = np.ones(len(self), bool)
        keep[self._which(which)] = False
        self._core.keep(keep)

    def _which(self, which: Optional[ArrayLike]) -> Ints:
        numbers: Ints = arguments.which(which, len(self))
        return numbers

    def _column(self, name: str, value: ArrayLike, which: Ints) -> Floats:
        found: Floats = arguments.column(name, arrays.vectors(name, value), which)
        return found

    def displace(self, displacement: ArrayLike, which: Optional[ArrayLike] = None) -> None:
        """The server moved characters, such as by a lift.

        >>> scene = Scene()
        >>> floor = scene.add_half_space((0, 0, 0), (0, 0, 1))
        >>> chains = Validator().start(scene, [(0, 0, 0)])
        >>> chains.displace((50, 0, 0))
        >>> chains.check(scene, [(50.3, 0, 0)], dt=0.1).possible.tolist()
        [True]
        """
        chosen = self._which(which)
        self._core.displace(chosen, self._column("displacement", displacement, chosen))

    def knock_back(self, velocity: ArrayLike, window: float = 1.0,
                   which: Optional[ArrayLike] = None) -> None:
        """The server threw characters; each has `window` seconds to follow.

        >>> scene = Scene()
        >>> floor = scene.add_half_space((0, 0, 0), (0, 0, 1))
        >>> chains = Validator().start(scene, [(0, 0, 0)])
        >>> chains.knock_back((0, 0, 8))
        >>> chains.check(scene, [(0, 0, 0.7)], dt=0.1).possible.tolist()
        [True]
        """
        chosen = self._which(which)
        self._core.knock_back(chosen, self._column("velocity", velocity, chosen),
                              arrays.number("window", window))

    def change_speeds(self, speeds: Union[SpeedLimits, ArrayLike], window: float = 1.0,
                      which: Optional[ArrayLike] = None) -> None:
        """New speed limits; the old ones still count for `window` seconds."""
        chosen = self._which(which)
        self._core.change_speeds(chosen, self._column("speeds", _speeds(speeds), chosen),
                                 arrays.number("window", window))

    def resize(self, height: ArrayLike, which: Optional[ArrayLike] = None) -> None:
        """Characters crouched or stood up: their height from now on, with the feet where they
        are."""
        chosen = self._which(which)
        tall = arguments.column("height", arrays.numbers("height", height), chosen)
        self._core.resize(chosen, tall)

    def set_abilities(self, abilities: Abilities, which: Optional[ArrayLike] = None) -> None:
        """New abilities."""
        Abilities.check_type("abilities", abilities)
        self._core.set_abilities(self._which(which), abilities.to_json())


def _chains_again(validator: Validator, states: str) -> Chains:
    return Chains(validator, validator._core.restore(states))


class _Chains:
    """The rows of each character."""

    def __init__(self, character: Any, rows: int) -> None:
        if character is None:
            self.chain = np.zeros(rows, np.int64)
            self.count = min(rows, 1)
            return
        found = arrays.array("character", character)
        if found.shape != (rows,):
            raise InputError(
                f"character has shape {found.shape}: feet has {rows} rows", "character"
            )
        unnamed = _missing(found)
        if unnamed.any():
            row = int(np.argmax(unnamed))
            raise InputError(f"character[{row}] is {found[row]}: each row needs one", "character",
                             row)
        try:
            _, first, inverse = np.unique(found, return_index=True, return_inverse=True)
        except TypeError as error:
            raise InputTypeError(f"character cannot be sorted: {error}", "character") from error
        # In the order in which characters first appear.
        rank = np.empty(len(first), np.int64)
        rank[np.argsort(first, kind="stable")] = np.arange(len(first))
        self.chain, self.count = rank[inverse.reshape(-1)], len(first)

    def order(self, skip_first: bool) -> tuple[Ints, Ints]:
        """Rows by chain, in order; and where each chain begins."""
        order = np.argsort(self.chain, kind="stable")
        counts = np.bincount(self.chain, minlength=self.count).astype(np.int64)
        if skip_first and len(order):
            keep = np.ones(len(order), bool)
            keep[np.concatenate(([0], np.cumsum(counts)[:-1]))] = False
            order, counts = order[keep], counts - 1
        return order, np.concatenate(([0], np.cumsum(counts))).astype(np.int64)

    def first_rows(self) -> Ints:
        _, first = np.unique(self.chain, return_index=True)
        return first


def _missing(found: Any) -> Any:
    """Where NaN stands for a name that is missing: two of them need not be one character."""
    if found.dtype.kind == "O":
        return np.array([isinstance(name, float) and name != name for name in found], bool)
    return found != found


def _scene(scene: object) -> Any:
    if not isinstance(scene, Scene):
        raise InputTypeError(f"scene is {type(scene).__name__}: it must be a Scene", "scene")
    return scene._core


def _speeds(speeds: Any) -> Floats:
    if speeds is None:
        speeds = SpeedLimits.human()
    if isinstance(speeds, SpeedLimits):
        speeds = (speeds.ground, speeds.swim, speeds.fly)
    return arrays.vectors("speeds", speeds)


def _claims(feet: Any, dt: Any, server_dt: Any, velocity: Any, mode: Any, world: Any,
            world_id: Any, inputs: Any, moved: Any, water: Any, filters: SimpleNamespace,
            threads: Any) -> SimpleNamespace:
    made = SimpleNamespace(
        feet=arrays.vectors("feet", feet),
        dt=arrays.numbers("dt", dt),
        server_dt=None if server_dt is None else arrays.numbers("server_dt", server_dt),
        velocity=None if velocity is None else arrays.vectors("velocity", velocity),
        mode=None if mode is None
        else arrays.codes("mode", mode, -1, max(Mode)).astype(np.int8),
        world=arrays.integers("world", world, np.uint64),
    )
    columns = vars(made).copy()
    count = arrays.rows(**columns)
    if count != len(made.feet):
        raise InputError(f"feet has {len(made.feet)} rows: the others have {count}", "feet")
    if inputs is not None:
        if not isinstance(inputs, Inputs):
            raise InputTypeError(f"inputs is {type(inputs).__name__}: it must be Inputs", "inputs")
        if len(inputs.count) != len(made.feet):
            raise InputError(
                f"inputs has {len(inputs.count)} claims: feet has {len(made.feet)} rows", "inputs"
            )
    if len(filters.mask) != 1:
        raise InputError(f"mask has {len(filters.mask)} rows: it must be one integer", "mask")
    made.inputs = None if inputs is None else inputs._args()
    made.moved = carrier_args("moved", moved)
    made.world_id = arrays.integer("world_id", world_id, np.uint64)
    made.water = arguments.water(water)
    made.filter = filters
    made.threads = arrays.threads(threads)
    return made


def _select(claims: SimpleNamespace, order: Ints, rows: int) -> SimpleNamespace:
    """The claims in another order."""
    if len(order) == rows and (order == np.arange(rows)).all():
        return claims
    chosen = SimpleNamespace(**vars(claims))
    for name in ("feet", "dt", "server_dt", "velocity", "mode", "world"):
        column = getattr(claims, name)
        if column is not None and (len(column) != 1 or name == "feet"):
            setattr(chosen, name, column[order])
    if claims.inputs is not None:
        inputs = SimpleNamespace(**vars(claims.inputs))
        inputs.first, inputs.count = inputs.first[order], inputs.count[order]
        chosen.inputs = inputs
    return chosen


def _scattered(columns: dict[str, Any], order: Ints, rows: int, feet: Floats) -> dict[str, Any]:
    """The verdicts in the order of the claims. Starts are possible where they are."""
    empty = {"verdict": Verdict.POSSIBLE, "reason": -1, "amount": np.nan, "at": np.nan,
             "body": -1, "queries": 0}
    whole: dict[str, Any] = {}
    for name, column in columns.items():
        shape = (rows, *column.shape[1:])
        if name == "accepted":
            whole[name] = feet.copy()
        else:
            whole[name] = np.full(shape, empty[name], column.dtype)
        whole[name][order] = column
    return whole
