"""What a team reads on its own pages about the judging of its versions."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from contest.models import Contest
from submissions.models import Submission
from tests.tournaments.courtroom import Courtroom
from tournaments.models import Match, Stage
from tournaments.playing import play
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


def test_before_and_while_it_is_judged(desk: Desk) -> None:
    for page in desk.pages():
        assert "Version 1, Problem A: waiting to be judged." in page
    play.claim(Match.objects.get().pk, "tester")
    for page in desk.pages():
        assert "Version 1, Problem A: being judged." in page


def test_teams_that_play_alone_never_meet(client: Client) -> None:
    hall = Courtroom(2).start()
    pair = client.get(reverse("pair", args=[hall.contest.slug, *(team.pk for team in hall.teams)])).text
    assert "never meet" in pair
    assert "not met yet" not in pair


def test_the_desk_lists_versions_by_team(desk: Desk) -> None:
    desk.hall.judge()
    desk.client.force_login(desk.hall.contest.roles.get().user)
    page = desk.client.get(reverse("desk-stage", args=[desk.hall.contest.slug, desk.hall.stage.pk])).text
    assert re.search(rf"<h3>\s*{desk.team.name}\s", page)
    assert "round again" not in page
    assert "Entry 1" not in page


def test_the_right_one_needs_nothing_more(desk: Desk) -> None:
    match = desk.hall.judge()
    for page in desk.pages():
        assert "notice-ok" in page
        assert "Version 1, Problem A: correct." in page
        assert f'href="{match.get_absolute_url()}">' in page
    assert '<span class="badge badge-ok">correct</span>' in desk.pages()[0]


def test_one_that_is_wrong_is_led_to_the_published_game(desk: Desk) -> None:
    match = desk.hall.judge("wrong")
    for page in desk.pages():
        assert "notice-bad" in page
        assert "ready and active" not in page.lower()
        assert "Version 1, Problem A: judged wrong, incorrect output." in page
        assert re.search(rf'href="/m/{match.pk}/[12]/">First failed game', page)
    assert '<span class="badge badge-bad">incorrect output</span>' in desk.pages()[0]


def test_of_hidden_games_it_is_told_nothing_before_the_end(desk: Desk) -> None:
    desk.hall.judge("late")
    for page in desk.pages():
        assert "It failed on a hidden game" in page
        assert "First failed game" not in page
    Contest.objects.update(ended_at=timezone.now())
    for page in desk.pages():
        assert "First failed game" in page
        assert "The contest has ended." in page
        assert "Upload a better version" not in page


def test_before_there_is_a_run_it_is_told_of_the_check(desk: Desk) -> None:
    Match.objects.all().delete()
    for page in desk.pages():
        assert "once judging has started" in page


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


def test_after_the_end_the_overview_leads_to_the_ranking_which_is_final(desk: Desk) -> None:
    overview = reverse("contest", args=[desk.hall.contest.slug])
    assert "See how it is judged:" in desk.client.get(overview).text
    assert "Being judged" in desk.client.get(desk.hall.stage.get_absolute_url()).text
    Contest.objects.update(ended_at=timezone.now())
    assert f'href="{desk.hall.stage.get_absolute_url()}">Final ranking</a>' in desk.client.get(overview).text
    ranking = desk.client.get(desk.hall.stage.get_absolute_url()).text
    assert "This ranking is final" in ranking
    assert '<span class="badge badge-muted">Finished</span>' in ranking
    assert "hx-trigger" not in ranking.split('id="judged"')[1][:200]


def test_before_there_is_a_problem_nobody_waits_for_a_bracket(desk: Desk) -> None:
    Stage.objects.filter(pk=desk.hall.stage.pk).update(state=Stage.State.REMOVED)
    page = desk.client.get(reverse("contest", args=[desk.hall.contest.slug])).text
    assert "Wait for the judging" in page
    assert "bracket" not in page


def test_one_query_for_all_versions(desk: Desk) -> None:
    address = reverse("my-team", args=[desk.hall.contest.slug])
    desk.client.get(address)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            desk.client.get(address)
        counts.append(len(queries))
        for _ in range(3):
            desk.hall.send(desk.team)
    assert Submission.objects.count() == 7
    assert counts[0] == counts[1]
