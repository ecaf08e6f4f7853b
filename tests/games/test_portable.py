"""`kibitz.pyz` runs on Linux, macOS and Windows, and says so plainly where Python is too old."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from games import GAMES, pumps
from games.build import adapted
from games.kits import kibitz_pyz
from games.toolchains import RECIPES
from tests.waiting import wait_for

ELSEWHERE = Path(__file__).with_name("elsewhere.py")
SHORT = {
    "tricky_eights": "target=1", "hearts": "target=1", "intensity": "", "barracuda": "games=1", "even_steven": ""
}  # fmt: skip


@pytest.fixture(scope="session")
def pyz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pyz") / "kibitz.pyz"
    path.write_bytes(kibitz_pyz())
    return path


@pytest.mark.parametrize(
    ("game", "system"),
    [
        (GAMES["hearts"], "win32"),
        *(
            pytest.param(game, "win32", marks=pytest.mark.long("kits"))
            for game in GAMES.values()
            if game.slug != "hearts"
        ),
        pytest.param(GAMES["hearts"], "darwin", marks=pytest.mark.long("kits")),
    ],
    ids=lambda value: getattr(value, "slug", value),
)
def test_every_game_is_played_on_other_systems(game, system: str, pyz: Path, tmp_path: Path) -> None:
    """Lines, questions, routines and connections, without what the system lacks. A C compiler for macOS does not know
    static linking, and one for Windows writes `bot.exe`. macOS lacks less than Windows, so one game tells."""
    compilers = tmp_path / "compilers"
    compilers.mkdir()
    refuse = 'for word; do [ "$word" = -static ] && { echo "no static linking" >&2; exit 1; }; done'
    (compilers / "gcc").write_text(f'#!/bin/sh\n{refuse}\nexec {shutil.which("gcc")} "$@"\n')
    (compilers / "gcc").chmod(0o755)
    kit = Path(str(game.folder)) / "kit"
    bots = [kit / "random_player.py", kit / "random.c"][: game.seats[1]]
    bots += ["house:random"] * (game.seats[0] - len(bots))
    option = ["--option", SHORT[game.slug]] if SHORT[game.slug] else []
    done = subprocess.run(
        [
            *(sys.executable, "-S", ELSEWHERE, system, pyz, "play", game.slug, *bots, "--seed", "3"),
            *(*option, "--record", tmp_path / "r.json"),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PATH": f"{compilers}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(tmp_path / "cache")},
    )
    lost = game.seats == (1, 1)  # the random player of a judged problem
    assert done.returncode in ((0, 1) if lost else (0,)), done.stderr
    assert "fault of" not in done.stdout
    said = [line for line in done.stderr.splitlines() if not line.startswith("[random")]  # what the players print
    assert said == [f"record written: {tmp_path / 'r.json'}"]
    products = {path.name for path in (tmp_path / "cache").rglob("bot*") if path.suffix != ".py"}
    assert products <= {"bot.exe" if system == "win32" else "bot"}
    assert products or game.seats == (1, 1)


@pytest.mark.parametrize("command", ["list", "--help"])
def test_every_module_can_be_imported_on_windows(command: str, pyz: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-S", ELSEWHERE, "win32", pyz, command], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_first_file_is_read_by_every_python(pyz: Path) -> None:
    """What follows the sentence may need any Python, but this file must be read as a whole first."""
    with ZipFile(pyz) as archive:
        text = archive.read("__main__.py").decode("ascii")
    ast.parse(text, feature_version=(3, 4))
    assert text.index("sys.exit(\n") < text.index("from games.__main__")


def test_commands_are_adapted_to_the_system() -> None:
    (c,), (go,) = RECIPES["c"].build_commands("bot.c"), RECIPES["go"].build_commands("bot.go")
    assert adapted(c, "linux") == (c, {})
    assert adapted(c, "darwin").words == [word for word in c if word != "-static"]
    assert adapted(c, "win32").words[:5] == ["gcc", "-std=gnu17", "-O2", "-o", "bot.exe"]
    words, settings = adapted(go, "win32")
    assert words == ["go", "build", "-o", "bot.exe", "bot.go"]
    assert settings["CGO_ENABLED"] == "0"
    assert adapted(("./bot",), "win32").words == ["./bot.exe"]


def sent_until(error: type[OSError], number: int, most: int) -> int:
    """How many bytes a pipe takes before it raises that."""
    sent = 0

    def full() -> bool:
        nonlocal sent
        try:
            sent += pumps.write(number, b"x" * 65_536)
        except error:
            return True
        except BlockingIOError:  # the thread has not met the end yet
            return False
        return sent >= most

    wait_for(full, pause=0.001)
    return sent


class TestPumps:
    """The threads that stand in for the system's own waiting. They behave as its calls do."""

    def test_reading_waits_for_nothing_and_ends_at_the_end(self) -> None:
        ours, theirs = os.pipe()
        number, poll = pumps.opened(os.fdopen(ours, "rb", 0)), pumps.Poll()
        poll.register(number, pumps.READABLE)
        assert poll.poll(10) == []
        with pytest.raises(BlockingIOError):
            pumps.read(number, 10)
        os.write(theirs, b"abcdef")
        assert poll.poll(60_000) == [(number, pumps.READABLE)]
        assert (pumps.read(number, 4), pumps.read(number, 4)) == (b"abcd", b"ef")
        os.close(theirs)
        assert poll.poll(60_000) == [(number, pumps.READABLE)]
        assert pumps.read(number, 4) == b""
        pumps.close(number)
        pumps.close(number)

    def test_writing_takes_what_there_is_room_for(self) -> None:
        theirs, ours = os.pipe()
        number = pumps.opened(os.fdopen(ours, "wb", 0), for_writing=True)
        most = 1_000_000
        assert 0 < sent_until(BlockingIOError, number, most) < most
        os.close(theirs)  # the other side goes away
        poll = pumps.Poll()
        poll.register(number, pumps.WRITABLE)
        assert poll.poll(60_000) == [(number, pumps.WRITABLE)]
        assert sent_until(BrokenPipeError, number, 10 * most) < 10 * most
