"""How entries in the various languages are built and run: one table for the command line and the portal.

Commands are argument lists with placeholders, run in a folder that holds the entry and the game's kit files
(`Game.kit_sources[language]`), and nothing else:

    {source}   the entry's file name          {stem}     the same without its extension
    {kit}      as a word of its own: the kit files with one of the recipe's `linked` extensions
    {python}   the Python interpreter (the portal's: the one inside the sandbox)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True, slots=True)
class Recipe:
    """One language. `build` is empty where nothing is built; `run` starts the bot from the same folder."""

    language: str  # the key of Game.kit_sources and Preset.languages
    title: str
    extensions: tuple[str, ...]  # lower case, with the dot; the first is the usual one
    build: tuple[str, ...]
    run: tuple[str, ...]
    linked: tuple[str, ...] = ()

    def build_command(self, source: str, kit: Sequence[str] = (), python: str = "python3") -> list[str]:
        return _filled(self.build, source, [name for name in kit if name.endswith(self.linked or ("\0",))], python)

    def run_command(self, source: str, python: str = "python3") -> list[str]:
        return _filled(self.run, source, [], python)


def _filled(template: Sequence[str], source: str, kit: list[str], python: str) -> list[str]:
    words: list[str] = []
    for word in template:
        if word == "{kit}":
            words += kit
        else:
            words.append(word.format(source=source, stem=PurePath(source).stem, python=python))
    return words


RECIPES: dict[str, Recipe] = {
    recipe.language: recipe
    for recipe in (
        Recipe(
            "c",
            "C",
            (".c",),
            build=("gcc", "-std=gnu17", "-O2", "-static", "-o", "bot", "{source}", "{kit}", "-lm"),
            run=("./bot",),
            linked=(".c",),
        ),
        Recipe(
            "cpp",
            "C++",
            (".cpp", ".cc", ".cxx"),
            build=("g++", "-std=gnu++17", "-O2", "-static", "-o", "bot", "{source}", "{kit}"),
            run=("./bot",),
            linked=(".cpp",),
        ),
        Recipe(
            "pascal",
            "Pascal",
            (".pas", ".pp", ".p"),
            build=("fpc", "-O2", "-Xs", "-obot", "{source}"),
            run=("./bot",),
        ),
        Recipe("python", "Python", (".py",), build=(), run=("{python}", "-u", "{source}")),
    )
}


def recognise(filename: str) -> Recipe | None:
    """The recipe for a file name, by its extension; None when no language has it."""
    extension = PurePath(filename).suffix.lower()
    return next((recipe for recipe in RECIPES.values() if extension in recipe.extensions), None)
