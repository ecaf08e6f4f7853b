"""What one seat, a spectator or the open table knows about a game of Intensity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.cards import listed, mask
from games.engine import Event, Seat
from games.intensity.rules import BUFFALO, CALVES, FIRST, HAND, LAST, SEATS, WORTH, playable
from games.trick_view import TrickView

PASSED_TO = (1, 2, 3, 0)
"""By seat: the neighbour on its left, who gets its discards and plays after it."""


class View(TrickView):
    """A fold over the events that a seat hears. Hands are in increasing order; a trick is a round here."""

    index, cards_each = {card: card for card in range(FIRST, LAST + 1)}, HAND

    def __init__(self, seat: Seat | None) -> None:
        super().__init__(seat)
        self.fines = [0, 0, 0, 0]

    def _new_hand(self, hands: list[list[int] | None], count: int) -> None:
        super()._new_hand(hands, count)
        self.leader = 0
        self.passes: list[list[int] | None] = [None, None, None, None]  # by giver, where they are known
        self.passed: list[Seat] = []  # who has chosen its discards
        self.received: list[list[int] | None] = [None, None, None, None]  # the same by taker, once they have the cards
        self.rounds: list[dict[str, Any]] = []  # those that are over, as in the entry `last` of `position`

    @property
    def phase(self) -> str:
        if self.result is not None:
            return "over"
        if not any(self.counts):
            return "between"
        return "discards" if len(self.passed) < len(SEATS) else "play"

    @staticmethod
    def suit(card: int) -> int:
        return card // 10

    def name(self, card: int) -> int:
        return card

    @property
    def broken(self) -> bool:
        """Whether a calf was played in an earlier round."""
        return any(play["card"] // 10 == 3 for each in self.rounds for play in each["cards"])

    def _tell_hand(self, event: Event) -> None:
        super()._tell_hand(event)
        self.turn = 0

    def _tell_pass(self, event: Event) -> None:
        self.passes[event["seat"]] = event.get("cards")
        self.passed.append(event["seat"])
        if len(self.passed) < len(SEATS):
            self.turn = next(seat for seat in range(len(SEATS)) if seat not in self.passed)
            return
        self.received = [self.passes[PASSED_TO.index(seat)] for seat in range(len(SEATS))]
        for seat, hand in enumerate(self.hands):
            given, received = self.passes[seat], self.received[seat]
            if hand is not None and given and received:
                self.hands[seat] = sorted({*hand, *received} - {*given})
        self.turn = 0

    def _tell_trick(self, event: Event) -> None:
        super()._tell_trick(event)
        if self.last is not None:
            self.rounds.append(self.last)

    def _tell_score(self, event: Event) -> None:
        """Ignore it: `points` and `fines` know the score already."""

    def _tell_fault(self, event: Event) -> None:
        super()._tell_fault(event)
        self.fines[event["seat"]] += event.get("points", 0)

    def legal(self) -> tuple[int, ...] | None:
        """Return what the seat in turn may play. None during the discards, and when its hand is hidden from here."""
        hand = None if self.turn is None else self.hands[self.turn]
        if hand is None or self.phase != "play":
            return None
        return listed(playable(mask(hand), self.led, self.broken))

    def position(self) -> dict[str, Any]:
        """`TrickView.common_position`, and these. Cards are numbers; per seat: four entries.

        phase         "discards", too; "between" is before the deal
        trick         the number of the round in progress from 1, or of the last one; 0 during the discards
        hands, counts the discards chosen already are still among them until everybody has chosen
        passes        per giver: the three cards it passes to the seat after it, null when not chosen yet or hidden
        to            per seat: to whom its discards go
        passed        the seats that have chosen their discards
        received      per seat: the three cards it was given, null before that and when hidden
        rounds        how many rounds each seat has won
        points fines  per seat: penalty points of the rounds won, and of faults
        totals        per seat: both together
        calves        the calves and the buffalo that are not played yet
        broken        whether a calf was played in an earlier round, so that calves may be led
        legal         cards that the seat in turn may play; null when hidden, during the discards, or nobody is asked
        voids         per seat: first digits of which it has shown that it holds none
        """
        played = {play["card"] for each in self.rounds for play in each["cards"]} | {card for _, card in self.trick}
        penal = [card for card in range(len(WORTH)) if WORTH[card] and card not in played]
        legal = self.legal()
        return {
            **self.common_position(),
            "passes": list(self.passes),
            "to": list(PASSED_TO),
            "passed": sorted(self.passed),
            "received": list(self.received),
            "rounds": list(self.tricks),
            "fines": list(self.fines),
            "totals": [points + fine for points, fine in zip(self.points, self.fines, strict=True)],
            "calves": penal if any(self.counts) or self.rounds else [],
            "broken": self.broken,
            "legal": None if legal is None else list(legal),
            "voids": [sorted(digits) for digits in self.voids],
        }


def why(cards: Sequence[int]) -> str:
    """Explain the points of a round: `the buffalo and 2 calves`; blank when there are none."""
    calves = (mask(cards) & CALVES).bit_count()
    parts = ["the buffalo"] if BUFFALO in cards else []
    parts += [f"{calves} calves" if calves > 1 else "a calf"] if calves else []
    return " and ".join(parts)
