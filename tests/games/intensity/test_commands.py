"""`intensity_referee` as in the Intensity assignment, and a person at a (real) terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.intensity import GAME
from games.record import loads, verify
from tests.games.intensity import naive

ROOT = Path(__file__).parent.parent.parent.parent
KIT = Path(str(GAME.folder)) / "kit"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def run(*words: Any, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "games", "intensity_referee", *map(str, words)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=60, check=False)


def test_one_program_against_the_house(here: Path) -> None:
    done = run("--seed", 4, "--record", "game.json", KIT / "intensity.c")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:3] == ["Version: 0.2", "gcc -std=gnu17 -O2 -static -o bot intensity.c -lm", "Deal:"]
    assert re.fullmatch(r"Table position 0: COMP1511 student: \[\d\d(, \d\d){9}\]", lines[3])
    names = [line.split(": ")[1].strip() for line in lines[3:7]]
    assert names[0] == "COMP1511 student"
    assert len(set(names)) == 4
    assert set(names[1:]) < {"Lulu", "Morgan", "Amy", "Rat"}
    record = loads((here / "game.json").read_bytes())
    assert verify(record) is None
    assert [seat["bot"] for seat in record["seats"]] == [
        "intensity.c",
        *(f"house:{name.lower()}" for name in names[1:]),
    ]
    played = [event["card"] for event in record["events"] if event["event"] == "play"]
    said = [line for line in lines if line.startswith("Round")]
    rounds, scores = naive.tell(played)
    expected = [
        f"Round {number}: {names[who]} plays the {card}" for number, each in enumerate(rounds) for who, card in each
    ]
    assert [line for line in said if "plays" in line] == expected
    table = [line for line in lines if line.startswith("Table position")][4:]
    assert [int(line.rsplit(": ")[-1]) for line in table] == scores
    assert lines[-1].startswith("Winner")


def test_names_are_told_apart_and_faults_are_fined_without_ending_anything(here: Path) -> None:
    source = (KIT / "intensity.c").read_text()
    Path("wrong.c").write_text(source.replace("return hand[i];", "return 9;"))
    done = run("--seed", 4, "wrong.c", KIT / "intensity.c", "house:avoider")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[1:3] == [f"gcc -std=gnu17 -O2 -static -o bot {name} -lm" for name in ("wrong.c", "intensity.c")]
    assert (
        "COMP1511 student played 9, which is not a card: they are numbered 10 to 49, answer '9': 5 penalty points"
        in lines
    )
    assert any(line.startswith("Table position 1: COMP1511 student 2: [") for line in lines)
    assert any(line.startswith("Table position 2: avoider           : [") for line in lines)
    scores = [int(line.rsplit(": ")[-1]) for line in lines[-5:-1]]
    assert scores[0] >= 50
    assert sum(scores) == 17 + 50


def test_standard_error_of_a_program_comes_on_ours(here: Path) -> None:
    source = (KIT / "intensity.c").read_text()
    Path("loud.c").write_text(
        source.replace("read_numbers(1, action);", 'read_numbers(1, action); fprintf(stderr, "hm\\n");')
    )
    done = run("--seed", 4, "loud.c")
    assert done.stderr.count("[COMP1511 student, event ") == 12
    assert "hm" not in done.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "takes the names of one to four programs, or -i"),
        (["random"] * 5, "5 programs were named, and there are only 4 seats"),
        (["nothing.c"], "there is no file nothing.c"),
    ],
)
def test_what_cannot_be_carried_out_is_said_in_one_line(here: Path, words: list[str], complaint: str) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


class Terminal:
    """A person at a terminal, who reads and types."""

    def __init__(self, *words: str) -> None:
        self.ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "games", "intensity_referee", "-i", *words]
        self.process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # the process that runs us may ignore it
        )
        os.close(theirs)
        self.shown = ""

    def wait_for(self, words: str) -> str:
        """The output up to these words, since the last call."""
        while words not in self.shown:
            assert self.read(), self.shown
        before, _, self.shown = self.shown.partition(words)
        return before + words

    def read(self) -> bool:
        """Read output. False when the other end is closed."""
        assert select.select([self.ours], [], [], 60)[0], f"nothing comes after {self.shown!r}"
        try:
            piece = os.read(self.ours, 4096)
        except OSError:  # the other end is closed
            return False
        self.shown += piece.decode().replace("\r\n", "\n")
        return bool(piece)

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def rest(self) -> str:
        while self.read():
            pass
        return self.shown


@pytest.fixture
def terminal(here: Path) -> Iterator[Terminal]:
    person = Terminal("--seed", "5")
    yield person
    person.process.kill()
    person.process.wait()
    os.close(person.ours)


def hand_in(text: str) -> list[int]:
    return [int(card) for card in re.findall(r"^Hand: \[(.*)\]$", text, re.M)[-1].split(", ")]


def test_a_person_plays_a_hand_with_the_printed_prompts(terminal: Terminal) -> None:
    shown = terminal.wait_for("Enter cards to discard: ")
    hand = hand_in(shown)
    assert shown == (
        f"Version: 0.2\nDiscards:\nInteractive Player must choose discards.\nHand: {hand}\nEnter cards to discard: "
    )
    assert hand == sorted(hand)
    terminal.type(" ".join(map(str, hand[:3])) + "\n")
    earlier: list[int] = []
    table: list[int] = []
    for number in range(10):
        shown = terminal.wait_for("Enter card to play: ")
        assert re.search(r"^Interactive Player turn to play\.\nHand: \[.*\]\nEnter card to play: \Z", shown, re.M)
        for line in shown.splitlines():
            if found := re.match(r"Round (\d+): (\w+|Interactive Player) plays the (\d+)$", line):
                table.append(int(found[3]))
            elif "wins the round" in line:
                earlier, table = earlier + table, []
        hand = hand_in(shown)
        assert len(hand) == 10 - number
        card = next(card for card in hand if naive.may_play(card, hand, table, earlier))
        terminal.type(f"{card}\n")
    rest = terminal.rest()
    assert "Penalty points:\nTable position 0: " in rest
    assert re.search(r"^Winners?: ", rest, re.M)
    assert terminal.process.wait(60) == 0


def test_bad_input_is_asked_again(terminal: Terminal) -> None:
    hand = hand_in(terminal.wait_for("Enter cards to discard: "))
    foreign = next(card for card in range(10, 50) if card not in hand)
    for typed, complaint in (
        ("", "answered with an empty line where the referee expected 3 cards"),
        ("help", "answered with something that is not a number where the referee expected 3 cards"),
        (f"{hand[0]} {hand[1]}", "answered with 2 numbers where the referee expected 3 cards"),
        (f"{hand[0]} {hand[0]} {hand[1]}", "but each card can be discarded only once"),
        (f"{hand[0]} {hand[1]} {foreign}", f"but does not hold {foreign}"),
        (f"{hand[0]} {hand[1]} 50", "but 50 is not a card"),
    ):
        terminal.type(typed + "\n")
        shown = terminal.wait_for("Enter cards to discard: ")
        assert re.search(r"^Interactive Player .*", shown, re.M)
        assert complaint in shown
    terminal.type(" ".join(map(str, reversed(hand[-3:]))) + "\n")
    hand = hand_in(terminal.wait_for("Enter card to play: "))
    terminal.type("50\n")
    assert "Interactive Player played 50, which is not a card" in terminal.wait_for("Enter card to play: ")
    absent = next(card for card in range(10, 50) if card not in hand)
    terminal.type(f"{absent}\n")
    assert f"Interactive Player played {absent}, which it does not hold" in terminal.wait_for("Enter card to play: ")


@pytest.mark.parametrize("answers", [0, 1])
def test_the_end_of_input_ends_the_game_politely(terminal: Terminal, answers: int) -> None:
    hand = hand_in(terminal.wait_for("Enter cards to discard: "))
    if answers:
        terminal.type(" ".join(map(str, hand[:3])) + "\n")
        terminal.wait_for("Enter card to play: ")
    terminal.type("\x04")
    assert terminal.rest().endswith("\nThe input has ended, and so has the game.\n")
    assert terminal.process.wait(60) == 2, "no game was played"


def test_a_person_against_programs(here: Path) -> None:
    person = Terminal("--seed", "6", str(KIT / "intensity.c"))
    try:
        shown = person.wait_for("Enter cards to discard: ")
        assert "Version: 0.2\ngcc -std=gnu17 -O2 -static -o bot intensity.c -lm\nDiscards:\n" in shown
        person.type(" ".join(map(str, hand_in(shown)[:3])) + "\n")
        shown = person.wait_for("Enter card to play: ") + person.shown
        assert person.process.poll() is None
    finally:
        person.process.kill()
        person.process.wait()
        os.close(person.ours)


def test_the_example_on_the_rules_page_is_what_is_shown() -> None:
    """The prompts on the page are those of the program."""
    block = next(text for text in re.findall(r"```text\n(.*?)```", GAME.rules_text(), re.S) if "Interactive" in text)
    for line in (
        "Interactive Player must choose discards.",
        "Interactive Player turn to play.",
        "Enter card to play: ",
    ):
        assert line in block
    hands = [set(map(int, found.split(", "))) for found in re.findall(r"Hand: \[(.*)\]", block)]
    assert hands[0] - {32, 33, 35} == hands[1] - {21, 22, 39}, "as in the assignment: three cards out, three in"
