import os
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest

from games import GAMES
from games.recipe import Layout
from games.toolchains import RECIPES


def test_only_what_can_be_linked_is_named_in_the_command() -> None:
    kit = ("acm98.h", "acm98.c")
    assert RECIPES["c"].build_commands("my bot.c", kit) == [
        ["gcc", "-std=gnu17", "-O2", "-c", "acm98.c"],
        ["ar", "rcs", "kit.a", "acm98.o"],
        ["gcc", "-std=gnu17", "-O2", "-static", "-o", "bot", "my bot.c", "kit.a", "-lm"],
    ]
    assert len(RECIPES["c"].build_commands("bot.c", ("steven.h",))) == 1, "it has nothing to link"
    assert "acm98.pas" not in RECIPES["pascal"].build_commands("bot.pas", ("acm98.pas",))[0]


def test_go_is_tried_without_the_kit_first() -> None:
    """It has no archives, and an entry without the kit may use the kit's names for something else."""
    alone, with_kit = RECIPES["go"].attempts("bot.go", ("barracuda.go",))
    assert (alone[0][-1], with_kit[0][-2:]) == ("bot.go", ["bot.go", "barracuda.go"])
    assert len(RECIPES["go"].attempts("bot.go")) == 1
    layout = Layout({}, "cmd/main.go", (), (".",), kit=("cmd/barracuda.go",))
    alone, with_kit = RECIPES["go"].folder_attempts(layout)
    assert [word for word in alone[0] if word not in with_kit[0]] == ["-tags=alone"]
    for game in GAMES.values():
        for name in game.kit_sources.get("go", ()):
            assert (game.folder / "kit" / name).read_text().startswith("//go:build !alone\n"), name


def test_a_crate_is_built_after_its_own_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "lib.rs").touch()
    (tmp_path / "Cargo.toml").write_text('[[bin]]\nname = "x"\n[package]\nname = "my-bot" # "y"\n')
    (tmp_path / "rustc").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "rustc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (command,) = RECIPES["rust"].folder_commands(Layout({}, "src/main.rs", (), ("src",)))
    run = partial(subprocess.check_output, command, cwd=tmp_path)
    library, program = run().splitlines()
    assert library.endswith(b"--crate-type=rlib --crate-name=my_bot -o libmy_bot.rlib src/lib.rs")
    assert program.endswith(b"--extern my_bot=libmy_bot.rlib --crate-name=bot -o bot src/main.rs")
    (tmp_path / "Cargo.toml").unlink()
    assert len(run().splitlines()) == 1, "a module that is called lib"


FOLDER = Path(__file__).parents[2] / "submissions/hello"


HERE = ("c", "cpp", "pascal", "python", "perl", "lua", "tcl")
"""What `./run test` installs."""


@pytest.mark.parametrize(
    "language", [*HERE, *(pytest.param(it, marks=pytest.mark.long("kits")) for it in RECIPES if it not in HERE)]
)
def test_hello_in_every_language(tmp_path: Path, language: str) -> None:
    """The hello bots of the sandbox's tests, on the command line."""
    recipe = RECIPES[language]
    if recipe.missing():
        pytest.skip(f"{recipe.title} is not installed (./run languages {language})")
    source = f"mybot{recipe.extensions[0]}"
    shutil.copy(FOLDER / source, tmp_path)
    for command in recipe.build_commands(source):
        built = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert built.returncode == 0, built.stderr
    run = recipe.run_command(source)
    out = subprocess.run(run, cwd=tmp_path, input=b"one\n", capture_output=True, check=True)
    assert out.stdout == b"got one\n"


@pytest.mark.parametrize(("program", "option"), [("perl", "-MJSON::PP"), ("python3", "import json")])
def test_a_language_without_its_library_is_not_there(tmp_path: Path, program: str, option: str) -> None:
    """Debian's essential packages include a perl that starts but lacks all the modules that bots use."""
    recipe = next(recipe for recipe in RECIPES.values() if recipe.programs == (program,))
    bare = tmp_path / program
    bare.write_text(f'#!/bin/sh\ncase "$*" in *{option!r}*) exit 2 ;; esac\n')
    bare.chmod(0o755)
    assert recipe.missing(str(tmp_path)) == [f"the library of {program}"]
    assert recipe.missing("/nonexistent") == [program]


def test_a_library_that_is_installed_later_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the portal runs: whatever apt-get does changes Debian's list of packages."""
    monkeypatch.setattr("games.libraries.PACKAGES", str(tmp_path / "status"))
    perl, recipe = tmp_path / "perl", RECIPES["perl"]
    for status, code in (("", 2), ("installed", 0), ("", 2)):
        (tmp_path / "status").write_text(status)
        perl.write_text(f"#!/bin/sh\nexit {code}\n")
        perl.chmod(0o755)
        os.utime(tmp_path / "status", ns=(code, code))
        assert bool(recipe.missing(str(tmp_path))) == bool(code)
    perl.unlink()
    assert recipe.missing(str(tmp_path)) == ["perl"], "that needs no list"


def test_every_language_that_is_here_has_its_library() -> None:
    """None of them leaves anything behind in the folder where it was asked."""
    before = sorted(Path().iterdir())
    there = [recipe for recipe in RECIPES.values() if all(shutil.which(program) for program in recipe.programs)]
    assert {recipe.language: recipe.missing() for recipe in there} == {recipe.language: [] for recipe in there}
    assert sorted(Path().iterdir()) == before


def test_a_jars_entry_may_have_any_name_that_a_file_can_have() -> None:
    """The name reaches the shell as an argument, not as a part of the script."""
    (command,) = RECIPES["java"].build_commands("$(reboot).java")
    assert command[-2:] == ["$(reboot).java", "$(reboot)"]
    assert "reboot" not in command[2]
