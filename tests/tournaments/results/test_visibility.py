"""Who may see which matches and stages. test_two_worlds.py checks that nothing else reveals the others."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from contest import contests
from contest.followers import follow_all
from contest.models import Contest, Role, User
from contest.permissions import access_of
from tests.cast import make_user
from tests.contest.test_views import text_of
from tests.tournaments.stagecraft import Hall, finish
from tests.tournaments.test_two_worlds import freeze, staged
from tests.tournaments.visitors import visitor
from tests.tournaments.worlds import CODE, Told, differing, in_both, play_on
from tournaments.clock import periodic
from tournaments.models import Match, Stage
from tournaments.organising import releases, reviews, stages
from tournaments.results import standings, visibility
from tournaments.results.visibility import Sight

pytestmark = [pytest.mark.promise, pytest.mark.django_db]

ROUNDS = Stage.Release.ROUNDS


def role(hall: Hall) -> Sight:
    return Sight(access_of(hall.ada, Contest.objects.get(pk=hall.contest.pk)))


def public(hall: Hall) -> Sight:
    return visibility.public(Contest.objects.get(pk=hall.contest.pk))


def judge_of(hall: Hall) -> User:
    judge = make_user()
    contests.give_role(hall.contest, hall.ada, judge, Role.Kind.JUDGE)
    return judge


class TestMatches:
    def test_of_a_review_that_is_not_applied(self) -> None:
        hall = Hall(4)
        stage = staged(hall)
        play_on(stage, most=1)
        (match,) = stage.matches.done()
        review = reviews.start(stage, hall.ada, "A doubt.", [match.pk])
        pending = Match.objects.get(review=review)
        finish(pending)
        assert list(public(hall).matches()) == [match]
        assert not public(hall).knows(pending)
        assert set(role(hall).matches()) == {match, pending}
        page = pending.get_absolute_url()
        assert [visitor(user).get(page).status_code for user in (None, hall.teams[0].people()[0].user)] == [404, 404]
        for user in (hall.ada, judge_of(hall)):
            assert "under review" in visitor(user).get(page).text
        reviews.apply(review, hall.ada)
        assert set(public(hall).matches()) == {match, pending}


class TestStages:
    @pytest.mark.parametrize("format", ["single_elimination", "swiss", "ladder"])
    def test_a_field_that_changes_in_a_freeze_stays_as_it_was(self, format: str, client: Client) -> None:
        """Its present entrants would reveal the new results, and so would the fact that the earlier stage goes on
        again."""
        hall = Hall(4)
        first = staged(hall, options={"table_size": 2, "games": 1})
        play_on(first)
        entry = {"entry": Stage.Entry.BEST, "source": first, "best": 2}
        seeding = {} if format == "ladder" else {"seeding": Stage.Seeding.SOURCE}
        finals = staged(hall, format, name="Finals", start=False, starts_after=True, **entry, **seeding)
        stages.publish(finals, hall.ada)
        follow_all(hall.contest.pk)  # teams hear of their matches, and that the first stage is finished
        pages = {"bracket": finals.get_absolute_url(), "standings": f"{standings_of(hall)}?stage={finals.pk}"}
        freeze(hall)
        shown = {name: text_of(client.get(address, follow=True)) for name, address in pages.items()}
        assert all("follows from results" not in page for page in shown.values())
        revision = public(hall).revision
        stages.void(first.matches.done().first(), hall.ada, "A power cut.")
        for again in (False, True):
            if again:
                play_on(first, weak=True)
            periodic.tick()
            assert public(hall).revision == revision, "live pages are not told that there is something"
            assert shown == {name: text_of(client.get(address, follow=True)) for name, address in pages.items()}
        finals.refresh_from_db()
        assert finals.order != public(hall).stage(finals.pk).order
        releases.lift(hall.contest, hall.ada)
        assert finals.order == public(hall).stage(finals.pk).order

    def test_a_field_that_becomes_known_in_a_freeze_is_away_and_the_page_says_why(self, client: Client) -> None:
        hall = Hall(4)
        first = staged(hall, options={"table_size": 2, "games": 1})
        entry = {"entry": Stage.Entry.BEST, "source": first, "best": 2, "seeding": Stage.Seeding.SOURCE}
        finals = staged(hall, name="Finals", start=False, **entry)
        stages.publish(finals, hall.ada)
        freeze(hall)
        for played in (False, True):
            if played:
                play_on(first)
                periodic.tick()
                assert Stage.objects.get(pk=finals.pk).order
            words = text_of(client.get(finals.get_absolute_url()))
            assert "Results that are not public yet decide who plays here." in words


def standings_of(hall: Hall) -> str:
    return reverse("standings", args=[hall.contest.slug])


def test_ratings_stand_still_at_the_first_result_that_is_hidden() -> None:
    """Ratings go on from match to match, so later public matches would reveal it."""
    hall = Hall(4)
    stage = staged(hall, options={"table_size": 2, "games": 1}, release=ROUNDS)
    live = staged(hall, name="Warm-up", options={"advance": 1})

    def rated(weak: bool) -> None:
        play_on(stage, weak=weak)
        play_on(live)

    def table(sight: Sight) -> Told:
        rows = standings.of_contest(sight)
        return {row.team.name: (row.record.matches, f"{row.mu}") for row in sorted(rows, key=lambda row: row.team.name)}

    stories = [lambda: rated(False), lambda: rated(True)]
    assert differing(in_both(stories, lambda: table(public(hall)))) == []
    assert len(differing(in_both(stories, lambda: table(role(hall))))) == 4, "else this test tries nothing"
    rated(False)
    assert set(table(public(hall)).values()) == {(1, "None")}


class TestWatching:
    @pytest.fixture
    def hall(self) -> Hall:
        hall = Hall(4, visibility=Contest.Visibility.PRIVATE)
        Contest.objects.update(spectator_code=CODE)
        return hall

    def pages(self, hall: Hall) -> list[str]:
        stage = hall.contest.stages.get()
        here = hall.contest.get_absolute_url()
        return [here, f"{here}standings/", f"{here}matches/", stage.get_absolute_url(), f"/m/{stage.matches.get().pk}/"]

    def test_the_link_opens_what_everybody_would_see_and_nothing_more(self, hall: Hall, client: Client) -> None:
        staged(hall)
        here = hall.contest.get_absolute_url()
        assert {client.get(page).status_code for page in self.pages(hall)} == {404}
        assert client.get(f"{here}watch/{CODE}x/").status_code == 404
        assert client.get(f"{here}watch/{CODE}/", follow=True).status_code == 200
        assert {client.get(page).status_code for page in self.pages(hall)} == {200}
        assert "/enter/" not in client.get(here).text
        assert client.get(f"{here}enter/").status_code == 404
        assert client.get(f"{here}desk/").status_code == 302  # to log in
        client.force_login(make_user())
        assert client.get(f"{here}watch/{CODE}/").status_code == 302
        assert client.get(f"{here}desk/").status_code == 403
        sent = {"name": "Intruders", "school": ""}
        assert [client.post(f"{here}{act}", sent).status_code for act in ("enter/", "my/team/", "my/")] == [
            404,
            302,
            302,
        ]
        assert hall.contest.teams.count() == 4

    def test_it_ends_with_a_new_code_or_none(self, hall: Hall, client: Client) -> None:
        here = hall.contest.get_absolute_url()
        for code in ("another", ""):
            Contest.objects.update(spectator_code=CODE)
            client.get(f"{here}watch/{CODE}/")
            assert client.get(here).status_code == 200
            Contest.objects.update(spectator_code=code)
            assert client.get(here).status_code == 404
        assert client.get(f"{here}watch//").status_code == 404

    def test_it_is_for_one_contest(self, hall: Hall, client: Client) -> None:
        other = Hall(0, visibility=Contest.Visibility.PRIVATE, spectator_code="other").contest
        client.get(f"{hall.contest.get_absolute_url()}watch/{CODE}/")
        assert client.get(other.get_absolute_url()).status_code == 404
        client.get(f"{other.get_absolute_url()}watch/other/")
        assert client.get(other.get_absolute_url()).status_code == 200
        assert client.get(hall.contest.get_absolute_url()).status_code == 200


class TestAsPublic:
    def test_it_holds_from_page_to_page_until_it_is_taken_back(self) -> None:
        hall = Hall(4)
        stage = staged(hall)
        freeze(hall)
        play_on(stage)
        client, here = visitor(hall.ada), hall.contest.get_absolute_url()
        page = stage.get_absolute_url()
        assert "Champion" in client.get(page).text
        assert "as the public does" in client.get(f"{here}?as=public").text
        assert "Champion" not in client.get(page).text
        assert client.get(f"{here}desk/").status_code == 200
        assert "as the public does" not in client.get(f"{here}?as=me").text
        assert "Champion" in client.get(page).text
