"""“Your match was played” reaches a team once, in its words, and never before everybody may know the result."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import followers, mailing, markdown
from contest.models import Follower, Kind, Membership, Question, Team, User
from tests.tournaments.courtroom import Courtroom
from tests.tournaments.stagecraft import Hall, finish
from tests.tournaments.worlds import play_on
from tournaments.models import Match, Stage
from tournaments.organising import played, releases, reviews, stages

pytestmark = pytest.mark.django_db
TWOS = {"table_size": 2, "games": 1}


def told(hall: Hall | Courtroom, later: timedelta = played.PAUSE) -> list[tuple[str, str, str]]:
    """Team, subject and text of what teams were told of matches since the last time: the tick has been there."""
    followers.catch_up()
    played.tell_due(timezone.now() + later)
    had = hall.__dict__.setdefault("had", set())
    found = Question.objects.filter(contest=hall.contest, entry__kind=Kind.MATCH_RESULT).exclude(pk__in=had)
    notices = list(found.select_related("team").order_by("pk"))
    had |= {notice.pk for notice in notices}
    return [(notice.team.name, notice.subject, notice.answer) for notice in notices]


def again(hall: Hall) -> None:
    """Let the reaction read everything once more, as after a process was lost."""
    Follower.objects.filter(name="played").update(number=0)


def test_both_teams_are_told_once_with_the_result_and_their_place_among_the_teams() -> None:
    hall = Hall(2)
    stage = hall.stage(**TWOS)
    match = finish(stage.matches.get(), {0: 1, hall.ids[0]: 3, hall.ids[1]: 4})  # house players come first
    said = told(hall)
    assert [name for name, _, _ in said] == [team.name for team in hall.teams]
    assert all(subject == f"{match.title} was played" for _, subject, _ in said)
    (_, _, first), (_, _, last) = said
    assert "Came first" in first
    assert "Came second" in last
    assert f"{hall.teams[0].name} 10, {hall.teams[1].name} 0" in last
    for page in (match.get_absolute_url(), reverse("matches", args=[hall.contest.slug])):
        words = re.sub("<[^>]+>", " ", Client().get(page).text)
        for place, team in zip((1, 2), hall.teams, strict=True):
            assert re.search(rf"\b{place}(st|nd)?\s+{team.name}\b", words)
    assert f"/m/{match.pk}/" in first
    assert told(hall) == []
    again(hall)
    assert told(hall) == [], "an entry may be read twice"
    assert hall.contest.questions.filter(entry__kind="match_result").count() == 2


def series(hall: Hall) -> Stage:
    """The first of two or three matches at a table."""
    stage = hall.stage(table_size=2, best_of=3)
    play_on(stage, most=1)
    return stage


def test_a_round_is_one_message_for_each_team() -> None:
    hall = Hall(2)
    stage = series(hall)
    assert stage.matches.filter(state="queued").exists()
    assert told(hall) == [], "more of the round is to come"
    play_on(stage)
    said = told(hall)
    assert [subject for _, subject, _ in said] == ["Cup: 2 of your matches were played"] * 2
    assert said[0][2].count("/m/") == 2


def test_a_match_that_is_voided_and_played_again_is_told_as_that() -> None:
    hall = Hall(2)
    stage = hall.stage(**TWOS)
    play_on(stage)
    assert len(told(hall)) == 2
    first = stage.matches.get()
    stages.void(first, hall.ada, "The hall lost its power.")
    assert told(hall) == []
    play_on(stage, weak=True)
    said = told(hall)
    assert [subject.endswith("was played again") for _, subject, _ in said] == [True, True]
    assert "Came second" in said[0][2]
    last = hall.contest.questions.filter(entry__isnull=False).latest("pk")
    assert last.subject.startswith("Cup: the result has changed"), "told last, without a pause before"


def test_a_freeze_delays_it_until_it_is_lifted() -> None:
    hall = Hall(4)
    stage = hall.stage(**TWOS)
    releases.freeze(hall.contest, hall.ada)
    play_on(stage)
    assert told(hall) == told(hall, timedelta(days=1)) == []
    hall.contest.refresh_from_db()
    releases.lift(hall.contest, hall.ada)
    said = told(hall)
    assert {name for name, _, _ in said} == {team.name for team in hall.teams}
    assert [subject for _, subject, _ in said].count("Cup: 2 of your matches were played") == 2, "those in the final"
    assert len(said) == 4
    assert told(hall) == []


def test_a_round_that_is_not_released_is_told_with_its_release() -> None:
    hall = Hall(4)
    wish = stages.Wish("Cup", options=TWOS, release=Stage.Release.ROUNDS)
    stage = stages.create(hall.contest, hall.ada, wish)
    stages.start(stage, hall.ada)
    play_on(stage)
    assert told(hall, timedelta(days=1)) == []
    stage.refresh_from_db()
    releases.release(stage, hall.ada, 1)
    assert len(told(hall)) == 4
    stage.refresh_from_db()
    releases.release(stage, hall.ada, 2)
    assert len(told(hall)) == 2


@pytest.mark.long("more")
def test_a_review_is_told_when_it_is_applied() -> None:
    hall = Hall(2)
    stage = hall.stage(**TWOS)
    play_on(stage)
    told(hall)
    review = reviews.start(stage, hall.ada, "Somebody tripped over a cable.", [stage.matches.get().pk])
    play_on(stage, weak=True, of=Match.objects.get(review=review))
    assert told(hall) == []
    reviews.apply(review, hall.ada)
    assert [subject.endswith("was played again") for _, subject, _ in told(hall)] == [True, True]


@pytest.mark.long("more")
def test_a_ladder_is_told_once_a_day() -> None:
    hall = Hall(4)
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Ladder", "ladder", options={"table_size": 2}))
    stages.start(stage, hall.ada)
    play_on(stage, most=12)
    said = told(hall)
    assert [name for name, _, _ in said] == [team.name for team in hall.teams]
    assert "matches so far" in said[0][1]
    assert "Your rating is" in said[0][2]
    play_on(stage, most=12)
    assert told(hall) == told(hall, timedelta(hours=23)) == []
    said = told(hall, timedelta(days=1, minutes=1))
    assert len(said) == 4
    assert "since our last message" in said[0][1]
    again(hall)
    assert told(hall, timedelta(days=3)) == []


def test_names_cannot_pretend_to_be_links() -> None:
    hall = Hall(2)
    Team.objects.filter(pk=hall.teams[1].pk).update(name="[Prize](https://evil.example)")
    hall.teams[1].refresh_from_db()
    play_on(hall.stage(**TWOS))
    for _, _, text in told(hall):
        assert 'href="https://evil.example"' not in str(markdown.render(text))
        assert "[Prize](https://evil.example)" in str(markdown.render(text))


def test_each_person_decides_about_mail(settings: object) -> None:
    settings.EMAIL_URL = "smtp://localhost"  # type: ignore[attr-defined]
    hall = Hall(2)
    Membership.objects.update(joined_at=timezone.now() - timedelta(days=1))
    for user in User.objects.filter(memberships__isnull=False):
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    quiet = Membership.objects.get(team=hall.teams[0]).user
    User.objects.filter(pk=quiet.pk).update(mail_matches=False)
    play_on(hall.stage(**TWOS), most=1)
    told(hall)
    Question.objects.exclude(entry__kind=Kind.MATCH_RESULT).delete()
    mail.outbox.clear()
    mailing.send_due(timezone.now() + mailing.QUIET + timedelta(seconds=1))
    assert [message.to for message in mail.outbox] == [[Membership.objects.get(team=hall.teams[1]).user.email]]
    assert "was played" in mail.outbox[0].subject
