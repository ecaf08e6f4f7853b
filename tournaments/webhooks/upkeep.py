"""What must happen with webhooks from time to time, however quiet a contest is. The beat asks for it."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F, Q

from contest.models import Contest
from tournaments.models import Delivery, Duty, Webhook
from tournaments.webhooks import following, reading, sending, waking
from tournaments.webhooks.reading import readers_of

KEPT = timedelta(days=7)
MOST = 5000  # rows deleted at once
TIDY, EVERY = "webhooks", timedelta(minutes=1)


def run(now: datetime) -> None:
    """Called every few seconds."""
    sending.pull_in(now)
    read_planned_freezes(now)
    following.read_new()
    if Duty.take(TIDY, now.isoformat(), now, EVERY):  # by a name of its own, so the next one must wait
        following.read_again()
        stop_without_reader()
        prune(now)
    waking.wake(sending.due(now))


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
                sending.stop(webhook, Webhook.Off.READER)


def prune(now: datetime) -> int:
    """Delete old deliveries. Those that may be read again when a freeze ends stay, so that they are not sent twice."""
    settled = Delivery.objects.exclude(state=Delivery.State.WAITING).filter(made_at__lt=now - KEPT)
    finished = Q(webhook__hiding="") | Q(number=None) | Q(number__lte=F("webhook__resume"))
    old = list(settled.filter(finished).order_by("made_at").values_list("pk", flat=True)[:MOST])
    return Delivery.objects.filter(pk__in=old).delete()[0]
