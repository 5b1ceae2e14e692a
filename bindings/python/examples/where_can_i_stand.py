"""A heat map of where a character can stand, and how much room it has there.

    python where_can_i_stand.py [LEVEL]
"""

import sys

import numpy as np

import capsweep

quick = "--quick" in sys.argv
files = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
scene = capsweep.open(files[0]) if files else capsweep.course()
config = capsweep.ControllerConfig.human()

# Every floor under a grid of points.
low, high = scene.bounds
spacing = 0.4 if quick else 0.1
x, y = np.meshgrid(np.arange(low[0], high[0], spacing), np.arange(low[1], high[1], spacing))
columns = np.stack([x.ravel(), y.ravel(), np.full(x.size, high[2])], axis=1)
floors = scene.supports(columns, above=0.5, below=high[2] - low[2] + 1)
floors = floors[floors.walkable]

# A floor is good if a person on it overlaps nothing: its skin keeps a distance to the surface.
feet = floors.point + [0, 0, config.contact_offset + 1e-3]
person = dict(height=config.total_height, radius=config.radius)
stands = ~scene.overlaps(feet=feet, **person)

# Room: how far it can go before a wall stops it, the least of eight directions. The capsule is
# raised over what it could step on.
raised = feet[stands] + [0, 0, config.step_offset]
shorter = dict(height=config.total_height - config.step_offset, radius=config.radius)
angles = np.arange(8) * np.pi / 4
ways = 2.0 * np.stack([np.cos(angles), np.sin(angles), np.zeros(8)], axis=1)
starts, motions = np.repeat(raised, 8, axis=0), np.tile(ways, (len(raised), 1))
sweeps = scene.sweep(feet=starts, motion=motions, **shorter)
room = np.where(sweeps.hit, sweeps.distance, 2.0).reshape(-1, 8).min(axis=1)

print(f"{len(feet)} walkable places, {stands.sum()} with room for a person")
print(f"at {np.mean(room < 0.5):.0%} of them a wall is nearer than 0.5 m")
figure = scene.plot("plan", points=feet[stands], values=room, title="where a person can stand")
figure.savefig("where_can_i_stand.png", dpi=110)
print("where_can_i_stand.png: coloured by the room around")
