"""What a terminal shows, and that nothing else gets anything but lines."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import termios
from contextlib import suppress
from typing import Any

import pytest

from games.portal.screen import printable, table_lines, width
from tests.kibitz.conftest import ROOT, Kibitz, token
from tests.tournaments.stagecraft import Hall, play_out


def test_a_table_leaves_out_empty_columns_and_counts_wide_letters() -> None:
    lines = table_lines(["TEAM", ">POINTS", "STATUS"], [("北 Aces", 7, None), ("Clubs", 12, "")])
    assert lines == ["TEAM     POINTS", "北 Aces       7", "Clubs        12"]
    assert width(lines[1]) == width(lines[2])
    assert table_lines(["TEAM"], []) == []


@pytest.mark.parametrize(
    ("text", "shown"), [("a\tb\n", "a\tb\n"), ("\x1b[2J", "\\x1b[2J"), ("ä\r\u202e", "ä\\u202e"), ("\x9b1m", "\\x9b1m")]
)
def test_nothing_moves_the_cursor(text: str, shown: str) -> None:
    assert printable(text) == shown


def on_a_terminal(*words: object, until: str = "", then: Any = None, status: int = 0) -> str:
    """What a command shows on a terminal. `then` is called when it has shown `until`."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (30, 100))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    environment.pop("COLUMNS", None)
    environment.pop("LINES", None)
    command = [sys.executable, "-S", "-m", "games", *map(str, words)]
    seen = b""
    with subprocess.Popen(command, env=environment, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        with suppress(OSError):  # the terminal is gone when the command has ended
            while piece := os.read(ours, 65_536):
                seen += piece
                if then and until in seen.decode(errors="ignore"):
                    then()
                    then = None
        os.close(ours)
    assert process.returncode == status, seen.decode()
    return seen.decode()


def visible(text: str) -> list[str]:
    """The lines that a terminal shows in the end: what was erased is gone."""
    lines: list[str] = []
    for piece in re.split(r"(\x1b\[\d*[FJK]|\r?\n|\r)", text):
        if up := re.fullmatch(r"\x1b\[(\d+)F", piece):
            del lines[-int(up[1]) - 1 :]
            lines.append("")
        elif piece in ("\n", "\r\n"):
            lines.append("")
        elif piece in ("\r", "\x1b[K", "\x1b[J"):
            lines[-1:] = [""]
        else:
            lines[-1:] = [(lines or [""])[-1] + piece]
    return lines


@pytest.fixture
def hall(transactional_db: None, live_server: Any, kibitz: Kibitz) -> Hall:
    hall = Hall(4)
    captain = hall.teams[0].memberships.get().user
    assert kibitz("login", live_server.url, "--token", token(captain, "bot")).status == 0
    return hall


def test_standings_stay_below_what_happens(hall: Hall) -> None:
    stage = hall.stage(table_size=2, games=1)
    seen = on_a_terminal("watch", until="── Contest", then=lambda: play_out(stage))
    assert "\x1b[J" in seen
    shown = visible(seen)
    assert sum(line.startswith("── ") for line in shown) == 1  # the older ones were drawn over
    assert len([line for line in shown if "(match " in line]) == 3
    assert shown[-2].endswith(f"Champion: {hall.teams[0].name}")
