"""A webhook is switched off, by somebody or by the portal, which then tells its owner."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from contest import questions
from contest.ledger import Held, hold
from contest.models import Act, User
from contest.questions import Notice
from tournaments.models import Webhook

WHY = {
    Webhook.Off.PERSON: "It is switched off.",
    Webhook.Off.FAILING: "The portal switched it off because nothing could be delivered for a day.",
    Webhook.Off.GONE: "The portal switched it off because the receiver answered 410 Gone.",
    Webhook.Off.READER: "The portal switched it off because the person who was responsible for it has lost access.",
}
"""What pages say of a webhook that is off."""


def hold_owner(webhook: Webhook) -> Held | None:
    """The contest, locked before the webhook. None: it belongs to a follower, and its own row is enough to lock."""
    return None if webhook.contest_id is None else hold(webhook.contest_id)


def switch_off(held: Held | None, webhook: Webhook, why: Webhook.Off, by: User | None = None) -> None:
    """Stop reading and sending. What waits stays, and is sent when somebody switches it on again.

    Call with the webhook's row locked, after the contest. A follower reads of it on their page “Following”.
    """
    webhook.switched_off_at, webhook.switched_off_why = timezone.now(), why
    webhook.due_at = timezone.now() if webhook.deliveries.waiting().filter(is_test=True).exists() else None
    webhook.save(update_fields=["switched_off_at", "switched_off_why", "due_at"])
    record(held, by, "switch off webhook", webhook, reason="" if by else WHY[why])
    if by is None and held is not None and webhook.team_id is not None:
        page = settings.PORTAL_URL + reverse("webhook", args=[held.slug, webhook.pk])
        text = f"{WHY[why]} Nothing is lost: on [its page]({page}) any member can switch it on again."
        questions.notify(held, None, [Notice(webhook.team_id, f"Webhook to {webhook.host} switched off", text)])


def record(held: Held | None, by: User | None, verb: str, webhook: Webhook, reason: str = "", **data: object) -> None:
    """A line in the audit log, which people of other teams' desks read: it names the host alone, without keys. What
    followers do with theirs is no business of a contest."""
    if held is None:
        return
    owner = f"{webhook.team}: " if webhook.team else ""
    Act.record(held, by, verb, f"{owner}{webhook.host}", reason, webhook=webhook.pk, team=webhook.team_id, **data)
