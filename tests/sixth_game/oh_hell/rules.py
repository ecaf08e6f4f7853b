"""The rules. An action is ("bid", tricks) or a card (games.cards)."""

from __future__ import annotations

from collections.abc import Sequence

from games.cards import BIT, SPADES, SUIT_MASK, listed, mask, suit_of
from games.engine import CHANCE, OVER, Action, Event, Options
from games.trick_rules import LED, TrickRules

SEATS = ("north", "east", "south", "west")
PACK = tuple(rank + suit for suit in "CDHS" for rank in "23456789TJQKA")
INDEX = {name: card for card, name in enumerate(PACK)}
HAND = 5
EXACT = 10
"""Points for taking exactly as many tricks as bid, and one more for each of them."""


def beats(card: int, best: int) -> bool:
    """Whether a later card beats the best card of the trick so far."""
    if suit_of(card) == suit_of(best):
        return card > best
    return suit_of(card) == SPADES


def playable(hand: int, led: int | None) -> int:
    return hand if led is None else hand & LED[led] or hand


class State(TrickRules):
    """The rules of one game."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.bids: list[int] = []  # in the order in which they were made
        self.taken = [0, 0, 0, 0]
        self.trick: list[int] = []  # in the order of play
        self._hands: int = options["hands"]
        self._dealer = 3

    def deal(self, pack: Sequence[int]) -> Sequence[Event]:
        self.number += 1
        self._dealer = (self.number - 1) % 4
        self.turn = self._leader = (self._dealer + 1) % 4
        hands = [pack[HAND * seat : HAND * (seat + 1)] for seat in range(4)]
        self.hands = [mask(hand) for hand in hands]
        self.bids, self.taken, self.trick = [], [0, 0, 0, 0], []
        names = [[PACK[card] for card in hand] for hand in hands]
        return ({"event": "hand", "number": self.number, "dealer": self._dealer, "hands": names},)

    @property
    def bidding(self) -> bool:
        return len(self.bids) < 4

    def legal(self) -> Sequence[Action]:
        if self.turn < 0:
            return ()
        if self.bidding:
            return tuple(("bid", tricks) for tricks in range(HAND + 1))
        return listed(playable(self.hands[self.turn], self.trick[0] if self.trick else None))

    def is_legal(self, action: Action) -> bool:
        return action in self.legal()

    def objection(self, action: Action) -> str:
        if self.bidding:
            return f"bid {action[1] if isinstance(action, tuple) else action}, which is not 0 to {HAND}"
        if not isinstance(action, int) or not self.hands[self.turn] & BIT[action]:
            return f"played {action!r}, which it does not hold"
        return f"played {PACK[action]}, but had to follow suit"

    def event(self, action: Action) -> Event:
        if isinstance(action, tuple):
            return {"event": "bid", "seat": self.turn, "bid": action[1]}
        assert isinstance(action, int)
        return {"event": "play", "seat": self.turn, "card": PACK[action]}

    def apply(self, action: Action) -> Sequence[Event]:
        seat = self.turn
        self.turn = (seat + 1) % 4
        if isinstance(action, tuple):
            self.bids.append(action[1])
            return ()
        assert isinstance(action, int)
        self.hands[seat] ^= BIT[action]
        self.trick.append(action)
        return self._end_trick() if len(self.trick) == 4 else ()

    def _end_trick(self) -> Sequence[Event]:
        best = 0
        for place, card in enumerate(self.trick):
            best = place if place and beats(card, self.trick[best]) else best
        winner = self.turn = self._leader = (self._leader + best) % 4
        self.taken[winner] += 1
        self.trick = []
        trick = {"event": "trick", "winner": winner, "points": 1}
        return (trick,) if any(self.hands) else (trick, self._end_hand())

    def _end_hand(self) -> Event:
        first = (self._dealer + 1) % 4
        bids = [self.bids[(seat - first) % 4] for seat in range(4)]
        points = [EXACT + bid if bid == taken else 0 for bid, taken in zip(bids, self.taken, strict=True)]
        self.points = points
        self.totals = [total + more for total, more in zip(self.totals, points, strict=True)]
        self.turn = OVER if self.number >= self._hands else CHANCE
        return {"event": "score", "hand": points, "total": list(self.totals)}


TRUMP = SUIT_MASK[SPADES]
