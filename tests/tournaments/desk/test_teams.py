"""Disqualifying and reinstating a team, each with a preview for the whole contest."""

from __future__ import annotations

import re

import pytest

from contest import contests
from contest.models import Role, Team
from tests.cast import make_user
from tests.tournaments.desks import Desk
from tests.tournaments.stagecraft import Hall, by_strength, finish, play_out
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


def test_the_page_of_the_team_leads_there(desk, hall):
    team = hall.teams[0]
    assert desk.url("desk-team-disqualify", team.pk) in desk.get("desk-team", team.pk)
    assert desk.url("desk-team-withdraw", team.pk) in desk.get("desk-team", team.pk)
    stages.disqualify(team, hall.ada, "copied")
    page = desk.get("desk-team", team.pk)
    assert desk.url("desk-team-reinstate", team.pk) in page
    assert desk.url("desk-team-disqualify", team.pk) not in page


@pytest.mark.long("more")
def test_the_page_of_a_stage_leads_there(desk, hall, decided):
    team = hall.teams[0]
    assert f'<option value="{team.pk}">' in desk.get("desk-stage", decided.pk)
    response = desk.client.get(desk.url("desk-stage-disqualify", decided.pk), {"team": team.pk})
    assert response["Location"] == desk.url("desk-team-disqualify", team.pk)
    for nonsense in (Hall(teams=1).ids[0], "x", "9" * 30):
        desk.get("desk-stage-disqualify", decided.pk, team=nonsense, status=404)


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


@pytest.mark.long("more")
def test_a_finished_contest_of_one_stage_that_nothing_changes(desk, hall):
    play_out(hall.stage())
    last = hall.teams[5]
    page = desk.get("desk-team-disqualify", last.pk)
    assert page.count("1 team would change its place") == 2, "the team itself, in the stage and by rating"
    for title in ("Ranking of Cup", "Standings by rating"):
        assert shifts_of(page, title) == {last.name: ("5", "out")}


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


@pytest.mark.parametrize("act", ["disqualify", "reinstate", "withdraw"])
def test_without_a_reason_nothing_happens(desk, hall, act):
    team = hall.teams[0]
    state = "disqualified" if act == "reinstate" else "approved"
    Team.objects.filter(pk=team.pk).update(state=state)
    assert "This field is required." in desk.post(f"desk-team-{act}", team.pk, status=422, reason="  ")
    assert Team.objects.get(pk=team.pk).state == state


def test_a_judge_looks_on(hall, client, decided):
    judge = make_user()
    contests.give_role(hall.contest, hall.ada, judge, Role.Kind.JUDGE)
    client.force_login(judge)
    desk = Desk(hall, client)
    page = desk.get("desk-team-disqualify", hall.ids[0])
    assert "Standings of the contest" in page
    assert '<button class="danger"' not in page
    desk.post("desk-team-disqualify", hall.ids[0], status=403, reason="x")
    client.force_login(make_user())
    desk.get("desk-team-disqualify", hall.ids[0], status=403)
