"""Hearts: the MacTech Programmer's Challenge of October 1998 (docs/contests.md)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from itertools import permutations

from games import cards
from games.engine import (
    PLAIN,
    Action,
    Card,
    Event,
    Face,
    Game,
    Opening,
    Options,
    Seat,
    Setting,
    Turn,
    Wire,
)
from games.hearing import Hearing
from games.hearts import words
from games.hearts.house import HOUSE
from games.hearts.rules import HAND, INDEX, PACK, SEATS, State
from games.hearts.view import View
from games.hearts.wire import RoutineWire
from games.options import DISQUALIFY, Length, Option, Preset, time_limit
from games.passes import PASSED

SEATINGS = tuple(map(list, permutations(range(4))))
"""The players in the seats, by the number of the game: after 24 games everybody has met everybody in every seat."""

_OPTIONS = {"target": 100, "time_limit": 5, "disqualify": True}

POINTS_PER_MS = 1
"""The default, for processor time ("The score will be …"; docs/rulings.md, Hearts 5)."""


class Hearts(Game):
    slug = "hearts"
    title = "Hearts"
    tagline = "Avoid the hearts and the queen of spades, or take them all."
    tagline_of_contests = "Every millisecond costs a point."
    seats = (4, 4)
    seat_names = SEATS
    pack = PACK
    presets = (
        Preset(
            name="mactech-1998",
            title="MacTech Programmer's Challenge, October 1998",
            options=_OPTIONS,
            languages=("c", "cpp", "pascal"),
            memory_mb=64,
        ),
        Preset(
            name="open",
            title="Hearts in any language",
            options=_OPTIONS,
            languages=(),
            memory_mb=256,
        ),
    )
    lengths = (
        Length("full", "Full game, to 100 points"),
        Length("short", "Short game, to 50 points", {"target": 50}),
        Length("hand", "One hand", {"target": 1}),
    )
    option_fields = {
        "target": Option(
            "Points that end a game", "A game ends after the hand in which a player reaches them.", 1, 30_000, "points"
        ),
        "time_limit": time_limit("By the wall clock, for each answer."),
        "disqualify": DISQUALIFY,
        "points_per_ms": Option(
            "Points for each millisecond",
            "Of a bot's own processor time. With 0, the time is measured but costs nothing.",
            *(0, 1000, "points"),
            whole=False,
            default=POINTS_PER_MS,
        ),
    }
    house = HOUSE
    turns = {"pass": Turn("Passes")}
    low_wins = True
    gain = 8.0
    log_name = "hearts.log"
    protocol = "routines"
    lasting = True
    exact_cpu = True
    simultaneous = frozenset({"pass"})
    fillers = ("avoider", "avoider", "avoider")
    public = frozenset({"game", "play", "trick", "score", "result"})
    folder = files("games.hearts")
    kit_sources = {
        "c": ("mactech98.h", "mactech98.c"),
        "cpp": ("mactech98.h", "mactech98.cpp", "mactech98.c"),  # mactech98.cpp includes mactech98.c
        "pascal": ("mactech98.pas",),
        "python": ("mactech98.py",),
        "java": ("Mactech98.java",),
        "go": ("mactech98.go",),
        "javascript": ("mactech98.js",),
        "rust": ("mactech98.rs",),
        "perl": ("Mactech98.pm",),
        "lua": ("mactech98.lua",),
        "php": ("mactech98.php",),
        "ruby": ("mactech98.rb",),
        "tcl": ("mactech98.tcl",),
        "haskell": ("Mactech98.hs",),
        "scala": ("Mactech98.scala",),
    }

    view = staticmethod(View)
    caption = staticmethod(words.caption)  # type: ignore[assignment]  # a game's own view

    def face(self, card: Card) -> Face | None:
        return cards.face(INDEX.get(card) if isinstance(card, str) else None)

    def opening(self, seed: int, number: int, players: int) -> Opening:
        """Go through the 24 seatings in order, again and again."""
        return {"seating": SEATINGS[(number - 1) % len(SEATINGS)]}

    def start(self, options: Options, *, number: int = 1, opening: Opening = PLAIN) -> State:
        return State(options)

    def action(self, event: Event) -> Action:
        try:
            if event["event"] != "pass":
                return INDEX[event["card"]]
            passed = tuple(INDEX[name] for name in event["cards"])
        except (KeyError, TypeError):
            raise ValueError(f"{event.get('card', event.get('cards'))!r} are no cards") from None
        if len(passed) != PASSED:
            raise ValueError(f"{len(passed)} cards are passed, not {PASSED}")
        return passed

    def packed(self, event: Event) -> Sequence[int]:
        hands = event["hands"]
        if len(hands) != 4 or any(len(hand) != HAND for hand in hands):
            raise ValueError("there must be four hands of thirteen cards")
        names = [name for hand in hands for name in hand]
        if sorted(names) != sorted(PACK):
            raise ValueError("the hands are not one pack of 52 cards")
        return [INDEX[name] for name in names]

    def wire(self, seat: Seat, options: Options, setting: Setting, previous: Wire | None = None) -> RoutineWire:
        return RoutineWire(seat, options["target"], setting, first=previous is None)

    def penalty(self, options: Options, cpu_ms: float) -> float:
        """Charge one point for each millisecond, unless the options say otherwise."""
        return float(options.get("points_per_ms", POINTS_PER_MS) * cpu_ms)

    def fair_games(self) -> int:
        return len(SEATINGS)

    def log(self, record: Event, events: Sequence[Event]) -> str:
        return words.log(record, events, lambda wires: Hearing(self, [(seat, it.tell) for seat, it in wires.items()]))


GAME = Hearts()
