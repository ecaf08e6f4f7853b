"""One portal for all five contests, and the people who take part in them.

It stops after the last of these tests: its workers would take their time from all tests that follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Playwright

from tests.e2e.portal import Person, Portal


@pytest.fixture(scope="package")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    started = Portal(Path(tmp_path_factory.mktemp("portal")))
    try:
        yield started.up()
    finally:
        started.stop()


@pytest.fixture(scope="package")
def organiser(portal: Portal, playwright: Playwright) -> Person:
    person = Person(playwright.request, portal, "organiser")
    person.log_in(portal.password)
    return person


@pytest.fixture(scope="package")
def stranger(portal: Portal, playwright: Playwright) -> Person:
    return Person(playwright.request, portal, "stranger")


@pytest.fixture(scope="package")
def students(portal: Portal, playwright: Playwright) -> Callable[[int], list[Person]]:
    """This many people; anybody new signs up."""
    known: list[Person] = []

    def come(count: int) -> list[Person]:
        while len(known) < count:
            person = Person(playwright.request, portal, f"student{len(known) + 1}")
            person.sign_up()
            known.append(person)
        return known[:count]

    return come
