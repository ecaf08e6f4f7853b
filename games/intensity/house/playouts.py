"""Fast playouts of a game of Intensity: all four hands are known, and all four seats play by the same simple rules.

Only house players use them to think. Cards are bits here, numbered by the last digit first (4·last + first - 1). The
lowest bit of a hand is its lowest card, and higher cards have higher bits.
"""

from __future__ import annotations

from games.imagining import Trick
from games.intensity.rules import BUFFALO, FIRST, LAST, TENS

BY_RANK = tuple(1 << card % 10 * 4 + card // 10 - 1 if card >= FIRST else 0 for card in range(LAST + 1))
"""By card: its bit."""

SUITS = tuple(sum(BY_RANK[10 * digit + rank] for rank in range(10)) for digit in (1, 2, 3, 4))
_SUIT_OF_PLACE = tuple(SUITS[place % 4] for place in range(40))
CALVES = SUITS[2]
THE_BUFFALO = BY_RANK[BUFFALO]
ABOVE_BUFFALO = BY_RANK[48] | BY_RANK[49]


class _Translated(dict[int, int]):
    """Sets of cards with one first digit in the numbering of this module. Each is made when it is first asked for."""

    def __missing__(self, cards: int) -> int:
        found = self[cards] = sum(BY_RANK[card] for card in range(FIRST, LAST + 1) if cards >> card & 1)
        return found


_TRANSLATED = _Translated()


def by_rank(cards: int) -> int:
    """Convert a set of cards (bits by number) to the numbering of this module."""
    _, tens, twenties, thirties, forties = TENS
    return (
        _TRANSLATED[cards & tens]
        | _TRANSLATED[cards & twenties]
        | _TRANSLATED[cards & thirties]
        | _TRANSLATED[cards & forties]
    )


def play_out(hands: list[int], start: Trick, first: int, points: list[int]) -> None:
    """Play to the end of the game. The seat in turn plays `first`. `points` grow, and `hands` empty."""
    seat, played, broken = start.turn, start.played, start.broken
    led, best, winner, worth = start.led, start.best, start.winner, start.worth
    rest = hands[0] | hands[1] | hands[2] | hands[3]
    card = first
    while True:
        hands[seat] ^= card
        rest ^= card
        if card & CALVES:
            worth += 1
        elif card == THE_BUFFALO:
            worth += 7
        if not played:
            led = _SUIT_OF_PLACE[card.bit_length() - 1]
            best, winner = card, seat
        elif card > best and card & led:
            best, winner = card, seat
        played += 1
        if played == 4:
            points[winner] += worth
            if not rest:
                return
            broken = broken or rest & CALVES != CALVES
            seat, played, worth = winner, 0, 0
            card = _lead(hands[seat], rest, broken)
            continue
        seat = (seat + 1) & 3
        hand = hands[seat]
        follow = hand & led
        if not follow:
            card = _throw(hand, rest)
            continue
        below = follow & (best - 1)
        if below:
            card = THE_BUFFALO if below & THE_BUFFALO else 1 << below.bit_length() - 1
        elif played == 3:  # it wins anyway, so play the highest
            card = follow & ~THE_BUFFALO or follow
            card = 1 << card.bit_length() - 1
        else:
            card = follow & ~THE_BUFFALO or follow
            card &= -card


def _lead(hand: int, rest: int, broken: bool) -> int:
    """Lead the lowest card, of a suit that somebody else still has, and the buffalo last."""
    may = hand if broken else hand & ~CALVES or hand
    others = rest & ~hand
    for suit in SUITS:
        if not others & suit:
            may = may & ~suit or may
    may = may & ~THE_BUFFALO or may
    return may & -may


def _throw(hand: int, rest: int) -> int:
    """Throw the buffalo, then what would catch it, otherwise the highest card, calves first."""
    if hand & THE_BUFFALO:
        return THE_BUFFALO
    worst = hand & ABOVE_BUFFALO if rest & THE_BUFFALO else 0
    high = hand & -(1 << 20)
    worst = worst or high & CALVES or hand
    return 1 << worst.bit_length() - 1
