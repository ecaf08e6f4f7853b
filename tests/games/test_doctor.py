"""`kibitz doctor`: a healthy player has no finding, and a sick one gets exactly its diagnosis."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from games import GAMES, get
from games.__main__ import main
from games.build import program_of, source_of
from games.doctor.examinations import examine
from games.doctor.probes import HOW_TO_FLUSH, Case, Finding, slow
from games.doctor.table import Example, example_of, play
from games.doctor.visit import Exchange, Manner, Patient, Visit
from games.doctor.voices import VOICES
from games.engine import Action, Event, Game, Options, Seat, Setting, State, Wire
from games.kits import kit_files
from games.pipes import FLOOD
from games.programs import LocalProgram
from games.toolchains import RECIPES
from tests.games.workshop import needs

LONG = 60.0
"""Seconds that only a hang reaches."""
SICK = Path(__file__).with_name("sick")
SPEAKS = {"lines": "even_steven", "routines": "hearts", "question": "intensity", "tcp": "barracuda"}


def findings(game: Game, bot: str | Path, *habit: str, example: Example | None = None, **how: Any) -> list[Finding]:
    program, source = program_of(game, str(bot), habit), source_of(game, str(bot))
    patient = Patient(game, program, source.language, source.names, **{"patience": 0.4, "startup": LONG, **how})
    return [found for _, found in examine(patient, example or example_of(game)) if found]


def one(speech: str, habit: str, **how: Any) -> Finding:
    (found,) = findings(get(SPEAKS[speech]), SICK / f"{speech}.py", habit, **how)
    return found


# Healthy ones


@pytest.mark.long("kits")
@pytest.mark.parametrize("language", ["c", "python"])
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_the_players_of_the_kits_are_well(game: Game, language: str) -> None:
    needs(language)
    library = game.kit_sources[language]
    players = [file for file in kit_files(game, language) if file not in library and "random" in file.lower()]
    assert players
    for player in players:
        assert findings(game, game.folder / "kit" / player, patience=LONG) == []


@pytest.mark.long("kits")
@pytest.mark.parametrize("speech", sorted(SPEAKS))
def test_the_sick_players_are_well_without_a_habit(speech: str) -> None:
    assert findings(get(SPEAKS[speech]), SICK / f"{speech}.py") == []


# Sick ones


SYMPTOMS = [
    ("lines", "early", "early-answer", "You answered before you were asked: “Jc” was there before its question."),
    ("lines", "banner", "stray-print", "You printed “Even Steven, by team 7” among your answers."),
    ("lines", "double", "double-answer", "You printed two lines for one question."),
    ("lines", "no_flush", "no-flush", "Your answer arrived only when you exited: flush."),
    ("lines", "no_line_end", "no-line-end", "Your answer has no line end, so nobody knows whether it is complete."),
    ("lines", "flood", "flood", "You wrote more than 65536 bytes that nobody asked for."),
    ("lines", "silent", "silent", "Your program was waiting, and did nothing."),
    ("lines", "crash", "crash", "ValueError: 'no such card' is not in list (lines.py, line 39)."),
    ("lines", "not_held", "illegal-answer", "Your program played 2c, which was not in its hand."),
    ("lines", "pieces", "pieces", "Your program fails if the lines before a question arrive a moment earlier"),
    ("routines", "double", "double-answer", "You printed two lines for one question."),
    ("routines", "two", "unreadable-answer", "answered with 2 numbers where the referee expected three indices."),
    ("question", "double", "double-answer", "You printed two lines for one question."),
    ("question", "two", "unreadable-answer", "answered with 2 numbers where the referee expected 3 cards."),
    ("question", "nothing", "crash", "Your program exited with status 0 without an answer."),
    ("question", "crash", "crash", "IndexError: list index out of range (question.py, line 34)."),
    ("tcp", "away", "never-connected", "Your program never connected to 127.0.0.1 "),
    ("tcp", "gone", "never-connected", "ConnectionRefusedError: no such server: cuda.contest (tcp.py, line 51)."),
    ("tcp", "early", "early-answer", "You answered before you were asked: “{"),
    ("tcp", "double", "double-answer", "You sent two messages for one question."),
    ("tcp", "text", "unreadable-answer", "Your program played a card that is not an integer."),
    ("tcp", "little_endian", "wrong-length", "You sent the length of your message with its lowest byte first."),
    ("tcp", "no_length", "wrong-length", "You sent JSON without the four bytes before it that say how long it is."),
    ("tcp", "silent", "silent", "Your program was waiting, and did nothing."),
]
SAID = {("lines", "not_held"), ("routines", "two"), ("question", "crash"), ("tcp", "text")}
"""What depends on nothing but what was said, in every protocol. All others: the part `kits`."""


@pytest.mark.parametrize(
    ("speech", "habit", "code", "said"),
    [case if case[:2] in SAID else pytest.param(*case, marks=pytest.mark.long("kits")) for case in SYMPTOMS],
)
def test_a_symptom_gets_its_diagnosis(speech: str, habit: str, code: str, said: str) -> None:
    """One finding, with what was sent and came, what was expected, and one next step."""
    patience = LONG if (speech, habit) in SAID else 0.4
    found = one(speech, habit, startup=0.6 if habit == "away" else LONG, patience=patience)
    assert found.code == code
    assert said in found.said
    assert found.said.endswith(".")
    assert not found.note
    assert found.sent
    assert found.came
    assert found.step.endswith(".")
    assert found.expected in ("any line", "a connection") or " such as " in found.expected


@pytest.mark.long("kits")
@pytest.mark.parametrize(
    ("speech", "habit", "code", "said"),
    [
        ("lines", "carriage_return", "carriage-return", "Your program fails if lines end as on Windows (CR LF)."),
        ("question", "carriage_return", "carriage-return", "Your program fails if lines end as on Windows (CR LF)."),
        ("lines", "no_end", "no-end", "Your program goes on when its input has ended."),
        ("lines", "end_crash", "end-crash", "exited with status 1: EOFError: nothing to read (lines.py, line 100)."),
    ],
)
def test_what_costs_nothing_is_a_note(speech: str, habit: str, code: str, said: str) -> None:
    found = one(speech, habit)
    assert (found.code, found.note) == (code, True)
    assert said in found.said


@pytest.mark.long("kits")
def test_of_a_flood_of_complaints_the_beginning_is_kept() -> None:
    """Standard error may hold anything, and as much as the bot likes."""
    game = get("even_steven")
    program, source = program_of(game, str(SICK / "lines.py"), ["complains"]), source_of(game, str(SICK / "lines.py"))
    visit = play(game, example_of(game), VOICES["lines"](Patient(game, program, source.language), Manner(answers=1)))
    assert len(visit.errors) == FLOOD
    assert not visit.spoilt


def started_within(seconds: float) -> Case:
    game = get("even_steven")
    return Case(Patient(game, LocalProgram([]), startup=seconds), example_of(game))


@pytest.mark.parametrize(("seconds", "note"), [(0.6, True), (1.2, False)])
def test_a_slow_start_that_is_still_in_time_is_a_note(seconds: float, note: bool) -> None:
    found = slow(Visit(Manner(), [Exchange("YOU", seconds=seconds)]), started_within(1.1))
    assert found is not None
    assert (found.code, found.note) == ("slow-start", note)
    assert found.said == f"Your first answer took {seconds} seconds. Starting may take 1.1."


def test_a_quick_start_and_no_answer_are_no_slow_start() -> None:
    took = {seconds: Exchange("YOU", seconds=seconds, silent=seconds > 1) for seconds in (0.5, 9.0)}
    for exchanges in ([], [took[0.5]], [took[9.0]]):
        assert slow(Visit(Manner(), exchanges), started_within(1.1)) is None


def test_every_language_knows_how_to_flush() -> None:
    assert set(HOW_TO_FLUSH) == set(RECIPES)


# The worked examples


class Follower:
    """Answers what the document has, and notes what a program would be sent."""

    def __init__(self, game: Game, example: Example) -> None:
        self.visit = Visit(Manner())
        self.sent: list[str] = []
        self._game = game
        self._answers = iter(example.answers)
        self._wire: Wire | None = None

    def begin(self, seat: Seat, options: Options, setting: Setting) -> None:
        self._wire = self._game.wire(seat, options, setting, self._wire)

    def tell(self, event: Event) -> None:
        assert self._wire is not None
        self._wire.tell(event)

    def ask(self, state: State) -> Action | None:
        assert self._wire is not None
        text = self._wire.question()[0].decode()
        self.sent += [f"> {line}" for line in text.splitlines()]
        answer = next(self._answers, None)
        if answer is None:
            return None
        self.sent.append(f"< {answer}")
        action = self._wire.parse(answer.encode())
        assert state.is_legal(action)
        return action

    def end(self) -> None:
        assert self._wire is not None
        self.visit.exchanges.append(Exchange(""))
        self.sent += [f"> {line}" for line in self._wire.farewell().decode().splitlines()]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_the_worked_example_is_that_of_the_rules_page(game: Game) -> None:
    """What the wire sends in it is on the page, letter by letter, as far as the page goes."""
    example = example_of(game)
    follower = Follower(game, example)
    play(game, example, follower)
    page = game.rules_text()
    blocks = [block.splitlines() for block in re.findall(r"```text\n(.*?)```", page, re.S)]
    if game.slug == "intensity":  # the assignment prints the deal, and what one program did
        hands = example.scripts[0].hand["hands"]
        assert all(str(hand) in page for hand in hands)
        assert follower.sent[:3] == ["> 1", f"> {' '.join(map(str, hands[0]))}", "< 10 22 23"]
        return
    sent = [line.partition(" cpu ")[0] for line in follower.sent]
    if game.slug == "hearts":  # the harness's greeting and its last question
        sent = ["> hello", "< ready", *sent]
    wanted = max(blocks, key=lambda block: sum(line in block for line in follower.sent))
    shown = [line.partition(" cpu ")[0] for line in wanted]
    assert sent[: len(shown)] == shown[: len(sent)]
    assert len(sent) >= len(shown) - 4  # what follows the last answer may be told only at the end


# The command


def test_the_command_says_what_it_saw(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "intensity", str(SICK / "question.py"), "two"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0].endswith("question.py plays the worked example (the deal that the assignment prints).")
    assert out[1].startswith("started as: ")
    assert out[1].endswith(" -u bot.py two")
    assert out[2:] == [
        "FOUND: the worked example",
        "  Your program answered with 2 numbers where the referee expected 3 cards.",
        "  sent:      1 ⏎ 10 22 23 24 28 29 35 38 41 42",
        "  came:      10 22",
        "  expected:  one line, such as 10 22 23",
        "  next step: Compare your answer with the expected one, character by character.",
    ]


def test_the_command_refuses_house_players_and_what_does_not_build(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["doctor", "hearts", "house:random"]) == 2
    assert "house players are well" in capsys.readouterr().err
    (tmp_path / "bot.c").write_text("int main(void) { return deal(); }\n")
    needs("c")
    assert main(["doctor", "intensity", str(tmp_path / "bot.c")]) == 2
    assert "bot.c does not build: undefined reference to `deal'" in capsys.readouterr().err
