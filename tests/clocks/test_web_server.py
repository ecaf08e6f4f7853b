"""The web server with a small application, over real sockets."""

import os
import time
from contextlib import ExitStack, contextmanager

import pytest

from tests.contest.server import served
from tests.waiting import wait_for


@contextmanager
def started(folder, *options):
    """One process, which serves small_app.py."""
    state = folder / "state"
    state.write_text("a")
    environment = os.environ | {"SMALL_APP_STATE": str(state)}
    app = "tests.clocks.small_app:application"
    with served.started(folder / "log", "-w", "1", *options, app, environment=environment) as server:
        server.state = state
        yield server


def change(server, state):
    server.state.with_suffix(".new").write_text(state)
    server.state.with_suffix(".new").replace(server.state)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with started(tmp_path_factory.mktemp("web")) as server:
        yield server


@pytest.fixture(scope="module")
def hurried(tmp_path_factory):
    """A server whose deadlines are short."""
    folder = tmp_path_factory.mktemp("hurried")
    (folder / "hurried.py").write_text(
        "from contest.server.web import bodies, worker\n"
        "from contest.server.web.options import *\n"
        "worker.HEADER_SECONDS = 0.5; worker.UNREAD_SECONDS = 0.5; keepalive = 1; worker_connections = 300\n"
        "bodies.TO_SEND = 0.5; bodies.STALLED = 0.5; bodies.AHEAD = 8 << 20; bodies.LARGEST = 1 << 20\n"
        "bodies.STORED = 4 << 20\n"
    )
    with started(folder, "-c", str(folder / "hurried.py")) as server:
        yield server


# HTTP -----------------------------------------------------------------------------------------------------------------


def test_requests_on_one_connection_are_answered_in_order_even_if_they_are_sent_at_once(server):
    with server.client() as client:
        client.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\n\r\n")
        assert client.answer()[2] == b"hello"
        assert client.answer()[2] == b"/second"
        client.ask("/", "HEAD")
        assert client.answer(has_body=False)[:2][0] == 200
        client.ask("/third")
        assert client.answer()[2] == b"/third"


@pytest.mark.parametrize("size", [0, 10, 70_000, 3_000_000])
def test_bodies_arrive_whole_with_a_length_or_in_pieces(server, size):
    body = b"x" * size
    with server.client() as client:
        client.ask("/echo", "POST", body)
        assert client.answer()[2].decode() == repr((str(size), size))
        client.ask("/echo", "POST", Transfer_Encoding="chunked")
        for begin in range(0, size, 50_000):
            piece = body[begin : begin + 50_000]
            client.send(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        client.send(b"0\r\n\r\n")
        assert client.answer()[2].decode() == repr((str(size), size))


@pytest.mark.parametrize(
    "header", ["X: " + "a" * 20_000, "\r\n".join(f"X-{n}: a" for n in range(200)), "no colon", "Content-Length: x"]
)
def test_headers_that_are_wrong_or_too_large_are_refused(server, header):
    with server.client() as client:
        client.send(f"GET / HTTP/1.1\r\nHost: a\r\n{header}\r\n\r\n".encode())
        assert 400 <= client.head()[0] < 500
    assert server.get("/")[0] == 200


def test_a_fault_of_the_application_is_answered_and_logged(server):
    assert server.get("/fails")[0] == 500
    wait_for(lambda: "ZeroDivisionError" in server.log.read_text(), server.log.read_text)
    assert server.get("/")[0] == 200


# Slow clients ---------------------------------------------------------------------------------------------------------


def test_slow_clients_hold_no_thread_and_are_cut_off(hurried):
    """The application has two threads. Many more clients are slow with their header, their body or the answer."""
    with ExitStack() as stack:
        clients = [stack.enter_context(hurried.client()) for _ in range(60)]
        for number, client in enumerate(clients):
            if number % 3 == 0:
                client.send(b"GET / HTT")
            elif number % 3 == 1:
                client.send(b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc")
            else:
                client.ask("/stream?megabytes=7")
        began = time.monotonic()
        assert hurried.get("/")[0] == 200
        assert time.monotonic() - began < 15
        for number, client in enumerate(clients):
            if number % 3 < 2:
                assert client.head()[0] == 408
                client.file.read()
        wait_for(lambda: hurried.get("/open")[2].startswith(b"0 "))


def test_uploads_that_do_not_end_take_no_room_for_long(hurried):
    """However much of them came at once: before, they were kept for a second for every 10,000 bytes."""
    size = 1 << 20
    with ExitStack() as stack:
        clients = [stack.enter_context(hurried.client()) for _ in range(4)]
        for client in clients:
            client.ask("/echo", "POST", Content_Length=str(size))
            client.send(bytes(size - 10))
        with hurried.client() as client:
            client.ask("/echo", "POST", bytes(300))
            assert client.answer()[0] == 200, "forms are taken when there is no room for uploads"
        began = time.monotonic()
        told = [client.head()[0] for client in clients]
        # The form may be read before the last bytes of an upload, for which there is then no room.
        assert sorted(told) in ([408] * 4, [408, 408, 408, 503])
        assert time.monotonic() - began < 15


# Waiting --------------------------------------------------------------------------------------------------------------


def test_at_a_stop_those_who_wait_get_their_answer_and_work_is_finished(tmp_path):
    with started(tmp_path) as server, ExitStack() as stack:
        waiting = [stack.enter_context(server.client()) for _ in range(30)]
        for client in waiting:
            client.ask("/new?seen=a&wait=25")
        wait_for(lambda: int(server.get("/asked")[2].split()[0]) == 30)
        working, idle = stack.enter_context(server.client()), stack.enter_context(server.client())
        working.ask("/sleep?seconds=0.5")
        idle.ask("/")
        idle.answer()
        began = time.monotonic()
        server.stop()
        took = time.monotonic() - began
        for client in waiting:
            status, headers, _ = client.answer()
            assert (status, headers["connection"]) == (304, "close")
        assert working.answer()[2] == b"slept"
        assert idle.is_closed()
        assert took < 20, "they had 25 seconds left"
        assert "WARNING" not in server.log.read_text()
        assert "ERROR" not in server.log.read_text()
