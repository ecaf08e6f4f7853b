"""The contest server: doors, teams, the ladder and the test port, over real sockets."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from queue import Queue
from threading import Event, Thread, get_native_id
from typing import Any

import pytest

from games import sockets
from games.barracuda import GAME
from games.frames import frame
from games.record import loads, verify
from games.server import door as doors
from games.server.door import NO_TEAM, UNKNOWN, Attempts, Door
from games.server.ladder import START, Ladder, Round
from games.server.line import TeamLine
from games.server.practice import Practice
from games.server.teams import Everybody, Registered, Team, read_teams
from tests.games.caller import Client
from tests.waiting import late_when, state_of, wait_for

NOTHING: Callable[[Team, socket.socket], None] = lambda team, stream: None  # noqa: E731


LATER = 3600.0
"""Seconds that only a hang reaches."""


@pytest.fixture(autouse=True)
def nobody_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long this machine takes, nobody logs in too late, and nobody has waited long enough to come again."""
    monkeypatch.setattr(doors, "LOGIN", LATER)
    monkeypatch.setattr(Attempts.__init__, "__defaults__", (LATER,))


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def open_door(stack: ExitStack) -> Callable[..., Door]:
    def opened(roster: Any = None, welcome: Any = NOTHING) -> Door:
        kept: list[socket.socket] = []
        door = Door(("127.0.0.1", 0), GAME, roster or Everybody(), lambda *who: (kept.append(who[1]), welcome(*who)))
        stack.callback(lambda: [stream.close() for stream in kept])
        stack.callback(door.close)
        return door

    return opened


@pytest.fixture
def come(stack: ExitStack) -> Callable[..., Client]:
    def connected(door: Door | int, address: str = "127.0.0.1") -> Client:
        client = Client(door if isinstance(door, int) else door.port, address)
        stack.callback(client.close)
        return client

    return connected


TEAMS = """
# id, name, address, token
7, Sharks, 127.0.0.7, secret
8, "Rays, and others", 127.0.0.8
11, One, 127.0.0.9, first
12, Other, 127.0.0.9, second
13, Nowhere, , third
"""


def roster() -> Registered:
    return read_teams(TEAMS.splitlines())


# The door


def test_an_unknown_address_that_says_nothing_is_refused_and_closed(
    open_door: Any, come: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "LOGIN", 0.1)
    client = come(open_door(roster()), "127.0.0.66")
    assert client.receive() == {"type": "error", "seen_host": "127.0.0.66", "message": UNKNOWN}
    assert client.closed()


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (frame(b'{"type":"login","token":"wrong"}'), NO_TEAM),
        (frame(b'{"type":"login","token":7}'), UNKNOWN),
        (frame(b'{"type":"move","token":"third"}'), UNKNOWN),
        (frame(b"nonsense"), UNKNOWN),
        (frame(b"[" * 5000), UNKNOWN),
    ],
)
def test_a_client_that_sends_something_else_is_refused_at_once(
    open_door: Any, come: Any, said: bytes, message: str
) -> None:
    client = come(open_door(roster()), "127.0.0.66")
    client.stream.sendall(said)
    assert client.receive() == {"type": "error", "seen_host": "127.0.0.66", "message": message}
    assert client.closed()


@pytest.mark.parametrize("said", [b"\0\0\0\0", b"\xff\xff\xff\xff", b"GET / HTTP/1.1\r\n\r\n"])
def test_what_is_no_message_is_shut_out(open_door: Any, come: Any, said: bytes) -> None:
    client = come(open_door(roster()), "127.0.0.66")
    client.stream.sendall(said)
    assert client.closed()


def test_a_login_in_pieces_and_what_follows_it(open_door: Any, come: Any) -> None:
    client = come(open_door(roster()), "127.0.0.66")
    for byte in frame(b'{"type":"login","token":"third"}  '):
        client.stream.sendall(bytes([byte]))
    assert client.receive()["team_id"] == 13


def test_an_early_attempt_is_closed_without_a_message(open_door: Any, come: Any) -> None:
    door = open_door(roster())
    assert come(door, "127.0.0.8").receive()["team_id"] == 8
    assert come(door, "127.0.0.8").closed()
    assert come(door, "127.0.0.7").receive()["team_id"] == 7, "addresses are counted apart"


def test_teams_behind_one_address_do_not_shut_each_other_out(open_door: Any, come: Any) -> None:
    door = open_door(roster())
    for token, team in (("first", 11), ("second", 12)):
        client = come(door, "127.0.0.9")
        client.send({"type": "login", "token": token})
        assert client.receive()["team_id"] == team
    again = come(door, "127.0.0.9")
    again.send({"type": "login", "token": "first"})
    assert again.closed(), "but each of them must wait"


def test_a_refused_client_must_wait_too(open_door: Any, come: Any) -> None:
    door = open_door(roster())
    for answer in (1, 0):
        client = come(door, "127.0.0.66")
        client.send({"type": "login", "token": "wrong"})
        assert client.receive()["type"] == "error" if answer else client.closed()


def test_what_happened_at_the_door_is_told_in_words(
    stack: ExitStack, come: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: Queue[tuple[str, Team | None, str]] = Queue()
    door = Door(("127.0.0.1", 0), GAME, roster(), lambda team, stream: stream.close(), lambda *what: told.put(what))
    stack.callback(door.close)
    come(door, "127.0.0.8").receive()
    come(door, "127.0.0.8")
    address, team, words = told.get(timeout=60)
    assert (address, team) == ("127.0.0.8", Team(8))
    assert re.fullmatch(r"came again after \d+\.\d seconds: it must wait 3600 between two attempts", words)
    for message, complaint in (
        ({"type": "login", "token": "wrong"}, "sent a token that is no team's"),
        ({"type": "move"}, "sent something else than a login"),
    ):
        come(door, "127.0.0.66").send(message)
        assert told.get(timeout=60) == ("127.0.0.66", None, complaint)
    monkeypatch.setattr(doors, "LOGIN", 0.1)
    come(door, "127.0.0.67")
    assert told.get(timeout=60) == ("127.0.0.67", None, "did not say who it is")


def test_every_early_attempt_starts_the_five_seconds_again() -> None:
    attempts = Attempts(5)
    assert [bool(attempts.early("a", at)) for at in (0, 4, 8, 12, 17, 17.1, 22.1)] == [
        False,
        True,
        True,
        True,
        False,
        True,
        False,
    ]
    assert not attempts.early("b", 17.2)


def test_a_crowd_that_says_nothing_keeps_nobody_out(open_door: Any, come: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "WAITING", 20)
    door = open_door(roster())
    crowd = [come(door, f"127.0.1.{number}") for number in range(1, 60)]
    assert come(door, "127.0.0.8").receive()["team_id"] == 8
    assert crowd[0].closed()
    late = come(door, "127.0.2.1")
    late.send({"type": "login", "token": "third"})
    assert late.receive()["team_id"] == 13


def test_a_client_that_hangs_up_is_forgotten(open_door: Any, come: Any) -> None:
    door = open_door(roster())
    client = come(door, "127.0.0.66")
    wait_for(lambda: door._guests)
    client.close()
    wait_for(lambda: not door._guests)
    assert list(door._selector.get_map()) == [door._listener.fileno()]


def test_a_failure_over_one_client_shuts_nobody_else_out(
    open_door: Any, come: Any, caplog: pytest.LogCaptureFixture
) -> None:
    streams: list[socket.socket] = []

    def welcome(team: Team, stream: socket.socket) -> None:
        streams.append(stream)
        if len(streams) == 1:
            raise RuntimeError("can't start new thread")

    door = open_door(welcome=welcome)
    first = come(door, "127.0.0.1")
    assert first.receive()["type"] == "greetings_program"
    assert first.closed()
    assert come(door, "127.0.0.2").receive()["type"] == "greetings_program"
    assert [f"unexpected failure at port {door.port}"] == [record.message for record in caplog.records]
    assert streams[0].fileno() < 0, "its connection is closed"


# Lines


def ends() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname(), timeout=60)
        return listener.accept()[0], client


def test_a_new_connection_shuts_the_older_one_also_when_nobody_plays() -> None:
    line = TeamLine()
    first, client = ends()
    line.attach(first)
    second, other = ends()
    line.attach(second)
    assert client.recv(1) == b""
    line.attend()
    line.send(b"hello")
    assert other.recv(99) == frame(b"hello")
    for stream in (client, other):
        stream.close()
    line.close()


def test_why_a_connection_is_gone_is_kept_in_words() -> None:
    line = TeamLine()
    for said, why in (
        (b"", "closed the connection"),
        (b"\0\0\0\0", "sent a message that is empty or longer than 65536"),
    ):
        ours, client = ends()
        line.attach(ours)
        line.attend()
        client.sendall(said)
        if not said:
            client.close()
        line.receive(60)
        assert line.ended.startswith(why)
        client.close()
    line.close()


def test_a_player_waiting_on_a_line_is_woken_by_a_new_connection() -> None:
    line = TeamLine()
    ours, client = ends()
    here = get_native_id()
    Thread(target=lambda: (wait_for(lambda: state_of(here) == "S"), line.attach(ours))).start()
    line.receive(LATER)
    assert line.renewed
    client.close()
    line.close()


# The test port


def practice(
    stack: ExitStack, complain: Callable[[Team, str], None] = lambda team, words: None, **changes: Any
) -> Practice:
    numbers = count(1)
    made = Practice(GAME, GAME.options({"clock": LATER, **changes}), lambda: next(numbers), complain)
    stack.callback(made.close)
    return made


def test_the_test_port_plays_games_without_end_with_the_lead_alternating(
    stack: ExitStack, open_door: Any, come: Any
) -> None:
    table = practice(stack)
    client = come(open_door(welcome=table.welcome))
    assert client.receive()["type"] == "greetings_program"
    numbers: dict[int, int] = {}

    def heard(message: dict[str, Any]) -> bool:
        if message["type"] == "request":
            state = message["state"]
            assert state["opponent_id"] == 0
            assert message["request"] == "request_card", "the test bot never challenges"
            numbers.setdefault(state["game_id"], state["player_number"])
        return len(numbers) == 6

    client.play(heard)
    assert list(numbers.values()) == [0, 1, 0, 1, 0, 1]


def test_practice_goes_on_after_a_reconnect_and_ends_with_the_game(
    stack: ExitStack, open_door: Any, come: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "PAUSE", 0.0)
    table, gone = practice(stack), list[bool]()
    late_when(monkeypatch, lambda: gone)
    door = open_door(welcome=table.welcome)
    door._attempts._pause = 0.0
    client = come(door)
    client.receive()
    request = client.receive()
    while request["type"] != "request":
        request = client.receive()
    client.close()
    again = come(door)
    assert again.receive()["type"] == "greetings_program"
    repeated = again.receive()
    assert (repeated["request_id"], repeated["state"]) == (request["request_id"], request["state"])
    again.close()
    gone.append(True)
    wait_for(lambda: not table._lines)


def test_a_failure_in_a_game_ends_that_practice_only(
    stack: ExitStack, open_door: Any, come: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """The client is disconnected, and the next connection of the same team gets a game."""
    numbers = iter([OSError("no room"), 2, 3])

    def number() -> int:
        found = next(numbers)
        if isinstance(found, OSError):
            raise found
        return found

    table = Practice(GAME, GAME.options(), number)
    stack.callback(table.close)
    door = open_door(welcome=table.welcome)
    door._attempts._pause = 0.0
    client = come(door)
    assert client.receive()["type"] == "greetings_program"
    assert client.closed()
    assert [record.message.partition(" of ")[0] for record in caplog.records] == ["unexpected failure in the practice"]
    again = come(door)
    assert again.receive()["type"] == "greetings_program"
    assert again.receive()["type"] == "request"


def test_no_room_for_another_table_leaves_nothing_behind(
    stack: ExitStack, open_door: Any, come: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = practice(stack)
    door = open_door(welcome=table.welcome)
    door._attempts._pause = 0.0

    def full(thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(Thread, "start", full)
        client = come(door)
        assert client.receive()["type"] == "greetings_program"
        assert client.closed()
    again = come(door)
    assert again.receive()["type"] == "greetings_program"
    assert again.receive()["type"] == "request"


# The ladder


def ladder(stack: ExitStack, tell: Callable[[Round], None], **changes: Any) -> Ladder:
    numbers = count(1)
    made = Ladder(GAME, GAME.options({"clock": LATER, **changes}), lambda: next(numbers), tell)
    stack.callback(made.close)
    made.start()
    return made


def test_those_who_are_connected_play_rounds_and_are_rated(stack: ExitStack, open_door: Any, come: Any) -> None:
    rounds: list[Round] = []
    enough = Event()

    def tell(done: Round) -> None:
        rounds.append(done)
        met = {each.team for one in rounds for each in one.entrants}
        if len(met) == 4 and {one.number for one in rounds} >= {1, 2, 3, 4, 5, 6}:
            enough.set()

    made = ladder(stack, tell, games=1)
    door = open_door(welcome=made.welcome)
    for number in range(1, 5):
        client = come(door, f"127.0.0.{number}")
        Thread(target=answer_for_ever, args=(client,), daemon=True).start()
    assert enough.wait(60)
    made.close(60)
    for done in rounds:
        assert verify(done.record) is None
        assert sum(done.games) == 1
        assert done.changes[0] == pytest.approx(-done.changes[1])
        assert not any(event["event"] == "fault" for event in done.record["events"])
    standings = made.standings()
    assert len(standings) == 4
    assert [each.rating for each in standings] == sorted((each.rating for each in standings), reverse=True)
    assert sum(each.rating for each in standings) == pytest.approx(4 * START)


def answer_for_ever(client: Client) -> None:
    with suppress(OSError, EOFError):
        client.play(lambda message: False)


def test_one_who_is_alone_plays_the_house_and_one_who_left_is_not_scheduled(
    stack: ExitStack, open_door: Any, come: Any
) -> None:
    rounds: list[Round] = []
    clients: list[Client] = []

    def tell(done: Round) -> None:
        rounds.append(done)
        if len(rounds) == 1:  # in a round it would be waited for until its clock runs out
            clients[0].stream.shutdown(socket.SHUT_RDWR)

    made = ladder(stack, tell, games=1)
    made.enter(Team(99, "House: random"), GAME.house[0])
    door = open_door(welcome=made.welcome)
    clients.append(come(door))
    Thread(target=answer_for_ever, args=(clients[0],), daemon=True).start()
    wait_for(lambda: rounds and not any(each.busy or (each.line and each.line.alive()) for each in made.standings()))
    assert {each.team.name for each in rounds[0].entrants} == {"House: random", "127.0.0.1"}
    Thread(target=answer_for_ever, args=(come(door, "127.0.0.2"),), daemon=True).start()
    wait_for(lambda: len(rounds) >= 4)
    assert {each.team.name for done in rounds[1:] for each in done.entrants} == {"House: random", "127.0.0.2"}


def test_a_silent_client_holds_up_only_its_opponent(stack: ExitStack, open_door: Any, come: Any) -> None:
    rounds: list[Round] = []
    enough = Event()
    made = ladder(stack, lambda done: (rounds.append(done), len(rounds) >= 5 and enough.set()), games=1)  # type: ignore[func-returns-value]
    door = open_door(welcome=made.welcome)
    clients = [come(door, f"127.0.0.{number}") for number in range(1, 6)]
    clients[0].receive()  # and then nothing more
    for client in clients[1:]:
        Thread(target=answer_for_ever, args=(client,), daemon=True).start()
    assert enough.wait(60)


# The command


@pytest.fixture
def served(tmp_path: Path, stack: ExitStack) -> Callable[..., Any]:
    """`serve` as a process: the process, its ports."""

    def run(*words: str) -> tuple[subprocess.Popen[str], int, int]:
        command = [sys.executable, "-m", "games", "serve", "barracuda", "--host", "127.0.0.1"]
        server = subprocess.Popen(
            [*command, "--port", "0", "--test-port", "0", *words], stdout=subprocess.PIPE, text=True
        )
        stack.callback(server.stdout.close)  # type: ignore[union-attr]
        stack.callback(server.wait)
        stack.callback(server.kill)
        assert server.stdout is not None
        ports = re.findall(r"port (\d+)", server.stdout.readline())
        return server, int(ports[0]), int(ports[1])

    return run


def test_serve_plays_rounds_prints_them_and_keeps_their_records(served: Any, come: Any, tmp_path: Path) -> None:
    server, port, test_port = served("--house", "careful", "--games", "1", "--records", str(tmp_path / "to" / "keep"))
    client = come(port)
    Thread(target=answer_for_ever, args=(client,), daemon=True).start()
    line = server.stdout.readline()
    assert re.fullmatch(
        r"round \d+: .* [01]:[01] .*   (House: careful|127.0.0.1) 15\d\d \(\+16\), .* 14\d\d \(-16\)\n"
        r"|round \d+: .* [01]:[01] .*   .* 14\d\d \(-16\), .* 15\d\d \(\+16\)\n",
        line,
    ), line
    tester = come(test_port)
    assert tester.receive() == {"type": "greetings_program", "team_id": 1}
    server.send_signal(signal.SIGTERM)
    rest = server.stdout.read()
    assert server.wait(60) == 0
    assert "Standings" in rest
    assert re.search(r"1\. +1[5-9]\d\d .*: won \d+ of \d+ rounds", rest)
    records = [loads(path.read_bytes()) for path in (tmp_path / "to" / "keep").glob("*.json")]
    assert records
    assert all(verify(record) is None for record in records)
