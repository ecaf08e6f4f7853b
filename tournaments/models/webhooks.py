"""Addresses that are told what happens in a contest, and what was sent to them (tournaments/webhooks)."""

from __future__ import annotations

import base64
import secrets
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from contest.models import Contest, Team, User
from tournaments.models.feeds import NewsItem

SECRET_PREFIX = "whsec_"
SECRET_BYTES = 32


def new_secret() -> str:
    """A secret as Standard Webhooks writes one."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def on(self) -> WebhookQuerySet:
        return self.filter(switched_off_at=None)

    def claimable(self, now: datetime) -> WebhookQuerySet:
        """Those with something to send that nobody is sending, in turns."""
        free = Q(lease_until=None) | Q(lease_until__lt=now)
        return self.filter(free, due_at__lte=now).order_by(F("claimed_at").asc(nulls_first=True), "pk")


class Webhook(models.Model):
    """An address that is told what happens, in order, as `reads_as` may know it. A team or a desk gets the entries of
    the ledger of its contest, a follower the news of everything that they follow."""

    class Off(models.TextChoices):
        """Why it is switched off."""

        PERSON = "person", "somebody switched it off"
        FAILING = "failing", "it failed for a day"
        GONE = "gone", "the receiver answered 410 Gone"
        READER = "reader", "the person it reads as lost access"

    BOTH_SECRETS = timedelta(days=1)
    """How long the old secret signs as well after a new one was made."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, null=True, blank=True, related_name="webhooks")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, blank=True, related_name="webhooks")
    """None, but a contest: it belongs to the desk and sees what organisers see."""
    follower = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True, related_name="webhooks")
    """Whoever it belongs to, if not to a contest."""
    url = models.CharField(max_length=500)
    kinds = models.JSONField(default=list, blank=True)  # values of Kind; none at all: every kind
    secret = models.CharField(max_length=80, default=new_secret, editable=False)
    old_secret = models.CharField(max_length=80, blank=True, editable=False)
    old_secret_until = models.DateTimeField(null=True, blank=True)
    reads_as = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    """Who made it or switched it on last. It knows no more than they may, and nothing once they lose access."""
    made_at = models.DateTimeField(default=timezone.now)
    # How far it has read the feed (webhooks/reading.py) or the news (webhooks/following.py).
    number = models.PositiveBigIntegerField(default=0)
    hiding = models.CharField(max_length=64, blank=True)
    resume = models.PositiveBigIntegerField(default=0)
    # The work of sending (webhooks/sending.py).
    due_at = models.DateTimeField(null=True, blank=True)  # when to look again; None: there is nothing to send
    retry_at = models.DateTimeField(null=True, blank=True)  # when to try the entry that failed again
    lease_until = models.DateTimeField(null=True, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    claimed_at = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)  # in a row
    failing_since = models.DateTimeField(null=True, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)  # the last success
    switched_off_at = models.DateTimeField(null=True, blank=True)
    switched_off_why = models.CharField(max_length=8, choices=Off.choices, blank=True)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="webhooks_to_send")]
        constraints = [
            models.CheckConstraint(
                condition=Q(contest__isnull=False, follower=None) | Q(contest=None, team=None, follower__isnull=False),
                name="a_webhook_belongs_to_a_contest_or_a_follower",
            )
        ]

    def __str__(self) -> str:
        return self.host

    @property
    def host(self) -> str:
        """The public part of its address: paths and queries often contain keys."""
        return urlsplit(self.url).netloc

    @property
    def is_on(self) -> bool:
        return self.switched_off_at is None

    def wants(self, kind: str) -> bool:
        return not self.kinds or kind in self.kinds

    def secrets(self, now: datetime) -> list[str]:
        """Those that sign now, the newest first."""
        both = self.old_secret_until is not None and now < self.old_secret_until
        return [self.secret, self.old_secret] if both and self.old_secret else [self.secret]


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def waiting(self) -> DeliveryQuerySet:
        return self.filter(state=Delivery.State.WAITING)

    def next_of(self, webhook: Webhook) -> Delivery | None:
        """What to send next: a test, which does not queue, or the oldest entry of a webhook that is on."""
        found = self.waiting().filter(webhook=webhook)
        return found.filter(is_test=True).order_by("pk").first() or (
            found.order_by("pk").first() if webhook.is_on else None
        )


class Delivery(models.Model):
    """A message to a webhook, and what became of the last try to deliver it."""

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        DELIVERED = "delivered", "Delivered"
        FAILED = "failed", "Failed"  # of tests, which are tried once
        SKIPPED = "skipped", "Skipped"

    TEST = "test"
    """The `kind` of a test."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    message = models.CharField(max_length=64)  # the header `webhook-id`
    kind = models.CharField(max_length=20)
    entry = models.CharField(max_length=100, blank=True)  # its id in the feed
    number = models.PositiveBigIntegerField(null=True, blank=True)  # in the ledger, which teams never see; of the news
    payload = models.TextField()
    is_test = models.BooleanField(default=False)
    is_again = models.BooleanField(default=False)  # somebody asked for it once more
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    made_at = models.DateTimeField(default=timezone.now)
    # The last try.
    tries = models.PositiveIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)
    sent_to = models.CharField(max_length=500, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    answer = models.TextField(blank=True)  # how its body begins
    delivered_at = models.DateTimeField(null=True, blank=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(fields=["webhook", "id"], condition=Q(state="waiting"), name="deliveries_waiting"),
            models.Index(fields=["webhook", "message"], name="deliveries_by_message"),
            models.Index(fields=["made_at"], name="deliveries_by_age"),
        ]

    def __str__(self) -> str:
        return self.message

    @property
    def label(self) -> str:
        """What it tells, in words."""
        return "Test" if self.is_test else NewsItem.label_of(self.kind)
