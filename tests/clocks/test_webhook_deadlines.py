"""A receiver of webhooks that takes for ever is cut off, wherever it does so."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from tests.tournaments.webhooks.receiver import LOOPBACK, Receiver, receiving
from tournaments.webhooks import post

DEADLINE = 1.0
LATE = 10 * DEADLINE


@pytest.fixture(autouse=True)
def shorter(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.WEBHOOK_PRIVATE_NETWORKS = LOOPBACK
    monkeypatch.setattr(post, "DEADLINE", DEADLINE)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.mark.parametrize("how", ["hang", "drip"])
def test_an_answer_that_never_ends(receiver: Receiver, how: str) -> None:
    def drip(request: BaseHTTPRequestHandler) -> None:
        """A byte of a header now and then: a client gives up by itself after a hundred headers."""
        request.wfile.write(b"HTTP/1.1 200 OK\r\nX-More: ")
        while not receiver.over.is_set():
            time.sleep(0.05)
            request.wfile.write(b"x")

    receiver.answers.append(receiver.hang if how == "hang" else drip)
    answer = post.post(receiver.url, {}, b"{}")
    assert answer.error == "No answer within 1 seconds."
    assert DEADLINE <= answer.seconds < LATE


def test_a_handshake_that_never_ends() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        answer = post.post(f"https://127.0.0.1:{server.getsockname()[1]}/", {}, b"{}")
    assert answer.error == "No answer within 1 seconds."
    assert DEADLINE <= answer.seconds < LATE


def test_a_resolver_that_hangs(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: receiver.over.wait(60))
    answer = post.post("http://slow.example.org/", {}, b"{}")
    assert "not resolved in time" in answer.error
    assert DEADLINE <= answer.seconds < LATE
