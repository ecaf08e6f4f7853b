"""Public downloads contain what their pages show, and nothing that is hidden from their reader."""

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from contest.models import Contest, Team
from tests.tournaments.courtroom import HIDDEN, Courtroom
from tournaments.organising import stages

pytestmark = pytest.mark.django_db


def table(name: str, contest: Contest, user: Any = None, **query: Any) -> list[dict[str, str]]:
    client = Client()
    if user:
        client.force_login(user)
    answer = client.get(reverse(name, args=[contest.slug]), query)
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode("utf-8-sig"))))


def test_several_judged_problems_are_summed_up() -> None:
    """More problems solved ranks first, whatever the penalty; then the smaller penalty."""
    room = Courtroom().start()
    one, two, three = room.teams
    room.send(two, 5)
    room.judge()
    room.send(three, 10)
    room.judge()
    room.send(one, 90)
    room.judge("late")
    wish = stages.Wish("Problem B", "judged_set", {"hidden": HIDDEN, "draw": 2, "draw_seed": 12})
    room.stage = stages.create(room.contest, room.ada, wish)
    room.start()
    for how in ("right", "late", "right"):
        room.judge(how)
    for reader in (None, room.ada):
        lines = table("standings-csv", room.contest, reader)
        assert list(lines[0])[:7] == ["rank", "team", "team_id", "is_out", "solved", "wrong", "penalty_minutes"]
        assert [tuple(it.values())[:7] for it in lines] == [
            ("1", three.name, str(three.pk), "False", "2", "0", "20"),
            ("2", two.name, str(two.pk), "False", "1", "1", "5"),
            ("3", one.name, str(one.pk), "False", "1", "1", "90"),
        ]
    Team.objects.filter(pk=three.pk).update(state=Team.State.DISQUALIFIED)
    lines = table("standings-csv", room.contest)
    assert [(it["rank"], it["team"], it["is_out"]) for it in lines] == [
        ("1", two.name, "False"),
        ("2", one.name, "False"),
        ("", three.name, "True"),
    ]
