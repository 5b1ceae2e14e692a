"""Validation and sweeps on two workers of Ray beside one process with two threads.

Both read the same Parquet files and write Parquet files. The start of Ray, of its workers and of
a job is not counted: a short job is subtracted from a long one.
"""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("RAY_DATA_USE_DATASOURCE_V2", "0")
os.environ.setdefault("RAY_DATA_DISABLE_PROGRESS_BARS", "1")

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import capsweep
import capsweep.ray
import levels

FILE_ROWS, SHORT_FILES, WORKERS = 50_000, 4, 2


def _lists(vectors: np.ndarray) -> Any:
    return pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), 3)


def _write(folder: Path, scene: capsweep.Scene, rows: int) -> None:
    """Moves of a tenth of a second that characters really made, 1 in 50 of them 3 m too far."""
    folder.mkdir(parents=True)
    crowd = capsweep.Crowd(scene, levels.standing(scene, FILE_ROWS, 21))
    for _ in range(60):
        crowd.tick(dt=1 / 60)
    random = np.random.default_rng(22)
    for number in range(-(-rows // FILE_ROWS)):
        start, velocity = crowd.feet, crowd.velocity
        walk = levels.directions(FILE_ROWS, 100 + number) * [1, 1, 0]
        walk *= 4.5 / np.linalg.norm(walk, axis=1, keepdims=True)
        for _ in range(6):
            crowd.tick(walk, 1 / 60)
        feet = crowd.feet + (random.random(FILE_ROWS) < 0.02)[:, None] * walk / 1.5
        count = min(FILE_ROWS, rows - number * FILE_ROWS)
        table = pa.table({
            "row": np.arange(number * FILE_ROWS, number * FILE_ROWS + FILE_ROWS),
            "start": _lists(start), "start_velocity": _lists(velocity), "feet": _lists(feet),
            "dt": np.full(FILE_ROWS, 0.1), "motion": _lists(walk),
        }).slice(0, count)
        pq.write_table(table, folder / f"{number:05}.parquet")


def _one_process(paths: list[Path], mapper: Any, output: Path) -> float:
    output.mkdir(parents=True)
    begin = time.perf_counter()
    for path in paths:
        pq.write_table(mapper(pq.read_table(path)), output / path.name)
    return time.perf_counter() - begin


def _ray(paths: list[Path], mapper: type, level: str, constants: dict[str, Any],
         output: Path) -> float:
    import ray

    begin = time.perf_counter()
    ray.data.read_parquet([str(path) for path in paths]).map_batches(
        mapper, fn_constructor_args=[level], fn_constructor_kwargs=constants,
        batch_format="pyarrow", batch_size=None, num_cpus=1,
        compute=ray.data.ActorPoolStrategy(size=WORKERS),
    ).write_parquet(str(output))
    return time.perf_counter() - begin


def _same(one: Path, two: Path) -> tuple[bool, int]:
    """Whether both folders hold the same rows in bits, and how many."""
    tables = [pq.read_table(folder).sort_by("row") for folder in (one, two)]
    for name in tables[0].column_names:
        columns = [table.column(name).combine_chunks() for table in tables]
        if pa.types.is_fixed_size_list(columns[0].type):
            columns = [column.flatten() for column in columns]
        left, right = (column.to_numpy(zero_copy_only=False).tobytes() for column in columns)
        if left != right:
            return False, len(tables[0])
    return True, len(tables[0])


def table(name: str, scene: capsweep.Scene, folder: str, rows: int, rounds: int = 3) -> None:
    """Prints the table."""
    import ray

    where = Path(folder) / "ray"
    level = levels.saved(scene, folder, "ray-level")
    _write(where / "moves", scene, rows)
    paths = sorted((where / "moves").iterdir())
    short = paths[:SHORT_FILES]
    # Beyond the workers, processors to read and write; they share the machine's cores.
    begin = time.perf_counter()
    ray.init("local", num_cpus=WORKERS + 2, include_dashboard=False, log_to_driver=False,
             logging_level="ERROR", object_store_memory=1_000_000_000)
    print(f"Ray {ray.__version__}, {WORKERS} workers, level {name}, {rows} rows in {len(paths)} "
          f"Parquet files; Ray starts in {time.perf_counter() - begin:.1f} s\n")
    print("| work | one process, 2 threads | Ray, 2 workers | part of one process | short job |")
    print("|---|---:|---:|---:|---:|")
    asked = {
        "validation of moves": (capsweep.ray.Validate, {}),
        "sweeps": (capsweep.ray.Sweep, {"radius": levels.RADIUS, "height": levels.HEIGHT}),
    }
    try:
        for work, (mapper, constants) in asked.items():
            single, long, short_jobs = [], [], []
            for _ in range(rounds):
                shutil.rmtree(where / "out", ignore_errors=True)
                ours = mapper(level, threads=WORKERS, **constants)
                single.append(_one_process(paths, ours, where / "out" / "one"))
                short_jobs.append(_ray(short, mapper, level, constants, where / "out" / "short"))
                long.append(_ray(paths, mapper, level, constants, where / "out" / "ray"))
                right, count = _same(where / "out" / "one", where / "out" / "ray")
                if not right or count != rows:
                    raise SystemExit(f"{work}: Ray and one process differ")
            start = median(short_jobs)
            more = rows - min(rows, FILE_ROWS * SHORT_FILES)
            many = [more / (seconds - start) for seconds in long]
            parts = sorted(two * one / rows for one, two in zip(single, many))
            print(f"| {work} | {rows / median(single):,.0f}/s | {median(many):,.0f}/s | "
                  f"{median(parts):.0%} ({parts[0]:.0%} to {parts[-1]:.0%}) | "
                  f"{start:.1f} s |", flush=True)
    finally:
        ray.shutdown()
    print()
