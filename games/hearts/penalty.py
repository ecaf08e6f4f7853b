"""The time penalty of Hearts (seed 003, "The score will be …"; rulings.md, Hearts 5)."""

from __future__ import annotations

from games.format import Record, processor_times

POINTS_PER_MS = 1.0


def time_penalty(record: Record) -> list[float]:
    """Penalty points per player of a whole match: one for each millisecond of its own processor time, with decimals.

    Game points are apart, in the record's `result`; whoever wants the score of the seed adds the two.
    """
    return [round(POINTS_PER_MS * ms, 3) for ms in processor_times(record)]
