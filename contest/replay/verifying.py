"""Runs a record again by the rules, for the button on the page of a replay."""

from __future__ import annotations

from typing import Any

import games
from games.deals import Stranger, check
from games.record import Record
from games.record import games as split_games


def verdict(record: Record) -> dict[str, Any]:
    """Whether the record is what its seed and moves give. Where it differs: a text, the game from 1, and the ply."""
    found = check(record, games.get(record["game"]))
    if found is None:
        count = len(record["events"])
        dealt = "and the seed deals the cards of every hand"
        return {"equal": True, "text": f"Equal: all {count} events follow from the moves by the rules, {dealt}."}
    place = _place(record, found.index)
    if isinstance(found, Stranger):
        return {"equal": False, "text": f"The moves follow the rules, but {found.text}.", **place}
    where = f" in game {place['game']}, event {place['ply']}" if place else ""
    return {"equal": False, "text": f"Different{where}: {found.text}.", **place}


def _place(record: Record, index: int) -> dict[str, int]:
    """The game and the ply of an event; nothing where it is the result of the match that differs."""
    for number, events in enumerate(split_games(record), 1):
        if index < len(events):
            return {"game": number, "ply": index}
        index -= len(events)
    return {}
