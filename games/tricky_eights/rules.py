"""The rules of Tricky Eights ("The Game", "Restrictions" in the Utah problem; docs/rulings.md, Tricky Eights 1 … 3).

An action is a card, 0 … 51 (games.cards), both when taking from the pool and when playing. `legal` lists cards in the
order of the pack, clubs, diamonds, hearts, spades, each from two to ace, whatever the order of the deal. The choice of
a card by its place in the list then means the same to everybody. Lists in the record are as the bot sees them: ten
cards and the pool in the order of the deal, then the cards taken in the order of the takes.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.cards import BIT, EIGHT, IN_SUIT, SUIT_MASK, SUITS, mask, suit_of
from games.cards import CARDS as ALL_CARDS
from games.engine import CHANCE, OVER, Action, Event, Options
from games.trick_rules import LED, TOP, TrickRules

SEATS = ("north", "east", "south", "west")
LETTERS = "nesw"
PACK = tuple(suit + face for suit in "cdhs" for face in "23456789tjqka")
INDEX = {name: card for card, name in enumerate(PACK)}

HAND, POOL, TRICKS = 10, 12, 13
WORTH = tuple(2 if card % 13 == EIGHT else 0 for card in ALL_CARDS)
"""What a card adds to the trick in which it is taken."""

_CLUBS, _DIAMONDS, _HEARTS, _SPADES = SUIT_MASK
_NEXT = (1, 2, 3, 0)
_NOTHING: tuple[Event, ...] = ()


def trick_worth(number: int) -> int:
    """Return the points of a trick itself: three for the first and the last of the thirteen, one for the others."""
    return 3 if number in (1, TRICKS) else 1


class State(TrickRules):
    """The rules of one game. Sets of cards are bit masks, and no step looks at more than the trick on the table."""

    __slots__ = (
        "_best",
        "_led",
        "_target",
        "_top",
        "_waiting",
        "_winner",
        "_worth",
        "pool",
        "trick",
    )  # fmt: skip

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.pool = 0
        self.trick = 0  # its number; 0 during the takes
        self._target: int = options["target"]
        self._led = 0  # the suit led as a set of cards; 0 before a card is led
        self._top = self._best = self._winner = self._worth = self._waiting = 0

    def deal(self, pack: Sequence[int]) -> Sequence[Event]:
        """Deal the first ten cards of the pack to north, and so on. The last twelve are the pool."""
        self.number += 1
        self.turn = dealer = (self.number - 1) % 4
        self.hands = [mask(pack[first : first + HAND]) for first in (0, 10, 20, 30)]
        self.pool = mask(pack[40:])
        self.points = [0, 0, 0, 0]
        self.trick = 0
        names = [PACK[card] for card in pack]
        hands = [names[:10], names[10:20], names[20:30], names[30:40]]
        return ({"event": "hand", "number": self.number, "dealer": dealer, "hands": hands, "pool": names[40:]},)

    def legal(self) -> Sequence[Action]:
        if self.turn < 0:
            return ()
        cards = self.pool
        if not cards:
            cards = self.hands[self.turn]
            follow = cards & self._led
            if follow:
                return IN_SUIT[follow]
        return (
            IN_SUIT[cards & _CLUBS] + IN_SUIT[cards & _DIAMONDS] + IN_SUIT[cards & _HEARTS] + IN_SUIT[cards & _SPADES]
        )

    def is_legal(self, action: Action) -> bool:
        if type(action) is not int or not 0 <= action < 52 or self.turn < 0:
            return False
        cards = self.pool
        if not cards:
            cards = self.hands[self.turn]
            cards = cards & self._led or cards
        return cards >> action & 1 == 1

    def objection(self, action: Action) -> str:
        name = PACK[action] if type(action) is int and 0 <= action < 52 else repr(action)
        if self.pool:
            return f"wanted to take {name}, which is not in the pool"
        hand = self.hands[self.turn]
        if name not in INDEX or not hand & BIT[INDEX[name]]:
            return f"wanted to play {name}, which it does not hold"
        held = IN_SUIT[hand & self._led]
        return f"played {name}, but had to follow suit: {SUITS[suit_of(held[0])]} were led and it held " + ", ".join(
            PACK[card] for card in held
        )

    def event(self, action: Action) -> Event:
        card: int = action  # type: ignore[assignment]
        return {"event": "take" if self.pool else "play", "seat": self.turn, "card": PACK[card]}

    def apply(self, action: Action) -> Sequence[Event]:
        card: int = action  # type: ignore[assignment]
        seat = self.turn
        self.turn = _NEXT[seat]
        if self.pool:  # twelve takes, three rounds: the turn comes back to the dealer, who leads
            self.pool ^= BIT[card]
            self.hands[seat] |= BIT[card]
            return _NOTHING
        self.hands[seat] ^= BIT[card]
        if not self._led:
            self.trick += 1
            self._led = LED[card]
            self._top = TOP[card]
            self._best = card
            self._winner = seat
            self._worth = WORTH[card]
            self._waiting = 3
            return _NOTHING
        self._worth += WORTH[card]
        if self._best < card <= self._top:
            self._best = card
            self._winner = seat
        self._waiting -= 1
        if self._waiting:
            return _NOTHING
        return self._end_trick()

    def _end_trick(self) -> Sequence[Event]:
        winner = self.turn = self._winner
        worth = self._worth + trick_worth(self.trick)
        self.points[winner] += worth
        self._led = 0
        event = {"event": "trick", "winner": winner, "points": worth}
        if self.trick < TRICKS:
            return (event,)
        self.totals = [total + points for total, points in zip(self.totals, self.points, strict=True)]
        best = max(self.totals)
        self.turn = OVER if best >= self._target and self.totals.count(best) == 1 else CHANCE
        return (event, {"event": "score", "hand": self.points, "total": self.totals})
