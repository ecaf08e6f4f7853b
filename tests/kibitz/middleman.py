"""A server between `kibitz` and a portal that has mishaps: it loses answers, throttles, talks nonsense."""

from __future__ import annotations

import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

LOSE, BUSY, THROTTLE, LOGIN_PAGE, ELSEWHERE = "lose", "busy", "throttle", "login page", "elsewhere"


class Middleman:
    """Passes requests on. Each mishap happens once, in this order, before or (LOSE) after the portal has answered."""

    def __init__(self, behind: str = "", certificate: Path | None = None) -> None:
        self.behind = behind
        self.mishaps: list[str] = []
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http{'s' if certificate else ''}://localhost:{self.server.server_port}"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)

    def _handler(middleman: Any) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args: object) -> None:
                """Quiet."""

            def do_GET(self) -> None:
                middleman.answer(self)

            do_POST = do_GET

        return Handler

    def answer(self, to: BaseHTTPRequestHandler) -> None:
        body = to.rfile.read(int(to.headers.get("Content-Length") or 0))
        self.asked.append((to.command, to.path, dict(to.headers)))
        mishap = self.mishaps.pop(0) if self.mishaps else ""
        if mishap == BUSY:
            return self._send(to, 503, {"Content-Type": "text/html"}, b"<h1>Service unavailable</h1>")
        if mishap == THROTTLE:
            problem = b'{"status": 429, "code": "throttled", "detail": "Too many."}'
            return self._send(to, 429, {"Content-Type": "application/problem+json", "Retry-After": "1"}, problem)
        if mishap == LOGIN_PAGE:
            return self._send(to, 200, {"Content-Type": "text/html"}, b"<h1>Welcome to our hotel</h1>")
        if mishap == ELSEWHERE:
            return self._send(to, 302, {"Location": "http://thief.example/api/v1/me"}, b"")
        headers = {name: value for name, value in to.headers.items() if name not in ("Host", "Connection")}
        headers["Host"] = urlsplit(self.behind).netloc
        request = urllib.request.Request(self.behind + to.path, body or None, headers, method=to.command)
        try:
            with urllib.request.urlopen(request) as found:
                status, given, data = found.status, dict(found.headers), found.read()
        except urllib.error.HTTPError as error:
            status, given, data = error.code, dict(error.headers), error.read()
        if mishap == LOSE:
            to.close_connection = True
            return None
        kept = {name: value for name, value in given.items() if name not in ("Connection", "Content-Length")}
        return self._send(to, status, kept, data)

    def _send(self, to: BaseHTTPRequestHandler, status: int, headers: dict[str, str], body: bytes) -> None:
        to.send_response_only(status)
        for name, value in headers.items():
            to.send_header(name, value)
        to.send_header("Content-Length", str(len(body)))
        to.end_headers()
        to.wfile.write(body)


@contextmanager
def between(behind: str = "", certificate: Path | None = None) -> Iterator[Middleman]:
    one = Middleman(behind, certificate)
    thread = Thread(target=one.server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield one
    finally:
        one.server.shutdown()
        thread.join()
        one.server.server_close()
