"""A portal that means harm, and a folder that somebody else has filled."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from games.portal import http
from tests.kibitz.conftest import Kibitz

pytestmark = pytest.mark.promise

Asked = list[str]


@contextmanager
def portal(
    answer: Callable[[str], bytes], kind: str = "application/json", status: int = 200
) -> Iterator[tuple[str, Asked]]:
    """Its address, and what it is asked for."""
    asked: Asked = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            """Quiet."""

        def do_GET(self) -> None:
            asked.append(f"{self.command} {self.path}")
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            body = answer(self.path)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.end_headers()
            try:
                self.wfile.write(body)
            except OSError:
                pass  # nobody reads it to its end

        do_POST = do_GET

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def archive(*names: str, data: bytes = b"x") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as kit:
        for name in names:
            kit.writestr(name, data)
    return file.getvalue()


def test_a_folder_names_a_contest_and_no_other_address(kibitz: Kibitz, home: Path) -> None:
    with portal(lambda path: b"{}") as (url, asked):
        for name in ("spring-cup/desk/end?", "../me", "a%2f..", "a b", "a\\b"):
            (home / ".kibitz").write_text(f"portal = {url}\ncontest = {name}\n")
            ran = kibitz("enter", "Aces", "--json")
            assert (ran.status, ran.error["code"]) == (2, "usage"), name
            assert ".kibitz" in ran.error["hint"]
    assert asked == []


@pytest.mark.parametrize(
    "names",
    [
        ("../.profile",),
        ("kit/../../.profile",),
        ("/tmp/kit/bot.c",),
        (".config/autostart/x.desktop",),
        (".profile",),
        ("kit/bot.c", "other/bot.c"),
        ("kit\\..\\bot.c",),
        (),
    ],
)
def test_a_kit_stays_in_its_own_folder(names: tuple[str, ...], kibitz: Kibitz, home: Path) -> None:
    with portal(lambda path: archive(*names), "application/zip") as (url, _):
        ran = kibitz("kit", "c", "-c", "cup", "--portal", url)
    assert (ran.status, "no starter kit" in ran.err) == (2, True)
    assert list(home.iterdir()) == []


def test_a_kit_is_not_unpacked_without_end(kibitz: Kibitz, home: Path) -> None:
    bomb = archive("kit/bot.c", data=bytes(60 << 20))
    for body in (bomb, b"no archive"):
        with portal(lambda path, body=body: body, "application/zip") as (url, _):  # type: ignore[misc]
            ran = kibitz("kit", "c", "-c", "cup", "--portal", url)
        assert (ran.status, "no starter kit" in ran.err) == (2, True)
    assert list(home.iterdir()) == []


def test_an_answer_is_not_read_without_end(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "LARGEST", 1 << 20)
    with portal(lambda path: b"[" * (3 << 20)) as (url, _):
        ran = kibitz("contests", "--portal", url, "--json")
        assert (ran.status, ran.error["code"]) == (2, "too_large")
    with portal(lambda path: b"[" * 200_000) as (url, _):
        ran = kibitz("contests", "--portal", url, "--json")
        assert (ran.status, ran.error["code"]) == (2, "no_portal")
