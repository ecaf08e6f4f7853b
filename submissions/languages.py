"""The languages of `games.toolchains` for the portal: what is installed, and how a bot runs in its jail."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from glob import glob
from pathlib import Path, PurePosixPath

from games import toolchains
from games.compiled import name_of, single
from games.entries import laid_out
from games.libraries import Library, packages_now
from games.recipe import Commands, Layout, Recipe
from games.toolchains import MEGABYTE, RECIPES, SYSTEM_PATH
from submissions.sandbox.build import BuildLimits
from submissions.sandbox.policy import POLICIES, Policy
from submissions.sandbox.roots import BOX

IN_FOLDER = {"static": "folder"}
"""Policies of programs that may read the folder they came with. The others read it anyway."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language of the table. A `sandbox.jail.Language` and a `sandbox.build.Language`."""

    recipe: Recipe

    def __str__(self) -> str:
        return self.name

    @property
    def slug(self) -> str:
        return self.recipe.language

    @property
    def name(self) -> str:
        return self.recipe.title

    @property
    def extensions(self) -> tuple[str, ...]:
        return self.recipe.extensions

    @property
    def package(self) -> str:
        """The Debian packages that provide it."""
        return self.recipe.packages

    @property
    def policy(self) -> Policy:
        return POLICIES[self.recipe.jailed.policy]

    @property
    def product(self) -> str:
        """The file that a build produces, or the source's new name if nothing is built."""
        return self.recipe.jailed.product

    @property
    def interpreted(self) -> bool:
        """Whether the product is the source itself, after a syntax check."""
        return not self.recipe.build

    @property
    def mounts(self) -> tuple[str, ...]:
        return _there(self.recipe.jailed.mounts)

    @property
    def runtime(self) -> tuple[str, ...] | None:
        """What its private copy of /usr holds, as patterns of paths (sandbox.runtimes). None if it has none."""
        if "/usr" not in self.mounts:
            return None
        program = self.run[0]
        prefix = str(Path(program).parent.parent)
        return (program, *(pattern.replace("{prefix}", prefix) for pattern in self.recipe.jailed.runtime))

    @property
    def tools(self) -> tuple[str, ...]:
        """Mounts of a build in addition to /usr."""
        return _there(self.recipe.jailed.tools)

    @property
    def build_limits(self) -> BuildLimits:
        it = self.recipe.jailed.building
        return BuildLimits(it.seconds, it.cpu_seconds, it.memory_mb * MEGABYTE)

    @property
    def threads(self) -> int:
        return self.recipe.jailed.threads

    @property
    def memory_floor(self) -> int:
        """Bytes. With less, not even an empty program runs."""
        return self.recipe.jailed.memory_floor

    def installed(self) -> bool:
        """Whether this machine can build and run bots in it."""
        return not self.recipe.missing(SYSTEM_PATH)

    def toolchain(self) -> str:
        """The version of the compiler or interpreter, such as `gcc (Debian 12.2.0-14) 12.2.0`; empty if none."""
        return _first_line(self.recipe.version, packages_now()) if self.installed() else ""

    def libraries(self) -> list[tuple[Library, str]]:
        """The libraries that its programs find on this machine, and their versions."""
        there = [(library, library.version()) for library in self.recipe.libraries]
        return [(library, version) for library, version in there if version]

    @property
    def run(self) -> tuple[str, ...]:
        """The command that runs a bot, with absolute paths inside the jail."""
        program, *words = (word.replace("{beside}", BOX).replace("{box}", BOX) for word in self.recipe.jailed.command)
        return (_found(program), *words)

    def run_within(self, memory_bytes: int) -> tuple[str, ...]:
        """The command for a memory limit, which runtimes with their own heap need to know."""
        return tuple(_limited(word, memory_bytes) for word in self.run)

    def environment_within(self, memory_bytes: int) -> Mapping[str, str]:
        """The environment variables that tell its runtime about limits."""
        return {name: _limited(value, memory_bytes) for name, value in self.recipe.jailed.environment}

    def compiled(self, filename: str, source: bytes, support: Collection[str]) -> tuple[str, bytes]:
        """Name and text of the one source of a program, as it is built."""
        name = name_of(self.recipe, filename, source, support)
        return name, single(self.recipe, source, name)

    def build(self, source: str, support: Sequence[str]) -> list[Commands]:
        """The ways to build `source` in a folder with the files named `support` (`Recipe.attempts`)."""
        if self.interpreted:
            return [self._checking(source)]
        return self.recipe.attempts(source, sorted(support))

    def lay_out(self, files: Mapping[str, bytes], entry: str, kit: Mapping[str, bytes]) -> Layout:
        """The folder in which a program of several files is built, with the kit's files in it."""
        return laid_out(self.recipe, files, entry, kit)

    def build_folder(self, layout: Layout) -> list[Commands]:
        """The ways to build a program of several files."""
        if self.interpreted:
            return [self._checking(layout.entry, *(layout.more if self.recipe.jailed.checks_all else ()))]
        return self.recipe.folder_attempts(layout)

    def _checking(self, *sources: str) -> Commands:
        beside = str(PurePosixPath(sources[0]).parent)
        check = [word.replace("{beside}", beside) for word in self.recipe.jailed.check]
        return [[_found(check[0]), *check[1:], *sources]] if check else []

    def in_folder(self, entry: str, paths: Collection[str] = (), source: bytes = b"") -> Language:
        """The same language for a program of several files: its entry keeps its name, as the others do, and it may read
        its folder."""
        recipe = self.recipe.beside(paths).in_package(entry, source, paths)
        jailed = recipe.jailed
        if self.interpreted:
            beside = str(PurePosixPath("{box}", entry).parent)
            command = tuple(
                word.replace(f"{{box}}/{jailed.product}", f"{{box}}/{entry}").replace("{beside}", beside)
                for word in jailed.command
            )
            return Language(replace(recipe, jailed=replace(jailed, product=entry, command=command)))
        policy = IN_FOLDER.get(jailed.policy, jailed.policy)
        return Language(replace(recipe, jailed=replace(jailed, policy=policy)))


LANGUAGES: dict[str, Language] = {slug: Language(recipe) for slug, recipe in RECIPES.items()}


def recognise(filename: str, source: bytes = b"") -> Language | None:
    """Recognise a source file by its extension or its first line. None if no language matches."""
    recipe = toolchains.recognise(filename, source)
    return LANGUAGES[recipe.language] if recipe else None


def _limited(word: str, memory_bytes: int) -> str:
    return word.replace("{bytes}", f"{memory_bytes}").replace("{half_mb}", f"{memory_bytes // (2 * MEGABYTE)}")


def _found(program: str) -> str:
    """The real path of a system program, because the jail has no alternatives links."""
    if program.startswith(BOX):
        return program
    return str(Path(shutil.which(program, path=SYSTEM_PATH) or f"/usr/bin/{program}").resolve())


def _there(patterns: Sequence[str]) -> tuple[str, ...]:
    """The paths that match, now: a language may be installed while the portal runs."""
    return tuple(path for pattern in patterns for path in (sorted(glob(pattern)) if "*" in pattern else [pattern]))


@lru_cache(maxsize=128)
def _first_line(command: tuple[str, ...], now: tuple[int, ...]) -> str:
    program = shutil.which(command[0], path=SYSTEM_PATH)
    if program is None:
        return ""
    try:
        run = subprocess.run([program, *command[1:]], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    lines = (run.stdout or run.stderr).strip().splitlines()
    return lines[0].strip() if lines else ""
