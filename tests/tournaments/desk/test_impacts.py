"""Teams that leave and stages that are reset, each after a preview for the whole contest."""

from __future__ import annotations

import re

import pytest

from contest.models import Team
from tests.tournaments.desks import Desk
from tests.tournaments.stagecraft import Hall, by_strength, finish
from tests.tournaments.test_two_worlds import staged
from tests.tournaments.worlds import play_on
from tournaments.models import Stage
from tournaments.organising import endings, stages
from tournaments.organising.actions import ENDINGS

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


SWISS = {"table_size": 2, "rounds": 3, "games": 1}
AFTER = {"reset": "published", "shorten": "running", "abandon": "abandoned"}
assert AFTER.keys() == ENDINGS.keys()


def hidden_fields(page: str) -> dict[str, str]:
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    return {name: value for name, value in fields.items() if name != "csrfmiddlewaretoken"}


@pytest.mark.parametrize("act", ENDINGS)
def test_a_form_from_before_a_reset_is_refused(desk: Desk, hall: Hall, act: str) -> None:
    """Somebody else has reset the stage and started it again: what was played since would be lost."""
    stage = staged(hall, "swiss", options=SWISS)
    play_on(stage, most=1)
    assert hidden_fields(desk.get(f"desk-stage-{act}", stage.pk))["resets"] == "0"
    endings.reset(stage, hall.ada, "The wrong rules.")
    stages.start(stage, hall.ada)
    play_on(stage, most=1)
    page = desk.post(f"desk-stage-{act}", stage.pk, status=422, resets=0, reason="The hall lost its power.")
    assert "reset this stage" in page
    assert "What would change" in page
    now = Stage.objects.get(pk=stage.pk)
    assert (now.state, now.resets, now.matches.done().count()) == ("running", 1, 1)
    desk.post(f"desk-stage-{act}", stage.pk, reason="The hall lost its power.", **hidden_fields(page))
    assert Stage.objects.get(pk=stage.pk).state == AFTER[act]
