"""What BOT means on the command line, and the cache of builds."""

import os
from pathlib import Path

import pytest

from games import get
from games.build import BuildError, build, house_seated, program_of, seated
from games.engine import OptionError
from games.kits import zipped
from games.players import HousePlayer
from games.toolchains import RECIPES
from tests.games.cast import TRICKY

C = RECIPES["c"]
BOT = '#include "acm98.h"\n' + "\n".join(
    f"void {name}(void) {{}}" for name in ("StartGame", "StartRound", "EndTakes", "EndRound")
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kibitz" / "builds"


@pytest.fixture
def source() -> Path:
    return Path(str(TRICKY.folder / "kit" / "random.c"))


def test_house_players_go_by_name() -> None:
    for text in ("random", "house:random"):
        player = seated(TRICKY, text)
        assert (player.name, player.bot) == ("random", "house:random")
        assert isinstance(player.player, HousePlayer)
    assert house_seated(TRICKY, TRICKY.house[-1].name).bot == f"house:{TRICKY.house[-1].name}"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("house:gambler", "there is no house player 'gambler': there is random, "),
        ("house:", "there is no house player ''"),
        ("nothing.c", "there is no file nothing.c"),
        (".", "None of the files is a source"),
        ("notes.txt", "notes.txt is neither an executable nor a source file with a known extension (.c .cpp"),
    ],
)
def test_what_is_no_bot_is_refused(text: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("my strategy")
    with pytest.raises(OptionError, match=complaint.replace("(", "\\(")):
        seated(TRICKY, text)


@pytest.mark.parametrize(
    ("name", "mode", "mark"), [("mybot", 0o755, ""), ("mybot", 0o644, "\ufeff"), ("mybot.py", 0o755, "")]
)
def test_a_program_is_started_with_arguments(name: str, mode: int, mark: str, tmp_path: Path) -> None:
    bot = tmp_path / name
    bot.write_text(f"{mark}#!/usr/bin/env python3\nimport sys\nprint(sys.argv[1:])\n", encoding="utf-8")
    bot.chmod(mode)
    answer = program_of(TRICKY, str(bot), ["debug", "two words"]).ask(b"", seconds=60)
    assert answer.output == b"['debug', 'two words']\n"


def test_a_folder_and_an_archive_are_built_like_on_the_portal(tmp_path: Path) -> None:
    top = tmp_path / "shark"
    files = {
        "src/main.c": '#include <stdio.h>\n#include "answer.h"\nint main(void) { printf("%d\\n", answer()); }\n',
        "src/answer.c": "int answer(void) { return 42; }\n",
        "include/answer.h": "int answer(void);\n",
        "acm98.h": "#error ours\n",
    }
    for path, text in files.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text)
    (tmp_path / "shark.zip").write_bytes(zipped({f"shark/{path}": text.encode() for path, text in files.items()}))
    game = get("intensity")  # which has no library in C
    for bot in ("shark", "shark.zip"):
        assert program_of(game, str(tmp_path / bot)).ask(b"", seconds=60).output == b"42\n"
    (top / "src" / "main.c").unlink()
    for name in ("other.c", "answer.c"):
        (top / "src" / name).write_text("int main(void) { return 0; }\n")
    with pytest.raises(OptionError, match=r"Several files could start the program: src/answer\.c or src/other\.c"):
        program_of(game, str(top))


def test_a_source_is_built_once(source: Path, cache: Path) -> None:
    build(TRICKY, C, source)
    (folder,) = cache.iterdir()
    before = (folder / "bot").stat()
    build(TRICKY, C, source)
    assert list(cache.iterdir()) == [folder]
    assert (folder / "bot").stat() == before


def test_another_compiler_is_another_build(
    source: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(TRICKY, C, source)
    compiler = tmp_path / "bin" / "gcc"
    compiler.parent.mkdir()
    compiler.write_text('#!/bin/sh\nexec /usr/bin/gcc "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{compiler.parent}{os.pathsep}{os.environ['PATH']}")
    build(TRICKY, C, source)
    assert len(list(cache.iterdir())) == 2


def test_errors_of_the_compiler_are_shown(tmp_path: Path, cache: Path) -> None:
    broken = tmp_path / "broken.c"
    broken.write_text(BOT + "\nint TakeCard(void) { return nonsense; }\n")
    with pytest.raises(BuildError, match=r"broken\.c does not build: .*nonsense.*\ncommand: gcc ") as caught:
        build(TRICKY, C, broken)
    assert "nonsense" in caught.value.log
    assert list(cache.iterdir()) == [], "nothing half-built is left"


def test_a_missing_compiler_is_named(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(BuildError, match=r"gcc is not installed, and C needs it.*: apt-get install gcc libc6-dev"):
        build(TRICKY, C, source)


def test_files_of_the_kit_are_ours(tmp_path: Path) -> None:
    mine = tmp_path / "acm98.c"
    mine.write_text("int main(void) { return 0; }")
    with pytest.raises(BuildError, match=r"acm98\.c is a file of the kit"):
        build(TRICKY, C, mine)


def test_a_python_entry_lies_beside_the_kit(tmp_path: Path, cache: Path) -> None:
    source = tmp_path / "bot.py"
    source.write_text("print('hello')\n")
    build(TRICKY, RECIPES["python"], source)
    (folder,) = cache.iterdir()
    assert sorted(path.name for path in folder.iterdir()) == ["acm98.py", "bot.py"]
