"""The page of a ladder: ratings with their uncertainty, available teams, matches in progress, latest results, time
left."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from contest.models import Contest
from tests.tournaments.kinds.test_ladder import climb, connect
from tests.tournaments.pages.test_rounds import text_of
from tests.tournaments.stagecraft import Hall, finish
from tournaments.models import Match, MatchSeat, Stage

pytestmark = pytest.mark.django_db


def played(stage: Stage, matches: int) -> Stage:
    for _ in range(matches):
        finish(stage.matches.filter(state="queued").order_by("pk").first())
    stage.refresh_from_db()
    return stage


def page(client: Client, stage: Stage, **query: object) -> str:
    answer = client.get(stage.get_absolute_url(), query)
    assert answer.status_code == 200
    return answer.text


class TestRungs:
    def test_ratings_records_and_last_results(self, client: Client) -> None:
        stage = played(climb(Hall(teams=6)), 12)
        answer = client.get(stage.get_absolute_url())
        rungs = answer.context["rungs"]
        assert len(rungs) == 6
        for rung in rungs:
            seats = MatchSeat.objects.filter(team=rung.row.team, match__state="done").order_by("-match__finished_at")
            assert rung.row.record.matches == seats.count()
            assert [each.match for each in rung.form] == [seat.match_id for seat in seats[:5]]
            assert rung.row.mu == pytest.approx(seats[0].mu_after)
            for each, seat in zip(rung.form, seats, strict=False):
                assert each.url == seat.match.get_absolute_url()
                other = seat.match.seats.exclude(pk=seat.pk).exclude(team=None).get()
                assert (each.text == "W") == (seat.place < other.place)
        assert f"{rungs[0].row.mu:.1f} ± {2 * rungs[0].row.sigma:.1f}" in text_of(answer.text)

    def test_who_is_there_and_who_plays(self, client: Client) -> None:
        hall = Hall(teams=6, live=True)
        stage = climb(hall)
        connect(hall.teams[0])
        hall.teams[1].submissions.update(is_active=False)
        match = stage.matches.filter(state="queued").first()
        Match.objects.filter(pk=match.pk).update(state="running", started_at=timezone.now())
        playing = {seat.team_id for seat in match.seats.all()} - {None}
        rungs = {rung.row.team: rung for rung in client.get(stage.get_absolute_url()).context["rungs"]}
        assert rungs[hall.teams[0]].there == "connected"
        assert rungs[hall.teams[1]].there == ""
        assert rungs[hall.teams[2]].there == "bot"
        assert {team.pk for team, rung in rungs.items() if rung.match} == playing
        html = page(client, stage)
        assert html.count(f'href="{match.get_absolute_url()}"') == 1 + len(playing)


def test_queries_do_not_grow(client: Client) -> None:
    counts = []
    for teams, matches in ((4, 2), (200, 20)):
        stage = played(climb(Hall(teams=teams)), matches)
        assert Contest.objects.filter(pk=stage.contest_id).exists()
        with CaptureQueriesContext(connection) as queries:
            html = page(client, stage)
        counts.append(len(queries))
        assert len(html) < 400_000
    assert counts[0] == counts[1]
