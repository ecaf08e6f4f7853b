"""Sources are built whatever their authors call them: by the class, by the usual extension, without marks."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from games.build import program_of
from games.compiled import name_of, renamed, single
from games.entries import laid_out
from games.players import PROTOCOLS, HousePlayer, Seated
from games.referee import play
from games.toolchains import RECIPES
from tests.games.workshop import needs

HEARTS = games.get("hearts")
BOT = (Path(str(HEARTS.folder)) / "kit" / "RandomPlayer.java").read_text(encoding="utf-8")

CLASS = "public class Bot {\n  public static void main(String[] args) {}\n}\n"
MAIN = "public static void main(java.lang.String... args) {}"
JAVA = [
    ("entry.java", CLASS, "Bot.java"),
    ("Bot (1).java", CLASS, "Bot.java"),
    ("BOT.JAVA", CLASS, "Bot.java"),
    ("x.java", CLASS.replace("Bot", "Räuber"), "Räuber.java"),
    ("x.java", "// public class No {\n/* public class Nor { */\n" + CLASS, "Bot.java"),
    ("x.java", 'class A { String a = "public class No {"; }\n' + CLASS, "Bot.java"),
    ("x.java", "class A { public class In {} public static class Nor {} }\n" + CLASS, "Bot.java"),
    ("x.java", "class A {}\nclass B { public static void main(String[] args) {} }\nclass C {}", "B.java"),
    ("x.java", 'class A { String a = """\n a " b {\n public class No {\n """; }\n' + CLASS, "Bot.java"),
    ("x.java", CLASS.replace("Bot", "My$Bot"), "My$Bot.java"),
    ("x.java", CLASS.replace("Bot", "Ra\u0308uber"), "Ra\u0308uber.java"),  # as macOS writes it
    ("x.java", "public final class Bot {}", "Bot.java"),
    ("x.java", "public abstract sealed class Bot permits B {}", "Bot.java"),
    ("x.java", "public record Bot(int a) {}", "Bot.java"),
    ("x.java", "public enum Bot { A }", "Bot.java"),
    ("x.java", "public interface Plan { int card(); }\n" + CLASS.removeprefix("public "), "Bot.java"),
    ("x.java", CLASS.removeprefix("public ") + "public class Helper {}", "Bot.java"),
    ("x.java", "public @interface Mark {}\nclass A { void main(int a) {} }\n" + CLASS, "Bot.java"),
    ("x.java", "@Mark({A.class})\nfinal public @Old class Bot<T> {}", "Bot.java"),
    ("x.java", "// by ada\rpublic class Bot {}", "Bot.java"),
    ("Bot.java", "class Deck { void m() {} MAIN }\nclass Bot { MAIN }\nclass Last { MAIN }", "Bot.java"),
    ("Own.java", "}}}} what is this", "Own.java"),
    ("my own.java", "nothing", "entry.java"),
]
SCALA = [
    ("x.scala", "class A\nobject Bot { def main(args: Array[String]): Unit = () }", "Bot.scala"),
    ("x.scala", "object Helper { val a = 1 }\nobject Bot extends App { println(1) }", "Bot.scala"),
    ("X.SCALA", "object Bot {}", "Bot.scala"),
    ("x.scala", "object A extends Base(1)\nobject Bot\n  extends Base[Int](2)\n  with scala.App {}", "Bot.scala"),
    ("x.scala", 'object Helper { val a = """{ " {""" }\nobject Bot extends Player with App {}', "Bot.scala"),
]
OTHERS = [
    ("c", "MYBOT.C", "MYBOT.c"),
    ("c", "bot.c", "bot.c"),
    ("c", "Kit.c", "entry.c"),
    ("c", "-o.c", "entry.c"),
    ("c", "my bot.c", "entry.c"),
    ("c", "x" * 200 + ".c", "entry.c"),
    ("cpp", "MYBOT.CC", "MYBOT.cc"),
    ("cpp", "bot.CPP", "bot.cpp"),
    ("pascal", "BOT.PAS", "BOT.pas"),
    ("haskell", "Bot.HS", "Bot.hs"),
    ("php", "Bot.PHP", "bot.php"),
    ("python", "random.py", "bot.py"),
    ("javascript", "Shark.MJS", "bot.mjs"),
]


@pytest.mark.parametrize(("name", "text", "built"), JAVA)
def test_java_is_named_by_its_class(name: str, text: str, built: str) -> None:
    assert name_of(RECIPES["java"], name, text.replace("MAIN", MAIN).encode()) == built


@pytest.mark.parametrize(("name", "text", "built"), SCALA)
def test_scala_is_named_by_its_object(name: str, text: str, built: str) -> None:
    assert name_of(RECIPES["scala"], name, text.encode()) == built


@pytest.mark.parametrize(("language", "name", "built"), OTHERS)
def test_the_language_decides_how_the_extension_is_spelled(language: str, name: str, built: str) -> None:
    assert name_of(RECIPES[language], name, b"", ["kit.c"]) == built


@pytest.mark.parametrize("language", ["java", "php", "c", "python"])
def test_a_mark_at_the_beginning_is_not_built(language: str) -> None:
    assert single(RECIPES[language], b"\xef\xbb\xbfx = 1\n") == b"x = 1\n"


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        (
            "java",
            "/* package no; */\npackage de.team\n  .bots;\nimport java.util.*;\n",
            "/* package no; */ import java.util.*;",
        ),
        ("java", "package de;\nimport de.*;\nimport static de.Bot.A;\nimport den.B;\n", "import den.B;"),
        ("scala", "package de\npackage team\nimport de.team._\n", ""),
        ("scala", "package de.team {\nobject Bot {}\n}\n", "object Bot {}"),
        ("scala", "package object no {}\n", "package object no {}"),
        ("java", 'class A { String a = "package b;"; }\n', 'class A { String a = "package b;"; }'),
    ],
)
def test_a_package_is_not_built_and_the_lines_stay(language: str, text: str, left: str) -> None:
    built = single(RECIPES[language], text.encode()).decode()
    assert built.split() == left.split()
    assert built.count("\n") == text.count("\n")


def test_only_the_class_that_starts_a_program_is_public_in_what_is_built() -> None:
    text = "public interface Plan { public int card(); }\n" + CLASS
    assert single(RECIPES["java"], text.encode()).decode() == text.replace("public ", " " * 7, 1)


class TestFolders:
    def test_sources_get_the_names_that_their_compiler_wants(self) -> None:
        files = {
            "src/Bot (1).java": CLASS.encode(),
            "src/Helper.java": b"class Helper {}",
            "Räuber.JAVA": b"public class Other {}",
        }
        assert renamed(RECIPES["java"], files) == {"src/Bot (1).java": "src/Bot.java", "Räuber.JAVA": "Other.java"}
        layout = laid_out(RECIPES["java"], files, "src/Bot (1).java", {})
        assert layout.entry == "src/Bot.java"
        assert set(layout.files) == {"src/Bot.java", "src/Helper.java", "Other.java"}

    @pytest.mark.parametrize(
        ("language", "entry", "text", "starts"),
        [
            ("java", "Bot.java", "public class Card {}\nclass Bot { MAIN }", "Bot"),
            (
                "java",
                "x/Any.java",
                "/*\npackage no\n*/ package de.us;\nclass A { MAIN }\npublic class B {}",
                "de.us.A",
            ),
            ("java", "Bot.java", "class Card { MAIN }\nclass Bot { MAIN }", "Bot"),
            ("java", "Bot.java", "interface Base { MAIN }\nclass Bot implements Base {}", "Base"),
            ("java", "Bot.java", "class Card {}\nclass Bot extends Base {}", "Bot"),
            ("scala", "any.scala", "package de\npackage team\nclass Bot\nobject Start extends App {}", "de.team.Start"),
            ("scala", "Bot.scala", "package object no {}\nobject Card {}\nobject Bot extends Base {}", "Bot"),
        ],
    )
    def test_the_class_with_the_main_starts(self, language: str, entry: str, text: str, starts: str) -> None:
        files = {entry: text.replace("MAIN", MAIN).encode(), "Base.java": b"class Base { }"}
        layout = laid_out(RECIPES[language], files, entry, {})
        assert starts in RECIPES[language].folder_commands(layout)[0]

    def test_no_file_is_lost_to_another(self) -> None:
        files = {"a.C": b"", "a.c": b"int main() {}"}
        assert renamed(RECIPES["c"], files) == {}

    def test_marks_go_from_sources_alone(self) -> None:
        files = {"bot.c": b"\xef\xbb\xbfint main() {}", "weights.bin": b"\xef\xbb\xbf\x00"}
        assert dict(laid_out(RECIPES["c"], files, "bot.c", {}).files) == {
            "bot.c": b"int main() {}",
            "weights.bin": b"\xef\xbb\xbf\x00",
        }


@pytest.mark.long("kits")
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("Bot.java", ("", "")),
        ("bot (2).java", ("", "")),
        ("RAEUBER.JAVA", ("RandomPlayer", "Räuber")),
        ("marked.java", ("/*", "\ufeff/*")),
        ("packed.java", ("/*", "package de.team;\n/*")),
        ("Plan.java", ("public class RandomPlayer", "public interface Plan {}\nclass RandomPlayer")),
    ],
)
def test_a_java_bot_plays_whatever_it_is_called(name: str, change: tuple[str, str], tmp_path: Path) -> None:
    needs("java")
    old, new = change
    text = BOT.replace(old, new, 1 if "/*" in old else -1) if old else BOT
    (tmp_path / name).write_text(text, encoding="utf-8")
    program = program_of(HEARTS, str(tmp_path / name))
    house = [Seated(f"{number}", "house", HousePlayer(HEARTS.house[0])) for number in range(3)]
    seated = [Seated("bot", name, PROTOCOLS[HEARTS.protocol](program)), *house]
    options = HEARTS.preset().options
    record = play(HEARTS, seated, seed=1, options=options, preset=HEARTS.preset().name, games=1).record
    assert record["result"]["disqualified"] == []
