"""Run a WSGI application in threads below an event loop."""

from __future__ import annotations

import asyncio
import io
import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any
from urllib.parse import unquote_to_bytes, urlsplit
from wsgiref.util import FileWrapper

from contest.server.web.asgi import ENVIRON, Receive, Scope, Send, answer_plainly
from contest.server.web.bodies import CHUNK, Answer, Arriving, Bodies, Body, Full, Gone, TooSlow

Environ = dict[str, Any]
WsgiApp = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

LINGER = 5.0  # seconds for which we read on what a client sends although it has been refused
TOO_LONG = 1 << 40  # the length that the application is told of a request of unknown length that has no end in sight


class Threads:
    """An ASGI application that runs a WSGI application in `size` threads.

    Requests that are larger than anything the portal takes are not stored: one more thread reads them while they
    arrive, until the application has refused them in its own words.
    """

    def __init__(self, app: WsgiApp, size: int) -> None:
        self.app = app
        self.pool = ThreadPoolExecutor(size, "page")
        self.for_giants = ThreadPoolExecutor(1, "giant")
        self.bodies = Bodies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await self.bodies.read(scope, receive)
        except Full:
            await answer_plainly(send, 503, "Too many uploads at once. Try again soon.", (b"retry-after", b"10"))
            return
        except (TooSlow, Gone):
            await answer_plainly(send, 408, "The request did not arrive in time.")
            return
        try:
            await self._answer(scope, receive, send, body)
        except Gone:
            pass
        finally:
            body.close()

    async def _answer(self, scope: Scope, receive: Receive, send: Send, body: Body) -> None:
        loop = asyncio.get_running_loop()
        stream: IO[bytes] = body.file or io.BytesIO()
        if not body.is_whole:
            stream = io.BufferedReader(Arriving(stream, receive, loop), CHUNK)
        environ = environ_of(scope, stream, body.size if body.is_whole else None)
        answer = Answer(loop, has_content=scope["method"] != "HEAD")
        pool = self.pool if body.is_whole else self.for_giants
        running = loop.run_in_executor(pool, self._run, environ, answer)
        try:
            await answer.send(scope, send)
        finally:
            answer.close()
            running.cancel()  # if no thread has begun
        if not body.is_whole:
            await _read_on(receive)

    def _run(self, environ: Environ, answer: Answer) -> None:
        """In a thread. Ends when the application has closed its answer."""
        try:
            found = self.app(environ, _starts(answer))
            try:
                for chunk in found if answer.has_content else ():
                    answer.write(chunk)
            finally:
                if close := getattr(found, "close", None):
                    close()
            answer.end()
        except Gone:
            pass
        except Exception as error:
            answer.end(error)


def _starts(answer: Answer) -> Callable[..., Any]:
    def start_response(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> Callable[[bytes], None]:
        told = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        answer.begin(int(status[:3]), told)
        return answer.write

    return start_response


async def _read_on(receive: Receive) -> None:
    """Read what still comes, because a client that is cut off while it sends may not see our answer."""
    try:
        async with asyncio.timeout(LINGER):
            while (message := await receive()).get("more_body"):
                del message
    except TimeoutError:
        pass


def environ_of(scope: Scope, stream: IO[bytes], size: int | None) -> Environ:
    """The request as WSGI tells it. `size` of its body; None: it is still arriving."""
    target = scope["raw_path"].decode("latin-1")
    path = target if target.startswith("/") else urlsplit(target).path or target  # "GET http://host/path"
    script = os.environ.get("SCRIPT_NAME", "")
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": script,
        "PATH_INFO": unquote_to_bytes(path.removeprefix(script).encode("latin-1")).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": stream,
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": lambda file, size=0: FileWrapper(file, CHUNK),
    }
    host, port = (scope.get("server") or ("localhost", 80))[:2]
    environ |= {"SERVER_NAME": str(host), "SERVER_PORT": str(port or "")}
    host, port = (scope.get("client") or ("", ""))[:2]
    environ |= {"REMOTE_ADDR": str(host), "REMOTE_PORT": str(port)}
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1").upper().replace("-", "_")
        if name not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            name = f"HTTP_{name}"
        told = value.decode("latin-1")
        joint = "; " if name == "HTTP_COOKIE" else ","
        environ[name] = f"{environ[name]}{joint}{told}" if name in environ else told
    if environ.pop("HTTP_TRANSFER_ENCODING", None):  # we have put the pieces together
        environ["CONTENT_LENGTH"] = str(TOO_LONG if size is None else size)
    return environ | scope.get(ENVIRON, {})
