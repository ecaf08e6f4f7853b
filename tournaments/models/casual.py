"""Casual games: people at the table, against house players, versions of their own teams, and one another. Nothing of it
counts anywhere.

A game goes open → playing → over, or is abandoned. While it is played, every decision is a row (`CasualMove`), so that
it goes on where it was, whatever happens to the server. When it is over, the record holds them all.
"""

from __future__ import annotations

import hashlib
import json
from secrets import choice, token_urlsafe
from typing import Any

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from contest.models import User
from contest.names import NameField
from games import get
from games.engine import Event, Game
from submissions.models import Submission, pack, unpack

CODE = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # nothing that is read wrong
CODE_LENGTH = 6


def new_code() -> str:
    return "".join(choice(CODE) for _ in range(CODE_LENGTH))


def new_key() -> str:
    return token_urlsafe(18)


class CasualGameQuerySet(models.QuerySet["CasualGame"]):
    def going_on(self) -> CasualGameQuerySet:
        """Tables that take up room: open or being played."""
        return self.filter(state__in=(CasualGame.State.OPEN, CasualGame.State.PLAYING))

    def playing(self) -> CasualGameQuerySet:
        return self.filter(state=CasualGame.State.PLAYING)

    def lobby(self) -> CasualGameQuerySet:
        """Open tables that anybody may join, the oldest first."""
        return self.filter(state=CasualGame.State.OPEN, listed=True, private=False).order_by("made_at")

    def held_by(self, user: User | None, keys: list[str]) -> CasualGameQuerySet:
        """Tables at which this person has a seat: by account, or by the keys that their browser holds."""
        mine = Q(seats__key__in=keys) & ~Q(seats__key="") if keys else Q(pk__in=[])
        if user is not None:
            mine |= Q(seats__user=user)
        return self.filter(mine).distinct()

    def inviting(self, user: User | None, keys: list[str]) -> CasualGameQuerySet:
        """Open tables at which a seat is kept for this person."""
        theirs = Q(seats__kept_for__key__in=keys) & ~Q(seats__kept_for__key="") if keys else Q(pk__in=[])
        if user is not None:
            theirs |= Q(seats__kept_for__user=user)
        return self.filter(theirs, Q(seats__key=""), state=CasualGame.State.OPEN).distinct()


class CasualGame(models.Model):
    """A table: what is played, who may join, where it stands, and in the end its record."""

    class State(models.TextChoices):
        OPEN = "open", "Waiting for players"
        PLAYING = "playing", "In progress"
        OVER = "over", "Finished"
        ABANDONED = "abandoned", "Abandoned"

    class Pace(models.TextChoices):
        RELAXED = "relaxed", "Relaxed: ten minutes for each decision"
        NORMAL = "normal", "Normal: one minute for each decision, and five in reserve"
        QUICK = "quick", "Quick: fifteen seconds for each decision, and one minute in reserve"

    game_slug = models.CharField(max_length=40)
    preset = models.CharField(max_length=60)
    options = models.JSONField(default=dict)  # complete, as they were when it was made
    seed = models.BigIntegerField()
    how = models.JSONField(default=dict)
    """What else the referee is told: `games`, and for a game that goes on from a record its `openings`, `packs` and
    `decided` (games.resume.Start)."""
    past = models.JSONField(default=list)
    """By seat: what was decided before people sat down, as events of the record it was taken from."""
    source = models.JSONField(default=dict)
    """Where it was taken from: `kind`, `title`, `href`, `game`, `ply`; empty for a fresh deal."""
    limits = models.JSONField(default=dict)  # of versions: memory_mb, startup_seconds
    pace = models.CharField(max_length=8, choices=Pace.choices, default=Pace.RELAXED)
    coached = models.BooleanField(default=False)  # the game explains itself at each decision of a person
    lesson = models.BooleanField(default=False)  # the first deal that teaches the game
    listed = models.BooleanField(default=False)  # in the lobby while a seat is free
    private = models.BooleanField(default=False)  # only for those who sit there or hold its key

    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    made_from = models.CharField(max_length=32, blank=True)  # a digest of the address that asked for it, for the limits
    made_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN)
    why = models.CharField(max_length=300, blank=True)  # it was abandoned, as a sentence
    key = models.CharField(max_length=40, default=new_key)  # in the link that invites people
    code = models.CharField(max_length=8, default=new_code)  # the same to be read out

    # The open decision of a person, written by the server as it asks.
    asked = models.PositiveIntegerField(default=0)  # its number; 0: nobody was asked
    asked_seat = models.PositiveIntegerField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)  # then the house decides

    failures = models.PositiveIntegerField(default=0)  # of the portal
    last_error = models.TextField(blank=True)

    record = models.BinaryField(null=True, editable=False)  # zstd of the canonical JSON, when it is over
    sha256 = models.CharField(max_length=64, blank=True)
    result = models.JSONField(default=dict)  # of the record
    notes = models.JSONField(default=dict)
    """`differs`: by seat, where a version would have decided otherwise in the past; `house`: by seat, how many
    decisions the house made for a person."""

    objects = CasualGameQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["state", "made_at"], name="casual_by_state"),
            models.Index(fields=["code"], name="casual_by_code"),
        ]

    def __str__(self) -> str:
        return f"Casual game {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("casual-table", args=[self.pk])

    @property
    def game(self) -> Game:
        return get(self.game_slug)

    @property
    def channel(self) -> str:
        """The name of its broadcast."""
        return f"casual:{self.pk}"

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def is_playing(self) -> bool:
        return self.state == self.State.PLAYING

    @property
    def is_over(self) -> bool:
        return self.state in (self.State.OVER, self.State.ABANDONED)

    def left_ms(self) -> int | None:
        """How long the person who was asked still has; None: nobody was asked."""
        if self.due_at is None:
            return None
        return max(0, round(1000 * (self.due_at - timezone.now()).total_seconds()))

    def keep(self, text: str) -> dict[str, Any]:
        """The columns of the record, from its canonical JSON."""
        return {"record": pack(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}

    def text(self) -> str:
        return unpack(bytes(self.record or b""))

    def loaded(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text())
        return found


class CasualSeat(models.Model):
    """A seat at a table: a person (or a place that is free for one), a house player, or a version."""

    class Kind(models.TextChoices):
        PERSON = "person", "Person"
        HOUSE = "house", "House player"
        VERSION = "version", "Version"

    game = models.ForeignKey(CasualGame, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveIntegerField()
    kind = models.CharField(max_length=7, choices=Kind.choices)
    name = NameField(max_length=80, blank=True)  # blank: free
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="casual_seats")
    key = models.CharField(max_length=40, blank=True)  # who knows it sits here; blank: free, or not a person's
    house = models.CharField(max_length=40, blank=True)  # plays here, or plays on for a person
    submission = models.ForeignKey(Submission, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    kept_for = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """The seat of the table before, whose player is invited to this one; nobody else may take it."""
    joined_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)  # the house plays on
    away = models.BooleanField(default=False)  # they left by running out of time
    bank_ms = models.PositiveIntegerField(default=0)  # what is left of the reserve

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["game", "index"], name="casual_seats_have_places")]

    def __str__(self) -> str:
        return f"{self.name or 'free'} at {self.game_id}"

    @property
    def is_person(self) -> bool:
        return self.kind == self.Kind.PERSON

    @property
    def is_free(self) -> bool:
        return self.is_person and not self.key

    @property
    def is_here(self) -> bool:
        """Whether a person decides here now."""
        return self.is_person and bool(self.key) and self.left_at is None

    @property
    def bot(self) -> str:
        """As the record names it."""
        if self.kind == self.Kind.VERSION:
            return "version"  # what its file is called is its team's own affair
        return "person" if self.is_person else f"house:{self.house}"


class CasualMove(models.Model):
    """A decision of a game that is being played, exactly once: whoever inserts its number first has made it."""

    class By(models.TextChoices):
        PLAYER = "player", "The player"
        HOUSE = "house", "The house, for a person"

    game = models.ForeignKey(CasualGame, on_delete=models.CASCADE, related_name="moves")
    number = models.PositiveIntegerField()  # from 1
    seat = models.PositiveIntegerField()
    event = models.JSONField()  # a decision or a fault, with `ms`
    by = models.CharField(max_length=6, choices=By.choices, default=By.PLAYER)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="a_casual_decision_is_made_once")]

    def __str__(self) -> str:
        return f"Decision {self.number} of {self.game_id}"

    @property
    def decided(self) -> Event:
        found: Event = self.event
        return found
