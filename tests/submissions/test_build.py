"""The sentence about a failed build, and when two builds are the same. test_process.py has real builds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.engine import MachineryError
from submissions import build, languages
from submissions.languages import LANGUAGES
from submissions.models import Artifact, Submission
from tests.cast import Cast
from tests.submissions import bots

Uploader = Callable[..., Submission]

GCC = """\
In file included from shark.cpp:3:
acm98.h:18: warning: something "error: " else
shark.cpp: In function 'void PlayCard()':
shark.cpp:12:5: error: 'foo' was not declared in this scope
shark.cpp:14:1: error: expected '}'
"""
PASCAL = """\
Free Pascal Compiler version 3.2.2
Compiling shark.pas
shark.pas(4,3) Error: Identifier not found "foo"
shark.pas(9) Fatal: There were 1 errors compiling module, stopping
"""
LINKER = "/usr/bin/ld: /tmp/cc1.o: in function `main':\nacm98.cpp:(.text+0x1): undefined reference to `PlayCard'\n"
PYTHON = """\
Traceback (most recent call last):
  File "<string>", line 1, in <module>
  File "bot.py", line 7
    print(
         ^
SyntaxError: '(' was never closed
"""

GHC = """\
[1 of 1] Compiling Main             ( mybot.hs, objects/Main.o )

mybot.hs:1:17: error:
    • No instance for (Num String) arising from the literal ‘1’
    • In the first argument of ‘putStrLn’, namely ‘1’
"""
NODE = """\
bot.js:1
function (
^^^^^^^^

SyntaxError: Function statements require a function name
    at wrapSafe (node:internal/modules/cjs/loader:1464:18)
"""


@pytest.mark.parametrize(
    ("log", "sentence"),
    [
        (GCC.replace('something "error: " else', "odd"), "shark.cpp:12:5: error: 'foo' was not declared in this scope"),
        (PASCAL, 'shark.pas(4,3) Error: Identifier not found "foo"'),
        (LINKER, "acm98.cpp:(.text+0x1): undefined reference to `PlayCard'"),
        (
            LINKER + "collect2: error: ld returned 1 exit status\n",
            "acm98.cpp:(.text+0x1): undefined reference to `PlayCard'",
        ),
        (PYTHON, "line 7: SyntaxError: '(' was never closed"),
        (GHC, "mybot.hs:1:17: error: • No instance for (Num String) arising from the literal ‘1’"),
        (NODE, "SyntaxError: Function statements require a function name"),
        (
            "error[E0425]: cannot find function `f` in this scope\n --> a.rs:1:13",
            "error[E0425]: cannot find function `f` in this scope",
        ),
        ("# command-line-arguments\n./a.go:2:15: undefined: f\n", "./a.go:2:15: undefined: f"),
        (
            "\nParse error: syntax error, unexpected token in bot.php on line 1\n",
            "Parse error: syntax error, unexpected token in bot.php on line 1",
        ),
        (
            "bot.rb:1: syntax error, unexpected end-of-input\ndef f(\n",
            "bot.rb:1: syntax error, unexpected end-of-input",
        ),
        ("/usr/bin/luac5.4: bot.lua:1: unexpected symbol near '='\n", "bot.lua:1: unexpected symbol near '='"),
    ],
)
def test_the_first_complaint_of_the_compiler_is_quoted(log: str, sentence: str) -> None:
    assert build.why("It does not compile.", log) == f"It does not compile: {sentence}"


def test_without_a_complaint_the_sandbox_says_how_the_build_ended() -> None:
    reason = "The compiler was not done after 60 s."
    assert build.why(reason, "") == reason
    assert build.why(reason, "collecting things\n") == reason


def test_an_endless_complaint_is_cut() -> None:
    assert len(build.why("It does not compile.", "x.c:1:1: error: " + "x" * 10_000)) < 400


def test_an_endless_log_keeps_its_beginning_and_its_end() -> None:
    log = "start" + "x" * 300_000 + "end"
    kept = build.cut(log)
    assert kept.startswith("start")
    assert kept.endswith("end")
    assert f"[… {len(log) - build.LOG_LIMIT} characters cut …]" in kept
    assert build.cut("short") == "short"


def test_a_build_is_known_by_all_that_goes_into_it(
    cast: Cast, upload: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    version, game = upload(b"int x;", "a.cpp"), cast.contest.game
    keys = [build.key_of(version, LANGUAGES["cpp"], game)]
    assert build.key_of(version, LANGUAGES["cpp"], game) == keys[0]
    keys.append(build.key_of(version, LANGUAGES["c"], game))
    version.source = b"int y;"
    keys.append(build.key_of(version, LANGUAGES["cpp"], game))
    version.filename = "b.cpp"
    keys.append(build.key_of(version, LANGUAGES["cpp"], game))
    monkeypatch.setattr(languages, "_first_line", lambda command: "g++ 99")
    keys.append(build.key_of(version, LANGUAGES["cpp"], game))
    assert len(set(keys)) == len(keys)


def test_parts_of_a_key_do_not_run_into_each_other() -> None:
    assert Artifact.key_of("ab", "c") != Artifact.key_of("a", "bc")
    assert Artifact.key_of("ab") == Artifact.key_of(b"ab")


def test_a_worker_without_the_language_is_not_the_bots_fault(upload: Uploader, monkeypatch: pytest.MonkeyPatch) -> None:
    version = upload(bots.kit("random.c"), "a.c")
    monkeypatch.setattr(languages, "SYSTEM_PATH", "/nonexistent")
    with pytest.raises(MachineryError, match="c is not installed on this worker"):
        build.build(version)
