"""What one seat, a spectator or the open table knows about a game of Tricky Eights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.cards import SUITS, mask, suit_of
from games.engine import Event, Seat
from games.trick_rules import playable_cards
from games.trick_view import TrickView
from games.tricky_eights.rules import HAND, INDEX, PACK, TRICKS, WORTH, trick_worth


class View(TrickView):
    """A fold over the events that one seat may see. Its hands are those of a round."""

    index, cards_each = INDEX, HAND

    def __init__(self, seat: Seat | None) -> None:
        self.dealer = 0
        super().__init__(seat)

    def _new_hand(self, hands: list[list[int] | None], count: int) -> None:
        super()._new_hand(hands, count)
        self.pool: list[int] = []
        self.taken: list[list[int]] = [[], [], [], []]  # from the pool, face up
        self.leader = self.dealer

    @property
    def phase(self) -> str:
        return "takes" if self.pool and self.result is None else super().phase

    def name(self, card: int) -> str:
        return PACK[card]

    def why(self, cards: Sequence[int]) -> list[dict[str, Any]]:
        return why(self.trick_number, cards)

    def _tell_hand(self, event: Event) -> None:
        self.dealer = event["dealer"]
        super()._tell_hand(event)
        self.pool = [INDEX[name] for name in event["pool"]]
        self.turn = self.dealer

    def _tell_take(self, event: Event) -> None:
        seat, card = event["seat"], INDEX[event["card"]]
        self.pool.remove(card)
        self.taken[seat].append(card)
        self.counts[seat] += 1
        hand = self.hands[seat]
        if hand is not None:
            hand.append(card)
        self.turn = (seat + 1) % 4

    def legal(self) -> tuple[int, ...] | None:
        """Return the legal cards of the seat in turn, in the order of the pack. None when its hand is hidden from
        here."""
        if self.turn is None:
            return None
        if self.pool:
            return tuple(sorted(self.pool))
        hand = self.hands[self.turn]
        return None if hand is None else playable_cards(mask(hand), self.led)

    def position(self) -> dict[str, Any]:
        """`TrickView.common_position`, and these. Per seat: four entries.

        phase         "takes", too; "between" is between rounds
        round         number of the round from 1
        dealer        a seat
        pool          cards left, in the order of the deal
        taken         per seat: the cards it took from the pool this round, in order (public)
        last          its "why": [{"points": 3, "for": "the first trick"}, {"points": 2, "for": "the eight of clubs"}]
        tricks        per seat: tricks taken this round
        legal         cards that the seat in turn may choose, in the order of the pack; null when hidden, or when nobody
                      is asked
        voids         per seat: suits it has shown that it does not hold, as letters "c" "d" "h" "s"
        """
        legal = self.legal()
        return {
            **self.common_position(),
            "round": self.number,
            "dealer": self.dealer,
            "pool": self.names(self.pool),
            "taken": [self.names(cards) for cards in self.taken],
            "tricks": list(self.tricks),
            "legal": None if legal is None else self.names(legal),
            "voids": [["cdhs"[suit] for suit in sorted(suits)] for suits in self.voids],
        }


def why(number: int, cards: Sequence[int]) -> list[dict[str, Any]]:
    """Explain the points of trick `number` (from 1): the trick, then its eights in the order of play."""
    which = {1: "the first trick", TRICKS: "the last trick"}.get(number, "the trick")
    eights = [{"points": WORTH[card], "for": f"the eight of {SUITS[suit_of(card)]}"} for card in cards if WORTH[card]]
    return [{"points": trick_worth(number), "for": which}, *eights]
