"""`./run languages [NAME…]`: which languages this machine has, and which Debian packages provide the others.

Without names it prints the table, and with `--names` the names alone. With names it prints the packages that these
languages still need, on one line for apt-get.
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


def packages(recipes: Sequence[Recipe], path: str = SYSTEM_PATH) -> list[str]:
    """Return the missing packages of those languages, each once."""
    wanted = [package for recipe in recipes if recipe.missing(path) for package in recipe.packages.split()]
    return list(dict.fromkeys(wanted))


def main(names: Sequence[str], path: str = SYSTEM_PATH) -> int:
    if not names:
        print(table(path))
        return 0
    if list(names) == ["--names"]:
        print(*RECIPES)
        return 0
    found = [named(name) for name in names]
    if unknown := [name for name, recipe in zip(names, found, strict=True) if recipe is None]:
        there = ", ".join(RECIPES)
        print(f"There is no language {' or '.join(map(repr, unknown))}. The languages are: {there}.", file=sys.stderr)
        return 2
    print(*packages([recipe for recipe in found if recipe is not None], path))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
