"""Barracuda: the Barracuda Networks contest at the University of Michigan, January 2014 (docs/contests.md)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from types import MappingProxyType

from games.barracuda import rules, wire, words
from games.barracuda.house import HOUSE
from games.barracuda.rules import DEALT, HANDS, PACK, SEATS, State
from games.barracuda.view import View
from games.engine import (
    PLAIN,
    Event,
    Game,
    Opening,
    Options,
    Seat,
    Setting,
    Wire,
)
from games.options import Length, Option, Preset, Server, seconds

SEED_OPTIONS = {"target": 10, "clock": 2, "bonus": 0.05, "bonus_moves": 100, "games_to_win": 21, "lead": 5}
MOST_GAMES = 999
SERVER = Server("cuda.contest", (9999, 19999))
"""The contest server and its test port, as the rules of 2014 name them."""


class Barracuda(Game):
    slug = "barracuda"
    title = "Barracuda"
    tagline = "Five cards each, tricks without suits, and a challenge that stakes the whole game on one hand."
    seats = (2, 2)
    seat_names = SEATS
    pack = PACK
    presets = (
        Preset(
            name="barracuda-2014",
            title="Barracuda Networks contest at the University of Michigan, 2014",
            options=SEED_OPTIONS,
            languages=(
                *("c", "cpp", "go", "haskell", "java", "javascript"),
                *("lua", "perl", "php", "python", "scala", "tcl"),
            ),
            memory_mb=256,
            server=SERVER,
        ),
        Preset(
            name="open",
            title="Barracuda in any language",
            options=SEED_OPTIONS,
            languages=(),
            memory_mb=256,
            server=SERVER,
        ),
    )
    lengths = (
        Length("full", "Full game, to 10 points"),
        Length("short", "Short game, to 5 points", {"target": 5}),
        Length("hand", "One hand, unless nobody scores", {"target": 1}),
    )
    option_fields = {
        "target": Option("Points that win a game", "A challenge may end the game sooner.", 1, 100, "points"),
        "clock": seconds("Clock, in seconds", "For all decisions of a game together.", 0.01),
        "bonus": seconds("Seconds earned by an answer", "Added to the clock for each accepted answer.", 0),
        "bonus_moves": Option("Answers that earn time", "In each game. Later answers earn none.", 0, 10_000, "answers"),
        "games_to_win": Option("Games that win a round", "", 1, MOST_GAMES, "games"),
        "lead": Option("Lead that wins a round", "In games.", 1, MOST_GAMES, "games"),
        "games": Option("Games in a round", "Exactly this many, whoever wins them.", 1, MOST_GAMES, "games"),
    }
    counts = "games"
    counts_games = True
    log_name = "barracuda.log"
    house = HOUSE
    practice = "test_bot"
    costs = MappingProxyType({"forfeit": "trick", "reject": "point"})
    protocol = "socket"
    lasting = True
    decides = True
    announces = True
    public = frozenset({"game", "play", "challenge", "accept", "reject", "forfeit", "trick", "score", "result"})
    folder = files("games.barracuda")
    kit_sources = {
        "c": ("barracuda.h", "barracuda.c"),
        "cpp": ("barracuda.hpp", "barracuda.cpp"),
        "pascal": ("barracuda.pas",),
        "python": ("barracuda.py",),
        "java": ("Barracuda.java",),
        "go": ("barracuda.go",),
        "javascript": ("barracuda.js",),
        "rust": ("barracuda.rs",),
        "haskell": ("Barracuda.hs",),
        "perl": ("Barracuda.pm",),
        "lua": ("barracuda.lua",),
        "php": ("barracuda.php",),
        "ruby": ("barracuda.rb",),
        "tcl": ("barracuda.tcl",),
        "scala": ("Barracuda.scala",),
    }

    action = staticmethod(rules.action)
    packed = staticmethod(rules.packed)
    view = staticmethod(View)
    greeting = staticmethod(wire.greeting)
    refusal = staticmethod(wire.refusal)
    ending = staticmethod(words.ending)
    caption = staticmethod(words.caption)  # type: ignore[assignment]  # a game's own view

    def opening(self, seed: int, number: int, players: int) -> Opening:
        """Keep the players in their seats and let them take turns at leading (docs/rulings.md, Barracuda 2)."""
        return {"leader": (number - 1) % players}

    def start(self, options: Options, *, number: int = 1, opening: Opening = PLAIN) -> State:
        leader = opening.get("leader", (number - 1) % len(SEATS))
        if type(leader) is not int or leader not in range(len(SEATS)):
            raise ValueError(f"{leader!r} cannot lead")
        return State(options, leader)

    def dealt(self, state: State) -> int:  # type: ignore[override]  # a game's own state
        """Deal ten hands from one shuffle (docs/rulings.md, Barracuda 1)."""
        return state.number % HANDS * DEALT

    def decided(self, options: Options, scores: Sequence[int], played: int, result: Event) -> bool:
        """End a round at 21 games won or a lead of five (docs/rulings.md, Barracuda 4), or after the number asked
        for."""
        if "games" in options:
            return bool(played >= options["games"])
        return bool(max(scores) >= options["games_to_win"] or max(scores) - min(scores) >= options["lead"])

    def with_games(self, options: Options, games: int) -> Options:
        return self.options({**options, "games": games})

    def wire(self, seat: Seat, options: Options, setting: Setting, previous: Wire | None = None) -> wire.JsonWire:
        return wire.JsonWire(seat, options, setting)

    def points(self, result: Event) -> list[int]:
        """Count games won."""
        return [int(seat == result["winner"]) for seat in range(len(SEATS))]

    def seconds(self, options: Options, lines: int) -> float:
        """Return what a bot has at the start of a game. One clock runs for all its decisions."""
        return float(options["clock"])

    def log(self, record: Event, events: Sequence[Event]) -> str:
        return words.log(record, events, self.see)


GAME = Barracuda()
