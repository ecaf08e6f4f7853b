"""A process for every question: real bots with every bad habit, with the referee."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.engine import Fault, FaultKind, MachineryError, Setting
from games.intensity import GAME
from games.players import PROTOCOLS, Seated
from games.programs import Answer, Exit, ExitStatus, LocalProgram
from games.questions import QuestionPlayer, completed, read
from games.record import dumps, loads, verify
from games.referee import Match, play
from tests.games.cast import descriptors, house

pytestmark = pytest.mark.promise

SHORT = 0.1
"""Seconds, for those who never answer."""
NAMELESS = ("empty", "early_death", "sleep", "flood")
LAST = 12
"""The place of the question with one card among all: the name, the discards, and ten cards."""
BOT = Path(__file__).parent / "intensity" / "bot.py"


def more(*case: Any) -> Any:
    return pytest.param(*case, marks=pytest.mark.long("more"))


def program(habit: str = "good", at: str = "9") -> LocalProgram:
    return LocalProgram([sys.executable, "-I", "-S", str(BOT), habit, at])


class Hurried(QuestionPlayer):
    """Has no time for the question whose place among all is given, and a minute for the others."""

    def __init__(self, program: LocalProgram, number: int | None) -> None:
        super().__init__(program, startup=0.0)
        self.number, self.asked = number, 0

    def _put(self, question: bytes, seconds: float, place: int) -> Answer:
        self.asked += 1
        return super()._put(question, SHORT if self.asked == self.number else 60, place)


def match(habit: str, at: str = "9", *, hurried: int | None = None, **options: Any) -> Match:
    """A game of one such bot at position 2 against the house."""
    bot = Hurried(program(habit, at), hurried)
    seats = [Seated(f"House {seat}", "house:random", house(GAME)) for seat in range(3)]
    seats.insert(2, Seated("The Team", "bot.py", bot))
    played = play(GAME, seats, seed=3, options=GAME.options(options), preset="open")
    assert verify(loads(dumps(played.record))) is None
    return played


def faults(played: Match) -> list[tuple[str, str, str | None, int]]:
    return [(it["kind"], it["detail"], it.get("answer"), it["points"]) for it in played.faults[2]]


def test_a_good_bot_is_asked_its_name_and_eleven_questions() -> None:
    played = match("good")
    assert faults(played) == []
    assert [seat["name"] for seat in played.record["seats"]] == ["House 0", "House 1", "Dennis Ritchie", "House 2"]
    own = [event for event in played.record["events"] if event.get("seat") == 2 and "ms" in event]
    assert [event["event"] for event in own] == ["pass", *["play"] * 10]
    assert all(event["ms"] > 0 and event["cpu_ms"] > 0 for event in own)
    assert played.debug == [[], [], [], []]


@pytest.mark.parametrize(
    ("habit", "at"),
    [
        *(("unended", "9"), ("lines", "discards"), ("late_death", "9")),
        *(
            more(habit, at)
            for habit in ("unended", "lines", "windows", "leave", "late_death", "loud")
            for at in ("discards", "9")
        ),
    ],
)
def test_what_was_written_completely_counts(habit: str, at: str) -> None:
    assert faults(match(habit, at)) == []


@pytest.mark.parametrize(
    ("habit", "at", "kind", "detail", "answer"),
    [
        ("words", "9", "garbled", "answered with something that is not a number", True),
        more("two", "9", "garbled", "answered with 2 numbers where the referee expected one card", True),
        ("two", "discards", "garbled", "answered with 6 numbers where the referee expected 3 cards", True),
        more("empty", "9", "garbled", "answered with an empty line where the referee expected one card", None),
        more("foreign", "9", "illegal", "played 50, which is not a card: they are numbered 10 to 49", "50"),
        ("foreign", "discards", "illegal", "discarded 50, 50 and 50, but 50 is not a card", "50 50 50"),
        ("nothing", "9", "crash", "exited with status 0 without an answer", None),
        more("exit", "discards", "crash", "exited with status 7 without an answer", None),
        ("early_death", "1", "crash", "was ended by signal 11", None),
        more("halfway", "9", "crash", "was ended by signal 11 in the middle of a line", True),
        more("debug_death", "9", "crash", "was ended by signal 11", "hand: 11 12"),
        ("sleep", "1", "timeout", "did not answer in time", None),
        ("flood", "9", "output", "flooded its output", "x" * 200),
        more("answer_flood", "9", "output", "flooded its output", True),
    ],
)
def test_every_fault_costs_five_points_and_the_game_goes_on(
    habit: str, at: str, kind: str, detail: str, answer: Any
) -> None:
    played = match(habit, at, hurried=LAST if kind == "timeout" else None)
    (fault,) = faults(played)
    assert fault[0] == kind
    assert fault[1].startswith(detail)
    assert fault[3] == 5
    assert fault[2] == answer or (answer is True and fault[2])
    events = played.record["events"]
    place = next(index for index, event in enumerate(events) if event["event"] == "fault")
    assert events[place + 1]["by"] == "referee"
    assert sum(event.get("by") == "referee" for event in events) == 1, "then it is asked again"
    assert played.record["result"]["disqualified"] == []
    assert sum(played.record["result"]["scores"]) == 17 + 5


@pytest.mark.parametrize("habit", ["nothing", *(more(it) for it in NAMELESS)])
def test_without_a_name_the_teams_is_used_and_that_costs_nothing(habit: str) -> None:
    played = match(habit, "name", hurried=1 if habit == "sleep" else None)
    assert played.record["seats"][2]["name"] == "The Team"
    assert faults(played) == []


def test_a_name_that_others_have_gets_a_number_and_still_fits() -> None:
    long = "Morgan " * 4 + "4321"
    assert len(long) == 32

    class Named(QuestionPlayer):
        def introduce(self, game: Any) -> str:
            return long

    seats = [Seated("x", "x", Named(program())) for _ in range(2)] + [Seated(long, "h", house(GAME)) for _ in range(2)]
    record = play(GAME, seats, seed=1, options=GAME.options(), preset="open").record
    assert [seat["name"] for seat in record["seats"]] == [long, *(f"{long[:30]} {number}" for number in (2, 3, 4))]


def test_standard_error_is_kept_with_its_place() -> None:
    played = match("loud", "9")
    (piece,) = played.debug[2]
    assert piece.text == "thinking\n"
    asked = played.record["events"][piece.index]
    assert (asked["event"], asked["seat"]) == ("play", 2)
    (piece,) = match("loud", "name").debug[2]
    assert (piece.index, piece.text) == (0, "thinking\n")


def begun(player: QuestionPlayer) -> QuestionPlayer:
    player.begin(GAME, 0, GAME.options(), Random(1), Setting.of(4))
    player.tell({"event": "hand", "number": 1, "hands": [list(range(10, 20)), None, None, None]})
    return player


def test_nothing_runs_between_questions() -> None:
    before = descriptors()
    player = begun(PROTOCOLS["question"](program()))  # type: ignore[arg-type]
    action, ms, cpu_ms, answer, _ = player.decide(list, 1)
    assert (action, answer) == ((10, 11, 12), b"10 11 12")
    assert cpu_ms is not None
    assert ms > 0
    assert cpu_ms > 0
    player.listen(1)
    assert player.settle(1) == 0
    player.finish()
    player.close(1)
    player.close(1, 0.0)
    assert not descriptors() - before


@pytest.mark.parametrize(("startup", "pause"), [(0.0, 300), (60.0, 0.4)])
def test_starting_has_its_allowance_at_every_question(startup: float, pause: float) -> None:
    player = QuestionPlayer(LocalProgram(["sh", "-c", f"sleep {pause}; echo 10 11 12"]), startup=startup)
    player.begin(GAME, 0, GAME.options({"time_limit": 0.2}), Random(1), Setting.of(4))
    player.tell({"event": "hand", "number": 1, "hands": [list(range(10, 20)), None, None, None]})
    for _ in range(2):
        if startup:
            assert player.decide(list, 1)[0] == (10, 11, 12)
        else:
            with pytest.raises(Fault, match="did not answer in time"):
                player.decide(list, 1)


def test_what_cannot_be_started_is_our_failure(tmp_path: Path) -> None:
    with pytest.raises(MachineryError, match="cannot start"):
        begun(QuestionPlayer(LocalProgram([str(tmp_path / "gone")]))).decide(list, 1)


# Ends that only a jail can detect: the same rule applies


@pytest.mark.parametrize(
    ("end", "output", "kind", "detail"),
    [
        (
            Exit(ExitStatus.VIOLATION, call="openat", path="/box/state"),
            b"23\n",
            FaultKind.VIOLATION,
            "openat /box/state",
        ),
        (Exit(ExitStatus.OUTPUT), b"23\n", FaultKind.OUTPUT, "flooded its output"),
        (Exit(ExitStatus.MEMORY), b"", FaultKind.MEMORY, "went over its memory limit"),
        (Exit(ExitStatus.MEMORY), b"2", FaultKind.MEMORY, "went over its memory limit"),
        (Exit(ExitStatus.CPU), b"", FaultKind.TIMEOUT, "used up its processor time"),
        (Exit(ExitStatus.MEMORY), b"23\n", None, ""),
        (Exit(ExitStatus.CPU), b"23\n", None, ""),
        (Exit(ExitStatus.SIGNALLED, signal=6), b"23\n", None, ""),
    ],
)
def test_only_violations_and_floods_are_faults_in_any_case(
    end: Exit, output: bytes, kind: FaultKind | None, detail: str
) -> None:
    answer = Answer(end, output, b"", timed_out=False)
    if kind is None:
        assert completed(answer) == output
        assert read(answer, int) == 23
        return
    with pytest.raises(Fault) as caught:
        completed(answer)
    assert (caught.value.kind, caught.value.detail) == (kind, detail)
    assert caught.value.answer == (output.strip() or None)


def test_whole_lines_are_an_answer_however_long_the_process_runs_afterwards() -> None:
    end = Exit(ExitStatus.KILLED)
    assert completed(Answer(end, b"23\n", b"", timed_out=True)) == b"23\n"
    with pytest.raises(Fault, match="did not end its line in time") as caught:
        completed(Answer(end, b"23", b"", timed_out=True))
    assert caught.value.answer == b"23"
