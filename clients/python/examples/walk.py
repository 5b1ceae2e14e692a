"""Walks a character along the built-in course of a server that was started without a world.

    capsweep-server &
    python examples/walk.py 127.0.0.1:50051
"""

import sys

from capsweep_client import Client


def main(address):
    with Client(address) as client:
        world = client.worlds()[0]
        print(f"world {world.name}, revision {world.revision:016x}")
        # Off the middle: past the frame of the doorway, up the stairs.
        state = client.spawn((0.0, 0.35, 0.0))
        for tick in range(240):
            state, outcome = client.tick(state, walk=(3.5, 0.0, 0.0), dt=1 / 60)
            if tick % 40 == 39:
                feet = state.character.feet
                ground = outcome.ground.target.key if outcome.HasField("ground") else None
                print(f"{(tick + 1) / 60:.2f} s: feet at {feet.x:.3f}, {feet.y:.3f}, {feet.z:.3f},"
                      f" on body {ground}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051")
