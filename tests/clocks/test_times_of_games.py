"""The times that the rules of the games name: five seconds for an answer or a new connection, points for computing."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from games.format import processor_times
from games.sockets import PAUSE
from games.toolchains import RECIPES
from tests.games.barracuda.test_kit import LANGUAGES, SHELLS, Server, program
from tests.games.even_steven import samples as printed
from tests.games.hearts.test_jailed import match, needs_jail

ROOT = Path(__file__).resolve().parents[2]
PLAYER = ROOT / "tests/games/even_steven/player.py"


def test_a_bot_of_even_steven_that_says_nothing_is_given_five_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    bot = tmp_path / "evensteven"
    bot.write_text(f"#!/bin/sh\nexec {sys.executable} -I -S -u {PLAYER} silent 2\n")
    bot.chmod(0o755)
    command = [sys.executable, "-S", "-m", "games", "dealer", "./evensteven"]
    started = time.monotonic()
    done = subprocess.run(
        command, cwd=tmp_path, input=printed.DEALER_INPUT, capture_output=True, text=True, check=False
    )
    assert time.monotonic() - started >= 5
    assert done.stderr == "dealer: game 1: ./evensteven did not answer in time (program crashed)\n"
    assert (done.stdout, done.returncode) == ("Game 1\n", 1)


def waited(language: str) -> float:
    """How long a client of Barracuda that loses its connection waits before it comes back."""
    server = Server(program(language, SHELLS[language]))
    try:
        stream = server.accept()
        lost = time.monotonic()
        stream.close()
        server.accept().close()
        return time.monotonic() - lost
    finally:
        server.close()


def test_clients_of_barracuda_wait_five_seconds_before_they_come_back() -> None:
    """All languages at the same time."""
    there = [language for language in LANGUAGES if not RECIPES[language].missing()]
    with ThreadPoolExecutor(len(there)) as pool:
        waits = dict(zip(there, pool.map(waited, there), strict=True))
    assert not {language: seconds for language, seconds in waits.items() if seconds < PAUSE}


@needs_jail
def test_fifty_milliseconds_are_fifty_points_of_hearts_in_the_sandbox_too() -> None:
    done = match("while (clock() < CLOCKS_PER_SEC / 10) { }")
    assert done.faults[0] == []
    burning, idle = processor_times(done.record)[0], processor_times(match("").record)[0]
    assert round(burning) >= 50
    assert idle < burning / 10
