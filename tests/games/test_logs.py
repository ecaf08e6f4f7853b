"""te.log is complete whenever a run ends: with a result, or by a signal in the middle of a decision."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import wait_for

ROOT = Path(__file__).resolve().parents[2]
SLOW = """\
import sys
turns = 0
for line in sys.stdin:
    word = line.split()[0]
    if word == "starthand":
        hand, pool = line.split()[2:12], line.split()[12:]
    elif word == "take":
        turns += 1
        if turns == 3:
            print("now", file=sys.stderr, flush=True)
            sys.stdin.read()  # until the end of the run
        gone = [card for card in line.split()[1:] if card in pool]
        pool = [card for card in pool if card not in gone]
        print(pool[0], flush=True)
    elif word == "aftertake":
        pool = [card for card in pool if card not in line.split()]
"""


def answers(lines: list[str]) -> list[str]:
    return [line for line in lines if line[1:3] == "< "]


def lines_written(folder: Path) -> list[str]:
    """The lines of the log, once two rounds of takes are in it."""
    log = folder / "te.log"

    def enough() -> list[str] | None:
        lines = log.read_text().splitlines() if log.exists() else []
        return lines if len(answers(lines)) >= 8 else None

    return list(wait_for(enough))


@pytest.mark.parametrize(("number", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129), ("SIGKILL", -9)])
def test_the_log_has_everything_up_to_the_end(number: str, status: int, tmp_path: Path) -> None:
    """The third take of the first player never ends. What came before it is on disk, whoever ends the run."""
    (tmp_path / "slow.py").write_text(SLOW)
    command = [sys.executable, "-S", "-m", "games", "te_dispatch", "te_server", "slow.py", *["random"] * 3, "4"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        started = lines_written(tmp_path)
        process.send_signal(getattr(signal, number))
        assert process.wait(60) == status
    lines = (tmp_path / "te.log").read_text().splitlines()
    assert lines[: len(started)] == started
    assert lines[0] == "# Tricky Eights, seed 4, rules utah-1998"
    assert len(answers(lines)) >= 8
    assert sorted(path.name for path in tmp_path.iterdir()) == ["slow.py", "te.log"]
