"""Entries with memory errors, built with real sanitizers and played in real jails."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import get
from games.intensity import GAME
from submissions.sanitize import Findings, inspect, read
from tests.sandbox.sandboxes import LEVEL

KIT = Path(str(GAME.folder)) / "kit"
START = (KIT / "intensity.c").read_text()
MORE = pytest.mark.long("more")
NAMES = {"intensity.c": "intensity.c"}
DISCARDS = '    /* Put your own strategy here. */\n\n    printf("%d %d %d'


def changed(old: str, new: str) -> str:
    assert old in START
    return START.replace(old, new)


def line_of(source: str, text: str) -> int:
    return next(number for number, line in enumerate(source.splitlines(), 1) if text in line)


def found(source: str, filename: str = "intensity.c") -> Findings:
    findings = inspect(GAME, source.encode(), filename, GAME.options())
    assert findings is not None
    return findings


@pytest.mark.parametrize("file", ["intensity.c", pytest.param("random.c", marks=MORE)])
def test_the_players_of_the_kit_are_clean(file: str) -> None:
    findings = found((KIT / file).read_text(), file)
    assert (findings.ok, findings.sentences, findings.note, findings.log) == (True, [], "", "")


@pytest.mark.parametrize(
    ("old", "new", "at", "sentence"),
    [
        (
            "int hand[N_HAND];\n",
            "int hand[N_HAND - 1];\n",
            'scanf("%d", &numbers[i])',
            "Writing beyond the end of an array at {} line {}, function read_numbers (in a call of scanf; `hand`",
        ),
        pytest.param(
            DISCARDS,
            f"    hand[0] = hand[hand[9]];\n{DISCARDS}",
            "hand[hand[9]]",
            "Array index out of range at {} line {}, function choose_discards (index",
            marks=MORE,
        ),
        pytest.param(
            DISCARDS,
            f"    int *p = malloc(4); free(p); hand[0] += *p;\n{DISCARDS}",
            "free(p)",
            "Reading memory that was freed already at {} line {}, function choose_discards.",
            marks=MORE,
        ),
        pytest.param(
            DISCARDS,
            f"    int *p = NULL; hand[0] += *p;\n{DISCARDS}",
            "p = NULL",
            "A null pointer is used at {} line {}, function choose_discards (load of null pointer",
            marks=MORE,
        ),
        pytest.param(
            DISCARDS,
            f"    int zero = hand[0] - hand[0]; hand[0] /= zero;\n{DISCARDS}",
            "/= zero",
            "Division by zero at {} line {}, function choose_discards.",
            marks=MORE,
        ),
        pytest.param(
            "    assert(all_calves(2, calves)",
            "    assert(!all_calves(9, calves)",
            "if (!is_calf(cards[i]))",
            "Reading beyond the end of an array at {} line {}, function all_calves (`calves` of line",
            marks=MORE,
        ),
    ],
)
def test_a_memory_error_is_named_with_its_line(old: str, new: str, at: str, sentence: str) -> None:
    source = changed(old, new)
    findings = found(source)
    assert not findings.ok
    (said,) = findings.sentences
    assert said.startswith(as_told_here(sentence.format("intensity.c", line_of(source, at))))


@MORE
def test_an_entry_with_an_unusual_name_is_named_as_its_team_named_it() -> None:
    source = changed(DISCARDS, f"    int *p = NULL; hand[0] += *p;\n{DISCARDS}")
    (said,) = found(source, "my player (2).c").sentences
    assert " at my player (2).c line " in said


@MORE
def test_an_entry_that_breaks_the_house_rules_is_no_finding_here() -> None:
    """Its plain build is used to test that."""
    findings = found(changed(DISCARDS, f'    fopen("state", "w");\n{DISCARDS}'))
    assert findings.ok


@MORE
def test_what_cannot_be_built_so_is_said() -> None:
    findings = found("int main(void) { return missing(); }")
    assert findings.ok
    assert findings.note.startswith("It does not build with the sanitizers: ")
    assert "missing" in findings.log


@MORE
def test_any_game_is_looked_at_through_its_own_protocol() -> None:
    game = get("tricky_eights")
    shell = (Path(str(game.folder)) / "kit" / "shell.cpp").read_text()
    options = game.options({"target": 25})
    clean = inspect(game, shell.encode(), "shell.cpp", options)
    assert clean is not None
    assert clean.sentences == []
    source = shell.replace("LegalCards(legal);", "LegalCards(legal); legal[GAME.handCount] = legal[0];")
    assert source != shell
    wrong = inspect(game, source.encode(), "shell.cpp", options)
    assert wrong is not None
    (said,) = wrong.sentences
    place = f"at shell.cpp line {line_of(source, 'legal[GAME')}, function PlayCard"
    assert said.startswith(as_told_here(f"Array index out of range {place}"))


def as_told_here(sentence: str) -> str:
    """Without namespaces there is no /proc, and without /proc the sanitizers cannot name functions."""
    return sentence.partition(", function")[0] if LEVEL.name == "landlock" else sentence


def test_a_bots_own_words_are_no_findings() -> None:
    assert read("thinking about 23\n==2==\nERROR: AddressSanitizer\nmy runtime error: none\n", NAMES).ok
