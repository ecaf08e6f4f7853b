"""What one seat, a spectator or the open table knows about a game of Hearts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.cards import HEARTS, listed, mask, suit_of
from games.engine import Event, Seat
from games.hearts.rules import (
    HAND,
    INDEX,
    PACK,
    POINT_CARDS,
    QUEEN,
    QUEEN_WORTH,
    TWO_OF_CLUBS,
    WORTH,
)
from games.trick_rules import playable
from games.trick_view import TrickView


class View(TrickView):
    """A fold over the events that one seat may see."""

    index, cards_each = INDEX, HAND

    def __init__(self, seat: Seat | None) -> None:
        self.penalty = [0.0, 0.0, 0.0, 0.0]
        self.direction = "none"
        super().__init__(seat)

    def _new_hand(self, hands: list[list[int] | None], count: int) -> None:
        super()._new_hand(hands, count)
        self.passes: list[tuple[Seat, list[int] | None] | None] = [None, None, None, None]  # by giver: to, cards
        self.taken: list[list[int]] = [[], [], [], []]  # point cards, this hand
        self.broken = False
        self.moon: Seat | None = None

    @property
    def phase(self) -> str:
        if self.result is None and any(self.counts) and self.direction != "none" and None in self.passes:
            return "pass"
        return super().phase

    def name(self, card: int) -> str:
        return PACK[card]

    def why(self, cards: Sequence[int]) -> list[dict[str, Any]]:
        return why(cards)

    def tell(self, event: Event) -> None:
        super().tell(event)
        if "cpu_ms" in event and event["event"] != "result":
            self.penalty[event["seat"]] += event["cpu_ms"]

    def _tell_hand(self, event: Event) -> None:
        self.direction = event["pass"]
        super()._tell_hand(event)
        self.turn = 0 if self.direction != "none" else self._opener()

    def _opener(self) -> Seat | None:
        """Return the seat that holds the two of clubs, where that can be seen."""
        return next((seat for seat, hand in enumerate(self.hands) if hand and TWO_OF_CLUBS in hand), None)

    def _tell_pass(self, event: Event) -> None:
        seat, cards = event["seat"], event.get("cards")
        self.passes[seat] = event["to"], None if cards is None else [INDEX[name] for name in cards]
        if None not in self.passes:
            self._exchange()
        elif self.seat is None:
            self.turn = seat + 1
        else:
            self.turn = None  # the others decide at the same time, unheard as yet

    def _exchange(self) -> None:
        received: dict[Seat, list[int]] = {}
        for given in self.passes:
            if given is not None and given[1] is not None:
                received[given[0]] = given[1]
        for seat, hand in enumerate(self.hands):
            gave = self.passes[seat]
            if hand is not None and gave is not None and gave[1] is not None and seat in received:
                for old, new in zip(gave[1], received[seat], strict=True):
                    hand[hand.index(old)] = new
        self.leader = self.turn = self._opener()

    def _tell_trick(self, event: Event) -> None:
        self.taken[event["winner"]] += [card for _, card in self.trick if WORTH[card]]
        self.broken |= event["points"] > 0
        super()._tell_trick(event)

    def _tell_score(self, event: Event) -> None:
        super()._tell_score(event)
        self.moon = next((seat for seat, points in enumerate(self.points) if points < 0), None)

    def _tell_result(self, event: Event) -> None:
        super()._tell_result(event)
        self.penalty = [ms + more for ms, more in zip(self.penalty, event.get("cpu_ms", [0] * 4), strict=True)]

    def legal(self) -> tuple[int, ...] | None:
        """Return what the seat in turn may play, in the order of the pack. None when hidden, or while cards are
        passed."""
        if self.turn is None or self.phase != "play":
            return None
        hand = self.hands[self.turn]
        if hand is None:
            return None
        cards = mask(hand)
        if self.trick:
            return listed(playable(cards, self.led))
        if not self.trick_number:
            return (TWO_OF_CLUBS,)
        if self.broken or not cards & ~POINT_CARDS:
            return listed(cards)
        return tuple(card for card in listed(cards) if suit_of(card) != HEARTS)

    def position(self) -> dict[str, Any]:
        """`TrickView.common_position`, and these. Per seat: four entries.

        phase         "pass", too
        hand          number of the hand from 1
        direction     "left", "right", "across" or "none": where cards are passed in this hand
        passes        per giver: null, or {"to": 1, "cards": ["QS", "AH", "2C"]}; cards are null when hidden
        received      per seat: {"from": 3, "cards": …} likewise
        last          its "why": [{"points": 13, "for": "the queen of spades"}, {"points": 2, "for": "two hearts"}]
        tricks        per seat: tricks taken this hand
        taken         per seat: the point cards it has taken this hand, in order
        broken        whether a point card was played on an earlier trick
        moon          the seat that took all 26 points of the hand just scored, or null
        penalty       per seat: milliseconds of its own processor time in this game so far
        legal         cards that the seat in turn may play, in the order of the pack; null when hidden, or in a pass
        voids         per seat: suits it has shown that it does not hold, as letters "c" "d" "h" "s"
        """
        legal = self.legal()
        return {
            **self.common_position(),
            "hand": self.number,
            "direction": self.direction,
            "passes": self._drawn_passes(),
            "received": self._drawn_received(),
            "tricks": list(self.tricks),
            "taken": [self.names(cards) for cards in self.taken],
            "broken": self.broken,
            "moon": self.moon,
            "penalty": [round(ms, 3) for ms in self.penalty],
            "legal": None if legal is None else self.names(legal),
            "voids": [["cdhs"[suit] for suit in sorted(suits)] for suits in self.voids],
        }

    def _drawn_passes(self) -> list[dict[str, Any] | None]:
        return [
            None if given is None else {"to": given[0], "cards": None if given[1] is None else self.names(given[1])}
            for given in self.passes
        ]

    def _drawn_received(self) -> list[dict[str, Any] | None]:
        found: list[dict[str, Any] | None] = [None, None, None, None]
        if None not in self.passes:  # nobody sees their new cards before everybody has passed
            for giver, given in enumerate(self._drawn_passes()):
                if given is not None:
                    found[given["to"]] = {"from": giver, "cards": given["cards"]}
        return found


def why(cards: Sequence[int]) -> list[dict[str, Any]]:
    """Explain the points of a trick: the queen, then the hearts."""
    hearts = sum(suit_of(card) == HEARTS for card in cards)
    parts: list[dict[str, Any]] = []
    if QUEEN in cards:
        parts.append({"points": QUEEN_WORTH, "for": "the queen of spades"})
    if hearts:
        parts.append({"points": hearts, "for": ("", "a heart", "two hearts", "three hearts", "four hearts")[hearts]})
    return parts
