"""Prints the figures of docs/scale.md, each as a part of what the core or another library does.

    python bindings/python/benches/figures.py [--meshes DIR] [--only sweeps crowd peers ray]

The Rust half (`rust_figures.rs`) is built with cargo, and takes turns with Python on the same
queries. Their answers must be equal in bits. Processor time is all that the threads of a process
took; other programs on the machine change it least. `peers` measures the libraries that are
installed: trimesh, pybullet, mujoco. `ray` needs capsweep[ray].
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, Callable

import numpy as np

import capsweep
import levels
from levels import HEIGHT, RADIUS

PACKAGE = Path(__file__).resolve().parents[1]
PARTS = ("sweeps", "crowd", "peers", "ray")
SWEEPS, CHARACTERS = 100_000, 10_000
TICKS, PHASES, DT = 60, 6, 1 / 60
# What a program reads of each answer of a crowd, within the time.
READS: dict[str, Callable[[capsweep.Moves], object]] = {
    "feet and grounded": lambda moves: (moves.feet, moves.grounded),
    "all columns": lambda moves: moves.to_dict(),
}

Answer = tuple[float, float, int]


class Rust:
    """The Rust half, with one level."""

    def __init__(self, binary: str, level: str) -> None:
        self.process = subprocess.Popen([binary, level], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    @staticmethod
    def build() -> str:
        """The path of the program."""
        command = ["cargo", "build", "--release", "--locked", "--example", "rust_figures",
                   "--features", "pyo3/extension-module", "--message-format", "json"]
        done = subprocess.run(command, cwd=PACKAGE, stdout=subprocess.PIPE, text=True, check=True)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        return next(one["executable"] for one in found if one.get("executable"))

    def ask(self, *words: object) -> "Answer":
        """Seconds by the clock and of processors; the exclusive or of the bits of the answers."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(" ".join(str(word) for word in words) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("rust_figures stopped")
        clock, processors, bits = line.split()
        return float(clock), float(processors), int(bits)

    def close(self) -> None:
        """Ends the program."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def bits(values: np.ndarray) -> int:
    """The exclusive or of the bits of float64 numbers."""
    flat = np.ascontiguousarray(values).view(np.uint64).reshape(-1)
    return int(np.bitwise_xor.reduce(flat))


class Stopwatch:
    """Sums up seconds by the clock and of all processors of this process."""

    def __init__(self) -> None:
        self.clock = self.processors = 0.0

    def time(self, work: Callable[[], Any]) -> Any:
        """Does the work and returns its result."""
        clock, processors = time.perf_counter(), time.process_time()
        result = work()
        self.clock += time.perf_counter() - clock
        self.processors += time.process_time() - processors
        return result


def turns(rounds: int, count: int, rust: Callable[[], Answer],
          python: Callable[[], Answer]) -> str:
    """Cells of the table: speeds of both, and Python's as a part of Rust's.

    Other programs only ever slow a round down, so the fastest round is nearest to the truth.
    """
    pairs = []
    for number in range(rounds + 1):
        one, two = rust(), python()
        if one[2] != two[2]:
            raise SystemExit("Python and Rust gave different bits")
        if number:  # The first round warms up.
            pairs.append((one, two))
    theirs, ours = (min(pair[side][0] for pair in pairs) for side in (0, 1))
    parts = [median(one[kind] / two[kind] for one, two in pairs) for kind in (0, 1)]
    return (f"{count / ours / 1e6:.2f} M/s | {count / theirs / 1e6:.2f} M/s | "
            f"{theirs / ours:.0%} | {parts[0]:.0%} | {parts[1]:.0%}")


def sweeps(name: str, scene: capsweep.Scene, rust: Rust, folder: str, rounds: int) -> None:
    """Sweeps of 100 000 rows."""
    feet = levels.standing(scene, SWEEPS, 1)
    p0, p1 = feet + [0, 0, RADIUS], feet + [0, 0, HEIGHT - RADIUS]
    level = levels.directions(SWEEPS, 2) * [1, 1, 0]
    level /= np.linalg.norm(level, axis=1, keepdims=True)
    kinds = {"step, 0.13 m": level * 0.13, "dash, 5 m": levels.directions(SWEEPS, 3) * 5.0,
             "long, 50 m": levels.directions(SWEEPS, 4) * 50.0}
    for kind, motion in kinds.items():
        path = os.path.join(folder, "sweeps.f64")
        np.concatenate([p0, p1, motion], axis=1).astype("<f8").tofile(path)
        for threads in sorted({1, os.cpu_count() or 1}):
            def python() -> Answer:
                watch = Stopwatch()
                hits = watch.time(lambda: scene.sweep(
                    p0, p1, radius=RADIUS, motion=motion, threads=threads))
                return watch.clock, watch.processors, bits(hits.time[hits.hit])

            cells = turns(rounds, SWEEPS, lambda: rust.ask("sweep", threads, path), python)
            print(f"| sweep, {kind} | {name} | {threads} | {cells} |", flush=True)


def crowd(name: str, scene: capsweep.Scene, rust: Rust, folder: str, rounds: int) -> None:
    """10 000 characters, 60 ticks, a new heading after every ten."""
    feet = levels.standing(scene, CHARACTERS, 5)
    headings = levels.directions(CHARACTERS * PHASES, 6).reshape(PHASES, CHARACTERS, 3) * [1, 1, 0]
    headings *= 5.0 / np.linalg.norm(headings, axis=2, keepdims=True)
    kinds = {"tick": headings, "move": headings * DT - [0, 0, 0.05]}
    for kind, vectors in kinds.items():
        path = os.path.join(folder, "crowd.f64")
        np.concatenate([feet[None], vectors]).astype("<f8").tofile(path)
        runs = itertools.product(sorted({1, os.cpu_count() or 1}), READS.items())
        for threads, (what, read) in runs:
            def python() -> Answer:
                people, watch = capsweep.Crowd(scene, feet), Stopwatch()
                step = getattr(people, kind)
                for tick in range(TICKS):
                    vector = vectors[tick * PHASES // TICKS]
                    # As in a program, the answer before lives until this one is there.
                    moves = watch.time(lambda: step(vector, dt=DT, threads=threads))
                    watch.time(lambda: read(moves))
                return watch.clock, watch.processors, bits(people.feet)

            command = (kind, threads, path, PHASES, TICKS)
            cells = turns(rounds, CHARACTERS * TICKS, lambda: rust.ask(*command), python)
            print(f"| crowd.{kind}, {what} read | {name} | {threads} | {cells} |", flush=True)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--meshes", help="folder of dungeon.obj, nav_test.obj and building.obj")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--moves", type=int, default=3_000_000, help="moves that Ray judges")
    options = parser.parse_args()
    found = levels.load(options.meshes)
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f} at the start; capsweep "
          f"{capsweep.__version__}, Python {sys.version.split()[0]}, numpy {np.__version__}\n")
    with tempfile.TemporaryDirectory(prefix="capsweep-figures-") as folder:
        if {"sweeps", "crowd"} & set(options.only):
            binary = Rust.build()
            print("| work | level | threads | Python | Rust | Python as a part of Rust: fastest "
                  "round | median round | by processor time |")
            print("|---|---|---:|---:|---:|---:|---:|---:|", flush=True)
            for name, scene in found.items():
                rust = Rust(binary, levels.saved(scene, folder, name))
                if "sweeps" in options.only:
                    sweeps(name, scene, rust, folder, options.rounds)
                if "crowd" in options.only:
                    crowd(name, scene, rust, folder, max(3, options.rounds // 3))
                rust.close()
            print()
        if "peers" in options.only:
            import peers

            for name, scene in found.items():
                peers.table(name, scene, options.rounds)
        if "ray" in options.only:
            import ray_figures

            name, scene = next(iter(found.items()))
            ray_figures.table(name, scene, folder, options.moves)


if __name__ == "__main__":
    main()
