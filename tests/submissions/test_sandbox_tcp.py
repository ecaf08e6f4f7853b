"""Bots that are TCP clients: their server is at their port of localhost, and nothing else can be reached. Everything is
tested twice: with namespaces, and with the walls of an ordinary container."""

from __future__ import annotations

import os
import select
import socket

import pytest

from games.programs import ExitStatus
from submissions.sandbox import Jail, Limits, walls
from tests.submissions.sandboxes import (
    MEGABYTE,
    artifact,
    hear,
    needs,
    needs_jail,
    needs_landlock,
    needs_namespaces,
    nothing_left,
)

pytestmark = [needs_jail, pytest.mark.sandbox]
PORT = 4567


@pytest.fixture(
    params=[
        pytest.param(walls.Walls.NAMESPACES, marks=needs_namespaces),
        pytest.param(walls.Walls.LANDLOCK, marks=needs_landlock),
    ],
    autouse=True,
)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> walls.Walls:
    """The walls of the test's jails."""
    monkeypatch.setattr(walls, "are", lambda: request.param)
    return request.param  # type: ignore[no-any-return]


CLIENTS = {
    "c": """
        #include <arpa/inet.h>
        #include <stdio.h>
        #include <unistd.h>
        int main(void) {
            struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(4567)};
            inet_pton(AF_INET, "127.0.0.1", &server.sin_addr);
            int fd = socket(AF_INET, SOCK_STREAM, 0);
            if (connect(fd, (struct sockaddr *)&server, sizeof server)) return 1;
            char line[99]; ssize_t n;
            while ((n = read(fd, line, sizeof line)) > 0) { dprintf(fd, "got %.*s", (int)n, line); }
            return 0;
        }""",
    "python": """
import socket
with socket.create_connection(("localhost", 4567)) as server:
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while data := server.recv(99):
        server.sendall(b"got " + data)
""",
    "java": """
        class mybot {
            public static void main(String[] words) throws Exception {
                var server = new java.net.Socket("localhost", 4567);
                var lines = new java.io.BufferedReader(new java.io.InputStreamReader(server.getInputStream()));
                for (String line; (line = lines.readLine()) != null;)
                    server.getOutputStream().write(("got " + line + "\\n").getBytes());
            }
        }""",
}


def client(slug: str, source: str, port: int = PORT) -> Jail:
    language = needs(slug)
    limits = Limits(memory_bytes=max(4 * MEGABYTE, language.memory_floor))
    return Jail.open(artifact(slug, source), language, limits, port=port)


def accept(jail: Jail, seconds: float = 20.0) -> socket.socket:
    assert select.select([jail.listener], [], [], seconds)[0], "it does not connect"
    connection, _ = jail.listener.accept()
    connection.settimeout(seconds)
    return connection


@pytest.mark.parametrize("slug", sorted(CLIENTS))
def test_a_client_finds_its_server_at_the_contests_port(slug: str) -> None:
    with nothing_left(), client(slug, CLIENTS[slug]) as jail:
        process = jail.start()
        with accept(jail) as connection:
            for word in (b"one\n", b"two\n"):
                connection.sendall(word)
                assert connection.recv(99) == b"got " + word
        end = process.stop(5.0)
    assert (end.status, end.code, end.call, end.path) == (ExitStatus.EXITED, 0, "", "")


ITS_OWN_ADDRESS = {
    "java": """
        class mybot {
            public static void main(String[] words) throws Exception {
                System.out.print(java.net.InetAddress.getLocalHost().getHostAddress());
            }
        }""",
    "python": "import socket\nprint(socket.gethostbyname(socket.gethostname()), end='')",
}


@pytest.mark.parametrize("slug", sorted(ITS_OWN_ADDRESS))
def test_who_looks_up_its_own_machine_asks_no_name_server(slug: str) -> None:
    """Java's getLocalHost does that, and people call it without thinking: asking a name server would be a violation."""
    with client(slug, ITS_OWN_ADDRESS[slug]) as jail:
        process = jail.start()
        assert hear(process, 30.0)[0] == b"127.0.0.1"
        assert process.stop(5.0).status is ExitStatus.EXITED


def test_two_bots_have_the_same_port_and_never_meet() -> None:
    with client("c", CLIENTS["c"]) as one, client("c", CLIENTS["c"]) as other:
        one.start()
        with accept(one) as connection:
            connection.sendall(b"x")
            assert connection.recv(99) == b"got x"
        with pytest.raises(BlockingIOError):
            other.listener.accept()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", PORT), timeout=1)


TRY = """
    #include <arpa/inet.h>
    #include <errno.h>
    #include <stdio.h>
    int main(void) {
        struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(%d)};
        inet_pton(AF_INET, "%s", &place.sin_addr);
        printf("%%d", connect(socket(AF_INET, %s, 0), (struct sockaddr *)&place, sizeof place) ? errno : 0);
        return 0;
    }"""


@pytest.mark.parametrize(
    ("port", "host", "error"), [(22, "127.0.0.1", 111), (53, "1.1.1.1", 101), (80, "169.254.169.254", 101)]
)
def test_there_is_nothing_else_to_connect_to(port: int, host: str, error: int) -> None:
    with client("c", TRY % (port, host, "SOCK_STREAM")) as jail:
        assert hear(jail.start())[0] == b"%d" % error


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("listen(socket(AF_INET, SOCK_STREAM, 0), 1);", "listen"),
        ("struct sockaddr_in a = {.sin_family = AF_INET}; bind(socket(AF_INET, 1, 0), (void *)&a, sizeof a);", "bind"),
        ("socket(17, SOCK_RAW, 0);", "socket"),
        ("socket(40, SOCK_STREAM, 0);", "socket"),
    ],
)
def test_a_client_may_not_serve_nor_use_other_families(code: str, call: str) -> None:
    source = f"#include <netinet/in.h>\n#include <sys/socket.h>\nint main(void) {{ {code} return 0; }}"
    with client("c", source) as jail:
        end = jail.start().stop(5.0)
    assert (end.status, end.call) == (ExitStatus.VIOLATION, call)


def test_without_a_port_there_is_no_socket() -> None:
    with client("c", CLIENTS["c"], port=0) as jail:
        assert not hasattr(jail, "listener")
        end = jail.start().stop(5.0)
    assert (end.status, end.call, end.path) == (ExitStatus.VIOLATION, "socket", "AF_INET")


def test_the_server_on_the_hosts_loopback_is_the_bots_alone(kind: walls.Walls) -> None:
    """Without namespaces everybody on the machine can connect to it, so all but the bot are refused."""
    with client("c", CLIENTS["c"]) as jail:
        place = jail.listener.getsockname()
        if kind is walls.Walls.NAMESPACES:
            assert place == ("127.0.0.1", PORT)
            return
        with socket.create_connection(place) as stranger:
            if os.geteuid() == 0:  # otherwise the bot runs as our own user
                with pytest.raises(BlockingIOError):
                    jail.listener.accept()
                assert stranger.recv(1) == b""
                jail.start()
                with accept(jail) as connection:
                    connection.sendall(b"x")
                    assert connection.recv(99) == b"got x"


@needs_landlock
@pytest.mark.parametrize(
    "code",
    [
        "socket(AF_INET, SOCK_DGRAM, 0);",
        "socket(AF_INET, SOCK_STREAM, 262);",  # MPTCP, which Landlock does not know
        'sendto(socket(AF_INET, SOCK_STREAM, 0), "x", 1, MSG_FASTOPEN, (void *)&to, sizeof to);',
        "struct msghdr m = {.msg_name = &to, .msg_namelen = sizeof to};"
        " sendmsg(socket(AF_INET, SOCK_STREAM, 0), &m, MSG_FASTOPEN);",
        "socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != EAFNOSUPPORT ? 0 : abort();",
    ],
)
def test_no_packet_leaves_by_another_way(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the host's network the socket types matter, which a namespace would make harmless."""
    monkeypatch.setattr(walls, "are", lambda: walls.Walls.LANDLOCK)
    headers = "".join(f"#include <{name}.h>\n" for name in ("errno", "netinet/in", "stdlib", "sys/socket"))
    to = "struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(0x7F000001)}};"
    with client("c", f"#define _GNU_SOURCE\n{headers}int main(void) {{ {to} (void)to; {code} return 0; }}") as jail:
        end = jail.start().stop(5.0)
    assert end.status is (ExitStatus.SIGNALLED if "abort" in code else ExitStatus.VIOLATION), end
