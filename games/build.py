"""Bots for the command line: what `BOT` means there, and a cache of what was built.

Nothing is confined here: people run their own bots on their own machine. The portal builds in its sandbox, with the
same commands (games.toolchains), and Linux runs them as they are. macOS cannot link statically. Windows has no `env`,
and its programs end in `.exe`. Some systems give an interpreter another name.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from games import entries, explaining, local_folders
from games.compiled import name_of, single, unreadable
from games.engine import Game, OptionError
from games.entries import EntryError
from games.phrases import listed
from games.players import PROTOCOLS, HousePlayer, Seated
from games.programs import LocalProgram
from games.recipe import Commands, Recipe
from games.toolchains import RECIPES, recognise

HOUSE = "house:"
SYSTEM = sys.platform
STATIC = ("-static", "-optl-static")
PRODUCTS = {"bot": "bot.exe", "-obot": "-obot.exe", "./bot": "./bot.exe"}
OTHER_NAMES = {"lua5.4": ("lua", "lua54"), "python3": ("python", "py"), "tclsh": ("tclsh8.6", "tclsh86", "tclsh90")}
SETTING = re.compile(r"[A-Z]\w*=.*")


class BuildError(OptionError):
    """An entry that does not build. `log` is the output of the compiler."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message)
        self.log = log


def seated(game: Game, bot: str) -> Seated:
    """Return a player named on the command line: a source file, a folder or an archive (built first), an executable,
    `house:NAME` or `random`.

    Raises OptionError with a text for people.
    """
    if bot == "random":
        bot = HOUSE + "random"
    if bot.startswith(HOUSE):
        return house_seated(game, bot.removeprefix(HOUSE))
    path = Path(bot.encode("utf-8", "replace").decode())  # a name that a file system alone can write
    return Seated(path.stem, path.name, PROTOCOLS[game.protocol](program_of(game, bot)))


def program_of(game: Game, bot: str, arguments: Sequence[str] = ()) -> LocalProgram:
    """Return the program of a source file, a folder or an archive (built first) or an executable, to be started with
    these arguments.

    Raises OptionError with a text for people.
    """
    path = Path(bot)
    if local_folders.is_folder(path):
        return build_folder(game, path, arguments)
    if not path.is_file():
        raise OptionError(f"there is no file {bot}" if not path.exists() else f"{bot} is not a file")
    try:
        head = b"" if os.access(path, os.X_OK) else path.open("rb").read(256)
    except OSError as error:
        raise OptionError(f"cannot read {bot}: {error.strerror}") from None
    if (recipe := recognise(path.name, head)) is not None:
        return build(game, recipe, path, arguments)
    if os.access(path, os.X_OK):
        return LocalProgram([str(path.absolute()), *arguments])
    if said := entries.advice(path.name):
        raise OptionError(said)
    known = " ".join(extension for recipe in RECIPES.values() for extension in recipe.extensions)
    raise OptionError(f"{bot} is neither an executable nor a source file with a known extension ({known})")


class Source(NamedTuple):
    """Whose words a program's errors are: `games.explaining` needs both."""

    language: str = ""  # of its entry; blank where nobody knows
    names: Mapping[str, str] = MappingProxyType({})  # from the name in messages to the author's own


def source_of(game: Game, bot: str) -> Source:
    """What is known about a program that `program_of` starts."""
    path = Path(bot)
    if local_folders.is_folder(path):
        files = local_folders.read(path).files
        return Source(_entry(game, files).recipe.language, {name: name for name in files})
    recipe = recognise(path.name)
    if recipe is None:
        return Source()
    name = name_of(recipe, path.name, path.read_bytes(), game.kit_sources.get(recipe.language, ()))
    return Source(recipe.language, {name: path.name})


def _entry(game: Game, files: Mapping[str, bytes]) -> entries.Entry:
    return entries.find(files, kit={name for names in game.kit_sources.values() for name in names})


def house_seated(game: Game, name: str) -> Seated:
    """Return the house player of that name. Raises OptionError."""
    house = game.house_player(name)
    return Seated(house.title or name, HOUSE + name, HousePlayer(house))


def build(game: Game, recipe: Recipe, source: Path, arguments: Sequence[str] = ()) -> LocalProgram:
    """Return the program of a source file, built with the game's kit unless the cache has it. Raises BuildError."""
    kit = game.kit_sources.get(recipe.language, ())
    if source.name in kit:
        raise BuildError(f"{source.name} is a file of the kit: give your own file another name")
    contents = {name: (game.folder / "kit" / name).read_bytes() for name in kit}
    data = source.read_bytes()
    if problem := unreadable(data, source.name):
        raise BuildError(problem)
    name = name_of(recipe, source.name, data, kit)
    contents[name] = single(recipe, data, name)
    attempts = recipe.attempts(name, kit, sys.executable)
    return _program(recipe, name, attempts, contents, arguments, {name: source.name})


def build_folder(game: Game, path: Path, arguments: Sequence[str] = ()) -> LocalProgram:
    """Return the program of a folder or an archive, as the portal would build it. Raises OptionError."""
    try:
        folder = local_folders.read(path)
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror}") from None
    files, found, problems = folder.files, None, list[str]()
    try:
        found = _entry(game, files)
    except EntryError as error:
        problems = [str(error)]
    refused, told = entries.not_texts(files, found)
    print("".join(f"{said}\n" for said in [*folder.notices(), *told]), end="", file=sys.stderr)
    if found is None or refused:
        raise BuildError(" ".join([*problems, *refused]))
    kit = {name: (game.folder / "kit" / name).read_bytes() for name in game.kit_sources.get(found.recipe.language, ())}
    recipe = found.recipe.beside(files).in_package(found.path, files[found.path], files)
    layout = entries.laid_out(recipe, files, found.path, kit)
    attempts = recipe.folder_attempts(layout, sys.executable)
    return _program(recipe, layout.entry, attempts, dict(layout.files), arguments)


def _program(
    recipe: Recipe,
    entry: str,
    attempts: list[Commands],
    contents: dict[str, bytes],
    arguments: Sequence[str],
    names: Mapping[str, str] | None = None,
) -> LocalProgram:
    """`names`: what the author calls files that are built under other names."""
    words = [word for commands in attempts for command in commands for word in command]
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = base / "kibitz" / "builds" / _key([recipe.language, *words, _compiler(recipe, words)], contents)
    if not folder.is_dir():
        _build(recipe, entry, attempts, contents, folder, names or {})
    run = adapted(recipe.run_command(entry, sys.executable)).words
    if not os.path.dirname(run[0]) and shutil.which(run[0]) is None:
        raise BuildError(_unmet(recipe, run))
    started = str(folder / run[0]) if run[0].startswith("./") else run[0]
    return LocalProgram([started, *run[1:], *arguments], folder)


def _build(
    recipe: Recipe,
    name: str,
    attempts: list[Commands],
    contents: dict[str, bytes],
    folder: Path,
    names: Mapping[str, str],
) -> None:
    """Build in a temporary folder, which gets its final name only when it is complete."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="new-", ignore_cleanup_errors=True) as temporary:
        work = Path(temporary) / "build"
        work.mkdir()
        for file, data in contents.items():
            (work / file).parent.mkdir(parents=True, exist_ok=True)
            (work / file).write_bytes(data)
        failed: list[str] = []
        for commands in attempts:
            failed, log = _run(commands, work)
            if not failed:
                break
        if failed:
            found = explaining.build(recipe.language, log, {path: names.get(path, path) for path in contents})
            said = f"{names.get(name, name)} does not build{f': {found.sentence}' if found else ''}"
            more = [f"command: {' '.join(failed)}", *([found.advice] if found and found.advice else [])]
            raise BuildError("\n".join((said, *more)), log)
        try:
            work.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process has just built the same
                raise


def _run(commands: Commands, folder: Path) -> tuple[list[str], str]:
    """Run one command after the other. Returns the one that failed, if one did, and what it said."""
    for command in commands:
        words, settings = adapted(command)
        env, null = {**os.environ, **settings}, subprocess.DEVNULL
        result = subprocess.run(words, cwd=folder, env=env, stdin=null, capture_output=True, check=False)
        if result.returncode:
            return words, (result.stdout + result.stderr).decode("utf-8", "backslashreplace")
    return [], ""


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


def _unmet(recipe: Recipe, words: Sequence[str]) -> str:
    """Say what a language lacks on this machine to run that command, and what installs it. Blank if nothing."""
    if SYSTEM == "linux":
        lacking = recipe.missing()
    else:  # its libraries lie elsewhere
        wanted = dict.fromkeys([*recipe.programs, *words[:1]])
        lacking = [name for name in wanted if not os.path.dirname(name) and shutil.which(_named(name)) is None]
    if not lacking:
        return ""
    are, them = ("is", "it") if len(lacking) == 1 else ("are", "them")
    advice = f". On Debian and Ubuntu, run as root: apt-get install {recipe.packages}" if SYSTEM == "linux" else ""
    return f"{listed(lacking)} {are} not installed, and {recipe.title} needs {them}{advice}"


def _compiler(recipe: Recipe, command: list[str]) -> str:
    """Identify the compiler, so that a changed compiler causes a new build."""
    if not command:
        return ""
    if said := _unmet(recipe, adapted(command).words):
        raise BuildError(said)
    about = []
    for program in recipe.programs:
        resolved = Path(shutil.which(program) or program).resolve()
        about.append(f"{resolved} {resolved.stat().st_size} {resolved.stat().st_mtime_ns}")
    return "\n".join(about)


def _key(words: list[str], contents: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for part in [*map(str.encode, words), *(part for name, data in contents.items() for part in (name.encode(), data))]:
        digest.update(b"%d:" % len(part) + part)
    return digest.hexdigest()[:32]
