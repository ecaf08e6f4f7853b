"""One process under observation: everything that it writes, when, and whether it does anything at all."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from games.doctor.visit import QUIET, Visit
from games.pipes import FLOOD
from games.programs import GRACE, Exit, Process
from games.waiting import LAST_WORDS, POLLIN, poll, read, write

SLICE = 0.02
"""Seconds between two looks at a process that writes nothing."""

_ACTIVE = 0.0005  # processor seconds between two looks, from which on a process does something
_CHUNK = 64 * 1024


class Session:
    """Writes to a process without blocking, and keeps what it writes: of a flood, only the beginning."""

    def __init__(self, process: Process, visit: Visit) -> None:
        self.process = process
        self.output = bytearray()  # what it has written and nobody has taken yet
        self.exit: Exit | None = None
        self._visit = visit
        self._errors = visit.errors
        self._unsent = b""
        self._poll = poll()
        self._watched: dict[int, Callable[[], None]] = {}
        self.watch(process.stdout, self._take_output)
        self.watch(process.stderr, self._take_errors)

    def watch(self, number: int, ready: Callable[[], None]) -> None:
        """Call `ready` whenever there is something to read from that descriptor."""
        self._watched[number] = ready
        self._poll.register(number, POLLIN)

    def unwatch(self, number: int) -> None:
        if self._watched.pop(number, None) is not None:
            self._poll.unregister(number)

    def _take_output(self) -> None:
        self.output += self._read(self.process.stdout)
        if len(self.output) > FLOOD:
            self._visit.flooded = True
            self.unwatch(self.process.stdout)

    def _take_errors(self) -> None:
        data = self._read(self.process.stderr)
        self._errors += data[: FLOOD - len(self._errors)]

    def _read(self, number: int) -> bytes:
        try:
            data = read(number, _CHUNK)
        except BlockingIOError:
            return b""
        if not data:
            self.unwatch(number)
        return data

    @property
    def output_open(self) -> bool:
        return self.process.stdout in self._watched

    def send(self, data: bytes) -> None:
        self._unsent += data
        self._push()

    def _push(self) -> None:
        while self._unsent:
            try:
                self._unsent = self._unsent[write(self.process.stdin, self._unsent) :]
            except BlockingIOError:
                return
            except OSError:  # it does not read
                self._unsent = b""

    def end_input(self) -> None:
        self._push()
        self.process.close_input()

    def lines(self) -> list[bytes]:
        """Take the complete lines that it has written."""
        *found, rest = bytes(self.output).split(b"\n")
        self.output[:] = rest
        return found

    def listen(self, seconds: float) -> None:
        """Take what it writes within that time, or until it writes something."""
        self._push()
        for number, _ in self._poll.poll(1000 * seconds):
            if ready := self._watched.get(number):
                ready()

    def rest(self, seconds: float = QUIET) -> None:
        """Take everything that it writes within that time."""
        ends = perf_counter() + seconds
        while (left := ends - perf_counter()) > 0 and self.output_open:
            self.listen(left)

    def wait(self, until: Callable[[], bool], limit: float, patience: float) -> bool:
        """Wait until something has happened. False: the process has ended or closed its output, the limit is over, or
        it has done nothing for too long."""
        begun = active = perf_counter()
        used = self.process.cpu_seconds()
        while not until():
            now = perf_counter()
            if self.ended() or not self.output_open:
                self._last_words()
                return until()
            before, used = used, self.process.cpu_seconds()
            if used is None or before is None or used - before > _ACTIVE:
                active = now if used is not None else active
            if now - begun > limit or now - active > (patience if used is not None else max(patience, limit)):
                return False
            self.listen(SLICE)
        return True

    def busy(self) -> bool:
        """Whether it is computing now, or would be if others left it a core."""
        before = self._computed()
        self.rest(4 * SLICE)
        return self._computed() - before > SLICE

    def _computed(self) -> float:
        """The seconds for which it has had a core or waited for one, as far as the system counts them."""
        return (self.process.cpu_seconds() or 0.0) + self.process.waiting()[0]

    def ended(self, seconds: float = 0.0) -> Exit | None:
        if self.exit is None:
            self.exit = self.process.ended(seconds)
        return self.exit

    def _last_words(self) -> None:
        self.ended(GRACE)
        ends = perf_counter() + max(LAST_WORDS, QUIET)
        while self._watched and perf_counter() < ends:
            before = len(self.output) + len(self._errors)
            self.listen(QUIET)
            if before == len(self.output) + len(self._errors) and not LAST_WORDS:
                return

    def finish(self, patience: float) -> Exit | None:
        """End its input and wait for its end. None: it goes on, and was killed."""
        self.end_input()
        self.wait(lambda: False, max(GRACE, patience), patience)
        ended = self.ended()
        self._last_words()
        self.process.stop(0.0)
        return ended
