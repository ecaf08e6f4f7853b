"""What one seat, a spectator or the open table of Hearts knows: the fold that the replay pages draw."""

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
from games.tricks import playable


class View:
    """A fold over the events that one seat may see. Public to read; cards are numbers here and names in `position`."""

    def __init__(self, seat: Seat | None) -> None:
        self.seat = seat
        self.totals = [0, 0, 0, 0]
        self.faults: list[str | None] = [None, None, None, None]
        self.penalty = [0.0, 0.0, 0.0, 0.0]
        self.result: Event | None = None
        self.number = 0  # of the hand
        self.direction = "none"
        self._new_hand([None, None, None, None], 0)
        self.turn: Seat | None = None

    def _new_hand(self, hands: list[list[int] | None], count: int) -> None:
        self.hands = hands  # in the order in which their owner sees them; None where hidden
        self.counts = [count] * 4
        self.passes: list[tuple[Seat, list[int] | None] | None] = [None, None, None, None]  # by giver: to, cards
        self.played: list[list[int]] = [[], [], [], []]  # in order, this hand
        self.voids: list[set[int]] = [set(), set(), set(), set()]  # suits (games.cards) not followed this hand
        self.taken: list[list[int]] = [[], [], [], []]  # point cards, this hand
        self.leader: Seat | None = None
        self.trick: list[tuple[Seat, int]] = []  # on the table, in the order of play
        self.trick_number = 0  # of the trick on the table, or of the last when there is none
        self.last: dict[str, Any] | None = None
        self.tricks = [0, 0, 0, 0]
        self.points = [0, 0, 0, 0]
        self.broken = False
        self.moon: Seat | None = None

    @property
    def phase(self) -> str:
        if self.result is not None:
            return "over"
        if any(self.counts) and self.direction != "none" and None in self.passes:
            return "pass"
        return "play" if any(self.counts) or self.trick else "between"

    def tell(self, event: Event) -> None:
        kind = event["event"]
        tell = getattr(self, f"_tell_{kind}", None)
        if tell is not None:  # `game` changes nothing on the table
            tell(event)
        if "cpu_ms" in event and kind != "result":
            self.penalty[event["seat"]] += event["cpu_ms"]

    def _tell_hand(self, event: Event) -> None:
        self.number = event["number"]
        self.direction = event["pass"]
        hands = [None if hand is None else [INDEX[name] for name in hand] for hand in event["hands"]]
        self._new_hand(hands, HAND)
        self.turn = 0 if self.direction != "none" else self._opener()

    def _opener(self) -> Seat | None:
        """Who holds the two of clubs, where it can be seen."""
        return next((seat for seat, hand in enumerate(self.hands) if hand and TWO_OF_CLUBS in hand), None)

    def _tell_pass(self, event: Event) -> None:
        seat, cards = event["seat"], event.get("cards")
        self.passes[seat] = event["to"], None if cards is None else [INDEX[name] for name in cards]
        if None not in self.passes:
            self._exchange()
        elif self.seat is None:
            self.turn = seat + 1
        else:
            self.turn = None  # what the others decide now is not heard yet

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

    def _tell_play(self, event: Event) -> None:
        seat, card = event["seat"], INDEX[event["card"]]
        if not self.trick:
            self.leader = seat
            self.trick_number += 1
        elif suit_of(card) != suit_of(self.trick[0][1]):
            self.voids[seat].add(suit_of(self.trick[0][1]))
        self.trick.append((seat, card))
        self.played[seat].append(card)
        self.counts[seat] -= 1
        hand = self.hands[seat]
        if hand is not None:
            hand.remove(card)
        self.turn = (seat + 1) % 4 if len(self.trick) < 4 else None

    def _tell_trick(self, event: Event) -> None:
        winner, points = event["winner"], event["points"]
        cards = [card for _, card in self.trick]
        self.tricks[winner] += 1
        self.points[winner] += points
        self.taken[winner] += [card for card in cards if WORTH[card]]
        self.broken |= points > 0
        self.last = {
            "number": self.trick_number,
            "cards": _named(self.trick),
            "winner": winner,
            "points": points,
            "why": why(cards),
        }
        self.trick = []
        self.leader = winner
        self.turn = winner if any(self.counts) else None

    def _tell_score(self, event: Event) -> None:
        self.points = list(event["hand"])
        self.totals = list(event["total"])
        self.moon = next((seat for seat, points in enumerate(self.points) if points < 0), None)
        self.turn = None

    def _tell_fault(self, event: Event) -> None:
        self.faults[event["seat"]] = event["kind"]

    def _tell_result(self, event: Event) -> None:
        self.result = event
        self.penalty = [ms + more for ms, more in zip(self.penalty, event.get("cpu_ms", [0] * 4), strict=True)]
        self.turn = None

    def legal(self) -> tuple[int, ...] | None:
        """The cards that the seat in turn may play, in the order of the pack; None when hidden, or cards are passed."""
        if self.turn is None or self.phase != "play":
            return None
        hand = self.hands[self.turn]
        if hand is None:
            return None
        cards = mask(hand)
        if self.trick:
            return listed(playable(cards, self.trick[0][1]))
        if not self.trick_number:
            return (TWO_OF_CLUBS,)
        if self.broken or not cards & ~POINT_CARDS:
            return listed(cards)
        return tuple(card for card in listed(cards) if suit_of(card) != HEARTS)

    def position(self) -> dict[str, Any]:
        """The table as JSON. Cards are written as the record does (`"QS"`), seats are 0 … 3; per seat: four entries.

        phase         "pass", "play", "between" (hands) or "over"
        hand, trick   numbers of the hand and the trick from 1; trick is 0 before the first lead, and that of the last
                      trick when none is on the table
        direction     "left", "right", "across" or "none": where cards are passed in this hand
        leader turn   seats; leader: of the trick on the table or the next one, null while that is not known;
                      turn: null when nobody is asked, or it cannot be seen who is
        hands, counts per seat: its cards in the order its bot sees them (null when hidden from this view), how many
        passes        per giver: null, or {"to": 1, "cards": ["QS", "AH", "2C"]}; cards are null when hidden
        received      per seat: {"from": 3, "cards": …} likewise
        current       the trick on the table in the order of play: [{"seat": 0, "card": "2C"}, …], until `trick`
        last          the last trick of this hand or null: {"number", "cards" (as current), "winner", "points",
                      "why": [{"points": 13, "for": "the queen of spades"}, {"points": 2, "for": "two hearts"}]}
        tricks points totals  per seat: tricks and points taken this hand (after it: as scored), points of the game
        taken         per seat: the point cards it has taken this hand, in order
        broken        whether a point card was played on an earlier trick
        moon          the seat that took all 26 points of the hand just scored, or null
        penalty       per seat: milliseconds of its own processor time in this game so far
        legal         cards that the seat in turn may play, in the order of the pack; null when hidden, or in a pass
        voids         per seat: suits it has shown that it does not hold, as letters "c" "d" "h" "s"
        played        per seat: the cards it has played this hand, in order
        faults        per seat: the kind of its last fault, or null
        winner        the winner's seat when phase is "over", else null (null, too, when nobody won)
        """
        legal = self.legal()
        return {
            "phase": self.phase,
            "hand": self.number,
            "trick": self.trick_number,
            "direction": self.direction,
            "leader": self.leader,
            "turn": self.turn,
            "hands": [None if hand is None else _names(hand) for hand in self.hands],
            "counts": list(self.counts),
            "passes": self._drawn_passes(),
            "received": self._drawn_received(),
            "current": _named(self.trick),
            "last": self.last,
            "tricks": list(self.tricks),
            "points": list(self.points),
            "totals": list(self.totals),
            "taken": [_names(cards) for cards in self.taken],
            "broken": self.broken,
            "moon": self.moon,
            "penalty": [round(ms, 3) for ms in self.penalty],
            "legal": None if legal is None else _names(legal),
            "voids": [["cdhs"[suit] for suit in sorted(suits)] for suits in self.voids],
            "played": [_names(cards) for cards in self.played],
            "faults": list(self.faults),
            "winner": self.result["winner"] if self.result else None,
        }

    def _drawn_passes(self) -> list[dict[str, Any] | None]:
        return [
            None if given is None else {"to": given[0], "cards": None if given[1] is None else _names(given[1])}
            for given in self.passes
        ]

    def _drawn_received(self) -> list[dict[str, Any] | None]:
        found: list[dict[str, Any] | None] = [None, None, None, None]
        if None not in self.passes:  # nobody looks at his new cards before everybody has passed
            for giver, given in enumerate(self._drawn_passes()):
                if given is not None:
                    found[given["to"]] = {"from": giver, "cards": given["cards"]}
        return found


def why(cards: Sequence[int]) -> list[dict[str, Any]]:
    """What the points of a trick are for: the queen, then the hearts."""
    hearts = sum(suit_of(card) == HEARTS for card in cards)
    parts: list[dict[str, Any]] = []
    if QUEEN in cards:
        parts.append({"points": QUEEN_WORTH, "for": "the queen of spades"})
    if hearts:
        parts.append({"points": hearts, "for": ("", "a heart", "two hearts", "three hearts", "four hearts")[hearts]})
    return parts


def _names(cards: Sequence[int]) -> list[str]:
    return [PACK[card] for card in cards]


def _named(trick: Sequence[tuple[Seat, int]]) -> list[dict[str, Any]]:
    return [{"seat": seat, "card": PACK[card]} for seat, card in trick]
