"""What a team reads on its own pages about the judging of its versions."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest.models import Contest
from tests.tournaments.courtroom import Courtroom
from tournaments.results import standings
from tournaments.results.visibility import everything

pytestmark = pytest.mark.django_db


class Desk:
    """A team with one version, and the two pages about it."""

    def __init__(self, client: Client) -> None:
        self.hall, self.client = Courtroom(1), client
        self.hall.stage.options |= {"draw": 60}  # in a few of them the highest card may happen to be right
        self.hall.stage.save()
        self.hall.start()
        self.team = self.hall.teams[0]
        self.version = self.hall.send(self.team)
        client.force_login(self.team.people()[0].user)

    def pages(self) -> tuple[str, str]:
        slug = self.hall.contest.slug
        addresses = reverse("my-team", args=[slug]), reverse("version", args=[slug, self.version.number])
        mine, version = (re.sub(r"\s+", " ", self.client.get(address).text) for address in addresses)
        return mine, version


@pytest.fixture
def desk(client: Client) -> Desk:
    return Desk(client)


def test_the_right_one_needs_nothing_more(desk: Desk) -> None:
    match = desk.hall.judge()
    for page in desk.pages():
        assert "Problem A: correct" in page
        assert f'href="{match.get_absolute_url()}">' in page


def test_one_that_is_wrong_is_led_to_the_published_game(desk: Desk) -> None:
    match = desk.hall.judge("wrong")
    for page in desk.pages():
        assert "incorrect output" in page
        assert re.search(rf'href="/m/{match.pk}/[12]/"', page)


def test_of_hidden_games_it_is_told_nothing_before_the_end(desk: Desk) -> None:
    match = desk.hall.judge("late")
    for page in desk.pages():
        assert not re.search(rf'href="/m/{match.pk}/\d+/"', page)
    Contest.objects.update(ended_at=timezone.now())
    for page in desk.pages():
        assert re.search(rf'href="/m/{match.pk}/\d+/"', page)


def test_what_is_wrong_has_won_nothing_and_the_standings_are_the_ranking(desk: Desk) -> None:
    desk.hall.judge("wrong")
    slug = desk.hall.contest.slug
    answer = desk.client.get(reverse("standings", args=[slug]))
    assert (answer.status_code, answer["Location"]) == (302, desk.hall.stage.get_absolute_url())
    (row,) = standings.of_contest(everything(desk.hall.contest))
    assert (row.record.matches, row.record.won) == (1, 0)
    assert "1, 0 correct" in desk.client.get(reverse("team", args=[slug, desk.team.pk])).text
    desk.hall.send(desk.team)
    desk.hall.judge()
    assert standings.of_contest(everything(desk.hall.contest))[0].record.won == 1
