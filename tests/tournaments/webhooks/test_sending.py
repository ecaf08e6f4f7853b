"""Webhooks reach a real server: every entry, in order, at least once, whatever that server does."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from contest import followers, ledger, teams
from contest.ledger import Fact, hold
from contest.models import Act, Kind, Membership, Question, Role, Scope, User
from tests.cast import Cast, make_user
from tests.programs import program
from tests.tournaments.webhooks.receiver import Receiver, respond
from tournaments.models import Delivery, Webhook
from tournaments.webhooks import changes, sending, waking

pytestmark = pytest.mark.django_db

WAITING, DELIVERED, FAILED, SKIPPED = Delivery.State.values


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses are of seconds, and a busy machine may need as many between two lines of a test."""
    at(monkeypatch, timedelta())


@pytest.fixture
def hook(cast: Cast, receiver: Receiver) -> Webhook:
    """The desk's."""
    return changes.create(cast.contest, None, cast.ada, receiver.url, [])


def happen(cast: Cast, *reasons: str) -> None:
    """Entries of the ledger, which everybody may know, and the worker that follows it."""
    held = hold(cast.contest.pk)
    for reason in reasons:
        ledger.write(held, Fact(Kind.TEAM_DISQUALIFIED, team=cast.clubs.pk, reason=reason))
    followers.catch_up()


def reasons(receiver: Receiver) -> list[str]:
    return [it.json["data"]["reason"] for it in receiver.got]


def at(monkeypatch: pytest.MonkeyPatch, distance: timedelta) -> None:
    """Let time pass. Times of the database are compared with this clock alone."""
    now = timezone.now() + distance
    monkeypatch.setattr(timezone, "now", lambda: now)


def later(monkeypatch: pytest.MonkeyPatch, distance: timedelta) -> None:
    at(monkeypatch, distance)
    sending.send_due()


def states(hook: Webhook) -> list[str]:
    return list(hook.deliveries.order_by("pk").values_list("state", flat=True))


class TestDelivery:
    def test_the_entries_of_the_feed_arrive_in_order_and_signed(
        self, cast: Cast, hook: Webhook, receiver: Receiver
    ) -> None:
        happen(cast, "one", "two")
        happen(cast, "three")
        sending.send_due()
        address = f"/api/v1/contests/{cast.contest.slug}/ledger"
        feed = program(cast.ada, Scope.DESK).get(address).json()["results"]
        assert [it.json["data"] for it in receiver.got] == feed
        assert [it["reason"] for it in feed] == ["one", "two", "three"]
        first = receiver.got[0]
        assert first.json["type"] == "team_disqualified"
        assert first.json["contest"] == cast.contest.slug
        assert first.json["timestamp"] == feed[0]["at"]
        assert first.headers["content-type"] == "application/json"
        sent = sending.signature(hook.secret, first.id, int(first.headers["webhook-timestamp"]), first.body)
        assert first.headers["webhook-signature"] == sent
        hook.refresh_from_db()
        assert (states(hook), hook.due_at, hook.lease_until) == ([DELIVERED] * 3, None, None)

    def test_the_past_is_not_told_and_only_chosen_kinds_are(self, cast: Cast, receiver: Receiver) -> None:
        happen(cast, "before")
        changes.create(cast.contest, None, cast.ada, receiver.url, [Kind.TEAM_WITHDRAWN])
        happen(cast, "after")
        teams.withdraw(cast.aces, cast.alice)
        followers.catch_up()
        sending.send_due()
        assert [it.json["type"] for it in receiver.got] == ["team_withdrawn"]

    def test_an_entry_that_a_reaction_sees_twice_is_sent_once(
        self, cast: Cast, hook: Webhook, receiver: Receiver
    ) -> None:
        happen(cast, "one")
        followers.Follower.objects.filter(name="webhooks").update(number=0)
        happen(cast, "two")
        sending.send_due()
        assert reasons(receiver) == ["one", "two"]

    @pytest.mark.parametrize("trouble", ["500", "redirect", "down"])
    def test_what_fails_holds_back_what_follows_until_it_succeeds(
        self, trouble: str, cast: Cast, hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        how = {
            "500": 500,
            "redirect": lambda it: respond(it, 302, Location=f"{receiver.url}/elsewhere"),
        }
        expected = ["one", "one", "two"]
        if trouble == "down":
            Webhook.objects.update(url="http://127.0.0.1:1/")
            expected = ["one", "two"]
        else:
            receiver.answers.append(how[trouble])
        happen(cast, "one", "two")
        sending.send_due()
        first = hook.deliveries.earliest("pk")
        assert (states(hook), first.tries, bool(first.error)) == ([WAITING] * 2, 1, True)
        assert not receiver.answers, "the trouble was there"
        sending.send_due()  # not due yet
        if trouble == "down":
            Webhook.objects.update(url=receiver.url)
        later(monkeypatch, timedelta(seconds=6))
        assert reasons(receiver) == expected
        assert {it.path for it in receiver.got} == {"/hook"}, "redirects are not followed"
        assert receiver.got[0].id == receiver.got[-2].id
        assert receiver.got[0].body == receiver.got[-2].body
        hook.refresh_from_db()
        assert (states(hook), hook.failures, hook.failing_since) == ([DELIVERED] * 2, 0, None)

    def test_a_sender_that_is_lost_before_it_writes_sends_the_same_message_again(
        self, cast: Cast, hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Killed(BaseException):
            pass

        def killed(*_: Any) -> None:
            raise Killed

        happen(cast, "one", "two")
        with monkeypatch.context() as patched:
            patched.setattr(sending, "_settle", killed)
            with pytest.raises(Killed):
                sending.send_due()
        sending.send_due()  # the lease holds
        assert reasons(receiver) == ["one"]
        later(monkeypatch, timedelta(seconds=61))
        assert reasons(receiver) == ["one", "one", "two"]
        assert receiver.got[0].id == receiver.got[1].id

    def test_a_sender_that_has_lost_its_lease_writes_nothing(
        self, cast: Cast, hook: Webhook, receiver: Receiver
    ) -> None:
        receiver.answers.append(lambda it: (Webhook.objects.update(attempt=99), respond(it, 204))[1])
        happen(cast, "one")
        claimed = sending.claim(timezone.now())
        assert claimed
        assert sending.claim(timezone.now()) is None, "one sender at a time"
        Webhook.objects.filter(pk=hook.pk).update(attempt=claimed.attempt + 1)
        assert not sending._send_next(claimed)
        assert receiver.got == []


class TestPauses:
    def test_they_grow_to_an_hour(
        self, cast: Cast, hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        happen(cast, "one")
        waited = []
        for _ in range(8):
            receiver.answers.append(503)
            sending.send_due()
            hook.refresh_from_db()
            assert hook.due_at is not None
            waited.append((hook.due_at - timezone.now()).total_seconds())
            at(monkeypatch, hook.due_at - timezone.now())
        for seconds, wanted in zip(waited, (5, 30, 120, 600, 1800, 3600, 3600, 3600), strict=True):
            assert wanted * 0.85 < seconds < wanted * 1.15
        assert len(set(waited[-3:])) == 3, "receivers that failed together are not all tried together"


class TestSwitchingOff:
    def failing(self, cast: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, day: timedelta) -> None:
        happen(cast, "one", "two")
        receiver.answers.extend([500, 500])
        sending.send_due()
        later(monkeypatch, day)

    def test_slow_receivers_leave_senders_for_others(self, cast: Cast, receiver: Receiver) -> None:
        now = timezone.now()

        def hooks(owner: User, failures: int = 0, count: int = 1) -> None:
            Webhook.objects.bulk_create(
                Webhook(contest=cast.contest, url=receiver.url, reads_as=owner, due_at=now, failures=failures)
                for _ in range(count)
            )

        slow, fine = make_user("slow"), make_user("fine")
        hooks(slow, count=waking.SENDERS)
        for _ in range(waking.SENDERS):
            hooks(make_user(), failures=1)
        hooks(fine, count=waking.SENDERS)
        claimed = [hook for _ in range(waking.SENDERS) if (hook := sending.claim(now))]
        shares = Counter("failing" if hook.failures else str(hook.reads_as) for hook in claimed)
        few = sending.SHARE_OF_AN_ACCOUNT
        assert shares == {"slow": few, "failing": sending.SHARE_OF_TROUBLE, "fine": few}

    def test_after_a_day_without_success_and_the_team_is_told(
        self, cast: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hook = changes.create(cast.contest, cast.aces, cast.alice, receiver.url, [])
        self.failing(cast, receiver, monkeypatch, timedelta(hours=23))
        hook.refresh_from_db()
        assert hook.is_on
        receiver.answers.append(500)
        later(monkeypatch, timedelta(hours=1, minutes=10))
        hook.refresh_from_db()
        assert hook.switched_off_why == Webhook.Off.FAILING
        notice = Question.objects.get(team=cast.aces)
        assert f"/my/webhooks/{hook.pk}/" in notice.answer
        assert "127.0.0.1" in notice.subject
        happen(cast, "three")
        later(monkeypatch, timedelta(hours=2))
        assert reasons(receiver) == ["one"] * 3
        changes.on(hook, cast.bob)
        happen(cast, "four")
        sending.send_due()
        assert reasons(receiver)[3:] == ["one", "two", "three", "four"], "nothing is lost"
        hook.refresh_from_db()
        assert hook.reads_as == cast.bob
        assert Act.objects.filter(verb="switch off webhook", user=None).count() == 1


class TestWhoMadeIt:
    def test_who_leaves_the_team_learns_no_more(
        self, cast: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hook = changes.create(cast.contest, cast.aces, cast.bob, receiver.url, [])
        happen(cast, "one")
        Membership.objects.filter(user=cast.bob).delete()
        happen(cast, "two")
        sending.send_due()
        assert receiver.got == [], "not even what was written down before"
        hook.refresh_from_db()
        assert hook.switched_off_why == Webhook.Off.READER
        changes.on(hook, cast.alice)
        happen(cast, "three")
        sending.send_due()
        assert reasons(receiver) == ["one", "two", "three"]

    @pytest.mark.parametrize("how", ["role", "judge", "closed"])
    def test_who_loses_the_role_learns_no_more(self, how: str, cast: Cast, receiver: Receiver) -> None:
        hook = changes.create(cast.contest, None, cast.olga, receiver.url, [])
        match how:
            case "role":
                Role.objects.filter(user=cast.olga).delete()
            case "judge":
                Role.objects.filter(user=cast.olga).update(role=Role.Kind.JUDGE)
            case "closed":
                cast.olga.is_active = False
                cast.olga.save()
        happen(cast, "one")
        assert not hook.deliveries.exists()
        sending.run(timezone.now())
        hook.refresh_from_db()
        assert hook.switched_off_why == Webhook.Off.READER
        sending.run(timezone.now())


class TestAgain:
    def test_a_test_is_sent_once_and_before_what_waits(
        self, cast: Cast, hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        receiver.answers.extend([500, 500])
        happen(cast, "one")
        sending.send_due()
        changes.test(hook, cast.ada)
        sending.send_due()
        assert [it.json["type"] for it in receiver.got] == ["team_disqualified", "test"]
        assert states(hook) == [WAITING, FAILED]
        hook.refresh_from_db()
        assert hook.failures == 1
        assert hook.due_at is not None
        assert hook.due_at > timezone.now(), "the entry waits for its time"
        changes.test(hook, cast.ada)
        sending.send_due()
        assert states(hook) == [DELIVERED, FAILED, DELIVERED], "the receiver works again, so it follows at once"

    def test_a_new_secret_signs_beside_the_old_one_for_a_day(
        self, cast: Cast, hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        old = hook.secret
        new = changes.rotate(hook, cast.ada)
        happen(cast, "one")
        sending.send_due()
        got = receiver.got[0]
        said = int(got.headers["webhook-timestamp"])
        both = [sending.signature(secret, got.id, said, got.body) for secret in (new, old)]
        assert got.headers["webhook-signature"].split(" ") == both
        at(monkeypatch, timedelta(hours=25))
        happen(cast, "two")
        sending.send_due()
        assert len(receiver.got[1].headers["webhook-signature"].split(" ")) == 1


class TestUpkeep:
    def test_old_deliveries_are_forgotten_but_not_what_waits_or_may_be_read_again(
        self, cast: Cast, hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        happen(cast, "one", "two")
        sending.send_due()
        receiver.answers.append(500)
        happen(cast, "three")
        sending.send_due()
        at(monkeypatch, sending.KEPT + timedelta(hours=1))
        first = hook.deliveries.earliest("pk")
        Webhook.objects.update(hiding="x", resume=first.number)
        assert sending.prune(timezone.now()) == 1
        assert states(hook) == [DELIVERED, WAITING]
        Webhook.objects.update(hiding="")
        assert sending.prune(timezone.now()) == 1
        assert states(hook) == [WAITING]


class TestSignature:
    def test_is_that_of_other_implementations(self) -> None:
        """The example that the libraries of Standard Webhooks are tested with."""
        found = sending.signature(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}'
        )
        assert found == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
