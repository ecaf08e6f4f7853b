"""The kit of Intensity: built with the real compiler, played through the real referee, a process for every question."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from games.build import program_of
from games.intensity import GAME
from games.intensity.wire import QuestionWire
from games.kits import example
from games.players import Seated
from games.programs import LocalProgram
from games.questions import QuestionPlayer
from games.referee import Match, play
from games.toolchains import RECIPES
from tests.games.cast import playout
from tests.games.intensity import naive
from tests.games.intensity.test_wire import SAMPLE
from tests.games.workshop import few, needs

KIT = Path(str(GAME.folder)) / "kit"
LANGUAGES = tuple(GAME.kit_sources)
SHELLS = {"c": "intensity.c", "java": "Shell.java", "scala": "Shell.scala"}
"""The player to fill in; `shell` in the other languages."""

DEFAULT = ("c", "python")
STARTERS = [(language, which) for language in DEFAULT for which in ("shell", "random")]
EVERY = STARTERS + [
    pytest.param(language, which, marks=pytest.mark.long("kits"))
    for language in LANGUAGES
    for which in ("shell", "random")
    if language not in DEFAULT
]


def file_of(language: str, which: str) -> str:
    if which == "random":
        return example(GAME, language)
    return SHELLS.get(language, f"shell{RECIPES[language].extensions[0]}")


@cache
def player(language: str, which: str = "shell") -> LocalProgram:
    """A player of a kit, built as the command line does. Skips the test where its language is missing."""
    needs(language)
    return program_of(GAME, str(KIT / file_of(language, which)))


def answer(program: LocalProgram, question: bytes) -> str:
    said = program.ask(question, seconds=60)
    assert (said.exit.code, said.exit.signal, said.errors) == (0, 0, b"")
    return said.output.decode()


def match(*programs: LocalProgram, seed: int = 1, games: int = 1) -> Match:
    seats = [Seated(f"P{seat}", "bot", QuestionPlayer(program)) for seat, program in enumerate(programs)]
    return play(GAME, seats, seed=seed, options=GAME.options({"time_limit": 60}), preset="open", games=games)


def test_the_starting_code_has_the_four_functions_of_the_seed() -> None:
    source = (KIT / "intensity.c").read_text()
    for function in ("print_player_name", "choose_discards", "choose_card_to_play", "run_unit_tests"):
        assert len(re.findall(rf"^void {function}\(void\)$", source, re.M)) == 1


@pytest.mark.parametrize(("language", "which"), EVERY)
def test_every_question_of_the_rules_page_is_answered(language: str, which: str) -> None:
    program = player(language, which)
    assert re.fullmatch(r"[ -~]{1,32}\n", answer(program, b"0\n"))
    hand = [13, 19, 24, 25, 29, 32, 39, 44, 46, 49]
    discards = answer(program, f"1\n{' '.join(map(str, hand))}\n".encode())
    assert len(set(discards.split())) == 3
    assert set(map(int, discards.split())) <= set(hand)
    assert answer(program, SAMPLE) == "23\n", "the only card that is legal"
    tests = answer(program, b"3\n")
    assert tests == ("all tests passed\n" if which == "shell" else "no tests\n")


@pytest.mark.parametrize(("language", "which"), STARTERS[:2])
def test_they_play_a_match_in_every_seat_without_a_fault(language: str, which: str) -> None:
    played = match(*[player(language, which)] * 4)
    assert played.faults == [[], [], [], []]
    assert played.debug == [[], [], [], []]


def test_players_of_several_kits_sit_at_one_table() -> None:
    played = match(*[player(language, which) for language in ("c", "python") for which in ("shell", "random")])
    assert played.faults == [[], [], [], []]
    names = [seat["name"] for seat in played.record["seats"]]
    assert names == ["COMP1511 student", "Random in C", "COMP1511 student 2", "Random in Python"]


@cache
def asked() -> list[tuple[bytes, int]]:
    """Questions of random games, and the first card that a naive implementation calls legal."""
    found: list[tuple[bytes, int]] = []
    for seed in range(4):  # every seat once
        _, events = playout(GAME, seed)
        seat, due = seed % 4, set(Random(seed).sample(range(10), 2))
        wire, played = QuestionWire(seat), []
        for event in events:
            if event["event"] == "play" and event["seat"] == seat and len(played) // 4 in due:
                question, _ = wire.question()
                size = int(question.split()[1])
                hand = list(map(int, question.split()[4 : 4 + size]))
                before = len(played) // 4 * 4
                first = next(card for card in hand if naive.may_play(card, hand, played[before:], played[:before]))
                found.append((question, first))
            wire.tell(GAME.see(event, seat) or {})
            if event["event"] == "play":
                played.append(event["card"])
    return found


@pytest.mark.parametrize("language", few(LANGUAGES))
def test_all_languages_agree_on_what_is_legal(language: str) -> None:
    """Every shell plays the first legal card."""
    assert len(asked()) == 8
    for question, first in asked():
        assert answer(player(language), question) == f"{first}\n"


@pytest.mark.parametrize("language", few(LANGUAGES))
def test_nobody_can_tell_which_random_numbers_come_next_unless_he_sets_them(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, question = player(language, "random"), b"1\n13 19 24 25 29 32 39 44 46 49\n"
    assert len({answer(program, question) for _ in range(4)}) > 1
    fixed = []
    for seed in ("7", "7", "8"):
        monkeypatch.setitem(os.environ, "INTENSITY_SEED", seed)
        fixed.append(answer(program, question))
    assert fixed[0] == fixed[1] != fixed[2]
