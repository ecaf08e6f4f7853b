"""The bodies of requests and answers, between clients that may be slow and threads that must not wait for them."""

from __future__ import annotations

import asyncio
import io
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import IO, Any

from contest.server.web.asgi import ABORT, Message, Receive, Scope, Send
from contest.server.web.clients import Full

CHUNK = 1 << 16
IN_MEMORY = 1 << 16  # bytes of a request or an answer; longer ones are in a temporary file

# Requests
LARGEST = 32 << 20  # bytes of a request that is stored: more than any upload may have
STORED = 512 << 20  # bytes of such requests at a time
TO_SEND = 30.0  # seconds in which a client must send its request. It gets one more …
PER_SECOND = 10_000  # … for as many bytes, but never has more than these seconds left, however fast it was before

# Answers
AHEAD = 256 << 20  # bytes that the portal may write before the client has read anything
AHEAD_IN_ALL = 512 << 20  # bytes of all answers that wait; then one of the address that keeps most is given up
STALLED = 30.0  # seconds after which a client is cut off that reads nothing, or less than PER_SECOND on average
PATIENT = 60.0  # seconds for which a thread waits for the client when it is too far ahead, and one more …
FAST = 1_000_000  # … for as many bytes that the client has read
IMPATIENT = 0.2  # seconds after which a part of an answer is sent, however small it is


class Gone(Exception):
    """The client has closed the connection, or we have."""


class TooSlow(Exception):
    """The client did not send its request in time."""


Most = Callable[[], Awaitable[int | None]]


class Bodies:
    """Reads the bodies of requests."""

    def __init__(self) -> None:
        self.stored = 0  # bytes, of all requests

    async def read(self, scope: Scope, receive: Receive, most: Most) -> Body:
        """The body. `most` is asked about one that is longer than a form. Raises Gone, TooSlow and Full."""
        body = Body(self)
        if not has_body(scope):
            return body
        try:
            await body.fill(receive, most)
        except BaseException:
            body.close()
            raise
        return body


class Body:
    """A request that has arrived: all of it, or as many bytes as it may have, and one message more."""

    def __init__(self, among: Bodies) -> None:
        self.among = among
        self.file: IO[bytes] | None = None
        self.size = 0
        self.is_whole = True

    async def fill(self, receive: Receive, most: Most) -> None:
        self.file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed by close()
        loop = asyncio.get_running_loop()
        until = loop.time() + TO_SEND
        more, asked, largest = True, False, LARGEST
        try:
            async with asyncio.timeout_at(until) as patience:
                while more and self.size < largest:
                    if self.size > IN_MEMORY and not asked:
                        asked, allowed = True, await most()
                        if allowed is not None and (largest := min(allowed, LARGEST)) <= self.size:
                            break
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Gone
                    chunk = message.get("body", b"")
                    self._add(chunk)
                    more = bool(message.get("more_body"))
                    until = min(until + len(chunk) / PER_SECOND, loop.time() + TO_SEND)
                    patience.reschedule(until)
        except TimeoutError:
            raise TooSlow from None
        self.is_whole = not more
        self.file.seek(0)

    def _add(self, chunk: bytes) -> None:
        assert self.file is not None
        self.file.write(chunk)
        self.size += len(chunk)
        self.among.stored += len(chunk)
        if self.among.stored > STORED and self.size > IN_MEMORY:  # forms are always taken
            raise Full

    def close(self) -> None:
        self.among.stored -= self.size
        self.size = 0
        if self.file is not None:
            self.file.close()


def has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value.strip() != b"0")
        for name, value in scope["headers"]
    )


class Arriving(io.RawIOBase):
    """What has arrived, then what is still to come. Reading it in a thread waits for the client."""

    def __init__(self, arrived: IO[bytes], receive: Receive, loop: asyncio.AbstractEventLoop) -> None:
        self.arrived, self.receive, self.loop = arrived, receive, loop
        self.until = loop.time() + TO_SEND
        self.chunk, self.more = b"", True

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        chunk = self.arrived.read(len(into)) or self._later(len(into))
        into[: len(chunk)] = chunk
        return len(chunk)

    def _later(self, size: int) -> bytes:
        while self.more and not self.chunk:
            receiving = asyncio.run_coroutine_threadsafe(self._receive(), self.loop)
            self.chunk, self.more = receiving.result()
        found, self.chunk = self.chunk[:size], self.chunk[size:]
        return found

    async def _receive(self) -> tuple[bytes, bool]:
        try:
            async with asyncio.timeout_at(self.until):
                message = await self.receive()
        except TimeoutError:
            raise OSError("the request did not arrive in time") from None
        if message["type"] == "http.disconnect":
            raise OSError("the client has gone")
        return message.get("body", b""), bool(message.get("more_body"))


class Answers:
    """All answers that wait for their readers. They have a limit together, so that slow readers of long answers do not
    fill the disk."""

    def __init__(self) -> None:
        self.changed = threading.Lock()
        self.kept: dict[Answer, int] = {}  # bytes that wait

    def keeps(self, answer: Answer, size: int) -> None:
        with self.changed:
            if answer.closed:
                return
            self.kept[answer] = size
            too_many = sum(self.kept.values()) > AHEAD_IN_ALL
            victim = self._largest() if too_many else None
        if victim is not None:
            victim.give_up()

    def forget(self, answer: Answer) -> None:
        with self.changed:
            self.kept.pop(answer, None)

    def _largest(self) -> Answer:
        """Of the address that keeps most, so that one who reads slowly in many places is hit, and not one who has just
        asked for something long."""
        by_address: Counter[str] = Counter()
        for each, size in self.kept.items():
            by_address[each.address] += size
        worst = by_address.most_common(1)[0][0]
        return max((each for each in self.kept if each.address == worst), key=lambda it: self.kept[it])


class Answer:
    """An answer on its way from a thread to the client at `address`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, *, has_content: bool, among: Answers, address: str) -> None:
        self.loop, self.among, self.address = loop, among, address
        self.has_content = has_content  # not for HEAD
        self.start: Message | None = None
        self.error: BaseException | None = None
        self.file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed by close()
        self.written = self.read = 0  # bytes, since the file was last empty
        self.taken = 0  # bytes, by the client
        self.waited = 0.0  # seconds, of the thread for the client
        self.ended = self.closed = False
        self.more = asyncio.Event()
        self.announced = 0.0
        self.changed = threading.Condition()

    # In the thread ----------------------------------------------------------------------------------------------------

    def begin(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        self.start = {"type": "http.response.start", "status": status, "headers": headers}
        self.has_content = self.has_content and status not in (204, 304)
        self.announced = time.monotonic()

    def write(self, chunk: bytes) -> None:
        """Raises Gone if nobody wants it any more."""
        with self.changed:
            began = time.monotonic()
            while self.written + len(chunk) > AHEAD and self.read < self.written and not self.closed:
                self.changed.wait(1.0)
                self.closed |= time.monotonic() - began + self.waited > PATIENT + self.taken / FAST
            self.waited += time.monotonic() - began
            if self.closed:
                raise Gone
            self.file.seek(self.written)
            self.file.write(chunk)
            self.written += len(chunk)
            waiting, kept = self.written - self.read, self.written
        if kept > IN_MEMORY:
            self.among.keeps(self, kept)
        if waiting > CHUNK or time.monotonic() - self.announced > IMPATIENT:
            self._announce()

    def end(self, error: BaseException | None = None) -> None:
        self.ended, self.error = True, error
        self._announce()

    def _announce(self) -> None:
        self.announced = time.monotonic()
        try:
            self.loop.call_soon_threadsafe(self.more.set)
        except RuntimeError:  # the loop was closed: the process ends
            raise Gone from None

    # In the event loop ------------------------------------------------------------------------------------------------

    async def send(self, scope: Scope, send: Send) -> None:
        """Send everything, as fast as the client takes it. Raises the error of the thread."""
        started = False
        sent, taking = 0, 0.0  # bytes, and seconds that the client took for them
        while True:
            await self.more.wait()
            self.more.clear()
            if self.closed:  # given up
                scope[ABORT]()
                raise Gone
            if self.error is not None:
                raise self.error
            if not started and self.start is not None:
                started = True
                await send(self.start)
            while True:
                chunk, is_last = self._next()
                if not chunk and not is_last:
                    break
                began = self.loop.time()
                try:
                    async with asyncio.timeout(min(STALLED, STALLED + sent / PER_SECOND - taking)):
                        await send({"type": "http.response.body", "body": chunk, "more_body": not is_last})
                except TimeoutError:
                    scope[ABORT]()
                    raise Gone from None
                taking += self.loop.time() - began
                sent += len(chunk)
                if is_last:
                    return

    def _next(self) -> tuple[bytes, bool]:
        """The next piece, and whether it is the last one."""
        ended = self.ended  # before looking: what comes first was written before the end
        with self.changed:
            if self.closed:
                return b"", False
            self.file.seek(self.read)
            chunk = self.file.read(CHUNK)
            self.read += len(chunk)
            self.taken += len(chunk)
            if self.read == self.written:
                self.file.seek(0)
                self.file.truncate()
                self.read = self.written = 0
                self.among.forget(self)
                self.changed.notify_all()
        return chunk, ended and self.written == 0

    def close(self) -> None:
        """Nobody wants it any more."""
        with self.changed:
            self.closed = True
            self.changed.notify_all()
            self.file.close()
        self.among.forget(self)

    def give_up(self) -> None:
        """There is no room for it any more. From any thread."""
        self.close()
        try:
            self._announce()
        except Gone:
            pass  # the process ends anyway
