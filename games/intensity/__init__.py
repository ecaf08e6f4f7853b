"""Intensity: an assignment of COMP1511, 2018 (docs/contests.md)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

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
)
from games.intensity import words
from games.intensity.house import HOUSE, RANDOM_FOUR
from games.intensity.rules import BUFFALO, FIRST, HAND, LAST, PACK, SEATS, State
from games.intensity.view import View
from games.intensity.wire import NAME, TEST, QuestionWire, bare, read_name
from games.options import Option, Preset, time_limit

GROUPS = ("", "tens", "twenties", "thirties", "forties")


class Intensity(Game):
    slug = "intensity"
    title = "Intensity"
    tagline = "Pass three cards on, then avoid the calves and, above all, the buffalo. Lowest score wins."
    seats = (4, 4)
    seat_names = SEATS
    pack = PACK
    presets = (
        Preset(
            name="comp1511-2018",
            title="COMP1511 assignment “Intensity”, 2018",
            options={"time_limit": 30, "fine": 5},
            languages=("c",),
            memory_mb=64,
        ),
        Preset(
            name="open",
            title="Intensity in any language",
            options={"time_limit": 30, "fine": 5},
            languages=(),
            memory_mb=256,
        ),
    )
    option_fields = {
        "time_limit": time_limit("For each question."),
        "fine": Option("Points for a fault", "Penalty points for every answer that breaks a rule.", 0, 1000, "points"),
    }
    hand_word = ""
    trick_word = "round"
    counts = "penalty points"
    house = HOUSE
    turns = {"pass": Turn("Passes")}
    low_wins = True
    gain = 1.0
    log_name = "intensity.log"
    protocol = "question"
    introduction = bare(NAME)
    unit_tests = bare(TEST)
    simultaneous = frozenset({"pass"})
    fillers = RANDOM_FOUR
    public = frozenset({"game", "play", "trick", "score", "result"})
    folder = files("games.intensity")
    kit_sources = {
        "c": (),
        "cpp": ("intensity_kit.hpp",),
        "pascal": ("intensity_kit.pas",),
        "python": ("intensity_kit.py",),
        "java": ("IntensityKit.java",),
        "go": ("intensity_kit.go",),
        "javascript": ("intensity_kit.js",),
        "rust": ("intensity_kit.rs",),
        "perl": ("IntensityKit.pm",),
        "lua": ("intensity_kit.lua",),
        "php": ("intensity_kit.php",),
        "ruby": ("intensity_kit.rb",),
        "tcl": ("intensity_kit.tcl",),
        "haskell": ("IntensityKit.hs",),
        "scala": ("IntensityKit.scala",),
    }

    read_name = staticmethod(read_name)
    view = staticmethod(View)
    caption = staticmethod(words.caption)  # type: ignore[assignment]  # a game's own view
    log = staticmethod(words.log)

    def start(self, options: Options, *, number: int = 1, opening: Opening = PLAIN) -> State:
        return State(options)

    def action(self, event: Event) -> Action:
        cards = event.get("cards") if event["event"] == "pass" else [event.get("card")]
        if not isinstance(cards, list) or any(type(card) is not int for card in cards):
            raise ValueError(f"{event} holds no cards")
        return tuple(cards) if event["event"] == "pass" else cards[0]

    def packed(self, event: Event) -> Sequence[int]:
        hands = event["hands"]
        if len(hands) != len(SEATS) or any(len(hand) != HAND for hand in hands):
            raise ValueError("there must be four hands of ten cards")
        cards = [card for hand in hands for card in hand]
        if any(type(card) is not int for card in cards) or sorted(cards) != list(range(FIRST, LAST + 1)):
            raise ValueError(f"the hands are not the cards {FIRST} to {LAST}")
        return [card - FIRST for card in cards]

    def wire(self, seat: Seat, options: Options, setting: Setting, previous: object = None) -> QuestionWire:
        return QuestionWire(seat)

    def face(self, card: Card) -> Face | None:
        number = int(card) if isinstance(card, int) or card in PACK else 0
        if not FIRST <= number <= LAST:
            return None
        group = GROUPS[number // 10]
        kind = "buffalo" if number == BUFFALO else "calf" if group == "thirties" else group
        return Face(f"{number}", kind, words.card_words(number), group, number)


GAME = Intensity()
