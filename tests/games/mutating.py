"""A kit player whose output is mutated on its way out: mutating.py SEED FILE [ARGUMENT…].

It keeps to the protocol most of the time, so its mistakes come at every point of a game.
"""

import os
import runpy
import socket
import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.fuzzing import mutated

random = Random(sys.argv[1])
OFTEN = random.choice((2, 10, 40))
write, sendall = os.write, socket.socket.sendall


def changed(data):
    return mutated(random, data) if random.randrange(OFTEN) == 0 else data


class Output:
    """Standard output, whose pieces are mutated; `flush` does nothing because nothing is kept."""

    def write(self, text):
        os.write(1, text.encode("utf-8", "surrogateescape"))
        return len(text)

    def flush(self):
        pass


def mutating_write(fd, data):
    if fd != 1:
        return write(fd, data)
    left = changed(bytes(data))
    while left:
        left = left[write(fd, left) :]
    return len(data)


os.write = mutating_write
socket.socket.sendall = lambda self, data: sendall(self, changed(bytes(data)))
sys.stdout = Output()
sys.argv = sys.argv[2:]
sys.path.insert(0, str(Path(sys.argv[0]).parent))
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except (Exception, SystemExit):  # its own mistakes are of no interest
    sys.exit(3)
