"""The front page: champions, what is played, the position of the day; and nothing that is not public."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from contest import contests, teams
from contest.formatting import nth
from contest.models import Contest, User
from tests.cast import make_team
from tests.tournaments import scenes
from tests.tournaments.pages.test_pages import text_of
from tests.tournaments.stagecraft import give_bot
from tournaments.models import Match, Stage
from tournaments.organising import releases
from tournaments.view_models import front as fronts
from tournaments.view_models.front import front_of

pytestmark = pytest.mark.django_db

HOME = reverse("home")


def home(client: Client) -> str:
    return text_of(client.get(HOME).text)


def running(stage: Stage) -> Match:
    match = stage.matches.filter(state="queued").first()
    Match.objects.filter(pk=match.pk).update(state="running", started_at=timezone.now())
    stage.contest.touch()
    return match


def test_an_empty_portal_has_a_face(client: Client) -> None:
    words = home(client)
    assert "Card games between programs" in words
    assert "Avoid the hearts" in words
    assert "Position of the day" not in words
    assert "Latest champion" not in words


def test_it_tells_what_was_decided_and_what_is_played(client: Client) -> None:
    cup = scenes.small_contest(name="Autumn Cup")
    scenes.enter(cup, 5)
    stage = scenes.play_all(scenes.stage_of(cup, advance=1))
    league = scenes.small_contest(cup.roles.get().user, name="Winter League")
    scenes.enter(league, 8)
    match = running(scenes.stage_of(league))

    html = client.get(HOME).text
    words = text_of(html)
    final = stage.matches.order_by("table__round", "pk").last()
    assert "Latest champion Autumn Cup" in words
    assert f'href="{reverse("replay", args=[final.pk, 1])}">Watch the final' in html
    assert "Finished" in words[words.index("Open now") :]
    assert f'href="{match.get_absolute_url()}"' in html[html.index("Playing now") :]
    overview = text_of(client.get(cup.get_absolute_url()).text)
    assert "All stages are finished" in overview
    assert "Entry and uploads close in" not in overview
    assert "All stages" not in text_of(client.get(league.get_absolute_url()).text)
    newcomer = Client()
    newcomer.force_login(User.objects.create_user("newcomer"))
    assert "plays in none of them" in text_of(newcomer.get(reverse("enter", args=[cup.slug])).text)
    assert "plays in none of them" not in text_of(newcomer.get(reverse("enter", args=[league.slug])).text)
    assert "Winter League : entry and uploads close in" in words
    assert "Autumn Cup : entry" not in words
    found = front_of(timezone.now()).moment
    assert found is not None
    assert found.legal >= 3
    assert sum(seat.is_turn for seat in found.seats) == 1
    assert client.get(found.url).status_code == 200

    with CaptureQueriesContext(connection) as warm:
        client.get(HOME)
    fronts.CACHE.clear()
    with CaptureQueriesContext(connection) as cold:
        client.get(HOME)
    assert len(warm) <= 10
    assert len(cold) <= 60

    Contest.objects.update(visibility=Contest.Visibility.UNLISTED)
    words = home(client)
    assert "Autumn Cup" not in words
    assert "Position of the day" not in words


def test_the_position_stays_for_a_day() -> None:
    contest = scenes.small_contest(name="Autumn Cup")
    scenes.enter(contest, 20)
    stage = scenes.play_all(scenes.stage_of(contest))
    day = datetime(2030, 5, 4, tzinfo=UTC)  # after all of them
    urls = set()
    for hours in (0, 11, 23):
        fronts.CACHE.clear()
        urls.add(front_of(day + timedelta(hours=hours)).moment.url)
    assert len(urls) == 1
    urls |= {front_of(day + timedelta(days=days)).moment.url for days in range(1, 6)}
    assert len(urls) > 1
    assert stage.state == "done"


def test_nothing_hidden_shows(client: Client) -> None:
    contest = scenes.small_contest(name="Autumn Cup")
    scenes.enter(contest, 8)
    stage = scenes.stage_of(contest, advance=1)
    releases.freeze(contest, contest.roles.get().user)
    before = home(client)
    scenes.play_all(stage)
    fronts.CACHE.clear()
    assert home(client) == before
    assert "champion" not in before
    client.force_login(contest.roles.get().user)  # the front page is the same for everybody
    assert "champion" not in home(client)


def test_what_is_played_now_keeps_itself_up_to_date(client: Client) -> None:
    league = scenes.small_contest(name="Winter League")
    scenes.enter(league, 8)
    stage = scenes.stage_of(league)
    scenes.play_match(stage.matches.filter(state="queued").first())
    shown = client.get(HOME)
    assert "Latest results" in shown.text
    rev = shown.context["front"].revision
    assert client.get(HOME, {"now": rev}).status_code == 204
    match = running(stage)
    news = client.get(HOME, {"now": rev})
    assert match.get_absolute_url() in news.text
    assert f'href="{match.live_url}"' in news.text, "one click away"
    assert "<html" not in news.text


def test_with_forty_contests_the_first_are_cards_and_the_others_a_list(client: Client) -> None:
    for number in range(40):
        scenes.small_contest(name=f"Cup {number:02}")
    with CaptureQueriesContext(connection) as queries:
        shown = client.get(HOME)
    assert len(queries) <= 12
    assert [len(group.cards) for group in shown.context["groups"]] == [9]
    assert "31 more" in text_of(shown.text)
    assert all(f"Cup {number:02}" in shown.text for number in range(40))


def test_a_contest_that_never_ends_stands_apart_and_has_no_date(client: Client) -> None:
    contest = scenes.small_contest(name="For ever", endless=True)
    scenes.enter(contest, 4)
    words = home(client)
    assert "Always open" in words
    assert "Always on For ever" in words
    assert "Next dates" not in words
    assert "close" not in words[words.index("Always open") : words.index("The games")]


def test_somebody_who_has_just_signed_up_is_shown_what_to_enter(client: Client) -> None:
    nova = User.objects.create_user("nova")
    client.force_login(nova)
    assert "enter a bot" not in home(client), "there is nothing to enter"
    contest = scenes.small_contest(name="For ever", endless=True)
    page = client.get(HOME).text
    assert 'href="#group-1">Choose a contest and enter a bot' in page
    assert 'id="group-1">Always open' in page
    teams.create(contest, nova, "Night Owls")
    assert "enter a bot" not in home(client)


class TestMyTeams:
    @pytest.fixture
    def league(self) -> Contest:
        league = scenes.small_contest(name="Winter League")
        scenes.enter(league, 7)
        return league

    def strip(self, client: Client) -> str:
        words = home(client)
        return words[: words.index("Card games between programs")]

    def test_strangers_have_none(self, client: Client, league: Contest) -> None:
        assert "Your teams" not in home(client)

    def test_the_next_step_the_next_match_and_the_last_result(self, client: Client, league: Contest) -> None:
        team = make_team(league, name="Nova")
        client.force_login(team.people()[0].user)
        assert "Upload a bot" in self.strip(client)
        version = give_bot(team)
        team.submissions.update(state="rejected", is_active=False)
        assert "Version 1 was rejected: fix it" in self.strip(client)
        team.submissions.update(state="building")
        assert "Version 1 is being checked" in self.strip(client)
        team.submissions.update(state="ready", is_active=True)
        assert "Practise" in self.strip(client)
        stage = scenes.stage_of(league)
        assert "In the queue against" in self.strip(client)
        match = stage.matches.get(seats__team=team)
        scenes.play_match(match)
        place = match.seats.get(team=team).place
        assert f"Last {nth(place)} of 4" in self.strip(client)
        assert version.pk

    def test_a_freeze_hides_the_last_result_here_too(self, client: Client, league: Contest) -> None:
        team = make_team(league, name="Nova")
        give_bot(team)
        stage = scenes.stage_of(league)
        releases.freeze(league, league.roles.get().user)
        client.force_login(team.people()[0].user)
        before = self.strip(client)
        scenes.play_match(stage.matches.get(seats__team=team))
        assert self.strip(client) == before
        assert "Last" not in before


class TestNextSteps:
    """The checklist on a contest's page, for a team that plays, and where else one can play."""

    def page(self, client: Client, contest: Contest) -> str:
        return text_of(client.get(contest.get_absolute_url()).text)

    def test_its_own_match_is_the_next_step_and_its_last_result_is_there(self, client: Client) -> None:
        league = scenes.small_contest(name="Winter League")
        scenes.enter(league, 7)
        team = make_team(league, name="Nova")
        give_bot(team)
        client.force_login(team.people()[0].user)
        stage = scenes.stage_of(league)
        match = stage.matches.get(seats__team=team)
        assert "Your match is in the queue" in self.page(client, league)
        Match.objects.filter(pk=match.pk).update(state="running", started_at=timezone.now())
        assert "Watch your match" in self.page(client, league)
        Match.objects.filter(pk=match.pk).update(state="queued")
        scenes.play_match(match)
        assert f"Your last match: {nth(match.seats.get(team=team).place)} of 4" in self.page(client, league)

    def test_a_ladder_that_is_always_open_is_offered_where_there_is_nothing_to_do(self, client: Client) -> None:
        ladder = scenes.small_contest(name="For ever", endless=True)
        coming = scenes.small_contest(name="Coming Cup", opens_at=timezone.now() + timedelta(days=1))
        over = scenes.small_contest(name="Old Cup")
        contests.end(over, over.roles.get().user, "It is over.")
        for contest in (coming, over):
            assert "For ever is always open" in self.page(client, contest)
        assert "is always open" not in self.page(client, ladder)
        contests.end(ladder, ladder.roles.get().user, "Enough.")
        assert "is always open" not in self.page(client, coming)

    def test_a_disqualified_team_is_shown_whom_to_ask(self, client: Client) -> None:
        league = scenes.small_contest(name="Winter League")
        team = make_team(league, name="Nova")
        teams.disqualify(team, league.roles.get().user, "Two bots")
        client.force_login(team.people()[0].user)
        assert "Ask the organisers" in self.page(client, league)
