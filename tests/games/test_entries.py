"""Which file starts a program of several, and what is compiled with it."""

from __future__ import annotations

import pytest

from games import entries
from games.entries import EntryError, find, laid_out
from games.toolchains import RECIPES

MAIN = "int main(int argc, char **argv)\n{\n    return 0;\n}\n"
NO_MAIN = '// int main() {\n#include "b.h"\nchar *s = "int main() {";\nint domain(int main_) { main(); return 0; }\n'


GUARD = "if __name__ == '__main__':\n    main()\n"


def entry_of(files: dict[str, str], **more: object) -> str:
    return find({path: text.encode() for path, text in files.items()}, **more).path  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("files", "entry", "why"),
    [
        ({"a.c": "", "a.h": "", "README": ""}, "a.c", "it is the only source file"),
        ({"main.c": MAIN, "a.c": MAIN}, "main.c", "it is called main.c"),
        ({"main.c": NO_MAIN, "a.c": MAIN}, "a.c", "it is the only file with a main"),
        ({"src/Main.java": "void main(", "src/Other.java": "void main("}, "src/Main.java", "it is called Main.java"),
        ({"main.py": "", "lib/main.py": ""}, "main.py", "it is called main.py"),
        ({"bot/__main__.py": "", "bot/a.py": ""}, "bot/__main__.py", "it is called __main__.py"),
        ({"b/__init__.py": "", "b/a.py": "from . import c", "b/c.py": ""}, "b/a.py", "no other file names it"),
        ({"a.c": MAIN, "b.c": NO_MAIN}, "a.c", "it is the only file with a main"),
        ({"a.cpp": "auto main() -> int {}", "b.cpp": NO_MAIN}, "a.cpp", "it is the only file with a main"),
        ({"a.c": "main(argc, argv) char **argv; {}", "b.c": NO_MAIN}, "a.c", "it is the only file with a main"),
        ({"a.c": MAIN, "tests/b.c": MAIN}, "a.c", "the other sources are tests or tools"),
        ({"a.cpp": MAIN, "lib/tool/main.cpp": MAIN}, "a.cpp", "of those with a main it is nearest to the top"),
        (
            {"a.cpp": MAIN, "b.cpp": "#include <catch2/catch.hpp>\n" + MAIN},
            "a.cpp",
            "of those with a main it is nearest to the top",
        ),
        ({"a.py": "import b", "b.py": "", "test_a.py": "import a\n" + GUARD}, "a.py", "no other file names it"),
        ({"Cat.java": "void main(", "CatTest.java": "void main("}, "Cat.java", "the other sources are tests or tools"),
        (
            {"src/a.cpp": MAIN, "plot.py": "", "tool/plot.py": GUARD},
            "src/a.cpp",
            "of those with a main it is nearest to the top",
        ),
        ({"src/main.py": "", "draft.py": ""}, "src/main.py", "it is called main.py"),
        ({"setup.py": "", "x/__main__.py": "", "x/a.py": ""}, "x/__main__.py", "it is called __main__.py"),
        ({"a.js": "", "tools/b.js": ""}, "a.js", "of those that no other file names it is nearest to the top"),
        ({"a.py": "import lib.main", "lib/main.py": ""}, "a.py", "it names the file with a main"),
        (
            {"a.py": "", "b.py": GUARD, "Makefile": "run:\n\tpython3 a.py\n"},
            "a.py",
            "Makefile names it",
        ),
        (
            {"A.java": "public static void main(String[] a)", "B.java": "class B {}"},
            "A.java",
            "it is the only file with a main",
        ),
        ({"a.pas": "{ unit } program A; begin end.", "b.pas": "unit b;"}, "a.pas", "it is the only file with a main"),
        ({"a.go": "package main\nfunc main() {", "b.go": "package main"}, "a.go", "it is the only file with a main"),
        ({"a/A.hs": "main = x", "B.hs": "", "Setup.hs": "main = x"}, "a/A.hs", "it is the only file with a main"),
        ({"a.rs": "fn main() {", "b.rs": "fn f() {}"}, "a.rs", "it is the only file with a main"),
        ({"a.py": "import c\n", "b.py": GUARD, "c.py": ""}, "b.py", "it is the only file with a main"),
        ({"a.py": "import main\n", "main.py": GUARD}, "main.py", "it is called main.py"),
        ({"a.py": "from b import x\n", "b.py": "x = 1\n"}, "a.py", "no other file names it"),
        ({"a.js": 'const b = require("./lib/b");', "lib/b.js": "exports.x = 1"}, "a.js", "no other file names it"),
        ({"a.js": "", "b.js": "", "package.json": '{"start": "node b.js"}'}, "b.js", "package.json names it"),
        ({"a.pl": 'require "./b.pl";', "b.pl": "1;"}, "a.pl", "no other file names it"),
        ({"a.lua": 'local b = require "b"', "b.lua": "return 1"}, "a.lua", "no other file names it"),
        ({"a.tcl": "source b.tcl", "b.tcl": ""}, "a.tcl", "no other file names it"),
        ({"a.cjs": 'require("./b")', "b.js": ""}, "a.cjs", "no other file names it"),
        ({"src/a.c": MAIN, "src/b.c": MAIN, "src/Makefile": "a: A.C\n"}, "src/a.c", "src/Makefile names it"),
        ({"bot": "#!/usr/bin/env python3\nimport b\n", "b.py": "X = 1\n"}, "bot", "no other file names it"),
        ({"bot": "#!/usr/bin/perl -w\n", "README": "A shark."}, "bot", "it is the only source file"),
        (
            {"Makefile": "bot: x.o y.o\n\tgcc -o bot x.o y.o\n", "x.c": MAIN, "y.c": NO_MAIN, "tool.c": MAIN},
            "x.c",
            "Makefile names it",
        ),
    ],
)
def test_the_entry_is_found_by_convention(files: dict[str, str], entry: str, why: str) -> None:
    found = find({path: text.encode() for path, text in files.items()})
    assert found.path == entry
    assert found.why == why


def test_what_is_open_is_asked() -> None:
    with pytest.raises(EntryError) as caught:
        entry_of({"a.c": MAIN, "b.c": MAIN, "c.h": ""})
    assert str(caught.value) == (
        "Several files could start the program: a.c or b.c. Choose the entry file, or call it main."
    )
    assert caught.value.candidates == ["a.c", "b.c"]
    with pytest.raises(EntryError, match=r"lib/main\.py or shark\.py"):
        entry_of({"shark.py": "print()", "lib/main.py": ""})
    with pytest.raises(EntryError, match=r"a\.py or b\.py"):  # a program with a module that tests itself, or another
        entry_of({"a.py": "import b", "b.py": GUARD})
    with pytest.raises(EntryError, match="None of the files is a source"):
        entry_of({"README.md": ""})
    with pytest.raises(EntryError, match=r"mybot\.c\.txt” ends in \.txt.* Call it mybot\.c\."):
        entry_of({"src/mybot.c.txt": MAIN, "hand.h": ""})
    with pytest.raises(EntryError, match=r"The files are in Rust, and the name of the entry must end in \.c"):
        entry_of({"main.rs": ""}, allowed=["c"])


def test_the_author_has_the_last_word() -> None:
    files = {"main.c": MAIN, "tools/a.c": MAIN, "tools/b.py": "", "b/x.c": "", "c/x.c": ""}
    assert entry_of(files, chosen="tools/a.c") == "tools/a.c"
    assert entry_of(files, chosen="a.c") == "tools/a.c"
    assert entry_of(files, chosen="./tools\\a.c") == "tools/a.c"
    assert entry_of(files, chosen="shark/main.c") == "main.c", "with the folder around all"
    assert entry_of(files, language="python") == "tools/b.py"
    assert entry_of(files, allowed=["python"]) == "tools/b.py"
    for chosen, words in (
        ("nothing.c", "“nothing.c” is not in the upload"),
        ("x.c", "Several files are called “x.c”: b/x.c and c/x.c"),
    ):
        with pytest.raises(EntryError, match=words):
            entry_of(files, chosen=chosen)
    with pytest.raises(EntryError, match=r"“main\.c” is no source in Python"):
        entry_of(files, chosen="main.c", language="python")


def test_routines_of_a_kit_need_no_main() -> None:
    files = {
        "strategy.c": '#include "acm98.h"\n#include "cards.h"\n',
        "cards.c": '#include "cards.h"\n',
        "cards.h": "",
        "acm98.c": MAIN,
        "acm98.h": "",
    }
    kit = ("acm98.c", "acm98.h")
    assert entry_of(files, kit=kit) == "strategy.c"
    assert entry_of({"b.c": "", "a.c": "", **files, "strategy.c": ""}, kit=kit) == "a.c", "all are compiled anyway"
    rivals = {"random.c": "void Play(void)\n{\n}\n", "shell.c": "void Play(void) {}\n"}
    with pytest.raises(EntryError, match=r"random\.c or shell\.c"):
        entry_of(rivals, kit=kit)


def layout(files: dict[str, str], entry: str, language: str = "c", **kit: str) -> entries.Layout:
    data = {path: text.encode() for path, text in files.items()}
    ours = {name.replace("_", "."): text.encode() for name, text in kit.items()}
    return laid_out(RECIPES[language], data, entry, ours)


def test_what_is_compiled_together() -> None:
    files = {
        "src/main.c": '#include "part.c"\n' + MAIN,
        "src/part.c": "",
        "src/board.c": "",
        "include/board.h": "",
        "tests/test.c": MAIN,
    }
    plan = layout(files, "src/main.c", kit_c="int main() {}", kit_h="")
    assert (plan.more, plan.kit) == (("src/board.c",), ("src/kit.c",))
    assert plan.folders == (".", "src", "include")
    assert list(map(" ".join, RECIPES["c"].folder_commands(plan))) == [
        "gcc -std=gnu17 -O2 -c src/kit.c",
        "ar rcs kit.a kit.o",
        "gcc -std=gnu17 -O2 -fcommon -static -o bot -I_own -iquote. -iquotesrc -iquoteinclude "
        "-idirafter. -idiraftersrc -idirafterinclude src/main.c src/board.c kit.a -lm",
    ]
    files["Makefile"] = "OBJS = src/main.o \\\n  build/board.o\nbot: $(OBJS)\n\trm -f *.o\n"
    files["src/old.c"] = "int board;"
    assert layout(files, "src/main.c").more == ("src/board.c",)
    files["Makefile"] = "ALL = $(wildcard src/*.c)\nbot: src/main.c $(ALL)\n"
    assert layout(files, "src/main.c").more == ("src/board.c", "src/old.c")


@pytest.mark.parametrize(
    ("makefile", "more"),
    [
        ("", ("hand.c", "own.c", "own_tests.c")),
        ("all: bot try\nbot: bot.c hand.h\n\tgcc bot.c -o bot\ntry: try.c hand.c\n", ()),
        ("O = bot.o \\\r\n  hand.o\r\n$(BOT): $(O)\r\nbot.o: bot.c own.c\r\ntry: try.o hand.o\r\n", ("hand.c",)),
        ("S = .\nbot: $(S)/bot.c $(S)/own.c\n", ("own.c",)),
        ("set(S bot.c)\nadd_executable(${P}\n ${S})\nadd_library(l own.c)\ntarget_link_libraries(${P} l)", ("own.c",)),
        ("file(GLOB S *.c)\nadd_executable(bot ${S})\n", ("hand.c", "own.c", "own_tests.c")),
        ("bot: bot.o libown.a\n\tgcc bot.o -L. -lown\nlibown.a: own.o\n\tar r libown.a $^\n", ("own.c",)),
        ("S = bot.c own.c hand_test.c\nbot: $(S:.c=.o)\n\tgcc -o $@ $^\n", ("hand_test.c", "own.c")),
        ("bot: bot.c\n\tgcc -o bot *.c\n", ("hand.c", "own.c", "own_tests.c")),
    ],
)
def test_tests_are_not_linked(makefile: str, more: tuple[str, ...]) -> None:
    files = {
        "CMakeLists.txt" if "add_" in makefile else "Makefile": makefile,
        "bot.c": '#include "own_tests.h"\n' + MAIN,
        "hand.c": "",
        "own.c": "",
        "own_tests.c": "",  # which the bot calls, as Intensity asks for
        "hand_test.c": '#include "hand.c"\n',
        "try.c": "#include <gtest/gtest.h>\n",
        "unity/unity.c": '#include "unity.h"\n',
    }
    assert layout(files, "bot.c").more == more


def test_what_is_called_a_test() -> None:
    for name in ("test_a.c", "a_tests.c", "tests/a.c", "HandTest.java", "TestHand.cc", "a.test.js"):
        assert entries.TEST.search(name)
        assert not entries.TEST.search(name.replace("est", "aste"))
    for name in ("contest.c", "latest.cc", "Contest.java", "protest/a.c", "Tester.java", "attest_a.c"):
        assert not entries.TEST.search(name)


def test_the_kits_own_files_replace_copies() -> None:
    copies = {"a.c": "", "lib/kit.c": "theirs", "more/kit.c": "theirs", "lib/kit.h": "theirs"}
    plan = layout(copies, "a.c", kit_c="ours", kit_h="ours")
    assert {plan.files[path] for path in ("lib/kit.c", "more/kit.c", "lib/kit.h")} == {b"ours"}
    assert (plan.more, plan.kit) == ((), ("lib/kit.c",)), "once"
    plan = layout({"org/A.java": "package org;"}, "org/A.java", "java", Kit_java="class Kit {}")
    assert plan.files["org/Kit.java"] == b"package org; class Kit {}", "which sees it nowhere else"


def test_a_class_in_a_package() -> None:
    files = {
        "src/org/x/Main.java": "// x\npackage org.x;\n",
        "src/org/x/B.java": "package org.x;",
        "test/T.java": "import org.junit.Test;",
    }
    (command,) = RECIPES["java"].folder_commands(layout(files, "src/org/x/Main.java", "java"))
    assert command[3:] == ["src/org/x/Main.java", "org.x.Main", "org/x/Main", "src/org/x/B.java"]
    plan = layout({"main.go": "package main", "brain/a.go": ""}, "main.go", "go")
    assert plan.files["go.mod"].startswith(b"module bot\n")
    assert RECIPES["go"].folder_commands(plan)[0][-1] == "./."


LONG = (
    *("/*" * 120_000, '"' * 250_000, "main(" * 50_000, "main() " * 36_000, "(*" * 120_000, "import " * 36_000),
    "\\" * 250_000,
)


def read_in_every_language(text: str) -> None:
    for ending in ("c", "pas", "py", "java", "hs"):
        with pytest.raises(EntryError):
            entry_of({f"a.{ending}": text, f"b.{ending}": text + " "})
