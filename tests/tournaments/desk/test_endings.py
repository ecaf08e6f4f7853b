"""Resetting a stage at the desk, after a preview."""

from __future__ import annotations

import re

import pytest

from tests.tournaments.desks import Desk
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_two_worlds import staged
from tests.tournaments.worlds import play_on
from tournaments.models import Stage
from tournaments.organising import endings, stages
from tournaments.organising.actions import ENDINGS

pytestmark = pytest.mark.django_db
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
