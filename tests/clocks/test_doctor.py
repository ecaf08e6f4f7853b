"""The doctor by real clocks."""

from __future__ import annotations

import re
from dataclasses import replace

from games import get
from games.doctor.table import example_of
from tests.games.test_doctor import LONG, one


def test_thinking_too_long_is_told_from_waiting() -> None:
    example = example_of(get("even_steven"))
    quick = replace(example, options={**example.options, "time_limit": 0.3})
    found = one("lines", "busy", example=quick, startup=0.4)
    assert (found.code, found.step) == ("silent", "Look for a loop that never ends, or think less.")
    assert "was still computing" in found.said


def test_a_slow_start_is_measured() -> None:
    """It computes for 0.6 seconds of its own processor time, and on a busy machine it takes longer."""
    found = one("lines", "slow", startup=0.5, patience=LONG)
    assert (found.code, found.note) == ("slow-start", False)
    assert re.match(r"Your first answer took \d+\.\d seconds\. Starting may take 0\.5\.", found.said)
