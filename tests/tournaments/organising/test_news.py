"""What teams are told unasked, by a reaction to the ledger: once each, and nothing that a page would not show."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import followers, mailing
from contest.models import Contest, Follower, Membership, Question, Team
from tests.tournaments.courtroom import Courtroom
from tests.tournaments.stagecraft import Hall, finish, play_out
from tests.tournaments.worlds import play_on
from tournaments.models import Match, Stage
from tournaments.organising import endings, news, releases, stages

pytestmark = pytest.mark.django_db


def told(hall: Hall | Courtroom) -> list[tuple[str, str]]:
    """The teams that were told something since the last time, and what: the tick has been there."""
    followers.catch_up()
    found = hall.contest.questions.filter(asked_at__gt=getattr(hall, "told_at", hall.contest.created_at))
    found = found.exclude(entry__kind="match_result")  # test_played.py
    notices = list(found.order_by("asked_at", "pk").select_related("team"))
    if notices:
        hall.told_at = notices[-1].asked_at  # type: ignore[union-attr]
    assert all(notice.is_notice and not notice.to_all for notice in notices)
    return [(notice.team.name, f"{notice.subject}: {notice.answer}") for notice in notices]


def finished(hall: Hall, **options: object) -> Stage:
    stage = hall.stage(**options)
    play_out(stage)
    stage.refresh_from_db()
    return stage


def by_rounds(hall: Hall) -> Stage:
    """A stage whose results are released by hand, played to its end."""
    stage = stages.create(
        hall.contest, hall.ada, stages.Wish("Cup", options={"table_size": 2}, release=Stage.Release.ROUNDS)
    )
    stages.start(stage, hall.ada)
    play_out(stage)
    return Stage.objects.get(pk=stage.pk)


class TestAFinishedStage:
    def test_every_team_is_told_once_where_it_came(self) -> None:
        hall = Hall(teams=4)
        stage = finished(hall)
        said = told(hall)
        assert [name for name, _ in said] == [team.name for team in hall.teams], "best first: the stronger seed wins"
        for place, (_, text) in zip(("first", "second", "third", "fourth"), said, strict=True):
            assert str(stage) in text
            assert f"{place} of 4" in text
            assert stage.get_absolute_url() in text
        assert told(hall) == []

    def test_also_when_the_process_dies_after_the_last_result(self) -> None:
        """Nobody was woken: all that is left are the rows."""
        hall = Hall(teams=2)
        finished(hall)
        Follower.objects.filter(name=news.NEWS.name).delete()
        assert len(told(hall)) == 2

    @pytest.mark.long("more")
    def test_teams_that_have_left_are_not_told_a_place(self) -> None:
        hall = Hall(teams=4)
        stages.withdraw(hall.teams[3], hall.ada, "No bot")
        assert [name for name, _ in told(hall)] == [hall.teams[3].name]
        finished(hall)
        assert hall.teams[3].name not in {name for name, _ in told(hall)}

    @pytest.mark.long("more")
    def test_a_result_that_changes_is_told_anew(self) -> None:
        hall = Hall(teams=2)
        stage = finished(hall)
        assert len(told(hall)) == 2
        stages.void(stage.matches.done().first(), hall.ada, "The wrong deal")
        assert len(told(hall)) == 2
        play_out(stage)
        same = told(hall)
        assert len(same) == 2
        assert all("result has changed" in text and "place has not" in text for _, text in same)

    @pytest.mark.long("more")
    def test_judged_problems_too(self) -> None:
        hall = Courtroom(2).start()
        hall.send(hall.teams[0], 5)
        hall.judge()
        past = timezone.now() - timedelta(minutes=1)
        Contest.objects.filter(pk=hall.contest.pk).update(upload_deadline=past, entry_deadline=past)
        followers.catch_up()
        stages.reconcile_contest(Contest.objects.get(pk=hall.contest.pk))
        assert [name for name, text in told(hall) if "first" in text] == [hall.teams[0].name]


class TestWhatIsNotPublic:
    def test_in_a_freeze_nothing_is_told_until_it_ends(self) -> None:
        hall = Hall(teams=2)
        stage = hall.stage()
        releases.freeze(hall.contest, hall.ada)
        play_out(stage)
        assert told(hall) == []
        releases.lift(Contest.objects.get(pk=hall.contest.pk), hall.ada)
        assert len(told(hall)) == 2
        assert told(hall) == []

    def test_by_rounds_when_the_last_one_is_released(self) -> None:
        hall = Hall(teams=4)
        stage = by_rounds(hall)
        assert told(hall) == []
        releases.release(stage, hall.ada, 1)
        assert told(hall) == []
        releases.release(Stage.objects.get(pk=stage.pk), hall.ada, 2)
        assert len(told(hall)) == 4

    @pytest.mark.long("more")
    @pytest.mark.parametrize("by_standings", [False, True])
    def test_of_a_stage_that_follows_from_another_when_that_is_released(self, by_standings: bool) -> None:
        hall = Hall(teams=4)
        cup = by_rounds(hall)
        wish = stages.Wish("Final", entry=Stage.Entry.BEST, source=cup, best=2, options={"table_size": 2})
        if by_standings:
            wish = stages.Wish("Final", seeding=Stage.Seeding.STANDINGS, options={"table_size": 2})
        final = stages.create(hall.contest, hall.ada, wish)
        stages.start(final, hall.ada)
        play_out(Stage.objects.get(pk=final.pk))
        assert told(hall) == []
        releases.release_all(Stage.objects.get(pk=cup.pk), hall.ada)
        finals = ["Final"] * (4 if by_standings else 2)
        assert sorted(text.partition(" is")[0] for _, text in told(hall)) == [str(cup)] * 4 + finals

    def test_one_that_was_abandoned_ends_with_the_reason_once_everybody_may_know(self) -> None:
        hall = Hall(teams=4)
        stage = hall.stage(table_size=2)
        play_on(stage, most=1)
        releases.freeze(hall.contest, hall.ada)
        endings.abandon(stage, hall.ada, "The school is closed.")
        assert told(hall) == []
        releases.lift(Contest.objects.get(pk=hall.contest.pk), hall.ada)
        said = told(hall)
        assert [name for name, _ in said] == [team.name for team in hall.teams]
        assert all("The school is closed." in text for _, text in said)


class TestAResultNoLongerCounts:
    def test_the_teams_of_a_voided_match_are_told_why_once(self) -> None:
        hall = Hall(teams=4)
        stage = hall.stage(table_size=2)
        play_on(stage, most=1)
        match = stage.matches.done().get()
        assert told(hall) == []
        stages.void(match, hall.ada, "The wrong deal")
        said = told(hall)
        assert {name for name, _ in said} == {seat.team.name for seat in match.seats.exclude(team=None)}
        assert all(match.title in text and "The wrong deal" in text for _, text in said)
        Follower.objects.filter(name=news.NEWS.name).delete()
        assert told(hall) == []

    def test_in_a_freeze_nothing_is_told_until_it_ends_and_nothing_if_it_was_played_again(self) -> None:
        hall = Hall(teams=4)
        stage = hall.stage(table_size=2)
        play_on(stage, most=2)
        first, second = stage.matches.done()
        releases.freeze(hall.contest, hall.ada)
        for match in (second, first):
            stages.void(match, hall.ada, "The wrong deal")
        finish(Match.objects.valid().get(table=first.table))
        assert told(hall) == []
        releases.lift(Contest.objects.get(pk=hall.contest.pk), hall.ada)
        assert {name for name, _ in told(hall)} == {seat.team.name for seat in second.seats.exclude(team=None)}

    def test_all_teams_that_have_played_hear_of_a_reset(self) -> None:
        hall = Hall(teams=4)
        stage = hall.stage(table_size=2)
        play_on(stage, most=1)
        endings.reset(stage, hall.ada, "The wrong rules")
        said = told(hall)
        assert len(said) == 2
        assert all("The wrong rules" in text for _, text in said)


class TestTheOrganisersDecide:
    def test_a_team_hears_of_it_and_why_also_in_a_freeze(self) -> None:
        hall = Hall(teams=2)
        releases.freeze(hall.contest, hall.ada)
        team = hall.teams[0]
        stages.disqualify(team, hall.ada, "It looked at the other cards.")
        ((name, text),) = told(hall)
        assert name == team.name
        assert "disqualified" in text
        assert "It looked at the other cards." in text
        stages.reinstate(Team.objects.get(pk=team.pk), hall.ada, "It did not.")
        ((name, text),) = told(hall)
        assert "takes part again" in text


def test_it_stands_on_the_page_and_is_mailed_to_those_who_want_it(settings, client: Client) -> None:
    settings.EMAIL_URL, settings.PORTAL_URL = "smtp://localhost", "https://cards.example.org"
    hall = Hall(teams=2)
    Membership.objects.update(joined_at=timezone.now() - timedelta(days=1))
    first, second = (team.people()[0].user for team in hall.teams)
    for user in (second, first):
        EmailAddress.objects.create(user=user, email=f"{user}@example.org", verified=True, primary=True)
    second.mail_news = False
    second.save()
    stage = finished(hall)
    followers.catch_up()
    assert mailing.send_due(timezone.now() + mailing.QUIET + timedelta(seconds=1)) == 1
    (message,) = mail.outbox
    assert message.to == [f"{first}@example.org"]
    assert f"https://cards.example.org{stage.get_absolute_url()}" in message.body
    client.force_login(second)
    page = client.get(reverse("questions", args=[hall.contest.slug])).text
    assert "second of 2" in page
    assert "first of 2" not in page
    assert Question.objects.filter(entry__kind="stage_finished").count() == 2
