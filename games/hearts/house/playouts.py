"""Fast playouts of a hand: all four hands are known, and everybody ducks by the same simple rules, except one player
who may try to take everything.

Only house players use them to think. Cards are the bits of games.imagining.
"""

from __future__ import annotations

from games.cards import HEARTS, SPADES
from games.engine import Seat
from games.hearts.rules import ALL_POINTS, QUEEN
from games.imagining import BY_RANK, SUIT_OF_PLACE, SUITS, Trick

_HEARTS, _QUEEN = SUITS[HEARTS], BY_RANK[QUEEN]
_POINTS = _HEARTS | _QUEEN
_HIGH_SPADES = SUITS[SPADES] & -_QUEEN
_LOW_SPADES = SUITS[SPADES] & (_QUEEN - 1)
_OTHERS_THAN_QUEEN = ~_QUEEN

NOBODY = -1


def play_out(hands: list[int], trick: Trick, first: int, points: list[int], shooter: Seat = NOBODY) -> None:
    """Play to the end of the hand. The seat in turn plays `first`. `points` grow, and `hands` empty.

    It ends early when nobody can get another point, or when the shooter can no longer get all of them.
    """
    seat, played, broken = trick.turn, trick.played, trick.broken
    led, best, winner, worth = trick.led, trick.best, trick.winner, trick.worth
    rest = hands[0] | hands[1] | hands[2] | hands[3]
    card = first
    while True:
        hands[seat] ^= card
        rest ^= card
        if card & _POINTS:
            worth += 13 if card == _QUEEN else 1
        if not played:
            led = SUIT_OF_PLACE[card.bit_length() - 1]
            best, winner = card, seat
        elif card > best and card & led:
            best, winner = card, seat
        played += 1
        if played == 4:
            points[winner] += worth
            broken = broken or worth > 0
            if not rest & _POINTS or (shooter >= 0 and worth and winner != shooter):
                return
            seat, played, worth = winner, 0, 0
            card = _attack(hands[seat], rest, broken) if seat == shooter else _lead(hands[seat], rest, broken)
            continue
        seat = (seat + 1) & 3
        hand = hands[seat]
        follow = hand & led
        if shooter >= 0:
            card = _take(hand, follow, best, played) if seat == shooter else _defend(hand, follow, best)
        elif follow:
            below = follow & (best - 1)
            if below:
                card = 1 << below.bit_length() - 1
            elif played == 3:
                follow = follow & _OTHERS_THAN_QUEEN or follow
                card = 1 << follow.bit_length() - 1
            else:
                follow = follow & _OTHERS_THAN_QUEEN or follow
                card = follow & -follow
        else:
            card = _throw(hand, rest)


def _throw(hand: int, rest: int) -> int:
    """Throw the queen; while she is out, the ace or king of spades; otherwise the highest heart or card."""
    if hand & _QUEEN:
        return _QUEEN
    worst = (hand & _HIGH_SPADES if rest & _QUEEN else 0) or hand & _HEARTS or hand
    return 1 << worst.bit_length() - 1


def _free(hand: int, broken: bool) -> int:
    """Return what may be led."""
    if broken or not hand & ~_POINTS:
        return hand
    return hand & ~_HEARTS


def _lead(hand: int, rest: int, broken: bool) -> int:
    """Lead a low spade to drive the queen out, otherwise the lowest card."""
    if rest & _QUEEN and not hand & _HIGH_SPADES and hand & _LOW_SPADES:
        low = hand & _LOW_SPADES
        return 1 << low.bit_length() - 1
    free = _free(hand, broken)
    low = free & _OTHERS_THAN_QUEEN or free
    return low & -low


def _attack(hand: int, rest: int, broken: bool) -> int:
    """Lead a card that nobody can beat, in the suit most held by others; otherwise the lowest of the longest
    suit."""
    free, others = _free(hand, broken), rest & ~hand
    best, longest = 0, -1
    for suit in SUITS:
        mine = free & suit
        if mine:
            theirs = others & suit
            if mine > theirs and theirs.bit_count() > longest:
                best, longest = 1 << mine.bit_length() - 1, theirs.bit_count()
    return best or free & -free


def _take(hand: int, follow: int, best: int, played: int) -> int:
    """Win the trick: as cheaply as possible if last, otherwise with the highest card. Throw low cards that cannot."""
    if follow:
        above = follow & -(best << 1)
        if above:
            return above & -above if played == 3 else 1 << above.bit_length() - 1
        return follow & -follow
    kept = hand & ~_POINTS or hand
    return kept & -kept


def _defend(hand: int, follow: int, best: int) -> int:
    """Take what can be taken, and keep what may take something later."""
    if follow:
        above = follow & -(best << 1)
        return above & -above if above else follow & -follow
    kept = hand & ~_POINTS or hand
    return kept & -kept


def shot(hand: int, rest: int, trick: Trick) -> int:
    """Return the card that the shooter plays now. `rest` has everybody's cards."""
    if not trick.played:
        return _attack(hand, rest, trick.broken)
    return _take(hand, hand & trick.led, trick.best, trick.played)


def scored(points: list[int]) -> list[int]:
    """Return what the points of a whole hand count."""
    if ALL_POINTS in points:
        return [-ALL_POINTS if taken else 0 for taken in points]
    return points
