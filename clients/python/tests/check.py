"""Compares answers of a server with those of the library, number by number.

    python tests/check.py ADDRESS FILE

FILE is JSON: queries, and the library's answers to them. Exits with 1 at the first difference.
"""

import json
import sys
import time

import grpc
from capsweep_client import Client, Omit, RetryPolicy
from capsweep_client.v1 import characters_pb2, queries_pb2


def check(found, expected, what):
    # repr tells -0.0 from 0.0, and every float from its neighbours.
    if repr(found) != repr(expected):
        sys.exit(f"{what}: the server says {found!r}, the library {expected!r}")


def check_omit(client, feet, walk, dt):
    """Answers leave out the columns that the request names, and keep the bits of the others."""
    request = characters_pb2.TickBatchRequest(walk=walk, dt=[dt])
    request.state.feet.extend(feet * 3)
    full = client.call("TickBatch", request)
    for group, columns in {
        Omit.OMIT_GROUND: ["ground"],
        Omit.OMIT_CONTACTS: ["contacts"],
        Omit.OMIT_DISPLACEMENTS: ["requested", "achieved"],
        Omit.OMIT_STATS: ["stats"],
        Omit.OMIT_FEET: ["state.feet"],
    }.items():
        request.omit = group
        found = client.call("TickBatch", request)
        expected = characters_pb2.TickBatchResponse()
        expected.CopyFrom(full)
        for column in columns:
            message = expected.outcomes
            *path, name = column.split(".")
            for part in path:
                message = getattr(message, part)
            message.ClearField(name)
        check(found.SerializeToString(deterministic=True),
              expected.SerializeToString(deterministic=True), f"without {columns}")
    check(full.outcomes.HasField("ground") and len(full.outcomes.state.feet), 9, "all columns")
    request.omit = 1 << 20
    try:
        client.call("TickBatch", request)
        sys.exit("a bit that no column has was answered")
    except grpc.RpcError as error:
        check(error.code(), grpc.StatusCode.INVALID_ARGUMENT, "an unknown bit")


def main(address, file):
    with open(file, encoding="utf-8") as source:
        cases = json.load(source)
    client = Client(address)
    for index, case in enumerate(cases["sweeps"]):
        hit = client.sweep(feet=case["feet"], radius=case["radius"], height=case["height"],
                           motion=case["motion"])
        found = None if hit is None else [hit.time, hit.distance, hit.point.x, hit.point.y,
                                          hit.point.z]
        check(found, case["expected"], f"sweep {index}")

    request = queries_pb2.RayBatchRequest()
    for case in cases["rays"]:
        request.origin.extend(case["origin"])
        request.motion.extend(case["motion"])
    answer = client.call("RayBatch", request)
    found = {query: [answer.time[row], *answer.point[3 * row:3 * row + 3]]
             for row, query in enumerate(answer.query)}
    for index, case in enumerate(cases["rays"]):
        check(found.get(index), case["expected"], f"ray {index}")

    state = client.spawn(cases["walk"]["feet"])
    for index, expected in enumerate(cases["walk"]["expected"]):
        state, _ = client.tick(state, walk=cases["walk"]["walk"], dt=cases["walk"]["dt"])
        feet = state.character.feet
        check([feet.x, feet.y, feet.z], expected, f"tick {index}")

    check_omit(client, **{name: cases["walk"][name] for name in ("feet", "walk", "dt")})

    try:
        client.call("Sweep", queries_pb2.SweepRequest())
        sys.exit("a request without a capsule was answered")
    except grpc.RpcError as error:
        check(error.code(), grpc.StatusCode.INVALID_ARGUMENT, "a request without a capsule")

    # Nobody listens there: the call is tried again until the budget is used up.
    lost = Client("127.0.0.1:1", retry=RetryPolicy(budget=3, first_pause=0.001))
    try:
        lost.worlds()
        sys.exit("nobody answered")
    except grpc.RpcError as error:
        check(error.code(), grpc.StatusCode.UNAVAILABLE, "nobody listens")
    check(lost._budget.left, 0.0, "the budget")

    # With a large budget the call ends at its original deadline, whatever the pauses are.
    lost = Client("127.0.0.1:1", timeout=0.5, retry=RetryPolicy(budget=1e9, first_pause=0.01))
    started = time.monotonic()
    try:
        lost.worlds()
        sys.exit("nobody answered")
    except grpc.RpcError:
        took = time.monotonic() - started
        check(took < 10.0 and lost._budget.left < 1e9, True, f"the deadline: {took} s")
    print("ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
