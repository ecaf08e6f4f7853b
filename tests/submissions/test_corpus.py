"""Folders as their authors have them: fifty small ones, five languages by ten habits. Nothing is compiled here.

Each is read as an archive, as the page and the API do, and from the disk, as `kibitz` does. A row says which file
starts the program, what is compiled with it, what is left out, and what is said of a refusal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from contest.models import Contest
from games import entries, local_folders
from games.build import program_of
from games.engine import OptionError
from games.kits import zipped
from submissions import sources
from submissions.languages import Language
from submissions.uploads import Upload

CONTEST = Contest(game_slug="intensity", memory_mb=1024)


@dataclass(frozen=True)
class Row:
    """What an author has beside the files of the language, and what becomes of all."""

    more: dict[str, str]
    entry: str = ""
    built: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    said: str = ""


ELF, JAR, DOCX = "\x7fELF\0\0", "PK\x03\x04 jar", "PK\x03\x04 Word"
C = {"bot.c": '#include "hand.h"\nint main(void) { return best(); }\n', "hand.c": "int best(void) { return 7; }\n"}
C |= {"hand.h": "int best(void);\n"}
C_MAIN = "int main(void) { return 1; }\n"
CPP = {"bot.cpp": '#include "hand.hpp"\nint main() { return best(); }\n', "hand.cpp": "int best() { return 7; }\n"}
CPP |= {"hand.hpp": "int best();\n"}
JAVA = {"Bot.java": "class Bot { public static void main(String[] a) { Hand.best(); } }\n"}
JAVA |= {"Hand.java": "class Hand { static int best() { return 7; } }\n"}
JAVA_MAIN = "class Other { public static void main(String[] a) {} }\n"
PYTHON = {"bot.py": "import hand\nprint(hand.best())\n", "hand.py": "def best():\n    return 7\n"}
GUARD = "if __name__ == '__main__':\n    main()\n"
JS = {"bot.js": "console.log(require('./hand').best());\n", "hand.js": "exports.best = () => 7;\n"}
FILES = {"c": C, "cpp": CPP, "java": JAVA, "python": PYTHON, "javascript": JS}
VENV = {".venv/bin/python": "", "venv/pyvenv.cfg": "", "venv/lib/x/y/z/a/b/c/d/e/f.py": "", "__pycache__/hand.pyc": ""}

CORPUS: dict[str, dict[str, Row]] = {
    "tests beside the sources": {
        "c": Row({"hand_test.c": C_MAIN, "tests/test_bot.c": C_MAIN}, "bot.c", ("hand.c",)),
        "cpp": Row({"HandTest.cpp": "#include <gtest/gtest.h>\n"}, "bot.cpp", ("hand.cpp",)),
        "java": Row({"HandTest.java": "import org.junit.Test;\n" + JAVA_MAIN}, "Bot.java", ("Hand.java",)),
        "python": Row({"test_bot.py": "import bot\n" + GUARD, "tests/test_hand.py": GUARD}, "bot.py"),
        "javascript": Row({"hand.test.js": "require('./hand');\n", "__tests__/bot.js": ""}, "bot.js"),
    },
    "an include folder": {
        "c": Row({"include/cards/card.h": "int card;\n"}, "bot.c", ("hand.c",)),
        "cpp": Row({"include/card.hpp": "", "src/card.cpp": "int card;\n"}, "bot.cpp", ("hand.cpp", "src/card.cpp")),
        "java": Row({"cards/Card.java": "package cards;\n"}, "Bot.java", ("Hand.java", "cards/Card.java")),
        "python": Row({"cards/__init__.py": "", "cards/card.py": GUARD}, "", said="bot.py"),
        "javascript": Row({"cards/index.js": "exports.x = 1;\n"}, "bot.js"),
    },
    "a vendored library": {
        "c": Row({"lib/json/json.c": "int json;\n", "lib/json/main.c": C_MAIN}, "bot.c", ("hand.c", "lib/json/json.c")),
        "cpp": Row({"lib/tool/main.cpp": "int main() {}\n"}, "bot.cpp", ("hand.cpp",)),
        "java": Row({"org/x/Main.java": "package org.x;\n" + JAVA_MAIN}, "Bot.java", ("Hand.java", "org/x/Main.java")),
        "python": Row(VENV, "bot.py", left_out=(".venv/", "__pycache__/", "venv/")),
        "javascript": Row(
            {"node_modules/@x/y/index.js": "", "node_modules/y/dist/a.js": "", "node_modules/.bin/y": ""},
            "bot.js",
            left_out=("node_modules/.bin/",),
        ),
    },
    "a compiled program": {
        "c": Row({"bot": ELF, "hand.o": ELF, "bot.exe": "MZ"}, "bot.c", ("hand.c",), ("bot", "bot.exe", "hand.o")),
        "cpp": Row({"build/bot": ELF, "CMakeLists.txt": ""}, "bot.cpp", ("hand.cpp",), ("build/",)),
        "java": Row(
            {"Bot.class": "", "target/a.txt": "", "pom.xml": ""}, "Bot.java", ("Hand.java",), ("Bot.class", "target/")
        ),
        "python": Row({"dist/bot.py": GUARD, "pyproject.toml": "", "fast.so": ELF}, "bot.py", (), ("dist/", "fast.so")),
        "javascript": Row(
            {"dist/bot.js": "", "package.json": "", "fast.node": ELF}, "bot.js", (), ("dist/", "fast.node")
        ),
    },
    "an archive, a jar or a document": {
        "c": Row({"kit.zip": JAR, "Strategy.docx": DOCX}, "bot.c", ("hand.c",), ("Strategy.docx", "kit.zip")),
        "cpp": Row({"old.tbz": "", "rules.pdf": "%PDF"}, "bot.cpp", ("hand.cpp",), ("old.tbz", "rules.pdf")),
        "java": Row({"lib/gson-2.2.4.jar": JAR}, "Bot.java", ("Hand.java",), ("lib/gson-2.2.4.jar",)),
        "python": Row({"weights.npz": JAR, "kit.7z": ""}, "bot.py", (), ("kit.7z",)),
        "javascript": Row({"book.json.gz": "\x1f", "kibitz.pyz": JAR}, "bot.js", (), ("kibitz.pyz",)),
    },
    "files of an editor": {
        "c": Row(
            {".vscode/tasks.json": "{}", "bot.c~": "", "__MACOSX/._bot.c": ""},
            "bot.c",
            ("hand.c",),
            (".vscode/", "__MACOSX/", "bot.c~"),
        ),
        "cpp": Row({"a.sln": "", "Debug/a.log": "", "a.dSYM/a": ""}, "bot.cpp", ("hand.cpp",), ("Debug/", "a.dSYM/")),
        "java": Row(
            {".idea/a.xml": "", "bot.iml": "", "out/a.txt": ""}, "Bot.java", ("Hand.java",), (".idea/", "out/")
        ),
        "python": Row(
            {".idea/a.xml": "", ".DS_Store": "", ".tox/x/y.py": ""}, "bot.py", (), (".DS_Store", ".idea/", ".tox/")
        ),
        "javascript": Row(
            {"Thumbs.db": "", "desktop.ini": "", ".git/config": ""}, "bot.js", (), (".git/", "Thumbs.db", "desktop.ini")
        ),
    },
    "two mains": {
        "c": Row({"arena.c": C_MAIN}, said="arena.c or bot.c"),
        "cpp": Row({"tools/arena.cpp": "int main() {}\n"}, "bot.cpp", ("hand.cpp",)),
        "java": Row({"Other.java": JAVA_MAIN, "A.java": "\0"}, said="Bot.java or Other.java"),
        "python": Row({"bot.py": GUARD, "arena.py": "import hand\n" + GUARD}, said="arena.py or bot.py"),
        "javascript": Row({"arena.js": "require('./hand');\n"}, said="arena.js or bot.js"),
    },
    "an unused draft": {
        "c": Row({"draft/old.c": C_MAIN, "hand - Kopie (2).c": ""}, "bot.c", ("hand.c",), ("hand - Kopie (2).c",)),
        "cpp": Row({"plot.py": "print()\n"}, "bot.cpp", ("hand.cpp",)),
        "java": Row({"old/A.java": "package old;", "module-info.java": ""}, "Bot.java", ("Hand.java", "old/A.java")),
        "python": Row({"bot.py": "import hand\n" + GUARD, "old_idea.py": "import hand\nprint 'x'\n"}, "bot.py"),
        "javascript": Row({"old/idea.js": "syntax error\n"}, "bot.js"),
    },
    "spaces, umlauts and signs in names": {
        "c": Row({"größe und farbe.h": "", "Anna’s a.txt": ""}, "bot.c", ("hand.c",), ("Anna’s a.txt",)),
        "cpp": Row({"mein Kopf.cpp": "", "what*ever.cpp": ""}, said="what*ever.cpp” cannot be used as a name"),
        "java": Row({"log 12:30.txt": "", "a$b.txt": ""}, "Bot.java", ("Hand.java",), ("a$b.txt", "log 12:30.txt")),
        "python": Row({"Screenshot at 9.41\u202fAM.png": "x"}, "bot.py", (), ("Screenshot at 9.41\u202fAM.png",)),
        "javascript": Row({"bot – Kopie.js": ""}, "bot.js", (), ("bot – Kopie.js",)),
    },
    "a Makefile": {
        "c": Row(
            {"Makefile": "bot: bot.o hand.o\n\tgcc -o bot bot.o hand.o\n", "old.c": "x", "build/hand.d": "x"},
            "bot.c",
            ("hand.c",),
            ("build/",),
        ),
        "cpp": Row(
            {"Makefile": "bot: hand.cpp bot.cpp\n\tg++ -o bot bot.cpp hand.cpp\n", "a.cpp": "int main() {}\n"},
            "bot.cpp",
            ("hand.cpp",),
        ),
        "java": Row(
            {"Makefile": "all:\n\tjavac Bot.java\n", "Other.java": JAVA_MAIN}, "Bot.java", ("Hand.java", "Other.java")
        ),
        "python": Row({"Makefile": "run:\n\tpython3 bot.py\n", "play.py": GUARD}, "bot.py"),
        "javascript": Row({"Makefile": "run:\n\tnode bot.js\n", "play.js": ""}, "bot.js"),
    },
}


@pytest.mark.parametrize("name", ["Anna’s shark.py", "🦈.py", "shark*.lua"])
def test_a_program_with_an_odd_name_is_not_left_out_for_its_helper(name: str) -> None:
    ending = Path(name).suffix
    said = reading({name: "import helper\n", f"helper{ending}": ""}).problems["source"]
    assert "cannot be used as a name" in said


def test_a_name_that_windows_reserves_is_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(reading({"main.py": "import con\n", "con.py": "", "aux.h": ""}).files) == {"main.py", "con.py", "aux.h"}


def test_the_only_program_is_no_build_folder() -> None:
    """As with TypeScript: only what its compiler made is a program here."""
    files = {"dist/bot.js": "", "src/bot.ts": "", "package.json": "", "node_modules/x/index.js": ""}
    assert set(reading(files).files) == set(files)
    assert set(reading(more := files | {"webpack.config.js": ""}).files) == set(more)


def reading(files: dict[str, str]) -> sources.Reading:
    packed = zipped({f"Anna’s shark/Anna’s shark/{path}": text.encode() for path, text in files.items()})
    return sources.understand(CONTEST, [Upload("shark.zip", packed)])


@pytest.mark.parametrize("language", FILES)
@pytest.mark.parametrize("habit", CORPUS)
def test_a_folder_as_authors_have_it(
    habit: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Language, "installed", lambda self: True)  # what this machine has decides nothing here
    row = CORPUS[habit][language]
    files = FILES[language] | row.more
    found = reading(files)
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    if not row.entry:
        said = " ".join(found.problems.values())
        assert row.said in said
        with pytest.raises(OptionError, match=re.escape(said)):
            program_of(CONTEST.game, str(tmp_path))
        return
    assert found.program, found.problems
    assert (found.program.language.slug, found.program.entry) == (language, row.entry)
    at_home = local_folders.read(tmp_path)
    assert at_home.files == found.program.files
    assert tuple(sorted(at_home.left_out)) == row.left_out
    assert all(notice in found.notices for notice in at_home.notices())
    plan = entries.laid_out(found.program.language.recipe, found.program.files, row.entry, {})
    assert plan.more == row.built or not found.program.language.recipe.build
