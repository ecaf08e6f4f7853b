"""Clients over real sockets: in this process, where we control every byte, and as processes with bad habits.

Real clocks: tests/clocks/test_sockets.py."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.barracuda import GAME
from games.clock import Clock
from games.connections import LARGEST, STAMPS, Line
from games.debug import ours
from games.engine import Fault, FaultKind, Setting
from games.format import USED_UP
from games.frames import LONGEST, frame
from games.pipes import FLOOD
from games.programs import LocalProgram
from games.record import verify
from games.referee import Match
from games.referee import play as play_match
from games.sockets import AWAY, RESTARTS, LinePlayer, SocketPlayer
from tests.games.cast import Dealer, FirstLegal, seats
from tests.waiting import late_when, unread, wait_for

pytestmark = pytest.mark.promise

CLOCK = 60.0
"""Seconds that only a hang uses up."""
SHORT = 0.1
"""Seconds, for those who never answer."""
CLIENT = Path(__file__).parent / "barracuda" / "client.py"


def pair() -> tuple[socket.socket, socket.socket]:
    """The two ends of a TCP connection: ours, the client's."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        client.settimeout(60)
        return listener.accept()[0], client


def receive(client: socket.socket) -> dict[str, Any]:
    size = int.from_bytes(client.recv(4, socket.MSG_WAITALL), "big")
    return dict(json.loads(client.recv(size, socket.MSG_WAITALL)))


def send(client: socket.socket, message: Any) -> None:
    client.sendall(frame(message if isinstance(message, bytes) else json.dumps(message).encode()))


def card(request: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The answer that plays the highest card."""
    response = {"type": "play_card", "card": request["state"]["hand"][0]}
    return {"type": "move", "request_id": request["request_id"], "response": response, **changes}


# The clock


def test_the_clock_of_the_seed() -> None:
    clock = Clock(2, 0.05, 100)
    assert clock.left == 2.0
    clock.spend(0.5)
    clock.earn()
    assert clock.left == pytest.approx(1.55)


def test_only_the_first_hundred_accepted_answers_earn_time() -> None:
    clock = Clock(2, 0.05, 100)
    for _ in range(150):
        clock.earn()
    assert clock.left == pytest.approx(2 + 100 * 0.05)


def test_a_clock_is_never_below_zero_but_can_be_wound_up_again() -> None:
    clock = Clock(2, 0.05, 100)
    clock.spend(3)
    assert clock.left == 0.0
    clock.earn()
    assert clock.left == pytest.approx(0.05)


# The line


def test_numbers_of_requests_never_come_twice_and_older_ones_are_known() -> None:
    line = Line()
    numbers = [line.number() for _ in range(100)]
    assert len(set(numbers)) == 100
    assert all(1 <= number <= LARGEST for number in numbers)
    assert all(line.is_older(number, numbers[-1]) for number in numbers[:-1])
    for other in (numbers[-1], numbers[-1] + 1, numbers[0] - 1, float(numbers[0]), str(numbers[0]), None, True):
        assert not line.is_older(other, numbers[-1])


def test_numbers_start_again_at_one() -> None:
    line = Line()
    line._first = line._next = LARGEST - 1
    numbers = [line.number() for _ in range(4)]
    assert numbers == [LARGEST - 1, LARGEST, 1, 2]
    assert line.is_older(LARGEST, 2)
    assert not line.is_older(3, 2)


def test_two_lines_start_at_different_numbers() -> None:
    assert len({Line().number() for _ in range(20)}) > 15


# A player on our own line


class Stamped(Line):
    """As on the contest server: however late this machine is, the time of an answer is that until it arrived."""

    stamped = STAMPS


class Seat:
    """Left's seat of a game of Barracuda, with left in turn, and the other end of its line."""

    def __init__(self, line: Line | None = None, **changes: Any) -> None:
        self.line = line or Stamped()
        self.player = LinePlayer(self.line)
        self.pool = ThreadPoolExecutor(1)
        self.options = GAME.options({"clock": CLOCK, **changes})
        self.begin()
        self.client = self.connect()

    def begin(self, number: int = 1) -> None:
        self.dealer = Dealer(GAME, 1, self.options)
        self.player.begin(GAME, 0, self.options, Random(1), Setting((11, 25), 2))
        self.player.tell({"event": "game", "number": number, "leader": 0})
        for event in self.dealer.deal():
            seen = GAME.see(event, 0)
            assert seen is not None
            self.player.tell(seen)

    def connect(self) -> socket.socket:
        self.ours, theirs = pair()
        self.line.adopt(self.ours)
        return theirs

    def ask(self) -> Any:
        """Let the player decide, in its own thread. Returns a future."""
        return self.pool.submit(self.player.decide, self.dealer.state.legal, 0)

    def fails(self) -> Fault:
        with pytest.raises(Fault) as caught:
            self.ask().result(60)
        return caught.value

    @property
    def left(self) -> float:
        return self.player._wire.clock.left


@pytest.fixture
def seat() -> Iterator[Seat]:
    made = Seat()
    yield made
    made.client.close()
    made.line.drop()
    made.pool.shutdown()


def test_a_request_and_its_answer(seat: Seat) -> None:
    asked = seat.ask()
    request = receive(seat.client)
    assert (request["type"], request["remaining"]) == ("request", CLOCK)
    send(seat.client, card(request))
    action, ms, cpu_ms, answer, _ = asked.result(60)
    assert action == request["state"]["hand"][0]
    assert ms > 0
    assert cpu_ms is None
    assert json.loads(answer) == card(request)


@pytest.mark.parametrize("size", [1, 3, 4, 5, 40])
def test_an_answer_in_segments_of_any_size(seat: Seat, size: int) -> None:
    asked = seat.ask()
    request = receive(seat.client)
    data = frame(json.dumps(card(request)).encode() + b"  \r\n\t")
    for start in range(0, len(data), size):
        seat.client.sendall(data[start : start + size])
        wait_for(lambda: asked.done() or not unread(seat.ours.fileno()))
    assert asked.result(60)[0] == request["state"]["hand"][0]


def test_older_answers_are_ignored_also_many_in_one_segment(seat: Seat) -> None:
    first = seat.ask()
    request = receive(seat.client)
    send(seat.client, card(request))
    first.result(60)
    second = seat.ask()
    again = receive(seat.client)
    old = frame(json.dumps(card(request, response="late")).encode())
    seat.client.sendall(old * 3 + frame(json.dumps(card(again)).encode()))
    assert second.result(60)[0] == request["state"]["hand"][0]


def test_what_comes_while_no_request_is_open_is_ignored(seat: Seat) -> None:
    send(seat.client, b"nonsense")
    send(seat.client, {"type": "move"})
    wait_for(lambda: unread(seat.ours.fileno()) > 20)
    asked = seat.ask()
    send(seat.client, card(receive(seat.client)))
    asked.result(60)


def test_what_follows_an_answer_in_the_same_segment_is_ignored(seat: Seat) -> None:
    asked = seat.ask()
    request = receive(seat.client)
    seat.client.sendall(frame(json.dumps(card(request)).encode()) + frame(b"nonsense"))
    assert asked.result(60)[0] == request["state"]["hand"][0]


@pytest.mark.parametrize("message", [b"nonsense", {"type": "pong"}, {"type": "login", "token": "x"}, []])
def test_every_other_message_is_an_answer(seat: Seat, message: Any) -> None:
    asked = seat.ask()
    receive(seat.client)
    send(seat.client, message)
    with pytest.raises(Fault) as caught:
        asked.result(60)
    assert caught.value.kind is FaultKind.GARBLED


def test_messages_of_up_to_64_kib_are_read(seat: Seat) -> None:
    asked = seat.ask()
    request = receive(seat.client)
    body = json.dumps(card(request)).encode()
    seat.client.sendall(frame(body + b" " * (LONGEST - len(body))))
    assert asked.result(60)[0] == request["state"]["hand"][0]


@pytest.mark.parametrize("header", [b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\1\0\1"])
def test_any_other_length_closes_the_connection_while_the_clock_runs_on(
    seat: Seat, header: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    late_when(monkeypatch, lambda: seat.line.connection is None)
    asked = seat.ask()
    receive(seat.client)
    seat.client.sendall(header)
    assert seat.client.recv(1) == b""
    with pytest.raises(Fault, match="did not answer before its clock ran out"):
        asked.result(60)


def test_a_client_that_reconnects_is_sent_the_request_again_with_the_time_that_is_left(seat: Seat) -> None:
    asked = seat.ask()
    request = receive(seat.client)
    seat.client.close()
    wait_for(lambda: seat.line.connection is None)
    ours, client = pair()
    seat.line.adopt(ours)  # in this thread, which only the test does: the player looks there every quarter of a second
    repeated = receive(client)
    assert repeated["request_id"] == request["request_id"]
    assert repeated["state"] == request["state"]
    assert repeated["remaining"] <= CLOCK
    send(client, card(repeated))
    assert asked.result(60).ms > 0


def test_who_was_away_when_its_clock_ran_out_is_told_so_of_the_whole_game_and_not_of_the_next_one() -> None:
    seat = Seat(clock=SHORT)
    seat.line.drop()
    assert seat.fails().detail == AWAY
    seat.player.tell({"event": "fault", "seat": 0, "kind": "timeout", "detail": AWAY})
    seat.client = seat.connect()
    assert seat.fails().detail == AWAY
    seat.begin(2)
    assert seat.fails().detail == "did not answer before its clock ran out"


def test_who_came_back_in_time_and_did_not_answer_was_connected() -> None:
    seat = Seat(clock=SHORT)
    seat.line.drop()
    seat.client = seat.connect()
    assert seat.fails().detail == "did not answer before its clock ran out"


def test_what_was_written_completely_counts_although_the_client_is_gone(seat: Seat) -> None:
    asked = seat.ask()
    request = receive(seat.client)
    send(seat.client, card(request))
    seat.client.close()
    assert asked.result(60)[0] == request["state"]["hand"][0]


def test_what_was_written_completely_counts_although_nothing_after_it_can_be_read(seat: Seat) -> None:
    asked = seat.ask()
    request = receive(seat.client)
    seat.client.sendall(frame(json.dumps(card(request)).encode()) + b"\n\n\n\n")
    assert asked.result(60)[0] == request["state"]["hand"][0]
    assert seat.client.recv(1) == b""


def test_when_the_clock_has_run_out_it_is_asked_no_more() -> None:
    seat = Seat(clock=SHORT)
    fault = seat.fails()
    seat.player.tell({"event": "fault", "seat": 0, "kind": "timeout", "detail": fault.detail})
    seat.player.flush()
    assert seat.left == 0
    assert receive(seat.client)["type"] == "request"
    assert receive(seat.client)["result"] == {"type": "error", "reason": fault.detail}
    for _ in range(3):
        fault = seat.fails()
        assert (fault.kind, fault.detail) == (FaultKind.TIMEOUT, USED_UP)
        seat.player.tell({"event": "fault", "seat": 0, "kind": "timeout", "detail": USED_UP})
        seat.player.flush()
        assert receive(seat.client)["result"]["type"] == "error"


def test_what_it_was_told_comes_with_its_request_or_before_somebody_else_is_asked(seat: Seat) -> None:
    fault = {"event": "fault", "seat": 0, "kind": "garbled", "detail": "it did"}
    seat.player.tell(fault)
    seat.client.setblocking(False)
    with pytest.raises(BlockingIOError):
        seat.client.recv(1)
    seat.client.settimeout(60)
    seat.player.flush()
    assert receive(seat.client)["type"] == "result"
    seat.player.tell(fault)
    asked = seat.ask()
    assert receive(seat.client)["type"] == "result"
    send(seat.client, card(receive(seat.client)))
    assert asked.result(60).action


def test_faults_of_the_other_cost_us_nothing(seat: Seat) -> None:
    seat.player._elapsed = 1.0
    seat.player.tell({"event": "fault", "seat": 1, "kind": "garbled"})
    assert seat.left == CLOCK


def test_older_answers_without_end_are_a_flood(seat: Seat) -> None:
    asked = seat.ask()
    send(seat.client, card(receive(seat.client)))
    asked.result(60)
    asked = seat.ask()
    request = receive(seat.client)
    old = frame(json.dumps(card(request, request_id=request["request_id"] - 1)).encode())
    seat.client.sendall(old * (FLOOD // len(old) + 2))
    with pytest.raises(Fault) as caught:
        asked.result(60)
    assert caught.value.kind is FaultKind.OUTPUT
    assert seat.line.connection is None


def test_who_floods_while_it_is_not_asked_is_found_out_when_it_is(seat: Seat) -> None:
    seat.client.sendall(frame(b"x" * 60_000) * 3)
    wait_for(lambda: unread(seat.ours.fileno()) > FLOOD)
    assert seat.fails().kind is FaultKind.OUTPUT


def test_a_client_that_reads_nothing_loses_its_connection_and_blocks_nobody(seat: Seat) -> None:
    for _ in range(100_000):
        if seat.line.connection is None:
            break
        seat.line.send(b"x" * 5000)
    assert seat.line.connection is None


def test_each_message_is_one_segment(seat: Seat) -> None:
    """Written at once, header and body together, for clients that do not reassemble."""
    for _ in range(5):
        seat.line.send(b'{"type":"result"}')
        assert len(seat.client.recv(4096)) == 21


# Clients as processes


def client(habit: str = "good", at: int = 1, startup: float = CLOCK) -> SocketPlayer:
    program = LocalProgram([sys.executable, "-I", "-S", "-u", str(CLIENT), habit, str(at)])
    return SocketPlayer(program, startup=startup)


def play(player: SocketPlayer, *, games: int = 1, seed: int = 4, **changes: Any) -> Match:
    """A match against a player that plays its highest card and never offers a challenge."""
    options = GAME.options({"target": 3, "clock": CLOCK, **changes})
    match = play_match(GAME, seats(player, FirstLegal()), seed=seed, options=options, preset="open", games=games)
    assert verify(match.record) is None
    return match


def test_a_client_is_started_once_for_a_match_and_plays_it() -> None:
    match = play(client(), games=5)
    assert match.faults == [[], []]
    assert sum(match.record["result"]["scores"]) == 5


@pytest.mark.parametrize("habit", ["old", "twice", "slices", "pieces"])
def test_habits_that_are_no_faults(habit: str) -> None:
    assert play(client(habit, 2)).faults[0] == []


def test_a_flood_after_an_answer_is_the_fault_of_the_next_one() -> None:
    match = play(client("early_flood", 2))
    assert match.faults[0][0]["kind"] == "output"
    before = match.record["events"][: match.record["events"].index(match.faults[0][0])]
    assert len([event for event in before if event.get("seat") == 0 and "ms" in event]) == 2


@pytest.mark.parametrize(
    ("habit", "kind", "detail"),
    [
        ("foreign", "illegal", "wanted to play 14, which it does not hold"),
        ("accept", "illegal", "wanted to accept a challenge, but none was offered to it"),
        ("float", "garbled", "played a card that is not an integer"),
        ("text", "garbled", "played a card that is not an integer"),
        ("nonsense", "garbled", "sent something that is not JSON"),
        ("list", "garbled", "sent JSON that is not an object"),
        ("bomb", "garbled", "sent JSON that is nested too deeply"),
        ("no_id", "garbled", "sent a move without a request_id"),
        ("future", "garbled", "answered a request that it was never sent"),
        ("exit", "crash", "exited with status 0 without an answer"),
        ("crash", "crash", "exited with status 1 without an answer"),
        ("segfault", "crash", "was ended by signal 11"),
        ("flood", "output", f"sent more than {FLOOD} bytes that are not an answer"),
    ],
)
def test_habits_that_are_faults(habit: str, kind: str, detail: str) -> None:
    fault = play(client(habit, 2)).faults[0][0]
    assert (fault["kind"], fault["detail"]) == (kind, detail)
    assert ("answer" in fault) == (kind in ("illegal", "garbled"))


@pytest.mark.parametrize("habit", ["silent", "stopped", "halfway", "zero", "huge"])
def test_who_does_not_answer_runs_out_of_time(habit: str) -> None:
    fault = play(client(habit), clock=SHORT).faults[0][0]
    assert (fault["kind"], fault["detail"]) == ("timeout", "did not answer before its clock ran out")


@pytest.mark.parametrize("habit", ["leave", "reset"])
def test_who_leaves_and_does_not_come_back_was_away(habit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    player = client(habit, 2)
    late_when(monkeypatch, lambda: player._line.connection is None)
    fault = play(player).faults[0][0]
    assert (fault["kind"], fault["detail"]) == ("timeout", AWAY)


def test_offering_where_one_may_is_no_fault_and_twice_is_one() -> None:
    assert play(client("offer", 2)).faults[0] == []


def test_a_fault_is_followed_by_what_the_rules_decide() -> None:
    events = play(client("silent"), clock=SHORT).record["events"]
    place = next(place for place, event in enumerate(events) if event["event"] == "fault")
    assert [event["event"] for event in events[place : place + 3]] == ["fault", "forfeit", "trick"]
    details = [event["detail"] for event in events if event["event"] == "fault"]
    assert details[0] == "did not answer before its clock ran out"
    assert set(details[1:]) == {USED_UP}


def test_a_client_that_crashed_is_started_again_a_few_times_in_each_game() -> None:
    """It crashes at its second request, and so does each that follows it."""
    match = play(client("crash", 2), games=2, target=5)
    own = [event for event in match.record["events"] if event.get("seat") == 0]
    answered = [event["event"] == "play" for event in own if "ms" in event or event["event"] == "fault"]
    lives = [True, False] * (1 + RESTARTS)
    assert answered[: len(lives) + 3] == [*lives, False, False, False]
    assert sum(answered) == 2 * (1 + RESTARTS) - 1, "the sixth is started again when the second game begins"
    assert {fault["kind"] for fault in match.faults[0]} == {"crash"}
    text = "".join(piece.text for piece in match.debug[0])
    again = ours("The program exited with status 1 without an answer. It was started again.")
    assert text.count(f"{again}\n") == 2 * RESTARTS
    assert text.count("ZeroDivisionError: ") == 2 * (1 + RESTARTS) - 1


def test_last_words_count() -> None:
    match = play(client("last_words", 2))
    events = match.record["events"]
    place = next(place for place, event in enumerate(events) if event["event"] == "fault")
    mine = [event for event in events[:place] if event.get("seat") == 0 and "ms" in event]
    assert len(mine) == 2
    assert events[place]["detail"] == "exited with status 3 without an answer"


def test_standard_output_is_kept_and_never_blocks() -> None:
    match = play(client("loud", 2))
    assert match.faults[0] == []
    text = "".join(piece.text for piece in match.debug[0])
    assert "on standard output, too" in text
    assert "bytes were cut" in text


def test_a_client_that_never_connects_runs_out_of_time() -> None:
    match = play(client("never", startup=SHORT), clock=SHORT)
    assert {fault["detail"] for fault in match.faults[0]} == {AWAY}


def test_a_program_that_is_no_client_fails_like_one_that_ends() -> None:
    match = play(SocketPlayer(LocalProgram(["true"])))
    assert {fault["detail"] for fault in match.faults[0]} == {
        "exited with status 0 without having connected to the server"
    }


def test_what_an_earlier_client_left_is_not_taken_for_the_new_one() -> None:
    program = LocalProgram([sys.executable, "-I", "-S", "-u", str(CLIENT), "good", "1"])
    host, port = program.listener.getsockname()
    leftover = socket.create_connection((host, port))
    try:
        assert play(SocketPlayer(program)).faults[0] == []
        assert play(SocketPlayer(program)).faults[0] == []
    finally:
        leftover.close()
