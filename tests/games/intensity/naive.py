"""Intensity a second time, from the assignment alone and as simple as possible: lists, loops, no stored state."""

from __future__ import annotations

from collections.abc import Sequence


def is_calf(card: int) -> bool:
    return str(card)[0] == "3"


def may_play(card: int, hand: Sequence[int], table: Sequence[int], earlier: Sequence[int]) -> bool:
    """`table`: the cards of this round, `earlier`: of all rounds before."""
    if card not in hand:
        return False
    if table:
        digit = str(table[0])[0]
        can = [mine for mine in hand if str(mine)[0] == digit]
        return card in can if can else True
    if not is_calf(card):
        return True
    return any(is_calf(played) for played in earlier) or all(is_calf(mine) for mine in hand)


def winning_card(cards: Sequence[int]) -> int:
    digit = str(cards[0])[0]
    best = cards[0]
    for card in cards:
        if str(card)[0] == digit and card > best:
            best = card
    return best


def penalty(cards: Sequence[int]) -> int:
    points = 0
    for card in cards:
        if is_calf(card):
            points = points + 1
        if card == 47:
            points = points + 7
    return points


def tell(played: Sequence[int]) -> tuple[list[list[tuple[int, int]]], list[int]]:
    """From the forty (or fewer) cards in order of play: the rounds as (position, card), and the penalty points."""
    leader, rounds, scores = 0, [], [0, 0, 0, 0]
    for start in range(0, len(played), 4):
        cards = played[start : start + 4]
        rounds.append([((leader + turn) % 4, card) for turn, card in enumerate(cards)])
        if len(cards) == 4:
            winner = next(who for who, card in rounds[-1] if card == winning_card(cards))
            scores[winner] += penalty(cards)
            leader = winner
    return rounds, scores
