"""The processor time that the kits of Tricky Eights report for each function, and what the referee makes of it."""

from __future__ import annotations

import math
import re
import resource
import time
from collections.abc import Callable

import pytest

from games.players import HousePlayer, ProcessPlayer, Seated
from games.programs import LocalProgram
from games.referee import play
from games.tricky_eights.timing import FunctionTimes
from tests.games.tricky_eights.test_kit import BURN, CLOCKLESS, burning, said_by_burning
from tests.games.workshop import GAME, LANGUAGES, Workshop


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("kits"))


def used_by_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (usage.ru_utime + usage.ru_stime)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language not in CLOCKLESS])
def test_no_more_is_reported_than_the_kernel_counted(workshop: Workshop, language: str) -> None:
    name, text, source = said_by_burning(language)
    workshop.build(language, name, source)
    before = used_by_children()
    answers, _ = workshop.run(language, name, text, source, BURN="1")
    used = used_by_children() - before
    reports = [re.findall(r" (\w+) (\d+)", answer) for answer in answers]
    assert 14 * 50 <= sum(int(ms) for report in reports for _, ms in report) <= used + len(answers)
    if language in BURN:  # clocks of the whole process include a runtime's other threads
        assert [[function for function, _ in report] for report in reports] == [
            ["StartRound"],
            [],
            [],
            *[["PlayCard"]] * 13,
        ]


def test_a_function_with_too_much_processor_time_is_late_long_before_its_lines_are(workshop: Workshop) -> None:
    """StartRound comes with two lines and the start, so the wall clock would allow much more."""
    name, source = burning("c")
    slow = source.replace("/ 20", "* 3 / 2")
    programs = [LocalProgram(*workshop.build("c", name, text)) for text in (slow, source)]
    seats = [Seated("slow", "bot", ProcessPlayer(programs[0])), Seated("burning", "bot", ProcessPlayer(programs[1]))]
    seats += [Seated(f"random {seat}", "house:random", HousePlayer(GAME.house[0])) for seat in (2, 3)]
    done = play(GAME, seats, seed=1, options=GAME.options({"target": 1, "time_limit": 1}), preset="utah-1998")
    (fault,) = done.faults[0]
    assert (fault["kind"], fault["detail"]) == (
        "timeout",
        "used more processor time in StartRound than one function may",
    )
    assert fault["answer"].startswith(f"{done.record['events'][0]['pool'][0]} cpu StartRound 1")
    assert done.faults[1] == []
    accounts = ["".join(piece.text for piece in pieces) for pieces in done.debug]
    assert spent(accounts[0], "StartRound", "1 call") >= 1500
    assert spent(accounts[1], "StartRound", "1 call") >= 50
    assert spent(accounts[1], "PlayCard", "13 calls") >= 650
    assert done.debug[1][0].index == len(done.record["events"])


def spent(account: str, function: str, calls: str) -> int:
    """The milliseconds in the line of a function."""
    (found,) = re.findall(rf"^\[Kibitz: {function} +([\d,]+) ms in {calls}, ", account, re.M)
    return int(found.replace(",", ""))


@pytest.mark.parametrize(
    "answer",
    [
        lambda size: b" " * size + b"dk cpu StartRound 1",
        lambda size: b"dk" + b" " * size + b"cpu TakeCard 1",
        lambda size: b" cpu" * (size // 4),
        lambda size: b"dk cpu " + b"TakeCard 1 " * (size // 11),
    ],
    ids=["blanks before", "blanks between", "marks", "calls"],
)
def test_a_long_answer_takes_no_longer_than_its_length(answer: Callable[[int], bytes]) -> None:
    """Sixteen times the length: a reading of quadratic cost takes 256 times as long."""

    def used(size: int) -> float:
        times, text = FunctionTimes(4), answer(size)
        best = math.inf
        for _ in range(20):
            started = time.process_time()
            for _ in range(10):
                times.strip(text)
            best = min(best, time.process_time() - started)
        return best

    assert used(64_000) < 160 * used(4_000)
