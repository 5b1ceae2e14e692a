"""Calls a server that is killed and started again, until its own input ends.

Every call must be answered: the client repeats those that a dying server leaves open.
"""

import sys
import threading

from capsweep_client import Client, RetryPolicy


def main(address):
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    # Without a refill the used budget counts the repeated calls.
    client = Client(address, timeout=60.0, retry=RetryPolicy(budget=10_000, refill=0.0))
    first = client.worlds()[0].revision
    print("begun", flush=True)
    calls = 0
    while not ended.is_set():
        hit = client.sweep(feet=(0.0, 0.0, 5.0), radius=0.4, height=1.8, motion=(0.0, 0.0, -20.0))
        if hit is None:
            sys.exit("a wrong answer")
        calls += 1
    if client.worlds()[0].revision != first:
        sys.exit("another revision of the same world")
    repeated = client._budget.policy.budget - client._budget.left
    print("ok" if calls and repeated > 0 else f"{calls} calls, {repeated} repeated")


if __name__ == "__main__":
    main(*sys.argv[1:])
