"""How long matches may take and take, in words that an organiser can plan a Saturday with."""

from datetime import timedelta

import pytest
from django.utils import timezone

import games
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


def test_a_clock_for_the_whole_game_bounds_what_its_questions_allow():
    contest = make_contest(game="barracuda", startup_seconds=1)
    assert budget(contest, 1).most == timedelta(seconds=2 * (2 + 100 * 0.05) + 2 * 1)


def test_where_the_rules_say_how_long_a_match_is_it_is_that_of_equals_until_one_was_seen():
    contest = make_contest(game="barracuda", options={"target": 1})
    found = budget(contest, None)
    assert 5 <= found.games <= 41
    hall = Hall(teams=2, target=1, game="barracuda")
    played = finish(hall.stage().matches.get())
    assert budget(hall.contest, None).games == played.games


@pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: game.slug)
def test_every_game_has_one(game):
    found = budget(make_contest(game=game.slug), 1)
    assert found.decisions > 0
    assert timedelta(0) < found.usual < timedelta(minutes=1)
    assert found.usual < found.most < timedelta(days=1)
