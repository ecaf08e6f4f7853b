"""Exact odds of a hand: how it ends against every hand that the opponent may hold.

The opponent may hold any combination, equally likely, of the cards not seen since the last shuffle. For each of these
hands the rest is played with open cards, and both sides play their best: a win, a tie or a loss in tricks. The numbers
of hands of each kind are whole, so the odds are exact.

All that counts is which card beats which. The ranks between two of ours therefore form one category, and hands are
counted by category. There are at most 3,003 patterns instead of millions of deals, and their results are cached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import comb

from games.barracuda.rules import RANKS

MEMORY = 1 << 16
"""Cached patterns of each kind: all that exist with five cards each, and most others."""

Cards = tuple[int, ...]
_Play = Callable[[Cards, Cards, Cards, int], Cards]


@dataclass(frozen=True, slots=True)
class Odds:
    """How many of the possible hands ours wins against, ties with and loses to."""

    wins: int
    ties: int
    losses: int

    @property
    def win(self) -> float:
        return self.wins / (self.wins + self.ties + self.losses)

    @property
    def tie(self) -> float:
        return self.ties / (self.wins + self.ties + self.losses)

    @property
    def loss(self) -> float:
        return self.losses / (self.wins + self.ties + self.losses)


@dataclass(frozen=True, slots=True)
class Position:
    """A hand in progress, as the player who holds it knows it."""

    hand: Cards  # ours, without what is on the table
    others: int  # how many cards the opponent holds
    unseen: Cards  # by rank, 0 … 13: cards that the opponent may hold
    lead: int  # our tricks minus theirs
    led: int = 0  # the card that the opponent has led and we must answer
    ours: int = 0  # or the card that we have led and the opponent must answer


def by_card(position: Position) -> dict[int, Odds]:
    """Return the odds of each card that we may play now, as a lead or as an answer."""
    cards, counted = _count(position, (position.led,) if position.led else (), _replies if position.led else _leads)
    return {card: _odds(counted, place) for place, card in enumerate(cards)}


def waiting(position: Position) -> Odds:
    """Return the odds while the opponent is to play: it leads, or answers the card that we have led."""
    _, counted = _count(position, (position.ours,) if position.ours else (), _answered if position.ours else _led)
    return _odds(counted, 0)


def _odds(counted: dict[Cards, int], place: int) -> Odds:
    numbers = [0, 0, 0]
    for ends, hands in counted.items():
        numbers[1 - ends[place]] += hands
    return Odds(*numbers)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Hands of the opponent between which ours cannot tell."""

    hands: int
    ranks: float  # the sum of their cards, on average
    ends: Cards  # 1, 0 or -1 for each of our different cards: won, tied or lost


def patterns(position: Position, turn: bool) -> list[Pattern]:
    """Return what the opponent may hold. `turn`: we are to play, and `ends` goes by our cards from low to high."""
    if turn:
        table, play = ((position.led,), _replies) if position.led else ((), _leads)
    else:
        table, play = ((position.ours,), _answered) if position.ours else ((), _led)
    mine = sorted({*position.hand, *table})
    bounds = [0, *mine, RANKS + 1]
    means = [0.0]
    for low, high in pairwise(bounds):
        between = range(low + 1, high)
        number = sum(position.unseen[rank] for rank in between)
        means += [sum(rank * position.unseen[rank] for rank in between) / number if number else 0.0, float(high)]
    return [
        Pattern(hands, sum(map(means.__getitem__, cards)), ends)
        for cards, hands, ends in _played(position, mine, table, play)
    ]


def _count(position: Position, table: Cards, play: _Play) -> tuple[Cards, dict[Cards, int]]:
    """Return our different cards, and how many hands of the opponent lead to which results."""
    mine = sorted({*position.hand, *table})
    counted: dict[Cards, int] = {}
    for _, hands, ends in _played(position, mine, table, play):
        counted[ends] = counted.get(ends, 0) + hands
    return tuple(sorted(set(position.hand))), counted


def _played(position: Position, mine: Sequence[int], table: Cards, play: _Play) -> Iterator[tuple[Cards, int, Cards]]:
    """Yield every pattern of the opponent's hand by names, how many hands it has, and the results."""
    name = {rank: 2 * place + 2 for place, rank in enumerate(mine)}  # odd names are for the ranks in between
    hand, named = tuple(sorted(name[card] for card in position.hand)), tuple(name[card] for card in table)
    for cards, hands in _hands(tuple(_categories(mine, position.unseen)), position.others):
        yield cards, hands, play(hand, cards, named, position.lead)


def _categories(mine: Sequence[int], unseen: Cards) -> Iterator[tuple[int, int]]:
    """Return names of the opponent's possible cards, from low to high, and how many there are of each."""
    bounds = [0, *mine, RANKS + 1]
    for place, (low, high) in enumerate(pairwise(bounds)):
        if between := sum(unseen[low + 1 : high]):
            yield 2 * place + 1, between
        if high <= RANKS and unseen[high]:
            yield 2 * place + 2, unseen[high]


def _hands(categories: Sequence[tuple[int, int]], size: int) -> Iterator[tuple[Cards, int]]:
    """Yield every hand of that size by names, from low to high, and in how many ways it can be dealt."""
    if size == 0:
        yield (), 1
    elif categories:
        (name, there), *rest = categories
        for taken in range(min(size, there) + 1):
            ways = comb(there, taken)
            for cards, others in _hands(rest, size - taken):
                yield (name,) * taken + cards, ways * others


# The rest of a hand with open cards. A hand is a tuple of ranks from low to high. Results are 1, 0 and -1: won, tied or
# lost for the first of the two hands.


@lru_cache(MEMORY)
def _leads(hand: Cards, other: Cards, table: Cards, lead: int) -> Cards:
    """Return by our different cards the result of leading it."""
    return tuple(
        min(_after(card, reply, _without(hand, card), _without(other, reply), lead, True) for reply in set(other))
        for card in sorted(set(hand))
    )


@lru_cache(MEMORY)
def _replies(hand: Cards, other: Cards, table: Cards, lead: int) -> Cards:
    """Return by our different cards the result of answering with it the card that the other side has led."""
    return tuple(_after(card, table[0], _without(hand, card), other, lead, False) for card in sorted(set(hand)))


@lru_cache(MEMORY)
def _answered(hand: Cards, other: Cards, table: Cards, lead: int) -> Cards:
    """Return the result when the other side answers the card that we have led."""
    return (min(_after(table[0], reply, hand, _without(other, reply), lead, True) for reply in set(other)),)


@lru_cache(MEMORY)
def _led(hand: Cards, other: Cards, table: Cards, lead: int) -> Cards:
    """Return the result when the other side leads."""
    return (-_best(other, hand, -lead),)


def _after(card: int, reply: int, hand: Cards, other: Cards, lead: int, led: bool) -> int:
    """Return the result after a trick of our card and theirs. `led`: we led it, and keep the lead when it is tied."""
    if card > reply or (card == reply and led):
        return _best(hand, other, lead + (card > reply))
    return -_best(other, hand, -(lead - (card < reply)))


def _best(hand: Cards, other: Cards, lead: int) -> int:
    """Return the result when we lead and are that many tricks ahead."""
    if abs(lead) > len(hand):
        return 1 if lead > 0 else -1
    if not hand:
        return 0
    order = {rank: place for place, rank in enumerate(sorted({*hand, *other}))}
    return _solved(tuple(order[card] for card in hand), tuple(order[card] for card in other), lead)


@lru_cache(MEMORY)
def _solved(hand: Cards, other: Cards, lead: int) -> int:
    return max(_leads(hand, other, (), lead))


def _without(hand: Cards, card: int) -> Cards:
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]
