"""What the views of trick games for four players share: hands, the trick on the table, scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from games.cards import suit_of
from games.engine import Event, Seat


class TrickView:
    """A fold over the events that one seat, a spectator or the open table may see.

    Everything is public to read. Cards are numbers here, and names (`index`) in `position`.
    """

    index: ClassVar[Mapping[Any, int]]  # the card by its name in the record
    cards_each: ClassVar[int]  # how many cards a seat is dealt

    def __init__(self, seat: Seat | None) -> None:
        self.seat = seat
        self.totals = [0, 0, 0, 0]
        self.faults: list[str | None] = [None, None, None, None]
        self.result: Event | None = None
        self.number = 0  # of the hand
        self._new_hand([None, None, None, None], 0)

    def _new_hand(self, hands: list[list[int] | None], count: int) -> None:
        self.hands = hands  # in the order in which their owners see them; None where hidden
        self.counts = [count] * 4
        self.turn: Seat | None = None
        self.leader: Seat | None = None
        self.trick: list[tuple[Seat, int]] = []  # on the table, in the order of play
        self.trick_number = 0  # of the trick on the table, or of the last one when there is none
        self.last: dict[str, Any] | None = None
        self.played: list[list[int]] = [[], [], [], []]  # in order, this hand
        self.voids: list[set[int]] = [set(), set(), set(), set()]  # suits that were not followed, this hand
        self.tricks = [0, 0, 0, 0]
        self.points = [0, 0, 0, 0]

    @property
    def led(self) -> int | None:
        """The card led to the trick on the table."""
        return self.trick[0][1] if self.trick else None

    @property
    def phase(self) -> str:
        if self.result is not None:
            return "over"
        return "play" if any(self.counts) or self.trick else "between"

    @staticmethod
    def suit(card: int) -> int:
        """Return what must be followed. Games with another pack override it."""
        return suit_of(card)

    def why(self, cards: Sequence[int]) -> Any:
        """Explain the points of the trick on the table, for `last` in `position`."""
        return None

    def tell(self, event: Event) -> None:
        tell = getattr(self, f"_tell_{event['event']}", None)
        if tell is not None:  # `game` changes nothing on the table
            tell(event)

    def _tell_hand(self, event: Event) -> None:
        self.number = event["number"]
        hands = [None if hand is None else [self.index[name] for name in hand] for hand in event["hands"]]
        self._new_hand(hands, self.cards_each)

    def _tell_play(self, event: Event) -> None:
        seat, card = event["seat"], self.index[event["card"]]
        if not self.trick:
            self.leader = seat
            self.trick_number += 1
        elif self.suit(card) != self.suit(self.trick[0][1]):
            self.voids[seat].add(self.suit(self.trick[0][1]))
        self.trick.append((seat, card))
        self.played[seat].append(card)
        self.counts[seat] -= 1
        hand = self.hands[seat]
        if hand is not None:
            hand.remove(card)
        self.turn = (seat + 1) % 4 if len(self.trick) < 4 else None

    def _tell_trick(self, event: Event) -> None:
        winner, points = event["winner"], event["points"]
        self.tricks[winner] += 1
        self.points[winner] += points
        why = self.why([card for _, card in self.trick])
        self.last = {
            "number": self.trick_number,
            "cards": self.named(self.trick),
            "winner": winner,
            "points": points,
            **({} if why is None else {"why": why}),
        }
        self.trick = []
        self.leader = winner
        self.turn = winner if any(self.counts) else None

    def _tell_score(self, event: Event) -> None:
        self.points = list(event["hand"])
        self.totals = list(event["total"])
        self.turn = None

    def _tell_fault(self, event: Event) -> None:
        self.faults[event["seat"]] = event["kind"]

    def _tell_result(self, event: Event) -> None:
        self.result = event
        self.turn = None

    # What `position` is made of

    def name(self, card: int) -> Any:
        """Return a card as the record writes it."""
        raise NotImplementedError

    def names(self, cards: Sequence[int]) -> list[Any]:
        return [self.name(card) for card in cards]

    def named(self, trick: Sequence[tuple[Seat, int]]) -> list[dict[str, Any]]:
        return [{"seat": seat, "card": self.name(card)} for seat, card in trick]

    def common_position(self) -> dict[str, Any]:
        """The entries of `position` that these games share. Per seat: four entries, seats are 0 … 3.

        phase         "play", "between" (hands), "over", or a phase of the game's own
        trick         number of the trick on the table from 1, or of the last one; 0 before the first lead
        leader turn   seats; leader: of the trick on the table or the next one, null while that is not known; turn: null
                      when nobody is asked, or it cannot be seen who is
        hands, counts per seat: its cards in the order its bot sees them (null when hidden from this view), how many
        current       the trick on the table in the order of play: [{"seat": 0, "card": "2C"}, …], until `trick`
        last          the last trick of this hand or null: {"number", "cards" (as current), "winner", "points", "why"}
        points totals per seat: points of this hand (after it: as scored), points of the game
        played        per seat: the cards it has played this hand, in order
        faults        per seat: the kind of its last fault, or null
        winner        the winner's seat when phase is "over", else null (null, too, when nobody won)
        """
        return {
            "phase": self.phase,
            "trick": self.trick_number,
            "leader": self.leader,
            "turn": self.turn,
            "hands": [None if hand is None else self.names(hand) for hand in self.hands],
            "counts": list(self.counts),
            "current": self.named(self.trick),
            "last": self.last,
            "points": list(self.points),
            "totals": list(self.totals),
            "played": [self.names(cards) for cards in self.played],
            "faults": list(self.faults),
            "winner": self.result["winner"] if self.result else None,
        }
