"""Talking in lines to a process that may be slow, dead, mute, deaf or malicious.

Nothing here blocks longer than the question's deadline, whatever the process does with its three streams. The deadline
is by the wall clock, but time during which others had the process's core is given back (games.deadline).

* A question is written as far as the pipe takes it. The rest follows when the process reads.
* Line k answers question k, whenever it arrives. Lines written ahead wait for their question. A line that arrives after
  its question was given up is dropped.
* Standard error is read while the process is waited for, and between hands, so it never blocks for long.
* What was written completely counts, whatever happened to the process since. Its end is noticed at the next question.
"""

from __future__ import annotations

from time import perf_counter

from games.deadline import PROMPT, Deadline
from games.debug import DebugLog
from games.engine import Fault, FaultKind
from games.programs import GRACE, Process
from games.waiting import POLLIN, POLLOUT, make_room, poll, read, write

FLOOD = 64 * 1024
"""More bytes than this that are not an answer are the fault `output`."""

ROOM = 256 * 1024
"""Bytes that a process may write to standard error while nobody reads it, where the system allows it. The kernel counts
them as memory of the process, so more would not help it."""

_PROMPT_MS = round(1000 * PROMPT)
_ANSWER, _CHUNK = 64, 64 * 1024  # bytes per read: for a usual answer, and for anything else


class LinePipes:
    """The referee's ends of a process's three streams. `place` is the place in the game for what is on standard
    error."""

    def __init__(self, process: Process, debug: DebugLog) -> None:
        self._process = process
        self._debug = debug
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        make_room(self._stderr, ROOM)
        self._unsent = b""
        self._unread = b""  # written by the process, not yet an answer
        self._late = 0  # lines still due for questions that were given up
        self._deadline: Deadline | None = None  # of the last question that was not answered at once
        self._gone: Fault | None = None  # set when nothing more will come: the answer to all further questions
        self._closed = False
        self.early = False
        """Whether the last answer was there before its question."""
        self._quiet = True  # none of these: presumably it waits for a question
        self._poll = poll()
        self._poll.register(self._stdout, POLLIN)
        self._poll.register(self._stderr, POLLIN)
        self._wait = self._poll.poll
        self._answered = [(self._stdout, POLLIN)]  # what poll returns for an answer and nothing else

    def ask(self, question: bytes, started: float, seconds: float, place: int) -> bytes:
        """Send a question and wait for its line, at most `seconds` (games.deadline). Returns it without its end. Raises
        Fault.

        `started` is `perf_counter` now, which the caller has measured already.
        """
        if not self._quiet or seconds < PROMPT:
            self.early = bool(self._unread) and not self._late
            return self._ask_slowly(question, started, seconds, place)
        # The usual case needs three system calls: everything is written, and exactly one line comes back.
        try:
            sent = write(self._stdin, question)
        except OSError:
            return self._ask_slowly(question, started, seconds, place)
        if sent == len(question) and self._wait(_PROMPT_MS) == self._answered:
            data = read(self._stdout, _ANSWER)
            line, end, rest = data.partition(b"\n")
            if end and not rest:
                return line
            self._unread = data
        return self._ask_slowly(question[sent:], started, seconds, place)

    def told(self, fault: Fault) -> Fault:
        """Return the fault of the last answer, which says so if the answer was there before its question."""
        if not self.early:
            return fault
        return Fault(fault.kind, f"{fault.detail}, in a line that was there before its question", fault.answer)

    def _ask_slowly(self, question: bytes, started: float, seconds: float, place: int) -> bytes:
        """Do the same as `ask`, whatever is still pending in either direction."""
        deadline = self._deadline = Deadline(self._process, started, seconds, after=self._deadline)
        self._quiet = False
        self._send(question)
        try:
            line = self._line(deadline, place)
        except Fault:
            self._late += 1
            raise
        finally:
            deadline.close()
        if deadline.missed():
            raise Fault(FaultKind.TIMEOUT, "did not answer in time", line)
        self._quiet = not (self._unread or self._unsent or self._late or self._gone or self.early)
        return line

    def _line(self, deadline: Deadline, place: int) -> bytes:
        """Return the line of the open question, from what was read already or is still to come."""
        self._attend(0, place)  # what it wrote to standard error so far belongs before this line
        while True:
            line, end, rest = self._unread.partition(b"\n")
            if len(line) > FLOOD:
                raise self._flooded(line)
            if end:
                self._unread = rest
                if not self._late:
                    return line
                self._late -= 1
                continue
            if self._gone is not None:
                raise self._gone
            left = deadline.left()
            if left <= 0:
                raise self._timeout()
            self._attend(left, place)

    def listen(self, place: int) -> None:
        """Keep what is on standard error now."""
        if any(fd == self._stderr for fd, _ in self._wait(0)):
            self._debug.add(place, read(self._stderr, ROOM))

    def finish(self, farewell: bytes) -> None:
        """Send the last lines and the end of input, without waiting."""
        self._send(farewell)
        self._process.close_input()

    def close(self, place: int, grace: float) -> None:
        """End the process after at most `grace` seconds, and keep what it still writes to standard error.

        Idempotent: afterwards the descriptors' numbers belong to somebody else.
        """
        if self._closed:
            return
        self._closed = True
        self._process.close_input()
        started = perf_counter()
        self._drain(place, grace)
        self._process.stop(max(0.0, grace - (perf_counter() - started)))

    def _send(self, data: bytes) -> None:
        """Write what the pipe takes now. The rest follows when the process reads."""
        if self._unsent:
            data = self._unsent + data
        if not data:
            return
        try:
            sent = write(self._stdin, data)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:  # it may still answer, because lines written ahead count
            sent = len(data)
        if sent < len(data):
            if not self._unsent:
                self._poll.register(self._stdin, POLLOUT)
            self._unsent = data[sent:]
        elif self._unsent:
            self._poll.unregister(self._stdin)
            self._unsent = b""

    def _attend(self, seconds: float, place: int) -> None:
        """Wait until the process writes or reads something, and move it along. Unread output is never many lines."""
        for fd, _ in self._wait(1000 * seconds):
            if fd == self._stderr:
                self._listen(place)
            elif fd == self._stdin:
                self._send(b"")
            elif b"\n" not in self._unread:
                data = read(fd, _CHUNK)
                self._unread += data
                if not data:
                    self._poll.unregister(fd)
                    self._gone = self._gone or self._end(place)

    def _listen(self, place: int) -> None:
        data = read(self._stderr, _CHUNK)
        if data:
            self._debug.add(place, data)
        else:
            self._poll.unregister(self._stderr)

    def _drain(self, place: int, seconds: float) -> None:
        """Keep what arrives on standard error until it is closed, for at most that long."""
        waiting = poll()
        waiting.register(self._stderr, POLLIN)
        deadline = perf_counter() + seconds
        left = seconds
        while left >= 0 and waiting.poll(1000 * left):
            data = read(self._stderr, _CHUNK)
            if not data:
                return
            self._debug.add(place, data)
            left = deadline - perf_counter()

    # What went wrong

    def _end(self, place: int) -> Fault:
        """Return the fault of a process whose output has ended, after waiting a moment for the reason."""
        started = perf_counter()
        self._drain(place, GRACE)
        end = self._process.ended(max(0.0, GRACE - (perf_counter() - started)))
        fault = end.fault() if end else Fault(FaultKind.CRASH, "closed its output")
        partial = self._unread.rpartition(b"\n")[2]
        if partial and fault.kind is FaultKind.CRASH:
            detail = fault.detail.removesuffix(" without an answer")
            return Fault(fault.kind, f"{detail} in the middle of a line", partial)
        return fault

    def _flooded(self, line: bytes) -> Fault:
        self._gone = Fault(FaultKind.OUTPUT, f"wrote more than {FLOOD} bytes that are not an answer", line[:1000])
        self._unread = b""
        return self._gone

    def _timeout(self) -> Fault:
        end = self._process.ended(0)
        if end is not None:  # a child of it holds its output open
            self._gone = end.fault()
            return self._gone
        if self._unread:
            return Fault(FaultKind.TIMEOUT, "did not end its line in time", self._unread)
        if self._unsent:
            return Fault(FaultKind.TIMEOUT, "did not answer in time, and did not read its input")
        return Fault(FaultKind.TIMEOUT, "did not answer in time")
