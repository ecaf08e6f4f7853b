"""House rules that a machine can check. import-linter checks the layers themselves (pyproject.toml)."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from games import GAMES

ROOT = Path(__file__).resolve().parent.parent
PORTAL = ("contest.", "submissions.", "tournaments.")
PACKAGES = ("games", "kibitz_rl", "contest", "submissions", "tournaments")


def sources():
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts and not {"kit", "plain"} & set(path.parts):
                yield path


SOURCES = list(sources())


def name(path):
    return str(path.relative_to(ROOT))


@cache
def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def hidden_imports(tree, inside=False):
    """First-party imports inside functions, as line numbers."""
    for node in ast.iter_child_nodes(tree):
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [node.module or PACKAGES[0]]  # `from . import` is first-party too
        if inside and any(module.split(".")[0] in PACKAGES for module in modules):
            yield node.lineno
        if not isinstance(node, ast.expr):
            yield from hidden_imports(node, inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def of_others(module):
    return module.split(".")[0] not in (*PACKAGES, *sys.stdlib_module_names)


def private_names(path):
    """What a module imports of another package that this keeps private."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom) and node.module and of_others(node.module):
            yield from (f"{name(path)}: {alias.name}" for alias in node.names if alias.name.startswith("_"))


def overridden():
    """Private methods of our classes that a class of another package has as well."""
    importlib.import_module("contest.urls")  # and with it nearly all of the portal
    for module in [each for each in sys.modules.values() if each.__name__.startswith(PORTAL)]:
        tree = parsed(Path(module.__file__ or ""))
        named = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        for kind in vars(module).values():
            own = named & {*vars(kind)} if inspect.isclass(kind) and kind.__module__ == module.__name__ else ()
            for base in kind.__mro__[1:] if own else ():
                if of_others(base.__module__):
                    yield from (
                        f"{kind.__qualname__}.{each}" for each in own & {*vars(base)} if re.match("_[^_]", each)
                    )


def test_nothing_of_another_package_is_used_or_overridden_that_it_keeps_private():
    assert [each for path in SOURCES for each in private_names(path)] == []
    assert sorted(overridden()) == []


def test_no_first_party_import_hides_in_a_function():
    assert [f"{name(path)}:{line}" for path in SOURCES for line in hidden_imports(parsed(path))] == []


def test_no_signals_carry_our_own_flow():
    banned = ("django.dispatch", "django.db.models.signals", "django.core.signals")
    assert [
        f"{name(path)}: {module}" for path in SOURCES for module in imported(parsed(path)) if module.startswith(banned)
    ] == []


def test_the_games_import_without_anything_installed():
    modules = [
        name(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for path in SOURCES
        if path.is_relative_to(ROOT / "games") and path.name != "__main__.py"
    ]
    # -S: no site-packages, so only the standard library can be found.
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n" + "\n".join(f"import {module}" for module in modules)
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


# Where a game may be named: the list of games, its own folder, the presets of the five contests, the demo.
MAY_NAME_GAMES = ("games/__init__.py", "contest/presets.py", "tournaments/demo/")
SLUGS = re.compile("|".join(GAMES))


def games_named(path):
    """The slugs of games named in the code of a Python file, or anywhere in a template."""
    if path.suffix != ".py":
        return set(SLUGS.findall(path.read_text(encoding="utf-8")))
    said = {node.value for node in ast.walk(parsed(path)) if isinstance(node, ast.Constant)}
    suits = {"hearts"} if {"clubs", "diamonds", "spades"} <= said else set()  # one of the four suits, not the game
    return said & set(GAMES) - suits


def outside_of_games():
    own = tuple(f"games/{slug}/" for slug in GAMES)
    for path in (*SOURCES, *sorted((ROOT / "templates").rglob("*.html"))):
        if not name(path).startswith((*own, *MAY_NAME_GAMES)):
            yield path


def test_no_game_is_special_outside_its_own_folder():
    assert {name(path): slugs for path in outside_of_games() if (slugs := games_named(path))} == {}
