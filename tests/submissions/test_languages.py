"""The table of languages: complete, in step with the command line, and its runtimes are never accused."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack

import pytest

import games
from games import referee
from games.engine import MachineryError
from games.players import ProcessPlayer, Seated
from games.programs import Exit, ExitStatus
from games.record import verify
from games.toolchains import RECIPES
from submissions.languages import IN_FOLDER, LANGUAGES, Language, recognise
from submissions.sandbox import Jail, Limits, build
from submissions.sandbox.policy import POLICIES
from tests.sandbox.circumstances import circumstances_of, greet, hear_out
from tests.sandbox.sandboxes import HELLO, HONEST, LEVEL, artifact, hear, needs, needs_jail, needs_namespaces

RUNS, SECONDS = 120, 4.0
"""Starts of the hello bot, unless they take longer. benchmarks/languages.py does a thousand."""

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
TALKS = {
    "c": UNIX.format("socket(AF_INET, SOCK_STREAM, 0)"),
    "cpp": UNIX.format("socket(AF_INET, SOCK_STREAM, 0)"),
    "pascal": "program mybot; uses sockets; begin writeln(fpSocket(AF_INET, SOCK_STREAM, 0)) end.",
    "python": "import socket\nsocket.socket()",
    "go": PACKAGE.format("net", 'net.Dial("tcp4", "127.0.0.1:80")'),
    "javascript": "require('net').connect(80, '127.0.0.1')",
    "rust": 'fn main() { std::net::TcpStream::connect("127.0.0.1:80").unwrap(); }',
    "perl": "use Socket; socket(my $line, PF_INET, SOCK_STREAM, 0);",
    "php": "<?php stream_socket_client('tcp://127.0.0.1:80');",
    "ruby": "require 'socket'\nTCPSocket.new('127.0.0.1', 80)",
    "tcl": "socket 127.0.0.1 80",
}
JAVA_TALKS = {
    'new java.net.Socket("127.0.0.1", 80)': "connect 127.0.0.1:80",
    'new java.net.Socket("::1", 8080)': "connect [::1]:8080",
    'java.nio.channels.SocketChannel.open(new java.net.InetSocketAddress("10.1.2.3", 443))': "connect 10.1.2.3:443",
    "new java.net.ServerSocket(1234)": "bind [::]:1234",
    "new java.net.DatagramSocket(99)": "bind [::]:99",
}


FORKS = {
    "python": "import os\nos.fork()",
    "java": MAIN.format('Runtime.getRuntime().exec("id")'),
    "go": PACKAGE.format("syscall", 'syscall.ForkExec("/bin/id", nil, nil)'),
    "javascript": "require('child_process').spawn('id')",
    "perl": "fork()",
    "php": "<?php exec('id');",
    "ruby": "fork { loop {} }",
    "lua": "os.execute('id')",
}


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=str)
def test_an_entry_is_complete(language: Language) -> None:
    assert LANGUAGES[language.slug] is language
    assert language.name
    assert language.package
    assert language.recipe.programs
    assert language.policy
    assert all(extension.startswith(".") and extension == extension.lower() for extension in language.extensions)
    assert language.run[0].startswith("/")
    assert language.memory_floor > 0
    assert language.slug in HELLO, "a language comes with its hello bot"
    assert language.slug in HONEST, "and with a program that uses its library"


def test_no_two_languages_share_an_extension() -> None:
    extensions = [extension for language in LANGUAGES.values() for extension in language.extensions]
    assert len(extensions) == len(set(extensions))


def test_the_table_has_the_languages_of_the_contest_rules() -> None:
    assert [language.name for language in LANGUAGES.values()] == [
        *("C", "C++", "Pascal", "Python", "Java", "Go", "JavaScript", "Rust", "Perl", "Lua", "PHP", "Ruby", "Tcl"),
        *("Haskell", "Scala"),
    ]


def test_every_policy_of_the_table_is_there() -> None:
    named = {recipe.jailed.policy for recipe in RECIPES.values()}
    assert named | {IN_FOLDER.get(name, name) for name in named} == set(POLICIES)


@pytest.mark.parametrize(
    ("filename", "source", "slug"),
    [
        ("mybot.c", b"", "c"),
        ("MYBOT.CPP", b"", "cpp"),
        ("my.bot.cc", b"", "cpp"),
        ("Bot.PAS", b"", "pascal"),
        ("bot.py", b"", "python"),
        ("bot", b"#!/usr/bin/env python3\n", "python"),
        ("bot", b"#!/usr/bin/python\n", "python"),
        ("Bot.java", b"", "java"),
        ("bot.mjs", b"", "javascript"),
        ("bot", b"#! /usr/bin/perl -w\n", "perl"),
        ("bot.go", b"", "go"),
        ("bot.rs", b"", "rust"),
        ("bot.hs", b"", "haskell"),
        ("Bot.scala", b"", "scala"),
        ("bot", b"#!/usr/bin/env ruby\n", "ruby"),
        ("bot", b"#!/usr/bin/php\n<?php", "php"),
    ],
)
def test_a_source_is_recognised(filename: str, source: bytes, slug: str) -> None:
    assert recognise(filename, source) is LANGUAGES[slug]


@pytest.mark.parametrize("filename", ["bot", "bot.exe", "bot.h", "c", "", "notes.txt", "bot.c.orig"])
def test_what_is_no_source_is_not_recognised(filename: str) -> None:
    assert recognise(filename) is None
    assert recognise(filename, b"#!/bin/sh\n") is None


def test_a_missing_toolchain_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("submissions.languages.SYSTEM_PATH", "/nonexistent")
    for language in LANGUAGES.values():
        assert not language.installed()
        assert language.toolchain() == ""
        with pytest.raises(MachineryError, match="is not installed"):
            build(language, b"", "x")


def test_c_and_its_relatives_are_linked_statically() -> None:
    assert "-static" in LANGUAGES["c"].build("x.c", [])[0][0]
    assert "-static" in LANGUAGES["cpp"].build("x.cpp", [])[0][0]
    assert "CGO_ENABLED=0" in " ".join(LANGUAGES["go"].build("x.go", [])[0][0])
    assert "-Ctarget-feature=+crt-static" in LANGUAGES["rust"].build("x.rs", [])[0][0]
    assert "-optl-static" in LANGUAGES["haskell"].build("x.hs", [])[0][0]


@needs_jail
@pytest.mark.parametrize("slug", sorted(LANGUAGES))
def test_no_runtime_is_ever_accused(slug: str) -> None:
    """Start the hello bot many times, each in its own jail, in all circumstances in turn; every run ends well."""
    language = needs(slug)
    circumstances, until = circumstances_of(language), time.monotonic() + SECONDS
    for run in range(RUNS):
        if run >= len(circumstances) and time.monotonic() > until:
            break
        greet(artifact(slug, HELLO[slug]), language, circumstances[run % len(circumstances)])


@needs_jail
@pytest.mark.parametrize("slug", sorted(LANGUAGES))
def test_nobody_is_accused_of_using_the_library(slug: str) -> None:
    """Random numbers, time, files that may exist, and threads in languages that depend on them."""
    language = needs(slug)
    assert hear_out(artifact(slug, HONEST[slug]), language, slug) == b"ok\n"


@needs_jail
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


@needs_jail
@pytest.mark.parametrize("slug", sorted(WRITES))
def test_a_file_that_a_bot_writes_is_reported_by_its_name(slug: str) -> None:
    end, said = ending(slug, WRITES[slug])
    assert (end.status, end.path) == (ExitStatus.VIOLATION, "/box/cheat.txt"), said
    assert end.call in ("open", "openat", "creat")


@needs_jail
@pytest.mark.parametrize("slug", sorted(TALKS))
def test_a_socket_that_a_bot_opens_is_reported(slug: str) -> None:
    end, said = ending(slug, TALKS[slug])
    assert (end.status, end.call) == (ExitStatus.VIOLATION, "socket"), said
    assert end.path in ("AF_INET", "AF_INET6", "AF_NETLINK")  # some first ask for the addresses of this machine


@needs_jail
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


@needs_jail
@pytest.mark.parametrize("slug", sorted(FORKS))
def test_the_threads_of_a_runtime_are_no_leave_to_start_processes(slug: str) -> None:
    """Another process would think for free, because its clock is not the bot's."""
    end, said = ending(slug, FORKS[slug])
    assert end.status is ExitStatus.VIOLATION, said
    assert (end.call, end.path) in (("clone", "another process"), ("vfork", "")), said


@needs_jail
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
        return process.stop(5.0), said


def test_a_runtime_with_a_heap_is_told_its_memory() -> None:
    assert "-XX:MaxRAM=268435456" in LANGUAGES["java"].run_within(256 << 20)
    assert "--max-old-space-size=128" in LANGUAGES["javascript"].run_within(256 << 20)
    assert LANGUAGES["c"].run_within(4 << 20) == ("/box/bot",)
    assert LANGUAGES["go"].environment_within(256 << 20)["GOMEMLIMIT"] == "268435456"
    assert LANGUAGES["c"].environment_within(4 << 20) == {}
