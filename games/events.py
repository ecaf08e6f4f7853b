"""The vocabulary of the record: its events and their fields (docs/record.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DECISIONS = frozenset({"take", "pass", "play", "challenge", "accept", "reject"})
"""The events that are decisions of a seat. A game with others names them in `Game.decisions`."""

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

CLOCKS = ("ms", "cpu_ms", "late_ms", "by")
"""The fields after those of a decision: how it was made, which the rules ignore."""


def own_part(event: dict[str, Any], seat: int | None) -> dict[str, Any]:
    """Return the part of an event that a seat may see where hands are private, and so are passed cards (except for
    giver and taker) and the details of a fault, which may name cards. None: a spectator without cards."""
    kind = event["event"]
    if kind == "hand":
        return {**event, "hands": [hand if owner == seat else None for owner, hand in enumerate(event["hands"])]}
    if kind == "pass" and seat not in (event["seat"], event["to"]):
        return {key: value for key, value in event.items() if key != "cards"}
    if kind == "fault" and event["seat"] != seat:
        return {key: value for key, value in event.items() if key not in ("detail", "answer")}
    return event
