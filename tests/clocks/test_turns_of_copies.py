"""One client cannot keep others from getting copies, or pages of their own: addresses take turns."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

import pytest
from django.conf import settings

from contest import shared_pages
from contest.server.web.asgi import Scope
from contest.server.web.clients import Clients
from contest.server.web.shared import STATES, Shared
from contest.server.web.store import Store
from contest.server.web.threads import Threads
from tests import loops

ATTACKER, VICTIM = "192.0.2.1", "198.51.100.2"
SLOW = 0.05  # seconds that a page takes
Ask = Callable[..., Coroutine[Any, Any, int]]


def page(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    time.sleep(SLOW)
    start("200 OK", [("Content-Type", "text/html"), (STATES, "written%3A0=1")])
    return [b"a page"]


def run(scenario: Callable[[Ask], Coroutine[Any, Any, None]]) -> None:
    """Runs the scenario with a process of the web server that has two threads' worth of everything."""

    async def main() -> None:
        clients = Clients()
        store = Store(settings.CACHE_URL, f"tests.{time.time_ns()}")
        app = Threads(page, 8, clients=clients)
        shared = Shared(app, shared_pages.plan, lambda names: dict.fromkeys(names, "1"), store, shared_pages.reader,
                        clients)  # fmt: skip

        async def ask(path: str, address: str, *, sends: bool = True, **headers: str) -> int:
            target, _, query = path.partition("?")
            told = {"host": "testserver"} | {name.replace("_", "-"): value for name, value in headers.items()}
            scope: Scope = {
                "type": "http", "method": "GET", "scheme": "http", "http_version": "1.1", "server": ("testserver", 80),
                "client": (address, 1), "path": target, "raw_path": target.encode(), "query_string": query.encode(),
                "headers": [(name.encode(), value.encode()) for name, value in told.items()],
            }  # fmt: skip
            status = 0

            async def receive() -> dict[str, Any]:
                if not sends:
                    await asyncio.Event().wait()
                return {"type": "http.request", "body": b"", "more_body": False}

            async def send(message: Any) -> None:
                nonlocal status
                status = message.get("status", status)

            await shared(scope, receive, send)
            return status

        try:
            await scenario(ask)
        finally:
            shared.asked_at = 0.0
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            if store._client is not None:
                await store._client.aclose()

    loops.run(main())


@pytest.mark.parametrize("header", ["content-length", "transfer-encoding"])
def test_a_request_that_never_ends_holds_no_place(header):
    async def scenario(ask: Ask) -> None:
        endless = {"cookie": "sessionid=x", header: "10"}
        flood = [asyncio.create_task(ask("/", ATTACKER, sends=False, **endless)) for _ in range(8)]
        await asyncio.sleep(0)
        assert await asyncio.wait_for(ask("/", VICTIM, cookie="sessionid=y"), 5) == 200
        assert not any(each.done() for each in flood)

    run(scenario)


def test_pages_of_ones_own_come_in_turn():
    async def scenario(ask: Ask) -> None:
        flood = [asyncio.create_task(ask("/", ATTACKER, cookie=f"sessionid={number}")) for number in range(200)]
        await asyncio.sleep(0)
        assert await ask("/", VICTIM, cookie="sessionid=y") == 200
        assert sum(each.done() for each in flood) < 40, "the victim came last"

    run(scenario)


def test_copies_are_made_in_turn():
    async def scenario(ask: Ask) -> None:
        flood = [asyncio.create_task(ask(f"/?page={number}", ATTACKER)) for number in range(1, 200)]
        await asyncio.sleep(0.2)
        before = sum(each.done() for each in flood)
        assert await ask("/c/cup/", VICTIM) == 200
        assert sum(each.done() for each in flood) < before + 50, "the victim came last"

    run(scenario)


def test_who_asks_for_a_page_first_keeps_nobody_waiting_for_it():
    async def scenario(ask: Ask) -> None:
        flood = [asyncio.create_task(ask(f"/?page={number}", ATTACKER)) for number in range(1, 200)]
        flood.append(asyncio.create_task(ask("/c/cup/", ATTACKER)))
        await asyncio.sleep(0.2)
        before = sum(each.done() for each in flood)
        assert await ask("/c/cup/", VICTIM) == 200
        assert sum(each.done() for each in flood) < before + 70, "the victim came last"

    run(scenario)


def test_too_much_of_one_address_is_refused_to_nobody_else():
    async def scenario(ask: Ask) -> None:
        flood = [asyncio.create_task(ask(f"/?page={number}", ATTACKER)) for number in range(1, 410)]
        await asyncio.sleep(0.3)
        flood += [asyncio.create_task(ask("/c/cup/", ATTACKER)) for _ in range(2)]
        await asyncio.sleep(0)
        assert await ask("/c/cup/", VICTIM) == 200
        assert 503 in [each.result() for each in flood if each.done()]

    run(scenario)
