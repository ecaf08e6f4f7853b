"""The kit of Intensity: built with the real compiler, played through the real referee, a process for every question."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from games.intensity import GAME
from games.intensity.wire import QuestionWire
from games.kits import example, kit_files
from games.players import Seated
from games.programs import LocalProgram
from games.questions import QuestionPlayer
from games.referee import Match, play
from games.toolchains import RECIPES
from tests.games.cast import playout
from tests.games.intensity import naive
from tests.games.intensity.test_wire import SAMPLE

KIT = Path(str(GAME.folder)) / "kit"
FILES = {"c": ("intensity.c", "random.c"), "python": ("shell.py", "random_player.py")}
EVERY = [(language, file) for language, files in FILES.items() for file in files]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, LocalProgram]:
    """Every player of the kit by its file."""
    programs = {}
    for language, file in EVERY:
        folder = tmp_path_factory.mktemp(language)
        for name in (*GAME.kit_sources[language], file):
            shutil.copy(KIT / name, folder)
        recipe = RECIPES[language]
        for command in recipe.build_commands(file, GAME.kit_sources[language]):
            subprocess.run(command, cwd=folder, check=True)
        run = recipe.run_command(file, sys.executable)
        programs[file] = LocalProgram([str(folder / run[0]) if run[0].startswith("./") else run[0], *run[1:]], folder)
    return programs


def answer(program: LocalProgram, question: bytes) -> str:
    said = program.ask(question, seconds=20)
    assert (said.exit.code, said.exit.signal, said.errors) == (0, 0, b"")
    return said.output.decode()


def match(*programs: LocalProgram, seed: int = 1, games: int = 1) -> Match:
    seats = [Seated(f"P{seat}", "bot", QuestionPlayer(program)) for seat, program in enumerate(programs)]
    return play(GAME, seats, seed=seed, options=GAME.options(), preset="open", games=games)


def test_the_kits_have_what_the_rules_page_names() -> None:
    assert kit_files(GAME, "c") == ("intensity.c", "random.c")
    assert set(kit_files(GAME, "python")) == {"intensity_kit.py", "shell.py", "random_player.py"}
    assert (example(GAME, "c"), example(GAME, "python")) == ("random.c", "random_player.py")
    page = GAME.rules_text()
    assert all(f"`{name}`" in page for name in ("intensity.c", "random.c", "intensity_kit.py"))


def test_the_starting_code_has_the_four_functions_of_the_seed() -> None:
    source = (KIT / "intensity.c").read_text()
    for function in ("print_player_name", "choose_discards", "choose_card_to_play", "run_unit_tests"):
        assert len(re.findall(rf"^void {function}\(void\)$", source, re.M)) == 1


@pytest.mark.parametrize(("language", "file"), EVERY)
def test_every_question_of_the_rules_page_is_answered(built: dict[str, LocalProgram], language: str, file: str) -> None:
    program = built[file]
    assert re.fullmatch(r"[ -~]{1,32}\n", answer(program, b"0\n"))
    hand = [13, 19, 24, 25, 29, 32, 39, 44, 46, 49]
    discards = answer(program, f"1\n{' '.join(map(str, hand))}\n".encode())
    assert len(set(discards.split())) == 3
    assert set(map(int, discards.split())) <= set(hand)
    assert answer(program, SAMPLE) == "23\n", "the only card that is legal"
    tests = answer(program, b"3\n")
    assert tests == ("all tests passed\n" if "random" not in file else "no tests\n")


@pytest.mark.parametrize(("language", "file"), EVERY)
def test_they_play_a_match_in_every_seat_without_a_fault(
    built: dict[str, LocalProgram], language: str, file: str
) -> None:
    played = match(*[built[file]] * 4, games=2)
    assert played.faults == [[], [], [], []]
    assert played.debug == [[], [], [], []]


def test_all_players_of_the_kits_sit_at_one_table(built: dict[str, LocalProgram]) -> None:
    played = match(*built.values(), games=4)
    assert played.faults == [[], [], [], []]
    names = [seat["name"] for seat in played.record["seats"]]
    assert names == ["COMP1511 student", "Random in C", "COMP1511 student 2", "Random in Python"]


@pytest.mark.parametrize("seed", range(6))
def test_c_and_python_agree_on_what_is_legal(built: dict[str, LocalProgram], seed: int) -> None:
    """Both shells play the first legal card, compared with a naive implementation on random games."""
    _, events = playout(GAME, seed)
    chance, seat = Random(seed), seed % 4
    wire = QuestionWire(seat)
    asked = set(chance.sample(range(10), 3))
    hand: list[int] = []
    played: list[int] = []
    for event in events:
        if event["event"] == "play" and event["seat"] == seat and 10 - len(hand) in asked:
            question, _ = wire.question()
            on_table = len(played) % 4
            earlier, table = played[: len(played) - on_table], played[len(played) - on_table :]
            first = next(card for card in hand if naive.may_play(card, hand, table, earlier))
            assert answer(built["intensity.c"], question) == answer(built["shell.py"], question) == f"{first}\n"
        wire.tell(GAME.see(event, seat) or {})
        if event["event"] == "play":
            played.append(event["card"])
        number = int(wire.question()[0].split()[1]) if event["event"] != "hand" else 0
        hand = list(map(int, wire.question()[0].split()[4 : 4 + number])) if number else []


@pytest.mark.parametrize("file", FILES["c"])
def test_they_compile_without_a_warning(tmp_path: Path, file: str) -> None:
    shutil.copy(KIT / file, tmp_path)
    (command,) = RECIPES["c"].build_commands(file)
    command[1:1] = ["-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Wshadow"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout + done.stderr == ""


@pytest.mark.parametrize("file", ["random.c", "random_player.py"])
def test_nobody_can_tell_which_random_numbers_come_next_unless_he_sets_them(
    built: dict[str, LocalProgram], file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = b"1\n13 19 24 25 29 32 39 44 46 49\n"
    assert len({answer(built[file], question) for _ in range(8)}) > 4
    fixed = []
    for seed in ("7", "7", "8"):
        monkeypatch.setitem(os.environ, "INTENSITY_SEED", seed)
        fixed.append(answer(built[file], question))
    assert fixed[0] == fixed[1] != fixed[2]


def test_an_input_that_ends_early_is_said_on_standard_error(built: dict[str, LocalProgram]) -> None:
    said = built["intensity.c"].ask(b"1\n13 19\n", seconds=20)
    assert (said.exit.code, said.output) == (1, b"")
    assert said.errors == b"the input ends where a number should be\n"


# The Python library


def test_the_library_tells_who_played_what() -> None:
    sys.path.insert(0, str(KIT))
    try:
        from intensity_kit import Question, penalty, winner  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(KIT))
    for seed in range(20):
        _, events = playout(GAME, seed)
        plays = [event for event in events if event["event"] == "play"]
        for at, event in enumerate(plays[1:], 1):
            earlier = [play["card"] for play in plays[: at - at % 4]]
            question = Question(
                event["seat"], [event["card"]], [play["card"] for play in plays[at - at % 4 : at]], earlier
            )
            rounds, _ = naive.tell(earlier)
            assert question.rounds() == rounds
            assert question.on_the_table() == [(play["seat"], play["card"]) for play in plays[at - at % 4 : at]]
            for each in rounds:
                cards = [card for _, card in each]
                assert dict(each)[winner(each)] == naive.winning_card(cards)
                assert sum(map(penalty, cards)) == naive.penalty(cards)
