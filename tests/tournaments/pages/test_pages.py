"""Brackets, standings, matches and teams: their numbers and their readers."""

from __future__ import annotations

import gzip
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
from tests.cast import make_cast, make_team
from tests.tournaments import scenes
from tournaments.models import Match, Stage
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

    def test_why_it_did_not_start_is_for_those_with_a_role(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 4)
        stage = scenes.stage_of(contest, started=False)
        Stage.objects.filter(pk=stage.pk).update(starts_at=timezone.now() - timedelta(hours=1), refusal="No bots.")
        assert "No bots." not in self.page(client, stage)
        client.force_login(contest.roles.get().user)
        assert "No bots." in text_of(self.page(client, stage))


class TestLive:
    @pytest.mark.parametrize("name", ["bracket", "swiss", "ladder", "standings", "match"])
    def test_nothing_is_sent_while_nothing_has_changed(self, client: Client, contest: Contest, name: str) -> None:
        scenes.enter(contest, 8)
        format = name if name in ("swiss", "ladder") else "single_elimination"
        stage = stages.create(contest, None, stages.Wish("Cup", format))
        stages.start(stage, None)
        match = stage.matches.first()
        view = "bracket" if name == format else name
        args = {"bracket": (contest.slug, stage.pk), "standings": (contest.slug,), "match": (match.pk,)}[view]
        page = get(client, view, *args, **({"stage": stage.pk} if view == name == "standings" else {}))
        rev = re.search(r"\?rev=(\w+)", page)[1]  # it comes first: who shares an answer goes by it
        get(client, view, *args, status=204, rev=rev)
        scenes.play_match(match)
        fragment = get(client, view, *args, rev=rev)
        assert fragment.lstrip().startswith("<div id=")
        assert ("hx-trigger" in fragment) == (name != "match")  # the match is over, the stage is not

    def test_a_poll_costs_three_queries_at_most(self, client: Client, contest: Contest) -> None:
        scenes.enter(contest, 8)
        stage = scenes.stage_of(contest)
        contest.refresh_from_db()
        with CaptureQueriesContext(connection) as queries:
            get(client, "bracket", contest.slug, stage.pk, status=204, rev=visibility.public(contest).revision)
        assert len(queries) <= 3


class TestMatch:
    def match(self, contest: Contest, **options: object) -> Match:
        scenes.enter(contest, 3, (LONG,))
        return scenes.stage_of(contest, **options).matches.get()

    def test_own_versions_are_linked_for_the_team_only(self, client: Client) -> None:
        cast = make_cast()
        scenes.arm(cast.aces, cast.clubs)
        match = scenes.stage_of(cast.contest).matches.get()
        link = reverse("version", args=[cast.contest.slug, 1])
        assert link not in get(client, "match", match.pk)
        client.force_login(cast.bob)
        assert get(client, "match", match.pk).count(link) == 1


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
    assert max(large.values()) <= 17
