"""capsweep: exact capsule sweeps, a character controller and move validation, on numpy arrays.

>>> import capsweep, numpy as np
>>> scene = capsweep.course()
>>> feet = np.array([[0.0, 0.0, 3.0], [12.0, 0.0, 3.0]])
>>> hits = scene.sweep(feet=feet, height=1.8, radius=0.3, motion=(0, 0, -5))
>>> [scene.body_name(body) for body in hits.body]
['floor', 'stairs']
"""

from . import pairs
from ._answers import (
    Accepted,
    AllLiquids,
    AllOverlapHits,
    AllSweepHits,
    Bodies,
    ClosestHits,
    Contacts,
    Liquids,
    MoveDetails,
    Moves,
    OverlapHits,
    PairClosestHits,
    PairOverlapHits,
    PairRayHits,
    PairSweepHits,
    Pushes,
    RayHits,
    States,
    Supports,
    SweepHits,
    Triangles,
    Verdicts,
)
from ._arguments import ALL, NO_WATER
from ._building import LIQUIDS
from ._codes import (
    BodyKind,
    Clearance,
    Feature,
    Mode,
    Obstruction,
    Pass,
    Reason,
    Region,
    Support,
    Verdict,
)
from ._config import (
    Abilities,
    Allowances,
    ControllerConfig,
    LocomotionConfig,
    SpeedLimits,
    Speeds,
    ValidatorConfig,
)
from ._core import MAX_POSITION, MAX_SIZE, __version__
from ._crowd import Carrier, Crowd
from ._errors import (
    CapsweepError,
    InputError,
    InputTypeError,
    LoadError,
    MissingPackageError,
    SceneError,
)
from ._import import import_map, verify
from ._mesh import Mesh
from ._plot import plot
from ._scene import Scene, course, open
from ._steer import steer
from ._table import Table
from ._threads import get_threads, set_threads
from ._trace import Trace
from ._validate import Chains, Inputs, Validator

__all__ = [
    "ALL",
    "Abilities",
    "Accepted",
    "AllLiquids",
    "AllOverlapHits",
    "AllSweepHits",
    "Allowances",
    "Bodies",
    "BodyKind",
    "CapsweepError",
    "Carrier",
    "Chains",
    "Clearance",
    "ClosestHits",
    "Contacts",
    "ControllerConfig",
    "Crowd",
    "Feature",
    "InputError",
    "InputTypeError",
    "Inputs",
    "LIQUIDS",
    "Liquids",
    "LoadError",
    "LocomotionConfig",
    "MAX_POSITION",
    "MAX_SIZE",
    "Mesh",
    "MissingPackageError",
    "Mode",
    "MoveDetails",
    "Moves",
    "NO_WATER",
    "Obstruction",
    "OverlapHits",
    "PairClosestHits",
    "PairOverlapHits",
    "PairRayHits",
    "PairSweepHits",
    "Pass",
    "Pushes",
    "RayHits",
    "Reason",
    "Region",
    "Scene",
    "SceneError",
    "SpeedLimits",
    "Speeds",
    "States",
    "Support",
    "Supports",
    "SweepHits",
    "Table",
    "Trace",
    "Triangles",
    "Validator",
    "ValidatorConfig",
    "Verdict",
    "Verdicts",
    "__version__",
    "course",
    "get_threads",
    "import_map",
    "open",
    "pairs",
    "plot",
    "set_threads",
    "steer",
    "verify",
]
