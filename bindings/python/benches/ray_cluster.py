"""Sweeps from Parquet to Parquet on a real local cluster of two nodes, one of which is killed.

    python bindings/python/benches/ray_cluster.py --rows 10000000

A node dies at several moments, and a new one takes its place. The script then compares every
answer with those of one process, in bits, and counts how often each row was answered. It exits
with 1 if a row is missing, doubled or different.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Ray reads these when it is imported. Its second reader of Parquet loses jobs when a node dies.
os.environ.setdefault("RAY_DATA_USE_DATASOURCE_V2", "0")
os.environ.setdefault("RAY_DATA_DISABLE_PROGRESS_BARS", "1")

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import capsweep
import capsweep.ray
import levels

FILE_ROWS = 100_000
#: A node: one processor for its actor, and some to read and write.
NODE = {"num_cpus": 3, "object_store_memory": 500_000_000, "resources": {"sweeper": 1}}
CONSTANTS = {"radius": levels.RADIUS, "height": levels.HEIGHT}


@dataclass
class Kill:
    """A node that was killed."""

    at_rows: int
    actors: int


@dataclass
class Report:
    """What a run did."""

    rows: int
    seconds: float
    single_seconds: float
    kills: list[Kill] = field(default_factory=list)
    missing: int = 0
    doubled: int = 0
    different: dict[str, int] = field(default_factory=dict)

    @property
    def right(self) -> bool:
        """Every row answered once, with the bits of one process."""
        return not (self.missing or self.doubled or any(self.different.values()))


def write_queries(folder: Path, scene: capsweep.Scene, rows: int, file_rows: int) -> None:
    """Parquet files of capsules and motions; `row` numbers the rows."""
    folder.mkdir(parents=True)
    for number, first in enumerate(range(0, rows, file_rows)):
        count = min(file_rows, rows - first)
        random = np.random.default_rng((7, number))
        bounds = scene.bounds
        assert bounds is not None
        feet = random.uniform(bounds[0], bounds[1], (count, 3))
        motion = random.normal(size=(count, 3)) * 3.0
        table = pa.table({
            "row": np.arange(first, first + count),
            "feet": _lists(feet),
            "motion": _lists(motion),
        })
        pq.write_table(table, folder / f"{number:05}.parquet")


def _lists(vectors: np.ndarray) -> Any:
    return pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), 3)


def _column(table: pa.Table, name: str) -> np.ndarray:
    column = table.column(name).combine_chunks()
    if pa.types.is_fixed_size_list(column.type) or pa.types.is_list(column.type):
        return column.flatten().to_numpy().reshape(len(column), -1)
    return column.to_numpy(zero_copy_only=False)


def one_process(folder: Path, level: str, rows: int) -> tuple[dict[str, np.ndarray], float]:
    """The answers of one process with all its threads, by row; and the seconds that took."""
    ask, whole, seconds = capsweep.ray.Sweep(level, **CONSTANTS), {}, 0.0
    for path in sorted(folder.iterdir()):
        begin = time.perf_counter()
        answer = ask(pq.read_table(path))
        seconds += time.perf_counter() - begin
        at = _column(answer, "row")
        for name in answer.column_names:
            column = _column(answer, name)
            if name not in whole:
                whole[name] = np.empty((rows, *column.shape[1:]), column.dtype)
            whole[name][at] = column
    return whole, seconds


def written_rows(folder: Path) -> int:
    """Rows of the files that are complete."""
    total = 0
    for path in folder.glob("*.parquet"):
        try:
            total += pq.read_metadata(path).num_rows
        except (OSError, pa.ArrowException):
            pass  # A file that is being written.
    return total


def actors_on(node_id: str) -> int:
    """Live actors that answer sweeps on a node."""
    from ray._private.state import actors

    found = actors().values()
    return sum(
        one["State"] == "ALIVE" and one["Address"]["NodeID"] == node_id
        and "MapWorker" in (one.get("ActorClassName") or one.get("Name") or "MapWorker")
        for one in found
    )


def kill_nodes(cluster: Any, output: Path, moments: list[int], job: threading.Thread
               ) -> list[Kill]:
    """Kills the second node when so many rows are written, and adds another, while a job runs."""
    kills: list[Kill] = []
    for moment in moments:
        node = next(iter(cluster.worker_nodes))
        while job.is_alive():
            done, busy = written_rows(output), actors_on(node.node_id)
            # A node without an actor would prove nothing.
            if done >= moment and busy:
                cluster.remove_node(node, allow_graceful=False)
                kills.append(Kill(done, busy))
                cluster.add_node(**NODE)
                break
            time.sleep(0.05)
    return kills


class Job(threading.Thread):
    """A job in a thread of its own: Ray adds nodes only in the main thread."""

    def __init__(self, work: Any) -> None:
        super().__init__()
        self.work, self.error, self.seconds = work, None, 0.0

    def run(self) -> None:
        """Runs the job and keeps its error."""
        begin = time.perf_counter()
        try:
            self.work()
        except BaseException as error:  # noqa: BLE001 - raised again in the main thread
            self.error = error
        self.seconds = time.perf_counter() - begin


def sweep_files(queries: Path, level: str, output: Path) -> None:
    """The job, as a user writes it."""
    import ray

    ray.data.read_parquet(str(queries)).map_batches(
        capsweep.ray.Sweep, fn_constructor_args=[level], fn_constructor_kwargs=CONSTANTS,
        batch_format="pyarrow", batch_size=16_384, num_cpus=1,
        compute=ray.data.ActorPoolStrategy(size=2),
        # One actor per node: every node that dies takes one with it.
        resources={"sweeper": 1},
    ).write_parquet(str(output))


def run(rows: int, moments: list[float], folder: Path, file_rows: int = FILE_ROWS,
        log: Any = print) -> Report:
    """Answers the sweeps on a cluster and checks them."""
    import ray
    from ray.cluster_utils import Cluster

    scene = levels.town()
    level = levels.saved(scene, folder, "town")
    queries, output = folder / "queries", folder / "hits"
    write_queries(queries, scene, rows, file_rows)
    log(f"{rows} sweeps in {len(list(queries.iterdir()))} Parquet files")
    expected, single = one_process(queries, level, rows)
    log(f"one process, {capsweep.get_threads()} threads: {single:.1f} s")

    begin = time.perf_counter()
    cluster = Cluster(initialize_head=True, head_node_args=NODE)
    try:
        cluster.add_node(**NODE)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        cluster.wait_for_nodes()
        log(f"two nodes after {time.perf_counter() - begin:.1f} s")
        output.mkdir()
        job = Job(lambda: sweep_files(queries, level, output))
        job.start()
        try:
            kills = kill_nodes(cluster, output, [int(rows * part) for part in moments], job)
        finally:
            job.join()
        if job.error is not None:
            raise job.error
    finally:
        ray.shutdown()
        cluster.shutdown()
    report = Report(rows, job.seconds, single, kills)
    compare(report, output, expected)
    return report


def compare(report: Report, output: Path, expected: dict[str, np.ndarray]) -> None:
    """Counts the rows that are missing, doubled or different."""
    answered = np.zeros(report.rows, np.int64)
    report.different = {name: 0 for name in expected}
    for path in sorted(output.glob("*.parquet")):
        table = pq.read_table(path)
        at = _column(table, "row")
        np.add.at(answered, at, 1)
        if set(table.column_names) != set(expected):
            raise SystemExit(f"{path} has the columns {table.column_names}")
        for name, column in expected.items():
            got, want = _column(table, name), column[at]
            if got.dtype != want.dtype or got.shape != want.shape:
                report.different[name] += len(at)
            elif got.tobytes() != want.tobytes():
                bits = (np.ascontiguousarray(side).view(np.uint8).reshape(len(at), -1)
                        for side in (got, want))
                one, two = bits
                report.different[name] += int(np.count_nonzero((one != two).any(axis=1)))
    report.missing = int(np.count_nonzero(answered == 0))
    report.doubled = int(np.count_nonzero(answered > 1))


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--kill-at", type=float, nargs="*", default=[0.0, 0.4, 0.8],
                        help="parts of the rows that are written when a node dies")
    parser.add_argument("--file-rows", type=int, default=FILE_ROWS)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="capsweep-ray-"))
    try:
        report = run(options.rows, options.kill_at, folder, options.file_rows)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for kill in report.kills:
        print(f"a node with {kill.actors} actors was killed after {kill.at_rows} rows")
    print(f"cluster: {report.seconds:.1f} s, {report.rows / report.seconds:.0f} sweeps a second")
    print(f"one process: {report.rows / report.single_seconds:.0f} sweeps a second, not written")
    print(f"missing {report.missing}, doubled {report.doubled}, "
          f"different {sum(report.different.values())} of {report.rows} rows")
    enough = len(report.kills) == len(options.kill_at)
    if not enough:
        print("the job ended before all nodes were killed: take more rows")
    return 0 if report.right and enough else 1


if __name__ == "__main__":
    sys.exit(main())
