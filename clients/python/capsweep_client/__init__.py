"""A client of capsweep-server.

    from capsweep_client import Client
    client = Client("127.0.0.1:50051")
    hit = client.sweep(feet=(0, 0, 2), radius=0.3, height=1.8, motion=(0, 0, -5))

`Client.call` makes any call of the protocol, whose messages are in `capsweep_client.v1`. Every
call is repeated as a whole after a broken transport, within its deadline and a budget. Streams are
not: each message carries all state, so open the stream again.
"""

from capsweep_client._client import Client, RetryPolicy, capsule, vector
from capsweep_client.v1.characters_pb2 import Omit

__all__ = ["Client", "Omit", "RetryPolicy", "capsule", "vector"]
