"""10 000 agents walk a level at once, with a cache each.

    python ten_thousand_agents.py [LEVEL]
"""

import sys
import time

import numpy as np

import capsweep

quick = "--quick" in sys.argv
files = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
agents, ticks = (500, 60) if quick else (10_000, 300)



def town(rng):
    """Hills of 120 by 120 m with houses and a wall around."""
    corners = np.arange(0, 121, 2.0)
    x, y = np.meshgrid(corners, corners, indexing="ij")
    hills = 1.5 * np.sin(x / 11) * np.cos(y / 13) + 0.8 * np.sin(x / 5 + y / 7)
    scene = capsweep.Scene()
    scene.add_height_field(hills, spacing=2.0)
    houses = rng.uniform(10, 110, (60, 2))
    centers = np.column_stack([houses, np.full(60, 2.0)])
    half = np.column_stack([rng.uniform(1.5, 4, (60, 2)), np.full(60, 5.0)])
    turn = rng.uniform(0, np.pi, 60) / 2
    zero = np.zeros(60)
    rotation = np.stack([zero, zero, np.sin(turn), np.cos(turn)], axis=1)
    scene.add_box(centers, half, rotation=rotation)
    around = [(0, 60, 0), (120, 60, 0), (60, 0, 0), (60, 120, 0)]
    scene.add_box(around, [(1, 61, 6), (1, 61, 6), (61, 1, 6), (61, 1, 6)])
    return scene


rng = np.random.default_rng(1)
scene = capsweep.open(files[0]) if files else town(rng)

# Start where a random point has walkable ground below.
low, high = scene.bounds
points = rng.uniform(low, high, (agents * 20, 3))
points[:, 2] = high[2]
floors = scene.supports(points, above=0.1, below=high[2] - low[2])
person = dict(height=1.8, radius=0.3)
places = floors.point[floors.walkable]
# The lowest ones: streets rather than roofs.
places = places[places[:, 2] < 3 if not files else slice(None)]
free = ~scene.overlaps(feet=places + [0, 0, 0.05], **person)
starts = places[free][:agents]
crowd = capsweep.Crowd(scene, starts, config=capsweep.ControllerConfig.human())

heading = rng.uniform(0, 2 * np.pi, len(crowd))
distance = np.zeros(len(crowd))
watched = rng.choice(len(crowd), 40, replace=False)
paths = []
begin = time.perf_counter()
for tick in range(ticks):
    walk = 3.0 * np.stack([np.cos(heading), np.sin(heading), np.zeros(len(crowd))], axis=1)
    moves = crowd.tick(walk=walk, jump=rng.random(len(crowd)) < 0.005, dt=1 / 60)
    # Who met a wall turns away.
    heading[moves.sides] += rng.uniform(1.5, 4.5, int(moves.sides.sum()))
    distance += np.linalg.norm(moves.achieved, axis=1)
    paths.append(moves.feet[watched])
seconds = time.perf_counter() - begin

print(f"{len(crowd)} agents, {ticks} ticks: {distance.sum() / 1000:.1f} km walked")
print(f"{len(crowd) * ticks / seconds:,.0f} moves a second with {capsweep.get_threads()} threads")
print(f"on the ground at the end: {crowd.grounded.mean():.0%}")
scene.plot(walks=np.array(paths)).savefig("ten_thousand_agents.png", dpi=110)
print("ten_thousand_agents.png: the ways of 40 of them")
