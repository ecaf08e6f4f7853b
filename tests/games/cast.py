"""Players for the tests of the games: scripted ones, and real bots with every bad habit."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from games import get
from games.debug import DebugLog
from games.engine import CHANCE, Action, Event, Fault, FaultKind, Game, Options, Seat, Setting, State
from games.players import Decision, HousePlayer, ProcessPlayer, Seated
from games.programs import LocalProgram

TRICKY = get("tricky_eights")
BOT = Path(__file__).parent / "bot.py"


class Scripted:
    """Decides by a script, which has an action or a fault for each of its decisions."""

    def __init__(self, script: Iterator[Action | Fault]) -> None:
        self.debug = DebugLog()
        self.script = script
        self.seen: list[Event] = []
        self.heard: list[int] = []  # the places at which its standard error was read
        self.closed = 0

    def introduce(self, game: Game) -> str:
        return ""

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        self.seat = seat

    def tell(self, event: Event) -> None:
        self.seen.append(event)

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        choice = next(self.script)
        if isinstance(choice, Fault):
            raise choice
        return Decision(choice, 0.125, None, b"as scripted")

    def flush(self) -> None: ...

    def listen(self, place: int) -> None:
        self.heard.append(place)

    def settle(self, place: int) -> float:
        return 0.0

    def finish(self) -> None: ...

    def close(self, place: int, grace: float = 1.0) -> None:
        self.closed += 1


class FirstLegal(Scripted):
    """The first legal action; a fault at the given decisions (from 1)."""

    def __init__(self, faults: dict[int, Fault | Action] | None = None) -> None:
        super().__init__(iter(()))
        self.faults = faults or {}
        self.decisions = 0

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        self.decisions += 1
        self.script = iter([self.faults.get(self.decisions, legal()[0])])
        return super().decide(legal, place)


def seats(*players: Any) -> list[Seated]:
    return [Seated(f"P{number}", f"p{number}.c", player) for number, player in enumerate(players)]


def house(game: Game = TRICKY, name: str = "random") -> HousePlayer:
    return HousePlayer(next(house for house in game.house if house.name == name))


def fault(kind: FaultKind = FaultKind.CRASH, detail: str = "exited with status 1 without an answer") -> Fault:
    return Fault(kind, detail)


def bot(habit: str = "good", at: int = 1, *, startup: float = 60.0) -> ProcessPlayer:
    """tests/games/bot.py as a real process: it plays legally except for its habit, at decision `at`."""
    return ProcessPlayer(LocalProgram([sys.executable, "-I", "-S", "-u", str(BOT), habit, str(at)]), startup=startup)


class Dealer:
    """A game that has just begun, and its packs as the referee deals them."""

    def __init__(self, game: Game, seed: int, options: Options | None = None, number: int = 1) -> None:
        self.game, self.seed = game, seed
        self.opening = game.opening(seed, number, game.seats[1])
        self.state = game.start(options or game.options(), number=number, opening=self.opening)
        self.packs = 0
        self.pack: Sequence[int] = ()

    def deal(self) -> list[Event]:
        dealt = self.game.dealt(self.state)
        if not dealt:
            self.packs += 1
            self.pack = self.game.shuffle(self.seed, self.packs, self.opening)
        return list(self.state.deal(self.pack[dealt:]))


def playout(game: Game, seed: int, options: Options | None = None, limit: int = 100_000) -> tuple[State, list[Event]]:
    """A game of random legal decisions, and its events without the result."""
    chance = Random(seed)
    dealer = Dealer(game, seed, options)
    state = dealer.state
    events: list[Event] = []
    for _ in range(limit):
        if state.turn == CHANCE:
            events += dealer.deal()
        elif state.turn < 0:
            return state, events
        else:
            action = chance.choice(list(state.legal()))
            events.append(state.event(action))
            events += state.apply(action)
    raise AssertionError(f"{game.slug} does not end within {limit} steps")


def without_times(record: dict[str, Any]) -> dict[str, Any]:
    """The parts of a record that follow from seed and answers."""
    events = [{key: value for key, value in event.items() if key not in ("ms", "cpu_ms")} for event in record["events"]]
    return {**record, "events": events}


def descriptors() -> set[tuple[str, str]]:
    """The numbers and the names of what this process has open.

    Look for what is new with `-`, never whether they are the same: what an earlier test forgot may be closed by the
    garbage collector at any moment. A number that is used again then has another name.
    """
    found = set()
    for number in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):  # closed meanwhile, as this listing itself
            found.add((number, os.readlink(f"/proc/self/fd/{number}")))
    return found
