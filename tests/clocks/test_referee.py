"""The referee and real bots, by real clocks."""

from __future__ import annotations

import sys
import time

from games.players import ProcessPlayer
from games.programs import GRACE, LocalProgram
from tests.games.cast import BOT, bot, house
from tests.games.test_referee import faults, match


def test_starting_has_an_allowance_of_its_own() -> None:
    code = f"import sys, time; time.sleep(3); sys.argv = ['bot', 'good', '1']; exec(open({str(BOT)!r}).read())"

    def sleepy(startup: float) -> ProcessPlayer:
        return ProcessPlayer(LocalProgram([sys.executable, "-I", "-S", "-u", "-c", code]), startup=startup)

    assert not faults(match(sleepy(20.0), house(), house(), house(), time_limit=1).record)
    (event,) = faults(match(sleepy(0.0), house(), house(), house(), time_limit=1).record)
    assert (event["kind"], event["detail"]) == ("timeout", "did not answer in time")


def test_all_that_stay_are_given_one_second_together() -> None:
    started = time.monotonic()
    match(*(bot("stubborn", 3) for _ in range(4)), games=2, target=1)
    assert time.monotonic() - started >= 2 * GRACE


def test_what_a_bot_thinks_is_what_it_takes() -> None:
    record = match(house(), bot("thinking", 4), house(), house(), target=1, seed=3).record
    thinking = [event for event in record["events"] if event.get("seat") == 1 and "cpu_ms" in event]
    assert sum(event["cpu_ms"] for event in thinking) < 2 * sum(event["ms"] for event in thinking)
