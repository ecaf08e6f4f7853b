"""The page of a ladder: ratings with their uncertainty, available teams, matches in progress, latest results, time
left."""

from __future__ import annotations

from datetime import timedelta

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
from tournaments.organising import endings, stages

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


class TestStates:
    def test_before_it_starts(self, client: Client) -> None:
        hall = Hall(teams=4)
        stage = stages.create(hall.contest, hall.ada, stages.Wish("Ladder", "ladder"))
        assert client.get(stage.get_absolute_url()).status_code == 404
        stages.publish(stage, hall.ada)
        words = text_of(page(client, stage))
        assert "The organisers will start it" in words
        assert "unrated" in words
        assert "Matches in progress" not in words

    def test_without_anybody(self, client: Client) -> None:
        stage = climb(Hall(teams=0))
        words = text_of(page(client, stage))
        assert "No team is on the ladder yet. All teams." in words
        assert "No match is in progress" in words

    def test_the_time_that_is_left(self, client: Client) -> None:
        stage = climb(Hall(teams=4), ends_in=timedelta(hours=5), final_minutes=60)
        words = text_of(page(client, stage))
        assert "in 5 hours" in words or "in 4 hours" in words
        assert "every team that has a bot or has ever connected is matched" in words
        assert "Final phase" not in words
        Stage.objects.filter(pk=stage.pk).update(ends_at=timezone.now() + timedelta(minutes=31))
        assert "Final phase: every team" in text_of(page(client, stage))
        Stage.objects.filter(pk=stage.pk).update(ends_at=timezone.now() - timedelta(seconds=1))
        assert "Time is up" in text_of(page(client, stage))

    def test_it_is_over(self, client: Client) -> None:
        hall = Hall(teams=4)
        stage = played(climb(hall), 6)
        endings.shorten(stage, hall.ada, "Time is up.")
        while stage.matches.filter(state="queued").exists():
            played(stage, 1)
        assert stage.state == "done"
        html = page(client, stage)
        assert "hx-trigger" not in html
        words = text_of(html)
        assert "Final ranking" in words
        assert ">away<" not in html, "nobody is expected any more"
        first = client.get(stage.get_absolute_url()).context["champion"]
        assert first is None or f"Champion: {first.name}" in words
        wish = stages.Wish("Final", entry="best", source=stage, best=2)
        stages.publish(stages.create(hall.contest, hall.ada, wish), hall.ada)
        words = text_of(page(client, stage))
        assert "Champion" not in words, "that is decided in the stage that follows"
        assert first is None or f"First in {stage.name}: {first.name}" in words


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
        words = text_of(answer.text)
        assert f"{rungs[0].row.mu:.1f} ± {2 * rungs[0].row.sigma:.1f}" in words
        assert "Every team starts with a rating of 25" in words
        assert "Latest matches" in words

    def test_places_where_several_meet(self, client: Client) -> None:
        stage = played(climb(Hall(teams=8), table_size=4), 3)
        texts = {each.text for rung in client.get(stage.get_absolute_url()).context["rungs"] for each in rung.form}
        assert texts <= {"1", "2", "3", "4"}

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
        assert "away" in html

    def test_an_own_team_is_marked(self, client: Client) -> None:
        hall = Hall(teams=4)
        stage = played(climb(hall), 4)
        client.force_login(hall.teams[2].memberships.get().user)
        html = page(client, stage)
        assert '<tr class="mine">' in html
        assert "of 4, " in text_of(html)


def test_the_live_part_and_the_standings_lead_here(client: Client) -> None:
    hall = Hall(teams=4)
    stage = played(climb(hall), 1)
    html = page(client, stage)
    revision = client.get(stage.get_absolute_url()).context["revision"]
    assert f"?rev={revision}" in html
    assert client.get(stage.get_absolute_url(), {"rev": revision}).status_code == 204
    played(stage, 1)
    part = client.get(stage.get_absolute_url(), {"rev": revision})
    assert part.text.lstrip().startswith('<div id="ladder"')
    moved = client.get(f"/c/{hall.contest.slug}/standings/?stage={stage.pk}")
    assert moved.status_code == 302
    assert moved["Location"] == stage.get_absolute_url()


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
