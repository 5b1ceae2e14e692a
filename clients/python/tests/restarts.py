"""Calls a server that is killed and started again, until its own input ends.

Every call must be answered: the client retries those that a dying server leaves open. For each
line of input, the number of retries so far is printed.
"""

import sys
import threading

from capsweep_client import Client, RetryPolicy


def main(address):
    # Without a refill the used budget counts the retries.
    client = Client(address, timeout=60.0, retry=RetryPolicy(budget=10_000, refill=0.0))
    first = client.worlds()[0].revision
    ended, wrong = threading.Event(), []

    def call():
        try:
            while not ended.is_set():
                hit = client.sweep(feet=(0, 0, 5), radius=0.4, height=1.8, motion=(0, 0, -20))
                if hit is None:
                    wrong.append("a wrong answer")
        except Exception as error:
            wrong.append(f"a call failed: {error!r}")

    # Several callers, so that a kill rarely finds all of them between two calls.
    callers = [threading.Thread(target=call) for _ in range(4)]
    for caller in callers:
        caller.start()
    print("begun", flush=True)
    for _ in sys.stdin:
        print(int(client._budget.policy.budget - client._budget.left), flush=True)
    ended.set()
    for caller in callers:
        caller.join()
    if client.worlds()[0].revision != first:
        wrong.append("another revision of the same world")
    print("; ".join(wrong[:3]) or "ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
