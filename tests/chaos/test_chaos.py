"""A short contest that is played through faults, on both databases. The long one: `python -m tests.chaos`."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from tests import postgresql

ROOT = Path(__file__).resolve().parents[2]
MATCHES, FAULTS = 18, 8
# The long run has all of them. Stopping a broker, and a disk that is full, can leave a worker without messages.
SHORT = ("kill_a_worker", "kill_a_playing_process", "kill_the_tick", "stop_a_worker_that_writes", "clock_ahead")
SHORT += ("clock_back", "messages_twice", "messages_lost", "clock_of_one_machine", "stop_a_worker_for_a_moment")
SEEDS = {"sqlite": 5, "postgresql": 6}

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")


def play(database: str, *arguments: str) -> str:
    """What the command says. Its own broker, database and workers are gone when it ends."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("VAR_DIR", "DJANGO_SETTINGS_MODULE")
    }
    command = [sys.executable, "-m", "tests.chaos", "--database", database, "--seed", str(SEEDS[database])]
    command += ["--matches", str(MATCHES), "--faults", str(FAULTS), *arguments, "--only", *SHORT]
    run = subprocess.run(
        command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=800
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@needs_compiler
@pytest.mark.skipif(connection.vendor != "sqlite", reason="once is enough")
@pytest.mark.django_db(transaction=True)
def test_a_contest_with_sqlite(tmp_path):
    empty = tmp_path / "empty.sqlite3"
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as ours, closing(sqlite3.connect(empty)) as copy:
        ours.backup(copy)
    assert "everything is right" in play("sqlite", "--start", str(empty))


@needs_compiler
@pytest.mark.skipif(connection.vendor != "sqlite", reason="once is enough")
@pytest.mark.skipif(postgresql.programs() is None, reason=postgresql.MISSING)
def test_a_contest_with_postgresql():
    assert "everything is right" in play("postgresql")
