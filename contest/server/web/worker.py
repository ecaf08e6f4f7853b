"""gunicorn's worker for event loops, with what it lacks: deadlines for slow clients, a limit on connections that spares
those who have asked for something, and a stop that cuts nobody off.
"""

from __future__ import annotations

import asyncio
import os
import resource
from typing import Any

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers.gasgi import ASGIWorker

from contest.server.web.asgi import ABORT, Scope
from contest.server.web.clients import Clients, shortened

HEADER_SECONDS = 10.0  # in which a client must send the header of a request, from its first byte or the connection on
HEADER_BYTES = 1 << 16
ACCEPTED_AT_ONCE = 16  # connections; more would all go to one process, while the other is idle
UNREAD_SECONDS = 30.0  # for which a connection that we have closed may still take what we have sent
LINGER = 0.4  # seconds for which a stopping process still takes requests on open connections
ROOM = 400  # connections that one address may have at least: 60 people of a computer room with six each
MOST_FILES = 65_536
SPARE_FILES = 256  # for the database, the cache, temporary files


class Connection(ASGIProtocol):
    """One connection."""

    def __init__(self, worker: Worker) -> None:
        super().__init__(worker)
        self.arrived = 0  # bytes of a header that is not complete
        self.deadline: asyncio.TimerHandle | None = None
        self.address = ""  # which is limited; blank: it is not

    @property
    def is_idle(self) -> bool:
        """Whether it waits for the header of a request, or for its rest."""
        return self._current_request is None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect_header()
        peer = transport.get_extra_info("peername")
        host = str(peer[0]) if isinstance(peer, tuple) else ""
        self.address = shortened(host) if self.worker.clients.limits_connections(host) else ""
        self.worker.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._header_is_there()
        self.worker.forget(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.is_idle and not self._closed:
            self.arrived += len(data)
            if self.arrived > HEADER_BYTES:
                self.refuse(431, "The header of this request is too long.")
            elif self.deadline is None:
                self._expect_header()

    def _on_headers_complete(self) -> bool:
        self._header_is_there()
        return bool(super()._on_headers_complete())

    def _expect_header(self) -> None:
        self.deadline = self.worker.loop.call_later(HEADER_SECONDS, self._late)

    def _header_is_there(self) -> None:
        self.arrived = 0
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def _late(self) -> None:
        self.deadline = None
        if self.arrived:
            self.refuse(408, "The request did not arrive in time.")
        else:
            self.leave()

    def _keepalive_timeout(self) -> None:
        if self.deadline is None:  # else the next request has begun, and has a deadline of its own
            super()._keepalive_timeout()

    def refuse(self, status: int, text: str) -> None:
        if not self._closed:
            self._send_error_response(status, f"{text}\n")
            self.leave()

    def leave(self) -> None:
        """Close it. Only for a connection that waits for a request."""
        self._close_transport()
        self._request_ready.set()

    def _close_transport(self) -> None:
        super()._close_transport()
        if self.transport.get_write_buffer_size():
            self.worker.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def _build_http_scope(self, *args: Any) -> Scope:
        scope: Scope = super()._build_http_scope(*args)
        scope[ABORT] = self.transport.abort
        return scope

    def _is_websocket_upgrade(self, request: Any) -> bool:
        return False  # the portal has none: such a request is answered like any other


class Worker(ASGIWorker):
    """A process of the web server. Its application may have a method `stop`, for clients that wait, and a number `most`
    of them: they never take more than half of the connections. `clients` of the application knows the proxies."""

    connections: dict[Connection, None]  # in the order in which they came
    by_address: dict[str, dict[Connection, None]]  # the same, where they are limited
    most: int
    most_of_one: int
    clients: Clients

    def init_process(self) -> None:
        self.connections, self.by_address = {}, {}
        self.clients = Clients()
        self.most = min(self.cfg.worker_connections, raise_limit_of_files() - SPARE_FILES)
        self.most_of_one = max(self.most // 8, min(ROOM, self.most // 2))
        super().init_process()

    def admit(self, connection: Connection) -> None:
        """If there are too many connections, in all or of one address, the oldest one of these that has asked for
        nothing gives way."""
        self.connections[connection] = None
        if connection.address:
            own = self.by_address.setdefault(connection.address, {})
            own[connection] = None
            if len(own) > self.most_of_one:
                self._refuse_one(own, "Too many connections from your network.")
                return
        if len(self.connections) > self.most:
            self._refuse_one(self.connections, "Too many connections.")

    def _refuse_one(self, among: dict[Connection, None], text: str) -> None:
        """The oldest idle one. The last has just come and is idle."""
        connection = next(each for each in among if each.is_idle)
        self.forget(connection)  # it may take some time until it is closed
        connection.refuse(503, text)

    def forget(self, connection: Connection) -> None:
        self.connections.pop(connection, None)
        own = self.by_address.get(connection.address, {})
        own.pop(connection, None)
        if not own:
            self.by_address.pop(connection.address, None)

    def handle_exit_signal(self) -> None:
        super().handle_exit_signal()
        self.ending.set()

    async def _serve(self) -> None:
        self.ending = asyncio.Event()
        self.clients = _clients_of(self.asgi) or self.clients
        if hasattr(self.asgi, "most"):
            self.asgi.most = min(self.asgi.most, self.most // 2)
        for sock in self.sockets:
            server = await self.loop.create_server(
                lambda: Connection(self), sock=sock.sock, backlog=ACCEPTED_AT_ONCE, ssl=self._get_ssl_context()
            )
            sock.sock.listen(self.cfg.backlog)  # the line above has shortened the queue
            self.servers.append(server)
        while self.alive and self.ppid == os.getppid():
            self.notify()
            try:
                async with asyncio.timeout(1):
                    await self.ending.wait()
            except TimeoutError:
                pass
        await self._shutdown()

    async def _shutdown(self) -> None:
        """Answer those who wait, take what is already on its way, and end."""
        for server in self.servers:
            server.close()
        stop = getattr(self.asgi, "stop", None)
        if stop is not None and not self._quick_shutdown:
            stop()
        now = self.loop.time
        began = now()
        while self.connections and not self._quick_shutdown and now() - began < self.cfg.graceful_timeout:
            if now() - began > LINGER:
                for connection in [each for each in self.connections if each.is_idle]:
                    connection.leave()
            await asyncio.sleep(0.05)
            self.notify()


def _clients_of(app: Any) -> Clients | None:
    """Of this application, or of the one that it stands around."""
    while app is not None:
        if isinstance(found := getattr(app, "clients", None), Clients):
            return found
        app = getattr(app, "app", None)
    return None


def raise_limit_of_files() -> int:
    """Let this process open as many files as the machine allows, within reason. Returns how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    wanted = MOST_FILES if hard == unlimited else min(hard, MOST_FILES)
    if soft != unlimited and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return MOST_FILES if soft == unlimited else soft
