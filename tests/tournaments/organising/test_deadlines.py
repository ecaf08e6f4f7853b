"""Warnings about a ladder whose end and the end of uploads were moved apart, whichever was moved."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import contests, presets
from contest.models import Contest
from tests.tournaments.desk.test_attention import about
from tests.tournaments.stagecraft import Hall
from tournaments.attention import Level
from tournaments.models import Stage
from tournaments.organising import deadlines

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db, pytest.mark.usefixtures("broker")]

BEFORE = "“Open play” ends 3 days before uploads close, and “Final” depends on it"
AFTER = "“Open play” ends 3 days after uploads close"


@pytest.fixture
def hall() -> Hall:
    """A contest from the preset, with a ladder that ends with the uploads, and a final after it."""
    hall = Hall(4, target=None, game="barracuda", preset="barracuda-2014")
    presets.prepare(hall.contest, hall.ada)
    return hall


def open_play(hall: Hall) -> Stage:
    return hall.contest.stages.get(format="ladder")


def move_deadline(hall: Hall, days: int) -> None:
    now = Contest.objects.get(pk=hall.contest.pk)
    to = now.upload_deadline + timedelta(days=days)
    contests.edit(now, hall.ada, {"upload_deadline": to, "entry_deadline": to})


def sentences(hall: Hall) -> list[str]:
    contest = Contest.objects.get(pk=hall.contest.pk)
    return [text for _, text in deadlines.apart(contest, contest.stages.order_by("pk"), timezone.now())]


@pytest.mark.parametrize(("days", "level", "text"), [(3, Level.LOOK, BEFORE), (-3, Level.KNOW, AFTER)])
class TestMoved:
    def test_the_deadline(self, hall: Hall, client: Client, days: int, level: Level, text: str) -> None:
        """Even while the stage is a draft."""
        client.force_login(hall.ada)
        settings = reverse("desk-settings", args=[hall.contest.slug])
        assert "this gap" not in client.get(settings).text
        assert sentences(hall) == []
        move_deadline(hall, days)
        assert len(sentences(hall)) == 1
        assert sentences(hall)[0].startswith(text)
        assert text in client.get(settings).text, "where the form leads to"
        assert text in client.get(reverse("desk-stage", args=[hall.contest.slug, open_play(hall).pk])).text
        found = about(hall, "this gap")
        assert (found.level, found.text) == (level, sentences(hall)[0])
        assert found.url == reverse("desk-stage", args=[hall.contest.slug, open_play(hall).pk])
