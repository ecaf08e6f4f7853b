"""Barracuda games in the tests' notation: hands by rank, moves as short words."""

from __future__ import annotations

from typing import Any

from games.barracuda import GAME
from games.barracuda.rules import State, packed
from games.engine import Event, FaultKind

WORDS = {"!": "challenge", "yes": "accept", "no": "reject"}


def start(leader: int = 0, **changes: Any) -> State:
    return GAME.start(GAME.options(changes), opening={"leader": leader})


def deal(state: State, left: str, right: str) -> list[Event]:
    """Deal these hands, such as "13 9 9 2 1"; the order does not matter."""
    hands = [sorted(map(int, hand.split()), reverse=True) for hand in (left, right)]
    return list(state.deal(packed({"hands": hands})))


def play(state: State, moves: str) -> list[Event]:
    """Make moves for the seat in turn: cards, `!` a challenge, `yes`, `no`, `x` a fault. All events are recorded."""
    events: list[Event] = []
    for word in moves.split():
        if word == "x":
            seat = state.turn
            remedy = state.fault(FaultKind.TIMEOUT)
            events += [{"event": "fault", "seat": seat, "kind": "timeout", "detail": "did not answer"}, *remedy.events]
            continue
        action = WORDS.get(word) or int(word)
        assert state.is_legal(action), (word, state.legal())
        events.append(state.event(action))
        events += state.apply(action)
    return events


def kinds(events: list[Event]) -> list[str]:
    return [event["event"] for event in events]
