"""Send what waits, in order for each webhook, several webhooks at once.

A worker claims a webhook by a lease, so nobody else sends to it, and sends its oldest message. If the receiver accepts
(any status 2xx), the next one follows. If not, everything waits and that message is tried again, later each time; after
a day without any success the webhook is switched off.

The outcome is written after the request. A worker that is lost in between sends the message again, with the same
`webhook-id`: at least once, never out of order.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import uniform
from time import monotonic

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from contest.models import Contest
from submissions import clock
from tournaments.models import Delivery, Duty, Webhook
from tournaments.models.webhooks import SECRET_PREFIX
from tournaments.webhooks import following, reading, stopping, waking
from tournaments.webhooks.post import Answer, post
from tournaments.webhooks.reading import readers_of

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
TURN = 15.0  # seconds for one webhook, then the others have their turn
LONGEST = 60.0  # seconds for one task
SHARE_OF_AN_ACCOUNT = waking.SENDERS // 4  # senders at once
SHARE_OF_TROUBLE = waking.SENDERS // 2  # senders at once for webhooks whose last try failed
PAUSES = tuple(timedelta(seconds=it) for it in (5, 30, 120, 600, 1800, 3600))
"""Before the next try after so many failures in a row; the last one from then on."""
JITTER = 0.1  # so that receivers that failed together are not all tried together
GIVE_UP = timedelta(days=1)
USER_AGENT = "Kibitz-Webhooks/1"


def send_due() -> None:
    """Send to every webhook that is due and that nobody else is sending to."""
    until = monotonic() + LONGEST
    while claimed := claim(clock.now()):
        try:
            _take_turn(claimed)
        except Exception:  # its lease delays the next try
            logger.exception("webhook %d cannot be sent to", claimed.pk)
        if monotonic() > until:
            waking.wake(1)
            return


def claim(now: datetime) -> Webhook | None:
    """The next webhook that is due, for this worker alone.

    Receivers that take their time must not take all senders: an account has a share of them, and so have all webhooks
    in trouble together. Two senders that claim at once may go beyond a share by one.
    """
    sending = Webhook.objects.filter(lease_until__gte=now)
    accounts = Counter(sending.values_list("reads_as", flat=True))
    troubled = sending.filter(failures__gt=0).count()
    full = [account for account, count in accounts.items() if account is not None and count >= SHARE_OF_AN_ACCOUNT]
    due = Webhook.objects.claimable(now).exclude(reads_as__in=full)
    if troubled >= SHARE_OF_TROUBLE:
        due = due.filter(failures=0)
    for pk in due.values_list("pk", flat=True)[: waking.SENDERS]:
        row = Webhook.objects.claimable(now).order_by().filter(pk=pk)
        if row.update(lease_until=now + LEASE, claimed_at=now, attempt=F("attempt") + 1):
            return Webhook.objects.get(pk=pk)
    return None


def pull_in(now: datetime) -> int:
    """Correct leases, and times to look again, that a clock which was ahead has written. Returns how many."""
    leased = Webhook.objects.filter(lease_until__gt=now + LEASE + clock.SLACK).update(lease_until=now + LEASE)
    return leased + Webhook.objects.filter(retry_at=None, due_at__gt=now + clock.SLACK).update(due_at=now)


def _take_turn(claimed: Webhook) -> None:
    until = monotonic() + TURN
    while _send_next(claimed) and monotonic() < until:
        pass
    Webhook.objects.filter(pk=claimed.pk, attempt=claimed.attempt).update(lease_until=None)


def _send_next(claimed: Webhook) -> bool:
    """Send one message. False if there is nothing more to do now."""
    held = Webhook.objects.filter(pk=claimed.pk, attempt=claimed.attempt)
    if not held.update(lease_until=clock.now() + LEASE):
        return False
    webhook = held.select_related("contest", "reads_as", "follower").first()
    if webhook is None:
        return False
    delivery = Delivery.objects.next_of(webhook)
    if delivery is not None and not delivery.is_test:
        if not reading.may_read(webhook):
            return stop(webhook, Webhook.Off.READER)
        if not following.may_tell(webhook, delivery):
            # Nobody may read here, either, what it would have told. With another number it has just been shown again.
            Delivery.objects.filter(pk=delivery.pk, number=delivery.number).delete()
            return True
    is_time = webhook.retry_at is None or webhook.retry_at <= timezone.now()
    if delivery is None or not (delivery.is_test or is_time):
        return _settle(webhook, None, None)
    return _settle(webhook, delivery, _try(webhook, delivery))


@dataclass(frozen=True, slots=True)
class Try:
    at: datetime
    url: str
    answer: Answer


def _try(webhook: Webhook, delivery: Delivery) -> Try:
    now = timezone.now()
    signed = signed_headers(webhook.secrets(now), delivery.message, int(now.timestamp()), delivery.payload)
    headers = {"Content-Type": "application/json", "User-Agent": USER_AGENT, **signed}
    return Try(now, webhook.url, post(webhook.url, headers, delivery.payload.encode()))


def _settle(webhook: Webhook, delivery: Delivery | None, tried: Try | None) -> bool:
    """Write what came of a try, and when to look at this webhook again. True if that is now."""
    why = _why_stop(webhook, delivery, tried)
    with transaction.atomic():
        contest = stopping.hold_owner(webhook) if why else None
        rows = Webhook.objects.select_for_update(no_key=True, of=("self",))
        row = rows.filter(pk=webhook.pk, attempt=webhook.attempt).first()
        if row is None:  # deleted, or the lease was lost
            return False
        if delivery is not None and tried is not None:
            _write(delivery, tried)
            _count(row, delivery, tried)
        plan(row)
        if why and row.is_on:
            stopping.switch_off(contest, row, why)
        return row.due_at is not None and row.due_at <= timezone.now()


def _write(delivery: Delivery, tried: Try) -> None:
    answer, mine = tried.answer, Delivery.objects.filter(pk=delivery.pk)
    mine.update(
        tries=F("tries") + 1, tried_at=tried.at, sent_to=tried.url, status=answer.status, error=answer.error[:300],
        duration_ms=round(answer.seconds * 1000), answer=answer.body,
    )  # fmt: skip
    if answer.is_success:
        mine.update(state=Delivery.State.DELIVERED, delivered_at=timezone.now())
    elif delivery.is_test:
        mine.update(state=Delivery.State.FAILED)


def _count(row: Webhook, delivery: Delivery, tried: Try) -> None:
    """Failures in a row, and the pause after one. A test does not count, but if it succeeds, the rest follows."""
    if tried.url != row.url:
        return  # somebody has changed the address meanwhile: this says nothing of the new one
    if tried.answer.is_success:
        row.delivered_at, row.retry_at = timezone.now(), None
        if not delivery.is_test:
            row.failures, row.failing_since = 0, None
    elif not delivery.is_test:
        row.failures += 1
        row.failing_since = row.failing_since or tried.at
        row.retry_at = timezone.now() + _pause(row.failures, tried.answer.retry_after)


def _pause(failures: int, asked: float | None) -> timedelta:
    """As long as our own schedule says or, within an hour, as the receiver asks."""
    own = PAUSES[min(failures, len(PAUSES)) - 1]
    wanted = timedelta(seconds=min(max(asked or 0.0, 0.0), PAUSES[-1].total_seconds()))
    return max(own * uniform(1 - JITTER, 1 + JITTER), wanted)


def plan(row: Webhook) -> None:
    """Save when there is something to send. Call with the row locked."""
    waiting, now = row.deliveries.waiting(), timezone.now()
    if waiting.filter(is_test=True).exists():
        row.due_at = now
    elif row.is_on and waiting.exists():
        row.due_at = max(row.retry_at, now) if row.retry_at else now
    else:
        row.due_at = None
    row.save(update_fields=["due_at", "retry_at", "failures", "failing_since", "delivered_at"])


def _why_stop(webhook: Webhook, delivery: Delivery | None, tried: Try | None) -> Webhook.Off | None:
    """Why this webhook must be switched off after this try. None: it need not."""
    if delivery is None or tried is None or delivery.is_test or tried.answer.is_success:
        return None
    if tried.answer.status == 410:
        return Webhook.Off.GONE
    since = webhook.failing_since
    return Webhook.Off.FAILING if since is not None and timezone.now() - since >= GIVE_UP else None


def stop(webhook: Webhook, why: Webhook.Off) -> bool:
    """Switch it off on the portal's own behalf. Always False: there is nothing more to do."""
    with transaction.atomic():
        contest = stopping.hold_owner(webhook)
        row = Webhook.objects.on().select_for_update(no_key=True, of=("self",)).filter(pk=webhook.pk).first()
        if row is not None:
            stopping.switch_off(contest, row, why)
    return False


def due(now: datetime) -> int:
    """How many webhooks wait for a sender."""
    return Webhook.objects.claimable(now).order_by().count()


ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"


def signature(secret: str, message: str, timestamp: int, payload: str) -> str:
    """HMAC-SHA256 of the message's name, the time of this try in seconds, and the body."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    digest = hmac.digest(key, f"{message}.{timestamp}.{payload}".encode(), hashlib.sha256)
    return f"v1,{base64.b64encode(digest).decode()}"


def signed_headers(secrets: Sequence[str], message: str, timestamp: int, payload: str) -> dict[str, str]:
    """With a signature for each secret: after a change, receivers may check with the old or the new one."""
    signed = " ".join(signature(secret, message, timestamp, payload) for secret in secrets)
    return {ID: message, TIMESTAMP: str(timestamp), SIGNATURE: signed}


KEPT = timedelta(days=7)
MOST = 5000  # rows deleted at once
TIDY, EVERY = "webhooks", timedelta(minutes=1)


def run(now: datetime) -> None:
    """Called every few seconds."""
    pull_in(now)
    read_planned_freezes(now)
    following.read_new()
    if Duty.take(TIDY, now.isoformat(), now, EVERY):  # by a name of its own, so the next one must wait
        following.read_again()
        stop_without_reader()
        prune(now)
    waking.wake(due(now))


def read_planned_freezes(now: datetime) -> None:
    """A planned freeze is told when it begins. Its entry is written later, with the first hidden fact, and nobody may
    learn when that was."""
    begun = Contest.objects.filter(frozen_from__lte=now, frozen_number=None, webhooks__in=Webhook.objects.on())
    for contest_id in begun.distinct().values_list("pk", flat=True):
        reading.read(contest_id)


def stop_without_reader() -> None:
    """Switch off the webhooks of people who have left their team, or have no role any more."""
    for contest in Contest.objects.filter(webhooks__in=Webhook.objects.on()).distinct():
        webhooks = list(contest.webhooks.on().select_related("reads_as"))
        readers = readers_of(webhooks, contest)
        for webhook in webhooks:
            if webhook.pk not in readers:
                stop(webhook, Webhook.Off.READER)


def prune(now: datetime) -> int:
    """Delete old deliveries. Those that may be read again when a freeze ends stay, so that they are not sent twice."""
    settled = Delivery.objects.exclude(state=Delivery.State.WAITING).filter(made_at__lt=now - KEPT)
    finished = Q(webhook__hiding="") | Q(number=None) | Q(number__lte=F("webhook__resume"))
    old = list(settled.filter(finished).order_by("made_at").values_list("pk", flat=True)[:MOST])
    return Delivery.objects.filter(pk__in=old).delete()[0]
