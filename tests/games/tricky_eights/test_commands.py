"""`te_dispatch` and `te_server` as in the Utah problem, as processes."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.cast import BOT

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path.parent / "cache"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def run(*words: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-S", "-m", "games", *map(str, words)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False, timeout=60)


def test_game_1211_between_four_random_players(here: Path) -> None:
    first = run("te_dispatch", "te_server", "random", "random", "random", "random", 1211)
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("Tricky Eights, seed 1211, rules utah-1998\n1. ")
    text = (here / "te.log").read_text()
    assert text.startswith("# Tricky Eights, seed 1211, rules utah-1998\n")
    again = run("te_dispatch", "te_server", "random", "random", "random", "random", 1211)
    assert again.stdout == first.stdout
    assert (here / "te.log").read_text() == text


def test_a_disqualified_player_is_exit_status_one(here: Path) -> None:
    source = here / "late.py"
    source.write_text(BOT.read_text().replace("main(sys.argv[1], int(sys.argv[2]))", "main('exit', 2)"))
    result = run("te_dispatch", "te_server", "late.py", "random", "random", "random", 13)
    assert result.returncode == 1
    assert "# North stops working" in (here / "te.log").read_text()


def test_the_server_alone_prints_routed_lines() -> None:
    result = run("te_server", 13)
    assert result.returncode == 2, "nobody answers"
    first, second = result.stdout.splitlines()
    assert first.startswith("n starthand n ")
    assert len(first.split()) == 3 + 10 + 12
    assert second == "n take n"
    assert result.stderr == "games: the input ended before the answer of n\n"


def dispatch(seed: int, prefix: bool) -> tuple[list[str], str, int]:
    """Another dispatcher: it passes the server's lines to four bots like the kit's, and their answers back."""
    server = subprocess.Popen(
        [sys.executable, "-S", "-m", "games", "te_server", str(seed)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    bots = {
        letter: subprocess.Popen(
            [sys.executable, "-I", "-S", "-u", BOT, "good", "1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for letter in "nesw"
    }
    assert server.stdin
    assert server.stdout
    lines = []
    for line in server.stdout:
        letter, _, text = line.partition(" ")
        lines.append(line.rstrip("\n"))
        bot = bots[letter]
        assert bot.stdin
        assert bot.stdout
        bot.stdin.write(text)
        bot.stdin.flush()
        if text.startswith(("take ", "play ")):
            answer = bot.stdout.readline()
            server.stdin.write(f"{letter} {answer}" if prefix else answer)
            server.stdin.flush()
    _, errors = server.communicate()
    for bot in bots.values():
        bot.communicate()
        assert bot.returncode == 0
    return lines, errors, server.returncode


@pytest.mark.parametrize("prefix", [False, pytest.param(True, marks=pytest.mark.long("more"))])
def test_the_server_plays_a_whole_game_over_its_standard_streams(here: Path, prefix: bool) -> None:
    lines, errors, status = dispatch(13, prefix)
    assert status == 0, errors
    assert {f"{letter} endround" for letter in "nesw"} <= set(lines[-8:])
    assert errors.startswith("Tricky Eights, seed 13, rules utah-1998\n1. ")
    logged = [line for line in (here / "te.log").read_text().splitlines() if line[1:3] == "> "]
    assert [line.replace("> ", " ", 1) for line in logged] == lines


def test_the_server_disqualifies_who_breaks_the_rules(here: Path) -> None:
    result = run("te_server", 13, stdin="zz\n" * 4)
    assert result.returncode == 1
    assert "fault of north: garbled: answered with something that is not a card, answer 'zz'" in result.stderr
    assert result.stderr.count("disqualified") == 4
    log = (here / "te.log").read_text().splitlines()
    assert log[-1] == "# The game ends without a winner: North 0, East 0, South 0 and West 0."
    assert [line for line in log if "< " in line[:3]] == ["n< zz", "e< zz", "s< zz", "w< zz"]
