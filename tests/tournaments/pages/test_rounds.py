"""Stages by rounds: pairings, rankings, cross tables, progress."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from contest.models import Contest
from tests.cast import make_contest
from tests.tournaments import scenes
from tests.tournaments.stagecraft import finish
from tournaments.models import Match, MatchSeat, Stage

pytestmark = pytest.mark.django_db


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html[html.index("<main") : html.index("</main")])).split())


def playing(contest: Contest, format: str, teams: int, matches: int, **options: object) -> Stage:
    """A stage with this many teams in which this many matches are over."""
    scenes.enter(contest, teams)
    stage = scenes.stage_of(contest, format=format, **options)
    for _ in range(matches):
        scenes.play_match(stage.matches.filter(state=Match.State.QUEUED).order_by("priority", "id")[0])
    stage.refresh_from_db()
    return stage


def page(client: Client, stage: Stage, **query: object) -> str:
    answer = client.get(stage.get_absolute_url(), query)
    assert answer.status_code == 200
    return answer.text


@pytest.fixture
def contest() -> Contest:
    return scenes.small_contest(name="Autumn Cup", target=5)


class TestPairings:
    def test_several_matches_of_a_table_are_summed_up(self, client: Client, contest: Contest) -> None:
        stage = playing(contest, "round_robin", 4, 4, games=1, duplicate=True)
        html = page(client, stage)
        table = stage.tables.get(round=1, number=1)
        sums = {
            seat.team.name: sum(each.counted for each in MatchSeat.objects.filter(match__table=table, team=seat.team))
            for seat in MatchSeat.objects.filter(match__table=table, match__number=1, team__isnull=False)
        }
        words = text_of(html)
        for name, total in sums.items():
            assert f"{name} {total:,.12g}" in words


class TestRanking:
    def test_nobody_has_a_rank_before_a_round_is_over_and_it_says_what_counts(self, client: Client) -> None:
        contest = make_contest(game="barracuda", options={"target": 1})
        stage = playing(contest, "swiss", 4, 0, table_size=2, games=1, rounds=2)
        every = f"/c/{contest.slug}/standings/?stage={stage.pk}"

        def shown() -> tuple[list[int | None], int | None, str]:
            """The ranks, after how many rounds, and the round that does not count yet; the same on both pages."""
            page, standings = client.get(stage.get_absolute_url()), client.get(every)
            found = page.context["ranking"]
            assert found.lines == standings.context["ranking"].lines
            return [line.ranked.rank for line in found.lines], found.rounds, found.under_way

        assert shown() == ([None] * 4, 0, "")
        first, second = stage.matches.order_by("pk")
        finish(first)
        assert shown() == ([None] * 4, 0, "Round 1")
        finish(second)
        ranks, rounds, under_way = shown()
        assert (ranks[0], rounds, under_way) == (1, 1, "")
        assert None not in ranks
        finish(stage.matches.filter(state="queued").first())
        assert shown() == (ranks, 1, "Round 2")
        finish(stage.matches.filter(state="queued").first())
        ranks, rounds, under_way = shown()
        assert (ranks[0], rounds, under_way) == (1, 2, "")


class TestCrossTable:
    def test_everybody_against_everybody(self, client: Client, contest: Contest) -> None:
        stage = playing(contest, "round_robin", 4, 2, games=1)
        answer = client.get(stage.get_absolute_url())
        cross = answer.context["cross"]
        assert [row.team for row in cross] == [line.team for line in answer.context["ranking"].lines]
        found = {(row.team.pk, cell.other.pk): cell for row in cross for cell in row.cells if cell}
        assert len(found) == 12
        for (team, other), cell in found.items():
            back = found[other, team]
            assert {cell.tone, back.tone} in ({"won", "lost"}, {"tied"}, {"open"})
            assert cell.score == ":".join(reversed(back.score.split(":")))
            if cell.points is not None:
                assert cell.points + back.points == 1
        match = stage.matches.filter(state="done").first()
        assert f'href="{match.get_absolute_url()}"' in answer.text


class TestCombinations:
    def test_progress_and_the_table(self, client: Client) -> None:
        contest = make_contest(game="hearts", preset="mactech-1998")
        scenes.enter(contest, 5)
        stage = scenes.stage_of(contest, format="combinations")
        answer = client.get(stage.get_absolute_url())
        assert "0 of 5 matches" in text_of(answer.text)
        finish(stage.matches.first())
        answer = client.get(stage.get_absolute_url())
        words = text_of(answer.text)
        assert "1 of 5 matches" in words
        assert "24 of 120 games" in words
        Match.objects.filter(pk=stage.matches.filter(state="queued").first().pk).update(state="running")
        progress = client.get(stage.get_absolute_url()).context["progress"]
        done = stage.matches.get(state="done")
        assert progress.left == 4 * (done.finished_at - done.started_at)
        assert progress.workers == 1
        line = answer.context["ranking"].lines[0]
        assert line.record.games == 24

    @pytest.mark.long("more")
    def test_beside_the_sums_stands_what_the_final_alone_was(self, client: Client) -> None:
        contest = make_contest(game="hearts", preset="mactech-1998")
        scenes.enter(contest, 6)
        stage = scenes.stage_of(contest, format="combinations", budget=120)
        while match := stage.matches.filter(state="queued").first():
            finish(match)
        answer = client.get(stage.get_absolute_url())
        lines = answer.context["ranking"].lines
        assert all(line.record == line.there for line in lines[:4]), "the figures are those of the final"
        assert [line.there is not None for line in lines] == [True] * 4 + [False] * 2
        averages = [line.there.average for line in lines[:4]]
        assert averages == sorted(averages, reverse=not contest.game.low_wins)
        for line in lines[:4]:
            seat = MatchSeat.objects.get(team=line.team, match__table__round=2)
            assert line.there.average == pytest.approx(seat.counted / 24)
            assert line.record.games == 24


class TestTeams:
    def test_the_rating_is_drawn_with_its_uncertainty(self, client: Client, contest: Contest) -> None:
        stage = playing(contest, "swiss", 4, 0, games=1, rounds=3)
        team = stage.contest.teams.first()
        scenes.play_all(stage)
        answer = client.get(reverse("team", args=[contest.slug, team.pk]))
        seats = MatchSeat.objects.filter(team=team).order_by("match__finished_at")
        (_, middle), (_, high), (_, low) = answer.context["history"].lines
        assert middle == [seat.mu_after for seat in seats]
        assert low == [seat.mu_after - 2 * seat.sigma_after for seat in seats]
        assert high[-1] - low[-1] < high[0] - low[0]
