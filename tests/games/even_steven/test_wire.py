"""The lines, to the letter of the Even Steven problem."""

from __future__ import annotations

import pytest

from games import get
from games.engine import Fault, FaultKind, Setting
from games.even_steven.rules import INDEX, PACK
from games.even_steven.wire import LineWire
from games.players import Seated
from games.referee import play
from tests.games.cast import Scripted
from tests.games.even_steven import samples as printed

GAME = get("even_steven")


class Taped(Scripted):
    """Plays what the problem prints, and keeps what it is told."""

    def __init__(self) -> None:
        super().__init__(INDEX[card] for card in printed.PLAYER_OUTPUT.split())
        self.wire: LineWire | None = None
        self.text, self.counts = b"", [0]

    def begin(self, game, seat, options, random, setting) -> None:  # type: ignore[no-untyped-def]
        self.wire = game.wire(seat, options, setting, self.wire)
        self.tell = self.wire.tell

    def decide(self, legal, place):  # type: ignore[no-untyped-def]
        question, lines = self.wire.question()
        assert question.count(b"\n") == lines
        self.text += question
        self.counts.append(lines)
        return super().decide(legal, place)

    def finish(self) -> None:
        self.text += self.wire.farewell()
        assert self.wire.farewell() == b""


def test_the_sample_is_told_as_the_seed_prints_it() -> None:
    player = Taped()
    match = play(
        GAME, [Seated("P", "p.c", player)], seed=1, options=GAME.options(), preset="bospre-2009", openings=GAME.sample
    )
    assert player.text.decode("ascii") == printed.PLAYER_INPUT
    assert player.counts[1:] == [2, 1, 1, 3, 1, 1, 1]
    verdicts = [event["verdict"] for event in match.record["events"] if event["event"] == "result"]
    assert verdicts == ["lose necessarily", "win"]


def wire() -> LineWire:
    return GAME.wire(0, GAME.options(), Setting.of(1))  # type: ignore[return-value]


def test_one_wire_speaks_for_all_games_of_a_process() -> None:
    first = wire()
    assert GAME.wire(0, GAME.options(), Setting.of(1), first) is first
    assert wire() is not first


@pytest.mark.parametrize("verdict", ["incorrect output", "program crashed"])
def test_nothing_is_told_after_a_fault(verdict: str) -> None:
    spoken = wire()
    spoken.tell({"event": "fault", "seat": 0, "kind": "garbled", "detail": "…"})
    spoken.tell({"event": "result", "scores": [0], "winner": None, "verdict": verdict})
    assert spoken.farewell() == b""


@pytest.mark.parametrize("card", PACK)
def test_every_card_is_read(card: str) -> None:
    assert wire().parse(card.encode()) == INDEX[card]


@pytest.mark.parametrize("line", [b" 10c", b"10c ", b"\t10c\r", b"  10c  \r"])
def test_surrounding_blanks_and_a_carriage_return_are_allowed(line: bytes) -> None:
    assert wire().parse(line) == INDEX["10c"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"", "empty line"),
        (b"  \r", "empty line"),
        (b"10C", "as it was dealt"),
        (b"kd", "as it was dealt"),
        (b"KD", "as it was dealt"),
        (b"10c 2d", "several words"),
        (b"K d", "several words"),
        (b"1c", "not a card"),
        (b"11c", "not a card"),
        (b"Tc", "not a card"),
        (b"dK", "not a card"),
        (b"+2c", "not a card"),
        (b"\0002c", "not a card"),
        (b"\xff\xfe", "not a card"),
        (b"* Kd", "for debugging"),
        (b"*", "for debugging"),
        (b"2" * 60_000, "not a card"),
    ],
)
def test_what_cannot_be_read_is_garbled(line: bytes, complaint: str) -> None:
    with pytest.raises(Fault, match=complaint) as caught:
        wire().parse(line)
    assert caught.value.kind is FaultKind.GARBLED
    assert caught.value.answer == line
