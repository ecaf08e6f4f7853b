"""Every kind of page opens for those who may see it, and the desk for nobody else.

A kind of page is a template. That the numbers on them are right: tests/tournaments/test_agreement.py.
"""

from __future__ import annotations

import pytest

from tests.pages.whole_portal import ERRORS, World, pages, seen

pytestmark = [pytest.mark.promise, pytest.mark.django_db]


def test_every_kind_of_page_opens() -> None:
    world = World()
    told = seen(world)
    opened = {template for _, template in told.values()}
    missed = sorted(set(pages()) - opened - set(ERRORS) - OTHERWISE)
    assert not missed, f"nobody opens {', '.join(missed)}"
    desk = [address for name, address in told if not name and f"/c/{world.contest.slug}/desk/" in address]
    assert len(desk) > 10
    for address in desk:
        assert told["ada", address][0] in (200, 302, 405), address
        assert told["", address][0] != 200, address
        assert told["alice", address][0] != 200, address


OTHERWISE: set[str] = set()
"""Pages that need something else to happen, and are opened by other tests."""
