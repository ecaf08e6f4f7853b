"""Answers and announcements by e-mail: who gets what, when and how often."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import contests, mailing, questions
from contest.clone import Wish, clone
from contest.models import Membership, User
from tests.cast import Cast, make_cast

LATER = mailing.QUIET + timedelta(seconds=1)


@pytest.fixture
def cast(db: None, settings: Any) -> Cast:
    """Members who joined a while ago, with confirmed addresses; the portal sends mail."""
    settings.EMAIL_URL, settings.PORTAL_URL = "smtp://localhost", "https://cards.example.org"
    cast = make_cast()
    Membership.objects.update(joined_at=timezone.now() - timedelta(days=1))
    for user in User.objects.filter(memberships__isnull=False):
        EmailAddress.objects.create(user=user, email=f"{user}@example.org", verified=True, primary=True)
    return cast


def sent(after: timedelta = LATER) -> list[str]:
    """The recipients of messages in a run this much later."""
    mail.outbox.clear()
    count = mailing.send_due(timezone.now() + after)
    assert count == len(mail.outbox)
    return sorted(to for message in mail.outbox for to in message.to)


def members(cast: Cast, *teams: object) -> list[str]:
    found = Membership.objects.filter(contest=cast.contest, **({"team__in": teams} if teams else {}))
    return sorted(f"{it.user}@example.org" for it in found)


def answered(cast: Cast, *, to_all: bool) -> None:
    question = questions.ask(cast.aces, cast.bob, "Ties", "Who wins one & why?")
    questions.answer(question, cast.olga, "Nobody <b>wins</b>.", to_all=to_all, seen=None)


def test_an_announcement_goes_to_all_members_once(cast: Cast) -> None:
    contests.announce(cast.contest, cast.ada, "Lunch", "At *noon*.")
    assert sent(timedelta(0)) == [], "there may be more to say"
    assert sent() == members(cast)
    message = mail.outbox[0]
    assert message.subject == f"[Kibitz] {cast.contest}: Lunch"
    assert "At *noon*." in message.body
    assert f"https://cards.example.org{reverse('questions', args=[cast.contest.slug])}" in message.body
    assert f"https://cards.example.org{reverse('account')}" in message.body
    assert sent() == []


@pytest.mark.parametrize("to_all", [True, False])
def test_an_answer_goes_to_those_who_may_read_it(cast: Cast, to_all: bool) -> None:
    answered(cast, to_all=to_all)
    assert sent() == (members(cast) if to_all else members(cast, cast.aces))
    assert "“Who wins one & why?”\n\nNobody <b>wins</b>." in mail.outbox[0].body


def test_what_was_said_in_one_go_comes_in_one_message(cast: Cast) -> None:
    contests.announce(cast.contest, cast.ada, "Lunch")
    contests.announce(cast.contest, cast.ada, "Dinner")
    answered(cast, to_all=True)
    assert sent() == members(cast)
    assert {message.subject for message in mail.outbox} == {f"[Kibitz] {cast.contest}: Lunch and 2 more"}
    assert all(word in mail.outbox[0].body for word in ("Lunch", "Dinner", "Ties"))


def test_what_was_read_or_withdrawn_or_is_old_is_not_sent(cast: Cast) -> None:
    first = contests.announce(cast.contest, cast.ada, "Lunch")
    reader = Client()
    reader.force_login(cast.bob)
    assert reader.get(reverse("questions", args=[cast.contest.slug])).status_code == 200
    assert sent() == [address for address in members(cast) if address != "bob@example.org"]
    second = contests.announce(cast.contest, cast.ada, "Dinner")
    contests.withdraw_announcement(second, cast.ada)
    assert sent() == []
    Membership.objects.update(mailed_until=None, read_at=None)
    type(first).objects.update(posted_at=timezone.now() - mailing.OLD)
    assert sent() == []


def test_a_clone_says_nothing_to_the_members_it_takes_over(cast: Cast) -> None:
    contests.announce(cast.contest, cast.ada, "Lunch")
    assert sent()
    copy = clone(cast.contest, cast.ada, Wish("Next year", timezone.now(), teams=True, announcements=True)).contest
    assert copy.announcements.count() == 1
    assert copy.teams.exists()
    assert sent() == []
    contests.announce(copy, cast.ada, "Welcome")
    assert sent() == members(cast)


def test_who_gets_none(cast: Cast, settings: Any) -> None:
    addresses = EmailAddress.objects.filter(user=cast.bob)
    contests.announce(cast.contest, cast.ada, "Lunch")
    settings.EMAIL_URL = ""
    assert sent() == []
    settings.EMAIL_URL = "smtp://localhost"
    addresses.update(verified=False)
    User.objects.filter(pk=cast.carl.pk).update(mail_news=False)
    User.objects.filter(pk=cast.alice.pk).update(is_active=False)
    assert sent() == sorted({*members(cast)} - {f"{name}@example.org" for name in ("bob", "carl", "alice")})


def test_a_title_of_several_lines_is_no_header(cast: Cast) -> None:
    contests.announce(cast.contest, cast.ada, "Lunch\nBcc: everybody@example.org")
    assert sent() == members(cast)
    assert "\n" not in mail.outbox[0].subject
    assert mail.outbox[0].bcc == []


def test_everybody_can_switch_it_off(cast: Cast, client: Client, settings: Any) -> None:
    client.force_login(cast.bob)
    page = reverse("account")
    assert "mail_news" in client.get(page).text
    client.post(page, {"first_name": "Bob", "last_name": ""})
    cast.bob.refresh_from_db()
    assert not cast.bob.mail_news
    client.post(page, {"first_name": "Bob", "last_name": "", "mail_news": "on"})
    cast.bob.refresh_from_db()
    assert cast.bob.mail_news
    settings.EMAIL_URL = ""
    assert "mail_news" not in client.get(page).text
    client.post(page, {"first_name": "Rob", "last_name": ""})
    cast.bob.refresh_from_db()
    assert (cast.bob.first_name, cast.bob.mail_news) == ("Rob", True), "who was not asked has said nothing"
