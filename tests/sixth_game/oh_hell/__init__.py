"""Oh Hell, reduced to what a test needs: four players bid how many tricks they will take, then play. Spades are trump.

This game lives outside the portal's own tree. The portal needs only this folder, and the name of this package in
KIBITZ_GAMES.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from oh_hell.house import Counter
from oh_hell.rules import HAND, INDEX, PACK, SEATS, State
from oh_hell.view import View
from oh_hell.wire import LineWire
from oh_hell.words import caption, log

from games import cards
from games.engine import (
    PLAIN,
    Action,
    Card,
    Event,
    Face,
    Game,
    House,
    Opening,
    Options,
    Seat,
    Setting,
    Turn,
    Wire,
)
from games.events import DECISIONS, FIELDS
from games.options import DISQUALIFY, Option, Preset, time_limit
from games.random_player import RandomPlayer

OPTIONS = {"hands": 4, "time_limit": 2, "disqualify": True}


class OhHell(Game):
    slug = "oh_hell"
    title = "Oh Hell"
    tagline = "Say how many tricks you will take, and take exactly so many."
    seats = (4, 4)
    seat_names = SEATS
    pack = PACK
    presets = (Preset(name="open", title="Oh Hell in any language", options=OPTIONS, languages=(), memory_mb=256),)
    option_fields = {
        "hands": Option("Hands of a game", "", 1, 20, "hands"),
        "time_limit": time_limit("For each answer."),
        "disqualify": DISQUALIFY,
    }
    events = {**FIELDS, "bid": ("seat", "bid")}
    decisions = DECISIONS | {"bid"}
    turns = {"bid": Turn("Bids")}
    house = (
        House("random", "random", "Bids and plays anything that the rules allow.", RandomPlayer),
        House("counter", "simple-minded", "Bids its high cards and plays high until it has its bid.", Counter),
    )
    log_name = "ohhell.log"
    public = frozenset({"game", "bid", "play", "trick", "score", "result"})
    folder = files("oh_hell")
    kit_sources = {"python": ("oh_hell_kit.py",)}

    view = staticmethod(View)
    caption = staticmethod(caption)  # type: ignore[assignment]  # a game's own view
    log = staticmethod(log)

    def face(self, card: Card) -> Face | None:
        return cards.face(INDEX.get(card) if isinstance(card, str) else None)

    def start(self, options: Options, *, number: int = 1, opening: Opening = PLAIN) -> State:
        return State(options)

    def action(self, event: Event) -> Action:
        if event["event"] == "bid":
            return ("bid", event["bid"])
        try:
            return INDEX[event["card"]]
        except (KeyError, TypeError):
            raise ValueError(f"{event.get('card')!r} is not a card") from None

    def packed(self, event: Event) -> Sequence[int]:
        dealt = [INDEX[name] for hand in event["hands"] for name in hand]
        if len(set(dealt)) != 4 * HAND or any(len(hand) != HAND for hand in event["hands"]):
            raise ValueError(f"there must be four hands of {HAND} different cards")
        return [*dealt, *(card for card in range(len(PACK)) if card not in dealt)]

    def wire(self, seat: Seat, options: Options, setting: Setting, previous: Wire | None = None) -> LineWire:
        return LineWire(seat)


GAME = OhHell()
