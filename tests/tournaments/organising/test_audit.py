"""What the audit log says about stages."""

from __future__ import annotations

import pytest

from contest.audit_log import details
from contest.models import Act
from tests.tournaments.stagecraft import Hall
from tournaments.organising import audit, stages

pytestmark = pytest.mark.django_db


def test_a_stage_is_described_when_it_is_made():
    hall = Hall(teams=4)
    stages.create(hall.contest, hall.ada, stages.Wish("Cup", options={"games": 4}))
    said = details(Act.objects.get(verb="create stage"))
    assert {"name: Cup", "format: Single elimination", "games at a table: 4", "start: by hand"} <= set(said)


def test_only_what_differs_is_said_of_a_change():
    hall = Hall(teams=4)
    stage = hall.stage(start=False)
    order = hall.ids[::-1]
    stages.edit(stage, hall.ada, stages.Wish("Cup", options={"games": 7}, seeding="hand", order=order))
    said = dict(line.split(": ", 1) for line in details(Act.objects.get(verb="change stage")))
    assert said["seeding"] == "by seed number → by hand"
    assert said["games at a table"].endswith("→ 7")
    assert said["order"] == f"– → {', '.join(team.name for team in hall.teams[::-1])}"
    assert set(said) == {"seeding", "games at a table", "order"}


def test_invited_teams_are_named():
    hall = Hall(teams=4)
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Cup", entry="invited", invited=hall.ids[:2]))
    said = audit.described(stage)
    assert said["invited"] == ", ".join(sorted(team.name for team in hall.teams[:2]))
    assert said["teams"] == "2 invited teams"
