"""What one language of the table needs (games.toolchains): how it is recognised, built and started."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from pathlib import PurePosixPath

from games.libraries import Library, packages_now

ARCHIVE = "kit.a"

Commands = list[list[str]]
"""Commands, each as its words, one after the other."""


@dataclass(frozen=True, slots=True)
class Building:
    """What a build may use on the portal: about four times what a program takes that includes half of the library
    (tests/sandbox/honest), on a machine with other work to do."""

    seconds: float = 30.0  # by the wall clock
    cpu_seconds: float = 10.0  # of each process
    memory_mb: int = 256  # of all its processes, including the files that it writes


@dataclass(frozen=True, slots=True)
class Jailed:
    """What the sandbox has to know about a language. `product` is the file that a build leaves, or the source itself
    where nothing is built."""

    product: str
    command: tuple[str, ...]  # starts the bot
    policy: str  # which system calls it may make: a name in submissions.sandbox.policy
    memory_floor: int  # bytes, measured: with less, a bot does not reliably play a game
    threads: int = 1  # started by the runtime itself
    check: tuple[str, ...] = ()  # checks the source's syntax, and takes its name last; only where nothing is built
    checks_all: bool = False  # takes the names of all sources at once, and only complains of those after the first
    mounts: tuple[str, ...] = ()  # where its runtime is, as patterns of paths: the bot sees these and its own files
    runtime: tuple[str, ...] = ()  # what it reads there, as patterns of paths, besides its program and their libraries
    tools: tuple[str, ...] = ()  # of the host's files, as patterns, for a build, which always sees /usr
    environment: tuple[tuple[str, str], ...] = ()
    building: Building = Building()


@dataclass(frozen=True, slots=True)
class Layout:
    """The folder in which a program of several files is built. Paths are relative to it."""

    files: Mapping[str, bytes]  # with the kit's
    entry: str
    more: tuple[str, ...]  # the other sources that are compiled, without those of a kit that becomes an archive
    folders: tuple[str, ...]  # in which sources find what they include
    main: str = ""  # the class that starts it, with its package, in languages whose programs start with one
    kit: tuple[str, ...] = ()  # the kit's files that become an archive, or that a program may do without

    def filled(self, word: str, python: str) -> str:
        path = PurePosixPath(self.entry)
        places = {"main": self.main, "main_file": self.main.replace(".", "/"), "folder": str(path.parent)}
        return word.format(source=self.entry, stem=path.stem, python=python, **places)


@dataclass(frozen=True, slots=True)
class Recipe:
    """One language. `build` is empty where nothing is built; `run` starts the bot from the same folder."""

    language: str  # the key of Game.kit_sources and Preset.languages
    title: str
    extensions: tuple[str, ...]  # lower case, with the dot; the first is the usual one
    build: tuple[str, ...]
    run: tuple[str, ...]
    programs: tuple[str, ...]  # all of them must be on the machine
    packages: str  # Debian packages that bring them
    version: tuple[str, ...]  # prints the version of the toolchain in its first line
    jailed: Jailed
    linked: tuple[str, ...] = ()  # endings of the kit files that the command names
    archived: tuple[str, ...] = ()  # compiles the linked kit files; an entry then takes from them what it does not have
    alone: str = ""  # where there are no archives: the word that leaves the kit out of a folder, {alone} in `folder`
    shebangs: tuple[str, ...] = ()  # programs that a first line `#!` may name
    dropped: bytes = b""  # what is taken out of each source before it is built, as a regular expression
    is_folded: bool = False  # its compiler looks for files as a source spells their names, or in lower case
    library: tuple[str, ...] = ()  # succeeds only with the library that bots need, which Debian packs separately
    libraries: tuple[Library, ...] = ()  # that contestants may have besides the language's own
    # For programs of several files (games.entries):
    folder: tuple[str, ...] = ()  # builds them; blank where the command for one file finds the others by itself
    module: str = ""  # starts a module of a package (%r), found in one of these folders (%r)
    main: str = ""  # what the file that starts a program has, as a regular expression; blank where no word marks it
    one_main: bool = False  # no other file with a main is compiled: it belongs to a test or a tool
    gathered: tuple[str, ...] = ()  # endings of sources of another language that are compiled too
    headers: tuple[str, ...] = ()  # endings of files that sources include
    foreign: str = ""  # a source with this regular expression is a test that needs a library, and is not compiled
    added: tuple[tuple[str, str], ...] = ()  # (path, text) of files that a build needs, for authors who have none

    def build_commands(self, source: str, kit: Sequence[str] = (), python: str = "python3") -> Commands:
        """The commands that build one source, one after the other. None where nothing is built."""
        if not self.build:
            return []
        linked = self.linked_of(kit)
        archiving = self._archiving(linked)
        return [*archiving, _filled(self.build, source, [ARCHIVE] if archiving else linked, python)]

    def folder_commands(self, layout: Layout, python: str = "python3", *, alone: bool = False) -> Commands:
        """The commands that build a program of several files. None where nothing is built."""
        if not self.build:
            return []
        archiving = self._archiving(layout.kit)
        places = {"{more}": layout.more, "{kit}": [ARCHIVE] if archiving else layout.kit}
        places["{alone}"] = [self.alone] if alone else []
        words: list[str] = []
        for word in self.folder or self.build:
            if word in places:
                words += places[word]
            elif word.endswith("{folders}"):
                words += [word.removesuffix("{folders}") + folder for folder in layout.folders]
            else:
                words.append(layout.filled(word, python))
        return [*archiving, words]

    def beside(self, paths: Collection[str]) -> Recipe:
        """The same with another name for what it builds, where files or a folder of the author's have that name."""
        tops, old = {path.partition("/")[0] for path in paths}, self.jailed.product
        if not self.build or old not in tops:
            return self
        new = next(name for number in count() if (name := f"{old}{number}") not in tops)

        def renamed(words: Sequence[str]) -> tuple[str, ...]:
            return tuple(re.sub(rf"(^|^-o|/){re.escape(old)}$", rf"\g<1>{new}", word) for word in words)

        jailed = replace(self.jailed, product=new, command=renamed(self.jailed.command))
        return replace(
            self, build=renamed(self.build), folder=renamed(self.folder), run=renamed(self.run), jailed=jailed
        )

    def in_package(self, entry: str, source: bytes, paths: Collection[str]) -> Recipe:
        """The same with a start as a module, for an entry that imports from its own package as `from .hand` or `from
        shark.hand`."""
        *folders, name = PurePosixPath(entry).with_suffix("").parts
        if not (folders and self.module):
            return self
        at = len(folders) - 1
        while at > 0 and "/".join([*folders[:at], "__init__.py"]) in paths:
            at -= 1
        package = re.escape(folders[at])
        own = rf"^[ \t]*(?:from\s+(?:\.|{package}[.\s])|import\s+{package}\.)"
        if not re.search(own, source.decode("utf-8", "replace"), re.MULTILINE):
            return self
        places = ["/".join(folders[:at]) or ".", "/".join(folders)]
        words = ("-c", self.module % (places, ".".join([*folders[at:], name])))
        jailed = replace(self.jailed, command=(*self.jailed.command[:-1], *words))
        return replace(self, run=(*self.run[:-1], *words), jailed=jailed)

    def attempts(self, source: str, kit: Sequence[str] = (), python: str = "python3") -> list[Commands]:
        """The ways to build one source, the first of which that succeeds counts.

        Without archives, an entry that compiles alone is built so, and may use the kit's names for something else."""
        alone = [self.build_commands(source, (), python)] if self.alone and self.linked_of(kit) else []
        return [*alone, self.build_commands(source, kit, python)]

    def folder_attempts(self, layout: Layout, python: str = "python3") -> list[Commands]:
        """The same for a program of several files."""
        alone = [self.folder_commands(layout, python, alone=True)] if self.alone and layout.kit else []
        ways = [*alone, self.folder_commands(layout, python)]
        if gathered := [path for path in layout.more if path.lower().endswith(self.gathered or ("\0",))]:  # C as C
            own = [path for path in layout.more if path not in gathered]
            more = (*own, "-x", "c", *gathered, "-x", "none")
            ways.append(self.folder_commands(replace(layout, more=more), python))
        return ways

    def linked_of(self, kit: Sequence[str]) -> list[str]:
        """Those of a kit's files that the command names."""
        return [name for name in kit if name.endswith(self.linked or ("\0",))]

    def _archiving(self, linked: Sequence[str]) -> Commands:
        """The commands that make an archive of a kit. The linker takes from it only what the entry does not define, so
        an entry may have a `main` of its own."""
        if not self.archived or not linked:
            return []
        objects = [f"{PurePosixPath(name).stem}.o" for name in linked]
        return [[*self.archived, *linked], ["ar", "rcs", ARCHIVE, *objects]]

    def run_command(self, source: str, python: str = "python3") -> list[str]:
        return _filled(self.run, source, [], python)

    def missing(self, path: str | None = None) -> list[str]:
        """Return what is missing on that search path, or on the user's own: programs, or else the library."""
        missing = [program for program in self.programs if shutil.which(program, path=path) is None]
        if not missing and self.library and not _succeeds(self.library, path, packages_now()):
            return [f"the library of {self.programs[0]}"]
        return missing


@lru_cache(maxsize=128)
def _succeeds(command: tuple[str, ...], path: str | None, now: tuple[int, ...]) -> bool:
    program = shutil.which(command[0], path=path)
    environment = {**os.environ, "PATH": path} if path is not None else None
    try:
        done = subprocess.run(
            [program or command[0], *command[1:]],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _filled(template: Sequence[str], source: str, kit: list[str], python: str) -> list[str]:
    words: list[str] = []
    for word in template:
        if word == "{kit}":
            words += kit
        else:
            path = PurePosixPath(source)
            words.append(word.format(source=source, stem=path.stem, beside=path.parent, python=python))
    return words
