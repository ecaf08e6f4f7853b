"""What one seat may know about a game: the memory of the house players. How much of it a player uses makes its
class."""

from __future__ import annotations

from games.barracuda.rules import COPIES, HANDS, RANKS
from games.engine import Event, Seat


class Table:
    """A fold over the events that a seat may see. Everything is for reading."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.points = [0, 0]
        self.offers = [0, 0]  # challenges that were answered, by who answered them
        self.accepts = [0, 0]  # and how many of them were accepted
        self._shuffle()
        self._new_hand([])

    def _shuffle(self) -> None:
        self.unseen = [0] + [COPIES] * RANKS  # by rank: cards not seen since the last shuffle

    def _new_hand(self, hand: list[int]) -> None:
        self.hand = hand
        self.dealt = list(hand)
        self.others = len(hand)  # cards in the opponent's hand
        self.led: int | None = None  # the card on the table
        self.leader: Seat = self.seat  # who played it
        self.tricks = [0, 0]
        self.challenger: Seat | None = None
        self.accepted = False

    @property
    def lead(self) -> int:
        """Our tricks minus theirs."""
        return self.tricks[self.seat] - self.tricks[1 - self.seat]

    @property
    def answering(self) -> int | None:
        """The card that the opponent has led and we must answer."""
        return self.led if self.leader != self.seat else None

    def tell(self, event: Event) -> None:
        tell = getattr(self, f"_tell_{event['event']}", None)
        if tell is not None:
            tell(event)

    def _tell_hand(self, event: Event) -> None:
        if event["number"] % HANDS == 1:
            self._shuffle()
        self._new_hand(list(event["hands"][self.seat]))
        for card in self.hand:
            self.unseen[card] -= 1

    def _tell_play(self, event: Event) -> None:
        seat, card = event["seat"], event["card"]
        if self.led is None:
            self.led, self.leader = card, seat
        else:
            self.led = None
        self._drop(seat, card)

    def _tell_forfeit(self, event: Event) -> None:
        if self.led is not None:
            self._take_back(self.leader, self.led)
            self.led = None
        self._drop(event["seat"], event["lost"])
        self._drop(1 - event["seat"], event["other"])

    def _take_back(self, seat: Seat, card: int) -> None:
        if seat == self.seat:
            self.hand = sorted([*self.hand, card], reverse=True)
        else:  # the opponent is known to hold it, but nobody would ask
            self.unseen[card] += 1
            self.others += 1

    def _drop(self, seat: Seat, card: int) -> None:
        if seat == self.seat:
            self.hand.remove(card)
        else:
            self.unseen[card] -= 1
            self.others -= 1

    def _tell_trick(self, event: Event) -> None:
        if event["winner"] is not None:
            self.tricks[event["winner"]] += 1

    def _tell_challenge(self, event: Event) -> None:
        self.challenger = event["seat"]

    def _tell_accept(self, event: Event) -> None:
        self.accepted = True
        self.offers[event["seat"]] += 1
        self.accepts[event["seat"]] += 1

    def _tell_reject(self, event: Event) -> None:
        self.offers[event["seat"]] += 1

    def _tell_score(self, event: Event) -> None:
        self.points = list(event["total"])
