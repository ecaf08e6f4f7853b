"""What one seat may know about a game, as sets of cards (bit masks): the memory of the house players."""

from __future__ import annotations

from games.cards import BIT, listed, mask
from games.engine import Event, Seat
from games.intensity.rules import BUFFALO, CALVES, FOLLOWS, TENS, WORTH

ALL = TENS[1] | TENS[2] | TENS[3] | TENS[4]


CATCHERS = BIT[48] | BIT[49]
"""The cards that win the buffalo."""


class Table:
    """A fold over the events that a seat hears. Everything is for reading."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.left = (seat + 1) % 4  # who gets our discards
        self.hand = 0
        self.discarding = True
        self.given = 0  # our discards that the neighbour still holds
        self.counts = [10] * 4
        self.gone = 0  # played, including the round on the table
        self.out = [0, 0, 0, 0]  # cards (all of one first digit) that the seat has shown not to hold
        self.unlikely = [0, 0, 0, 0]  # cards that a sensible player in that seat would have played already
        self.points = [0, 0, 0, 0]  # fines included
        self.broken = False  # whether a calf was played in an earlier round
        self._new_round(0)

    def _new_round(self, leader: Seat) -> None:
        self.leader = leader
        self.played = 0  # how many cards are on the table
        self.led = 0  # the cards with the first digit of the first card; 0 before it
        self.best = 0  # the card that wins as the round stands, and who played it
        self.winner: Seat = leader
        self.worth = 0
        self._calf = False

    def cards(self) -> tuple[int, ...]:
        return listed(self.hand)

    def bit(self, card: int) -> int:
        return BIT[card]

    @property
    def others(self) -> int:
        """The cards that the other three seats hold."""
        return ALL & ~(self.hand | self.gone)

    @property
    def last(self) -> bool:
        """Whether we are the last to play to this round, when we are in turn."""
        return self.played == 3

    def after(self) -> list[Seat]:
        """Return the seats that play to this round after us, when we are in turn."""
        return [(self.seat + step) % 4 for step in range(1, 4 - self.played)]

    def tell(self, event: Event) -> None:
        kind = event["event"]
        if kind == "play":
            self._play(event["seat"], event["card"])
        elif kind == "trick":
            self.points[event["winner"]] += event["points"]
            self.broken |= self._calf
            self._new_round(event["winner"])
        elif kind == "pass":
            self._pass(event)
        elif kind == "hand":
            self.hand = mask(event["hands"][self.seat])
        elif kind == "fault":
            self.points[event["seat"]] += event.get("points", 0)

    def _pass(self, event: Event) -> None:
        """Our own discards are the first that we hear of."""
        self.discarding = False
        if event["seat"] == self.seat:
            self.given = mask(event["cards"])
            self.hand ^= self.given
        elif event["to"] == self.seat:
            self.hand |= mask(event["cards"])

    def _play(self, seat: Seat, card: int) -> None:
        bit = BIT[card]
        if self.led and seat != self.seat:
            self._infer(seat, card)
        self.gone |= bit
        self.given &= ~bit
        self.counts[seat] -= 1
        if seat == self.seat:
            self.hand ^= bit
        self.played += 1
        self.worth += WORTH[card]
        self._calf |= bool(bit & CALVES)
        if not self.led:
            self.led = FOLLOWS[card]
            self.best, self.winner = card, seat
        elif not self.led & bit:
            self.out[seat] |= self.led
        elif card > self.best:
            self.best, self.winner = card, seat

    def _infer(self, seat: Seat, card: int) -> None:
        """A player who ducks plays the highest card that stays below. One who must win as the last plays their highest.
        One who cannot follow throws the buffalo, then what would catch it."""
        bit = BIT[card]
        if not self.led & bit:
            if card != BUFFALO:
                self.unlikely[seat] |= BIT[BUFFALO]
                if not CATCHERS & bit and not self.gone & BIT[BUFFALO]:
                    self.unlikely[seat] |= CATCHERS
        elif card < self.best:
            self.unlikely[seat] |= self.led & (BIT[self.best] - 1) & -(bit << 1)
        else:
            self.unlikely[seat] |= self.led & (BIT[self.best] - 1)
            if self.last:
                self.unlikely[seat] |= self.led & -(bit << 1) & ~BIT[BUFFALO]
