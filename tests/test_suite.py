"""No wall clock decides in the default run: tests wait for events, through tests/waiting.py.

A test that measures time, or waits for a moment and hopes, gives another answer on a busy machine. Such tests stand in
the folders of the long run that run alone or have nothing else to look at.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

MAY_LOOK_AT_CLOCKS = (
    *("tests/clocks/", "tests/chaos/", "tests/day/", "tests/sandbox/", "tests/waiting.py", "tests/gate.py"),
    "tests/verdicts",  # no test, but a proof that is run by itself
    "tests/games/talking.py",  # tells a question when it was asked, as referees do
)
PROGRAMS = (
    "tests/games/barracuda/client.py",
    "tests/games/even_steven/player.py",
    "tests/games/bot.py",
    "tests/games/failures/",
    "tests/games/hearts/bot.py",
    "tests/games/intensity/bot.py",
    "tests/games/sick/",
    "tests/sixth_game/oh_hell/",
    "tests/tournaments/authors/",
)
"""What tests upload: programs of contestants, which may do as they like."""

CLOCKS = {
    *("sleep", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time", "process_time_ns"),
    *("thread_time", "thread_time_ns", "time_ns", "clock_gettime", "clock_gettime_ns", "getrusage"),
    *("wait_for_timeout", "setitimer", "alarm", "Timer"),
}
"""However they are reached: of a module, under another name, or by `getattr`."""

LEAST = 60
"""Seconds. A shorter wait is a guess about the machine; 0 does not wait."""
LIMITS = {"timeout", "seconds", "patience", "timeout_seconds"}
WAITS = {"wait": 0, "join": 0, "settimeout": 0, "wait_for": 2, "wait_until": 2}
"""Methods and functions with the position of their limit."""
MILLISECONDS = ("to_", "wait_for_", "set_default_", "goto", "click", "fill", "reload", "expect_")
"""Calls of Playwright, by the beginning of their names."""


def measures(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Where a module looks at a clock, with the name that it uses."""
    imports = [alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    of_time = {alias.asname or alias.name for alias in imports if alias.name == "time"}
    for node in ast.walk(tree):
        of_module = isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in of_time
        if isinstance(node, ast.Attribute) and (node.attr in CLOCKS or (of_module and node.attr == "time")):
            yield node.lineno, node.attr
        elif isinstance(node, ast.ImportFrom) and node.module in ("time", "asyncio", "resource", "signal", "threading"):
            for alias in node.names:
                if alias.name in CLOCKS or (node.module == "time" and alias.name == "time"):
                    yield node.lineno, alias.name
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "getattr" and len(node.args) > 1:
            name = node.args[1]
            if isinstance(name, ast.Constant) and name.value in CLOCKS:
                yield node.lineno, str(name.value)


def numbers(tree: ast.Module) -> dict[str, float]:
    """The constants of a module."""
    return {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, int | float)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def short_waits(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Where a module waits for less than a minute, with what it calls."""
    known = numbers(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "timedelta":
            continue  # a length of time, nothing waits for it
        least = LEAST * 1000 if name.startswith(MILLISECONDS) else LEAST
        limits = [keyword.value for keyword in node.keywords if keyword.arg in LIMITS]
        if name in WAITS:
            limits += node.args[WAITS[name] : WAITS[name] + 1]
        for limit in limits:
            value = known.get(limit.id) if isinstance(limit, ast.Name) else getattr(limit, "value", None)
            if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < least:
                yield node.lineno, f"{name}({value})"


def modules() -> list[str]:
    """The Python files below tests/ that are not exempt, from the root of the repository."""
    found = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("*.py"))
    return [path for path in found if not path.startswith((*MAY_LOOK_AT_CLOCKS, *PROGRAMS))]


def test_no_wall_clock_decides() -> None:
    found = []
    for path in modules():
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        found += [f"{path}:{line}: {what}" for line, what in (*measures(tree), *short_waits(tree))]
    assert not found, "wait for an event with tests.waiting.wait_for, or move the test to tests/clocks:\n" + "\n".join(
        found
    )


def test_nothing_outside_the_repository_is_read() -> None:
    """A clone has neither what lies beside it nor the paths of one machine."""
    paths = ("/work/", "../shared")
    listed = subprocess.run(["git", "ls-files", "tests"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for path in listed.splitlines():
        if path.endswith(".py") and path != "tests/test_suite.py":
            text = (ROOT / path).read_text(encoding="utf-8")
            assert not [found for found in paths if found in text], path
