"""Where in its round an event stands, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from contest.replay.parts import ReplaySeat
from games.engine import Event, Game


def places(game: Game, events: Sequence[Event]) -> list[str]:
    """By ply: `trick 7`, or `take 2` for the second card that a seat takes; blank for what belongs to the whole round
    (`the end`, in games of one hand).

    A fault stands where the decision stands that was due: that is where its bot failed.
    """
    found: list[str] = []
    done = 0  # tricks that are over, or cards that the dealer has laid
    turns: Counter[tuple[str, int]] = Counter()
    answers = any(event["event"] == "deal" for event in events)
    for ply, event in enumerate(events):
        if event["event"] == "hand":
            done = 0
            turns.clear()
        done += event["event"] == "deal"
        due = _due(game, events, ply) if event["event"] == "fault" else event
        kind = due["event"]
        if turn := game.turns.get(kind):
            found.append(f"{kind} {turns[kind, due['seat']] + 1}" if turn.several else f"the {kind}")
        elif kind in game.decisions or kind in ("trick", "deal", "forfeit"):
            found.append(f"{game.trick_word} {max(done, 1) if answers else done + 1}")
        else:
            found.append("the end" if kind in ("score", "result") and not game.hand_word else "")
        if event["event"] in game.turns:
            turns[event["event"], event["seat"]] += 1
        done += event["event"] == "trick"
    return found


def in_words(game: Game, hand: int, place: str) -> str:
    """`Round 3, trick 7`; without the round in games of one hand."""
    parts = [f"{game.hand_word} {hand}"] if game.hand_word else []
    words = ", ".join([*parts, *([place] if place else [])]) or "the deal"
    return words[:1].upper() + words[1:]


def place_of(game: Game, events: Sequence[Event], ply: int) -> str:
    """Where in a game an event stands: `round 3, trick 7`. For one of them; a Replay knows all."""
    hand = max(1, sum(event["event"] == "hand" for event in events[: ply + 1]))
    words = in_words(game, hand, places(game, events)[ply])
    return words[:1].lower() + words[1:]


def _due(game: Game, events: Sequence[Event], ply: int) -> Event:
    """The decision in whose place a fault stands: it follows at once (docs/record.md), unless the game ends there."""
    following = events[ply + 1] if ply + 1 < len(events) else {"event": ""}
    if following["event"] in game.decisions or following["event"] == "forfeit":
        return following
    return next((event for event in reversed(events[:ply]) if event["event"] != "fault"), events[ply])


def with_names(caption: str, seats: Sequence[ReplaySeat]) -> str:
    """A sentence about a seat says who sits there. Where there is but one, everybody knows."""
    for seat in seats if len(seats) > 1 else ():
        if caption.startswith(f"{seat.label} "):
            return f"{seat.label} ({seat.name}){caption.removeprefix(seat.label)}"
    return caption
