"""How long the latest matches of a stage took, as this process has seen: whether to deal with several at a time.

A worker takes several short matches at once (playing/batches.py), and a ladder keeps more of them waiting
(kinds/ladder.py). What a process has not seen yet counts as long.
"""

from __future__ import annotations

from collections import deque

MOST = 8  # matches: writing their results together holds the contest
SECONDS = 2.0  # in which they should be over
SEEN = 5  # the latest matches of a stage that decide
STAGES = 100  # that a process remembers

durations: dict[int, deque[float]] = {}


def learn(stage: int, seconds: float) -> None:
    """Remember how long a match of the stage took."""
    if stage not in durations and len(durations) >= STAGES:
        durations.pop(next(iter(durations)))
    durations.setdefault(stage, deque(maxlen=SEEN)).append(seconds)


def at_once(stage: int) -> int:
    """How many matches of the stage to deal with at a time. 1: they are long, or not known yet."""
    known = durations.get(stage)
    return max(1, min(MOST, int(SECONDS / max(*known, 0.001)))) if known else 1
