"""Tokens with which a program acts for a person."""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import OperationalError, models, transaction
from django.db.models import Q
from django.utils import timezone
from rest_framework.utils.encoders import JSONEncoder

from contest.models.people import User
from contest.names import NameField
from contest.refusal import Refused

logger = logging.getLogger(__name__)

PREFIX = "kibitz_"  # so that programs that look for leaked secrets recognise one
SHOWN = len(PREFIX) + 6  # as much of a token as its owner sees again


class Scope(models.TextChoices):
    """What a token lets a program do, apart from reading what everybody may read."""

    BOT = "bot", "Upload and choose versions, practise, and read what your own bots wrote"
    TEAM = (
        "team",
        "Enter contests, run your teams, ask questions, write notes, follow, and read what your teams were told",
    )
    DESK = "desk", "Do what your roles allow on the desk of a contest"


def digest_of(token: str) -> str:
    """What is stored of a token. It is random and long, so one round of SHA-256 hides it well enough."""
    return hashlib.sha256(token.encode()).hexdigest()


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def valid(self, at: datetime) -> ApiTokenQuerySet:
        """Tokens that work at this time."""
        return self.unended(at).filter(user__is_active=True)

    def unended(self, at: datetime) -> ApiTokenQuerySet:
        """Tokens that are neither revoked nor past their expiry."""
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=at), revoked_at=None)

    def ended(self, since: datetime, at: datetime) -> ApiTokenQuerySet:
        """Tokens that stopped working between these times."""
        revoked, expired = Q(revoked_at__gt=since), Q(revoked_at=None, expires_at__gt=since, expires_at__lte=at)
        return self.filter(revoked | expired)

    def revoke(self) -> int:
        """Stop those from working that still do. Returns how many."""
        now = timezone.now()
        return self.unended(now).update(revoked_at=now)


class ApiToken(models.Model):
    """A personal token. The token itself is shown once, when it is made, and only its digest is stored."""

    MOST = 50  # working tokens of one person
    REMEMBERED = timedelta(days=30)  # how long the page lists a token that no longer works
    RESOLUTION = timedelta(minutes=1)  # of `last_used_at`, so that reading does not mean writing

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = NameField(max_length=60)
    beginning = models.CharField(max_length=SHOWN, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(default=list, blank=True)  # values of Scope
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"{self.name} ({self.beginning}…)"

    @classmethod
    @transaction.atomic
    def issue(
        cls, user: User, name: str, scopes: Iterable[str], lifetime: timedelta | None = None
    ) -> tuple[ApiToken, str]:
        """Make a token. Returns its row and the token itself, which cannot be read again. Raises Refused."""
        now = timezone.now()
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two requests must not pass the limit together
        if user.tokens.unended(now).count() >= cls.MOST:
            raise Refused(
                f"You have {cls.MOST} working tokens, the most an account may have. Revoke one you no longer need."
            )
        token = PREFIX + secrets.token_urlsafe(32)
        row = cls(user=user, name=name, scopes=sorted(scopes), expires_at=now + lifetime if lifetime else None)
        row.beginning, row.digest = token[:SHOWN], digest_of(token)
        row.save(force_insert=True)
        return row, token

    @classmethod
    def find(cls, token: str) -> ApiToken | None:
        """The row of a token that works now, with its user. One query, and now and then a write of the last use."""
        now = timezone.now()
        row = cls.objects.valid(now).select_related("user").filter(digest=digest_of(token)).first()
        if row and (row.last_used_at is None or now - row.last_used_at > cls.RESOLUTION):
            try:
                cls.objects.filter(pk=row.pk).update(last_used_at=now)
            except OperationalError:  # somebody else has been writing for long: reading goes on
                logger.warning("the last use of a token is not written: the database is busy")
        return row

    def revoke(self) -> None:
        """Stop it from working, at once and for good. A second time changes nothing."""
        type(self).objects.filter(pk=self.pk, revoked_at=None).update(revoked_at=timezone.now())
        self.refresh_from_db(fields=["revoked_at"])

    def allows(self, scope: str) -> bool:
        return scope in self.scopes

    @property
    def at_desk(self) -> bool:
        """Whether it gives the person's roles."""
        return self.allows(Scope.DESK)

    @property
    def in_team(self) -> bool:
        """Whether it makes its holder a member of the person's teams."""
        return self.allows(Scope.TEAM) or self.allows(Scope.BOT)

    @property
    def has_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()

    @property
    def works(self) -> bool:
        return self.revoked_at is None and not self.has_expired


class AnsweredRequest(models.Model):
    """The answer to a POST with an `Idempotency-Key`, or to a form (contest/middleware.py), kept so that a repetition
    gets it again and does nothing."""

    KEPT = timedelta(days=1)

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=100)
    asked = models.CharField(max_length=64)  # digest of the address and the body
    at = models.DateTimeField(default=timezone.now, db_index=True)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict)
    data = models.JSONField(null=True, encoder=JSONEncoder)  # as answers are written

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="one_answer_per_idempotency_key")]

    def __str__(self) -> str:
        return f"{self.key}: {self.status}"

    @classmethod
    def prune(cls) -> int:
        """Forget old answers."""
        return cls.objects.filter(at__lt=timezone.now() - cls.KEPT).delete()[0]
