"""Many HTTP clients in one event loop, for benchmarks of the web server."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Sequence


class Reader:
    """A client with one connection, which it opens again when the server has closed it."""

    def __init__(self, port: int, number: int = 0, token: str = "") -> None:
        self.port = port
        self.address = f"127.0.{number // 200}.{1 + number % 200}"  # so that limits for an address are real
        self.head = f"Host: localhost\r\nAuthorization: Bearer {token}\r\n" if token else "Host: localhost\r\n"
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, target: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        request = f"GET {target} HTTP/1.1\r\n{self.head}{lines}\r\n".encode()
        for _ in range(3):
            try:
                return await self._ask(request)
            except (ConnectionError, asyncio.IncompleteReadError):
                self.close()  # an idle connection that was closed meanwhile
        raise ConnectionError(target)

    async def _ask(self, request: bytes) -> tuple[int, dict[str, str], bytes]:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))
        reader, writer = self.streams
        writer.write(request)
        first, *rest = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {line.split(": ")[0].lower(): line.split(": ", 1)[1] for line in rest if line}
        status = int(first.split()[1])
        body = b""
        if status not in (204, 304):
            body = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") == "close":
            self.close()
        return status, headers, body

    def close(self) -> None:
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None


class Times:
    """How long requests took, in seconds."""

    def __init__(self) -> None:
        self.all: list[float] = []
        self.failed = 0

    async def of(self, reader: Reader, target: str) -> None:
        began = time.perf_counter()
        status = (await reader.get(target))[0]
        self.all.append(time.perf_counter() - began)
        self.failed += status != 200

    def __str__(self) -> str:
        failed = f", {self.failed} FAILED" if self.failed else ""
        return f"p50 {1000 * quantile(self.all, 50):6.0f} ms, p99 {1000 * quantile(self.all, 99):6.0f} ms{failed}"


def quantile(times: Sequence[float], percent: int) -> float:
    return statistics.quantiles(times, n=100, method="inclusive")[percent - 1] if len(times) > 1 else float("nan")


async def drip(port: int, count: int, stop: asyncio.Event) -> int:
    """Hold many connections open with a byte of a header every second. Returns how often the server closed one."""
    closed = 0

    async def one(number: int) -> None:
        nonlocal closed
        while not stop.is_set():
            try:
                address = f"127.1.{number // 200}.{1 + number % 200}"
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
            except OSError:
                await asyncio.sleep(1)
                continue
            answer = asyncio.ensure_future(reader.read())
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
            while not stop.is_set() and not answer.done():
                writer.write(b"a")
                await asyncio.wait({answer}, timeout=1)
            closed += answer.done()
            answer.cancel()
            writer.close()

    await asyncio.gather(*(one(number) for number in range(count)))
    return closed
