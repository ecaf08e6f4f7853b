"""Clients over real sockets, by real clocks: what is on a client's clock, and what is not."""

from __future__ import annotations

import json
import select
import socket
import sys
import time
from collections.abc import Iterator
from subprocess import Popen

import pytest

from games.connections import STAMPS
from games.engine import Fault, FaultKind
from games.programs import LocalProgram, pinned
from games.sockets import AWAY, PAUSE, SocketPlayer
from tests.games.test_sockets import CLIENT, Seat, Stamped, card, client, pair, play, receive, send

ROUNDED = 0.01  # seconds: clocks are sent rounded
pytestmark = pytest.mark.skipif(not STAMPS, reason="only Linux says when bytes arrived")


@pytest.fixture
def seat() -> Iterator[Seat]:
    made = Seat(clock=10)
    yield made
    made.client.close()
    made.line.drop()
    made.pool.shutdown()


@pytest.mark.parametrize("bad", [True, False])
def test_the_time_of_an_answer_is_on_the_clock(seat: Seat, bad: bool) -> None:
    started = time.perf_counter()
    asked = seat.ask()
    request = receive(seat.client)
    time.sleep(0.25)
    send(seat.client, b"nonsense" if bad else card(request, response={"type": "play_card", "card": 99}))
    assert asked.exception(60) is not None if bad else asked.result(60)[0] == 99
    seat.player.tell({"event": "fault", "seat": 0, "kind": "garbled" if bad else "illegal", "detail": "it did"})
    assert 10 - (time.perf_counter() - started) - ROUNDED <= seat.left <= 10 - 0.25 + ROUNDED


def test_the_clock_runs_on_without_a_connection(seat: Seat) -> None:
    started = time.perf_counter()
    asked = seat.ask()
    receive(seat.client)
    seat.client.close()
    time.sleep(0.3)
    ours, client = pair()
    seat.line.adopt(ours)
    repeated = receive(client)
    took = time.perf_counter() - started
    assert 10 - took - ROUNDED <= repeated["remaining"] <= 10 - 0.3 + ROUNDED
    send(client, card(repeated))
    assert 290 < asked.result(60).ms <= 1000 * (time.perf_counter() - started)


def test_a_client_that_never_connects_has_its_start_and_its_clock() -> None:
    started = time.perf_counter()
    assert {fault["detail"] for fault in play(client("never", startup=0.3), clock=0.3).faults[0]} == {AWAY}
    assert time.perf_counter() - started > 0.6


class Overslept(Stamped):
    """A line whose owner gets the processor only once something has arrived, and later than it should."""

    late = 0.3  # seconds

    def receive(self, seconds: float) -> list[bytes]:
        select.select([self.connection.fd] if self.connection else [], [], [], max(seconds, 0.5))
        time.sleep(self.late)
        return super().receive(0)


def test_a_client_elsewhere_does_not_pay_for_a_late_server() -> None:
    line = Overslept()
    line.late = 3.0
    seat = Seat(line, clock=2.5)
    asked = seat.ask()
    send(seat.client, card(receive(seat.client)))
    decided = asked.result(60)
    assert decided.ms < 2500
    assert decided.late_ms >= 3000


def test_an_answer_is_late_if_it_arrived_late_however_late_the_server_is() -> None:
    seat = Seat(Overslept(), clock=0.1)
    asked = seat.ask()
    request = receive(seat.client)
    time.sleep(0.2)
    send(seat.client, card(request))
    with pytest.raises(Fault, match="did not answer before its clock ran out"):
        asked.result(60)
    assert asked.exception(5).kind is FaultKind.TIMEOUT  # type: ignore[union-attr]


def test_a_client_that_sends_in_two_pieces_is_not_held_up_by_its_own_socket(seat: Seat) -> None:
    """With Nagle's algorithm the body waits for the header's acknowledgement: 40 ms if that is delayed."""
    seat.client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 0)
    times = []
    for _ in range(20):
        asked = seat.ask()
        body = json.dumps(card(receive(seat.client))).encode()
        seat.client.sendall(len(body).to_bytes(4, "big"))
        seat.client.sendall(body)
        times.append(asked.result(60)[1])
    assert sorted(times)[10] < 20


def test_the_start_after_a_crash_is_on_its_clock() -> None:
    start = f"import runpy, sys, time; time.sleep(1.2); runpy.run_path({str(CLIENT)!r}, run_name='__main__')"
    program = LocalProgram([sys.executable, "-I", "-S", "-u", "-c", start, "crash", "2"])
    faults = play(SocketPlayer(program, startup=20), clock=1, bonus=0).faults[0]
    assert [fault["kind"] for fault in faults[:3]] == ["crash", "timeout", "timeout"]
    assert faults[1]["detail"] == AWAY


def test_its_start_is_not_its_thinking() -> None:
    """It takes longer to start than its whole clock, which is reset for every game."""
    start = f"import runpy, sys, time; time.sleep(1.5); runpy.run_path({str(CLIENT)!r}, run_name='__main__')"
    program = LocalProgram([sys.executable, "-I", "-S", "-u", "-c", start, "good", "1"])
    match = play(SocketPlayer(program, startup=20), clock=1, bonus=0, games=3)
    assert match.faults[0] == []


def test_reconnecting_in_the_middle_of_a_decision() -> None:
    """Like the kits' clients: after five seconds, with the request repeated and the time left."""
    match = play(client("again", 3))
    assert match.faults[0] == []
    slowest = max(event["ms"] for event in match.record["events"] if event.get("seat") == 0 and "ms" in event)
    assert slowest > 1000 * PAUSE
    assert "again" in "".join(piece.text for piece in match.debug[0])


def test_time_that_others_took_of_its_core_is_given_back() -> None:
    """300 ms of work take six times as long beside five others, yet its clock has not run out. What is left of it pays
    for its other 20 decisions, in each of which up to 20 ms (games.deadline.PROMPT) of waiting are not given back."""
    busy = [sys.executable, "-I", "-S", "-c", "while True: pass"]
    with pinned():
        others = [Popen(busy, start_new_session=True) for _ in range(5)]
        started = time.perf_counter()
        try:
            match = play(client("think", 2), clock=1.2, bonus=0)
            took = time.perf_counter() - started
        finally:
            for other in others:
                other.kill()
                other.wait()
    assert took > 1.2, "else nothing was tested"
    assert match.faults[0] == []
