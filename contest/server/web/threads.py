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

from contest.server.web.asgi import ENVIRON, TURN, Receive, Scope, Send, answer_full, answer_plainly
from contest.server.web.bodies import CHUNK, Answer, Answers, Arriving, Bodies, Body, Gone, TooSlow
from contest.server.web.clients import Clients, Full, Places, peer_of

Environ = dict[str, Any]
WsgiApp = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

LINGER = 5.0  # seconds for which we read on what a client sends although it has been refused
TOO_LONG = 1 << 40  # the length that the application is told of a request of unknown length that has no end in sight


class Threads:
    """An ASGI application that runs a WSGI application in `size` threads.

    `most_from` says how many bytes a request may have; it is asked when one turns out to be longer than a form. What is
    larger is not stored: one more thread reads it while it arrives, until the application has refused it in its own
    words. `clients` knows who asks; addresses take turns at the threads.
    """

    def __init__(
        self,
        app: WsgiApp,
        size: int,
        *,
        most_from: Callable[[Environ], int] | None = None,
        clients: Clients | None = None,
    ) -> None:
        self.app = app
        self.most_from = most_from
        self.clients = clients or Clients()
        self.pool = ThreadPoolExecutor(size, "page")
        self.places = Places(size)
        self.for_giants = ThreadPoolExecutor(1, "giant")
        self.place_for_giants = Places(1)
        self.bodies = Bodies()
        self.answers = Answers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def most() -> int | None:
            """Bytes that this request may have. None: as many as any."""
            if self.most_from is None:
                return None
            return await self._in_thread(scope, self.most_from, self._environ(scope, io.BytesIO(), 0))

        try:
            body = await self.bodies.read(scope, receive, most)
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
        except Full:
            await answer_full(send)
        finally:
            body.close()

    def _environ(self, scope: Scope, stream: IO[bytes], size: int | None) -> Environ:
        environ = environ_of(scope, stream, size)
        self.clients.without_lies(environ, peer_of(scope))
        return environ

    async def _in_thread(self, scope: Scope, run: Callable[[Environ], int], environ: Environ) -> int:
        loop, address = asyncio.get_running_loop(), self.clients.address(scope)
        await self.places.take(address)
        running = self.pool.submit(run, environ)
        # As below: the thread may work on although nobody waits.
        running.add_done_callback(lambda _: _soon(loop, self.places.give_back, address))
        return await asyncio.wrap_future(running)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, body: Body) -> None:
        loop = asyncio.get_running_loop()
        stream: IO[bytes] = body.file or io.BytesIO()
        if not body.is_whole:
            stream = io.BufferedReader(Arriving(stream, receive, loop), CHUNK)
        environ = self._environ(scope, stream, body.size if body.is_whole else None)
        address = self.clients.address(scope)
        pool, places = (self.pool, self.places) if body.is_whole else (self.for_giants, self.place_for_giants)
        turn = scope.get(TURN, address)
        await places.take(turn)
        answer = Answer(loop, has_content=scope["method"] != "HEAD", among=self.answers, address=address)
        running = pool.submit(self._run, environ, answer)
        # Not when this ends: the thread may work on although nobody waits.
        running.add_done_callback(lambda _: _soon(loop, places.give_back, turn))
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


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[str], None], address: str) -> None:
    try:
        loop.call_soon_threadsafe(call, address)
    except RuntimeError:  # the loop was closed: the process ends
        pass


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
