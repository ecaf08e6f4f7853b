"""What hostile clients send to the web server: not HTTP, too much, too many, too slowly. Others notice nothing."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections import Counter
from contextlib import ExitStack

import pytest

from contest.server.web.clients import Clients, Full, Places
from tests import loops
from tests.contest.server import served
from tests.waiting import wait_for

RIVAL, HONEST, PROXY = "127.0.0.2", "127.0.0.3", "127.0.0.9"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that tells clients by their address, and gives each 20 connections."""
    folder = tmp_path_factory.mktemp("door")
    (folder / "state").write_text("a")
    (folder / "options.py").write_text(
        "from contest.server.web import bodies, clients, worker\n"
        "from contest.server.web.options import *\n"
        "worker.ROOM = 20; worker_connections = 100; clients.MOST_WAITING = 10\n"
        "bodies.STALLED = 0.5; bodies.AHEAD = 16 << 20; bodies.AHEAD_IN_ALL = 40 << 20; bodies.PATIENT = 0.5\n"
    )
    environment = os.environ | {"SMALL_APP_STATE": str(folder / "state"), "SMALL_APP_STRANGERS": "1"}
    app = "tests.clocks.small_app:application"
    with served.started(
        folder / "log", "-w", "1", "-c", str(folder / "options.py"), app, environment=environment
    ) as it:
        yield it


# Not HTTP -------------------------------------------------------------------------------------------------------------

POST = "POST /echo HTTP/1.1\r\nHost: a\r\n"
SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
NONE = f"0\r\n\r\n{SMUGGLED}"

WRONG = {
    "both lengths": f"{POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n{NONE}",
    "two lengths": f"{POST}Content-Length: 0\r\nContent-Length: 5\r\n\r\nhello",
    "the same length twice": f"{POST}Content-Length: 5, 5\r\n\r\nhello",
    "a signed length": f"{POST}Content-Length: +5\r\n\r\nhello",
    "a negative length": f"{POST}Content-Length: -5\r\n\r\nhello",
    "a length in hexadecimal": f"{POST}Content-Length: 0x5\r\n\r\nhello",
    "a length with an underscore": f"{POST}Content-Length: 1_0\r\n\r\n0123456789",
    "a bare line feed": "GET / HTTP/1.1\nHost: a\n\n",
    "a bare line feed in a field": f"GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n{SMUGGLED}",
    "a carriage return in a field": "GET / HTTP/1.1\r\nHost: a\r\nX: b\rY: c\r\n\r\n",
    "a zero in a field": "GET / HTTP/1.1\r\nHost: a\r\nX: b\0c\r\n\r\n",
    "a blank before the colon": f"{POST}Transfer-Encoding : chunked\r\n\r\n{NONE}",
    "a folded field": "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n",
    "an unknown coding": f"{POST}Transfer-Encoding: xchunked\r\n\r\n{NONE}",
    "chunked twice": f"{POST}Transfer-Encoding: chunked, chunked\r\n\r\n{NONE}",
    "chunked not last": f"{POST}Transfer-Encoding: chunked, gzip\r\n\r\n{NONE}",
    "chunked in HTTP/1.0": f"POST /echo HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n{NONE}",
    "two hosts": "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "a method in small letters": "get / HTTP/1.1\r\nHost: a\r\n\r\n",
    "a method of a thousand letters": f"{'A' * 1000} / HTTP/1.1\r\nHost: a\r\n\r\n",
    "a star": "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
    "a blank in the target": "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
    "HTTP/0.9": "GET /\r\n\r\n",
    "HTTP/2.0": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/9": "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
    "TLS": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "many fields": "GET / HTTP/1.1\r\nHost: a\r\n" + "X: b\r\n" * 150 + "\r\n",
    "a long field": "GET / HTTP/1.1\r\nHost: a\r\nX: " + "b" * 9000 + "\r\n\r\n",
    "a long target": "GET /" + "a" * 9000 + " HTTP/1.1\r\nHost: a\r\n\r\n",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_http_is_refused_and_nothing_behind_it_is_read(server, name):
    with server.client(HONEST) as client:
        client.send(WRONG[name].encode("latin-1"))
        assert 400 <= client.head()[0] <= 505
        rest = client.file.read()
    assert b"smuggled" not in rest
    assert not re.search(rb"HTTP/1.1 \d", rest)


# Who asks -------------------------------------------------------------------------------------------------------------


def test_only_a_proxy_says_who_asks(server):
    told = "/told?name=HTTP_X_FORWARDED_FOR&name=HTTP_X_FORWARDED_PROTO&name=HTTP_FORWARDED&name=HTTP_X_REAL_IP"
    sent = {
        "X_Forwarded_For": "192.0.2.1",
        "X_Forwarded_Proto": "https",
        "Forwarded": "for=a",
        "X_Real_IP": "192.0.2.1",
    }
    assert server.get(told, RIVAL, **sent)[2] == b"[None, None, None, None]"
    assert server.get(told, PROXY, **sent)[2] == b"['192.0.2.1', 'https', 'for=a', '192.0.2.1']"
    wait_for(lambda: "PROXY_ADDRESSES" in server.log.read_text())


@pytest.mark.parametrize(
    ("peer", "said", "found"),
    [
        ("192.0.2.1", "", "192.0.2.1"),
        ("192.0.2.1", "198.51.100.1", "192.0.2.1"),  # no proxy
        ("10.0.0.9", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.9", "1.1.1.1, 198.51.100.1", "198.51.100.1"),  # the first one is what the client said
        ("10.0.0.9", "", "10.0.0.9"),
        ("10.0.0.9", "nonsense", "nonsense"),
        ("10.0.0.9", "x" * 1000, "x" * 60),
        ("10.0.0.9", "127.0.0.1", ""),
        ("2001:db8:1:2ff::5", "", "2001:db8:1:200::/56"),
        ("::ffff:192.0.2.1", "", "192.0.2.1"),
        ("127.0.0.1", "", ""),
        ("", "", ""),
    ],
)
def test_the_address_of_a_client(peer, said, found):
    clients = Clients(1, ["10.0.0.0/24"])
    headers = [(b"x-forwarded-for", said.encode())] if said else []
    assert clients.address({"client": (peer, 1), "headers": headers}) == found


# Too many -------------------------------------------------------------------------------------------------------------


def test_one_address_cannot_take_all_connections(server):
    with ExitStack() as stack:
        rivals = [stack.enter_context(server.client(RIVAL)) for _ in range(150)]
        for rival in rivals:
            try:
                rival.send(b"GET / HTT")
            except OSError:
                continue
        began = time.monotonic()
        assert [server.get("/", HONEST)[0] for _ in range(20)] == [200] * 20
        assert time.monotonic() - began < 15
        refused = [rival for rival in rivals[:120] if rival.head()[0] == 503]
        assert len(refused) == 120
        behind = [stack.enter_context(server.client(PROXY)) for _ in range(40)]
        for client in behind:
            client.ask("/")
        assert Counter(client.answer()[0] for client in behind) == {200: 40}


def test_addresses_take_turns_and_nobody_waits_behind_a_crowd():
    async def scene():
        places, order = Places(4, most_waiting=6), []

        async def ask(address):
            await places.take(address)
            order.append(address)

        crowd = [asyncio.create_task(ask("crowd")) for _ in range(9)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert order == ["crowd"] * 2, "of four"
        assert sum(task.done() and isinstance(task.exception(), Full) for task in crowd) == 1
        others = [asyncio.create_task(ask(name)) for name in "abc"]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert order[2:] == ["a", "b"]
        places.give_back("crowd")
        await asyncio.sleep(0)
        assert order[4:] in (["crowd"], ["c"])
        places.give_back(order[4])
        places.give_back("a")
        await asyncio.sleep(0)
        assert set(order[4:6]) == {"crowd", "c"}
        waiting = next(task for task in crowd if not task.done())
        waiting.cancel()
        for task in [*crowd, *others]:
            task.cancel()
        await asyncio.gather(*crowd, *others, return_exceptions=True)
        assert not places.waiting
        own = [asyncio.create_task(ask("")) for _ in range(20)]
        for _ in range(50):
            for address in list(places.taken.elements()):
                places.give_back(address)
            await asyncio.sleep(0)
        assert all(task.done() for task in own), "this machine is not limited"
        assert places.free == 4 - places.taken.total()

    loops.run(scene())


# Too slow -------------------------------------------------------------------------------------------------------------
