"""Every kind of page opens for those who may see it, and the desk for nobody else.

A kind of page is a template. That the numbers on them are right: tests/tournaments/test_agreement.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

from tests.pages.whole_portal import ERRORS, World, pages, seen

pytestmark = [pytest.mark.promise, pytest.mark.django_db]


ROOT = Path(settings.BASE_DIR)
OTHERWISE = {
    "casual/table.html": "tests/tournaments/casual/test_seat_page.py",
    "mfa/": "tests/contest/test_second_factor.py",
    "replay/running.html": "tests/tournaments/test_two_worlds_live.py",
    "replay/sheets.html": "tests/tournaments/pages/test_paper.py",
    "replay/transcript.html": "tests/tournaments/pages/test_paper.py",
    "submissions/check_game.html": "tests/tournaments/test_every_game.py",
    "submissions/diff.html": "tests/submissions/test_folders.py",
    "tournaments/desk/stage_timetable.html": "tests/tournaments/desk/test_timetable.py",
    "tournaments/rounds.html": "tests/tournaments/pages/test_rounds.py",
    "tournaments/trial": "tests/tournaments/practice/test_trial_pages.py",
}
"""Pages that need something else to happen, by the beginnings of their names, and a test that opens them."""


def test_every_kind_of_page_opens() -> None:
    world = World()
    told = seen(world, few=True)
    opened = {template for _, template in told.values()}
    missed = sorted(name for name in set(pages()) - opened - set(ERRORS) if not name.startswith(tuple(OTHERWISE)))
    assert not missed, f"nobody opens {', '.join(missed)}"
    assert all((ROOT / test).is_file() for test in OTHERWISE.values())
    desk = [address for name, address in told if not name and f"/c/{world.contest.slug}/desk/" in address]
    assert len(desk) > 10
    assert sum(told["ada", address][0] == 200 for address in desk) > 10
    for address in desk:
        assert told["", address][0] != 200, address
        assert told["alice", address][0] != 200, address
