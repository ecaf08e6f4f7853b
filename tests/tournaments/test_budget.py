"""How long matches may take and take, in words that an organiser can plan a Saturday with."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.cast import make_contest
from tests.tournaments.stagecraft import Hall, finish
from tournaments.budget import budget
from tournaments.models import Match

pytestmark = pytest.mark.django_db


def test_the_most_is_what_the_rules_allow_to_all_bots_together():
    """A game to 300 has some 700 decisions; each bot may take four seconds for every line it is sent (review, 1)."""
    contest = make_contest(startup_seconds=5)
    one, ten = budget(contest, 1), budget(contest, 10)
    assert 600 < one.decisions < 3000
    assert one.most > timedelta(hours=2)
    assert ten.most == 10 * one.most
    assert not one.measured
    assert timedelta(seconds=5) < one.usual < timedelta(minutes=1)


def test_it_follows_the_options():
    short, long = make_contest(options={"target": 25}), make_contest(options={"target": 25, "time_limit": 8})
    assert budget(short, 1).decisions == budget(long, 1).decisions < 400
    startups = timedelta(seconds=4 * short.startup_seconds)
    assert budget(long, 1).most - startups == 2 * (budget(short, 1).most - startups)


def test_what_was_played_says_what_is_usual():
    hall = Hall(teams=8)
    first = hall.stage(games=2).matches.first()
    finish(first)
    end = timezone.now()
    Match.objects.filter(pk=first.pk).update(started_at=end - timedelta(seconds=30), finished_at=end)
    found = budget(hall.contest, 4)
    assert found.measured
    assert found.usual == timedelta(seconds=60)
