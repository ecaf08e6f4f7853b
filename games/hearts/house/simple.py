"""What a house player knows about a hand of Hearts, and the players that do not count: the avoider, and those below and
beside it, each with one good idea, or a weakness that people have, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from games.cards import BIT, HEARTS, SPADES, SUIT_MASK, listed, rank_of, suit_of
from games.engine import Action, Event
from games.hearts.rules import HAND, INDEX, QUEEN, STEP, WORTH, Three
from games.passes import PASSED
from games.table_player import Forgetful, TablePlayer
from games.trick_table import TrickTable

LOW = 7
"""Ranks (games.cards) below this one, up to the eight, protect the higher cards of their suit."""


class Table(TrickTable):
    index, cards_each, card_worth = INDEX, HAND, WORTH

    def _new_hand(self) -> None:
        super()._new_hand()
        self.passing = 0  # how many seats clockwise our cards go; 0 when nothing is left to be passed
        self.broken = False

    def _tell_own(self, event: Event) -> None:
        if event["event"] == "pass":
            self._pass(event)

    def _hand(self, event: Event) -> None:
        super()._hand(event)
        self.passing = STEP[event["pass"]]

    def _pass(self, event: Event) -> None:
        if event["seat"] == self.seat:
            cards = self._cards(event["cards"])
            self.hand &= ~cards
            self.held[event["to"]] = cards
            self.passing = 0
        elif event["to"] == self.seat:
            self.hand |= self._cards(event["cards"])

    def _trick(self, event: Event) -> None:
        super()._trick(event)
        self.broken |= event["points"] > 0


class Thinker(TablePlayer[Table]):
    """A player with a table: it passes three cards, or plays one."""

    new_table = staticmethod(Table)

    def choose(self, legal: Sequence[Action]) -> Action:
        if self.table.passing:
            return self.give(self.table.hand)
        cards = cast(Sequence[int], legal)  # the referee knows only actions
        return cards[0] if len(cards) == 1 else self.play(cards)

    def give(self, hand: int) -> Three:
        raise NotImplementedError

    def play(self, cards: Sequence[int]) -> int:
        raise NotImplementedError


class Avoider(Thinker):
    """Ducks wherever it can, throws dangerous cards when it may, and never looks back."""

    def give(self, hand: int) -> Three:
        """Pass the three highest cards, and the queen of spades before all others."""
        cards = sorted(listed(hand), key=lambda card: (card == QUEEN, rank_of(card)), reverse=True)
        return cast(Three, tuple(sorted(cards[:PASSED])))

    def play(self, cards: Sequence[int]) -> int:
        table = self.table
        if not table.led:
            return min(cards, key=lambda card: (card == QUEEN, rank_of(card)))
        if not table.led & 1 << cards[0]:
            return max(cards, key=danger)
        ducking = [card for card in cards if not table.beats(card)]
        if ducking:
            return max(ducking, key=lambda card: (card == QUEEN, rank_of(card)))
        if table.last:  # it takes the trick in any case
            return max(cards, key=lambda card: (card != QUEEN, rank_of(card)))
        return min(cards, key=lambda card: (card == QUEEN, rank_of(card)))


def danger(card: int) -> tuple[int, int]:
    """Rank what is best thrown away: the queen, ace and king of spades, high hearts, then any high card."""
    if card == QUEEN:
        return 3, 0
    if suit_of(card) == SPADES and card > QUEEN:
        return 2, rank_of(card)
    return (1 if WORTH[card] else 0), rank_of(card)


def careful_pass(hand: int) -> Three:
    """Pass the queen and what she could fall on, unless low spades protect them, then high cards without low ones."""
    cards = sorted(listed(hand), key=lambda card: weight(card, hand), reverse=True)
    first, second, third = sorted(cards[:PASSED])
    return first, second, third


def weight(card: int, hand: int) -> float:
    """Return how much a player wants to be rid of a card of that hand before it is played."""
    suit = suit_of(card)
    mine = hand & SUIT_MASK[suit]
    if suit == SPADES:
        below = (mine & (BIT[QUEEN] - 1)).bit_count()
        return -5.0 if card < QUEEN else (40.0 if card == QUEEN else 30.0) - 12.0 * below
    low = (mine & (BIT[13 * suit + LOW] - 1)).bit_count()
    return rank_of(card) - 2.0 * low + max(0, 3 - mine.bit_count()) + (suit == HEARTS)


class AbsentMinded(Forgetful[Table], Avoider):
    forgets = 0.2


class Drowsy(AbsentMinded):
    forgets = 0.58


class Dreamer(AbsentMinded):
    forgets = 0.81


class Ducker(Thinker):
    """Knows one trick: it ducks where it can, as high as it can. It passes its highest cards, and leads and throws
    cards without a thought."""

    def give(self, hand: int) -> Three:
        return cast(Three, tuple(sorted(sorted(listed(hand), key=rank_of)[-PASSED:])))

    def play(self, cards: Sequence[int]) -> int:
        table = self.table
        if not table.led or not table.led & 1 << cards[0]:
            return self.random.choice(cards)
        return max((card for card in cards if not table.beats(card)), default=cards[0])


class Planner(AbsentMinded):
    """The avoider, which passes with care, but is not quite awake either."""

    forgets = 1 / 12
    give = staticmethod(careful_pass)
