"""The messages between a worker and process 1 of a jail. init/jail.h has the same structures."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

SETUP, START, RUN, KILL = 1, 2, 3, 4  # worker to jail
READY, HELLO, STARTED, ENDED, FAILED = 1, 2, 3, 4, 5  # jail to worker
EXITED, SIGNALLED, VIOLATION, KILLED, WALL, OUTPUT, CPU, MEMORY = 1, 2, 3, 4, 5, 6, 7, 8  # how a bot ended

NEVER = 2**64 - 1
STREAM_MOST = 64 * 1024  # bytes relayed of an answer, and of a question
MOST_PORTS = 5
SETUP_HEAD = struct.Struct(f"=6I3Q{MOST_PORTS}I3I")
START_HEAD = struct.Struct("=4I4Q7Q")
RECORD = struct.Struct("=IIiiQQQIIQ7I4x")
CREDENTIALS = struct.Struct("=iII")
KILL_MESSAGE = struct.pack("=I", KILL)
NOTE_MOST = 256  # bytes of READY, HELLO, STARTED and FAILED
MESSAGE_MOST = RECORD.size + 4096 + 2 * STREAM_MOST


class Rlimits(NamedTuple):
    """The kernel's limits for each of the bot's processes, in bytes, seconds and numbers. NEVER is no limit."""

    data: int
    space: int
    stack: int
    file: int
    cpu: int
    processes: int
    files: int


class Record(NamedTuple):
    """How a bot ended, as seen by process 1."""

    status: int
    code: int
    signal: int
    cpu_seconds: float
    wall_seconds: float
    peak: int
    call: int
    architecture: int
    argument: int
    threads: int  # requested and refused
    memory: int  # how often it was refused shared memory; only without control groups
    files: int  # bytes of files that it had mapped; only without control groups
    own_hand: int  # whether it has sent SIGKILL itself; unknown of builds
    path: bytes
    output: bytes
    errors: bytes


class Setup(NamedTuple):
    """What process 1 is told once. Its descriptors follow: /dev/null, /dev/urandom, `groups` to join, then the group's
    processor time and /proc if they are there."""

    code: bytes  # the filter
    calls: bytes
    rules: bytes
    program: bytes  # its path
    secret: int
    scratch: int  # an address
    memory: int = NEVER  # bytes that all of the bot's processes may hold, watched by process 1
    ports: tuple[int, ...] = ()  # of a TCP client's server
    groups: int = 0
    several: bool = False  # whether the bot may have more than one process
    clock: bool = False
    proc: bool = False

    def message(self) -> bytes:
        unused = (0,) * (MOST_PORTS - len(self.ports))
        head = SETUP_HEAD.pack(
            SETUP, len(self.code) // 8, len(self.calls) // 4, len(self.rules), self.groups, len(self.program),
            self.secret, self.scratch, self.memory, *self.ports, *unused, self.several, self.clock, self.proc,
        )  # fmt: skip
        return head + self.code + self.calls + self.rules + self.program


class Launch:
    """A program and its limits, as sent in START and RUN. What is the same for every question is packed once."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], limits: Rlimits, cpu_ns: int = NEVER
    ) -> None:
        strings = [*command, *(f"{name}={value}" for name, value in environment.items())]
        self._strings = b"".join(word.encode() + b"\0" for word in strings)
        self._counts = len(command), len(environment)
        self._limits = cpu_ns, *limits

    def start(self) -> bytes:
        return START_HEAD.pack(START, *self._counts, 0, NEVER, 0, 0, *self._limits) + self._strings

    def run(self, question: bytes, wall_ns: int, output: int, errors: int) -> bytes:
        """A question that process 1 relays, with the limits for the answer."""
        head = START_HEAD.pack(RUN, *self._counts, len(question), wall_ns, output, errors, *self._limits)
        return head + self._strings + question


def read_record(message: bytes) -> Record | None:
    """The record of an end. None if the message is something else."""
    if len(message) < RECORD.size or int.from_bytes(message[:4], "little") != ENDED:
        return None
    fields = RECORD.unpack_from(message)
    _, status, code, signal, cpu, wall, peak, call, arch, argument, path, output, errors, *counts = fields
    threads, memory, files, own_hand = counts
    output_at = RECORD.size + path
    errors_at = output_at + output
    streams = message[RECORD.size : output_at], message[output_at:errors_at], message[errors_at : errors_at + errors]
    times = cpu / 1e9, wall / 1e9
    return Record(
        status, code, signal, *times, peak, call, arch, argument, threads, memory, 1024 * files, own_hand, *streams
    )
