"""Building the kits' players as a contestant, the command line and the portal do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games import get
from games.toolchains import RECIPES

GAME = get("tricky_eights")
KIT = Path(str(GAME.folder)) / "kit"
PROBES = Path(__file__).parent / "tricky_eights" / "probes"
LANGUAGES = list(GAME.kit_sources)


def few(languages: Iterable[str]) -> list[Any]:
    """C and Python by default, the others in the part of the kits."""
    return [
        name if name in ("c", "python") else pytest.param(name, marks=pytest.mark.long("kits")) for name in languages
    ]


def needs(language: str) -> None:
    """Skip the test if the machine has no compiler for that language. The run counts and names these at its end."""
    if missing := RECIPES[language].missing():
        pytest.skip(f"{missing[0]} is not installed ({RECIPES[language].title} needs it)")


def named(stem: str, language: str) -> str:
    """Such as `shell.pas`, or `Shell.java` where a class has the name of its file."""
    if language in ("java", "scala"):
        stem = {"random": "RandomPlayer"}.get(stem, stem.capitalize())
    return stem + RECIPES[language].extensions[0]


def rules_blocks(first: str) -> list[str]:
    """The blocks of the rules page that begin with these words."""
    return [text for text in re.findall(r"```text\n(.*?)```", GAME.rules_text(), re.S) if text.startswith(first)]


class Workshop:
    """Builds entries, each in its own folder beside the library."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @cache  # noqa: B019  # there is one for the whole run
    def build(self, language: str, name: str, source: str | None = None) -> tuple[list[str], Path]:
        """The command that runs an entry, and its folder. `source` is its text; by default it is a file of the kit."""
        needs(language)
        recipe, kit = RECIPES[language], GAME.kit_sources[language]
        folder = self.root / f"{language}-{len(list(self.root.iterdir()))}"
        folder.mkdir()
        for file in kit:
            shutil.copy(KIT / file, folder)
        (folder / name).write_text(source or (KIT / name).read_text())
        for command in recipe.build_commands(name, kit):
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
        return recipe.run_command(name, sys.executable), folder

    def run(self, language: str, name: str, text: str, source: str | None = None, **env: str) -> tuple[list[str], str]:
        """An entry's answers to these lines, and its standard error."""
        command, folder = self.build(language, name, source)
        environment = os.environ | env
        done = subprocess.run(
            command, cwd=folder, env=environment, input=text, capture_output=True, text=True, timeout=120, check=True
        )
        return done.stdout.splitlines(), done.stderr
