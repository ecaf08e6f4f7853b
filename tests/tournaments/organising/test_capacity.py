"""How many machines a contest needs."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

import games
from tests.tournaments.stagecraft import Hall, by_strength, finish
from tournaments.models import Match
from tournaments.organising import capacity

pytestmark = pytest.mark.django_db

TEN_MINUTES = timedelta(minutes=10)


def said(**options: object) -> str:
    out = StringIO()
    wanted = {"teams": "500", "every": "10m", "game": "hearts", "cores": "8"} | options
    call_command("capacity", *[f"--{name}={value}" for name, value in wanted.items()], stdout=out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("teams", "seconds", "cores", "machines"),
    [
        (500, 60, 8, 3),  # 750 matches an hour, 12.5 cores busy, 18 at 70 % and 2 for the portal
        (500, 60, 4, 5),
        (4, 1, 8, 1),
        (500, 600, 8, 23),
    ],
)
def test_the_arithmetic(teams: int, seconds: float, cores: int, machines: int) -> None:
    found = capacity.need(teams, TEN_MINUTES, seconds, seats=4, cores=cores)
    assert found.machines == machines
    assert found.per_hour == teams * 6 / 4
    assert found.busy == pytest.approx(found.per_hour * seconds / 3600)


def test_five_hundred_teams_every_ten_minutes() -> None:
    assert "750 matches an hour keep 12.5 cores busy: 3 machines with 8 cores each." in said(seconds=60)


def test_nobody_has_played_yet() -> None:
    for game in games.GAMES.values():
        found = capacity.measured(game)
        assert found.matches == 0
        assert found.seconds > 0
        assert "a guess for quick bots" in said(game=game.slug)


def test_matches_that_were_played_here_count() -> None:
    hall = Hall(teams=4)
    stage = hall.stage()
    match = stage.matches.get()
    finish(match, by_strength(match))
    now = timezone.now()
    Match.objects.filter(pk=match.pk).update(started_at=now - timedelta(seconds=30), finished_at=now)
    found = capacity.measured(hall.contest.game)
    assert (found.seconds, found.matches) == (pytest.approx(30), 1)
    text = said(game=hall.contest.game_slug, teams=400, seats=4)
    assert "A match takes 30.0 s (measured in the latest 1 matches of" in text
    assert "600 matches an hour keep 5.0 cores busy: 2 machines" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"every": "often"}, "is no time such as"),
        ({"teams": 0}, "more than 0"),
    ],
)
def test_nonsense_is_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        said(**options)
