"""Hands of Hearts for the tests, in short notation."""

from __future__ import annotations

from random import Random
from typing import Any

from games.engine import Event
from games.hearts import GAME
from games.hearts.rules import INDEX, PACK, State

SUITS = (
    "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC",
    "2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD AD",
    "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH",
    "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS",
)
"""Each seat holds one suit."""


def start(**changes: Any) -> State:
    return GAME.start(GAME.options(changes))


def deal(state: State, *hands: str, unpassed: bool = False) -> list[Event]:
    """Deal these hands. A seat without one gets the remaining cards, in a fixed order."""
    given = [hand.split() for hand in hands]
    left = [name for name in PACK if not any(name in hand for hand in given)]
    Random(1).shuffle(left)
    full = [hand + [left.pop() for _ in range(13 - len(hand))] for hand in given]
    full += [[left.pop() for _ in range(13)] for _ in range(4 - len(full))]
    if unpassed:
        state.number = 3  # in the fourth hand of a game nothing is passed
    return list(state.deal([INDEX[name] for hand in full for name in hand]))


def play(state: State, cards: str) -> list[Event]:
    """Play these cards, each by the seat in turn. All must be legal."""
    events = []
    for name in cards.split():
        assert state.is_legal(INDEX[name]), f"{name}: seat {state.turn} {state.objection(INDEX[name])}"
        events.append(state.event(INDEX[name]))
        events += state.apply(INDEX[name])
    return events


def passes(state: State, *threes: str) -> None:
    for names in threes:
        action = three(names)
        assert state.is_legal(action), state.objection(action)
        state.apply(action)


def three(names: str) -> tuple[int, ...]:
    return tuple(INDEX[name] for name in names.split())


def legal(state: State) -> str:
    return " ".join(PACK[card] for card in state.legal())  # type: ignore[index]
