"""Disqualifying and reinstating a team, each with a preview for the whole contest."""

from __future__ import annotations

import re

import pytest

from contest.models import Team
from tests.tournaments.stagecraft import Hall, by_strength, finish

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall():
    return Hall(teams=6)


@pytest.fixture
def decided(hall):
    """A stage whose first round is over."""
    stage = hall.stage()
    for match in stage.matches.all():
        finish(match, by_strength(match))
    return stage


def shifts_of(page: str, title: str) -> dict[str, tuple[str, str]]:
    """Ranks before and after, by team, as a list of the page has them."""
    table = page.partition(f'aria-label="{title}"')[2].partition("</table>")[0]
    row = r'<th scope="row">([^<]+)</th> <td[^>]*>([^<]+)</td> <td[^>]*> <span[^>]*>[↑↓ ]*([^<]+?) *</span>'
    return {name: (before, after) for name, before, after in re.findall(row, table)}


@pytest.mark.parametrize(("act", "after"), [("disqualify", "disqualified"), ("withdraw", "withdrawn")])
def test_leaving_all_stages_at_once(desk, hall, decided, act, after):
    consolation = hall.stage(start=False, publish=True)
    other = hall.stage(advance=2)
    team = hall.teams[0]
    page = desk.get(f"desk-team-{act}", team.pk)
    assert f"Final: {team} out, {hall.teams[3]} in" in page
    assert f"would be drawn again: {consolation}" in page
    assert page.count("would be voided") == 2, "in two stages"
    assert page.count("<summary> Ranking of Cup") == 2
    assert shifts_of(page, "Standings by rating")[team.name] == ("1", "out")
    desk.post(f"desk-team-{act}", team.pk, reason="two schools, one source")
    assert Team.objects.get(pk=team.pk).state == after
    for stage in (decided, other):
        assert not stage.matches.valid().filter(state="queued", seats__team=team).exists()
    assert hall.contest.acts.filter(reason="two schools, one source", user=hall.ada).count() == 1
