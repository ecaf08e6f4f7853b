"""What runs when: the default run holds every promise once, the parts of the long run hold the rest.

A test belongs to a part by its mark, `@pytest.mark.long("worlds")`, or because its folder has the name of one, such as
tests/chaos. All others are the default run. Paths that are named on the command line run whole, whatever their part.

Importing all modules takes a minute, so those of other parts are not even read: put the mark of a whole module into
its `pytestmark`.
"""

from __future__ import annotations

import re
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
    "postgresql": "all tests of the default run that use the database, and some more, on a PostgreSQL server",
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
        return whole[1] == part
    return part in (DEFAULT, "postgresql") or f'long("{part}")' in text


def part_of(item: pytest.Item) -> str:
    """The part of the long run that a test belongs to, or `DEFAULT`."""
    mark = item.get_closest_marker("long")
    if mark is not None:
        (part,) = mark.args
        if part not in PARTS:
            raise pytest.UsageError(f"{item.nodeid}: there is no part {part!r} of the long run")
        return str(part)
    folder = item.path.relative_to(TESTS).parts[0]
    return folder if folder in PARTS else DEFAULT


def belongs(item: pytest.Item, part: str) -> bool:
    """Whether a test runs in that part."""
    own = part_of(item)
    if part == "postgresql" and own == DEFAULT:
        return bool(
            {"db", "transactional_db"} & set(getattr(item, "fixturenames", ())) or item.get_closest_marker("django_db")
        )
    return own == part
