"""What people are told about real failures: tests/games/failures has programs that fail, and what they or their
compilers printed in the sandbox. `explained.txt` has what is made of it, and people have read it:
CASE: MESSAGE (PLACE) | ADVICE.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import explaining
from games.debug import ours
from games.explaining.reading import LONGEST
from games.toolchains import RECIPES

FOLDER = Path(__file__).parent / "failures"
EXPLAINED = dict(line.split(": ", 1) for line in (FOLDER / "explained.txt").read_text().splitlines())
NEVER_PRINTED = {"c/null_pointer"}
"""Programs that the kernel ends before they can say why."""
PRINTED = sorted(path for path in FOLDER.glob("*/*.txt"))
NASTY = (
    "a" * 131_072, "\n" * 131_072, "a: b\n" * 26_000, "Fatal error: x\n" * 8_700, "thread 'm' panicked at 'x\n" * 5_000,
    "x: y\n at \n" * 12_000, "x.c:1: Assertion \n" * 7_000, "Caused by: a.bError: x\n" * 5_500, " " * 131_072,
    ' File "a.py", line 1\n' * 6_000, "error: x\n --> a.rs:1:1\n" + "  |\n" * 30_000, "thread '" + "'" * 120_000,
    "a.hs:1:1: error:\n" + "    x\n" * 18_000, "a:1\nxx\n ^\n" * 12_000, "/a:1" * 32_000,
)  # fmt: skip


def source_of(printed: Path) -> Path:
    return next(path for path in printed.parent.glob(f"{printed.stem}.*") if path.suffix != ".txt")


def explained(printed: Path) -> explaining.Found | None:
    extension = source_of(printed).suffix
    name = f"{'Shark' if extension in ('.java', '.scala') else 'shark'}{extension}"
    how, _, text = printed.read_text().partition("\n")
    read = explaining.build if how == "build" else explaining.crash
    return read(printed.parent.name, text, {name: name, f"bot{extension}": name})


@pytest.mark.parametrize("printed", PRINTED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_real_failure_is_explained(printed: Path) -> None:
    case = f"{printed.parent.name}/{printed.stem}"
    found = explained(printed)
    told = f"{found.sentence} | {found.advice}" if found else "None | "
    assert told == EXPLAINED[case]
    assert (found is None) == (case in NEVER_PRINTED)


def test_every_language_has_at_least_five_failures() -> None:
    assert [it for it in RECIPES if len(list((FOLDER / it).glob("*.txt"))) < 5] == []
    assert set(explaining.READERS) == set(RECIPES)


def test_a_line_of_the_library_is_never_blamed() -> None:
    trace = (
        'Traceback (most recent call last):\n  File "/box/bot.py", line 3, in <module>\n    json.loads("")\n'
        '  File "/usr/lib/python3.11/json/__init__.py", line 346, in loads\n'
        "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)\n"
    )
    found = explaining.crash("python", trace, {"bot.py": "my shark.py"})
    assert found is not None
    assert found.sentence == "JSONDecodeError: Expecting value: line 1 column 1 (char 0) (my shark.py, line 3)"


def python(said: str) -> str:
    return f'Traceback (most recent call last):\n  File "/box/bot.py", line 1, in <module>\n{said}\n'


HEADER = "{}:1:1: fatal error: {}: No such file or directory\n"


@pytest.mark.parametrize(
    ("language", "said", "there"),
    [
        ("c", HEADER.format("m.c", "cards\\Hand.h"), "cards/hand.h"),
        ("c", HEADER.format("m.c", "hand.h"), "hand-old.h"),
        ("c", HEADER.format("m.c", "hand.h"), "hand.h.txt"),
        ("c", HEADER.format("m.c", "größe.h"), "Größe (1).h"),
        ("cpp", HEADER.format("my main.cpp", "my-cards.h"), "My Cards.hpp"),
        ("python", python("ModuleNotFoundError: No module named 'helper'"), "Helper.py"),
        ("python", python("ModuleNotFoundError: No module named 'cards.my_helper'"), "lib/my-helper (1).py"),
        ("python", python("FileNotFoundError: [Errno 2] No such file or directory: 'data/Book.txt'"), "book.txt"),
        ("perl", "Can't locate My/Cards.pm in @INC (@INC contains: /box) at bot.pl line 1.\n", "lib/cards.pm"),
        ("lua", "lua5.4: bot.lua:1: module 'cards.hand' not found:\n", "cards/Hand.lua"),
        ("javascript", "Error: Cannot find module './hand.js'\n    at x (/box/bot.js:1:1)\n", "Hand.js"),
        ("pascal", "bot.pas(1,1) Fatal: Can't find unit Hand used by bot\n", "Hand2.pas"),
        (
            "tcl",
            'couldn\'t read file "hand.tcl": no such file or directory\n    while executing\n"source"\n',
            "Hand.tcl",
        ),
        ("haskell", "bot.hs:1:1: error:\n    Could not find module ‘Cards.Hand’\n    Use -v\n", "cards/hand.hs"),
    ],
)
def test_what_is_in_the_upload_by_a_similar_name_is_not_asked_for(language: str, said: str, there: str) -> None:
    others = [
        "m.c",
        "handler.h",
        "hand.c",
        "handler.pas",
        "helpers.py",
        *(f"bot.{it}" for it in ("py", "lua", "pas", "hs")),
    ]
    for name, has in ((there, True), ("other.txt", False)):
        for read in (explaining.build, explaining.crash):
            found = read(language, said, {it: it for it in (*others, name)})
            assert found is None or found.advice.startswith(f"It is in your upload as {there}.") == has, found
        assert explaining.build(language, said, {}) or explaining.crash(language, said, {})


def test_a_table_that_c_does_not_find_is_named_with_its_folder() -> None:
    found = explaining.crash("c", "w.txt: No such file or directory\n", {"src/w.txt": "src/w.txt"})
    assert "It is in your upload as src/w.txt." in getattr(found, "advice", "")
    assert explaining.crash("c", "open: No such file or directory\n", {"open.c": "open.c"}) is None, "a call"


def test_a_file_of_a_folder_is_named_by_its_path() -> None:
    trace = 'Traceback (most recent call last):\n  File "/box/brain/step.py", line 7, in go\nOSError: gone\n'
    found = explaining.crash("python", trace, {"brain/step.py": "brain/step.py"})
    assert found is not None
    assert (found.file, found.line) == ("brain/step.py", 7)


@pytest.mark.parametrize("language", sorted(explaining.READERS))
def test_what_is_said_of_any_text_is_short(language: str) -> None:
    """How long it takes to read: tests/clocks/test_hostile_text.py."""
    for text in NASTY[:4]:
        for read in (explaining.build, explaining.crash):
            found = read(language, text, {"bot.py": "shark.py"})
            assert found is None or len(found.what) <= LONGEST


def reads(language: str, text: str) -> None:
    explaining.build(language, text, {"bot.py": "shark.py"})
    explaining.crash(language, text, {"bot.py": "shark.py"})
    assert "\n" not in explaining.last_words(text)


ANY = given(st.sampled_from(sorted(explaining.READERS)), st.text())
test_any_text_can_be_read = settings(max_examples=10)(ANY(reads))
test_very_many_texts_can_be_read = pytest.mark.long("fuzz")(settings(max_examples=1000)(ANY(reads)))


def test_a_module_of_perl_itself_is_missing_only_where_a_part_of_perl_is_installed() -> None:
    """As on a bare Debian, which has the package perl-base."""
    said = "Can't locate {} in @INC (you may need to install the module) (@INC contains: /etc/perl) at b.pl line 5.\n"
    own, other = (explaining.crash("perl", said.format(file), {"b.pl": "b.pl"}) for file in ("FindBin.pm", "Moose.pm"))
    assert own is not None
    assert own.advice.endswith("apt-get install perl")
    assert other is not None
    assert "Upload its files" in other.advice


@pytest.mark.parametrize("language", ["python", "c", "go", "tcl"])
@pytest.mark.parametrize("said", ["", "out of cards"])
def test_our_own_lines_are_no_words_of_the_bot(language: str, said: str) -> None:
    errors = f"{said}\n{ours('The program crashed. It was started again.')}\n{ours('17 bytes were cut here.')}\n"
    found = explaining.ended("ended", language, errors, {})
    assert "Kibitz" not in found.sentence
    assert said in found.sentence
