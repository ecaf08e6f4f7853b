"""What runs when: the default run holds every promise once, the parts of the long run hold the rest.

A test belongs to a part by its marks, `@pytest.mark.long("worlds")`, or because its folder has the name of one, such as
tests/chaos. All others are the default run. Paths that are named on the command line run whole, whatever their part.

Importing all modules takes a minute, so those of other parts are not even read: put the mark of a whole module into
its `pytestmark`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
DEFAULT = "default"
PARTS = {
    "sandbox": "attacks on the jail, its limits and its levels",
    "browser": "pages in Chromium, beyond the few of the default run",
    "kits": "every game in every language: kits, the doctor, what compilers say",
    "chaos": "processes, broker, database and disk fail while matches are played",
    "clocks": "what takes how long; alone, one test at a time",
    "postgresql": "races; and tests of the default run that use the database, one case of each, on a PostgreSQL server",
    "upgrades": "databases and files of earlier releases",
    "machines": "other machines and users: ./run from nothing, containers, the five contests from end to end",
    "fuzz": "made-up requests, archives, messages and programs",
    "worlds": "two worlds that differ in a secret look the same, for all formats and acts; pages agree with the API",
    "day": "a tournament of 32 teams in real time, with all that goes wrong on such a day; alone",
    "more": "further cases of what the default run holds",
}


WHOLE = re.compile(r'^pytestmark = [^\n]*\blong\("(\w+)"\)', re.MULTILINE)


@cache
def may_hold(path: Path, part: str) -> bool:
    """Whether a module may have tests of that part, judged without importing it."""
    folder = path.relative_to(TESTS).parts[0]
    if folder in PARTS:
        return folder == part
    text = path.read_text(encoding="utf-8")
    if whole := WHOLE.search(text):
        return whole[1] == part or f'long("{part}")' in text
    return part in (DEFAULT, "postgresql") or f'long("{part}")' in text


def parts_of(item: pytest.Item) -> set[str]:
    """The parts of the long run that a test belongs to, or `DEFAULT`."""
    marked = {part for mark in item.iter_markers("long") for part in mark.args}
    if unknown := marked - PARTS.keys():
        raise pytest.UsageError(f"{item.nodeid}: there is no part {unknown} of the long run")
    folder = item.path.relative_to(TESTS).parts[0]
    return marked or {folder if folder in PARTS else DEFAULT}


SAME_ON_POSTGRESQL = ("tests/kibitz/", "tests/pages/test_in_chromium.py", "tests/tournaments/test_two_worlds_")
"""Tests that look at what others have queried: the command line, pages in a browser, further stories of two worlds."""

EVERY_CASE = "tests/tournaments/results/"
"""Cases of other tests differ in what Python does, and the database gets the same queries. Here it adds up itself."""


def chosen(items: Sequence[pytest.Item], part: str) -> set[pytest.Item]:
    """The tests that run in that part."""
    found = {item for item in items if part in parts_of(item)}
    if part == "postgresql":
        first: dict[str, pytest.Item] = {}
        for item in items:
            if DEFAULT in parts_of(item) and shows_the_database(item):
                name = item.nodeid if item.nodeid.startswith(EVERY_CASE) else item.nodeid.partition("[")[0]
                first.setdefault(name, item)
        found.update(first.values())
    return found


def shows_the_database(item: pytest.Item) -> bool:
    uses = {"db", "transactional_db"} & set(getattr(item, "fixturenames", ())) or item.get_closest_marker("django_db")
    return bool(uses) and not item.nodeid.startswith(SAME_ON_POSTGRESQL)
