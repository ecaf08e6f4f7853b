"""What a house player knows about a game, as sets of cards (bit masks); the one that remembers nothing, and those
between it and `random`: each has one good idea, or a weakness."""

from __future__ import annotations

from collections.abc import Sequence

from games.cards import BIT, listed
from games.engine import Action, Event, Seat
from games.intensity.rules import BUFFALO, CALVES, DISCARDS, FOLLOWS, HAND, TENS, WORTH
from games.table_player import Forgetful, TablePlayer
from games.trick_table import TrickTable

ALL = TENS[1] | TENS[2] | TENS[3] | TENS[4]

CATCHERS = BIT[48] | BIT[49]
"""The cards that win the buffalo."""


class Table(TrickTable):
    index, cards_each, card_worth = {card: card for card in listed(ALL)}, HAND, WORTH
    pack, follows = ALL, FOLLOWS

    def _new_hand(self) -> None:
        super()._new_hand()
        self.discarding = True
        self.unlikely = [0, 0, 0, 0]  # cards that a sensible player in that seat would have played already
        self.broken = False  # whether a calf was played in an earlier round

    def _hand(self, event: Event) -> None:
        self.hand = self._cards(event["hands"][self.seat])  # a game has one hand, and fines may come before it

    def _trick(self, event: Event) -> None:
        super()._trick(event)
        self.broken |= bool(self.gone & CALVES)

    def _tell_own(self, event: Event) -> None:
        if event["event"] == "pass":
            self._pass(event)
        elif event["event"] == "fault":
            self.points[event["seat"]] += event.get("points", 0)

    def _pass(self, event: Event) -> None:
        """Our own discards are the first that we hear of."""
        self.discarding = False
        if event["seat"] == self.seat:
            cards = self._cards(event["cards"])
            self.held[event["to"]] = cards
            self.hand ^= cards
        elif event["to"] == self.seat:
            self.hand |= self._cards(event["cards"])

    def _play(self, seat: Seat, card: int) -> None:
        if self.led and seat != self.seat:
            self._infer(seat, card)
        super()._play(seat, card)

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


class Thinker(TablePlayer[Table]):
    """A player with a table: it discards three cards, or plays one."""

    new_table = staticmethod(Table)

    def choose(self, legal: Sequence[Action]) -> Action:
        if self.table.discarding:
            return self.discards()
        cards: Sequence[int] = legal  # type: ignore[assignment]
        return cards[0] if len(cards) == 1 else self.play(cards)

    def discards(self) -> tuple[int, ...]:
        """Return the three cards that are worst to hold."""
        hand = listed(self.table.hand)
        return tuple(sorted(sorted(hand, key=lambda card: (danger(self.table.hand, card), card))[-3:]))

    def play(self, cards: Sequence[int]) -> int:
        raise NotImplementedError


class Avoider(Thinker):
    """Leads low, stays below what lies on the table, and gets rid of its worst cards when it cannot follow."""

    def play(self, cards: Sequence[int]) -> int:
        table = self.table
        if not table.played:
            return min(cards, key=lambda card: (card % 10, card))
        if not table.led & BIT[cards[0]]:  # void in that digit: somebody else takes it
            return max(cards, key=lambda card: (danger(table.hand, card), card))
        below = [card for card in cards if card < table.best]
        if below:
            return max(below, key=lambda card: (WORTH[card], card))
        if table.last and not table.worth:  # it costs nothing: play the largest card
            return max(card for card in cards if card != BUFFALO or len(cards) == 1)
        return min(cards, key=lambda card: (WORTH[card] > 1, card))


def danger(hand: int, card: int) -> float:
    """Return how much a player wants to be rid of a card, by the hand alone: high cards with few low ones under them,
    and above all those over the buffalo."""
    digit, rank = divmod(card, 10)
    below = (hand & TENS[digit] & ((1 << card) - 1)).bit_count()
    weight = {3: 1.3, 4: 1.4}.get(digit, 1.0)
    value = weight * rank - 1.5 * below
    if card == BUFFALO:
        return 12.0 - 2.5 * below
    return value + (4.0 - below if card > BUFFALO else 0.0)


class Ducker(Thinker):
    """Knows one trick: it ducks under the card that wins. It discards, leads and throws cards without a thought."""

    def discards(self) -> tuple[int, ...]:
        return tuple(sorted(self.random.sample(listed(self.table.hand), DISCARDS)))

    def play(self, cards: Sequence[int]) -> int:
        table = self.table
        if not table.played or not table.led & BIT[cards[0]]:
            return self.random.choice(cards)
        return max((card for card in cards if card < table.best), default=cards[0])


class Meek(Thinker):
    """Gives its highest cards away, and plays its lowest, whatever the others do."""

    def discards(self) -> tuple[int, ...]:
        return tuple(sorted(sorted(listed(self.table.hand), key=_rank)[-DISCARDS:]))

    def play(self, cards: Sequence[int]) -> int:
        return min(cards, key=_rank)


class AbsentMinded(Forgetful[Table], Avoider):
    forgets = 0.22


def _rank(card: int) -> tuple[int, int]:
    return card % 10, card
