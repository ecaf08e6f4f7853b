"""Disqualifying and reinstating a team, each with a preview for the whole contest."""

from __future__ import annotations

import re

import pytest

from contest.models import Team
from tests.tournaments.stagecraft import Hall, by_strength, finish
from tournaments.organising import stages

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


def test_coming_back(desk, hall, decided):
    """A team that comes back takes its place again; what was played there without it becomes void at once."""
    team = Team.objects.get(pk=decided.tables.filter(round=1).first().places[0])
    stages.disqualify(team, hall.ada, "a second account")
    final = decided.matches.get(table__round=2, state="queued")
    finish(final, by_strength(final))
    page = desk.get("desk-team-reinstate", team.pk)
    assert "1 more match would be voided" in page
    assert f"Match {final.pk}" in page
    assert f"{team.name} in" in page
    assert "Standings by rating" in page, "that match counted for the ratings"
    desk.post("desk-team-reinstate", team.pk, reason="it was the same person")
    final.refresh_from_db()
    assert final.state == "void"
    assert decided.matches.get(state="queued").seats.filter(team=team).exists()


@pytest.mark.parametrize(
    ("act", "state"), [("disqualify", "disqualified"), ("withdraw", "withdrawn"), ("reinstate", "approved")]
)
def test_what_does_not_fit_is_refused(desk, hall, act, state):
    team = hall.teams[0]
    Team.objects.filter(pk=team.pk).update(state=state)
    page = desk.get(f"desk-team-{act}", team.pk)
    assert 'class="empty"' in page
    assert "<textarea" not in page
    desk.post(f"desk-team-{act}", team.pk, reason="why not")
    assert Team.objects.get(pk=team.pk).state == state
    assert not hall.contest.acts.filter(reason="why not").exists()
