"""Programs by real clocks: grace, limits of questions, starts, the doctor, and who pays for a crowded core."""

import os
import re
import sys
import time
from dataclasses import replace
from typing import Any

import pytest

from games import get
from games.doctor.table import example_of
from games.players import ProcessPlayer
from games.programs import GRACE, Answer, ExitStatus, LocalProcess, LocalProgram, pinned
from tests.games import test_questions as questions
from tests.games.cast import BOT, bot, house
from tests.games.test_doctor import LONG, one
from tests.games.test_referee import faults, match


def python(code: str) -> LocalProcess:
    return LocalProgram([sys.executable, "-I", "-S", "-c", code]).start()


def ask(code: str, seconds: float) -> Answer:
    return LocalProgram([sys.executable, "-I", "-S", "-c", code]).ask(b"2\n9 2 0\n", seconds=seconds)


def burn(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_one_that_outlives_its_input_has_its_grace() -> None:
    process = python("import time; print(1, flush=True); time.sleep(300)")
    os.set_blocking(process.stdout, True)
    os.read(process.stdout, 10)
    started = time.monotonic()
    assert process.stop(0.2).status is ExitStatus.KILLED
    assert time.monotonic() - started >= 0.2


def test_the_processor_clock_counts_the_process_alone() -> None:
    """Neither what we use, nor the time for which it waits."""
    process = python(
        "import time\nwhile time.process_time() < 0.2: pass\nprint(flush=True)\nimport sys; sys.stdin.read()"
    )
    os.set_blocking(process.stdout, True)
    os.read(process.stdout, 10)
    used: Any = process.cpu_seconds()
    burn(0.5)
    again: Any = process.cpu_seconds()
    assert again - used < 0.25, "half of what we used"
    assert 0.2 <= process.stop(60).cpu_seconds < 2


def test_what_was_said_in_time_is_there_when_it_has_run_out() -> None:
    started = time.monotonic()
    answer = ask("import os, time; os.write(1, b'2'); os.write(2, b'hm'); time.sleep(300)", 2)
    assert time.monotonic() - started >= 2
    assert (answer.output, answer.errors, answer.timed_out) == (b"2", b"hm", True)
    assert answer.exit.status is ExitStatus.KILLED


def test_time_that_others_took_of_the_core_is_given_back_for_a_question() -> None:
    """Half a second of work beside three others on one core takes two seconds, but less than one on its own clock."""
    work = "import time\nwhile time.process_time() < 0.5: pass\nprint(23)"
    with pinned(min(os.sched_getaffinity(0))):
        rivals = [python("while True: pass") for _ in range(3)]
        try:
            started = time.monotonic()
            answer = ask(work, 1.0)
            took = time.monotonic() - started
        finally:
            for rival in rivals:
                rival.stop(0)
    assert (answer.output, answer.timed_out) == (b"23\n", False)
    assert took > 1.0, "else nothing was tested"


@pytest.mark.parametrize(
    ("habit", "fault"),
    [("answer_sleep", []), ("unended_sleep", [("timeout", "did not end its line in time")])],
)
def test_the_clock_runs_out_for_a_process_and_not_for_its_answer(
    habit: str, fault: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole lines are an answer, however long the process runs afterwards."""
    monkeypatch.setattr(questions, "SHORT", 2.0)
    started = time.monotonic()
    played = questions.match(habit, "1", hurried=questions.LAST)
    assert [(kind, detail) for kind, detail, *_ in questions.faults(played)] == fault
    assert time.monotonic() - started >= 2


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
