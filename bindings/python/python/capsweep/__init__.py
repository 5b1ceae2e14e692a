"""capsweep: exact capsule sweeps, a character controller and move validation, on numpy arrays.

>>> import capsweep, numpy as np
>>> scene = capsweep.course()
>>> feet = np.array([[0.0, 0.0, 3.0], [12.0, 0.0, 3.0]])
>>> hits = scene.sweep(feet=feet, height=1.8, radius=0.3, motion=(0, 0, -5))
>>> [scene.body_name(body) for body in hits.body]
['floor', 'stairs']
"""

from ._arguments import ALL
from ._config import (
    Abilities,
    Allowances,
    ControllerConfig,
    LocomotionConfig,
    SpeedLimits,
    ValidatorConfig,
)
from ._core import MAX_POSITION, MAX_SIZE, __version__
from ._crowd import NO_WATER, Carrier, Crowd
from ._errors import (
    CapsweepError,
    InputError,
    InputTypeError,
    LoadError,
    MissingPackageError,
    SceneError,
)
from ._mesh import Mesh
from ._plot import plot
from ._scene import LIQUIDS, Scene, course, open
from ._tables import (
    Accepted,
    AllLiquids,
    AllOverlapHits,
    AllSweepHits,
    Bodies,
    BodyKind,
    Clearance,
    ClosestHits,
    Contacts,
    Feature,
    Liquids,
    Mode,
    Moves,
    Obstruction,
    OverlapHits,
    Pass,
    Pushes,
    RayHits,
    Reason,
    Region,
    States,
    Support,
    Supports,
    SweepHits,
    Table,
    Triangles,
    Verdict,
    Verdicts,
)
from ._threads import get_threads, set_threads
from ._trace import Trace
from ._validate import Chains, Validator

__all__ = [name for name in dir() if not name.startswith("_")] + ["__version__"]
