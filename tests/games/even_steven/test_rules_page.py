"""What the rules page says is true: its examples are played, its commands are run."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games import get
from games.kits import kibitz_pyz, kit_zip
from tests.games.even_steven import samples as printed

GAME = get("even_steven")
TEXT = GAME.rules_text()
BLOCKS = re.findall(r"```text\n(.*?)```", TEXT, re.S)


def test_its_games_are_those_of_the_seed() -> None:
    lines = BLOCKS[0].splitlines()
    assert [line[2:] for line in lines if line[0] == ">"] == printed.PLAYER_INPUT.splitlines()
    assert [line[2:] for line in lines if line[0] == "<"] == printed.PLAYER_OUTPUT.splitlines()
    assert BLOCKS[1] == printed.DEALER_INPUT
    assert BLOCKS[2] == printed.DEALER_OUTPUT


@pytest.mark.long("more")
def test_its_commands_work_in_the_kit(tmp_path: Path) -> None:
    (tmp_path / "kit.zip").write_bytes(kit_zip(GAME, "python"))
    subprocess.run([sys.executable, "-m", "zipfile", "-e", "kit.zip", "."], cwd=tmp_path, check=True)
    folder = tmp_path / "even_steven-python"
    commands = [line for block in BLOCKS[3:] for line in block.splitlines()]
    assert len(commands) == 4
    said = []
    for command in commands:
        line = command.replace("python3", shlex.quote(sys.executable), 1)
        said.append(subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False))
    assert [done.returncode for done in said] == [0, 0, said[2].returncode, 0], [done.stderr for done in said]
    assert said[0].stdout == printed.DEALER_OUTPUT
    assert "* game 1: 8c is dealt, I play 4h" in said[1].stdout
    assert said[2].returncode in (0, 1)
    assert "Game 20:" in said[3].stdout
    assert len(list(folder.glob("evensteven-*.log"))) == 20


@pytest.mark.long("more")
@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_its_line_for_a_makefile_works(tmp_path: Path) -> None:
    (line,) = re.findall(r"`(test: ; .*?)`", TEXT)
    python = line.replace("python3", shlex.quote(sys.executable)).replace("evensteven.c", "evensteven.py")
    (tmp_path / "Makefile").write_text(python + "\n")
    (tmp_path / "kibitz.pyz").write_bytes(kibitz_pyz())
    (tmp_path / "evensteven.py").write_bytes((GAME.folder / "kit" / "shell.py").read_bytes())
    (tmp_path / "games.in").write_text(printed.DEALER_INPUT)
    assert subprocess.run(["make", "test"], cwd=tmp_path, capture_output=True, check=False).returncode == 0
    assert (tmp_path / "games.out").read_text() == printed.DEALER_OUTPUT
    (tmp_path / "games.in").write_text("14 5\n")
    assert subprocess.run(["make", "test"], cwd=tmp_path, capture_output=True, check=False).returncode == 2
