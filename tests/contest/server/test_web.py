"""The web server as it is started: what strangers send, and how much of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django.conf import settings

from contest.body_limits import UPLOAD, VISITOR
from tests.contest.server.served import Server

pytestmark = [pytest.mark.promise, pytest.mark.django_db(transaction=True)]

RIVAL, HONEST = "127.0.0.2", "127.0.0.3"


@pytest.fixture
def web(portal_env: dict[str, str]) -> Iterator[Server]:
    environment = os.environ | portal_env | {"ALLOWED_HOSTS": "localhost", "PROXY_ADDRESSES": "127.0.0.1", "HTTPS": "1"}
    server = Server(settings.VAR_DIR / "web.log", environment=environment)
    yield server
    server.stop()


def test_what_strangers_send(web: Server) -> None:
    with ExitStack() as stack:
        for number in range(120):  # who never finish what they send
            rival = stack.enter_context(web.client(RIVAL))
            form = f"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: {VISITOR}\r\n\r\nlogin="
            rival.send(form.encode() if number % 2 else b"GET / HTT")
        status, headers, _ = web.get("/api/v1/contests", HONEST, X_Forwarded_Proto="https")
        assert status == 301, "only a proxy says that the client speaks HTTPS"
        assert headers["location"].startswith("https://")
        assert web.get("/api/v1/contests", X_Forwarded_Proto="https", X_Forwarded_For=HONEST)[0] == 200
    for length, cookie in ((VISITOR + 1, ""), (UPLOAD + 2 * VISITOR, f"{settings.SESSION_COOKIE_NAME}=x")):
        with web.client(RIVAL) as client:  # it is refused before any of it has arrived
            client.ask("/", "POST", Content_Length=length, Cookie=cookie)
            assert client.head()[0] == 413
    with web.client(RIVAL) as client:
        client.ask("/", "POST", Transfer_Encoding="chunked")
        assert client.head()[0] == 411
