"""Even Steven: an interactive judged problem by Bob Walton, 2009 (docs/contests.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from games import cards, rng
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
)
from games.even_steven import words
from games.even_steven.house import HOUSE
from games.even_steven.judge import CORRECT, SAMPLE, first_failure, parse_games, verdict_of, verdicts
from games.even_steven.rules import (
    AFTER_FAULT,
    INDEX,
    MODULUS,
    MOST,
    PACK,
    SEATS,
    State,
    View,
    deal_of,
    suit_major,
)
from games.even_steven.wire import LineWire
from games.events import own_part
from games.options import Preset, time_limit


class EvenSteven(Game):
    slug = "even_steven"
    title = "Even Steven"
    tagline = "Cover every card dealt with one at least as high, and lose only games that nobody could win."
    seats = (1, 1)
    seat_names = SEATS
    pack = PACK
    presets = (
        Preset(
            name="bospre-2009",
            title="Even Steven, 2009",
            options={"time_limit": 5},
            languages=("c", "cpp", "java", "python"),
            memory_mb=256,
        ),
        Preset(
            name="open",
            title="Even Steven in any language",
            options={"time_limit": 5},
            languages=(),
            memory_mb=256,
        ),
    )
    house = HOUSE
    lasting = True
    announces = True
    public = frozenset({"deal", "play"})
    folder = files("games.even_steven")
    log_name = "evensteven.log"
    option_fields = {"time_limit": time_limit("For each answer.")}
    hand_word = ""
    trick_word = "card"
    counts = "games"
    counts_games = True
    sample = tuple(parse_games(SAMPLE))
    kit_sources = {
        "c": ("steven.h",),
        "cpp": ("steven.h",),
        "pascal": ("steven.pas",),
        "python": ("steven.py",),
        "java": ("Steven.java",),
        "go": ("steven.go",),
        "javascript": ("steven.js",),
        "rust": ("steven.rs",),
        "perl": ("Steven.pm",),
        "lua": ("steven.lua",),
        "php": ("steven.php",),
        "ruby": ("steven.rb",),
        "tcl": ("steven.tcl",),
        "haskell": ("Steven.hs",),
        "scala": ("Steven.scala",),
    }

    first_failure = staticmethod(first_failure)
    read_openings = staticmethod(parse_games)
    view = staticmethod(View)
    caption = staticmethod(words.caption)  # type: ignore[assignment]  # a game's own view
    log = staticmethod(words.log)

    def opening(self, seed: int, number: int, players: int) -> Opening:
        """Return a line of the dealer's input. The referee never decides in this game, so its choice is free for
        this."""
        word = rng.choice(seed, 0, number, MOST * (MODULUS - 1))
        return {"seed": 1 + word // MOST, "cards": 1 + word % MOST}

    def start(self, options: Options, *, number: int = 1, opening: Opening = PLAIN) -> State:
        return State(opening)

    def shuffle(self, seed: int, number: int, opening: Opening) -> Sequence[int]:
        """Shuffle by the game's own seed, whatever the match's."""
        return deal_of(opening["seed"], opening["cards"]).pack

    def decided(self, options: Options, scores: Sequence[int], played: int, result: Event) -> bool | None:
        """End the match at a fault, but not at a lost game."""
        return True if result["verdict"] in AFTER_FAULT.values() else None

    def failed(self, result: Mapping[str, Any], events: Sequence[Event]) -> bool:
        """Whether the entry is judged wrong."""
        return verdict_of(events) != CORRECT

    def judgement(self, result: Mapping[str, Any], events: Sequence[Event]) -> str:
        return verdict_of(events)

    def tally(self, events: Sequence[Event]) -> str:
        return words.tally(verdicts(events))

    def write_opening(self, opening: Opening) -> str:
        return f"{opening['cards']} {opening['seed']}"

    def face(self, card: Card) -> Face | None:
        """Cards are held by value, because suits have no effect."""
        place = INDEX.get(card) if isinstance(card, str) else None
        face = cards.face(None if place is None else suit_major(place))
        return None if face is None or place is None else replace(face, group="", strength=place)

    def action(self, event: Event) -> Action:
        try:
            return INDEX[event["card"]]
        except (KeyError, TypeError):
            raise ValueError(f"{event.get('card')!r} is not a card") from None

    def packed(self, event: Event) -> Sequence[int]:
        (hand,), stock = event["hands"], event["stock"]
        dealt = [INDEX[name] for name in [*hand, *stock]]
        if len(hand) != len(stock) or len(set(dealt)) < len(dealt):
            raise ValueError("there must be as many cards to cover as in the hand, all of them different")
        return [*dealt, *(card for card in range(len(PACK)) if card not in dealt)]

    def see(self, event: Event, seat: Seat | None) -> Event | None:
        """The player is told its hand, each card when it is dealt, and whether it won, but not whether it had to lose.

        The cards to come are secret, and so is the seed that deals them. What exactly a bot did wrong is its own
        affair.
        """
        kind = event["event"]
        if kind == "game":
            return {key: value for key, value in event.items() if key != "seed"}
        if kind == "hand":
            return {key: value for key, value in own_part(event, seat).items() if key != "stock"}
        if kind == "result" and seat == 0 and event["verdict"].startswith("lose"):
            return {key: value for key, value in event.items() if key != "verdict"}
        return own_part(event, seat)

    def wire(self, seat: Seat, options: Options, setting: Setting, previous: object = None) -> LineWire:
        return previous if isinstance(previous, LineWire) else LineWire()


GAME = EvenSteven()
