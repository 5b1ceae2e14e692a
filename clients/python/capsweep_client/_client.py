"""Calls with retries, and helpers for the most common ones."""

import random
import struct
import threading
import time
from dataclasses import dataclass

import grpc

from capsweep_client.v1 import (
    characters_pb2,
    geometry_pb2,
    physics_pb2,
    physics_pb2_grpc,
    queries_pb2,
)


@dataclass(frozen=True)
class RetryPolicy:
    """How calls are repeated after a broken transport."""

    first_pause: float = 0.02
    """Longest pause before the second attempt, in seconds. It doubles with each attempt."""
    longest_pause: float = 1.0
    """Longest pause before any attempt, in seconds."""
    budget: float = 50.0
    """Size of the retry budget. Each retry takes one."""
    refill: float = 0.1
    """Amount that each answered call returns to the budget."""


class _Budget:
    def __init__(self, policy):
        self.policy = policy
        self.left = policy.budget
        self.lock = threading.Lock()

    def take(self):
        with self.lock:
            if self.left < 1.0:
                return False
            self.left -= 1.0
            return True

    def refill(self):
        with self.lock:
            self.left = min(self.left + self.policy.refill, self.policy.budget)

    def pause(self, attempt):
        longest = self.policy.first_pause * 2 ** min(attempt, 16)
        return random.random() * min(longest, self.policy.longest_pause)


def _is_broken(error):
    """Whether the transport broke, rather than the server refused.

    The server's own errors carry its request id: it has answered, and would again.
    """
    if error.code() == grpc.StatusCode.UNAVAILABLE:
        return True
    if error.code() not in (grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL):
        return False
    metadata = [*(error.initial_metadata() or ()), *(error.trailing_metadata() or ())]
    return all(key != "x-request-id" for key, _ in metadata)


def vector(xyz):
    """A message of three numbers."""
    x, y, z = xyz
    return geometry_pb2.Vector(x=x, y=y, z=z)


def capsule(feet, radius, height):
    """An upright capsule on its feet, as the library's `Capsule::from_feet` with z up."""
    x, y, z = feet
    # The library computes with the numbers that a float holds.
    radius, height = struct.unpack("ff", struct.pack("ff", radius, height))
    cylinder = max(height - 2.0 * radius, 0.0)
    return geometry_pb2.Capsule(
        p0=vector((x, y, z + radius)), p1=vector((x, y, z + (radius + cylinder))), radius=radius
    )


class Client:
    """A client of the server or balancer at `address`, "HOST:PORT".

    `credentials` from `grpc.ssl_channel_credentials` switch TLS on; `token` is a bearer token;
    `timeout` is the longest time of a call with all its attempts, in seconds.
    """

    def __init__(self, address, *, world="", timeout=10.0, token=None, credentials=None,
                 retry=RetryPolicy()):
        # gRPC's own retries lose calls whose response head has arrived.
        options = [
            ("grpc.enable_retries", 0),
            ("grpc.max_receive_message_length", 16 << 20),
            # By default a lost server is looked for after a second, then ever more rarely.
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 1000),
        ]
        if credentials is None:
            self.channel = grpc.insecure_channel(address, options)
        else:
            self.channel = grpc.secure_channel(address, credentials, options)
        self.stub = physics_pb2_grpc.PhysicsStub(self.channel)
        self.world = world
        self.timeout = timeout
        self.metadata = [("authorization", f"Bearer {token}")] if token else []
        self._budget = _Budget(retry)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Closes the connection."""
        self.channel.close()

    def call(self, name, request):
        """Makes a call of the protocol by its name, such as "SweepBatch"."""
        deadline = time.monotonic() + self.timeout
        method = getattr(self.stub, name)
        attempt = 0
        while True:
            left = max(deadline - time.monotonic(), 0.0)
            try:
                answer = method(request, timeout=left, metadata=self.metadata)
                self._budget.refill()
                return answer
            except grpc.RpcError as error:
                pause = self._budget.pause(attempt)
                in_time = time.monotonic() + pause < deadline
                if not (_is_broken(error) and in_time and self._budget.take()):
                    raise
            time.sleep(pause)
            attempt += 1

    def worlds(self):
        """The worlds of the server."""
        return list(self.call("Worlds", physics_pb2.WorldsRequest()).worlds)

    def sweep(self, *, feet, radius, height, motion):
        """The first touch of an upright capsule on its way, or None."""
        answer = self.call("Sweep", queries_pb2.SweepRequest(
            world=self.world, capsule=capsule(feet, radius, height),
            motion=geometry_pb2.Motion(vector=vector(motion))))
        return answer.hit if answer.HasField("hit") else None

    def ray(self, *, origin, motion):
        """The first surface on a ray, or None."""
        answer = self.call("Ray", queries_pb2.RayRequest(
            world=self.world, origin=vector(origin),
            motion=geometry_pb2.Motion(vector=vector(motion))))
        return answer.hit if answer.HasField("hit") else None

    def spawn(self, feet):
        """The state of a new character, for `tick`."""
        character = characters_pb2.CharacterState(feet=vector(feet))
        return characters_pb2.LocomotionState(character=character)

    def tick(self, state, *, walk, dt, jump=False, config=None, locomotion=None):
        """Moves a character for `dt` seconds: its next state, and what happened."""
        answer = self.call("Tick", characters_pb2.TickRequest(
            world=self.world, config=config, locomotion=locomotion, state=state,
            input=characters_pb2.TickInput(walk=vector(walk), dt=dt, jump=jump)))
        return answer.state, answer.outcome
