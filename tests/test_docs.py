"""What the README and docs/ name is there, and what is there is named."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from games import GAMES

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def rows(heading: str) -> set[str]:
    """The names in the first column of the table that has this heading."""
    _, _, table = ARCHITECTURE.partition(f"\n| {heading} |")
    lines = table.partition("\n\n")[0].splitlines()[2:]
    return {name for line in lines for name in re.findall(r"`(\w+)`", line.split("|")[1])}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)[#)]", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_files_that_are_named_exist(page: Path) -> None:
    for name in re.findall(r"`((?:games|contest|submissions|tournaments|tests|benchmarks)/[\w./]*)`", page.read_text()):
        assert (ROOT / name).exists(), name


def test_the_readme_shows_commands_of_the_games_that_there_are() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "games", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    _, _, listed = run.stdout.partition("COMMAND\n")
    known = set(re.findall(r"^    (\w+)", listed, re.MULTILINE))
    shown = re.findall(r"^python3 -m games (\w+)(?: (\w+)\b)?", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert {command for command, _ in shown} <= known
    assert {"play", "verify", "dealer", "intensity_referee", "te_dispatch", "serve"} <= {
        command for command, _ in shown
    }
    assert {word for command, word in shown if command in ("play", "serve")} <= set(GAMES)


def test_the_readme_shows_commands_as_they_are_called(tmp_path: Path) -> None:
    """In an empty folder they miss nothing but their files. A server would stay."""
    shown = re.findall(r"^python3 (-m games [^#<\n]+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    commands = [shlex.split(line) for line in shown if " serve " not in line]
    assert len(commands) >= 6
    for command in commands:
        run = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert re.search(r"there is no file|No such file", run.stderr), (command, run.stderr)


def test_every_module_of_the_games_is_described() -> None:
    besides = {"__init__", "__main__", "engine"}
    assert rows("module") == {path.stem for path in (ROOT / "games").glob("*.py")} - besides


def test_every_benchmark_is_described() -> None:
    helpers = {"quickbot"}
    assert rows("benchmark") == {path.stem for path in (ROOT / "benchmarks").glob("*.py")} - helpers
