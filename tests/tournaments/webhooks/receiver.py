"""A real server on loopback that receives webhooks, and answers as a test wants."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LOOPBACK = ["127.0.0.0/8"]


@dataclass(frozen=True)
class Got:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: str

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found

    @property
    def entry(self) -> str:
        return str(self.json["data"]["id"])


Answering = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Receiver:
    """Answers 204, unless `answers` says otherwise for the next requests: a status, or a function."""

    port: int = 0
    got: list[Got] = field(default_factory=list)
    answers: deque[int | Answering] = field(default_factory=deque)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def entries(self) -> list[str]:
        return [it.entry for it in self.got]

    def hang(self, request: BaseHTTPRequestHandler) -> None:
        """Say nothing until the test is over."""
        self.over.wait(60)


def respond(request: BaseHTTPRequestHandler, status: int, body: bytes = b"", **headers: str) -> None:
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name.replace("_", "-"), value)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.got.append(Got(self.path, headers, body))
            how = receiver.answers.popleft() if receiver.answers else 204
            try:
                respond(self, how) if isinstance(how, int) else how(self)
            except OSError:
                pass  # the portal has hung up

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield receiver
    finally:
        receiver.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
