"""Stages by rounds: pairings, rankings, cross tables, progress; in every state, for every reader."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from contest.models import Contest, Team
from tests.cast import make_cast, make_contest
from tests.tournaments import scenes
from tests.tournaments.stagecraft import Hall, finish, give_bot
from tournaments.kinds import planned
from tournaments.kinds.planned import stage_view
from tournaments.kinds.stage_views import StageView
from tournaments.models import Match, MatchSeat, Stage
from tournaments.organising import stages
from tournaments.results.visibility import public

pytestmark = pytest.mark.django_db


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html[html.index("<main") : html.index("</main")])).split())


def stage_of(contest: Contest, format: str, *, started: bool = True, **options: object) -> Stage:
    stage = stages.create(contest, None, stages.Wish("Main event", format, options=options))
    Stage.objects.filter(pk=stage.pk).update(seed=17)
    stages.publish(stage, None)
    if started:
        stages.start(stage, None)
    stage.refresh_from_db()
    return stage


def playing(contest: Contest, format: str, teams: int, matches: int, **options: object) -> Stage:
    """A stage with this many teams in which this many matches are over."""
    scenes.enter(contest, teams)
    stage = stage_of(contest, format, **options)
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


def test_all_who_see_a_stage_alike_share_what_follows_from_it(contest: Contest) -> None:
    stage = playing(contest, "swiss", 4, 2, table_size=2, rounds=2, games=1)

    def seen() -> StageView:
        return stage_view(Stage.objects.get(pk=stage.pk), public(Contest.objects.get(pk=contest.pk)))

    first = seen()
    assert first.statuses is seen().statuses
    assert planned.ranking_after(first, 1) is planned.ranking_after(seen(), 1)
    scenes.play_match(stage.matches.filter(state=Match.State.QUEUED)[0])
    assert first.statuses is not seen().statuses


class TestStates:
    def test_a_draft_is_for_those_with_a_role(self, client: Client, contest: Contest) -> None:
        stage = stages.create(contest, None, stages.Wish("Main event", "swiss"))
        assert client.get(stage.get_absolute_url()).status_code == 404
        client.force_login(contest.roles.get().user)
        words = text_of(page(client, stage))
        assert "draft" in words
        assert "There are no tables yet. All teams will play." in words

    def test_published_it_shows_the_first_round(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 6)
        words = text_of(page(client, stage_of(contest, "swiss", started=False, table_size=2)))
        assert "The organisers will start it" in words
        assert "Round 1 to come" in words
        assert "by seed" in words

    def test_it_may_wait_for_another_stage(self, client: Client, contest: Contest) -> None:
        first = playing(contest, "round_robin", 4, 0, games=1)
        wish = stages.Wish(
            "Final four", "swiss", entry="best", source=first, best=4, starts_after=True, seeding="source"
        )
        stage = stages.create(contest, None, wish)
        stages.publish(stage, None)
        words = text_of(page(client, stage))
        assert "This stage starts when Main event is finished" in words
        assert "The best 4 of Main event" in words

    def test_while_it_is_played(self, client: Client, contest: Contest) -> None:
        stage = playing(contest, "swiss", 9, 5, table_size=2, games=1)
        html = page(client, stage)
        words = text_of(html)
        assert "Round 2 2 of 5 tables decided" in words  # the bye is
        assert "after round 1" in words
        assert "Swiss system, 4 rounds" in words
        assert "5 of 8 matches" in words
        assert words.index("2 of 5 tables decided") < words.index("Ranking")
        assert "hx-trigger" in html
        assert "Round 1 4 tables" not in words
        assert "Round 1 5 tables" in text_of(page(client, stage, round=1))

    def test_it_is_over(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 4)
        stage = scenes.play_all(stage_of(contest, "round_robin", games=1))
        html = page(client, stage)
        words = text_of(html)
        assert "hx-trigger" not in html
        assert words.index("Final ranking") < words.index("Round 3 2 tables")
        champion = client.get(stage.get_absolute_url()).context["champion"]
        lines = client.get(stage.get_absolute_url()).context["lines"]
        if champion:
            assert lines[0].team == champion
            assert f"Champion: {champion.name}" in words
        else:
            assert lines[1].ranked.rank == 1


class TestPairings:
    def test_a_bye_is_said_as_one(self, client: Client, contest: Contest) -> None:
        html = page(client, playing(contest, "swiss", 5, 0, table_size=2, games=1))
        box = re.search(r'<article class="box bye">.*?</article>', html, re.DOTALL)
        assert box
        assert ">bye<" in box[0]
        assert "Team 00" in box[0]

    def test_several_matches_of_a_table_are_one_with_its_parts_folded(self, client: Client, contest: Contest) -> None:
        stage = playing(contest, "round_robin", 4, 4, games=1, duplicate=True)
        html = page(client, stage)
        parts = re.search(r'<details class="parts">\s*<summary>4 matches</summary>.*?</details>', html, re.DOTALL)
        assert parts
        assert parts[0].count("<li>") == 4
        table = stage.tables.get(round=1, number=1)
        sums = {
            seat.team.name: sum(each.counted for each in MatchSeat.objects.filter(match__table=table, team=seat.team))
            for seat in MatchSeat.objects.filter(match__table=table, match__number=1, team__isnull=False)
        }
        words = text_of(html)
        for name, total in sums.items():
            assert f"{name} {total:,.12g}" in words

    def test_the_tables_of_a_team(self, client: Client, contest: Contest) -> None:
        stage = playing(contest, "round_robin", 5, 4, games=1)
        team = Team.objects.get(name="Team 003")
        words = text_of(page(client, stage, team=team.pk))
        assert "Tables of Team 003 5 tables" in words
        assert "Team 003 : place" in words
        assert words.count("Team 003") >= 7
        assert "Round 1, table" in words or "Round 2, table" in words

    def test_an_own_team_is_marked(self, client: Client) -> None:
        cast = make_cast(options={"target": 5})
        scenes.arm(cast.aces, cast.clubs)
        stage = stage_of(cast.contest, "round_robin", games=1)
        client.force_login(cast.bob)
        html = page(client, stage)
        assert "Aces Next: Round 1, table 1 with Clubs, House: random ×2" in text_of(html)
        assert '<tr class="mine">' in html
        assert re.search(r'<li class="[^"]*\bmine"', html)

    def test_many_tables_come_in_pages(self, client: Client, contest: Contest) -> None:
        stage = playing(contest, "swiss", 200, 0, table_size=2, games=1)
        html = page(client, stage)
        assert html.count('<article class="box') == 48
        assert "Page 1 of 3, 100 tables" in text_of(html)
        assert page(client, stage, page=3).count('<article class="box') == 4
        assert "Full ranking, 200 teams" in text_of(html)


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
            for each in (page, standings) if found.under_way and found.rounds else ():
                assert f"{found.under_way} counts when" in text_of(each.text)
            return [line.ranked.rank for line in found.lines], found.rounds, found.under_way

        assert shown() == ([None] * 4, 0, "")
        assert "No match has been played yet" in text_of(client.get(every).text)
        first, second = stage.matches.order_by("pk")
        finish(first)
        assert shown() == ([None] * 4, 0, "Round 1")
        assert "No match has been played yet" not in text_of(client.get(every).text)
        finish(second)
        ranks, rounds, under_way = shown()
        assert (ranks[0], rounds, under_way) == (1, 1, "")
        assert None not in ranks
        finish(stage.matches.filter(state="queued").first())
        assert shown() == (ranks, 1, "Round 2")
        finish(stage.matches.filter(state="queued").first())
        ranks, rounds, under_way = shown()
        assert (ranks[0], rounds, under_way) == (1, 2, "")
        assert "Final ranking" in text_of(client.get(every).text)

    def test_it_shows_columns_games_points_and_an_error_bar(self, client: Client, contest: Contest) -> None:
        stage = playing(contest, "swiss", 8, 4, games=2)
        answer = client.get(stage.get_absolute_url())
        ranking = answer.context["ranking"]
        assert ranking.columns == ("Points", "Buchholz", "Sonneborn-Berger", "Wins")
        assert ranking.rounds == 2
        for line in ranking.lines:
            seats = MatchSeat.objects.filter(team=line.team, match__state=Match.State.DONE)
            assert line.record.matches == seats.count() == 2
            assert line.record.games == 4
            assert line.record.points == sum(seat.score for seat in seats)
            values = [seat.counted / 2 for seat in seats]
            assert line.record.average == pytest.approx(sum(values) / 2)
            assert line.record.margin is None, "two matches are too few"
        for column in (*ranking.columns, "Matches", "Games", "Points in games", "Points per game"):
            assert re.search(rf">\s*{column}\s*</th>", answer.text)

    def test_only_whole_rounds_count_and_places_won_are_shown(self, client: Client, contest: Contest) -> None:
        stage = playing(contest, "swiss", 8, 4, games=1)
        first = {each.team.pk: each.ranked.rank for each in client.get(stage.get_absolute_url()).context["lines"]}
        assert stage.matches.filter(state="queued").exists()
        scenes.play_match(stage.matches.filter(state="queued").first())
        later = client.get(stage.get_absolute_url()).context["lines"]
        assert {each.team.pk: each.ranked.rank for each in later} == first
        scenes.play_match(stage.matches.filter(state="queued").first())
        lines = client.get(stage.get_absolute_url()).context["lines"]
        for line in lines:
            assert line.rise == first[line.team.pk] - line.ranked.rank
        assert any(line.rise for line in lines)

    def test_the_page_of_standings_has_the_same(self, client: Client, contest: Contest) -> None:
        stage = playing(contest, "round_robin", 5, 7, games=1)
        here = client.get(stage.get_absolute_url()).context["ranking"]
        there = client.get(reverse("standings", args=[contest.slug]), {"stage": stage.pk})
        assert there.context["ranking"] == here
        assert ">Sonneborn-Berger</th>" in there.text

    def test_few_points_may_be_good(self, client: Client) -> None:
        contest = make_contest(game="hearts", preset="mactech-1998")
        scenes.enter(contest, 4)
        stage = stage_of(contest, "round_robin", games=1)
        finish(stage.matches.first())
        html = page(client, stage)
        assert "Lower is better" in text_of(html)
        assert "-" not in re.findall(r"</span>\s*<b>([^<]*)</b>", html)[0]


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

    def test_not_where_few_meet_or_four_sit_together(self, client: Client, contest: Contest) -> None:
        stage = playing(contest, "swiss", 40, 0, table_size=2, games=1)
        assert not client.get(stage.get_absolute_url()).context["cross"]
        other = stage_of(contest, "swiss", games=1)
        assert not client.get(other.get_absolute_url()).context["cross"]


class TestCombinations:
    def test_progress_and_the_table(self, client: Client) -> None:
        contest = make_contest(game="hearts", preset="mactech-1998")
        scenes.enter(contest, 5)
        stage = stage_of(contest, "combinations")
        answer = client.get(stage.get_absolute_url())
        assert "0 of 5 matches played (0 of 120 games)" in text_of(answer.text)
        finish(stage.matches.first())
        answer = client.get(stage.get_absolute_url())
        words = text_of(answer.text)
        assert "1 of 5 matches played (24 of 120 games)" in words
        assert "1 at a time" not in words  # nobody is playing now
        Match.objects.filter(pk=stage.matches.filter(state="queued").first().pk).update(state="running")
        progress = client.get(stage.get_absolute_url()).context["progress"]
        done = stage.matches.get(state="done")
        assert progress.left == 4 * (done.finished_at - done.started_at)
        assert progress.workers == 1
        line = answer.context["ranking"].lines[0]
        assert line.record.games == 24
        assert "Time penalty" in words
        assert "All combinations" in words

    def test_qualifier_and_final_have_their_names(self, client: Client) -> None:
        contest = make_contest(game="hearts", preset="mactech-1998")
        scenes.enter(contest, 6)
        stage = stage_of(contest, "combinations", budget=120)
        words = text_of(page(client, stage))
        assert "Qualifier" in words
        assert "Final" in words

    @pytest.mark.long("more")
    def test_beside_the_sums_stands_what_the_final_alone_was(self, client: Client) -> None:
        contest = make_contest(game="hearts", preset="mactech-1998")
        scenes.enter(contest, 6)
        stage = stage_of(contest, "combinations", budget=120)
        assert "decides the order of the teams that reached it" not in page(client, stage)
        while match := stage.matches.filter(state="queued").first():
            finish(match)
        answer = client.get(stage.get_absolute_url())
        words = text_of(answer.text)
        assert "Only “Final” decides the order" in words
        lines = answer.context["ranking"].lines
        assert all(line.record == line.there for line in lines[:4]), "the figures are those of the final"
        assert [line.there is not None for line in lines] == [True] * 4 + [False] * 2
        averages = [line.there.average for line in lines[:4]]
        assert averages == sorted(averages, reverse=not contest.game.low_wins)
        for line in lines[:4]:
            seat = MatchSeat.objects.get(team=line.team, match__table__round=2)
            assert line.there.average == pytest.approx(seat.counted / 24)
            assert line.record.games == 24


def test_the_live_part_comes_alone_and_only_when_something_changed(client: Client, contest: Contest) -> None:
    stage = playing(contest, "round_robin", 4, 1, games=1)
    html = page(client, stage, round=2)
    asked = re.search(r'hx-get="([^"]*)"', html)
    assert asked
    address = unescape(asked[1])
    assert "round=2" in address
    assert client.get(address).status_code == 204
    scenes.play_match(stage.matches.filter(state="queued").first())
    part = client.get(address)
    assert part.status_code == 200
    assert "<html" not in part.text
    assert part.text.lstrip().startswith('<div id="rounds"')
    assert "Round 2" in part.text


@pytest.mark.parametrize("format", ["swiss", "round_robin"])
@pytest.mark.long("more")
def test_queries_do_not_grow_with_the_teams(client: Client, format: str) -> None:
    counts = []
    for teams in (12, 200 if format == "swiss" else 40):  # no whole round is over in either
        contest = scenes.small_contest(target=5)
        stage = playing(contest, format, teams, 2, games=1)
        with CaptureQueriesContext(connection) as queries:
            html = page(client, stage)
        assert len(html) < 400_000
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[1] < 25


class TestTeams:
    def test_the_rating_is_drawn_with_its_uncertainty(self, client: Client, contest: Contest) -> None:
        stage = playing(contest, "swiss", 4, 0, games=1, rounds=3)
        team = stage.contest.teams.first()
        assert "chart-wrap" not in client.get(reverse("team", args=[contest.slug, team.pk])).text
        scenes.play_all(stage)
        answer = client.get(reverse("team", args=[contest.slug, team.pk]))
        seats = MatchSeat.objects.filter(team=team).order_by("match__finished_at")
        (_, middle), (_, high), (_, low) = answer.context["history"].lines
        assert middle == [seat.mu_after for seat in seats]
        assert low == [seat.mu_after - 2 * seat.sigma_after for seat in seats]
        assert high[-1] - low[-1] < high[0] - low[0]
        words = text_of(answer.text)
        assert f"OpenSkill rating {middle[-1]:.1f} ?" in words, "too few matches for an interval"
        assert "Games 3" in words
        assert "after the first of 3 matches" in answer.text

    def test_a_long_history_is_thinned(self, client: Client) -> None:
        contest = scenes.small_contest()
        scenes.many(contest, 4, 200)
        MatchSeat.objects.update(mu_after=25, sigma_after=1)
        team = contest.teams.first()
        history = client.get(reverse("team", args=[contest.slug, team.pk])).context["history"]
        assert 30 <= len(history.ticks) <= 61
        assert history.ticks[0] == "1"
        assert history.ticks[-1] == "200"

    def test_two_teams_against_each_other(self, client: Client, contest: Contest) -> None:
        stage = playing(contest, "round_robin", 3, 0, games=1, home_and_away=True)
        scenes.play_all(stage)
        one, other = contest.teams.order_by("pk")[:2]
        html = client.get(reverse("team", args=[contest.slug, one.pk])).text
        address = reverse("pair", args=[contest.slug, one.pk, other.pk])
        assert f'href="{address}"' in html
        answer = client.get(address)
        found, back = answer.context["balance"], client.get(reverse("pair", args=[contest.slug, other.pk, one.pk]))
        seats = {team: MatchSeat.objects.filter(match__seats__team=one, team=team) for team in (one, other)}
        mine = seats[one].filter(match__seats__team=other)
        assert found.matches == mine.count() == 2
        assert found.points == sum(seat.counted for seat in mine)
        assert found.average == -back.context["balance"].average
        assert (found.won, found.lost) == (back.context["balance"].lost, back.context["balance"].won)
        assert found.margin == back.context["balance"].margin
        words = text_of(answer.text)
        assert f"{one.name} against {other.name}" in words
        assert client.get(address, {"stage": stage.pk}).context["balance"] == found
        assert client.get(address, {"stage": 99}).status_code == 302

    @pytest.mark.long("more")
    def test_every_stage_in_which_two_met_costs_the_same_queries(self, client: Client, contest: Contest) -> None:
        counts = []
        for number in (1, 2, 3):
            stage = playing(contest, "round_robin", 3 if number == 1 else 0, 0, games=1)
            scenes.play_all(stage)
            one, other = contest.teams.order_by("pk")[:2]
            with CaptureQueriesContext(connection) as queries:
                answer = client.get(reverse("pair", args=[contest.slug, one.pk, other.pk]))
            assert len(answer.context["stages"]) == number
            counts.append(len(queries))
        assert counts[0] == counts[2]

    def test_two_who_have_not_met_or_are_none(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 2)
        one, other = contest.teams.all()
        assert "have not met yet" in client.get(reverse("pair", args=[contest.slug, one.pk, other.pk])).text
        assert client.get(reverse("pair", args=[contest.slug, one.pk, 99_999])).status_code == 404
        assert client.get(reverse("pair", args=[contest.slug, one.pk, one.pk])).status_code == 404
        Team.objects.filter(pk=other.pk).update(state="pending")
        assert client.get(reverse("pair", args=[contest.slug, one.pk, other.pk])).status_code == 404


def test_the_page_of_a_contest_lists_its_stages_in_their_order(client: Client, contest: Contest) -> None:
    address = reverse("contest", args=[contest.slug])
    assert '<h2 id="stages">' not in client.get(address).text
    first = playing(contest, "round_robin", 4, 0, games=1)
    assert "Stage Main event In progress Round robin. All teams (4). Started" in text_of(client.get(address).text)
    wish = stages.Wish("Final four", "swiss", entry="best", source=first, best=2, starts_after=True, seeding="source")
    second = stages.create(contest, None, wish)
    assert "Final four" not in client.get(address).text  # a draft
    stages.publish(second, None)
    words = text_of(client.get(address).text)
    assert "Stages Main event" in words
    assert "Swiss system. The best 2 of Main event" in words
    assert "Starts when Main event is finished." in words
    scenes.play_all(first)
    assert "Finished " in text_of(client.get(address).text)
    standings = reverse("standings", args=[contest.slug])
    assert f'href="{standings}?stage={first.pk}">Final ranking<' in client.get(address).text


def test_a_series_counts_matches_and_the_third_place_is_no_advance(client: Client, contest: Contest) -> None:
    scenes.enter(contest, 5)
    stage = stage_of(contest, "single_elimination", table_size=2, best_of=3, third_place=True, games=1)
    scenes.play_all(stage)
    answer = client.get(stage.get_absolute_url())
    first, semifinals, last = answer.context["rounds"]
    assert [table.name for table in last.tables] == ["Final", "Third place"]
    assert [[seat.name for seat in table.seats] for table in first.tables if table.is_bye] == [
        [f"Team 00{seed}"] for seed in (1, 2, 3)
    ]
    for table in (*first.tables, *semifinals.tables):
        assert sum(seat.advances for seat in table.seats) == 1
        if not table.is_bye:
            assert max(seat.score for seat in table.seats if seat.team) <= 2
            assert len(table.matches) in (2, 3)
    assert len(semifinals.paths) == 2
    assert answer.context["champion"] == last.tables[0].seats[0].team
    assert answer.text.count("wins the final") == 1


@pytest.mark.parametrize(("teams", "size"), [(5, 2), (11, 2), (16, 2), (20, 4), (64, 4)])
def test_the_ways_through_a_bracket_do_not_cross(client: Client, contest: Contest, teams: int, size: int) -> None:
    scenes.enter(contest, teams)
    stage = stage_of(contest, "single_elimination", table_size=size, advance=1, games=1)
    rounds = client.get(stage.get_absolute_url()).context["rounds"]
    for round in rounds[:-1]:
        ways = [[int(number) for number in re.findall(r"M0 (\d+)C.* (\d+)$", path)[0]] for path in round.paths]
        assert len(ways) == len(round.tables)
        ends = [end for _, end in sorted(ways)]
        assert ends == sorted(ends)


@pytest.mark.long("more")
def test_many_readers_of_the_same_results_cost_one_plan(client: Client, contest: Contest) -> None:
    stage = playing(contest, "swiss", 8, 3, games=1)
    first = page(client, stage)
    with CaptureQueriesContext(connection) as queries:
        assert page(client, stage) == first
    assert len(queries) < 10
    assert [q["sql"] for q in queries if 'JOIN "tournaments_table"' in q["sql"] and "GROUP BY" not in q["sql"]] == []
    scenes.play_match(stage.matches.filter(state="queued").first())
    assert page(client, stage) != first
    stages.disqualify(contest.teams.first(), contest.roles.get().user, "it was copied")
    assert "the organisers disqualified the team" in text_of(page(client, stage))


def test_a_table_that_everybody_has_left_was_not_played(client):
    hall = Hall(teams=4)
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Cup", "round_robin", {"games": 1}))
    stages.start(stage, hall.ada)
    stage.refresh_from_db()
    first, second = stage.matches.filter(table__round=1)
    finish(first)
    for seat in second.seats.filter(team__isnull=False):
        stages.disqualify(seat.team, hall.ada, "one program")
    page = client.get(stage.get_absolute_url() + "?round=1").content.decode()
    assert page.count('<span class="badge badge-muted">not played</span>') == 1
    assert page.count('<span class="badge badge-muted">played</span>') == 1


@pytest.mark.parametrize(("missing", "folded"), [(8, False), (9, True)])
def test_many_teams_that_were_not_there_at_the_start_are_folded_away(
    missing: int, folded: bool, client: Client
) -> None:
    hall = Hall(2 + missing, bots=False)
    for team in hall.teams[:2]:
        give_bot(team)
    stage = hall.stage()
    notice = client.get(stage.get_absolute_url()).text.split("Drawn without", 1)[1].split("</div>", 1)[0]
    assert all(team.name in notice for team in hall.teams[2:])
    assert ("<details>" in notice) == folded
    assert (f" {missing} teams" in notice) == folded
