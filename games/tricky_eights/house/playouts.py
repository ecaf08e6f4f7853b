"""Fast playouts of a round: all four hands are known, and all four seats play by the same simple rules.

Only house players use them to think. Cards are the bits of games.imagining.
"""

from __future__ import annotations

from games.cards import EIGHT
from games.engine import Seat
from games.imagining import BY_RANK, SUIT_OF_PLACE, SUITS
from games.tricky_eights.rules import TRICKS, trick_worth

EIGHTS = sum(BY_RANK[13 * suit + EIGHT] for suit in range(4))
_OTHERS_THAN_EIGHTS = ~EIGHTS
_WORTH = tuple(trick_worth(number) for number in range(TRICKS + 1))


class Trick:
    """A trick in progress, before somebody plays to it."""

    __slots__ = ("best", "led", "number", "played", "turn", "winner", "worth")

    def __init__(self, number: int, turn: Seat) -> None:
        self.number = number
        self.turn = turn
        self.played = 0
        self.led = 0  # the suit led, as a set of cards
        self.best = 0  # the card that wins as the trick stands
        self.winner = turn
        self.worth = _WORTH[number]


def play_out(hands: list[int], trick: Trick, first: int, points: list[int]) -> None:
    """Play to the end of the round. The seat in turn plays `first`. `points` grow, and `hands` empty."""
    number, seat, played = trick.number, trick.turn, trick.played
    led, best, winner, worth = trick.led, trick.best, trick.winner, trick.worth
    rest = hands[0] | hands[1] | hands[2] | hands[3]
    card = first
    while True:
        hands[seat] ^= card
        rest ^= card
        if card & EIGHTS:
            worth += 2
        if not played:
            led = SUIT_OF_PLACE[card.bit_length() - 1]
            best, winner = card, seat
        elif card > best and card & led:
            best, winner = card, seat
        played += 1
        if played == 4:
            points[winner] += worth
            number += 1
            if number > TRICKS:
                return
            seat, played, worth = winner, 0, _WORTH[number]
            card = _lead(hands[seat], rest)
            continue
        seat = (seat + 1) & 3
        hand = hands[seat]
        follow = hand & led
        if follow:
            above = follow & -best
            if above and (played == 3 or not rest & led & ~hand & -above):
                card = above & -above  # the lowest that wins: it is last, or nobody has a higher one
                continue
            if above and not rest & led & ~hand & -(top := 1 << above.bit_length() - 1):
                card = top
                continue
            follow = follow & _OTHERS_THAN_EIGHTS or follow
            card = follow & -follow
        else:
            hand = hand & _OTHERS_THAN_EIGHTS or hand
            card = hand & -hand


def _lead(hand: int, rest: int) -> int:
    """Lead a card that nobody can beat, otherwise the lowest."""
    others = rest & ~hand
    for suit in SUITS:
        mine = hand & suit
        if mine > others & suit:
            return 1 << mine.bit_length() - 1
    low = hand & _OTHERS_THAN_EIGHTS or hand
    return low & -low
