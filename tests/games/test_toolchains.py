import subprocess
from pathlib import Path

import pytest

from games.toolchains import RECIPES, recognise


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("bot.c", "c"),
        ("bot.cpp", "cpp"),
        ("BOT.CPP", "cpp"),
        ("bot.cc", "cpp"),
        ("my.bot.pas", "pascal"),
        ("bot.py", "python"),
        ("bot.txt", None),
        ("bot", None),
        (".c", None),
    ],
)
def test_a_language_is_known_by_the_extension(name: str, language: str | None) -> None:
    recipe = recognise(name)
    assert (recipe.language if recipe else None) == language


def test_no_extension_is_two_languages() -> None:
    extensions = [extension for recipe in RECIPES.values() for extension in recipe.extensions]
    assert len(extensions) == len(set(extensions))
    assert all(extension == extension.lower() and extension.startswith(".") for extension in extensions)


def test_only_what_can_be_linked_is_named_in_the_command() -> None:
    kit = ("acm98.h", "acm98.c")
    assert RECIPES["c"].build_command("my bot.c", kit) == [
        "gcc", "-std=gnu17", "-O2", "-static", "-o", "bot", "my bot.c", "acm98.c", "-lm",
    ]  # fmt: skip
    assert "acm98.pas" not in RECIPES["pascal"].build_command("bot.pas", ("acm98.pas",))


def test_python_is_run_as_it_is() -> None:
    assert RECIPES["python"].build_command("bot.py", ("acm98.py",)) == []
    assert RECIPES["python"].run_command("bot.py", "/opt/python") == ["/opt/python", "-u", "bot.py"]


HELLO = {
    "c": '#include <stdio.h>\nint main(void) { puts("hello"); }',
    "cpp": '#include <iostream>\nint main() { std::cout << "hello\\n"; }',
    "pascal": "begin writeln('hello') end.",
    "python": "print('hello')",
}


@pytest.mark.parametrize("language", RECIPES)
def test_hello_in_every_language(tmp_path: Path, language: str) -> None:
    recipe = RECIPES[language]
    source = f"hello{recipe.extensions[0]}"
    (tmp_path / source).write_text(HELLO[language])
    if command := recipe.build_command(source):
        built = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert built.returncode == 0, built.stderr
    out = subprocess.run(recipe.run_command(source), cwd=tmp_path, capture_output=True, check=True)
    assert out.stdout.strip() == b"hello"
