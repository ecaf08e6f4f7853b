"""Building and starting programs on the contestants' own machines, which need not run Linux.

The commands of games.toolchains are those of the portal, and Linux runs them as they are. macOS cannot link statically.
Windows has no `env`, and its programs end in `.exe`. Some systems give an interpreter another name.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from games.recipe import Recipe

SYSTEM = sys.platform
STATIC = ("-static", "-optl-static")
PRODUCTS = {"bot": "bot.exe", "-obot": "-obot.exe", "./bot": "./bot.exe"}
OTHER_NAMES = {"lua5.4": ("lua", "lua54"), "python3": ("python", "py"), "tclsh": ("tclsh8.6", "tclsh86", "tclsh90")}
SETTING = re.compile(r"[A-Z]\w*=.*")


class Adapted(NamedTuple):
    """A command for this machine, and what its environment has besides our own."""

    words: list[str]
    environment: dict[str, str]


def adapted(command: Sequence[str], system: str = "") -> Adapted:
    """The command of the portal as a system understands it (as in `sys.platform`): this one, if none is named."""
    system = system or SYSTEM
    words = [_named(word) if index == 0 else word for index, word in enumerate(command)]
    if system == "linux":
        return Adapted(words, {})
    words = [word for word in words if word not in STATIC]
    environment: dict[str, str] = {}
    if system == "win32":
        words = [PRODUCTS.get(word, word) for word in words]
        if words[:1] == ["env"]:
            settings = list(takewhile(SETTING.fullmatch, words[1:]))
            environment = dict(setting.split("=", 1) for setting in settings)
            words = words[1 + len(settings) :]
    return Adapted(words, environment)


def _named(program: str) -> str:
    """The first of its names that is on the search path; its usual one where none is."""
    if os.path.dirname(program):
        return program
    names = (program, *OTHER_NAMES.get(program, ()))
    return next((name for name in names if shutil.which(name)), program)


def missing(recipe: Recipe, words: Sequence[str]) -> list[str]:
    """Return what a language lacks on this machine to run that command."""
    if SYSTEM == "linux":
        return recipe.missing()
    wanted = dict.fromkeys([*recipe.programs, *words[:1]])  # its libraries lie elsewhere
    return [name for name in wanted if not os.path.dirname(name) and shutil.which(_named(name)) is None]
