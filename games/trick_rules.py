"""What the rules of trick games for four players share: following suit with an ordinary pack (games.cards), scores,
faults, and who wins."""

from __future__ import annotations

from typing import ClassVar

from games.cards import CARDS, SUIT_MASK, listed
from games.engine import CHANCE, OVER, Event, FaultKind, Options, Remedy, Seat

LED = tuple(SUIT_MASK[card // 13] for card in CARDS)
"""By the card led: the set of cards that follow suit."""

TOP = tuple(card // 13 * 13 + 12 for card in CARDS)
"""By the card led: the ace of its suit. A later card takes over the trick when `best < card <= TOP[led]`."""


def playable(hand: int, led: int | None) -> int:
    """Return the part of a hand that may be played to a trick: the suit of the card led if possible, else
    everything."""
    if led is None:
        return hand
    return hand & LED[led] or hand


def playable_cards(hand: int, led: int | None) -> tuple[int, ...]:
    """Return `playable` in the order of the pack."""
    return listed(playable(hand, led))


class TrickRules:
    """Base of a `State`: scores, faults, who is disqualified, and who wins. Any fault may disqualify."""

    __slots__ = ("_disqualifies", "hands", "number", "out", "points", "totals", "turn")

    low_wins: ClassVar[bool] = False

    def __init__(self, options: Options) -> None:
        self.turn = CHANCE
        self.number = 0  # of the hand
        self.hands = [0, 0, 0, 0]  # sets of cards (games.cards)
        self.totals = [0, 0, 0, 0]
        self.points = [0, 0, 0, 0]  # of this hand
        self.out: set[Seat] = set()
        self._disqualifies: bool = options["disqualify"]

    def fault(self, kind: FaultKind) -> Remedy:
        return Remedy(disqualified=self._disqualifies)

    def disqualify(self, seat: Seat) -> None:
        """Mark a seat as disqualified. When nobody is left, the game ends with the hand in progress (docs/rulings.md,
        All games)."""
        self.out.add(seat)
        if len(self.out) == len(self.hands):
            self.turn = OVER

    def scores(self) -> list[int]:
        return list(self.totals)

    def result(self) -> Event:
        """The winner has the best score of the seats that were not disqualified. Nobody wins when two share it."""
        fair = [seat for seat in range(len(self.totals)) if seat not in self.out]
        best = (min if self.low_wins else max)((self.totals[seat] for seat in fair), default=0)
        winners = [seat for seat in fair if self.totals[seat] == best]
        winner = winners[0] if len(winners) == 1 else None
        return {"event": "result", "scores": list(self.totals), "winner": winner}
