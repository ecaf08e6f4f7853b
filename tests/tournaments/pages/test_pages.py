"""Brackets, standings, matches and teams: every state, every reader, and as many queries for 5,000 rows as for five."""

from __future__ import annotations

import gzip
import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from contest.models import Contest, Team
from games.engine import Fault, FaultKind
from tests.cast import Cast, make_cast, make_contest, make_team
from tests.tournaments import scenes, stagecraft
from tests.tournaments.records import Scripted
from tournaments.models import Match, MatchSeat, Record, Stage
from tournaments.organising import stages
from tournaments.results import visibility

pytestmark = pytest.mark.django_db

LONG = "The Quick Brown Fox Jumps Over The Lazy Dog, Team of Ogden 7"  # sixty characters


@pytest.fixture
def contest() -> Contest:
    return scenes.small_contest(name="Autumn Cup")


def text_of(html: str) -> str:
    """The visible text of a page."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html[html.index("<main") : html.index("</main")])).split())


def get(client: Client, name: str, *args: object, status: int = 200, **query: object) -> str:
    answer = client.get(reverse(name, args=args), query)
    assert answer.status_code == status
    return answer.text if status != 204 else ""


class TestBracket:
    def page(self, client: Client, stage: Stage, **query: object) -> str:
        return get(client, "bracket", stage.contest.slug, stage.pk, **query)

    def test_before_anything_is_drawn(self, client: Client, contest: Contest) -> None:
        stage = stages.create(contest, None, stages.Wish("Cup"))
        get(client, "bracket", contest.slug, stage.pk, status=404)  # the public does not see drafts
        cast = make_cast()
        draft = stages.create(cast.contest, None, stages.Wish("Cup"))
        client.force_login(cast.judy)
        words = text_of(self.page(client, draft))
        assert "There are no tables yet" in words
        assert "draft" in words

    def test_published_it_shows_who_meets_and_when(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 8)
        stage = scenes.stage_of(contest, started=False)
        words = text_of(self.page(client, stage))
        assert "The organisers will start it" in words
        assert "First of round 1, table 1" in words or "First of semi-final 1" in words
        Stage.objects.filter(pk=stage.pk).update(starts_at=timezone.now() + timedelta(hours=2))
        assert "in 2 hours" in text_of(self.page(client, stage)) or "in 1 hour" in text_of(self.page(client, stage))

    def test_it_fills_in(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 7)
        stage = scenes.stage_of(contest, advance=1)
        html = self.page(client, stage)
        assert text_of(html).count("queued") == 2
        assert "House: random" in text_of(html)  # the eighth seat
        match = scenes.play_match(stage.matches.first())
        winner = next(seat for seat in match.seats.all().order_by("place") if seat.team_id)
        html = self.page(client, stage)
        assert f'aria-label="{match.table.name}, played' in html
        assert f"{winner.team.name} {winner.score:g} ▸ advances" in text_of(html)
        assert html.count(f'data-team="{winner.team_id}"') == 2  # here and in the final

    def test_paused(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 4)
        stage = scenes.stage_of(contest)
        Stage.objects.filter(pk=stage.pk).update(state="paused")
        assert "have paused this stage" in text_of(self.page(client, stage))

    def test_a_match_that_is_being_played_is_marked(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 4)
        stage = scenes.stage_of(contest)
        stage.matches.update(state="running")
        html = self.page(client, stage)
        assert "playing now" in text_of(html)
        assert 'class="box playing"' in html

    def test_the_champion(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 9)
        stage = scenes.play_all(scenes.stage_of(contest))
        assert stage.state == "done"
        html = self.page(client, stage)
        final = stage.tables.last()
        champion = Team.objects.get(pk=final.places[0])
        assert f"Champion: {champion.name}" in text_of(html)
        assert "hx-trigger" not in html  # nothing will change again

    def test_nobody_who_is_out_is_champion(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 4)
        stage = scenes.stage_of(contest)
        out: set[int] = set()
        for _ in range(4):
            scenes.play_all(stage)  # the team that moves up may be level with another
            html = self.page(client, stage)
            champion = Team.objects.get(pk=next(team for team in stage.tables.get().places if team not in out))
            assert f"Champion: {champion.name}" in text_of(html)
            assert html.count("wins the final") == 1
            out.add(champion.pk)
            stages.disqualify(champion, contest.roles.get().user, "it was copied")
        html = self.page(client, stage)
        assert "Champion" not in html
        assert "wins the final" not in html
        assert "Finished without a champion" in text_of(html)

    def test_all_disqualified_by_the_referee(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 4)
        fault = Fault(FaultKind.CRASH, "was ended by signal 11")
        stage = scenes.play_all(scenes.stage_of(contest), lambda seat: Scripted(fault, at=1))
        assert stage.state == "done"
        assert "Finished without a champion" in text_of(self.page(client, stage))

    def test_why_it_did_not_start_is_for_those_with_a_role(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 4)
        stage = scenes.stage_of(contest, started=False)
        Stage.objects.filter(pk=stage.pk).update(starts_at=timezone.now() - timedelta(hours=1), refusal="No bots.")
        words = text_of(self.page(client, stage))
        assert "It starts as soon as possible" in words
        assert "This stage starts" not in words
        assert "No bots." not in words
        client.force_login(contest.roles.get().user)
        assert "No bots." in text_of(self.page(client, stage))

    def test_a_disqualified_team_is_marked_and_does_not_advance(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 8)
        stage = scenes.stage_of(contest, advance=2)
        fault = Fault(FaultKind.CRASH, "was ended by signal 11")
        match = stage.matches.first()
        out = match.seats.get(index=0)
        scenes.play_match(match, lambda seat: Scripted(fault if seat.index == 0 else None))
        html = self.page(client, stage)
        assert "Disqualified by the referee: crash" in html
        assert html.count(f'data-team="{out.team_id}"') == 1

    def test_void_matches_and_play_offs_are_linked(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 4)
        stage = scenes.stage_of(contest)
        first = stage.matches.get()
        stagecraft.void(first, "Wrong packs")
        seats = {"contest": contest, "stage": stage, "table": first.table, "seed": 1}
        stagecraft.drawn(**seats)
        playoff = stagecraft.drawn(**seats, kind="playoff", number=2)
        html = self.page(client, stage)
        assert f'<a class="void" href="{first.get_absolute_url()}">void match</a>' in html
        stagecraft.void(stagecraft.drawn(**seats, number=3))
        folded = client.get(stage.get_absolute_url()).text
        assert "<summary>2 void matches</summary>" in folded
        assert ">void match<" not in folded
        assert f'<a href="{playoff.get_absolute_url()}">' in html
        assert "Play-off: queued" in text_of(html)
        assert "play-off due" in text_of(html)

    def test_a_team_can_be_followed_without_a_script(self, client: Client, contest: Contest) -> None:
        team = scenes.enter(contest, 8)[5]
        stage = scenes.stage_of(contest)
        html = self.page(client, stage, team=team.pk)
        assert len(re.findall(r'<li class="[^"]*\bmine"', html)) == 1
        assert f'<option value="{team.pk}" selected>' in html

    @pytest.mark.parametrize("team", ["abc", "-1", "9" * 40, "²", "%00"])
    def test_nonsense_is_forgiven(self, client: Client, contest: Contest, team: str) -> None:
        scenes.enter(contest, 4)
        assert " mine" not in self.page(client, scenes.stage_of(contest), team=team)

    def test_another_contests_stage_is_not_found(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 4)
        stage = scenes.stage_of(contest)
        get(client, "bracket", make_contest().slug, stage.pk, status=404)

    def test_long_names_are_whole_for_who_asks(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 4, (LONG, '<i>"Bobby"</i> & Tables'))
        html = self.page(client, scenes.stage_of(contest))
        assert f'title="{LONG}"' in html
        assert "<i>&quot;" not in html
        assert "&lt;i&gt;&quot;Bobby&quot;&lt;/i&gt; &amp; Tables" in html


class TestLive:
    @pytest.mark.parametrize("name", ["bracket", "standings", "match"])
    def test_nothing_is_sent_while_nothing_has_changed(self, client: Client, contest: Contest, name: str) -> None:
        scenes.enter(contest, 8)
        stage = scenes.stage_of(contest)
        match = stage.matches.first()
        args = {"bracket": (contest.slug, stage.pk), "standings": (contest.slug,), "match": (match.pk,)}[name]
        page = get(client, name, *args)
        rev = re.search(r"\?rev=(\w+)", page)[1]
        get(client, name, *args, status=204, rev=rev)
        scenes.play_match(match)
        fragment = get(client, name, *args, rev=rev)
        assert "<html" not in fragment
        assert fragment.lstrip().startswith(f'<div id="{name}"')
        assert ("hx-trigger" in fragment) == (name != "match")  # the match is over, the stage is not

    def test_a_poll_costs_three_queries_at_most(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 8)
        stage = scenes.stage_of(contest)
        contest.refresh_from_db()
        with CaptureQueriesContext(connection) as queries:
            get(client, "bracket", contest.slug, stage.pk, status=204, rev=visibility.public(contest).revision)
        assert len(queries) <= 3


class TestStandings:
    def test_without_teams(self, client: Client, contest: Contest) -> None:
        assert "No team has entered yet" in text_of(get(client, "standings", contest.slug))

    def test_before_the_first_match(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 4)
        words = text_of(get(client, "standings", contest.slug))
        assert "Teams are listed by seed" in words
        assert "unrated" in words

    def test_after_some_matches(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 8)
        stage = scenes.play_all(scenes.stage_of(contest))
        winner = Team.objects.get(pk=stage.tables.last().places[0])
        page = client.get(reverse("standings", args=[contest.slug]), {"stage": "rating"})
        rows = list(page.context["page"])
        assert len(rows) == 8
        assert sum(row.record.matches for row in rows) == MatchSeat.objects.filter(team__isnull=False).count()
        of_stage = client.get(reverse("standings", args=[contest.slug]), {"stage": stage.pk})
        assert of_stage.context["page"][0].team == winner
        assert re.search(r"Final, \d(st|nd|rd|th)\b", text_of(of_stage.text))
        assert "±" not in text_of(page.text + of_stage.text), "nothing is explained that no row shows"
        opened = client.get(reverse("standings", args=[contest.slug]))
        assert opened.context["stage"] == stage, "it opens on the stage that was played last"
        assert opened.context["page"][0].team == winner
        assert f'{reverse("standings", args=[contest.slug])}?stage=rating"' in opened.text

    def test_places_at_tables_and_in_the_stage_are_told_apart(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 8)
        stage = scenes.play_all(scenes.stage_of(contest, table_size=2, third_place=True))
        words = text_of(get(client, "standings", contest.slug, stage=stage.pk))
        assert words.count("Quarter-finals, 2nd at the table") == 4
        assert "Semi-finals, 3rd in the stage" in words
        assert "Semi-finals, 4th in the stage" in words

    def test_a_stage_that_is_over_has_its_final_ranking_while_another_goes_on(
        self, client: Client, contest: Contest
    ) -> None:
        scenes.enter(contest, 8)
        over = scenes.play_all(scenes.stage_of(contest))
        other = scenes.stage_of(contest, name="Second cup")
        assert other.state == Stage.State.RUNNING
        words = text_of(get(client, "standings", contest.slug, stage=over.pk))
        assert "Final ranking" in words
        assert "so far" not in words

    def test_the_overview_names_the_champion_when_all_is_played(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 8)
        stage = scenes.stage_of(contest)
        before = text_of(get(client, "contest", contest.slug))
        assert "Champion" not in before
        assert "How to take part" in before
        winner = Team.objects.get(pk=scenes.play_all(stage).tables.last().places[0])
        after = text_of(get(client, "contest", contest.slug))
        assert re.search(rf"Champion of {stage.name} ?: {winner.name}\b", after)
        assert "How to take part" not in after

    def test_who_was_left_out_at_the_start_is_named(self, client: Client, contest: Contest) -> None:
        missing = scenes.enter(contest, 5)[-1]
        stage = scenes.stage_of(contest, started=False)
        missing.submissions.all().delete()
        stages.start(stage, None)
        words = text_of(client.get(stage.get_absolute_url()).text)
        assert f"Drawn without this team: {missing.name}" in words

    def test_after_the_end_the_overview_leads_to_all_results(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 4)
        stage = scenes.play_all(scenes.stage_of(contest))
        assert "Results" not in get(client, "contest", contest.slug)
        Contest.objects.update(ended_at=timezone.now())
        page = get(client, "contest", contest.slug)
        assert f'href="{stage.get_absolute_url()}"' in page.split(">Results</h2>")[1]
        assert f"{reverse('standings', args=[contest.slug])}?stage={stage.pk}" in page

    def test_a_reader_finds_the_own_team(self, client: Client) -> None:
        cast = make_cast()
        client.force_login(cast.bob)
        html = get(client, "standings", cast.contest.slug)
        assert re.search(r'<tr class="mine">.*?Aces', html, re.DOTALL)

    @pytest.mark.parametrize("stage", ["abc", "0", "-1", "9" * 40, "²"])
    def test_a_stage_that_is_not_there(self, client: Client, contest: Contest, stage: str) -> None:
        get(client, "standings", contest.slug, status=404, stage=stage)

    def test_fifty_on_a_page(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 60)
        assert len(client.get(reverse("standings", args=[contest.slug])).context["page"]) == 50
        assert len(client.get(reverse("standings", args=[contest.slug]), {"page": "2"}).context["page"]) == 10


class TestMatches:
    def test_before_there_are_stages(self, client: Client, contest: Contest) -> None:
        assert 'class="empty"' in get(client, "matches", contest.slug)

    def test_before_a_stage_starts(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 4)
        stage = scenes.stage_of(contest, "Grand final", started=False)
        html = get(client, "matches", contest.slug)
        assert 'class="empty"' in html
        assert stage.get_absolute_url() in html

    def test_it_can_be_narrowed_down(self, client: Client, contest: Contest) -> None:
        teams = scenes.enter(contest, 8)
        stage = scenes.stage_of(contest)
        first = stage.matches.first()
        fault = Fault(FaultKind.TIMEOUT, "did not answer in time")
        scenes.play_match(first, lambda seat: Scripted(fault if seat.index == 0 else None))
        asked = {
            "team": (teams[0].pk, set(stage.matches.filter(seats__team=teams[0]))),
            "stage": (stage.pk, set(stage.matches.all())),
            "state": ("queued", set(stage.matches.filter(state="queued"))),
            "faults": ("true", {first}),
        }
        for name, (value, expected) in asked.items():
            page = client.get(reverse("matches", args=[contest.slug]), {name: value})
            assert set(page.context["page"]) == expected, name
        without = client.get(reverse("matches", args=[contest.slug]), {"faults": "false"})
        assert first not in without.context["page"]
        nothing = get(client, "matches", contest.slug, state="void")
        assert 'class="empty"' in nothing

    @pytest.mark.parametrize("query", [{"team": "x"}, {"stage": "99999"}, {"state": "zzz"}, {"faults": "?"}])
    def test_a_bad_filter_says_so(self, client: Client, contest: Contest, query: dict[str, str]) -> None:
        assert "errorlist" in get(client, "matches", contest.slug, **query)

    @pytest.mark.parametrize("page", ["0", "-1", "abc", "9" * 30])
    def test_pages_that_are_not_there(self, client: Client, contest: Contest, page: str) -> None:
        get(client, "matches", contest.slug, page=page)

    def test_other_contests_and_drafts_are_not_listed(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 4)
        stage = scenes.stage_of(contest)
        other = make_contest()
        assert stage.name not in text_of(get(client, "matches", other.slug))
        Stage.objects.filter(pk=stage.pk).update(state="draft")
        assert not client.get(reverse("matches", args=[contest.slug])).context["page"].object_list


class TestMatch:
    def match(self, contest: Contest, **options: object) -> Match:
        scenes.enter(contest, 3, (LONG,))
        return scenes.stage_of(contest, **options).matches.get()

    def test_queued_running_void(self, client: Client, contest: Contest) -> None:
        match = self.match(contest)
        assert "in the queue" in text_of(get(client, "match", match.pk))
        Match.objects.filter(pk=match.pk).update(failures=2)
        assert "failed 2 times" in text_of(get(client, "match", match.pk))
        Stage.objects.filter(pk=match.stage_id).update(state="paused")
        assert "the stage is paused" in text_of(get(client, "match", match.pk))
        Match.objects.filter(pk=match.pk).update(state="running", started_at=timezone.now())
        assert "This match started" in text_of(get(client, "match", match.pk))
        stagecraft.void(match, "Wrong packs")
        assert "This match is void : Wrong packs" in text_of(get(client, "match", match.pk))

    def test_who_won_is_said_where_the_scores_do_not_tell(self, client: Client, contest: Contest) -> None:
        match = scenes.play_match(self.match(contest))
        won = '</b> <span class="badge badge-ok">won</span>'
        assert won not in get(client, "match", match.pk)
        content = match.record.loaded()
        result = next(event for event in content["events"] if event["event"] == "result")
        result["scores"][result["winner"]] = -77
        match.record.delete()
        Record.of(match, json.dumps(content)).save()
        assert get(client, "match", match.pk).count(f"<b>-77{won}") == 1

    def test_played(self, client: Client, contest: Contest) -> None:
        match = scenes.play_match(self.match(contest, games=3))
        html = get(client, "match", match.pk)
        words = text_of(html)
        for seat in match.seats.all():
            assert seat.name in words
            assert f"{seat.score:g}" in words
        assert "version 1" in words
        assert "house player" in words
        assert match.why in words
        assert str(match.seed) in words
        assert f"python3 kibitz.pyz verify match-{match.pk}.json" in words
        assert reverse("kit", args=[contest.slug, "all"]) in html
        for game in (1, 2, 3):
            assert reverse("replay", args=[match.pk, game]) in html
            assert reverse("game-log", args=[match.pk, game, "te.log"]) in html

    def test_scores_of_games_stand_under_the_right_player(self, client: Client, contest: Contest) -> None:
        match = scenes.play_match(self.match(contest, games=3))
        page = client.get(reverse("match", args=[match.pk]))
        totals = [sum(line["scores"][seat.index] for line in page.context["games"]) for seat in page.context["players"]]
        assert totals == [seat.score for seat in page.context["players"]]

    def test_organisers_find_the_way_to_void_it(self, client: Client, contest: Contest) -> None:
        match = self.match(contest)
        assert "Void this match" not in text_of(get(client, "match", match.pk))
        client.force_login(contest.roles.get().user)
        assert f"/desk/stages/{match.stage_id}/void/{match.pk}/" in get(client, "match", match.pk)
        Match.objects.filter(pk=match.pk).update(state="void")
        assert "Void this match" not in text_of(get(client, "match", match.pk))

    def test_a_match_played_again_names_both(self, client: Client, contest: Contest) -> None:
        match = scenes.play_match(self.match(contest))
        stages.void(match, contest.roles.get().user, "Wrong packs")
        again = Match.objects.get(replay_of=match)
        assert again.get_absolute_url() in get(client, "match", match.pk)
        assert f"match {match.pk} , which is void" in text_of(get(client, "match", again.pk))

    def test_own_versions_are_linked_for_the_team_only(self, client: Client) -> None:
        cast = make_cast()
        scenes.arm(cast.aces, cast.clubs)
        match = scenes.stage_of(cast.contest).matches.get()
        link = reverse("version", args=[cast.contest.slug, 1])
        assert link not in get(client, "match", match.pk)
        client.force_login(cast.bob)
        assert get(client, "match", match.pk).count(link) == 1

    @pytest.mark.parametrize("match_id", [0, 999999])
    def test_not_there(self, client: Client, match_id: int) -> None:
        get(client, "match", match_id, status=404)


class TestUnknownTeams:
    """Only the team and the organisers may know who waits for approval or was refused."""

    @pytest.fixture
    def secret(self) -> Team:
        contest = scenes.small_contest(approval_required=True)
        scenes.play_all(self.bracket(contest))
        return make_team(contest, name="Secret Pending")

    def bracket(self, contest: Contest) -> Stage:
        scenes.enter(contest, 4)
        return scenes.stage_of(contest)

    @pytest.mark.parametrize("state", ["pending", "refused"])
    def test_strangers(self, client: Client, secret: Team, state: str) -> None:
        Team.objects.filter(pk=secret.pk).update(state=state, state_reason="a rude name")
        assert "Secret" not in get(client, "matches", secret.contest.slug)
        get(client, "team", secret.contest.slug, secret.pk, status=404)

    def test_the_team_itself_and_the_desk(self, client: Client, secret: Team) -> None:
        for user in (secret.memberships.get().user, secret.contest.roles.get().user):
            client.force_login(user)
            assert "Secret Pending" in get(client, "team", secret.contest.slug, secret.pk)

    def test_who_has_left_is_still_in_the_books(self, client: Client, secret: Team) -> None:
        Team.objects.filter(pk=secret.pk).update(state="disqualified")
        assert "Secret Pending" in get(client, "matches", secret.contest.slug)
        assert "Secret Pending" in get(client, "team", secret.contest.slug, secret.pk)


class TestTeam:
    def test_without_a_match(self, client: Client) -> None:
        cast = make_cast()
        words = text_of(get(client, "team", cast.contest.slug, cast.aces.pk))
        assert "This team has not played yet" in words
        assert "No match yet" in words

    def test_with_matches(self, client: Client, contest: Contest) -> None:
        team = scenes.enter(contest, 4)[0]
        scenes.play_all(scenes.stage_of(contest))
        page = client.get(reverse("team", args=[contest.slug, team.pk]))
        assert page.context["totals"].matches == 1
        assert page.context["versions"] == [
            {"submission__number": 1, "matches": 1, "place": page.context["totals"].average_place, "faults": 0}
        ]
        assert "Version 1" in text_of(page.text)

    def test_with_many_matches_the_latest_stand_there(self, client: Client, contest: Contest) -> None:
        scenes.many(contest, 4, 12)
        team = contest.teams.first()
        html = get(client, "team", contest.slug, team.pk)
        assert html.count("kept no longer") == 10, "these matches have no records"
        assert f'?team={team.pk}">All 13 matches</a>' in html

    def test_of_another_contest(self, client: Client, contest: Contest) -> None:
        get(client, "team", contest.slug, make_cast().aces.pk, status=404)


class TestPrivate:
    def test_pages_of_a_private_contest_are_not_there(self, client: Client) -> None:
        cast: Cast = make_cast(visibility="private")
        scenes.arm(cast.aces, cast.clubs)
        stage = scenes.stage_of(cast.contest)
        pages = [
            ("bracket", cast.contest.slug, stage.pk),
            ("standings", cast.contest.slug),
            ("matches", cast.contest.slug),
            ("team", cast.contest.slug, cast.aces.pk),
        ]
        for page in pages:
            get(client, *page, status=404)
        for user in (cast.judy, cast.bob):
            client.force_login(user)
            for page in pages:
                get(client, *page)


@pytest.mark.long("more")
def test_queries_do_not_grow_with_the_rows(client: Client) -> None:
    """Compare 4 teams and 60 matches with 200 teams and 5,000 matches."""
    counts: list[dict[str, int]] = []
    for teams, extra in ((4, 60), (200, 5000)):
        contest = scenes.small_contest(name=f"Cup of {teams}")
        stage = scenes.many(contest, teams, extra)
        match = scenes.play_match(stage.matches.filter(state="queued").first(), reconcile=False)
        team = match.seats.filter(team__isnull=False).first().team
        pages = {
            "bracket": reverse("bracket", args=[contest.slug, stage.pk]),
            "standings": reverse("standings", args=[contest.slug]),
            "standings of the stage": reverse("standings", args=[contest.slug]) + f"?stage={stage.pk}",
            "matches": reverse("matches", args=[contest.slug]),
            "matches of a team": reverse("matches", args=[contest.slug]) + f"?team={team.pk}&faults=true",
            "match": reverse("match", args=[match.pk]),
            "team": reverse("team", args=[contest.slug, team.pk]),
            "replay": reverse("replay", args=[match.pk, 1]),
        }
        found = {}
        for name, url in pages.items():
            with CaptureQueriesContext(connection) as queries:
                answer = client.get(url)
            assert answer.status_code == 200, name
            assert len(gzip.compress(answer.content)) < 60_000, name
            found[name] = len(queries)
        counts.append(found)
    small, large = counts
    assert small == large
    assert max(large.values()) <= 16


def test_the_teams_of_a_bracket_can_be_chosen_in_the_order_of_their_seeds(client: Client) -> None:
    hall = stagecraft.Hall(5)
    page = client.get(hall.stage(table_size=2).get_absolute_url()).text
    select = page[page.index('id="find-team"') : page.index("</select>")]
    assert re.findall(r">\s*(\d)\. ", select) == ["1", "2", "3", "4", "5"]


def test_the_final_of_a_finished_bracket_has_a_badge_like_the_others(client: Client) -> None:
    hall = stagecraft.Hall(4)
    stage = hall.stage(games=1, table_size=2, advance=1)
    stagecraft.play_out(stage)
    assert client.get(stage.get_absolute_url()).text.count(">played</span>") == 3
