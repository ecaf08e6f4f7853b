"""How many machines a contest needs."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import ClassVar

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import games
from contest.models import User
from tests.cast import make_user
from tests.tournaments.stagecraft import Hall, by_strength, finish
from tests.tournaments.visitors import visitor
from tournaments.models import Match
from tournaments.organising import capacity

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db]

TEN_MINUTES = timedelta(minutes=10)
ADDRESS = "/operators/capacity/"


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


class TestPage:
    """The same by a form."""

    ASKED: ClassVar = {"teams": 500, "game": "hearts", "format": "ladder", "minutes": 10, "cores": 8}

    @pytest.fixture
    def root(self) -> Client:
        return visitor(make_user("root", is_superuser=True))

    def test_it_says_what_the_command_says(self, root: Client) -> None:
        page = root.get(ADDRESS, self.ASKED | {"seconds": 60}).text
        assert "500 teams on a ladder, each with a match every 10 minutes: 3 machines with 8 cores each." in page
        for figure in ("60.0 s (as you said)", "4 teams", "<dd>750</dd>", "<dd>12.5</dd>", "<dd>20 (12.5 cores at 70%"):
            assert figure in page, figure
        assert "3 machines with 8 cores each." in said(seconds=60)

    def test_without_seconds_it_counts_with_what_was_measured_or_guessed(self, root: Client) -> None:
        assert "a guess for quick bots" in root.get(ADDRESS, self.ASKED).text
        assert "a guess for quick bots" in said()

    def test_a_pace_that_no_machine_keeps(self, root: Client) -> None:
        asked = self.ASKED | {"format": "swiss", "seconds": 601}
        assert "No number of machines keeps this pace." in root.get(ADDRESS, asked).text.replace("\n", " ")
        assert "No number" not in root.get(ADDRESS, asked | {"seconds": 600}).text
        assert "No number of machines" in said(format="swiss", seconds=601)

    def test_a_round_robin_seats_two(self, root: Client) -> None:
        asked = self.ASKED | {"format": "round_robin", "seconds": 60}
        assert "<dd>1,500</dd>" in root.get(ADDRESS, asked).text
        assert "1500 matches an hour" in said(format="round_robin", seconds=60)

    def test_the_empty_form(self, root: Client) -> None:
        page = root.get(ADDRESS)
        assert page.status_code == 200
        assert "Answer" not in page.text
        assert ADDRESS in root.get(reverse("operators")).text

    @pytest.mark.parametrize(
        "wrong",
        [
            {"teams": 0}, {"teams": "many"}, {"minutes": 0}, {"minutes": "nan"}, {"minutes": "inf"}, {"seconds": -1},
            {"cores": ""}, {"game": "chess"}, {"format": "judged_set"}, {"game": "even_steven"}, {"seats": 0},
        ],
    )  # fmt: skip
    def test_nonsense(self, root: Client, wrong: dict[str, object]) -> None:
        page = root.get(ADDRESS, self.ASKED | wrong)
        assert page.status_code == 422
        assert "machines with" not in page.text

    def test_only_operators_see_it(self) -> None:
        hall = Hall(teams=2)
        User.objects.filter(pk=hall.ada.pk).update(is_staff=True)
        assert visitor(hall.ada).get(ADDRESS).status_code == 404
        assert Client().get(ADDRESS).status_code == 302
