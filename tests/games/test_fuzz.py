"""Fuzzers of everything that bots and connected programs send: whatever they say, a match ends with a record that
follows from the rules, and readers raise only what they promise."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import games
from games.engine import Action, Event, Fault, Game, OptionError, Options, Seat, Setting
from games.frames import LONGEST, BadLength, Frames, frame, read_object, whole
from games.participants import Decision
from games.players import PROTOCOLS, Seated
from games.programs import Answer, Exit, ExitStatus, LocalProgram
from games.questions import read
from games.record import RecordError, dumps, loads, positions, verify
from games.referee import play
from games.server.door import Door
from games.server.teams import Everybody
from tests.fuzzing import any_value, fuzz, mutated, mutated_value
from tests.games.cast import FirstLegal, house
from tests.waiting import wait_for

pytestmark = [pytest.mark.fuzz, pytest.mark.long("fuzz")]

MUTATING = Path(__file__).with_name("mutating.py")
QUICK: dict[str, Options] = {
    "tricky_eights": {"target": 20, "time_limit": 0.3},
    "even_steven": {"time_limit": 0.3},
    "intensity": {"time_limit": 0.3},
    "hearts": {"target": 10, "time_limit": 0.3},
    "barracuda": {"clock": 0.5, "target": 3},
}


# Whole matches with real processes, in every way of speaking


@pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: game.slug)
def test_no_bot_spoils_a_match_by_what_it_says(game: Game) -> None:
    kit = game.folder / "kit"

    def attempt(random: Random) -> None:
        program = LocalProgram([sys.executable, "-I", str(MUTATING), f"{random.random()}", f"{kit}/random_player.py"])
        bot = PROTOCOLS[game.protocol](program)
        seats = [Seated(f"House {seat}", "house:random", house(game)) for seat in range(game.seats[1] - 1)]
        seats.insert(random.randrange(len(seats) + 1), Seated("Fuzz", "random_player.py", bot))
        played = play(
            game, seats, seed=random.randrange(2**32), options=game.options(QUICK[game.slug]), preset="open", games=1
        )
        assert verify(loads(dumps(played.record))) is None

    fuzz(attempt, attempts=4)


# Answers, thousands of them, where they are read


class Recorder(FirstLegal):
    """Plays the first legal action and keeps what the protocol would have said and read at every decision."""

    def __init__(self, heard: list[tuple[list[Event], Seat]]) -> None:
        super().__init__()
        self._heard = heard
        self._events: list[Event] = []

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        super().begin(game, seat, options, random, setting)
        self._events, self._seat, self._setting = [], seat, setting

    def tell(self, event: Event) -> None:
        super().tell(event)
        self._events.append(event)

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        self._heard.append((list(self._events), self._seat))
        return super().decide(legal, place)


@cache
def heard_in(game: Game) -> tuple[list[tuple[list[Event], Seat]], str]:
    """What players had heard at each decision of a game, and the record."""
    heard: list[tuple[list[Event], Seat]] = []
    seats = [Seated(f"{seat}", "bot", Recorder(heard)) for seat in range(game.seats[1])]
    played = play(game, seats, seed=5, options=game.options(QUICK[game.slug]), preset="open", games=1)
    return heard, dumps(played.record)


ANSWERS = [
    b"dk",
    b"c2 d10 h3",
    b"7 8 9",
    b"0",
    b"12 0.5",
    b"card dk 0.013",
    b"* debug\nd3",
    b"",
    b"-1",
    b"40 41",
    b"11",
]


@pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: game.slug)
def test_no_answer_confuses_its_reader(game: Game) -> None:
    heard, _ = heard_in(game)

    def attempt(random: Random) -> None:
        events, seat = random.choice(heard)
        options = game.options(QUICK[game.slug])
        wire: Any = game.wire(seat, options, Setting(tuple(range(1, game.seats[1] + 1)), game.seats[1], match=7))
        for event in events:
            wire.tell(event)
        if game.protocol == "socket":
            request = json.loads(wire.request(5, 1.0))
            value = {
                "type": "move",
                "request_id": 5,
                "response": {"type": "play_card", "card": request.get("state", 7)},
            }
            body = mutated(random, json.dumps(mutated_value(random, value)).encode())
            with suppress(Fault):
                wire.answer(read_object(body), 5, body)
            return
        wire.question()
        answer = mutated(random, random.choice(ANSWERS))
        with suppress(Fault):
            if game.protocol == "question":
                end = Exit(random.choice(list(ExitStatus)))
                read(Answer(end, answer, b"", random.random() < 0.2), wire.parse)
            else:
                wire.parse(answer)

    fuzz(attempt, attempts=400)


# Messages with a length


def test_no_bytes_confuse_the_frames() -> None:
    def attempt(random: Random) -> None:
        message = json.dumps(mutated_value(random, {"type": "login", "token": "x" * 30})).encode()
        data = mutated(random, frame(message) * random.choice((1, 3)))
        one, frames, found = whole(data), Frames(), []
        assert one is None or (one == data[4:] and 1 <= len(one) <= LONGEST)
        with suppress(BadLength):
            for at in range(0, len(data), 7):
                found += frames.add(data[at : at + 7])
                if frames.spoilt:
                    break
        for body in found:
            assert 1 <= len(body) <= LONGEST
            with suppress(Fault):
                assert type(read_object(body)) is dict

    fuzz(attempt, attempts=2000)


def test_nobody_shuts_the_door_by_what_it_says() -> None:
    """A contest server's port: hostile clients of every kind, and then one that behaves."""
    game, welcomed = games.get("barracuda"), []
    door = Door(("127.0.0.1", 0), game, _Nobody(), lambda team, stream: welcomed.append(stream))
    try:

        def attempt(random: Random) -> None:
            with socket.create_connection(("127.0.0.1", door.port), timeout=60) as client:
                login = {"type": "login", "token": random.choice(("", "x", any_value(random)))}
                data = mutated(random, frame(json.dumps(mutated_value(random, login)).encode()))
                with suppress(OSError):
                    for at in range(0, len(data), 9):
                        client.sendall(data[at : at + 9])
                    if random.random() < 0.3:
                        client.shutdown(socket.SHUT_WR)

        fuzz(attempt, attempts=200)
        assert not welcomed
        with socket.create_connection(("127.0.0.1", door.port), timeout=60) as client:
            client.sendall(frame(b'{"type":"login","token":"good"}'))
            assert client.recv(1), "it does not answer any more"
            wait_for(lambda: welcomed)  # the door greets before it lets in
        assert len(welcomed) == 1
    finally:
        door.close()
        for stream in welcomed:
            stream.close()


class _Nobody(Everybody):
    """Knows nobody by an address, and one token."""

    def at(self, address: str) -> Any:
        return None

    def with_token(self, token: str) -> Any:
        return super().at("127.0.0.1") if token == "good" else None


# Records


@pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: game.slug)
def test_no_record_confuses_the_reader(game: Game) -> None:
    """`loads` raises RecordError or returns what `verify` can judge. A record that verifies can be shown."""
    _, text = heard_in(game)
    value = json.loads(text)

    def attempt(random: Random) -> None:
        if random.random() < 0.3:
            changed = mutated(random, text.encode())
        else:
            changed = json.dumps(mutated_value(random, value)).encode()
        try:
            record = loads(changed)
        except RecordError:
            return
        with suppress(OptionError):  # of a game that is not installed
            if verify(record) is None:
                positions(record, 1, None)

    fuzz(attempt, attempts=60)
