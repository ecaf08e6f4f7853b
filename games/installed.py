"""`./run languages [NAME…]`: which languages this machine has, and which Debian packages provide the others.

Without names it prints the table, and with `--names` the names alone. With names it prints the packages that these
languages still need, on one line for apt-get, and with `--libraries` those of their libraries too.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from games.recipe import Recipe
from games.toolchains import RECIPES, SYSTEM_PATH


def named(name: str) -> Recipe | None:
    """Find a language by its name, its slug or one of its programs. Case does not matter."""
    wanted = name.lower()
    for recipe in RECIPES.values():
        if wanted in (recipe.language, recipe.title.lower(), *recipe.programs):
            return recipe
    return None


def table(path: str = SYSTEM_PATH) -> str:
    """Return one line per language: its name, whether it is installed on that search path, its packages."""
    lines = [
        f"{recipe.language:<12}{recipe.title:<12}{'not installed' if recipe.missing(path) else 'installed':<15}"
        f"{recipe.packages}"
        for recipe in RECIPES.values()
    ]
    return "\n".join([f"{'NAME':<12}{'LANGUAGE':<12}{'':<15}DEBIAN PACKAGES", *lines])


def packages(recipes: Sequence[Recipe], path: str = SYSTEM_PATH, *, libraries: bool = False) -> list[str]:
    """Return the missing packages of those languages, each once; those of their libraries too, if wanted."""
    wanted = [package for recipe in recipes if recipe.missing(path) for package in recipe.packages.split()]
    if libraries:
        wanted += [it.package for recipe in recipes for it in recipe.libraries if not it.version()]
    return list(dict.fromkeys(wanted))


def libraries_table() -> str:
    """Return one line per library: its language, its name, the version that is installed, its package."""
    lines = [
        f"{recipe.language:<12}{it.title:<18}{it.version() or 'not installed':<27}{it.package}"
        for recipe in RECIPES.values()
        for it in recipe.libraries
    ]
    return "\n".join([f"{'LANGUAGE':<12}{'LIBRARY':<18}{'':<27}DEBIAN PACKAGE", *lines])


def main(names: Sequence[str], path: str = SYSTEM_PATH) -> int:
    if not names:
        print(table(path), "", libraries_table(), sep="\n")
        return 0
    if list(names) == ["--names"]:
        print(*RECIPES)
        return 0
    libraries = "--libraries" in names
    names = [name for name in names if name != "--libraries"]
    found = [named(name) for name in names]
    if unknown := [name for name, recipe in zip(names, found, strict=True) if recipe is None]:
        there = ", ".join(RECIPES)
        print(f"There is no language {' or '.join(map(repr, unknown))}. The languages are: {there}.", file=sys.stderr)
        return 2
    print(*packages([recipe for recipe in found if recipe is not None], path, libraries=libraries))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
