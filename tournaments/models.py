"""Stages, tables and matches; who played what, when, with which version; and what came of it.

A match's life is queued → running → done | void (docs/architecture.md, "Life of a match"). The row exists before it
runs; a worker claims it with a lease; the result is written once, by an UPDATE that names the attempt.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta
from typing import Any

from django.db import models
from django.db.models import F, Q, functions
from django.urls import reverse
from django.utils import timezone

from contest.models import AnyUser, Contest, Phase, Team
from submissions.models import Submission, pack, unpack
from tournaments import formats


class StageQuerySet(models.QuerySet["Stage"]):
    def visible_to(self, user: AnyUser) -> StageQuerySet:
        """Everybody sees a stage once it is published; those with a role see drafts."""
        published = ~Q(state=Stage.State.DRAFT)
        if not user.is_authenticated:
            return self.filter(published)
        if user.is_superuser:
            return self
        return self.filter(published | Q(contest__roles__user=user)).distinct()

    def due(self, at: datetime) -> StageQuerySet:
        """Published stages whose time has come."""
        return self.filter(state=Stage.State.PUBLISHED, starts_at__lte=at)

    def shown(self) -> StageQuerySet:
        """What has to be kept in line with its plan: published or later, while its contest goes on or it is played."""
        goes_on = Q(contest__ended_at=None) | Q(state=Stage.State.RUNNING)
        return self.exclude(state=Stage.State.DRAFT).filter(goes_on)

    def unsettled(self) -> StageQuerySet:
        """All but the finished ones that were in line and whose contest has not changed since."""
        return self.exclude(state=Stage.State.DONE, settled_at=F("contest__revision"))


class Stage(models.Model):
    """A part of a contest that is played in one format."""

    class State(models.TextChoices):
        DRAFT = "draft", "Draft"
        PUBLISHED = "published", "Published"
        RUNNING = "running", "Being played"
        PAUSED = "paused", "Paused"
        DONE = "done", "Finished"

    class Seeding(models.TextChoices):
        NUMBER = "number", "By seed number"
        STANDINGS = "standings", "By the standings"
        HAND = "hand", "By hand"

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="stages")
    name = models.CharField(max_length=80)
    format = models.CharField(max_length=30, default="single_elimination")  # a key of tournaments.formats
    options = models.JSONField(default=dict)  # the format's: table_size, advance, games, house, …
    seeding = models.CharField(max_length=10, choices=Seeding.choices, default=Seeding.NUMBER)
    order = models.JSONField(default=list)  # team ids from the first seed; fixed when the stage is published
    left_out = models.JSONField(default=list)  # team ids of the order that had no bot, or had left, at the start
    versions = models.JSONField(default=dict)  # {team id as text: submission id}: who takes part, fixed at the start
    seed = models.BigIntegerField()  # of all chance in this stage
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    starts_at = models.DateTimeField(null=True, blank=True)  # null: started by hand
    refusal = models.CharField(max_length=300, blank=True)  # why it could not start although it was due
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    settled_at = models.PositiveBigIntegerField(null=True, blank=True)  # the contest's revision when nothing was to do
    created_at = models.DateTimeField(auto_now_add=True)

    objects = StageQuerySet.as_manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("bracket", args=[self.contest.slug, self.pk])

    UNDER_WAY = (State.RUNNING, State.PAUSED, State.DONE)

    @property
    def has_started(self) -> bool:
        return self.state in self.UNDER_WAY

    @property
    def can_be_edited(self) -> bool:
        return self.state in (self.State.DRAFT, self.State.PUBLISHED)

    @property
    def is_over(self) -> bool:
        """Finished, or all that can come of it: in an ended contest nobody sends a run any more."""
        return self.state == self.State.DONE or (
            self.has_started and self.played_in.runs and self.contest.phase() == Phase.ENDED
        )

    @property
    def state_name(self) -> str:
        """For people; a problem is judged, not played."""
        if self.is_over:
            return str(self.State.DONE.label)
        if self.state == self.State.RUNNING and self.played_in.runs:
            return "Being judged"
        return self.get_state_display()

    @property
    def played_in(self) -> formats.Format:
        return formats.get(self.format)

    @property
    def format_title(self) -> str:
        return self.played_in.title


class Table(models.Model):
    """A place in a stage's plan where certain players meet; its matches decide who goes on.

    Tables are written by the stage's format from the seeding and from the results so far, and can always be written
    again: the plan is a pure function of both.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="tables")
    round = models.PositiveIntegerField()  # from 1
    number = models.PositiveIntegerField()  # from 1 within the round
    name = models.CharField(max_length=60)  # "Final", "Round 2, table 3"
    feeds = models.JSONField(default=list)  # where the chairs come from: [["seed", 4], ["table", id, place], ["house"]]
    # Who sits there, parallel to feeds: a team's id, "house:NAME" for good, or null while it is not known.
    players = models.JSONField(default=list)
    decided = models.BooleanField(default=False)
    places = models.JSONField(default=list)  # team ids, best first, once decided

    class Meta:
        ordering = ["round", "number"]
        constraints = [models.UniqueConstraint(fields=["stage", "round", "number"], name="table_numbers_are_unique")]

    def __str__(self) -> str:
        return self.name


class MatchQuerySet(models.QuerySet["Match"]):
    def visible_to(self, user: AnyUser) -> MatchQuerySet:
        """The one answer to who may see a match: pages, downloads and counts all start here."""
        public = ~Q(stage__state=Stage.State.DRAFT) & ~Q(contest__visibility=Contest.Visibility.PRIVATE)
        if not user.is_authenticated:
            return self.filter(public)
        if user.is_superuser:
            return self
        mine = Q(contest__roles__user=user) | (
            Q(contest__teams__memberships__user=user) & ~Q(stage__state=Stage.State.DRAFT)
        )
        return self.filter(public | mine).distinct()

    def valid(self) -> MatchQuerySet:
        return self.exclude(state=Match.State.VOID)

    def done(self) -> MatchQuerySet:
        return self.filter(state=Match.State.DONE)

    def claimable(self, at: datetime) -> MatchQuerySet:
        """Queued matches of stages that are being played, in the order in which they should be played."""
        queued = self.filter(state=Match.State.QUEUED, due_at__lte=at, stage__state=Stage.State.RUNNING)
        return queued.order_by("priority", "id")

    def taking_turns(self) -> MatchQuerySet:
        """Contests by turns, so that none waits for the long matches of another.

        The one with fewest matches in play comes first, then the one that was longest not served; within a contest by
        priority.
        """
        others = Match.objects.filter(contest=models.OuterRef("contest")).order_by().values("contest")
        playing = others.filter(state=Match.State.RUNNING).annotate(count=models.Count("pk")).values("count")
        served = others.annotate(last=models.Max("started_at")).values("last")
        turns = self.annotate(playing=functions.Coalesce(models.Subquery(playing), 0), served=models.Subquery(served))
        return turns.order_by("playing", F("served").asc(nulls_first=True), "priority", "id")

    def open(self) -> MatchQuerySet:
        """Matches that have no result yet and are to have one."""
        return self.filter(state__in=(Match.State.QUEUED, Match.State.RUNNING))

    def troubled(self) -> MatchQuerySet:
        """Open matches at which the machinery has failed: they are tried again, and an organiser may want to know."""
        return self.open().filter(failures__gt=0)

    def abandoned(self, at: datetime) -> MatchQuerySet:
        """Running matches whose worker has not renewed its lease."""
        return self.filter(state=Match.State.RUNNING, lease_until__lt=at)

    def held_by(self, claim: Match) -> MatchQuerySet:
        """This row, as long as the claim that `claim` was read from still holds: a late worker's is empty."""
        return self.filter(pk=claim.pk, attempt=claim.attempt, state=Match.State.RUNNING)

    def in_order_of_results(self) -> MatchQuerySet:
        """The order in which results count, for ratings above all."""
        return self.order_by("finished_at", "id")


class MatchManager(models.Manager.from_queryset(MatchQuerySet)):  # type: ignore[misc]
    """Leaves in the database what is long and only the referee needs."""

    def get_queryset(self) -> MatchQuerySet:
        return super().get_queryset().defer("openings")


class Match(models.Model):
    """One match: certain players, pinned versions, a seed, one or more games, one result, one record."""

    class State(models.TextChoices):
        QUEUED = "queued", "Queued"
        RUNNING = "running", "Being played"
        DONE = "done", "Played"
        VOID = "void", "Void"

    class Kind(models.TextChoices):
        REGULAR = "regular", "Regular"
        PLAYOFF = "playoff", "Play-off"

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="matches")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="matches")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="matches")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.REGULAR)
    number = models.PositiveIntegerField(default=1)  # within the table: 1 the match itself, 2 … play-offs
    replay_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="replays")
    reason = models.CharField(max_length=300, blank=True)  # why these players meet, or why it is void
    seed = models.BigIntegerField()
    options = models.JSONField(default=dict)  # of the game, complete, as it was when the match was made
    limits = models.JSONField(default=dict)  # of a bot: memory_mb, startup_seconds, as they were when it was made
    openings = models.JSONField(default=list)  # of its games, in the place of the game's own (games.engine.Opening)
    priority = models.IntegerField(default=0)  # lower is sooner

    state = models.CharField(max_length=8, choices=State.choices, default=State.QUEUED)
    worker = models.CharField(max_length=100, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(default=timezone.now)  # not to be taken from the queue before
    failures = models.PositiveIntegerField(default=0)  # of the machinery; not the bots'
    last_error = models.TextField(blank=True)  # of the machinery

    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    games = models.PositiveIntegerField(default=0)  # games in the record

    objects = MatchManager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "number"], condition=~Q(state="void"), name="one_valid_match_per_table_and_number"
            ),
        ]
        indexes = [
            models.Index(fields=["state", "lease_until"]),
            models.Index(fields=["contest", "state", "finished_at"]),
        ]

    def __str__(self) -> str:
        return f"Match {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.pk])


class MatchSeat(models.Model):
    """Player i of a match: a team with a pinned version, or a house player; and, once played, how it did."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveIntegerField()
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, related_name="match_seats")
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, null=True, related_name="match_seats")
    house = models.CharField(max_length=40, blank=True)
    score = models.FloatField(null=True)
    place = models.PositiveIntegerField(null=True)
    disqualified = models.BooleanField(default=False)
    fault_kind = models.CharField(max_length=12, blank=True)  # the first fault
    fault_detail = models.TextField(blank=True)
    faults = models.PositiveIntegerField(default=0)
    slowest_ms = models.FloatField(null=True)
    total_ms = models.FloatField(null=True)
    cpu_ms = models.FloatField(null=True)  # all its processor time, where the game measures it
    penalty = models.FloatField(default=0)  # points for that time: apart from `score`, but they count for the place
    verdict = models.CharField(max_length=40, blank=True)  # on an entry that is judged
    own_name = models.CharField(max_length=60, blank=True)  # what the bot calls itself in the record
    # The rating before and after this match (OpenSkill for tables, see ratings.py); null for house players.
    mu_before = models.FloatField(null=True)
    sigma_before = models.FloatField(null=True)
    mu_after = models.FloatField(null=True)
    sigma_after = models.FloatField(null=True)

    class Meta:
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="one_player_per_chair"),
            models.CheckConstraint(
                condition=Q(team__isnull=False, house="") | (Q(team__isnull=True) & ~Q(house="")),
                name="a_chair_holds_a_team_or_a_house_player",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return self.team.name if self.team else f"House: {self.house.replace('_', ' ')}"

    @property
    def counted(self) -> float:
        """What its place goes by: points and penalty."""
        return (self.score or 0.0) + self.penalty


class Record(models.Model):
    """The record of a match that was played (record.md), written in the same transaction as its result."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="record")
    data = models.BinaryField()  # zstd of the canonical JSON
    sha256 = models.CharField(max_length=64)  # of the canonical JSON
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"Record of match {self.match_id}"

    @classmethod
    def of(cls, match: Match, text: str) -> Record:
        """Not saved yet, from the canonical JSON."""
        return cls(match=match, data=pack(text), sha256=hashlib.sha256(text.encode()).hexdigest())

    def text(self) -> str:
        """The canonical JSON of record.md."""
        return unpack(self.data)

    def loaded(self) -> dict[str, Any]:
        return json.loads(self.text())


class BotLog(models.Model):
    """What a bot wrote to standard error during a match, for its team and those with a role."""

    seat = models.OneToOneField(MatchSeat, on_delete=models.CASCADE, related_name="log")
    data = models.BinaryField()  # zstd of JSON: [[event index, text], …]

    def __str__(self) -> str:
        return f"Debug output of {self.seat} in match {self.seat.match_id}"

    @classmethod
    def of(cls, seat: MatchSeat, pieces: list[tuple[int, str]]) -> BotLog:
        """Not saved yet."""
        return cls(seat=seat, data=pack(json.dumps(pieces, ensure_ascii=False)))

    def pieces(self) -> list[list[Any]]:
        """Pairs of the index of an event of the record and the text that was written there."""
        return json.loads(unpack(self.data) or "[]")


class Rating(models.Model):
    """A team's current rating in its contest: the end of the ordered chain in MatchSeat, kept for fast lists."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="ratings")
    team = models.OneToOneField(Team, on_delete=models.CASCADE, related_name="rating")
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-mu"]

    def __str__(self) -> str:
        return f"{self.team}: {self.mu:.1f} ± {2 * self.sigma:.1f}"


class Duty(models.Model):
    """Something that one process at a time does for everybody, such as the periodic tick; held like a lease."""

    name = models.CharField(max_length=40, primary_key=True)
    worker = models.CharField(max_length=100, blank=True)
    until = models.DateTimeField()

    class Meta:
        verbose_name_plural = "duties"

    def __str__(self) -> str:
        return self.name

    @classmethod
    def take(cls, name: str, worker: str, now: datetime, length: timedelta) -> bool:
        """Take the duty unless somebody else has it now."""
        cls.objects.get_or_create(name=name, defaults={"until": now - timedelta(seconds=1)})
        free = cls.objects.filter(name=name).filter(Q(until__lt=now) | Q(worker=worker))
        return bool(free.update(worker=worker, until=now + length))

    @classmethod
    def give_back(cls, name: str, worker: str, now: datetime) -> None:
        cls.objects.filter(name=name, worker=worker).update(until=now - timedelta(seconds=1))
