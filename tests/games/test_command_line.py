"""`python3 -m games`, run as people run it: with only the standard library, from a clone or as one file."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from games.__main__ import main
from games.commands import MOST_LINES, print_debug
from games.debug import Piece
from games.record import loads, verify
from tests.games.cast import BOT

ROOT = Path(__file__).resolve().parents[2]
KIT = ROOT / "games" / "tricky_eights" / "kit"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: object, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own, without site-packages."""
    return subprocess.run(
        [sys.executable, "-S", "-m", "games", *map(str, words)],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
    )


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """The one line that explains the error."""
    try:
        status = main([str(word) for word in words])
    except SystemExit as stop:
        status = int(str(stop.code))
    assert status == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    return line


def bad_bot(here: Path, habit: str, at: int = 3) -> Path:
    """A Python entry with a bad habit."""
    path = here / f"{habit}.py"
    path.write_text(BOT.read_text().replace("main(sys.argv[1], int(sys.argv[2]))", f"main({habit!r}, {at})"))
    return path


# play


def test_play_with_record_and_log(here: Path) -> None:
    result = run(
        "play", "tricky_eights", "random", "house:random", "random", "random",
        "--seed", 1211, "--record", "r.json", "--log", "game.log", "--option", "target=50",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[0] == "Tricky Eights, seed 1211, rules utah-1998"
    assert [line[:2] for line in result.stdout.splitlines()[1:]] == ["1.", "2.", "3.", "4."]
    record = loads((here / "r.json").read_bytes())
    assert verify(record) is None
    assert (record["seed"], record["options"]["target"]) == (1211, 50)
    assert (here / "game.log").read_text().startswith("# Tricky Eights, seed 1211")
    assert result.stderr.splitlines() == ["record written: r.json", "log written: game.log"]


@pytest.mark.parametrize(
    "words",
    [
        ("play", "--option", "target=1", "hearts", "house:random", "random", "--seed", "5"),
        ("play", "hearts", "--option", "target=1", "house:random", "--seed", "5", "random"),
        ("play", "hearts", "house:random", "--option", "target=1", "random", "--seed", "5"),
    ],
)
def test_options_may_stand_anywhere_and_who_fills_a_seat_is_said(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert main(words) == 0
    head, *players = capsys.readouterr().out.splitlines()
    assert head == "Hearts, seed 5, rules mactech-1998"
    filling = [line for line in players if line.endswith(" (fills a seat)")]
    assert (len(players), len(filling)) == (4, 2)
    assert not any("random" in line for line in filling)


def test_several_games_and_a_seed_of_its_own(here: Path) -> None:
    words = ["play", "tricky_eights", *["random"] * 4, "--games", "2", "--option", "target=1"]
    result = run(*words, "--log", "te.log", "--record", "r.json")
    assert result.returncode == 0
    assert sorted(path.name for path in here.iterdir()) == ["r.json", "te-1.log", "te-2.log"]
    assert "log written: te-1.log to te-2.log" in result.stderr
    other = run(*words)
    assert other.stdout.splitlines()[0] != result.stdout.splitlines()[0]


def test_sources_are_built_and_play(here: Path) -> None:
    bots = [KIT / name for name in ("random.cpp", "random.c", "random.pas", "random_player.py")]
    result = run("play", "tricky_eights", *bots, "--seed", 7, "--option", "target=60", "--record", "r.json")
    assert result.returncode == 0, result.stderr
    record = loads((here / "r.json").read_bytes())
    assert [seat["bot"] for seat in record["seats"]] == [path.name for path in bots]
    assert not [event for event in record["events"] if event["event"] == "fault"]


def test_a_disqualified_bot_is_exit_status_one(here: Path) -> None:
    (here / "shark").mkdir()
    (here / "shark" / "bot.py").write_text("import hand\n")
    (here / "shark" / "hand.py").write_text("\nraise RuntimeError('lost')\n")
    bots = (bad_bot(here, "crash"), here / "shark")
    result = run("play", "tricky_eights", *bots, "random", "random", "--option", "target=1")
    assert result.returncode == 1
    assert "fault of crash: crash: exited with status 1 without an answer" in result.stdout
    assert "crash (crash.py), disqualified" in result.stdout
    assert "RuntimeError: this bot has a bug" in result.stderr
    assert "[crash, event " in result.stderr
    assert "(crash.py, line " in result.stderr
    assert "RuntimeError: lost (hand.py, line 2)" in result.stderr


@pytest.mark.parametrize("on_terminal", [False, True])
def test_a_terminal_shows_the_end_of_much_debug_output_and_a_file_gets_all(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, on_terminal: bool
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: on_terminal)
    print_debug("bot", [Piece(index, "thinking\nmore\n") for index in range(500)])
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == (1 + MOST_LINES if on_terminal else 1000)
    assert lines[-2:] == ["[bot, event 499] thinking", "more"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "games: the following arguments are required: COMMAND"),
        (["dance"], "games: argument COMMAND: invalid choice: 'dance'"),
        (["play", "whist", *["random"] * 4], "games: there is no game 'whist': there is tricky_eights"),
        (["play", "even_steven"], "games: Even Steven is played by 1 player, and none was named"),
        (
            ["play", "tricky_eights", *["random"] * 3],
            "games: Tricky Eights is played by 4 players, and 3 were named: fill the other seat with house:random, ",
        ),
        (["play", "tricky_eights", *["random"] * 3, "house:bob"], "games: there is no house player 'bob'"),
        (["play", "tricky_eights", *["random"] * 3, "bob.c"], "games: there is no file bob.c"),
        (["play", "tricky_eights", *["random"] * 4, "--option", "target"], "games: an option is written KEY=VALUE"),
        (["play", "tricky_eights", *["random"] * 4, "--option", "target=0"], "games: target is a whole number"),
        (["play", "tricky_eights", *["random"] * 4, "--option", "luck=1"], "games: Tricky Eights has no option luck"),
        (["play", "tricky_eights", *["random"] * 4, "--games", "0"], "games play: argument --games: invalid "),
        (
            ["play", "tricky_eights", *["random"] * 4, "--record", "no/r.json"],
            "games: there is no folder for no/r.json",
        ),
        (["verify", "nothing.json"], "games: cannot read nothing.json: No such file or directory"),
        (["show", "nothing.json"], "games: cannot read nothing.json"),
        (["te_dispatch", *["random"] * 4, "1"], "games: the server must come first, and it is te_server: te_dispatch"),
        (["te_dispatch", "te_server", *["random"] * 3, "1"], "games: Tricky Eights is played by four players, and 3"),
        (["te_dispatch", "te_server", *["random"] * 4, "x"], "games: the seed is a whole number, not 'x'"),
        (["te_server", "1", "2"], "games: te_server takes one number"),
    ],
)
def test_refusals_say_why_in_one_line(capsys: pytest.CaptureFixture[str], words: list[str], why: str) -> None:
    assert refused(capsys, *words).startswith(why)


def test_a_source_that_does_not_build_is_refused_with_the_compilers_words(here: Path) -> None:
    (here / "broken.c").write_text("int nonsense")
    result = run("play", "tricky_eights", "broken.c", "random", "random", "random")
    assert result.returncode == 2
    assert "error:" in result.stderr
    error, command = result.stderr.splitlines()[-2:]
    assert error.startswith("games: broken.c does not build: expected ")
    assert error.endswith("(broken.c, line 1)")
    assert command.startswith("command: gcc ")


# verify and show


@pytest.fixture
def record(here: Path) -> Path:
    words = ["play", "tricky_eights", *["random"] * 4, "--seed", "5", "--option", "target=30", "--record", "r.json"]
    assert main(words) == 0
    return here / "r.json"


def test_verify_finds_the_first_difference(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed = json.loads(record.read_text())
    at = next(index for index, event in enumerate(changed["events"]) if event["event"] == "trick")
    changed["events"][at]["points"] = 25
    other = record.with_name("changed.json")
    other.write_text(json.dumps(changed))
    capsys.readouterr()
    assert main(["verify", str(other), str(record)]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{other}: event {at}: ")
    assert second.endswith("the record follows from the rules (1 game)")
    assert "stands where the rules give" in refused(capsys, "show", other)


def test_show_prints_hands_tricks_and_scores(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["show", str(record)]) == 0
    out = capsys.readouterr().out
    events = loads(record.read_bytes())["events"]
    first = events[0]
    assert f"  north  {' '.join(first['hands'][0])}\n" in out
    assert f"  pool   {' '.join(first['pool'])}\n" in out
    tricks = [line for line in out.splitlines() if line.startswith("  play: ")]
    assert len(tricks) == sum(event["event"] == "trick" for event in events)
    assert all(" -> " in line for line in tricks)
    assert out.count("  points: ") == sum(event["event"] == "score" for event in events)
    assert "Result: " in out


def test_show_tells_of_faults(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(BOT.parent / "golden" / "tricky_eights-faults.json")]) == 0
    out = capsys.readouterr().out
    assert "  fault of north: crash: exited with status 1 without an answer" in out
    assert "(referee)" in out
    assert "disqualified" in out
    assert "Game 2: " in out


def shown(name: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main(["show", str(BOT.parent / "golden" / f"{name}.json")]) == 0
    return capsys.readouterr().out.splitlines()


def test_verdicts_are_printed_as_their_game_says_them_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown("even_steven-careless", capsys)
    assert "Result: YOU WIN: the card is covered." in lines
    assert lines[-1] == "1 won, 9 lost necessarily, 2 lost unnecessarily"
    assert shown("even_steven-crashed", capsys)[-1].endswith("1 program crashed")


def test_a_reader_that_has_seen_enough() -> None:
    golden = BOT.parent / "golden" / "tricky_eights-random.json"
    shell = f"{sys.executable} -S -m games show {golden} | head -1"
    result = subprocess.run(
        shell, shell=True, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert result.stderr == ""
    assert result.stdout.startswith("Tricky Eights")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp850"])
def test_every_command_ends_with_its_result_on_any_console(here: Path, encoding: str) -> None:
    name = os.fsdecode("Łódź “Ħaie” ♠ ".encode() + b"\xff")  # no console of Windows has all of these
    bot = here / f"{name}.py"
    bot.write_text((KIT / "random_player.py").read_text())
    words = ("play", "tricky_eights", bot, *["random"] * 3, "--seed", 1)
    for command, status in (
        (("--help",), 0),
        (("list",), 0),
        ((*words, "--record", "game.json"), 0),
        ((*words, "--json"), 0),
        (("show", "game.json"), 0),
        (("show", "game.json", "--json"), 0),
        (("verify", "game.json"), 0),
        (("verify", f"{name}.json"), 2),
    ):
        ran = subprocess.run(
            [sys.executable, "-S", "-m", "games", *map(str, command)],
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding},
            check=False,
        )
        assert (ran.returncode, b"Error" in ran.stderr) == (status, False), (command, ran.stderr)
        if "--json" in command:
            told = json.loads(ran.stdout.decode(encoding))
            assert told["seats"] == loads((here / "game.json").read_bytes())["seats"]


def test_programs_read_everything_as_json(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def read(*words: object) -> Any:
        assert main([*map(str, words), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    assert {game["game"] for game in read("list")} == set(GAMES)
    played = read("play", "hearts", *["random"] * 4, "--seed", 7, "--record", "game.json")
    capsys.readouterr()
    assert played == read("show", "game.json") == loads((here / "game.json").read_bytes())
    assert read("verify", "game.json") == {"record": "game.json", "games": 1, "difference": None}
    again = read("again", "game.json", "house:random", "--seat", 1)
    assert (again["seed"], again["game"]) == (7, "hearts")
    wrong = {**played, "result": {**played["result"], "scores": [0, 0, 0, 26]}}
    Path("wrong.json").write_text(json.dumps(wrong))
    assert main(["verify", "wrong.json", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["difference"]["text"]
