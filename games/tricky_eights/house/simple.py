"""House players that do not count ("Getting Started" in the Utah problem), and what they know about a round."""

from __future__ import annotations

from collections.abc import Sequence

from games.cards import BIT, EIGHT, SUIT_MASK, rank_of, suit_of
from games.engine import Action, Event, Seat
from games.random_player import RandomPlayer
from games.table_player import TablePlayer
from games.trick_table import ALL, TrickTable
from games.tricky_eights.rules import HAND, INDEX, WORTH, trick_worth


class Table(TrickTable):
    index, cards_each, card_worth = INDEX, HAND, WORTH

    def _new_hand(self) -> None:
        self.pool = 0
        self.number = 0  # of the trick on the table; 0 during the takes
        super()._new_hand()

    def _new_trick(self) -> None:
        super()._new_trick()
        self.worth = trick_worth(self.number)

    @property
    def others(self) -> int:
        """The cards that the other three seats hold."""
        return ALL & ~(self.hand | self.pool | self.gone)

    def _tell_own(self, event: Event) -> None:
        if event["event"] == "take":
            self._take(event["seat"], INDEX[event["card"]])

    def _hand(self, event: Event) -> None:
        super()._hand(event)
        self.pool = self._cards(event["pool"])

    def _take(self, seat: Seat, card: int) -> None:
        self.pool ^= BIT[card]
        self.counts[seat] += 1
        if seat == self.seat:
            self.hand |= BIT[card]
        else:
            self.held[seat] |= BIT[card]
        if not self.pool:
            self.number = 1
            self._new_trick()

    def _trick(self, event: Event) -> None:
        self.number += 1
        super()._trick(event)


def higher(card: int) -> int:
    """Return the cards that beat a card: the higher ones of its suit."""
    return SUIT_MASK[card // 13] & ~((BIT[card] << 1) - 1)


TEN, KING, ACE = 8, 11, 12  # ranks, as in games.cards


class PseudoRandom(RandomPlayer):
    """Plays the highest legal card, of a random suit: the Utah problem's own example of the class."""

    def choose(self, legal: Sequence[Action]) -> Action:
        cards = cards_of(legal)
        top = max(map(rank_of, cards))
        return self.random.choice([card for card in cards if rank_of(card) == top])


class Thinker(TablePlayer[Table]):
    """A player with a table: it takes a card from the pool, or plays one."""

    new_table = staticmethod(Table)

    def choose(self, legal: Sequence[Action]) -> Action:
        cards = cards_of(legal)
        if len(cards) == 1:
            return cards[0]
        return self.take(cards) if self.table.pool else self.play(cards)

    def take(self, cards: Sequence[int]) -> int:
        """Take high cards, in suits that are long already. By itself, an eight is worth nothing to its owner."""
        return max(cards, key=lambda card: rank_of(card) + 0.7 * length(self.table.hand, card))

    def play(self, cards: Sequence[int]) -> int:
        raise NotImplementedError


class Opportunist(Thinker):
    """Takes any card and plays any card. But the last to play sees what a trick costs, and it buys cheaply."""

    def take(self, cards: Sequence[int]) -> int:
        return self.random.choice(cards)

    def play(self, cards: Sequence[int]) -> int:
        if not self.table.last:
            return self.random.choice(cards)
        return min((card for card in cards if self.table.beats(card)), key=rank_of, default=cheapest(cards))


class Memoryless(Thinker):
    """Looks at its hand and at the trick on the table, but never back: each trick is a new experience."""

    def play(self, cards: Sequence[int]) -> int:
        if not self.table.played:
            return self.lead(cards)
        winning = [card for card in cards if self.table.beats(card)]
        if winning and self.table.last:
            return min(winning, key=rank_of)  # as cheaply as possible
        if winning and self.stands(winning[-1]):
            return winning[-1]
        return cheapest(cards)

    def stands(self, card: int) -> bool:
        """Whether a card is likely to win against those who play after us."""
        return rank_of(card) >= KING

    def lead(self, cards: Sequence[int]) -> int:
        """Lead an ace, otherwise a low card of the longest suit."""
        aces = [card for card in cards if rank_of(card) == ACE]
        return aces[0] if aces else self.low_lead(cards)

    def low_lead(self, cards: Sequence[int]) -> int:
        longest = max(cards, key=lambda card: (length(self.table.hand, card), -rank_of(card)))
        return cheapest([card for card in cards if suit_of(card) == suit_of(longest)])


class Newcomer(Memoryless):
    """Plays like that, but has no idea yet what the pool is for, and takes any card."""

    def take(self, cards: Sequence[int]) -> int:
        return self.random.choice(cards)


class PoorMemory(Memoryless):
    """Remembers which high cards (ace to ten) are gone, as most people do, and nothing below them."""

    def stands(self, card: int) -> bool:
        return rank_of(card) >= TEN and not higher(card) & self.table.others

    def lead(self, cards: Sequence[int]) -> int:
        sure = [card for card in cards if self.stands(card)]
        return max(sure, key=lambda card: length(self.table.hand, card)) if sure else self.low_lead(cards)


def cards_of(legal: Sequence[Action]) -> Sequence[int]:
    """Return actions as the cards that they are in this game. The referee knows only actions."""
    return legal  # type: ignore[return-value]


def length(hand: int, card: int) -> int:
    """Return how many cards of that card's suit a hand has."""
    return (hand & SUIT_MASK[suit_of(card)]).bit_count()


def cheapest(cards: Sequence[int]) -> int:
    """Return the lowest card that is not an eight: an eight would give two points to somebody else."""
    return min(cards, key=lambda card: (rank_of(card) == EIGHT, rank_of(card)))
