"""Starter kits: one zip for each language, and one with everything.

A kit holds the game's files for that language, the rules, a README with the commands that the portal builds and runs
with (games.toolchains), and `kibitz.pyz`. That is this package in one file for Python 3.11, so contestants can play
against the house players with the referee of the contest. The same tree gives the same bytes.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from games import HERE, PACKAGE_OF
from games.engine import Game, OptionError
from games.phrases import listed
from games.recipe import Recipe
from games.toolchains import RECIPES, recognise

ALL = "all"
"""The name of the kit with all languages."""

_EPOCH = (1998, 3, 14, 0, 0, 0)  # not the date of any file, so the bytes do not depend on it
_MAIN = """\
import sys

if sys.version_info < (3, 11):  # every Python since 2.6 can read this file
    sys.exit(
        "kibitz needs Python 3.11 or newer, and this is Python %d.%d (%s).\\nInstall a newer one from "
        "https://www.python.org/downloads/, and start kibitz with it, for example: python3.11 %s"
        % (sys.version_info[0], sys.version_info[1], sys.executable, " ".join(sys.argv))
    )

try:
    from games.__main__ import main
except KeyboardInterrupt:
    sys.exit(130)
sys.exit(main())
"""
_SETTING = "import os\n\nos.environ['KIBITZ_GAMES'] = {names!r}\n"
_PAGES = (".html", ".css")
"""Endings of the files that draw a game's table on pages. The command line has no use for them."""
_PROOFS = "plain"
"""The folder of the programs by which a portal proves that a game can be played in a language."""

_REMOTE = "remote"
"""The folder of kits for languages that the portal does not run: programs in them connect from elsewhere. Each has a
folder with its files and `kit.md`, its part of the README."""
_PART = "kit.md"


def kit_names(game: Game) -> tuple[str, ...]:
    """Return the names of a game's kits: its languages (games.toolchains), and `all`. Empty when it has none."""
    languages = tuple(language for language in RECIPES if language in game.kit_sources)
    return (*languages, ALL) if languages else ()


def kit_title(name: str) -> str:
    """Return the title of a kit: that of its language."""
    return "All languages" if name == ALL else RECIPES[name].title


def remote_kits(game: Game) -> dict[str, str]:
    """Return the titles of a game's kits for programs that only connect from elsewhere, by name."""
    folder = game.folder / _REMOTE
    names = sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []
    return {name: _remote_section(game, name).split("\n")[0].removeprefix("## ") for name in names}


def _remote_section(game: Game, name: str) -> str:
    return (game.folder / _REMOTE / name / _PART).read_text(encoding="utf-8")


def kit_files(game: Game, language: str) -> tuple[str, ...]:
    """Return the files of a language's kit: the library first, then the starting points."""
    library = game.kit_sources[language]
    recipe = RECIPES[language]
    own = (path.name for path in (game.folder / "kit").iterdir() if recognise(path.name) is recipe)
    return (*library, *sorted(set(own) - set(library)))


def _shared(game: Game) -> list[str]:
    """Return the files of a game's `kit/` that belong to no language, such as sample input. Every kit has them."""
    claimed = {file for library in game.kit_sources.values() for file in library}
    names = (path.name for path in (game.folder / "kit").iterdir() if path.is_file())
    return sorted(name for name in names if name not in claimed and recognise(name) is None)


def kit_zip(game: Game, name: str) -> bytes:
    """Return a kit as a zip. Everything in it is in one folder. Raises OptionError when the game has no such kit."""
    names, remote = kit_names(game), tuple(remote_kits(game))
    if name not in (*names, *remote):
        raise OptionError(f"{game.title} has no kit {name!r}: it has {', '.join(names + remote) or 'none'}")
    languages = names[:-1] if name == ALL else tuple(it for it in names if it == name)
    remote = tuple(it for it in remote if name in (it, ALL))
    contents = {file: (game.folder / "kit" / file).read_bytes() for each in languages for file in kit_files(game, each)}
    contents |= {file: (game.folder / "kit" / file).read_bytes() for file in _shared(game)}
    folders = [game.folder / _REMOTE / it for it in remote]
    contents |= {file.name: file.read_bytes() for it in folders for file in it.iterdir() if file.name != _PART}
    contents["README.md"] = readme(game, languages, remote).encode("utf-8")
    contents["rules.md"] = game.rules_text().encode("utf-8")
    contents["kibitz.pyz"] = kibitz_pyz()
    if languages:
        contents[".devcontainer/devcontainer.json"] = dev_container(game, languages).encode("utf-8")
    return zipped({f"{game.slug}-{name}/{file}": data for file, data in contents.items()})


def dev_container(game: Game, languages: Sequence[str]) -> str:
    """Return the description of a container with the portal's compilers, for editors that open folders in one
    (https://containers.dev)."""
    of_languages = [package for it in languages for package in RECIPES[it].packages.split()]
    packages = dict.fromkeys(["python3", "unzip", *of_languages])
    install = "apt-get install -y --no-install-recommends"
    description = {
        "name": f"{game.title}, {languages[0] if len(languages) == 1 else 'all languages'}",
        "image": "debian:bookworm",
        "onCreateCommand": f"apt-get update && {install} {' '.join(packages)}",
        "remoteUser": "root",
    }
    return json.dumps(description, indent=2) + "\n"


def kibitz_pyz() -> bytes:
    """Return the package `games` as a Python zip application, with the games that live outside it."""
    return zip_application(tuple(package for package in PACKAGE_OF.values() if package not in HERE))


@cache
def zip_application(elsewhere: tuple[str, ...]) -> bytes:
    contents: dict[str, bytes] = {}
    for package in ("games", *elsewhere):
        folder = package.replace(".", "/")
        contents |= {f"{folder}/{path}": data for path, data in walk(files(package))}
    setting = _SETTING.format(names=",".join(elsewhere)) if elsewhere else ""
    return b"#!/usr/bin/env python3\n" + zipped({"__main__.py": (setting + _MAIN).encode("ascii"), **contents})


def walk(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    """Yield path and contents of every file of a package below a folder that programs need."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.startswith((".", "__pycache__")) or entry.name.endswith((".pyc", *_PAGES)):
            continue
        if entry.is_dir() and entry.name != _PROOFS:
            yield from walk(entry, f"{prefix}{entry.name}/")
        elif entry.is_file():
            yield prefix + entry.name, entry.read_bytes()


def zipped(contents: dict[str, bytes]) -> bytes:
    """A ZIP of these files by path, with the same bytes every time."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name in sorted(contents):
            info = ZipInfo(name, _EPOCH)
            info.compress_type = ZIP_DEFLATED
            info.create_system = 3  # Unix, wherever this runs
            info.external_attr = (0o755 if name.endswith(".pyz") else 0o644) << 16
            archive.writestr(info, contents[name])
    return buffer.getvalue()


# --- the README -------------------------------------------------------------------------------------------------------


def example(game: Game, language: str) -> str:
    """Return the player of a kit that the README plays with: the random one."""
    starters = kit_files(game, language)[len(game.kit_sources[language]) :]
    return next((file for file in starters if file.lower().startswith("random")), starters[0])


def play_commands(game: Game, language: str) -> tuple[list[str], list[str]]:
    """Return two command lines to be run in the unpacked kit: play a game against the house players, and look at it."""
    opponents = [f"house:{house.name}" for house in game.house[1 : game.seats[0]]] or ["house:random"]
    opponents = opponents[: game.seats[0] - 1]
    play = ["python3", "kibitz.pyz", "play", game.slug, example(game, language), *opponents]
    games = ["--games", "20"] if game.seats == (1, 1) else []
    return [*play, *games, "--seed", "1211", "--record", "game.json"], ["python3", "kibitz.pyz", "show", "game.json"]


def readme(game: Game, languages: tuple[str, ...], remote: tuple[str, ...] = ()) -> str:
    """Return the README of a kit. `remote`: of these kits, too."""
    remotes = remote_kits(game)
    titles = listed([RECIPES[language].title for language in languages] + [remotes[name] for name in remote])
    first = _first_game(game, languages) if languages else _unpacking(game, remote)
    parts = [f"# {game.title}: starter kit for {titles}\n", first, _FILES]
    parts += [_section(game, RECIPES[language]) for language in languages]
    parts += [_remote_section(game, name) for name in remote]
    if languages:
        parts += [_extra(game, "kit.md", example(game, languages[0])), _upload(game, languages[0])]
    parts.append(_opponents(game))
    return "\n".join(part for part in parts if part)


def _extra(game: Game, file: str, mine: str) -> str:
    """Return what a game itself adds to a README: `kit.md`, and `kit-c.md` in the section on C. Blank where it adds
    nothing.

    `MINE` in it stands for the player of the kit.
    """
    path = game.folder / file
    return path.read_text(encoding="utf-8").replace("MINE", mine) if path.is_file() else ""


def _first_game(game: Game, languages: Sequence[str]) -> str:
    name = f"{game.slug}-{ALL if len(languages) > 1 else languages[0]}"
    play, _ = play_commands(game, languages[0])
    tools = f" and the tools for {RECIPES[languages[0]].title} (below)" if _packages(RECIPES[languages[0]]) else ""
    return f"""\
Two commands lead from the download to your first game: `python3 -m zipfile -e {name}.zip .` and then, in the folder
`{name}`, `{shlex.join(play)}`.

It works on Linux, macOS and Windows, with Python 3.11 or newer{tools}.
Where Python is called `python` or `py`, write that instead of `python3`. The folder `.devcontainer` is for editors that
can work in a container: there they have the portal's own compilers.
"""


def _unpacking(game: Game, remote: Sequence[str]) -> str:
    name = f"{game.slug}-{remote[0]}"
    return f"""\
Unpack it with `python3 -m zipfile -e {name}.zip .` into the folder `{name}`. Where Python is called `python` or `py`,
write that instead of `python3`.
"""


_FILES = """\
- `rules.md`: the rules of the game, the protocol, the limits and the faults. Read this first.
- `kibitz.pyz`: the referee of the contest and the house players, in one file. It needs Python 3.11 or newer and nothing
  else. `python3 kibitz.pyz --help` lists what it can do.

Run all commands below in the folder that holds this file.
"""


def _section(game: Game, recipe: Recipe) -> str:
    language, connects, is_alone = recipe.language, game.protocol == "socket", game.seats == (1, 1)
    library = game.kit_sources[language]
    starters = [file for file in kit_files(game, language) if file not in library]
    mine = example(game, language)
    play, show = play_commands(game, language)
    build = recipe.build_commands(mine, library)
    yours = listed(_quoted(starters), "or")
    kept = ""
    if library:
        ours = listed(_quoted(library))
        kept = f"\nThe portal builds with its own copy of {ours}: what you change there has no effect in the contest."
    subject = "20 games, then look at them" if is_alone else "a game against the house players, then look at it"
    lines = [
        f"## {recipe.title}\n",
        f"Your player is one source file. Start from {yours}.{kept}\n",
        *_tools(recipe),
        f"Play {subject} {game.trick_word} by {game.trick_word}:\n",
        f"    {shlex.join(play)}\n    {shlex.join(show)}\n",
        "The first command builds and runs your player with the same commands as the portal:\n",
        *(f"    {shlex.join(command)}" for command in build),
        f"    {shlex.join(recipe.run_command(mine))}{' HOST PORT' if connects else ''}\n",
        *_help(game, recipe, mine),
        "On your own machine nothing restricts your player. The portal runs it in a sandbox: there, too much memory,\n"
        f"or any use of files or {'other servers' if connects else 'the network'} is a fault.\n",
    ]
    return "\n".join([*lines, _extra(game, f"kit-{language}.md", mine)]).rstrip("\n") + "\n"


def _packages(recipe: Recipe) -> str:
    """The Debian packages of a language, besides that of Python, with which `kibitz.pyz` itself runs."""
    return " ".join(package for package in recipe.packages.split() if package != "python3")


def _tools(recipe: Recipe) -> Iterator[str]:
    """How the tools of a language are installed."""
    if packages := _packages(recipe):
        yield f"To install the tools for {recipe.title} on Debian or Ubuntu, run this as root:"
        yield f"`apt-get install --no-install-recommends {packages}`\n"


def _help(game: Game, recipe: Recipe, mine: str) -> Iterator[str]:
    """What to do when something is wrong."""
    doctor = ["python3", "kibitz.pyz", "doctor", game.slug, mine]
    yield f"{_DOCTOR}    {shlex.join(doctor)}\n"
    if command := sanitized(game, recipe, mine):
        yield f"{_SANITIZERS.format(mine=mine)}    {shlex.join(command)}\n"


_DOCTOR = """\
If something goes wrong, ask the doctor. It plays the worked example of the game's document with your player, and says
in plain words what it sees:

"""
_SANITIZERS = """\
Build it with the sanitizers to find errors with memory and arithmetic. Then play with `./checked` in place of `{mine}`:
they print what they find, with file and line.

"""
SANITIZED = {"c": ("gcc", "-std=gnu17", "-lm"), "cpp": ("g++", "-std=gnu++17")}


def sanitized(game: Game, recipe: Recipe, mine: str) -> list[str]:
    """Return the command that builds a player with the sanitizers. Empty where the language has none, or the game's own
    words in the README have it."""
    if recipe.language not in SANITIZED or "-fsanitize" in _extra(game, f"kit-{recipe.language}.md", mine):
        return []
    compiler, standard, *libraries = SANITIZED[recipe.language]
    linked = recipe.linked_of(game.kit_sources[recipe.language])
    flags = ["-g", "-fsanitize=address,undefined"]
    return [compiler, standard, *flags, "-o", "checked", mine, *linked, *libraries]


def _upload(game: Game, language: str) -> str:
    mine = shlex.quote(example(game, language))
    return f"""\
## Upload

Upload your player on the contest's page, or from here. Make a token on your account page of the portal and log in once
with `python3 kibitz.pyz login https://PORTAL`. Then `python3 kibitz.pyz submit {mine} --wait` uploads your player and
tells you whether it is ready, or why it was rejected. Where the contest takes several files, name them all, their
folder, or an archive of them, here and after `play`.
"""


def _opponents(game: Game) -> str:
    lines = ["## House players\n", "From the weakest to the strongest:\n"]
    lines += [f"- `house:{house.name}` ({house.skill}): {house.about}" for house in game.house]
    return "\n".join(lines) + "\n"


def _quoted(names: Iterable[str]) -> list[str]:
    return [f"`{name}`" for name in names]
