"""Configurations of characters and of validation. The native half checks every number."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass, field, replace
from typing import Any, Optional, TypeVar

import numpy as np

from . import _core
from ._arrays import choice, flag, integer, number, vector
from ._errors import InputError, InputTypeError, renamed

ConfigType = TypeVar("ConfigType", bound="_Config")


#: The words of the fields that have some.
_WORDS = {
    "footing": ("capsule", "point"),
    "climbing": ("easy", "constrained"),
    "non_walkable": ("prevent", "slide"),
    "ceiling": ("slide", "stop"),
}
#: The fields that are integers, and their types in the library.
_INTEGERS = {"max_iterations": np.uint8, "max_queries": np.uint32}

#: Most fields are float32 in the library.
_MOST = float(np.finfo(np.float32).max)


def _to_json(name: str, value: object, default: object = None) -> object:
    if name == "allowances":
        Allowances.check_type(name, value)
    if isinstance(value, _Config):
        fields: Any = dataclasses.fields(value)  # type: ignore[arg-type]
        return {part.name: _to_json(part.name, getattr(value, part.name), part.default)
                for part in fields}
    if name in _WORDS:
        word = value.lower() if isinstance(value, str) else value
        return _WORDS[name][choice(name, word, _WORDS[name])].capitalize()
    if name in _INTEGERS:
        return integer(name, value, _INTEGERS[name])
    if name == "up":
        return [_finite(name, part) for part in vector(name, value)]
    if isinstance(default, bool):
        return flag(name, value)
    if name == "perch_limit" and value is None:
        return None
    return _finite(name, number(name, value))


def _finite(name: str, value: float) -> float:
    if not math.isfinite(value):
        raise InputError(f"{name} is {value}: it must be a finite number", name, None, value)
    if abs(value) > _MOST:
        raise InputError(f"{name} is {value:g}: it must be at most {_MOST:g} in magnitude", name,
                         None, value)
    return value


def _from_json(value: Any) -> Any:
    if isinstance(value, str):
        return value.lower()
    return tuple(value) if isinstance(value, list) else value


def _preset(what: str, name: str, up: Any = (0.0, 0.0, 1.0)) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(_core.preset(what, name, vector("up", up)))
    return {key: _from_json(value) for key, value in read.items()}


class _Config:
    """A configuration as JSON, for the native half."""

    @classmethod
    def check_type(cls, name: str, value: object) -> None:
        """Raises `InputTypeError` if `value` is no configuration of this kind."""
        if not isinstance(value, cls):
            raise InputTypeError(
                f"{name} is {type(value).__name__}: it must be {cls.__name__}", name
            )

    def to_json(self) -> str:
        """The configuration as JSON, with the names of the Rust library."""
        return json.dumps(_to_json("config", self))

    def replace(self: ConfigType, **changes: Any) -> ConfigType:
        """A copy with some fields changed."""
        changed: ConfigType = replace(self, **changes)  # type: ignore[type-var]
        return changed


@dataclass(frozen=True)
class ControllerConfig(_Config):
    """Size of a character and its rules of movement. Start from a preset.

    `slope_limit` is the cosine of the steepest slope that it walks on; `human(slope_degrees=40)`
    sets it in degrees. `docs/controller.md` explains the fields.

    >>> config = ControllerConfig.human(radius=0.25)
    >>> config.radius, config.step_offset
    (0.25, 0.4)
    """

    up: tuple[float, float, float]
    radius: float
    total_height: float
    contact_offset: float
    step_offset: float
    slope_limit: float
    snap_distance: float
    perch_limit: Optional[float]
    footing: str
    climbing: str
    non_walkable: str
    ceiling: str
    max_iterations: int
    min_distance: float

    @classmethod
    def _of(cls, name: str, up: Any, changes: dict[str, Any]) -> "ControllerConfig":
        degrees = changes.pop("slope_degrees", None)
        if degrees is not None:
            with renamed("slope_limit", "slope_degrees"):
                changes["slope_limit"] = _core.slope_cos(number("slope_degrees", degrees))
        made = replace(cls(**_preset("controller", name, up)), **changes)
        made.check()
        return made

    @classmethod
    def human(cls, up: Any = (0, 0, 1), **changes: Any) -> "ControllerConfig":
        """A person in metres: steps of 0.4 m, slopes of 50°, a skin of 2 cm."""
        return cls._of("human", up, changes)

    @classmethod
    def physx(cls, up: Any = (0, 0, 1), **changes: Any) -> "ControllerConfig":
        """The defaults of PhysX's capsule controller."""
        return cls._of("physx", up, changes)

    @classmethod
    def wow(cls, **changes: Any) -> "ControllerConfig":
        """A human of World of Warcraft, in yards, Z up."""
        return cls._of("wow", (0, 0, 1), changes)

    @property
    def slope_degrees(self) -> float:
        """The steepest slope in degrees."""
        return math.degrees(math.acos(self.slope_limit))

    def check(self) -> None:
        """Raises `InputError` if a field is invalid."""
        _core.check_config(self.to_json(), _core.preset("locomotion", "human", [0, 0, 1]),
                           _core.preset("validation", "", [0, 0, 1]))


@dataclass(frozen=True)
class LocomotionConfig(_Config):
    """Gravity, jumps and water. Start from a preset.

    >>> LocomotionConfig.human().gravity
    9.81
    """

    gravity: float
    terminal_speed: float
    jump_speed: float
    air_acceleration: float
    swim_jump_speed: float
    slow_fall_speed: float
    swim_depth: float
    float_speed: float

    @classmethod
    def human(cls, **changes: Any) -> "LocomotionConfig":
        """A person on Earth, with jumps half a metre high."""
        return replace(cls(**_preset("locomotion", "human")), **changes)

    @classmethod
    def wow(cls, **changes: Any) -> "LocomotionConfig":
        """A character of World of Warcraft, in yards."""
        return replace(cls(**_preset("locomotion", "wow")), **changes)


@dataclass(frozen=True)
class Speeds(_Config):
    """Speeds of a character for `steer` (m/s). Backward it moves with the smaller of the speeds
    forward and back.

    >>> Speeds.wow().run
    7.0
    """

    walk: float
    run: float
    run_back: float
    swim: float
    swim_back: float
    fly: float
    fly_back: float

    @classmethod
    def wow(cls, **changes: Any) -> "Speeds":
        """A character of World of Warcraft, in yards."""
        return replace(cls(**_preset("speeds", "wow")), **changes)


@dataclass(frozen=True)
class SpeedLimits(_Config):
    """Largest speeds at which a character may move at will (m/s).

    >>> SpeedLimits.human()
    SpeedLimits(ground=5.0, swim=2.0, fly=5.0)
    """

    ground: float
    swim: float
    fly: float

    @classmethod
    def human(cls, **changes: Any) -> "SpeedLimits":
        """A person who runs at 5 m/s and swims at 2 m/s."""
        return replace(cls(**_preset("speed_limits", "human")), **changes)

    @classmethod
    def wow(cls, **changes: Any) -> "SpeedLimits":
        """A character of World of Warcraft, in yards."""
        return replace(cls(**_preset("speed_limits", "wow")), **changes)

    @classmethod
    def of(cls, speeds: "Speeds") -> "SpeedLimits":
        """The largest speeds that steering with these speeds gives."""
        return cls(
            ground=max(speeds.walk, speeds.run, speeds.run_back),
            swim=max(speeds.swim, speeds.swim_back),
            fly=max(speeds.fly, speeds.fly_back),
        )


@dataclass(frozen=True)
class Allowances(_Config):
    """How far a true claim may be off: metres, seconds of full speed, seconds of clock."""

    position: float = 0.001
    latency: float = 0.05
    clock: float = 0.25


@dataclass(frozen=True)
class ValidatorConfig(_Config):
    """Allowances, and the most scene queries for one claim."""

    allowances: Allowances = field(default_factory=Allowances)
    max_queries: int = 20_000


@dataclass(frozen=True)
class Abilities(_Config):
    """What a character can do beyond walking, jumping and swimming, and what holds it.

    In `Crowd.tick` each field may be an array, with a value for each character.
    """

    fly: Any = False
    hover: Any = 0.0
    water_walking: Any = False
    slow_fall: Any = False
    rooted: Any = False
