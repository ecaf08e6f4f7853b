"""The words of the record: its events and their fields (docs/record.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DECISIONS = frozenset({"take", "pass", "play", "challenge", "accept", "reject"})
"""The events that a seat decides on. A game with others names them in `Game.decisions`."""

FIELDS: Mapping[str, tuple[str, ...]] = {
    "game": ("number", "leader", "seating", "seed", "cards"),
    "hand": ("number", "dealer", "leader", "hands", "pool", "pass", "stock"),
    "pass": ("seat", "to", "cards"),
    "take": ("seat", "card"),
    "deal": ("card",),
    "play": ("seat", "card"),
    "challenge": ("seat",),
    "accept": ("seat",),
    "reject": ("seat",),
    "fault": ("seat", "kind", "detail", "answer", "points"),
    "forfeit": ("seat", "lost", "other"),
    "trick": ("winner", "points"),
    "score": ("hand", "total"),
    "result": ("scores", "winner", "verdict", "cpu_ms"),
}
"""The events and their fields, in the order of the table in docs/record.md."""

CLOCKS = ("ms", "cpu_ms", "by")
"""What stands after the fields of a decision: how it came about, nothing that the rules know."""


def own_part(event: dict[str, Any], seat: int | None) -> dict[str, Any]:
    """The part of an event that a seat may see where the usual is private: hands; cards that are passed, except for
    giver and taker; and what exactly a bot did wrong, which may name its cards. None: a spectator without cards."""
    kind = event["event"]
    if kind == "hand":
        return {**event, "hands": [hand if owner == seat else None for owner, hand in enumerate(event["hands"])]}
    if kind == "pass" and seat not in (event["seat"], event["to"]):
        return {key: value for key, value in event.items() if key != "cards"}
    if kind == "fault" and event["seat"] != seat:
        return {key: value for key, value in event.items() if key not in ("detail", "answer")}
    return event
