"""Ports for the servers that tests start as processes."""

import random
import socket

BELOW = 32_768  # from here on Linux lends ports to whoever connects, at any moment


def free_port() -> int:
    """Nobody listens there now, and nobody is likely to before the server does that is told to."""
    while True:
        port = random.randrange(15_000, BELOW)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
