"""Bots that are TCP clients: their server is at their port of localhost, and nothing else can be reached. Everything is
tested twice: with namespaces, and with the walls of an ordinary container."""

from __future__ import annotations

import os
import select
import socket

import pytest

from games.options import Server
from games.programs import ExitStatus
from submissions.sandbox import Jail, Limits, walls
from tests.sandbox.sandboxes import (
    MEGABYTE,
    artifact,
    hear,
    needs,
    needs_jail,
    needs_landlock,
    needs_namespaces,
    nothing_left,
)

pytestmark = needs_jail
PORT, OTHER = 4567, 14567
SERVER = Server("cards.example", (PORT, OTHER))


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
        #include <netdb.h>
        #include <stdio.h>
        #include <string.h>
        #include <unistd.h>
        int main(void) {
            struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(14567)};
            struct hostent *found = gethostbyname("cards.example");
            if (!found) return 2;
            memcpy(&server.sin_addr, found->h_addr, 4);
            int fd = socket(AF_INET, SOCK_STREAM, 0);
            if (connect(fd, (struct sockaddr *)&server, sizeof server)) return 1;
            char line[99]; ssize_t n;
            while ((n = read(fd, line, sizeof line)) > 0) { dprintf(fd, "got %.*s", (int)n, line); }
            return 0;
        }""",
    "python": """
import socket
with socket.create_connection(("cards.example", 14567)) as server:
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


def client(slug: str, source: str, server: Server | None = SERVER) -> Jail:
    language = needs(slug)
    limits = Limits(memory_bytes=max(4 * MEGABYTE, language.memory_floor))
    return Jail.open(artifact(slug, source), language, limits, server)


def accept(jail: Jail, seconds: float = 20.0) -> socket.socket:
    ready, _, _ = select.select(jail.listeners, [], [], seconds)
    assert ready, "it does not connect"
    connection, _ = ready[0].accept()
    connection.settimeout(seconds)
    return connection


@pytest.mark.parametrize("slug", sorted(CLIENTS))
def test_a_client_finds_its_server_by_name_at_each_of_its_ports(slug: str) -> None:
    """C and Python by its name in the contest's documents, Java by localhost, none of them by its arguments."""
    with nothing_left(), client(slug, CLIENTS[slug]) as jail:
        process = jail.start()
        with accept(jail) as connection:
            for word in (b"one\n", b"two\n"):
                connection.sendall(word)
                assert connection.recv(99) == b"got " + word
        end = process.stop(60.0)
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
        assert process.stop(60.0).status is ExitStatus.EXITED


def test_two_bots_have_the_same_port_and_never_meet() -> None:
    with client("c", CLIENTS["c"]) as one, client("c", CLIENTS["c"]) as other:
        one.start()
        with accept(one) as connection:
            connection.sendall(b"x")
            assert connection.recv(99) == b"got x"
        with pytest.raises(BlockingIOError):
            other.listeners[0].accept()
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
        ("struct sockaddr_in a = {AF_INET, 80}; bind(socket(AF_INET, 1, 0), (void *)&a, sizeof a);", "bind"),
        ("struct sockaddr_in a = {AF_INET, 0, {8}}; bind(socket(AF_INET, 1, 0), (void *)&a, sizeof a);", "bind"),
        ("struct sockaddr_in a = {AF_INET}; bind(socket(AF_INET, 1, 0), (void *)&a, 8);", "bind"),
        ("socket(17, SOCK_RAW, 0);", "socket"),
        ("socket(40, SOCK_STREAM, 0);", "socket"),
    ],
)
def test_a_client_may_not_serve_nor_use_other_families(code: str, call: str) -> None:
    source = f"#include <netinet/in.h>\n#include <sys/socket.h>\nint main(void) {{ {code} return 0; }}"
    with client("c", source) as jail:
        end = jail.start().stop(60.0)
    assert (end.status, end.call) == (ExitStatus.VIOLATION, call)


BINDS_FIRST = """
    #include <arpa/inet.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
        struct sockaddr_in any = {.sin_family = AF_INET}, mine, server = {AF_INET, htons(4567), {htonl(0x7F000001)}};
        socklen_t size = sizeof mine;
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (bind(fd, (struct sockaddr *)&any, sizeof any)) return 1;
        if (getsockname(fd, (struct sockaddr *)&mine, &size) || mine.sin_port) return 2;
        if (connect(fd, (struct sockaddr *)&server, sizeof server)) return 3;
        char line[99];
        ssize_t n = read(fd, line, sizeof line);
        dprintf(fd, "got %.*s", (int)n, line);
        return 0;
    }"""


def test_binding_a_socket_to_no_port_in_particular_has_no_effect() -> None:
    """Tcl does that before it connects. The socket has no port afterwards, so there is nothing to connect to."""
    with client("c", BINDS_FIRST) as jail:
        process = jail.start()
        with accept(jail) as connection:
            connection.sendall(b"x")
            assert connection.recv(99) == b"got x"
        assert process.stop(60.0).code == 0


def test_another_name_is_not_found_and_asking_for_it_is_no_violation() -> None:
    source = """
        #include <netdb.h>
        #include <stdio.h>
        int main(void) {
            struct addrinfo *found;
            printf("%d %d", gethostbyname("example.org") != 0, getaddrinfo("test.cards.example", "80", 0, &found));
            return 0;
        }"""
    with client("c", source) as jail:
        process = jail.start()
        assert hear(process)[0] == b"0 -2"  # EAI_NONAME
        assert process.stop(60.0).status is ExitStatus.EXITED


def test_without_a_server_there_is_no_socket() -> None:
    with client("c", TRY % (PORT, "127.0.0.1", "SOCK_STREAM"), None) as jail:
        assert not jail.listeners
        end = jail.start().stop(60.0)
    assert (end.status, end.call, end.path) == (ExitStatus.VIOLATION, "socket", "AF_INET")


def test_the_server_on_the_hosts_loopback_is_the_bots_alone(kind: walls.Walls) -> None:
    """Without namespaces everybody on the machine can connect to it, so all but the bot are refused."""
    with client("c", CLIENTS["c"]) as jail:
        place = jail.listeners[0].getsockname()
        if kind is walls.Walls.NAMESPACES:
            assert place == ("127.0.0.1", PORT)
            return
        with socket.create_connection(place) as stranger:
            if os.geteuid() == 0:  # otherwise the bot runs as our own user
                with pytest.raises(BlockingIOError):
                    jail.listeners[0].accept()
                assert stranger.recv(1) == b""
                jail.start()
                with accept(jail) as connection:
                    connection.sendall(b"x")
                    assert connection.recv(99) == b"got x"


SENDER = """
import socket, sys
one, other = socket.socketpair()
for pair in (one, *([socket.create_connection(("localhost", 4567))] if len(sys.argv) > 1 else [])):
    for send in (lambda: pair.sendmsg([b"x", b"y"]), lambda: socket.send_fds(pair, [b"z"], [0])):
        try: print(send(), end=" ")
        except OSError as error: print(error.errno, end=" ")
"""


@pytest.mark.parametrize(("server", "said"), [(None, b"1 1 "), (SERVER, b"2 1 2 1 ")])
def test_no_bot_sends_descriptors(server: Server | None, said: bytes) -> None:
    """The kernel counts those on their way for all programs of a user. A client's messages go through. EPERM is 1."""
    with client("python", SENDER, server) as jail:
        answer = jail.ask(b"", seconds=60.0)
    assert (answer.output, answer.exit.status) == (said, ExitStatus.EXITED), answer


@needs_landlock
@pytest.mark.parametrize(
    "code",
    [
        "socket(AF_INET, SOCK_DGRAM, 0) >= 0 || errno != EAFNOSUPPORT ? 0 : abort();",
        "socket(AF_INET, SOCK_RAW, 17);",
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
        end = jail.start().stop(60.0)
    assert end.status is (ExitStatus.SIGNALLED if "abort" in code else ExitStatus.VIOLATION), end
