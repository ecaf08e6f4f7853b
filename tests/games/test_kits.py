"""The zips of the starter kits: their contents, and that every command in their README works."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from games import GAMES
from games.engine import Game
from games.kits import (
    ALL,
    example,
    kibitz_pyz,
    kit_files,
    kit_names,
    kit_zip,
    play_commands,
    readme,
    sanitized,
    zip_application,
)
from games.toolchains import RECIPES
from tests.games.workshop import GAME, KIT, LANGUAGES, few, needs, rules_blocks

ROOT = Path(__file__).parent.parent.parent


def unpacked(name: str, folder: Path) -> Path:
    with ZipFile(BytesIO(kit_zip(GAME, name))) as archive:
        assert archive.testzip() is None
        archive.extractall(folder)
    (inside,) = folder.iterdir()
    assert inside.name == f"tricky_eights-{name}"
    return inside


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_there_is_a_kit_for_each_language_with_two_players_beside_its_library(game: Game) -> None:
    assert kit_names(game) == (*RECIPES, ALL)
    for language, library in game.kit_sources.items():
        assert len(set(kit_files(game, language)) - set(library)) == 2
        assert example(game, language).lower().startswith("random")
    assert play_commands(game, "c")[0][2:5] == ["play", game.slug, "random.c"]


WARNINGS = ["-Wall", "-Wextra", "-pedantic"]


@pytest.mark.parametrize("language", few(["c", "cpp", "pascal"]))
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_they_compile_without_a_warning(game: Game, language: str, tmp_path: Path) -> None:
    needs(language)
    library = game.kit_sources[language]
    for file in kit_files(game, language):
        shutil.copy(game.folder / "kit" / file, tmp_path)
    for name in sorted(set(kit_files(game, language)) - set(library)):
        for command in RECIPES[language].build_commands(name, library):
            flags = {"fpc": ["-vewn"], "ar": []}.get(command[0], WARNINGS)
            done = run([command[0], *flags, *command[1:]], tmp_path, tmp_path)
            assert done.returncode == 0
            said = re.sub(r".* marked as inline is not inlined|1 note\(s\) issued", "", done.stdout + done.stderr)
            assert not re.search("warning|note:|error", said, re.IGNORECASE), said


@pytest.mark.parametrize("name", ["c", pytest.param(ALL, marks=pytest.mark.long("kits"))])
def test_a_kit_has_the_same_bytes_every_time(name: str) -> None:
    first = kit_zip(GAME, name)
    zip_application.cache_clear()
    assert kit_zip(GAME, name) == first


def test_what_a_kit_holds(tmp_path: Path) -> None:
    common = {"README.md", "rules.md", "kibitz.pyz", ".devcontainer"}
    library = {"acm98.h", "acm98.c", "acm98.cpp"}
    assert {path.name for path in unpacked("cpp", tmp_path / "cpp").iterdir()} == common | library | {
        "shell.cpp",
        "random.cpp",
    }
    everything = {path.name for path in unpacked(ALL, tmp_path / "all").iterdir()}
    assert everything == common | {path.name for path in KIT.iterdir() if path.is_file()}


def test_the_application_in_it_has_the_package_and_nothing_else() -> None:
    with ZipFile(BytesIO(kibitz_pyz())) as archive:
        names = archive.namelist()
    assert {"__main__.py", "games/engine.py", "games/tricky_eights/rules.md", "games/tricky_eights/kit/acm98.h"} <= set(
        names
    )
    assert all(name == "__main__.py" or name.startswith("games/") for name in names)
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


def run(command: list[str], folder: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of a kit where nothing of this tree can be found."""
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}
    if (toolchains := Path(os.environ.get("RUSTUP_HOME", Path.home() / ".rustup"))).is_dir():
        env["RUSTUP_HOME"] = str(toolchains)
    return subprocess.run(
        command, cwd=folder, env=env, input="", capture_output=True, text=True, timeout=120, check=False
    )


def commands_of(text: str) -> list[list[str]]:
    """The command lines of a README: lines indented by four."""
    return [shlex.split(line) for line in text.splitlines() if line.startswith("    ")]


@pytest.mark.long("kits")
@pytest.mark.parametrize("name", [*LANGUAGES, ALL])
def test_the_readme_of_an_unpacked_kit_tells_the_truth(name: str, tmp_path: Path) -> None:
    """Every command in it but the doctor, in an empty folder, where nothing of this tree can be found."""
    languages = LANGUAGES if name == ALL else [name]
    folder = unpacked(name, tmp_path / "kit")
    text = (folder / "README.md").read_text()
    commands = commands_of(text)
    building = [RECIPES[it].build_commands(example(GAME, it), GAME.kit_sources[it]) for it in languages]
    checked = [bool(sanitized(GAME, RECIPES[it], example(GAME, it))) for it in languages]
    assert len(commands) == sum(4 + len(it) for it in building) + sum(checked) + 1
    first = languages[0]  # the others of `all` are run in kits of their own
    needs(first)
    for command in [*commands[: 4 + len(building[0]) + checked[0]], commands[-1]]:
        if "doctor" in command:  # one for each protocol is enough: those of every game's kit for C, below
            continue
        if command[0] == "python3":
            command[0] = sys.executable
        done = run(command, folder, tmp_path)
        assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout}{done.stderr}"
        if "play" in command:
            assert (folder / "game.json").is_file()
        if "show" in command:
            assert f"({example(GAME, first)})" in done.stdout


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_java_is_built_in_every_locale(game: Game) -> None:
    """Until version 18 the compiler follows the locale, and refuses letters beyond ASCII in the C locale."""
    for path in (game.folder / "kit").glob("*.java"):
        assert path.read_bytes().isascii(), path.name


@pytest.mark.long("kits")
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_every_command_line_in_the_readme_of_every_game_works(game: Game, tmp_path: Path) -> None:
    """As a contestant types them, in the kit for C; except bots that need a server or a question."""
    with ZipFile(BytesIO(kit_zip(game, "c"))) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / f"{game.slug}-c"
    lines = [line.strip() for line in (folder / "README.md").read_text().splitlines() if line.startswith("    ")]
    env = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    for line in lines:
        if line.startswith("./"):
            continue
        done = subprocess.run(
            line, shell=True, cwd=folder, env=env, input="", capture_output=True, text=True, timeout=120, check=False
        )
        lost = game.seats == (1, 1) and "kibitz.pyz" in line  # the random player is judged wrong
        assert done.returncode in ((0, 1) if lost else (0,)), f"{line}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr
    text = "\n".join(lines)
    assert ("kibitz.pyz dealer random.c < sample.in" in text) == (game.slug == "even_steven")
    assert ("intensity_referee random.c" in text and "echo 3 | ./intensity" in text) == (game.slug == "intensity")


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_two_commands_lead_from_the_download_to_the_first_game(game: Game, tmp_path: Path) -> None:
    """As the README says, in an empty folder that holds nothing but the downloaded file."""
    (tmp_path / f"{game.slug}-python.zip").write_bytes(kit_zip(game, "python"))
    text = readme(game, ("python",))
    unpack, name, play_line = re.findall(r"`([^`]+)`", " ".join(text.split("\n\n")[1].split()))
    assert run([sys.executable, *shlex.split(unpack)[1:]], tmp_path, tmp_path).returncode == 0
    done = run([sys.executable, *shlex.split(play_line)[1:]], tmp_path / name, tmp_path)
    assert done.returncode in ((0, 1) if game.seats == (1, 1) else (0,)), done.stderr
    assert (tmp_path / name / "game.json").is_file()


@pytest.mark.long("kits")
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_a_kit_opens_in_a_container_with_the_portals_compilers(game: Game) -> None:
    for name in kit_names(game):
        with ZipFile(BytesIO(kit_zip(game, name))) as archive:
            description = json.loads(archive.read(f"{game.slug}-{name}/.devcontainer/devcontainer.json"))
        assert set(description) == {"name", "image", "onCreateCommand", "remoteUser"}
        _, _, packages = description["onCreateCommand"].partition("--no-install-recommends ")
        languages = [it for it in kit_names(game) if it != ALL] if name == ALL else [name]
        wanted = {package for it in languages for package in RECIPES[it].packages.split()}
        assert set(packages.split()) == {"python3", "unzip", *wanted}
        assert len(packages.split()) == len(set(packages.split()))
    if shutil.which("apt-cache") is None:
        pytest.skip("apt-cache is not installed (it knows which packages Debian has)")
    known = subprocess.run(["apt-cache", "--names-only", "search", "."], capture_output=True, text=True, check=False)
    names = {line.split(" ", 1)[0] for line in known.stdout.splitlines()}
    if "python3" not in names:
        pytest.skip("apt-cache has no lists (apt-get update)")
    assert set(packages.split()) <= names


@pytest.mark.long("kits")
def test_the_commands_on_the_page_for_contestants_work(tmp_path: Path) -> None:
    needs("cpp")
    folder = unpacked("cpp", tmp_path / "kit")
    (folder / "mine.cpp").write_bytes((folder / "random.cpp").read_bytes())
    page = (ROOT / "docs/bots.md").read_text().replace("GAME", GAME.slug).replace("house:NAME", "house:random")
    lines = [line.strip() for line in page.splitlines() if line.startswith("    ") and " kibitz.pyz " in line]
    elsewhere = ("submit", "compare")  # need a portal, or minutes, and have tests of their own
    lines = [line for line in lines if shlex.split(line)[2] not in elsewhere]
    assert len(lines) == 7
    for line in lines:
        done = run([sys.executable, *shlex.split(line)[1:]], folder, tmp_path)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        if "play" in line and (folder / "game.json").is_file():
            (folder / "game.json").replace(folder / "record.json")
            (folder / "game.json").write_bytes((folder / "record.json").read_bytes())


@pytest.mark.long("kits")
def test_the_commands_on_the_rules_page_work(tmp_path: Path) -> None:
    needs("cpp")
    folder = unpacked("cpp", tmp_path / "kit")
    lines = [line for block in rules_blocks("python3 ") for line in block.splitlines()]
    assert len(lines) == 3
    for line in lines:
        command = [sys.executable, *shlex.split(line)[1:]]
        done = run(command, folder, tmp_path)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    assert "starthand" in (folder / "te.log").read_text()
