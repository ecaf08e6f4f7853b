"""The same seeds and answers give the same bytes: of the record, and of what every bot is told and asked, in order.

Golden records (test_engine.py) hold what was decided. Here the players make mistakes of every kind, and each seat notes
what it hears and what its wire would send. The digests were taken before the referee was made faster. A change that is
meant to move them prints the new ones; compare the transcripts of two versions by

    python -m tests.games.test_same_bytes GAME SEED > transcript
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from random import Random

import pytest

from games import GAMES, get
from games.debug import DebugLog
from games.engine import Action, Event, Fault, FaultKind, Game, Options, Seat, Setting
from games.format import dumps
from games.participants import Decision, PassiveParticipant, Seated
from games.referee import play

SEEDS = (1, 2, 1998)
MISTAKES = 0.02  # of the decisions of the first seat
KINDS = tuple(FaultKind)
NONSENSE: tuple[Action, ...] = (None, -1, "accept", (0, 1, 2), 53)

DIGESTS = {
    "tricky_eights": ("bd05eb476b2776e9", "ac71eae6642201e5", "85b71d07deb444ec"),
    "even_steven": ("0abca6b8e49f4aa4", "cb85e18afc6721ec", "3d67e3e2c481e346"),
    "intensity": ("213ba801204060bc", "2290445073a53d68", "721893cbc74b077d"),
    "hearts": ("732b90d3faed578a", "b4e4213dc55852ee", "f3f14eb420ab275f"),
    "barracuda": ("a8afae4628a867fe", "c9806d499975746f", "79411cb8eb578f96"),
}


class Noting(PassiveParticipant):
    """Decides by chance, sometimes wrongly, and notes everything that it is told. Its times are made up."""

    def __init__(self, chance: Random, notes: list[str], mistakes: float) -> None:
        self.debug = DebugLog()
        self._chance, self._notes, self._mistakes = chance, notes, mistakes
        self._wire = None

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        self._seat, self._socket = seat, game.protocol == "socket"
        self._wire = game.wire(seat, options, setting, self._wire)
        self._note("begins", setting.ids, setting.entrants, setting.number, setting.match, random.random())

    def _note(self, *what: object) -> None:
        self._notes.append(f"{self._seat} {' '.join(map(repr, what))}")

    def tell(self, event: Event) -> None:
        self._note("hears", event)
        self._wire.tell(event)
        if self._socket and self._wire.owed:
            self._note("is sent", self._wire.owed)
            self._wire.owed.clear()

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        self._note("is asked", place, self._wire.request(7, 1.5) if self._socket else self._wire.question()[0])
        chance = self._chance
        answer = b"as \x00scripted \xff"
        if chance.random() < self._mistakes:
            raise Fault(chance.choice(KINDS), "did something\twrong", chance.choice([answer, None]))
        choices = legal()
        wrong = chance.random() < self._mistakes
        action = chance.choice(NONSENSE) if wrong else choices[int(chance.random() * len(choices))]
        cpu_ms, late_ms = chance.choice([None, 0.12349]), chance.choice([0.0, 0.5, 2.25])
        return Decision(action, round(2000 * chance.random(), 4), cpu_ms, answer, late_ms)

    def listen(self, place: int) -> None:
        self._note("listens", place)

    def settle(self, place: int) -> float:
        return 0.25

    def finish(self) -> None:
        self._note("bye", b"" if self._socket else self._wire.farewell())

    def close(self, place: int, grace: float = 1.0) -> None:
        self._note("closes", place)


def transcript(game: Game, seed: int) -> list[str]:
    """Play a match of several games. Returns a line for everything that a seat was told or asked, and the record."""
    chance, notes = Random(seed), []
    seats = [
        Seated(f"P{seat}", f"p{seat}.c", Noting(chance, notes, MISTAKES / (1 + seat))) for seat in range(game.seats[1])
    ]
    preset = game.presets[seed % len(game.presets)].name
    match = play(
        game,
        seats,
        seed=seed,
        options=game.options(preset=preset),
        preset=preset,
        games=40 // game.seats[1] ** 2,
        on_event=_noting(notes),
    )
    return [*notes, repr(match.faults), dumps(match.record)]


def _noting(notes: list[str]) -> Callable[[Event], None]:
    return lambda event: notes.append(f"record {event['event']}")


def digest(lines: Sequence[str]) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


@pytest.mark.parametrize("slug", GAMES)
def test_everything_told_and_written_is_as_before(slug: str) -> None:
    lines = [transcript(get(slug), seed) for seed in SEEDS]
    assert any('"event":"fault"' in each[-1] for each in lines)
    assert tuple(map(digest, lines)) == DIGESTS[slug]


if __name__ == "__main__":
    print("\n".join(transcript(get(sys.argv[1]), int(sys.argv[2]))))
