"""The rules of Hearts (the Hearts challenge with its answers A1 … A7; docs/rulings.md, Hearts 1 … 4 and 7).

An action is a card, 0 … 51 (games.cards), or in a pass three different cards in the order in which they are passed: the
k-th takes the place of the k-th card that its new owner passed. `legal` lists cards in the order of the pack, clubs,
diamonds, hearts, spades, each from two to ace, and passes as sets: any order of the three is legal. Hands in the record
are as the bot sees them, in the order of the deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.cards import BIT, CARDS, HEARTS, IN_SUIT, SUIT_MASK, SUITS, listed, mask, suit_of
from games.engine import CHANCE, OVER, Action, Event, Options, Seat
from games.passes import PASSED, Passes
from games.trick_rules import LED, TOP, TrickRules

SEATS = ("seat 0", "seat 1", "seat 2", "seat 3")
PACK = tuple(
    face + suit for suit in "CDHS" for face in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
)
INDEX = {name: card for card, name in enumerate(PACK)}

HAND = TRICKS = 13
PASSES = ("left", "right", "across", "none")
"""The directions of the passes in a game, hand by hand."""
STEP = {"left": 1, "right": 3, "across": 2, "none": 0}
"""How many seats clockwise the cards of a pass go."""

TWO_OF_CLUBS, QUEEN = INDEX["2C"], INDEX["QS"]
QUEEN_WORTH = 13
ALL_POINTS = 26
WORTH = tuple(QUEEN_WORTH if card == QUEEN else 1 if suit_of(card) == HEARTS else 0 for card in CARDS)
"""The points for taking each card."""

_CLUBS, _DIAMONDS, _HEARTS, _SPADES = SUIT_MASK
_FIRST_HEART = INDEX["2H"]
"""Cards below this one are worth nothing."""
POINT_CARDS = _HEARTS | BIT[QUEEN]
_ALL = mask(CARDS)
_FIRST = BIT[TWO_OF_CLUBS], BIT[TWO_OF_CLUBS]
_UNBROKEN = _ALL & ~POINT_CARDS, _ALL & ~_HEARTS
_BROKEN = _ALL, _ALL
"""Before a card is led: a player who holds a card of the first set may lead only cards of the second."""

_NEXT = (1, 2, 3, 0)
_NOTHING: tuple[Event, ...] = ()

Three = tuple[int, int, int]


class State(TrickRules):
    """The rules of one game. Sets of cards are bit masks, and no step looks at more than the trick on the table."""

    __slots__ = (
        "_best",
        "_free",
        "_given",
        "_leader",
        "_leads",
        "_led",
        "_target",
        "_top",
        "_winner",
        "_worth",
        "passing",
        "trick",
    )  # fmt: skip

    low_wins = True

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.passing = 0  # how many seats clockwise the cards go; 0 when nothing is left to be passed
        self.trick = 0  # its number; 0 before the first lead
        self._given: list[int] = []  # sets of passed cards, by seat, until everybody has chosen
        self._target: int = options["target"]
        self._led = 0  # the suit led as a set of cards; 0 before a card is led
        self._free, self._leads = _FIRST
        self._top = self._best = self._winner = self._worth = self._leader = 0

    def deal(self, pack: Sequence[int]) -> Sequence[Event]:
        """Deal the first thirteen cards of the pack to seat 0, and so on."""
        direction = PASSES[self.number % 4]
        self.number += 1
        first, second, third = mask(pack[:13]), mask(pack[13:26]), mask(pack[26:39])
        self.hands = [first, second, third, _ALL ^ first ^ second ^ third]
        self.points = [0, 0, 0, 0]
        self.trick = 0
        self._free, self._leads = _FIRST
        self.passing = STEP[direction]
        self.turn = 0 if self.passing else self._opener()
        names = list(map(PACK.__getitem__, pack))
        hands = [names[:13], names[13:26], names[26:39], names[39:]]
        return ({"event": "hand", "number": self.number, "hands": hands, "pass": direction},)

    def _opener(self) -> Seat:
        """Return the seat that holds the two of clubs."""
        seat = 0
        while not self.hands[seat] & BIT[TWO_OF_CLUBS]:
            seat += 1
        return seat

    def legal(self) -> Sequence[Action]:
        turn, led = self.turn, self._led
        if turn < 0:
            return ()
        cards = self.hands[turn]
        if led:
            follow = cards & led
            if follow:
                return IN_SUIT[follow]
        elif self.passing:
            return Passes(listed(cards))
        elif cards & self._free:
            cards &= self._leads
        return (
            IN_SUIT[cards & _CLUBS] + IN_SUIT[cards & _DIAMONDS] + IN_SUIT[cards & _HEARTS] + IN_SUIT[cards & _SPADES]
        )

    def is_legal(self, action: Action) -> bool:
        if self.turn < 0:
            return False
        if self.passing:
            return self._is_pass(action)
        if type(action) is not int or not 0 <= action < 52:
            return False
        cards = self.hands[self.turn]
        if self._led:
            cards = cards & self._led or cards
        elif cards & self._free:
            cards &= self._leads
        return cards >> action & 1 == 1

    def _is_pass(self, action: Action) -> bool:
        if type(action) is not tuple or len(action) != PASSED or len(set(action)) != PASSED:
            return False
        hand = self.hands[self.turn]
        return all(type(card) is int and 0 <= card < 52 and hand >> card & 1 for card in action)

    def objection(self, action: Action) -> str:
        hand = self.hands[self.turn]
        if self.passing:
            return _pass_objection(action, hand)
        name = _name(action)
        if name not in INDEX or not hand & BIT[INDEX[name]]:
            return f"wanted to play {name}, which it does not hold"
        if self._led:
            held = IN_SUIT[hand & self._led]
            return f"played {name}, but had to follow suit: {SUITS[suit_of(held[0])]} were led and it held " + _names(
                held
            )
        if not self.trick:
            return f"led {name}, but the two of clubs must be led to the first trick"
        others = _names(listed(hand & self._leads))
        return f"led {name}, but no point card was played on an earlier trick, and it also held {others}"

    def event(self, action: Action) -> Event:
        seat = self.turn
        if self.passing:
            cards: Three = action  # type: ignore[assignment]
            to = (seat + self.passing) % 4
            return {"event": "pass", "seat": seat, "to": to, "cards": [PACK[card] for card in cards]}
        return {"event": "play", "seat": seat, "card": PACK[action]}  # type: ignore[call-overload]

    def apply(self, action: Action) -> Sequence[Event]:
        card: int = action  # type: ignore[assignment]
        seat = self.turn
        if self._led:
            self.hands[seat] ^= BIT[card]
            if card >= _FIRST_HEART:
                self._worth += WORTH[card]
            if self._best < card <= self._top:
                self._best = card
                self._winner = seat
            seat = _NEXT[seat]
            if seat == self._leader:
                return self._end_trick()
            self.turn = seat
            return _NOTHING
        if self.passing:
            return self._apply_pass(action)  # type: ignore[arg-type]
        self.hands[seat] ^= BIT[card]
        self.trick += 1
        self._led = LED[card]
        self._top = TOP[card]
        self._best = card
        self._winner = seat
        self._worth = WORTH[card]
        self._leader = seat
        self.turn = _NEXT[seat]
        return _NOTHING

    def _apply_pass(self, cards: Three) -> Sequence[Event]:
        first, second, third = cards
        self._given.append(BIT[first] | BIT[second] | BIT[third])
        self.turn += 1
        if self.turn == 4:
            step, hands, given = self.passing, self.hands, self._given
            self.hands = [hands[seat] ^ given[seat] | given[seat - step] for seat in range(4)]
            self._given = []
            self.passing = 0
            self.turn = self._opener()
        return _NOTHING

    def _end_trick(self) -> Sequence[Event]:
        winner = self.turn = self._winner
        worth = self._worth
        self._led = 0
        if worth:
            self.points[winner] += worth
            self._free, self._leads = _BROKEN
        elif self.trick == 1:
            self._free, self._leads = _UNBROKEN
        event = {"event": "trick", "winner": winner, "points": worth}
        if self.trick < TRICKS:
            return (event,)
        if ALL_POINTS in self.points:  # the moon
            self.points = [-ALL_POINTS if taken else 0 for taken in self.points]
        self.totals = [total + points for total, points in zip(self.totals, self.points, strict=True)]
        self.turn = OVER if max(self.totals) >= self._target else CHANCE
        return (event, {"event": "score", "hand": self.points, "total": self.totals})


def _pass_objection(action: Action, hand: int) -> str:
    if type(action) is not tuple or len(action) != PASSED:
        return f"passed {action!r}, which are not three cards"
    for card in action:
        if type(card) is not int or not 0 <= card < 52 or not hand & BIT[card]:
            return f"wanted to pass {_name(card)}, which it does not hold"
    twice = next(card for card in action if action.count(card) > 1)
    return f"wanted to pass {PACK[twice]} twice"


def _name(card: Any) -> str:
    return PACK[card] if type(card) is int and 0 <= card < 52 else repr(card)


def _names(cards: Sequence[int]) -> str:
    return ", ".join(PACK[card] for card in cards)
