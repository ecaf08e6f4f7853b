"""Builds: what honest sources can do, and what hostile ones cannot."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from games.engine import MachineryError
from games.programs import ExitStatus
from submissions.languages import LANGUAGES
from submissions.sandbox import BuildLimits, BuildResult, Jail, Limits, build, walls
from submissions.sandbox.build import Excerpt, clean
from submissions.sandbox.native import state_folder
from submissions.sandbox.policy import TOOLCHAIN
from submissions.sandbox.process import JailedProcess
from submissions.sandbox.recipe import Recipe
from submissions.sandbox.roots import unpack
from tests.sandbox.sandboxes import (
    HELLO,
    MEGABYTE,
    hear,
    jail,
    line_of,
    needs,
    needs_jail,
    nothing_left,
    play_hello,
)

pytestmark = needs_jail

SMALL = BuildLimits(seconds=4.0, cpu_seconds=3.0, memory_bytes=160 * MEGABYTE, product_bytes=4 * MEGABYTE)
FILES = "The compiler wrote more than 4 MB into a file, or 256 MB in all."
TEMPLATE = (
    "{{-# LANGUAGE TemplateHaskell #-}}\nimport Language.Haskell.TH\nimport qualified System.Process\n"
    "main :: IO ()\nmain = $(runIO {} >> [| return () |])\n"
)
"""A Haskell program that acts while it is compiled."""


def compiled(slug: str, source: str, name: str = "", limits: BuildLimits | None = None, **support: str) -> BuildResult:
    language = needs(slug)
    files = {f"{stem}{language.extensions[0]}": text.encode() for stem, text in support.items()}
    return build(language, source.encode(), name or f"mybot{language.extensions[0]}", files, limits=limits)


@pytest.mark.parametrize("slug", sorted(HELLO))
def test_a_build_tells_command_toolchain_and_time(slug: str) -> None:
    result = compiled(slug, HELLO[slug])
    assert result.ok, result.log
    assert result.reason == ""
    assert result.artifact is not None
    assert set(unpack(result.artifact)) == {LANGUAGES[slug].product}
    assert result.toolchain.strip()
    assert ("bot." if LANGUAGES[slug].interpreted else "mybot") in result.command
    assert "/box" not in result.command
    assert not re.search(r"\{\w+\}", result.command), "a place that was to be filled in"
    assert result.seconds > 0


@pytest.mark.parametrize(
    ("slug", "source", "words"),
    [
        ("c", "int main(void) { return undeclared; }", "mybot.c:1:25: error: 'undeclared' undeclared"),
        ("cpp", "int main() { return undeclared; }", "mybot.cpp:1:21: error: 'undeclared' was not declared"),
        ("pascal", "program x; begin undeclared end.", 'Identifier not found "undeclared"'),
        ("python", "def f(:\n", "SyntaxError"),
        ("perl", "my $x = ;\n", "syntax error at bot.pl line 1"),
        ("java", "class mybot { undeclared }", "mybot.java:1: error: <identifier> expected"),
        ("javascript", "function (\n", "SyntaxError"),
        ("go", "package main\nfunc main() { undeclared() }", "mybot.go:2:15: undefined: undeclared"),
        ("rust", "fn main() { undeclared(); }", "cannot find function `undeclared`"),
        ("php", "<?php $x = ;", "Parse error: syntax error, unexpected token"),
        ("ruby", "def f(\n", "bot.rb:1: syntax error"),
        ("lua", "x = = 1", "bot.lua:1: unexpected symbol near '='"),
        ("haskell", "main = undeclared", "Variable not in scope: undeclared"),
        ("scala", "object mybot { undeclared }", "mybot.scala:1: error: not found: value undeclared"),
    ],
)
def test_a_source_that_does_not_compile_gets_the_compilers_words(slug: str, source: str, words: str) -> None:
    result = compiled(slug, source)
    assert (result.ok, result.artifact, result.reason) == (False, None, "It does not compile.")
    assert words in result.log.replace("‘", "'").replace("’", "'")
    assert "/box" not in result.log


# the kit


def test_kit_files_are_compiled_in() -> None:
    result = compiled(
        "c", "int answer(void);\nint main(void) { return answer(); }", kit="int answer(void) { return 42; }"
    )
    assert result.ok, result.log
    assert result.artifact
    assert "kit.c" in result.command
    with Jail.open(result.artifact, LANGUAGES["c"], Limits()) as place:
        assert place.start().stop(60.0).code == 42


def test_a_kit_of_python_lies_beside_the_bot() -> None:
    result = compiled("python", "import kit\nprint(kit.answer, flush=True)\n", kit="answer = 42\n")
    assert result.artifact
    assert set(unpack(result.artifact)) == {"bot.py", "kit.py"}
    with Jail.open(result.artifact, LANGUAGES["python"], Limits()) as place:
        assert line_of(place.start()) == b"42\n"


@pytest.mark.parametrize(
    "name", ["kit.c", "KIT.C", "bot.c", "-o.c", "my bot.c", "../up.c", "a;b.c", "é.c", "x" * 200 + ".c"]
)
def test_unusual_and_taken_names_are_built(name: str) -> None:
    result = compiled(
        "c", "int answer(void);\nint main(void) { return answer(); }", name, kit="int answer(void) { return 42; }"
    )
    assert result.ok, result.log


def test_a_bot_called_random_does_not_hide_the_module_random() -> None:
    result = compiled("python", "import random\nprint(random.random() < 1, flush=True)\n", "random.py")
    assert result.artifact
    with Jail.open(result.artifact, LANGUAGES["python"], Limits()) as place:
        assert line_of(place.start()) == b"True\n"


# strangers


@pytest.mark.parametrize(
    ("slug", "source"),
    [
        ("c", '#include "/etc/passwd"\nint main(void) { return 0; }'),
        ("c", '#include "../../../../etc/passwd"\nint main(void) { return 0; }'),
        ("c", '#include "/proc/self/environ"\nint main(void) { return 0; }'),
        ("c", '__asm__(".incbin \\"/etc/shadow\\"");\nint main(void) { return 0; }'),
        ("c", '__asm__(".include \\"/etc/passwd\\"");\nint main(void) { return 0; }'),
        ("cpp", '#include "/root/.bashrc"\nint main() {}'),
        ("c", '#pragma GCC optimize ("-fplugin=/box/mybot.so")\n#include "/dev/stdin"\nint main(void) { return 0; }'),
        ("pascal", "program x; {$I /etc/passwd} begin end."),
        ("rust", 'fn main() { print!("{}", include_str!("/etc/passwd")); }'),
        ("rust", 'fn main() { print!("{}", include_str!("/proc/1/environ")); }'),  # /proc is needed there
        ("go", 'package main\n// #include "/etc/passwd"\nimport "C"\nfunc main() {}'),
        ("go", 'package main\nimport _ "embed"\n//go:embed /etc/passwd\nvar text string\nfunc main() {}'),
        ("haskell", TEMPLATE.format('(readFile "/etc/passwd" >>= putStr)')),
        ("haskell", TEMPLATE.format('(readFile "/proc/1/environ" >>= putStr)')),
        ("perl", 'BEGIN { open my $file, "<", "/etc/passwd" or die; print STDERR <$file> }'),
    ],
)
def test_secrets_cannot_be_included(slug: str, source: str) -> None:
    result = compiled(slug, source)
    assert not result.ok
    assert "root:" not in result.log
    assert "PATH=" not in result.log


def test_the_source_of_another_team_cannot_be_included() -> None:
    """It is unpacked on this worker for a match in progress, under a name that only we can guess."""
    secret = "the other team's idea"
    with jail("python", f"print({secret!r})\nimport time\ntime.sleep(60)\n", memory_bytes=32 * MEGABYTE) as other:
        assert line_of(other.start()).decode().strip() == secret
        sources = [path for path in (state_folder() / "roots").glob("*/box/bot.py") if secret in path.read_text()]
        assert sources
        for path in sources:
            result = compiled("c", f'#include "{path}"\nint main(void) {{ return 0; }}')
            assert f"{clean(bytes(path))}: No such file or directory" in result.log


def test_object_code_is_no_source() -> None:
    result = build(needs("c"), Path("/usr/bin/env").read_bytes(), "mybot.c")
    assert (result.ok, result.reason) == (False, "It does not compile.")
    assert len(result.log) < 70_000


def test_what_a_compiler_is_made_to_run_is_contained() -> None:
    """Perl runs BEGIN and Haskell runs templates while they read the source, so the compiler needs a jail like a
    bot's."""
    daemon = "BEGIN { if (!fork) { close STDOUT; close STDERR; sleep 99 } }\nprint 1;\n"
    with nothing_left():
        assert compiled("perl", daemon).ok
        spawn = '(mapM_ (const (System.Process.spawnCommand "sleep 99")) [1 .. 500 :: Int])'
        result = compiled("haskell", TEMPLATE.format(spawn))
        assert not result.ok, "there is a limit to processes"
        rewrite = 'BEGIN { open my $file, ">", "/box/bot.pl"; print $file "print 2" }\nprint 1;\n'
        rewritten = compiled("perl", rewrite).artifact
        assert rewritten is not None
        assert unpack(rewritten) == {"bot.pl": rewrite.encode()}, "what plays is what was uploaded"
    play_hello()


@pytest.mark.parametrize(
    ("slug", "source", "reason"),
    [
        ("perl", "BEGIN { 1 while 1 }", "The compiler needed more than 1 s of processor time."),
        ("perl", "BEGIN { sleep 99 }", "The compiler was not done after 4 s."),
        ("perl", 'BEGIN { my $x = "x" x (1 << 29) }', "The compiler needed more than 160 MB of memory."),
        ("perl", 'BEGIN { open F, ">", "f"; print F "x" x 65536 while 1 }', FILES),
        ("c", "char hoard[1 << 30] = {1};\nint main(void) { return hoard[0]; }", FILES),
        ("pascal", "program bot; uses cmem; begin end.", "The program needs shared libraries"),
    ],
)
def test_a_student_is_told_which_limit_a_build_met(slug: str, source: str, reason: str) -> None:
    limits = replace(SMALL, cpu_seconds=1.0) if "processor" in reason else SMALL
    if "not done" not in reason:
        limits = replace(limits, seconds=60.0)  # a busy machine would meet this one first
    result = compiled(slug, source, limits=limits)
    assert result.artifact is None
    assert result.reason.startswith(reason)
    if "processor" in reason or "not done" in reason:
        assert f"{limits.cpu_seconds:g} s of processor time and {limits.seconds:g} s by the clock" in result.reason


def test_the_limits_of_a_build_grow_with_its_sources() -> None:
    one, many = SMALL.of(0), SMALL.of(20)
    assert one == SMALL
    assert (many.seconds, many.cpu_seconds) == (3 * SMALL.seconds, 3 * SMALL.cpu_seconds)
    assert SMALL.of(10_000) == SMALL.of(1_000)
    assert replace(SMALL, longest=5.0).of(20).seconds == 5.0


def test_a_busy_machine_is_not_the_authors_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = count()
    monkeypatch.setattr(JailedProcess, "waiting", lambda self: (float(next(waited)), "R"))
    monkeypatch.setattr(JailedProcess, "cpu_seconds", lambda self: 0.0)
    with pytest.raises(MachineryError, match="others had the processor"):
        compiled("perl", "BEGIN { sleep 99 }", limits=replace(SMALL, seconds=0.2))


def test_a_build_that_forks_for_ever_meets_a_limit() -> None:
    """Which comes first depends on the machine: its children use memory and processors as fast as they can."""
    result = compiled("perl", "BEGIN { fork while 1 }", limits=SMALL)
    assert result.artifact is None
    assert result.reason.startswith(
        (
            "The compiler was not done after 4 s.",
            "The compiler needed more than 3 s of processor time.",
            "The compiler needed more than 160 MB of memory.",
        )
    )


def test_a_bot_cannot_hold_the_workers_folders() -> None:
    places = ("/work", "/home", "/root", "/etc/hostname", "/var/lib/dpkg/status")
    source = "".join(f'#if __has_include("{place}")\n#error it sees {place}\n#endif\n' for place in places)
    assert compiled("c", source + "int main(void) { return 0; }").ok


BOMBS = {
    "templates": ("cpp", "template<int n, int m> struct T { static const long v = T<n - 1, m>::v + T<n, m - 1>::v; };\n"
                  "template<int n> struct T<n, 0> { static const long v = 1; };\n"
                  "template<int m> struct T<0, m> { static const long v = 1; };\n"
                  "int main() { return T<850, 850>::v; }"),
    "doubling templates": ("cpp", "template<int n, long m> struct T"
                           " { static const long v = T<n - 1, 2 * m>::v + T<n - 1, 2 * m + 1>::v; };\n"
                           "template<long m> struct T<0, m> { static const long v = m; };\n"
                           "int main() { return T<60, 1>::v; }"),
    "doubling types": ("cpp", "#include <tuple>\ntemplate<class T, int n>\n"
                       "struct D { using type = typename D<std::tuple<T, T>, n - 1>::type; };\n"
                       "template<class T> struct D<T, 0> { using type = T; };\n"
                       "int main() { D<int, 40>::type t; return sizeof t; }"),
    "doubling macros": ("rust", "macro_rules! m { ($($t:tt)*) => { m!($($t)* $($t)* x) } }\nfn main() { m!(x x); }"),
    "deep brackets": ("python", "(" * 90_000),
    "deep brackets of another": ("ruby", "[" * 200_000),
    "recursion": ("cpp", "template<int n> struct T : T<n + 1> {};\nint main() { T<0> t; }"),
    "constexpr": ("cpp", "constexpr long f(long n) { long s = 0; for (long i = 0; i < n * n; i++) s += i; return s; }\n"
                  "constexpr long x = f(1000000);\nint main() { return x; }"),
    "include itself": ("c", "#include __FILE__\n#include __FILE__\nint main(void) { return 0; }"),
    "endless device": ("c", '#include "/dev/urandom"\nint main(void) { return 0; }'),
    "zero device": ("c", '#include "/dev/zero"\nint main(void) { return 0; }'),
    "huge binary": ("c", "char hoard[1 << 30] = {1};\nint main(void) { return hoard[0]; }"),
    "huge product": ("c", "char hoard[16 << 20] = {1};\nint main(void) { return hoard[0]; }"),
    "macros": ("c", "".join(f"#define M{i} {f'M{i + 1} ' * 10}\n" for i in range(9)) + "#define M9 1+\n"
               "int main(void) { return M0 1; }"),
    "endless errors": ("c", "int main(void) {\n" + "undeclared(;\n" * 20_000 + "}"),
    "pascal macros": ("pascal", "program x; var a: array[0..900000000] of longint = (1); begin end."),
}  # fmt: skip


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_compile_bomb_is_refused_with_a_reason(bomb: str) -> None:
    slug, source = BOMBS[bomb]
    with nothing_left():
        result = compiled(slug, source, limits=SMALL)
        assert not result.ok
        assert result.reason.endswith(".")
        assert len(result.log) < 70_000
        play_hello()


def test_a_flood_of_warnings_keeps_head_and_tail() -> None:
    lines = "".join(f'#pragma message "note {number} {"x" * 80}"\n' for number in range(5000))
    result = compiled(
        "c",
        lines + "int main(void) { return 0; }",
    )
    assert result.ok
    assert "note 0 " in result.log
    assert "note 4999 " in result.log
    assert "bytes left out" in result.log
    assert len(result.log) < 70_000


def test_a_link_is_no_product() -> None:
    limits = Limits(processes=8, file_bytes=MEGABYTE, scratch_bytes=MEGABYTE)
    with Jail(Recipe(TOOLCHAIN, ("/init",), ("/usr",)), limits) as place:
        assert place.run("/usr/bin/ln", "-s", "/usr/bin/env", "/box/bot").stop(60.0).code == 0
        process = place.run("/init", "emit", "/box/bot")
        assert hear(process) == (b"", b"")
        assert process.stop(60.0).code == 1


def test_a_build_cannot_fill_the_machine() -> None:
    limits = Limits(processes=8, file_bytes=64 * MEGABYTE, scratch_bytes=2 * MEGABYTE, memory_bytes=128 * MEGABYTE)
    with Jail(Recipe(TOOLCHAIN, ("/init",), ("/usr", "/dev/null", "/dev/urandom")), limits) as place:
        process = place.run("/usr/bin/dd", "if=/dev/urandom", "of=fat", "bs=1M", "count=40")
        _, words = hear(process)
        if walls.are() is walls.Walls.LANDLOCK:  # not a file system of its own: process 1 checks
            assert process.stop(0).status is ExitStatus.OUTPUT
        else:
            assert b"No space left" in words
    with Jail(Recipe(TOOLCHAIN, ("/init",), ("/usr", "/dev/null", "/dev/urandom")), limits) as place:
        process = place.run("/usr/bin/touch", "/usr/fat", "/fat", "/dev/fat")
        _, words = hear(process)
        refused = b"Read-only file system", b"Permission denied", b"No such file or directory"
        assert sum(map(words.count, refused)) == 3


def test_a_build_has_no_network_and_no_namespaces() -> None:
    script = (
        "import socket\n"
        "try:\n    socket.create_connection(('127.0.0.1', 1))\nexcept OSError as error:\n    print(error.errno)\n"
        "import os\n"
        "import ctypes\nprint(ctypes.CDLL(None).unshare(0x10000000), os.path.exists('/proc'))\n"
    )
    with Jail(Recipe(TOOLCHAIN, ("/init",), ("/usr",)), Limits(processes=8, scratch_bytes=MEGABYTE)) as place:
        assert hear(place.run("/usr/bin/python3", "-c", script))[0] == b"13\n-1 False\n"


def test_a_build_that_leaves_a_daemon_is_cleaned_up() -> None:
    limits = Limits(processes=16, scratch_bytes=MEGABYTE)
    with nothing_left(), Jail(Recipe(TOOLCHAIN, ("/init",), ("/usr",)), limits) as place:
        process = place.run("/usr/bin/setsid", "-f", "/usr/bin/sleep", "60")
        end = process.ended(60.0)
        assert end is not None
        assert end.status is ExitStatus.EXITED
        assert hear(process, 1.0) == (b"", b"")  # the daemon held our pipes, which are closed now


def test_a_language_that_is_not_installed_is_our_failure() -> None:
    class Missing:
        name = "Cobol"

        def installed(self) -> bool:
            return False

    with pytest.raises(MachineryError, match="Cobol is not installed"):
        build(Missing(), b"", "x.cob")  # type: ignore[arg-type]


# small parts


def test_an_excerpt_keeps_both_ends() -> None:
    excerpt = Excerpt(10)
    for piece in (b"abc", b"defghi", b"j" * 100, b"xyz"):
        excerpt.add(piece)
    assert excerpt.text() == "abcde\n[… 102 bytes left out …]\njjxyz".encode()
    short = Excerpt(10)
    short.add(b"0123456789")
    assert short.text() == b"0123456789"


def test_a_log_is_cleaned() -> None:
    assert clean(b"/box/mybot.c:1: \x1b[31merror\x00\r\n\ttab") == "mybot.c:1: �[31merror�\n\ttab"
    assert clean(b"\xff") == "�"
