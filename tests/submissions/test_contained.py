"""Bots and compilers are contained: one real jail for each protocol and each wall.

tests/sandbox has all cases, languages and levels (`./run test --long sandbox`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from games.players import HousePlayer, Seated
from games.programs import ExitStatus, pinned
from games.record import verify
from games.referee import play
from games.routines import RoutinePlayer
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, Limits, build
from tests.sandbox import test_clients, test_games, test_questions
from tests.sandbox.sandboxes import MEGABYTE, hear, jail, needs, needs_jail, nothing_left, play_hello

pytestmark = [pytest.mark.promise, needs_jail]


# One bot of each protocol plays without a fault -----------------------------------------------------------------------


def test_lines() -> None:
    c, python = test_games.entry("c"), test_games.entry("python")
    record = test_games.match({"c one": c, "c two": c, "c three": c, "python": python})
    assert verify(record) is None
    assert [event for event in record["events"] if event["event"] == "fault"] == []
    assert max(record["result"]["scores"]) >= 75


def test_a_process_for_every_question() -> None:
    assert test_questions.match("").faults == [[], [], [], []]


def test_routines() -> None:
    game = games.get("hearts")
    kit = Path(str(game.folder)) / "kit"
    support = {name: (kit / name).read_bytes() for name in game.kit_sources["c"]}
    built = build(needs("c"), (kit / "shell.c").read_bytes(), "entry.c", support)
    assert built.artifact is not None, built.log
    random = game.house[0]
    limits = Limits(memory_bytes=game.preset().memory_mb * MEGABYTE)
    with nothing_left(), pinned(), Jail.open(built.artifact, LANGUAGES["c"], limits) as place:
        seats = [Seated("entry", "entry.c", RoutinePlayer(place))]
        seats += [Seated(f"random {number}", "house:random", HousePlayer(random)) for number in range(3)]
        match = play(game, seats, seed=4, options=game.options({"target": 1}), preset=game.preset().name)
    assert verify(match.record) is None
    assert match.faults == [[], [], [], []]


def test_a_tcp_client() -> None:
    assert test_clients.match("good(request)").faults == [[], []]


# One attempt at each wall ---------------------------------------------------------------------------------------------

ATTEMPTS = {
    "a file of the machine": ('open("/etc/passwd", O_RDONLY);', "openat /etc/passwd"),
    "a file of its own": ('open("notes", O_CREAT | O_WRONLY, 0600);', "openat /box/notes"),
    "the network": ("socket(AF_INET, SOCK_STREAM, 0);", "socket AF_INET"),
    "another process": ("if (!fork()) for (;;);", "clone another process"),
    "another program": ('execl("/bin/sh", "sh", (char *)0);', "execve /bin/sh"),
}
C = """
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void)
{
    DEED
    puts("it did it");
    return 0;
}
"""


def attempt(slug: str, source: str, cpu_seconds: float = 1.0) -> tuple[ExitStatus, str]:
    """How a bot ends that does this. It says nothing afterwards, nothing of it is left, and the next match is well."""
    with nothing_left():
        with jail(slug, source, memory_bytes=32 * MEGABYTE, cpu_seconds=cpu_seconds) as place:
            process = place.start()
            said, _ = hear(process)
            end = process.stop(60.0)
        assert said == b""
        play_hello()
    return end.status, f"{end.call} {end.path}"


@pytest.mark.parametrize("wall", ATTEMPTS)
def test_what_bots_must_not_do_ends_them(wall: str) -> None:
    deed, told = ATTEMPTS[wall]
    assert attempt("c", C.replace("DEED", deed)) == (ExitStatus.VIOLATION, told)


@pytest.mark.parametrize(
    "source",
    [
        "print(open('/etc/passwd').read())",
        "open('notes', 'w'); print('it did it')",
        "import socket; print(socket.socket())",
        "import os; os.fork(); print('it did it')",
    ],
)
def test_an_interpreter_must_not_either(source: str) -> None:
    assert attempt("python", source)[0] is ExitStatus.VIOLATION


def test_memory_has_a_limit() -> None:
    hoard = "char *volatile hoard = malloc(200 << 20); memset(hoard, 1, 200 << 20); if (!hoard[4096]) return 1;"
    assert attempt("c", C.replace("DEED", hoard))[0] is ExitStatus.MEMORY


def test_processor_time_has_a_limit() -> None:
    assert attempt("c", C.replace("DEED", "for (volatile int i = 0;; i++);"), 0.1)[0] is ExitStatus.CPU


# Builds ---------------------------------------------------------------------------------------------------------------


def test_a_compiler_reads_nothing_of_the_machine() -> None:
    for path in ("/etc/passwd", "../../../../etc/passwd", "/proc/self/environ"):
        result = build(needs("c"), f'#include "{path}"\nint main(void) {{ return 0; }}'.encode(), "mybot.c")
        assert not result.ok
        assert "root:" not in result.log
        assert "PATH=" not in result.log
