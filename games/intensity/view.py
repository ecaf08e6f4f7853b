"""What one seat, a spectator or the open table knows of a game of Intensity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.cards import listed, mask
from games.engine import Event, Seat
from games.intensity.rules import BUFFALO, CALVES, HAND, SEATS, WORTH, playable

PASSED_TO = (1, 2, 3, 0)
"""By seat: its neighbour on the left, to whom its discards go, and who plays after it."""


class View:
    """A fold over the events that a seat hears. Everything is public to read; hands are lists in increasing order, None
    where hidden."""

    def __init__(self, seat: Seat | None) -> None:
        self.seat = seat
        self.hands: list[list[int] | None] = [None, None, None, None]
        self.counts = [0, 0, 0, 0]
        self.passes: list[list[int] | None] = [None, None, None, None]  # by giver, where they are known
        self.passed: list[Seat] = []  # who has chosen its discards
        self.received: list[list[int] | None] = [None, None, None, None]  # the same by taker, once they have them
        self.played: list[list[int]] = [[], [], [], []]
        self.turn: Seat | None = None
        self.leader: Seat = 0
        self.round = 0  # the number of the round in progress, or of the last one; 0 during the discards
        self.trick: list[tuple[Seat, int]] = []
        self.rounds: list[dict[str, Any]] = []  # those that are over, as `position` has them in `last`
        self.points = [0, 0, 0, 0]  # of the rounds won
        self.fines = [0, 0, 0, 0]
        self.voids: list[set[int]] = [set(), set(), set(), set()]  # first digits not followed
        self.faults: list[str | None] = [None, None, None, None]
        self.result: Event | None = None

    @property
    def phase(self) -> str:
        if self.result is not None:
            return "over"
        if not any(self.counts):
            return "between"
        return "discards" if len(self.passed) < len(SEATS) else "play"

    @property
    def broken(self) -> bool:
        """Whether a calf was played in an earlier round."""
        return any(play["card"] // 10 == 3 for each in self.rounds for play in each["cards"])

    @property
    def led(self) -> int | None:
        """The first card of the round in progress."""
        return self.trick[0][1] if self.trick else None

    def tell(self, event: Event) -> None:
        tell = getattr(self, f"_tell_{event['event']}", None)
        if tell is not None:
            tell(event)

    def _tell_hand(self, event: Event) -> None:
        self.hands = [None if hand is None else list(hand) for hand in event["hands"]]
        self.counts = [HAND] * len(SEATS)
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

    def _tell_play(self, event: Event) -> None:
        seat, card = event["seat"], event["card"]
        if not self.trick:
            self.leader = seat
            self.round += 1
        elif card // 10 != self.trick[0][1] // 10:
            self.voids[seat].add(self.trick[0][1] // 10)
        self.trick.append((seat, card))
        self.played[seat].append(card)
        self.counts[seat] -= 1
        hand = self.hands[seat]
        if hand is not None:
            hand.remove(card)
        self.turn = PASSED_TO[seat] if len(self.trick) < len(SEATS) else None

    def _tell_trick(self, event: Event) -> None:
        winner = event["winner"]
        self.points[winner] += event["points"]
        cards = _named(self.trick)
        self.rounds.append({"number": self.round, "cards": cards, "winner": winner, "points": event["points"]})
        self.trick = []
        self.leader = winner
        self.turn = winner if any(self.counts) else None

    def _tell_fault(self, event: Event) -> None:
        self.faults[event["seat"]] = event["kind"]
        self.fines[event["seat"]] += event.get("points", 0)

    def _tell_result(self, event: Event) -> None:
        self.result = event
        self.turn = None

    def legal(self) -> tuple[int, ...] | None:
        """The cards that the seat in turn may play; None during the discards and when its hand is hidden from here."""
        hand = None if self.turn is None else self.hands[self.turn]
        if hand is None or self.phase != "play":
            return None
        return listed(playable(mask(hand), self.led, self.broken))

    def position(self) -> dict[str, Any]:
        """The table as JSON. Cards are numbers, seats are 0 … 3; per seat: four entries.

        phase         "between" (before the deal), "discards", "play" or "over"
        trick         the number of the round in progress from 1, or of the last one; 0 during the discards
        leader turn   seats; leader: of the round in progress or the next one; turn: null when nobody is asked
        hands, counts per seat: its cards in increasing order (null when hidden from this view), how many. The discards
                      chosen already are still among them until everybody has chosen
        passes        per giver: the three cards it passes to the seat after it, null when not chosen yet or hidden
        to            per seat: to whom its discards go
        passed        the seats that have chosen their discards
        received      per seat: the three cards it was given, null before that and when hidden
        played        per seat: the cards it has played, in order
        current       the round on the table in the order of play: [{"seat": 0, "card": 24}, …], until `trick`
        last          the last round that is over, or null: {"number", "cards" (as current), "winner", "points"}
        rounds        how many rounds each seat has won
        points fines  per seat: penalty points of the rounds won, and of faults
        totals        per seat: both together
        calves        the calves and the buffalo that are not played yet
        broken        whether a calf was played in an earlier round, so that calves may be led
        legal         cards that the seat in turn may play; null when hidden, during the discards, or nobody is asked
        voids         per seat: first digits of which it has shown that it holds none
        faults        per seat: the kind of its last fault, or null
        winner        the winner's seat when phase is "over", else null (null, too, when the first place is shared)
        """
        played = {play["card"] for each in self.rounds for play in each["cards"]} | {card for _, card in self.trick}
        penal = [card for card in range(len(WORTH)) if WORTH[card] and card not in played]
        legal = self.legal()
        return {
            "phase": self.phase,
            "trick": self.round,
            "leader": self.leader,
            "turn": self.turn,
            "hands": [None if hand is None else list(hand) for hand in self.hands],
            "counts": list(self.counts),
            "passes": list(self.passes),
            "to": list(PASSED_TO),
            "passed": sorted(self.passed),
            "received": list(self.received),
            "played": [list(cards) for cards in self.played],
            "current": _named(self.trick),
            "last": self.rounds[-1] if self.rounds else None,
            "rounds": [sum(each["winner"] == seat for each in self.rounds) for seat in range(len(SEATS))],
            "points": list(self.points),
            "fines": list(self.fines),
            "totals": [points + fine for points, fine in zip(self.points, self.fines, strict=True)],
            "calves": penal if any(self.counts) or self.rounds else [],
            "broken": self.broken,
            "legal": None if legal is None else list(legal),
            "voids": [sorted(digits) for digits in self.voids],
            "faults": list(self.faults),
            "winner": self.result["winner"] if self.result else None,
        }


def why(cards: Sequence[int]) -> str:
    """What the points of a round are for: `the buffalo and 2 calves`; blank when there are none."""
    calves = (mask(cards) & CALVES).bit_count()
    parts = ["the buffalo"] if BUFFALO in cards else []
    parts += [f"{calves} calves" if calves > 1 else "a calf"] if calves else []
    return " and ".join(parts)


def _named(trick: Sequence[tuple[Seat, int]]) -> list[dict[str, Any]]:
    return [{"seat": seat, "card": card} for seat, card in trick]
