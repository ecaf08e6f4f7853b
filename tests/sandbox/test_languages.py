"""The runtimes of all languages in the jail: never accused, and held like any other bot.

tests/submissions/test_languages.py has the table itself."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack

import pytest

import games
from games import referee
from games.players import ProcessPlayer, Seated
from games.programs import Exit, ExitStatus
from games.record import verify
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, Limits
from tests.sandbox.circumstances import circumstances_of, greet, hear_out
from tests.sandbox.sandboxes import HELLO, HONEST, LEVEL, artifact, hear, needs, needs_jail, needs_namespaces

pytestmark = needs_jail

RUNS, SECONDS = 120, 4.0
"""Starts of the hello bot, unless they take longer. `python -m tests.sandbox.matrix` does more."""

MAIN = "class mybot {{ public static void main(String[] words) throws Exception {{ {}; }} }}"
PACKAGE = 'package main\nimport "{}"\nfunc main() {{ {} }}'
UNIX = "#include <fcntl.h>\n#include <sys/socket.h>\nint main() {{ return {}; }}"
# Without Scala, which runs on the same virtual machine as Java. Lua and Haskell have no sockets of their own.
WRITES = {
    "c": UNIX.format('open("cheat.txt", O_WRONLY | O_CREAT, 0600)'),
    "cpp": '#include <fstream>\nint main() { std::ofstream file("cheat.txt"); file << 1; }',
    "pascal": "program mybot; var f: text; begin assign(f, 'cheat.txt'); rewrite(f) end.",
    "python": "open('cheat.txt', 'w')",
    "java": MAIN.format('new java.io.FileOutputStream("cheat.txt")'),
    "go": PACKAGE.format("os", 'os.Create("cheat.txt")'),
    "javascript": "require('fs').writeFileSync('cheat.txt', '1')",
    "rust": 'fn main() { std::fs::File::create("cheat.txt").unwrap(); }',
    "perl": "open(my $file, '>', 'cheat.txt');",
    "lua": "io.open('cheat.txt', 'w')",
    "php": "<?php fopen('cheat.txt', 'w');",
    "ruby": "File.write('cheat.txt', '1')",
    "tcl": "open cheat.txt w",
    "haskell": 'main = writeFile "cheat.txt" "1"',
}
JAVA_TALKS = {
    'new java.net.Socket("127.0.0.1", 80)': "connect 127.0.0.1:80",
    'new java.net.Socket("::1", 8080)': "connect [::1]:8080",
    'java.nio.channels.SocketChannel.open(new java.net.InetSocketAddress("10.1.2.3", 443))': "connect 10.1.2.3:443",
    "new java.net.ServerSocket(1234)": "bind [::]:1234",
    "new java.net.DatagramSocket(99)": "bind [::]:99",
}


@pytest.mark.parametrize("slug", sorted(LANGUAGES))
def test_no_runtime_is_ever_accused(slug: str) -> None:
    """Start the hello bot many times, each in its own jail, in all circumstances in turn; every run ends well."""
    language = needs(slug)
    circumstances, until = circumstances_of(language), time.monotonic() + SECONDS
    for run in range(RUNS):
        if run >= len(circumstances) and time.monotonic() > until:
            break
        greet(artifact(slug, HELLO[slug]), language, circumstances[run % len(circumstances)])


@pytest.mark.parametrize("slug", sorted(LANGUAGES))
def test_nobody_is_accused_of_using_the_library(slug: str) -> None:
    """Random numbers, time, files that may exist, and threads in languages that depend on them."""
    language = needs(slug)
    assert hear_out(artifact(slug, HONEST[slug]), language, slug) == b"ok\n"


@pytest.mark.parametrize("slug", sorted(LANGUAGES))
def test_the_hello_bot_of_every_language_plays_a_whole_game(slug: str) -> None:
    """Four of them at a table of Tricky Eights, by the line protocol, with the language's smallest memory."""
    language = needs(slug)
    game = games.get("tricky_eights")
    program, limits = artifact(slug, HELLO[slug]), Limits(memory_bytes=language.memory_floor)
    with ExitStack() as stack:
        jails = [stack.enter_context(Jail.open(program, language, limits)) for _ in range(4)]
        seats = [Seated(f"{slug} {seat}", language.product, ProcessPlayer(jail)) for seat, jail in enumerate(jails)]
        match = referee.play(game, seats, seed=1998, options=game.options({"target": 75}), preset=game.preset().name)
    assert match.faults == [[], [], [], []]
    assert max(match.record["result"]["scores"]) >= 75
    assert verify(match.record) is None


@pytest.mark.parametrize("slug", sorted(WRITES))
def test_a_file_that_a_bot_writes_is_reported_by_its_name(slug: str) -> None:
    end, said = ending(slug, WRITES[slug])
    assert (end.status, end.path) == (ExitStatus.VIOLATION, "/box/cheat.txt"), said
    assert end.call in ("open", "openat", "creat")


@pytest.mark.parametrize("code", JAVA_TALKS)
def test_what_a_bot_does_with_a_socket_of_the_java_machine_is_reported_with_the_address(code: str) -> None:
    """The virtual machine opens some by itself to test for them, so opening one is no accusation."""
    cases = " ".join(f"case {number}: {it}; break;" for number, it in enumerate(JAVA_TALKS))  # one build for all
    source = MAIN.format(f"switch (System.in.read() - '0') {{ {cases} }}")
    end, said = ending("java", source, f"{list(JAVA_TALKS).index(code)}".encode())
    expected = JAVA_TALKS[code]
    if LEVEL.name == "landlock":  # without /proc the machine assumes that there is no IPv6
        expected = expected.replace("[::]", "0.0.0.0")
        if "::1" in code:
            assert (end.status, b"Protocol family unavailable" in said) == (ExitStatus.EXITED, True), said
            return
    assert (end.status, f"{end.call} {end.path}") == (ExitStatus.VIOLATION, expected), said


@needs_namespaces
def test_where_proc_is_needed_it_tells_of_nobody() -> None:
    """Node and Java need it. They find some files of constants there, and no process."""
    source = """
        const fs = require("fs");
        const attempt = (path) => { try { return fs.readFileSync(path).length; } catch (error) { return error.code; } };
        console.log(fs.readdirSync("/proc").filter((it) => /^[0-9]+$/.test(it)).length);
        for (const name of ["environ", "mem", "root/etc/passwd", "cwd/init", "fd/3", "maps", "syscall"])
            console.log(attempt("/proc/1/" + name));
        for (const path of ["meminfo", "stat", "loadavg", "uptime", "cpuinfo"])
            console.log(typeof attempt("/proc/" + path) === "number" ? "string" : "missing");
        fs.writeFileSync("/proc/self/comm", "x");"""
    end, said = ending("javascript", source)
    count, *refusals = said.decode().split()
    assert (count, set(refusals)) == ("0", {"ENOENT", "string"}), said
    assert (end.status, end.path) == (ExitStatus.VIOLATION, "/proc/self/comm")


def ending(slug: str, source: str, words: bytes = b"") -> tuple[Exit, bytes]:
    """How a bot ends that gets these lines and nothing more, and its output on both streams."""
    language = needs(slug)
    with Jail.open(artifact(slug, source), language, Limits(memory_bytes=4 * language.memory_floor)) as jail:
        process = jail.start()
        os.write(process.stdin, words)
        process.close_input()
        said = b"".join(hear(process))
        return process.stop(60.0), said
