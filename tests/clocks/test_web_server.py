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


def test_a_process_seldom_looks_for_garbage_and_never_through_what_it_has_loaded(server):
    assert server.get("/garbage")[2] == b"((5000, 10, 10), True)"


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


def test_a_client_that_asks_whether_to_send_is_told_to(server):
    with server.client() as client:
        client.ask("/echo", "POST", Expect="100-continue", Content_Length="5")
        assert client.head()[0] == 100
        client.send(b"hello")
        assert client.answer()[2] == b"('5', 5)"


def test_what_the_application_is_told_of_a_request(server):
    asked = "PATH_INFO&name=QUERY_STRING&name=HTTP_COOKIE&name=wsgi.url_scheme&name=REMOTE_ADDR&name=HTTP_X_A_B"
    with server.client() as client:
        client.send(
            f"GET http://elsewhere/told?name={asked}&q=%FC%20 HTTP/1.1\r\nHost: a\r\nCookie: a=1\r\nCookie: b=2\r\n"
            "X-Forwarded-Proto: https\r\nX_A_B: forged\r\n\r\n".encode("latin-1")
        )
        status, _, body = client.answer()
    assert status == 200
    path, query, cookie, scheme, address, forged = eval(body)
    assert (path, cookie, scheme, address, forged) == ("/told", "a=1; b=2", "https", "127.0.0.1", None)
    assert query.endswith("&q=%FC%20")
    assert server.get("/a%2Fb%20%C3%BC")[2].decode() == "/a/b \xc3\xbc"  # as WSGI has it


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


def test_a_long_answer_arrives_whole(server):
    with server.client() as client:
        client.send(b"GET /stream?megabytes=40 HTTP/1.0\r\n\r\n")
        assert client.head()[0] == 200
        assert len(client.file.read()) == 40 << 20


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


def test_a_client_that_drips_its_header_is_cut_off_too(hurried):
    with hurried.client() as client:
        for letter in b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 100:
            try:
                client.send(bytes([letter]))
            except OSError:
                break
            time.sleep(0.05)
        else:
            pytest.fail("the server read on")


def test_a_connection_without_a_request_is_closed(hurried):
    with hurried.client() as client:
        assert client.is_closed()
    with hurried.client() as client:
        client.ask("/")
        assert client.answer()[0] == 200
        assert client.is_closed()


def test_when_there_are_too_many_connections_those_that_ask_for_something_are_served(hurried):
    with ExitStack() as stack:
        for _ in range(400):
            stack.enter_context(hurried.client()).send(b"GET")
        assert hurried.get("/")[0] == 200


def test_clients_that_wait_leave_half_of_the_connections_to_others(hurried):
    with ExitStack() as stack:
        for _ in range(320):
            stack.enter_context(hurried.client()).ask("/new?seen=a&wait=20")
        assert [hurried.get("/")[0] for _ in range(8)] == [200] * 8


def test_an_endless_answer_waits_for_its_reader_and_ends_with_it(hurried):
    with hurried.client() as client:
        client.ask("/stream?megabytes=100000")
        assert client.head()[0] == 200
        client.file.read(5 << 20)
        assert hurried.get("/open")[2].startswith(b"1 ")
    wait_for(lambda: hurried.get("/open")[2].startswith(b"0 "))


def test_giants_are_refused_in_the_words_of_the_application(hurried):
    """While they arrive, and without a thread of the pages."""
    with hurried.client() as client, hurried.client() as another:
        client.ask("/refuse", "POST", Content_Length=str(3 << 20))
        client.send(bytes(2 << 20))
        assert client.head()[0] == 413
        another.ask("/echo", "POST", Content_Length=str(3 << 20))
        another.send(bytes(3 << 20))
        assert another.answer()[2].decode() == repr((str(3 << 20), 3 << 20))


# Waiting --------------------------------------------------------------------------------------------------------------


def test_those_who_wait_hear_of_a_change_at_once_and_share_the_question(server):
    """Many more than there are threads."""
    change(server, "b")
    first, again = map(int, server.get("/asked")[2].split())
    with ExitStack() as stack:
        clients = [stack.enter_context(server.client()) for _ in range(50)]
        for client in clients:
            client.ask("/new?seen=b&wait=20")
        wait_for(lambda: int(server.get("/asked")[2].split()[0]) == first + 50)
        began = time.monotonic()
        change(server, "c")
        for client in clients:
            status, headers, body = client.answer()
            assert (status, body) == (200, b"c")
            assert "kibitz-waits-for" not in headers
        assert time.monotonic() - began < 15
        assert int(server.get("/asked")[2].split()[1]) - again <= 2
        clients[0].ask("/")
        assert clients[0].answer()[0] == 200


def test_who_has_waited_long_enough_gets_what_there_is(server):
    change(server, "d")
    began = time.monotonic()
    status, headers, _ = server.get("/new?seen=d&wait=1")
    assert (status, headers["etag"]) == (304, '"d"')
    assert "kibitz-waits-for" not in headers
    assert 1 <= time.monotonic() - began < 15
    assert server.get("/new?seen=x&wait=20")[2] == b"d"
    assert server.get("/new?seen=d")[0] == 304
    assert server.get("/new?seen=d&wait=soon")[0] == 304


def test_a_client_that_goes_away_leaves_nothing_behind(server):
    change(server, "e")
    first, again = map(int, server.get("/asked")[2].split())
    with ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(server.client()).ask("/new?seen=e&wait=20")
        wait_for(lambda: int(server.get("/asked")[2].split()[0]) == first + 20)
    change(server, "f")
    assert server.get("/new?seen=e&wait=20")[2] == b"f"
    assert int(server.get("/asked")[2].split()[1]) == again


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


def test_a_new_process_takes_over_without_an_error_for_anybody(tmp_path):
    options = ("--max-requests", "20", "--max-requests-jitter", "0")
    with started(tmp_path, *options) as server, server.client() as waiting:
        waiting.ask("/new?seen=a&wait=25")
        for _ in range(50):
            assert server.get("/")[0] == 200
        assert waiting.answer()[0] == 304
