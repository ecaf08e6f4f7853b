"""Tricky Eights: the 8th Annual Utah High School Programming Contest, 1998 (docs/contests.md)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

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
from games.options import DISQUALIFY, Length, Option, Preset, time_limit
from games.tricky_eights import words
from games.tricky_eights.house import HOUSE
from games.tricky_eights.rules import INDEX, PACK, SEATS, State
from games.tricky_eights.timing import ONE_FUNCTION
from games.tricky_eights.view import View
from games.tricky_eights.wire import LineWire


class TrickyEights(Game):
    slug = "tricky_eights"
    title = "Tricky Eights"
    tagline = "Take cards from the open pool, then play for tricks. Eights count extra. First to 300 points wins."
    seats = (4, 4)
    seat_names = SEATS
    pack = PACK
    presets = (
        Preset(
            name="utah-1998",
            title="Utah High School Programming Contest, 1998",
            options={"target": 300, "time_limit": 4, "disqualify": True},
            languages=("c", "cpp", "pascal"),
            memory_mb=4,
        ),
        Preset(
            name="open",
            title="Tricky Eights in any language",
            options={"target": 300, "time_limit": 4, "disqualify": True},
            languages=(),
            memory_mb=256,
        ),
    )
    lengths = (
        Length("full", "Full game, to 300 points"),
        Length("short", "Short game, to 100 points", {"target": 100}),
        Length("round", "One round", {"target": 1}),
    )
    option_fields = {
        "target": Option(
            "Points that end a game",
            "A game ends after the round in which a player reaches them.",
            1,
            100_000,
            "points",
        ),
        "time_limit": time_limit(
            "By the wall clock, for each line sent to a bot. Also for each of the six functions, in processor time that"
            " the kit measures."
        ),
        "disqualify": DISQUALIFY,
    }
    hand_word = "round"
    gain = 5.0
    log_name = "te.log"
    house = HOUSE
    turns = {"take": Turn("Takes", several=True)}
    public = frozenset({"game", "take", "play", "trick", "score", "result"})
    folder = files("games.tricky_eights")
    kit_sources = {
        "c": ("acm98.h", "acm98.c"),
        "cpp": ("acm98.h", "acm98.cpp", "acm98.c"),  # acm98.cpp includes acm98.c
        "pascal": ("acm98.pas",),
        "python": ("acm98.py",),
        "java": ("Acm98.java",),
        "go": ("acm98.go",),
        "javascript": ("acm98.js",),
        "rust": ("acm98.rs",),
        "perl": ("Acm98.pm",),
        "lua": ("acm98.lua",),
        "php": ("acm98.php",),
        "ruby": ("acm98.rb",),
        "tcl": ("acm98.tcl",),
        "haskell": ("Acm98.hs",),
        "scala": ("Acm98.scala",),
    }

    view = staticmethod(View)
    caption = staticmethod(words.caption)  # type: ignore[assignment]  # a game's own view
    log = staticmethod(words.log)

    def face(self, card: Card) -> Face | None:
        return cards.face(INDEX.get(card) if isinstance(card, str) else None)

    def start(self, options: Options, *, number: int = 1, opening: Opening = PLAIN) -> State:
        return State(options)

    def action(self, event: Event) -> Action:
        try:
            return INDEX[event["card"]]
        except (KeyError, TypeError):
            raise ValueError(f"{event.get('card')!r} is not a card") from None

    def packed(self, event: Event) -> Sequence[int]:
        hands, pool = event["hands"], event["pool"]
        if len(hands) != 4 or any(len(hand) != 10 for hand in hands):
            raise ValueError("there must be four hands of ten cards")
        names = [name for hand in hands for name in hand] + pool
        if sorted(names) != sorted(PACK):
            raise ValueError("the hands and the pool are not one pack of 52 cards")
        return [INDEX[name] for name in names]

    def wire(self, seat: Seat, options: Options, setting: Setting, previous: Wire | None = None) -> LineWire:
        return LineWire(seat, self.seconds(options, 1), setting.commons)

    def seconds(self, options: Options, lines: int) -> float:
        """Allow four seconds for each of the six functions that the lines call (docs/rulings.md, Tricky Eights 6)."""
        limit: float = options["time_limit"]
        return limit * lines

    def is_of_one_call(self, fault: Event) -> bool:
        detail: str = fault["detail"]
        return detail.endswith(ONE_FUNCTION)


GAME = TrickyEights()
