"""Ports for the servers that tests start as processes."""

import random
import socket

BELOW = 32_768  # from here on Linux may assign ports to any client at any moment


def free_port() -> int:
    """A free port that is unlikely to be taken before the server under test listens there."""
    while True:
        port = random.randrange(15_000, BELOW)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
