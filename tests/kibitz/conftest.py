"""`kibitz` as somebody runs it at home, and the portal that it talks to over HTTP."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from contest.models import ApiToken, User
from games.__main__ import main

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Ran:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        return json.loads(self.err.splitlines()[-1])


Kibitz = Callable[..., Ran]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of one's own, in which one works."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in list(os.environ):
        if name.startswith("KIBITZ_") or name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            monkeypatch.delenv(name)
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def kibitz(capsys: pytest.CaptureFixture[str]) -> Kibitz:
    """`kibitz("submit", "bot.c")` runs a command line."""

    def run(*words: object) -> Ran:
        capsys.readouterr()
        try:
            status = main([str(word) for word in words])
        except SystemExit as stop:
            status = int(str(stop.code))
        return Ran(status, *capsys.readouterr())

    return run


def token(user: User, *scopes: str) -> str:
    return ApiToken.issue(user, "laptop", list(scopes))[1]


@contextmanager
def beside(*words: object) -> Iterator[subprocess.Popen[str]]:
    """A command in a process of its own, while the test does something else."""
    command = [sys.executable, "-S", "-m", "games", *map(str, words)]
    with subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()
