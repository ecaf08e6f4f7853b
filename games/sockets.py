"""The protocol `socket`: a bot is a TCP client.

A client connects, is greeted, and from then on is sent messages (games.frames) and sends some back. It may lose its
connection and reconnect, even in the middle of a decision, while the clock runs on. `Line` leads to one client through
all its connections, `LinePlayer` plays over a line that somebody else keeps (a contest server), and `SocketPlayer`
starts the client itself and listens for it.

* Every message is written at once, header and body together, and before anybody else is asked. What a client is told
  goes out with the request that follows it. A client that does not read loses its connection.
* While a request is open, every message is an answer to it, except answers to older requests. Earlier messages are
  ignored.
* A client that reconnects is sent the open request again, with the time that is left.
* What was written completely counts, whatever happened to the client since. Its end is noticed at the next decision.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from time import perf_counter
from typing import Any, Protocol, cast

from games.clock import Clock
from games.connections import SPOILT, Line
from games.deadline import Deadline
from games.debug import LIMIT, DebugLog, ours
from games.engine import Action, Event, Fault, FaultKind, Game, Options, Seat, Setting, Wire
from games.format import USED_UP
from games.frames import HEADER, read_object
from games.participants import Decision, PassiveParticipant
from games.pipes import FLOOD
from games.programs import GRACE, Client, Process, Program
from games.waiting import LAST_WORDS, read

PAUSE = 5.0
"""Seconds that a client must wait between two attempts to connect. An earlier attempt restarts them."""

AWAY = "was not connected when its clock ran out"
"""The detail of that timeout, and of later ones in the same game that follow from it."""

LOST = "lost its connection, and did not answer before its clock ran out"

AGAIN = frozenset({FaultKind.CRASH, FaultKind.MEMORY})
"""The ends after which a client is started again, as the team of a remote one would do. Its start and its connection
are then on its clock."""

RESTARTS = 5
"""How often it is started again in a game. After that, all its decisions fail until the next game."""

GOODBYE = 0.05
"""Seconds in which a client may still send something after its match, because nothing in the protocol tells it to
end."""

_CHUNK = 64 * 1024
_NO_CLIENT = "having connected to the server"
_LOOK_AGAIN = 0.25  # seconds between checks of a process without a connection


class SocketWire(Wire, Protocol):
    """A game's own messages for one seat. `tell` adds to `owed` what the bot must be sent at once."""

    clock: Clock
    owed: list[bytes]

    @property
    def greeting(self) -> bytes:
        """Return what a new connection is told first."""

    def request(self, request_id: int, remaining: float) -> bytes:
        """Return the open request. May be called again."""

    def answer(self, message: dict[str, Any], request_id: int, body: bytes) -> Action:
        """Return what a message (`body` as it came) answers to that request. Raises Fault(GARBLED)."""


class LinePlayer(PassiveParticipant):
    """A client at the other end of a line that somebody else keeps."""

    def __init__(self, line: Line, *, complain: Callable[[str], None] = lambda words: None) -> None:
        """`complain` is told of its faults at once, in words that follow "it"."""
        self.debug = DebugLog(0)
        self._line = line
        self._complain = complain
        self._wire: SocketWire
        self._seat: Seat = 0
        self._elapsed = 0.0  # seconds of its own that the last decision took
        self._used_up = USED_UP  # the detail for a decision without any time left
        self._unasked = 0  # bytes since the last good answer that were not an answer
        self._clocks: Process | None = None  # not of a process elsewhere
        self._deadline: Deadline | None = None  # of its last decision

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        self._seat = seat
        self._wire = cast(SocketWire, game.wire(seat, options, setting))
        self._used_up = USED_UP

    def tell(self, event: Event) -> None:
        """Spend what a failed decision took. What a good one took, the wire learns from the event."""
        wire = self._wire
        wire.tell(event)
        if event["event"] == "fault" and event["seat"] == self._seat:
            wire.clock.spend(self._elapsed)
            self._complain(event["detail"])

    def flush(self) -> None:
        self._line.send(*self._wire.owed)
        self._wire.owed.clear()

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        self._elapsed = 0.0
        left = self._wire.clock.left
        if left <= 0:
            self.flush()
            raise Fault(FaultKind.TIMEOUT, self._used_up)
        if self._line.stirs():  # for what comes next, there may be another connection
            self.flush()
            self._ignore(self._line.attend())
        self._look_after()
        try:
            return self._ask(self._line.number(), left)
        finally:
            if self._deadline is not None:
                self._deadline.close()

    def _ask(self, number: int, seconds: float) -> Decision:
        line, wire = self._line, self._wire
        line.renewed = False
        started = perf_counter()
        line.send(*wire.owed, wire.request(number, seconds))
        wire.owed.clear()
        deadline = Deadline(self._clocks, started, seconds, stamped=line.stamped, after=self._deadline)
        self._deadline = deadline
        left, lost = seconds, False
        while left > 0:
            left = deadline.left()  # at the end, look once more for what arrived in time while we were late
            for body in line.receive(max(0.0, left if line.connection else min(left, _LOOK_AGAIN))):
                spent = deadline.spent()
                late = min(line.late, spent)
                self._elapsed = spent - late
                if self._elapsed > seconds:
                    break
                message = read_object(body)
                if line.is_older(message.get("request_id"), number):
                    self._ignore(HEADER + len(body))
                    continue
                action = wire.answer(message, number, body)
                self._unasked = 0
                return Decision(action, 1000 * self._elapsed, None, body, 1000 * late)
            if line.renewed:
                line.renewed, lost = False, True
                line.send(wire.request(number, seconds - deadline.spent()))
            elif line.connection is None:
                self._elapsed = deadline.spent()
                self._look_after()
        self._elapsed = seconds
        if line.connection is None and line.ended != SPOILT:
            self._used_up = AWAY
            raise Fault(FaultKind.TIMEOUT, AWAY)
        raise Fault(FaultKind.TIMEOUT, LOST if lost else "did not answer before its clock ran out")

    def _ignore(self, size: int) -> None:
        self._unasked += size
        if self._unasked > FLOOD:
            self._unasked = 0
            words = f"sent more than {FLOOD} bytes that are not an answer"
            self._line.drop(words)
            raise Fault(FaultKind.OUTPUT, words)

    def _look_after(self) -> None:
        """Check on a client without a connection, before and during a decision. Raises Fault when it cannot
        reconnect."""


class SocketPlayer(LinePlayer):
    """A client that is started for a match and connects to us.

    `startup` seconds are allowed for its first connection, before its clock runs. What it writes to standard output is
    kept with what it writes to standard error. The program must also be a `Client`.
    """

    def __init__(self, program: Program, *, startup: float = 5.0, debug_limit: int = LIMIT) -> None:
        super().__init__(Line())
        self.debug = DebugLog(debug_limit, program.box)
        self._program = cast(Client, program)
        self._startup = startup
        self._process: Process | None = None
        self._expected = 0.0  # until when its first connection is waited for
        self._attempt: float | None = None  # when it last tried to connect
        self._gone: Fault | None = None
        self._streams: list[int] = []  # its output streams that are still open
        self._restarts = 0  # in this game
        self._place = 0

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        super().begin(game, seat, options, random, setting)
        self._restarts = 0
        if self._process is None:
            self._start()
            self._expected = perf_counter() + self._startup
        elif self._gone is not None:
            self._start_again(self._gone)

    def _start(self) -> None:
        for listener in self._program.listeners:
            with suppress(BlockingIOError):
                while True:  # left over from a client of an earlier match
                    listener.accept()[0].close()
            self._line.watch(listener.fileno(), partial(self._accept, listener))
        self._attempt = self._gone = self._deadline = None
        process = self._process = self._clocks = self._program.start()
        self._streams = [process.stderr, process.stdout]
        for stream in self._streams:
            self._line.watch(stream, self._hear)

    def _start_again(self, gone: Fault) -> None:
        """Start a client that has ended, unless it may not be, and say so among what it wrote."""
        if gone.kind not in AGAIN or self._restarts == RESTARTS:
            return
        self._restarts += 1
        self._stop()
        self._place += 1  # after the fault, which its last words explain
        self.debug.add(self._place, f"{ours(f'The program {gone.detail}. It was started again.')}\n".encode())
        self._expected = 0.0
        self._start()

    def _stop(self) -> None:
        """End the process, and close everything that belongs to it."""
        process, self._process = self._process, None
        self._line.drop()
        for listener in self._program.listeners:
            self._line.unwatch(listener.fileno())
        for stream in list(self._streams):
            self._deaf_to(stream)
        if process is not None:
            process.stop(0.0)

    def _hear(self) -> None:
        """Keep what it writes, standard error first, because that is where it complains."""
        for stream in list(self._streams):
            with suppress(BlockingIOError):
                data = read(stream, _CHUNK)
                if data:
                    self.debug.add(self._place, data)
                else:
                    self._deaf_to(stream)

    def _hear_rest(self) -> None:
        """Hear the last words of a process that has ended."""
        ends = perf_counter() + LAST_WORDS
        self._line.attend()
        while self._streams and (left := ends - perf_counter()) > 0:
            self._line.receive(left)

    def _deaf_to(self, stream: int) -> None:
        self._streams.remove(stream)
        self._line.unwatch(stream)

    def _accept(self, listener: socket.socket) -> None:
        try:
            stream, _ = listener.accept()
        except OSError:  # it has gone again
            return
        now = perf_counter()
        early = self._attempt is not None and now < self._attempt + PAUSE
        self._attempt = now
        if early:
            stream.close()
            return
        self._line.adopt(stream)
        self._line.send(self._wire.greeting)

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        self._place = place
        if self._expected:
            self.flush()
            self._await_connection()
        return super().decide(legal, place)

    def _await_connection(self) -> None:
        """Wait for its first connection, which does not count as thinking."""
        while self._line.connection is None and (left := self._expected - perf_counter()) > 0:
            self._ignore(sum(map(len, self._line.receive(min(left, _LOOK_AGAIN)))))
            self._look_after()
        self._expected = 0.0

    def _look_after(self) -> None:
        """A process that has ended will not reconnect. The open decision fails, and another process is started."""
        if self._line.connection is not None or self._process is None:
            return
        gone = self._gone
        if gone is None and (end := self._process.ended(0)) is not None:
            self._hear_rest()
            gone = self._gone = end.fault() if self._attempt is not None else end.fault(_NO_CLIENT)
            self._start_again(gone)
        if gone is not None:
            raise gone

    def listen(self, place: int) -> None:
        self._place = place
        with suppress(Fault):  # a flood is found again at its next decision
            self._ignore(self._line.attend())

    def finish(self) -> None:
        self._line.drop()

    def close(self, place: int, grace: float = GRACE) -> None:
        process = self._process
        if process is None:
            return
        self._place = place
        self._line.drop()
        for listener in self._program.listeners:
            self._line.unwatch(listener.fileno())
        process.close_input()
        ends = perf_counter() + min(grace, GOODBYE)
        while (left := ends - perf_counter()) > 0 and process.ended(0) is None:
            self._line.receive(left)
        self._hear_rest()
        self._stop()
