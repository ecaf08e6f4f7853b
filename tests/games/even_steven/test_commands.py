"""`dealer` as in the Even Steven problem, run with real bots; and every way in which a bot can fail."""

from __future__ import annotations

import signal
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

from games import get
from games.engine import Fault, FaultKind, Options
from games.even_steven.commands import Dealer, Evensteven
from games.programs import LocalProcess, LocalProgram
from tests.games.even_steven import samples as printed

ROOT = Path(__file__).resolve().parents[3]
PLAYER = Path(__file__).with_name("player.py")
KIT = ROOT / "games" / "even_steven" / "kit"
GAME = get("even_steven")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def bot(here: Path, habit: str = "good", at: object = 0) -> Path:
    """An executable called `evensteven`, as in the Even Steven problem."""
    program = here / "evensteven"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -I -S -u {PLAYER} {habit} {at}\n")
    program.chmod(0o755)
    return program


def dealer(*words: object, games: str = printed.DEALER_INPUT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-S", "-m", "games", "dealer", *map(str, words)]
    return subprocess.run(command, input=games, capture_output=True, text=True, check=False, timeout=60)


# The sample -----------------------------------------------------------------------------------------------------------


def test_the_sample_input_gives_all_three_outputs_to_the_letter(here: Path) -> None:
    bot(here, "tape", here)
    done = dealer("./evensteven")
    assert (here / "read").read_text() == printed.PLAYER_INPUT
    assert (here / "wrote").read_text() == printed.PLAYER_OUTPUT
    assert (done.stdout, done.stderr, done.returncode) == (printed.DEALER_OUTPUT, "", 0)


def test_a_source_file_is_built_and_gets_the_extra_arguments(here: Path) -> None:
    (here / "mine.py").write_text((KIT / "shell.py").read_text())
    assert dealer("mine.py").stdout == printed.DEALER_OUTPUT
    done = dealer("mine.py", "debug")
    assert done.stdout.splitlines() == [
        "Game 1",
        "* game 1: 8c is dealt, I play 4h",
        "YOU LOSE NECESSARILY",
        "Game 2",
        "* game 2: 3s is dealt, I play Kd",
        "* game 2: 6h is dealt, I play 8c",
        "* game 2: Kh is dealt, I play As",
        "* game 2: 5c is dealt, I play 5s",
        "YOU WIN",
    ]
    assert done.returncode == 0


def test_the_house_plays_for_the_dealer_too() -> None:
    done = dealer("house:thrifty")
    assert (done.stdout, done.returncode) == (printed.DEALER_OUTPUT, 0)
    assert dealer("random", games="1 5\n").stdout.startswith("Game 1\nYOU ")


# Lines for debugging --------------------------------------------------------------------------------------------------


def test_lines_with_a_star_are_copied_in_their_place(here: Path) -> None:
    bot(here, "star", 2)
    done = dealer("./evensteven")
    assert done.stdout == "Game 1\n* I think about Qs\nYOU LOSE NECESSARILY\nGame 2\nYOU WIN\n"


def test_what_is_written_after_a_game_is_copied_after_the_next_has_its_number(here: Path) -> None:
    """docs/rulings.md, Even Steven 4: the bot is read only while a card is due, and then until its output closes."""
    bot(here, "chatty")
    done = dealer("./evensteven")
    assert done.stdout.splitlines() == [
        "Game 1",
        "YOU LOSE NECESSARILY",
        "Game 2",
        "* YOU LOSE, they say",
        "YOU WIN",
        "* YOU WIN, they say",
    ]


def test_the_last_words_are_copied_even_without_a_line_end(here: Path) -> None:
    bot(here, "goodbye")
    done = dealer("./evensteven")
    assert done.stdout == printed.DEALER_OUTPUT + "* goodbye\n* and thanks\n"
    assert done.returncode == 0


def test_standard_error_of_the_bot_comes_on_ours(here: Path) -> None:
    bot(here, "note", 1)
    assert dealer("./evensteven").stderr == "thinking about Jc\n"


# The input ------------------------------------------------------------------------------------------------------------


def test_games_before_a_bad_line_are_played(here: Path) -> None:
    bot(here)
    done = dealer("./evensteven", games="4 876390176\n\n14 5\n4 653723903\n")
    assert done.stdout == "Game 1\nYOU LOSE NECESSARILY\n"
    assert done.stderr == "games: line 3: N is the number of cards in the hand, 1 to 13, not 14\n"
    assert done.returncode == 2


def test_every_game_is_played_as_soon_as_its_line_is_there(here: Path) -> None:
    """A person at a terminal sees how a game went before typing the next line."""
    bot(here)
    command = [sys.executable, "-S", "-m", "games", "dealer", "./evensteven"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for line, outcome in zip(printed.DEALER_INPUT.splitlines(), ("LOSE NECESSARILY", "WIN"), strict=True):
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith(b"Game ")
            assert process.stdout.readline().decode() == f"YOU {outcome}\n"
        process.stdin.close()
        assert process.wait(60) == 0


def test_nobody_to_play_is_refused() -> None:
    done = dealer()
    assert (done.returncode, done.stderr[:25]) == (2, "games: name a bot to play")
    assert dealer("nothing.c").stderr == "games: there is no file nothing.c\n"
    assert dealer("random", "debug").stderr == "games: house players take no arguments such as debug\n"


# Bots' faults ---------------------------------------------------------------------------------------------------------


def test_an_unnecessary_loss_is_exit_status_one_and_the_games_go_on(here: Path) -> None:
    bot(here, "spendthrift", 4)
    done = dealer("./evensteven", games="4 876390176\n4 653723903\n4 876390176\n")
    assert done.stdout == "Game 1\nYOU LOSE NECESSARILY\nGame 2\nYOU LOSE UNNECESSARILY\nGame 3\nYOU LOSE NECESSARILY\n"
    assert (done.returncode, done.stderr) == (1, "")


def test_a_fault_ends_it_all_with_a_message(here: Path) -> None:
    """At the second card of the second game. Earlier results stand."""
    bot(here, "two", 5)
    done = dealer("./evensteven", games=printed.DEALER_INPUT + "4 876390176\n")
    assert (done.stdout, done.returncode) == ("Game 1\nYOU LOSE NECESSARILY\nGame 2\n", 1)
    detail = "answered with several words where the referee expected one card, such as 7h"
    assert done.stderr == f"dealer: game 2: ./evensteven {detail}, and wrote '8c 8c' (incorrect output)\n"


class Remembered(LocalProgram):
    """A bot whose process can be looked at when the dealer has closed it."""

    process: LocalProcess

    def start(self) -> LocalProcess:
        self.process = super().start()
        return self.process


def player(habit: str, at: object = 0) -> Remembered:
    return Remembered([sys.executable, "-I", "-S", "-u", str(PLAYER), habit, str(at)])


PATIENT, QUICK = (GAME.options({"time_limit": limit}) for limit in (60, 0.5))


def at_home(program: LocalProgram, playing: Options = PATIENT, leaving: Options = PATIENT) -> tuple[str, Fault | None]:
    """The sample with other limits: the dealer's output, and what ended it."""
    out = BytesIO()
    table = Dealer(out, playing)
    table.player = Evensteven(program, table.write)
    try:
        for opening in GAME.sample:
            table.play(opening)
        table._options = leaving
        table.end()
    except Fault as fault:
        return out.getvalue().decode(), fault
    finally:
        table.player.close(0, grace=0.0)
    return out.getvalue().decode(), None


def test_debugging_is_no_answer_however_much_of_it_there_is() -> None:
    text, fault = at_home(player("stars", 2), QUICK)
    assert fault is not None
    assert (fault.kind, fault.detail) == (FaultKind.TIMEOUT, "did not answer in time")
    assert text.splitlines()[-1].startswith("* ")


def test_a_bot_that_does_not_go_is_told_so_and_killed() -> None:
    bot = player("stays")
    text, fault = at_home(bot, leaving=QUICK)
    assert text == printed.DEALER_OUTPUT
    assert fault is not None
    assert (fault.kind, fault.detail) == (FaultKind.TIMEOUT, "did not terminate")
    end = bot.process.ended(0)
    assert end is not None
    assert end.signal == signal.SIGKILL


def test_a_bot_that_writes_ahead_is_read_question_by_question() -> None:
    """Line k answers question k: the second line is the answer to the next card."""
    _, fault = at_home(player("extra", 1))
    assert fault is not None
    assert fault.detail == "answered before it was asked, and that is not allowed now"
