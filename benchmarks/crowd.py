"""A web server and a broker for benchmarks, and HTTP clients in one event loop. Needs configured Django settings."""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from contest.server import broker
from tests import ports
from tests.waiting import wait_for

ROOT = Path(__file__).resolve().parent.parent


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


def quantile(times: Sequence[float], percent: int) -> float:
    return statistics.quantiles(times, n=100, method="inclusive")[percent - 1] if len(times) > 1 else float("nan")


def descendants(pid: int) -> list[int]:
    """The children of a process, and theirs."""
    children = list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))  # no other thread forks
    return [*children, *(it for child in children for it in descendants(child))]


@dataclass
class Served:
    port: int
    process: subprocess.Popen[bytes]

    def cpu(self) -> float:
        """Seconds of processor time that the server has used."""
        ticks = 0
        for pid in (self.process.pid, *descendants(self.process.pid)):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def server(*options: str) -> Iterator[Served]:
    port = ports.free_port()
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "contest.settings"}
    log = settings.VAR_DIR / "web.log"
    with log.open("ab") as file:
        command = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", *options]
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=file)
    try:
        wait_for(lambda: asyncio.run(_answers(port)), log.read_text)
        yield Served(port, process)
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


async def _answers(port: int) -> bool:
    try:
        return (await Reader(port).get("/healthz"))[0] == 200
    except OSError:
        return False


@contextmanager
def private_broker() -> Iterator[None]:
    path = Path(settings.BROKER_SOCKET)
    broker.private_folder(path.parent)
    command = broker.find().command(path, path.parent)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert broker.wait_until(path, up=True, seconds=10)
        yield
    finally:
        process.kill()
        process.wait()
