"""Checks a log of claimed moves: which could have happened?

Without a file it makes a log of its own: honest walks, of which some are then forged.

    python check_moves.py [LEVEL LOG.parquet]

The log has the columns character, x, y, z and dt (seconds since the character's last row).
"""

import sys

import numpy as np

import capsweep

files = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
if files:
    import pandas

    scene = capsweep.open(files[0])
    log = pandas.read_parquet(files[1])
    character, feet, dt = log["character"], log[["x", "y", "z"]], log["dt"]
else:
    scene = capsweep.course()
    rng = np.random.default_rng(4)
    crowd = capsweep.Crowd(scene, [(x, -1.0, 0.0) for x in np.arange(0, 8, 0.5)])
    walk = rng.uniform(-2, 2, (len(crowd), 3)) * [1, 1, 0]
    rows = []
    for step in range(60):
        moves = crowd.tick(walk=walk, dt=1 / 20)
        walk[moves.sides] *= -1
        rows.append(moves.feet)
    claims = np.array(rows)
    claims[30:, 3] += (0, 0, 1.5)  # number 3 walks on air
    claims[40, 7] += (4, 0, 0)  # number 7 is 4 m ahead for one claim
    claims[20:, 11, 1] = 2.4  # number 11 passes through the wall
    character = np.tile([f"bot{i:02}" for i in range(len(crowd))], len(claims))
    feet, dt = claims.reshape(-1, 3), 1 / 20

verdicts = capsweep.Validator().check(scene, feet, dt, character=character)
print(f"{len(verdicts)} claims: {verdicts.possible.sum()} possible, "
      f"{verdicts.impossible.sum()} impossible, {verdicts.undecided.sum()} undecided")
names = np.asarray(character)
for name in np.unique(names[verdicts.impossible]):
    rows = np.nonzero((names == name) & verdicts.impossible)[0]
    first = verdicts[int(rows[0])]
    reason = capsweep.Reason(first.reason).name.lower().replace("_", " ")
    print(f"{name}: {len(rows)} impossible, the first in row {rows[0]}: {reason}")
