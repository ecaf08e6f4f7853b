"""Each of the seven faults, made by a real bot under the referee: the run ends there, with its verdict."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from games import get
from games.players import ProcessPlayer, Seated
from games.programs import LocalProgram, Program
from games.record import verify
from games.referee import Match, play
from games.toolchains import RECIPES
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, Limits, build
from tests.sandbox.sandboxes import MEGABYTE, needs_jail

pytestmark = pytest.mark.promise

GAME = get("even_steven")
PLAYER = Path(__file__).with_name("player.py")
KIT = Path(str(GAME.folder)) / "kit"


def judged(program: Program, seconds: float = 60, games: int = 1) -> Match:
    """The sample, repeated this many times."""
    return play(
        GAME,
        [Seated("team", "bot", ProcessPlayer(program))],
        seed=1,
        options=GAME.options({"time_limit": seconds}),
        preset="bospre-2009",
        openings=[*GAME.sample] * games,
    )


def bot(habit: str, at: int = 0) -> LocalProgram:
    return LocalProgram([sys.executable, "-I", "-S", "-u", str(PLAYER), habit, str(at)])


def check(match: Match, kind: str, detail: str, verdict: str, game: int = 2) -> None:
    """The match ends in that game with this fault, which comes before its result and decides the verdict."""
    record = match.record
    assert verify(record) is None
    *_, fault, result = record["events"]
    assert (fault["kind"], fault["detail"]) == (kind, detail)
    assert result == {"event": "result", "scores": [0], "winner": None, "verdict": verdict}
    assert match.faults == [[fault]]
    assert sum(event["event"] == "game" for event in record["events"]) == game
    assert GAME.judgement(record["result"], record["events"]) == verdict
    assert GAME.first_failure(record["events"]) == game
    assert GAME.failed(record["result"], record["events"])


def test_a_good_bot_plays_all_games_in_one_process() -> None:
    match = judged(bot("good"), games=20)
    assert match.faults == [[]]
    assert match.record["result"] == {"scores": [20], "places": [1], "disqualified": []}
    assert not GAME.failed(match.record["result"], match.record["events"])
    assert verify(match.record) is None


@pytest.mark.parametrize(
    ("habit", "kind", "detail", "verdict"),
    [
        ("foreign", "illegal", "played 2c, which was not in its hand", "incorrect output"),
        ("twice", "illegal", "played 5s, which it had played before", "incorrect output"),
        (
            "star",
            "garbled",
            "wrote a line for debugging, which begins with *, where the referee expected one card",
            "incorrect output",
        ),
        ("empty", "garbled", "answered with an empty line where the referee expected one card", "incorrect output"),
        ("silent", "timeout", "did not answer in time", "program crashed"),
        ("exit", "crash", "exited with status 0 without an answer", "program crashed"),
        ("segfault", "crash", "was ended by signal 11", "program crashed"),
        ("flood", "output", "wrote more than 65536 bytes that are not an answer", "incorrect output"),
    ],
)
def test_a_fault_ends_the_run(habit: str, kind: str, detail: str, verdict: str) -> None:
    """At the second card of the second game; two more games would have followed."""
    check(judged(bot(habit, 5), seconds=2 if kind == "timeout" else 60, games=2), kind, detail, verdict)


def test_lines_for_debugging_are_no_answers_here_whatever_stands_in_them() -> None:
    match = judged(bot("star", 1))
    assert match.faults[0][0]["answer"] == "* I think about Jc"


def test_an_unnecessary_loss_is_no_fault_but_costs_the_verdict() -> None:
    match = judged(bot("spendthrift", 4), games=2)
    events = match.record["events"]
    assert match.faults == [[]]
    assert [event["verdict"] for event in events if event["event"] == "result"] == [
        "lose necessarily",
        "lose unnecessarily",
        "lose necessarily",
        "lose unnecessarily",
    ]
    assert GAME.judgement({}, events) == "incorrect output"
    assert GAME.first_failure(events) == 2


def test_a_bot_that_does_not_end_is_stopped_without_a_fault() -> None:
    match = judged(bot("stays"))
    assert match.faults == [[]]
    assert GAME.judgement({}, match.record["events"]) == "correct"


# In the sandbox -------------------------------------------------------------------------------------------------------

ENTRY = """\
#include "steven.h"
#include <fcntl.h>

int main(int argc, char **argv)
{
    Game game;

    StartGames(&game, argc, argv);
    while (NextCard(&game)) {
        if (game.number == 2)
            WRONG;
        PlayCard(&game, game.hand[0]);
    }
    return 0;
}
"""


@contextmanager
def jailed(wrong: str) -> Iterator[Any]:
    """A C entry that does this in its second game, run as on the portal."""
    if RECIPES["c"].missing() or shutil.which("bwrap") is None:
        pytest.skip("gcc or bubblewrap is not installed")
    support = {"steven.h": (KIT / "steven.h").read_bytes()}
    result = build(LANGUAGES["c"], ENTRY.replace("WRONG", wrong).encode(), "entry.c", support)
    assert result.artifact is not None, result.log
    with ExitStack() as stack:
        yield stack.enter_context(Jail.open(result.artifact, LANGUAGES["c"], Limits(memory_bytes=16 * MEGABYTE)))


@needs_jail
def test_a_forbidden_call_is_program_crashed_and_named() -> None:
    with jailed('open("cheat.txt", O_CREAT | O_WRONLY, 0600)') as jail:
        check(judged(jail, games=2), "violation", "openat /box/cheat.txt", "program crashed")
