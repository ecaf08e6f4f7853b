"""Where in its round an event stands, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from contest.replay.moves import BEFORE_PLAY
from games.engine import Event
from games.format import DECISIONS


def places(events: Sequence[Event]) -> list[str]:
    """By ply: `trick 7`, or `take 2` for the second card that a seat takes; blank for what belongs to the whole round.

    A fault stands where the decision stands that was due: that is where its bot failed.
    """
    found: list[str] = []
    tricks = 0
    turns: Counter[tuple[str, int]] = Counter()
    for ply, event in enumerate(events):
        if event["event"] == "hand":
            tricks = 0
            turns.clear()
        due = _due(events, ply) if event["event"] == "fault" else event
        kind = due["event"]
        if kind in ("play", "trick"):
            found.append(f"trick {tricks + 1}")
        elif kind in BEFORE_PLAY:
            found.append(f"{kind} {turns[kind, due['seat']] + 1}")
        else:
            found.append("")
        if event["event"] in BEFORE_PLAY:
            turns[event["event"], event["seat"]] += 1
        tricks += event["event"] == "trick"
    return found


def place_of(events: Sequence[Event], ply: int) -> str:
    """Where in a game an event stands: `round 3, trick 7`. For one of them; a Replay knows all."""
    rounds = max(1, sum(event["event"] == "hand" for event in events[: ply + 1]))
    part = places(events)[ply]
    return f"round {rounds}, {part}" if part else f"round {rounds}"


def _due(events: Sequence[Event], ply: int) -> Event:
    """The decision in whose place a fault stands: it follows at once (record.md), unless the game ends there."""
    following = events[ply + 1] if ply + 1 < len(events) else {"event": ""}
    if following["event"] in DECISIONS:
        return following
    return next((event for event in reversed(events[:ply]) if event["event"] != "fault"), events[ply])
