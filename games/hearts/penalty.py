"""The time penalty of Hearts (seed 003, "The score will be …"; rulings.md, Hearts 5)."""

from __future__ import annotations

from games.engine import Event

POINTS_PER_MS = 1.0


def time_penalty(record: Event) -> list[float]:
    """Penalty points per player of a whole match: one for each millisecond of its own processor time, with decimals.

    Every decision holds the time since the one before, and every `result` what came after the last. Game points are
    apart, in the record's `result`; whoever wants the score of the seed adds the two.
    """
    spent = [0.0] * len(record["seats"])
    seating = range(len(spent))
    for event in record["events"]:
        if event["event"] == "game":
            seating = event.get("seating", seating)
        elif event["event"] == "result":
            for seat, ms in enumerate(event.get("cpu_ms", ())):
                spent[seating[seat]] += ms
        elif "cpu_ms" in event:
            spent[seating[event["seat"]]] += event["cpu_ms"]
    return [round(POINTS_PER_MS * ms, 3) for ms in spent]
