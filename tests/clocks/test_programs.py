"""Plain processes by real clocks: grace, limits of questions, and who pays for a crowded core."""

import os
import sys
import time
from typing import Any

from games.programs import Answer, ExitStatus, LocalProcess, LocalProgram, pinned


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
