"""Stages and their tables."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import F, OuterRef, Q, Subquery, functions
from django.urls import reverse

import games
from contest.ledger import Held, hold
from contest.models import Audience, Contest, Kind, LedgerEntry, Phase
from contest.models.moments import MomentField
from contest.names import Name, Named, NameField
from tournaments import formats


class StageQuerySet(models.QuerySet["Stage"]):
    def due(self, at: datetime) -> StageQuerySet:
        """Published stages to start now, by the clock or because the stage before has finished. Their contest must
        still be going on, and organisers must not hold their first round."""
        come = Q(starts_at__lte=at, starts_after=False) | (
            Q(starts_after=True, source__state=Stage.State.DONE) & (Q(starts_at=None) | Q(starts_at__lte=at))
        )
        first = models.FilteredRelation("timetable", condition=Q(timetable__number=1, timetable__until=0))
        found = self.filter(come, state=Stage.State.PUBLISHED, contest__ended_at=None)
        return found.alias(first=first).exclude(first__hold=True)

    def led_by_another(self) -> StageQuerySet:
        """Published stages whose entrants or seeding come from another stage."""
        led = Q(entry=Stage.Entry.BEST) | Q(seeding=Stage.Seeding.SOURCE)
        return self.filter(led, state=Stage.State.PUBLISHED, contest__ended_at=None)

    def shown(self) -> StageQuerySet:
        """Stages to keep in line with their plan: published or later, while they or their contest go on."""
        goes_on = Q(contest__ended_at=None) | Q(state=Stage.State.RUNNING)
        return self.exclude(state=Stage.State.DRAFT).filter(goes_on)

    def unsettled(self) -> StageQuerySet:
        """All but those that were in line and whose contest has not changed since. Stages in progress are included,
        because the clock alone may change them."""
        quiet = (Stage.State.PUBLISHED, *Stage.ENDED)
        return self.exclude(state__in=quiet, settled_at=F("contest__revision"))


class StageManager(models.Manager.from_queryset(StageQuerySet)):  # type: ignore[misc]
    """Hides removed stages. Only the ledger mentions them."""

    def get_queryset(self) -> StageQuerySet:
        return super().get_queryset().exclude(state=Stage.State.REMOVED)


def new_seed() -> int:
    """2^62 … 2^63 - 1. The seed of a finished match is public and must not reveal the stage's seed."""
    return 2**62 + secrets.randbits(62)


class Stage(Named, models.Model):
    """A part of a contest that is played in one format."""

    class State(models.TextChoices):
        DRAFT = "draft", "Draft"
        PUBLISHED = "published", "Published"
        RUNNING = "running", "In progress"
        PAUSED = "paused", "Paused"
        DONE = "done", "Finished"
        ABANDONED = "abandoned", "Abandoned"
        REMOVED = "removed", "Removed"  # it was published once, so the ledger mentions it

    class Seeding(models.TextChoices):
        NUMBER = "number", "By seed number"
        STANDINGS = "standings", "By the standings"
        SOURCE = "source", "By rank in the earlier stage"
        HAND = "hand", "By hand"

    class Entry(models.TextChoices):
        ALL = "all", "All teams"
        BEST = "best", "The best teams of an earlier stage"
        INVITED = "invited", "Invited teams"

    class Release(models.TextChoices):
        LIVE = "live", "As soon as a match is over"
        ROUNDS = "rounds", "Round by round"

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="stages")
    name = NameField(max_length=80)
    entry = models.CharField(max_length=10, choices=Entry.choices, default=Entry.ALL)
    source = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="followers")
    best = models.PositiveIntegerField(null=True, blank=True)  # of the source; null: everybody in its ranking
    invited = models.JSONField(default=list)  # team ids
    format = models.CharField(max_length=30, default="single_elimination")  # a key of tournaments.formats
    options = models.JSONField(default=dict)  # of the format: table_size, advance, games, house, …
    seeding = models.CharField(max_length=10, choices=Seeding.choices, default=Seeding.NUMBER)
    order = models.JSONField(default=list)  # team ids from the first seed; fixed when the stage is published
    left_out = models.JSONField(default=list)  # team ids of the order that had no bot, or had left, at the start
    schools = models.JSONField(default=dict)  # {team id as text: school}: to keep apart, fixed with the order
    versions = models.JSONField(default=dict)  # {team id as text: submission id}: who takes part, fixed at the start
    substitutes = models.JSONField(default=list)  # [team put in by organisers, team that had its seat; null: a bye]
    seed = models.BigIntegerField(default=new_seed)  # of all chance in this stage; a secret
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    starts_at = MomentField(null=True, blank=True)  # null: no start by the clock
    starts_after = models.BooleanField(default=False)  # start automatically when its source has finished
    check_in_closes_at = MomentField(null=True, blank=True)  # who is not there by then is left out; null: no check-in
    ends_at = MomentField(null=True, blank=True)  # of a ladder
    release = models.CharField(max_length=10, choices=Release.choices, default=Release.LIVE)
    released = models.PositiveIntegerField(default=0)  # public rounds, if organisers release them
    decides = models.BooleanField(default=False)  # chosen: its winner is the contest's champion (`deciding_stage`)
    refusal = models.CharField(max_length=300, blank=True)  # why it could not start when it was due
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    resets = models.PositiveIntegerField(default=0)  # how often it was started over
    last_round = models.PositiveIntegerField(null=True, blank=True)  # of a shortened stage
    settled_at = models.PositiveBigIntegerField(null=True, blank=True)  # the contest's revision when nothing was to do
    created_at = models.DateTimeField(auto_now_add=True)

    awaits_release = False  # it is over, but its reader may not see that yet (visibility.py)
    seen_at: int | None = None
    """The ledger number up to which its reader knows what happened (history.as_told). None: everything."""

    objects = StageManager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["contest"], condition=Q(decides=True), name="one_stage_decides_a_contest")
        ]

    def __str__(self) -> str:
        return Name(self.name)

    def get_absolute_url(self) -> str:
        return reverse("bracket", args=[self.contest.slug, self.pk])

    ENDED = (State.DONE, State.ABANDONED)
    """States in which nothing more is played."""
    UNDER_WAY = (State.RUNNING, State.PAUSED, *ENDED)

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any], **more: Any) -> Stage:
        """Complete the options of a stage that an earlier release has stored."""
        stage = super().from_db(db, field_names, values, **more)
        if {"options", "format", "contest_id"} <= stage.__dict__.keys():
            stage._complete_options()
        return stage

    def _complete_options(self) -> None:
        if self.format not in formats.FORMATS or formats.known_options(self.format) <= self.options.keys():
            return
        slug = Contest.objects.values_list("game_slug", flat=True).get(pk=self.contest_id)
        if slug in games.GAMES:
            self.options = formats.complete(self.format, self.options, games.get(slug))

    @property
    def has_started(self) -> bool:
        return self.state in self.UNDER_WAY

    @property
    def options_played(self) -> dict[str, Any]:
        """The options of its format, with the last round if the stage was shortened."""
        return self.options if self.last_round is None else {**self.options, "rounds": self.last_round}

    @property
    def has_ended(self) -> bool:
        """Whether it is finished or abandoned. An abandoned stage has no winner and feeds no other stage."""
        return self.state in self.ENDED

    @property
    def can_be_edited(self) -> bool:
        return self.state in (self.State.DRAFT, self.State.PUBLISHED)

    @property
    def is_held(self) -> bool:
        """Whether it is published and, whatever its start, waits until an organiser starts it."""
        return self.state == self.State.PUBLISHED and self.timetable.filter(number=1, hold=True).exists()

    @property
    def has_short_seed(self) -> bool:
        """Whether it began when seeds had 31 bits. Its matches on shared deals continue with those."""
        return self.resets == 0 and self.seed < 2**31

    @property
    def chance(self) -> int:
        """The source of all chance in the stage, a secret. A reset changes it, because everybody knows the cards that
        were played before."""
        if self.resets == 0:
            return self.seed
        digest = hashlib.sha256(f"{self.seed}/reset {self.resets}".encode()).digest()
        return 2**62 + int.from_bytes(digest[:8]) % 2**62

    def has_closed_check_in(self, now: datetime) -> bool:
        return self.check_in_closes_at is not None and self.check_in_closes_at <= now

    @property
    def due_at(self) -> datetime | None:
        """When it starts, or was to start, automatically. None: not known yet, or never."""
        if not self.starts_after:
            return self.starts_at
        if self.source is None or not self.source.is_over:
            return None
        moments = (self.starts_at, self.source.finished_at or self.contest.ended_at)
        return max((moment for moment in moments if moment is not None), default=None)

    @property
    def is_led(self) -> bool:
        """Whether its entrants or its seeding come from another stage."""
        return self.entry == self.Entry.BEST or self.seeding == self.Seeding.SOURCE

    @property
    def awaits_source(self) -> bool:
        """Whether its players or their order are unknown, because the stage that decides them is not finished."""
        return self.is_led and not self.has_started and not (self.source and self.source.is_over)

    @property
    def is_stranded(self) -> bool:
        """Whether it waits for a stage that was abandoned."""
        waits = self.can_be_edited and (self.is_led or self.starts_after)
        return waits and self.source is not None and self.source.state == self.State.ABANDONED

    @property
    def entrants_name(self) -> str:
        """Who plays here, even while the teams are unknown: "the best 8 of Ladder"."""
        if self.entry == self.Entry.BEST:
            return f"the best {self.best} of {self.source}" if self.best else f"all teams of {self.source}"
        if self.entry == self.Entry.INVITED:
            count = len(self.invited)
            who = "1 invited team" if count == 1 else f"{count} invited teams"
        else:
            who = "all teams"
        return f"{who}, seeded by {self.source}" if self.seeding == self.Seeding.SOURCE else who

    @property
    def entrants_told(self) -> dict[str, Any]:
        """The entrants according to the ledger."""
        schools = {"schools": self.schools} if self.schools else {}
        return {"order": self.order, "left_out": self.left_out, **schools}

    def began_before(self, other: Stage) -> bool:
        return self.started_at is not None and (other.started_at is None or self.started_at < other.started_at)

    def why_reset(self) -> str:
        """Why the organisers reset it, while it waits for its next start. Empty for others."""
        return self._reason_of(Kind.STAGE_RESET) if self.resets and self.state == self.State.PUBLISHED else ""

    def why_abandoned(self) -> str:
        """Why the organisers abandoned it. Empty for others."""
        return self._reason_of(Kind.STAGE_ABANDONED) if self.state == self.State.ABANDONED else ""

    def why_moved(self) -> str:
        """What teams were told when a start was moved last."""
        return self._reason_of(Kind.ROUND_MOVED)

    def substitutions(self) -> list[dict[str, Any]]:
        """The teams that organisers have put in, as far as the reader knows: `team`, `instead_of` (an id, or None where
        there was a bye) and the `reason`."""
        if not self.substitutes:
            return []
        entries = self._known(Kind.ENTRANTS_SET).filter(data__has_key="instead_of")
        found = {it.data["team"]: it.data["instead_of"] for it in entries if it.data["team"] in self.order}
        reasons = {it.data["team"]: it.reason for it in entries}
        return [{"team": team, "instead_of": gone, "reason": reasons[team]} for team, gone in found.items()]

    def _reason_of(self, kind: Kind) -> str:
        """The reason in the last entry of this kind that the reader knows."""
        return self._known(kind).values_list("reason", flat=True).last() or ""

    def _known(self, kind: Kind) -> models.QuerySet[LedgerEntry]:
        known = Q() if self.seen_at is None else Q(audience=Audience.EVERYONE) | Q(number__lte=self.seen_at)
        return self.ledger.filter(known, kind=kind).order_by("number")

    def tables_then(self) -> models.QuerySet[Table]:
        """The tables that its reader knows, including those set aside since."""
        if self.seen_at is None:
            return self.tables.all()
        then = Table.every.filter(Q(until=0) | Q(until__gt=self.seen_at), stage=self)
        later = then.filter(round=OuterRef("round"), number=OuterRef("number"), until__gt=0)
        first = Subquery(later.order_by("until").values("until")[:1])
        return then.annotate(first=functions.Coalesce(first, 0)).filter(until=F("first"))

    @property
    def is_unreleased(self) -> bool:
        """Whether its results are released by rounds and some are still hidden."""
        return self.release == self.Release.ROUNDS and self.tables.filter(round__gt=self.released).exists()

    @property
    def is_over(self) -> bool:
        """Finished, or nothing more can come of it: in a contest that has ended, nobody sends runs."""
        return self.state == self.State.DONE or (
            self.has_started
            and not self.has_ended
            and self.played_in.ends_with_contest
            and self.contest.phase() == Phase.ENDED
        )

    @property
    def is_rated(self) -> bool:
        """Whether its results count for ratings."""
        return self.played_in.rated

    @property
    def state_name(self) -> str:
        """The state in words."""
        if self.awaits_release:
            return "To be released"
        if self.is_over:
            return str(self.State.DONE.label)
        if self.state == self.State.RUNNING:
            return self.played_in.under_way
        return self.get_state_display()

    @property
    def played_in(self) -> formats.Format:
        return formats.get(self.format)

    def rules(self) -> tuple[str, ...]:
        """How it is played, as sentences."""
        rules = self.played_in.rules(self.options_played)
        if self.last_round is None:
            return rules
        return *rules, f"The organisers shortened this stage: it ends after round {self.last_round}."

    @property
    def format_title(self) -> str:
        return self.played_in.title


class TableManager(models.Manager["Table"]):
    """Leaves out the tables that a reset has set aside."""

    def get_queryset(self) -> models.QuerySet[Table]:
        return super().get_queryset().filter(until=0)


class Table(models.Model):
    """A table in a stage's plan where certain players meet. Its matches decide who advances.

    The stage's format writes tables from the seeding and the results so far. They can always be written again, because
    the plan is a pure function of both.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="tables")
    round = models.PositiveIntegerField()  # from 1
    number = models.PositiveIntegerField()  # from 1 within the round
    name = models.CharField(max_length=60)  # "Final", "Round 2, table 3"
    feeds = models.JSONField(default=list)  # where its seats come from: [["seed", 4], ["table", id, place], ["house"]]
    # Who sits there, parallel to feeds: a team id, "house:NAME" for good, or null while unknown.
    players = models.JSONField(default=list)
    decided = models.BooleanField(default=False)
    places = models.JSONField(default=list)  # team ids, best first, once decided
    until = models.PositiveBigIntegerField(default=0)  # the ledger entry that set it aside; 0: none

    objects = TableManager()
    every = models.Manager["Table"]()

    class Meta:
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "until", "round", "number"], name="table_numbers_are_unique")
        ]

    def __str__(self) -> str:
        return self.name


def hold_stage(stage: Stage) -> tuple[Held, Stage]:
    """Lock a stage and its contest until the transaction ends. Returns both as they are now; the stage has its source
    loaded, and the contest that is returned."""
    contest = hold(stage.contest_id)
    held = Stage.objects.select_for_update(of=("self",)).select_related("source").get(pk=stage.pk)
    held.contest = contest
    return contest, held


def deciding_stage(stages: Collection[Stage]) -> Stage | None:
    """Return the deciding stage among all stages of a contest. None: the contest has no stages.

    Organisers can choose it (`Stage.decides`), also a draft. Otherwise it is the end of the longest chain of stages
    that feed each other. If no stage feeds another, it is the newest one; leagues for invited teams and judged problems
    are chosen only if there is nothing else. Drafts count only while there is nothing else: nobody knows of them.
    """
    chosen = [stage for stage in stages if stage.decides]
    if chosen:
        return chosen[0]
    stages = [stage for stage in stages if stage.state != Stage.State.DRAFT] or stages
    by_id = {stage.pk: stage for stage in stages}
    aside = [stage for stage in stages if not (stage.entry == Stage.Entry.INVITED or not stage.is_rated)]
    return max(aside or stages, key=lambda stage: (_chain_length(stage, by_id), stage.pk), default=None)


def _chain_length(stage: Stage, by_id: Mapping[int, Stage]) -> int:
    """The length of the chain of stages that ends with this one."""
    seen: set[int] = set()
    step: Stage | None = stage
    while step is not None and step.pk not in seen:
        seen.add(step.pk)
        step = by_id.get(step.source_id) if step.source_id is not None else None
    return len(seen)
