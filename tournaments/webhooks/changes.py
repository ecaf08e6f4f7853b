"""What people do with webhooks. Every action is one transaction, and those that matter later are in the audit log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from contest.ledger import Held, hold
from contest.models import Contest, Team, User
from contest.refusal import Refused
from tournaments.models import Delivery, Webhook
from tournaments.models.webhooks import new_secret
from tournaments.webhooks import following, reading, sending, waking
from tournaments.webhooks.reading import Reader, readers_of
from tournaments.webhooks.stopping import hold_owner, record, switch_off

MOST = 5
"""Webhooks of one team, or of the desk of one contest."""
MOST_OF_FOLLOWER = 3
MOST_TESTS = 30
"""Tests of one webhook in an hour: nobody should trouble others' servers through the portal."""
MOST_AGAIN = 10_000
"""Messages sent again at once."""


@transaction.atomic
def create(contest: Contest, team: Team | None, by: User, url: str, kinds: list[str]) -> Webhook:
    """A webhook of a team, or with None of the desk. It tells what happens from now on."""
    held = hold(contest.pk)
    if held.webhooks.filter(team=team).count() >= MOST:
        raise Refused(f"There are {MOST} webhooks already, which is the limit. Delete one you no longer need.")
    webhook = Webhook(contest=held, team=team, url=url, kinds=kinds, reads_as=by)
    reading.start_at_the_end(webhook, _reader(webhook, held))
    webhook.save(force_insert=True)
    record(held, by, "create webhook", webhook)
    return webhook


@transaction.atomic
def create_for(follower: User, url: str, kinds: list[str]) -> Webhook:
    """A webhook that tells somebody the news of what they follow, from now on."""
    User.objects.select_for_update(no_key=True).get(pk=follower.pk)
    if Webhook.objects.filter(follower=follower).count() >= MOST_OF_FOLLOWER:
        raise Refused(f"You have {MOST_OF_FOLLOWER} webhooks, which is the limit. Delete one you no longer need.")
    webhook = Webhook(follower=follower, reads_as=follower, url=url, kinds=kinds)
    following.start_at_the_end(webhook)
    webhook.save(force_insert=True)
    return webhook


def edit(webhook: Webhook, by: User, url: str, kinds: list[str]) -> None:
    """Whoever chooses another address is responsible for it from now on."""
    with _locked(webhook) as (held, row):
        changed = [name for name, now in (("address", url != row.url), ("events", kinds != row.kinds)) if now]
        if not changed:
            return
        if url != row.url:
            row.reads_as = by
            row.failures, row.failing_since, row.retry_at = 0, None, None
        row.url, row.kinds = url, kinds
        row.save(update_fields=["url", "kinds", "reads_as"])
        sending.plan(row)
        waking.on_commit(1)
        record(held, by, "change webhook", row, said=[f"Changed: {' and '.join(changed)}."])


def test(webhook: Webhook, by: User) -> Delivery:
    """Send a message that tells nothing, at once and only once, even if the webhook is switched off."""
    with _locked(webhook) as (held, row):
        now = timezone.now()
        if row.deliveries.filter(is_test=True, made_at__gt=now - timedelta(hours=1)).count() >= MOST_TESTS:
            raise Refused(f"There have been {MOST_TESTS} tests in the last hour, which is the limit. Try again later.")
        payload = reading.payload_of(held, Delivery.TEST, now, {"webhook": row.pk, "by": by.username})
        message = f"msg_test_{row.pk}_{int(now.timestamp() * 1000)}"
        delivery = row.deliveries.create(message=message, kind=Delivery.TEST, payload=payload, is_test=True)
        sending.plan(row)
        waking.on_commit(1)
        return delivery


def rotate(webhook: Webhook, by: User) -> str:
    """Make a new secret. For a day the old one signs as well. Returns the new one."""
    with _locked(webhook) as (held, row):
        row.old_secret, row.secret = row.secret, new_secret()
        row.old_secret_until = timezone.now() + Webhook.BOTH_SECRETS
        row.save(update_fields=["secret", "old_secret", "old_secret_until"])
        record(held, by, "rotate webhook secret", row)
        return row.secret


def off(webhook: Webhook, by: User) -> None:
    with _locked(webhook) as (held, row):
        if row.is_on:
            switch_off(held, row, Webhook.Off.PERSON, by)


def on(webhook: Webhook, by: User) -> None:
    """Go on where it stopped. It reads as this person from now on."""
    with _locked(webhook) as (held, row):
        if row.is_on:
            return
        row.switched_off_at, row.switched_off_why, row.reads_as = None, "", by
        row.failures, row.failing_since, row.retry_at = 0, None, None
        row.save(update_fields=["switched_off_at", "switched_off_why", "reads_as"])
        sending.plan(row)
        record(held, by, "switch on webhook", row)
        transaction.on_commit(lambda: reading.read(held.pk) if held else following.read(row.pk))
        waking.on_commit(1)


def delete(webhook: Webhook, by: User) -> None:
    with _locked(webhook) as (held, row):
        record(held, by, "delete webhook", row)
        row.delete()


def redeliver(webhook: Webhook, by: User, delivery: Delivery) -> Delivery:
    """Send a message once more, after those that wait."""
    with _locked(webhook) as (held, row):
        if delivery.is_test:
            raise Refused("A test is sent only once. Send another test instead.")
        if row.deliveries.waiting().filter(message=delivery.message).exists():
            raise Refused("This message is waiting to be sent.")
        if not following.may_tell(row, delivery):
            raise Refused("This news is no longer on your page “Following”, so it is not sent.")
        again = _again(row, [delivery])[0]
        record(held, by, "send webhook message again", row, said=[f"Message {delivery.message}"])
        return again


def redeliver_since(webhook: Webhook, by: User, since: datetime) -> int:
    """Send everything once more that was sent since then, in the same order. Returns how many messages that is."""
    with _locked(webhook) as (held, row):
        sent = row.deliveries.filter(made_at__gte=since, is_test=False).order_by("pk")
        if sent.count() > MOST_AGAIN:
            raise Refused(f"That is more than {MOST_AGAIN:,} messages, which is the limit. Choose a later time.")
        waiting = set(row.deliveries.waiting().values_list("message", flat=True))
        chosen = {it.message: it for it in sent if it.message not in waiting}  # each once
        _again(row, list(chosen.values()))
        if chosen:
            record(held, by, "send webhook messages again", row, said=[f"Messages: {len(chosen)}"])
        return len(chosen)


def skip(webhook: Webhook, by: User, delivery: Delivery) -> None:
    """Never send a waiting message. The ones behind it follow at once."""
    with _locked(webhook) as (held, row):
        mine = row.deliveries.waiting().filter(pk=delivery.pk)
        if not mine.update(state=Delivery.State.SKIPPED):
            raise Refused("This message is not waiting to be sent.")
        row.retry_at = None
        sending.plan(row)
        waking.on_commit(1)
        record(held, by, "skip webhook message", row, said=[f"Message {delivery.message}"])


def skip_all(webhook: Webhook, by: User) -> int:
    """Never send what is waiting. Returns how many messages that is."""
    with _locked(webhook) as (held, row):
        count = row.deliveries.waiting().update(state=Delivery.State.SKIPPED)
        row.retry_at = None
        sending.plan(row)
        if count:
            record(held, by, "skip webhook messages", row, said=[f"Messages: {count}"])
        return count


@contextmanager
def _locked(webhook: Webhook) -> Iterator[tuple[Held | None, Webhook]]:
    """The contest, if it has one, and the webhook, locked in this order until the end of the transaction. Raises
    Refused."""
    with transaction.atomic():
        held = hold_owner(webhook)
        rows = Webhook.objects.select_related("team", "follower").filter(pk=webhook.pk)
        row = rows.select_for_update(no_key=True, of=("self",)).first()
        if row is None:
            raise Refused("This webhook has been deleted.")
        yield held, row


def _reader(webhook: Webhook, contest: Contest) -> Reader:
    """Its reader before it is saved. Raises Refused."""
    found = readers_of([webhook], contest).get(webhook.pk)
    if found is None:
        raise Refused("You cannot create webhooks in this contest.")
    return found


def _again(row: Webhook, chosen: list[Delivery]) -> list[Delivery]:
    copies = [
        Delivery(
            webhook=row, message=it.message, kind=it.kind, entry=it.entry, number=it.number, payload=it.payload,
            is_again=True,
        )
        for it in chosen
    ]  # fmt: skip
    made = Delivery.objects.bulk_create(copies, batch_size=200)
    sending.plan(row)
    waking.on_commit(1)
    return made
