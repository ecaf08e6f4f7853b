"""`./run languages`: which languages are installed, and which packages provide the others."""

import pytest

from games.installed import libraries_table, main, named, packages, table
from games.toolchains import RECIPES

NOWHERE = "/nonexistent"


@pytest.mark.parametrize("name", ["cpp", "C++", "c++", "g++"])
def test_a_language_is_found_by_what_people_call_it(name: str) -> None:
    assert named(name) is RECIPES["cpp"]


def test_node_is_javascript_and_klingon_is_nothing() -> None:
    assert named("Node") is RECIPES["javascript"]
    assert named("klingon") is None


def test_the_table_names_every_language_with_its_packages_and_whether_it_is_here() -> None:
    lines = table(NOWHERE).splitlines()[1:]
    assert [line.split()[0] for line in lines] == list(RECIPES)
    assert all("not installed" in line and line.endswith(RECIPES[line.split()[0]].packages) for line in lines)
    assert "not installed" not in next(line for line in table().splitlines() if line.startswith("python "))


def test_the_packages_are_those_that_are_missing_each_once() -> None:
    wanted = [RECIPES[slug] for slug in ("scala", "java", "c")]
    assert packages(wanted, NOWHERE) == ["scala", "default-jdk-headless", "gcc", "libc6-dev"]
    assert packages([RECIPES["python"]]) == []


def test_names_give_one_line_for_apt(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["Haskell", "go"], NOWHERE) == 0
    assert capsys.readouterr().out == "ghc golang-go\n"


def test_an_unknown_name_is_said_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["go", "klingon"], NOWHERE) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "There is no language 'klingon'. The languages are: c, cpp, pascal," in said.err


def test_no_name_gives_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert capsys.readouterr().out == f"{table()}\n\n{libraries_table()}\n"
