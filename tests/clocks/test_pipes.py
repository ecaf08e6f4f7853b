"""Deadlines of processes by real clocks, beside others that compute all the time."""

import os
import time
from collections.abc import Callable, Iterator

import pytest

from games.engine import FaultKind
from tests.games.talking import Pipes, processes, refused

LIMIT = 0.4
BUSY = "while True: pass"
WORK = "until = time.process_time() + {seconds}\nwhile time.process_time() < until: pass\nwrite(b'done\\n')\nread()"


@pytest.fixture
def start() -> Iterator[Callable[[str], Pipes]]:
    with processes() as make:
        yield make


@pytest.fixture
def crowded(start: Callable[[str], Pipes]) -> Callable[[str], Pipes]:
    """Starts a bot on a core on which three opponents compute all the time."""
    core = {max(os.sched_getaffinity(0))}

    def make(code: str) -> Pipes:
        opponents = [start(f"write(read())\n{BUSY}") for _ in range(3)]
        pipes = start(f"write(read())\nread()\n{code}")
        for each in (*opponents, pipes):
            each.put(b"ready\n")
            os.sched_setaffinity(each.process._popen.pid, core)
        return pipes

    return make


def late(pipes: Pipes) -> float:
    """Seconds until it is found to be late."""
    started = time.monotonic()
    refused(pipes, FaultKind.TIMEOUT, "in time", LIMIT)
    return time.monotonic() - started


@pytest.mark.parametrize(
    "code",
    [
        "time.sleep(300)",
        BUSY,
        "while True: os.write(2, b'y' * 65536)",
        "while True: write(b'x'); time.sleep(0.001)",
    ],
)
def test_nobody_is_late_before_the_deadline(start: Callable[[str], Pipes], code: str) -> None:
    pipes = start(f"write(read())\nread()\n{code}")
    pipes.put()
    assert late(pipes) >= LIMIT


def test_opponents_cannot_use_up_the_clock_of_a_bot(crowded: Callable[[str], Pipes]) -> None:
    """It needs 60 % of its limit, and gets a quarter of a core."""
    pipes = crowded(WORK.format(seconds=0.3))
    started = time.monotonic()
    assert pipes.put(seconds=0.5) == b"done"
    assert time.monotonic() - started > 0.5, "nobody was in its way: this has shown nothing"


def test_one_that_computes_too_long_is_late_among_busy_opponents(crowded: Callable[[str], Pipes]) -> None:
    assert late(crowded(WORK.format(seconds=300))) >= LIMIT


@pytest.mark.parametrize(
    "code", ["time.sleep(300)", "read()", "os.kill(os.getpid(), signal.SIGSTOP)", "while True: time.sleep(0.02)"]
)
def test_one_that_waits_gets_nothing_back(crowded: Callable[[str], Pipes], code: str) -> None:
    assert LIMIT <= late(crowded(code)) < 10 * LIMIT, "all that can be given back"
