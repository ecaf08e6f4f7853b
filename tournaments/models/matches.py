"""Matches: who played what, when and with which version; and the results.

A match goes queued → running → done | void (docs/architecture.md, "Life of a match"). The row exists before it runs. A
worker claims it with a lease. The result is written once, by an UPDATE that names the attempt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import F, Q, functions
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property

from contest.models import Contest, Kind, LedgerEntry, Team
from submissions.lease import LeaseQuerySet
from submissions.models import Submission
from tournaments.formats.plan import Result
from tournaments.models.stages import Stage, Table
from tournaments.models.work import Review

NAMED = ("id", "team", "number", "filename", "sha256")  # what pages and files of a match say of a version
UNSHOWN = tuple(f"submission__{each.name}" for each in Submission._meta.concrete_fields if each.name not in NAMED)

TO_PLAY = Q(stage__state=Stage.State.RUNNING, pending=False) | Q(review__state=Review.State.OPEN, pending=True)
"""Matches of stages in progress, and of reviews that nobody has decided yet."""


class MatchQuerySet(LeaseQuerySet["Match"]):
    def valid(self) -> MatchQuerySet:
        """Matches that count or will count: neither void nor part of an open review."""
        return self.exclude(state=Match.State.VOID).filter(pending=False)

    def done(self) -> MatchQuerySet:
        """Finished matches that count."""
        return self.filter(state=Match.State.DONE, pending=False)

    def claimable(self, at: datetime) -> MatchQuerySet:
        """Queued matches of stages in progress and of reviews, in the order in which to play them."""
        queued = self.filter(TO_PLAY, state=Match.State.QUEUED, due_at__lte=at)
        return queued.order_by("priority", "id")

    def for_workers(self) -> MatchQuerySet:
        """Matches in which nobody plays through a connection to the contest server."""
        return self.filter(live=False)

    def taking_turns(self) -> MatchQuerySet:
        """Let contests take turns, so that none waits for another's long matches.

        The contest with the fewest matches in progress comes first, then the one that was served longest ago. Within a
        contest the priority decides.
        """
        others = Match.objects.filter(contest=models.OuterRef("contest")).order_by().values("contest")
        playing = others.filter(state=Match.State.RUNNING).annotate(count=models.Count("pk")).values("count")
        begun = others.filter(started_at__isnull=False).order_by("-started_at")
        latest = begun.values("started_at")[:1]
        turns = self.annotate(playing=functions.Coalesce(models.Subquery(playing), 0), served=models.Subquery(latest))
        return turns.order_by("playing", F("served").asc(nulls_first=True), "priority", "id")

    def open(self) -> MatchQuerySet:
        """Matches that still need a result."""
        return self.filter(state__in=(Match.State.QUEUED, Match.State.RUNNING))

    def troubled(self) -> MatchQuerySet:
        """Open matches on which the machinery has failed. They are retried, or stopped."""
        return self.open().filter(failures__gt=0)

    def stopped(self) -> MatchQuerySet:
        """Matches that have failed so often that they wait for an organiser."""
        return self.filter(state=Match.State.QUEUED, due_at=None)

    # As known at number n of the ledger. None: now

    def as_of(self, n: int | None) -> MatchQuerySet:
        """Matches drawn by then. Their `status` is the one at that time."""
        if n is None:
            return self.filter(counts_from__isnull=False)
        seen_at = models.Value(n, models.PositiveBigIntegerField())
        drawn = Q(counts_from__lte=n) | Q(pk__in=EarlierSpan.of_matches(counts_from__lte=n))
        return self.filter(drawn).annotate(seen_at=seen_at)  # type: ignore[no-redef]

    def with_result(self, n: int | None) -> MatchQuerySet:
        """Matches that had a result by then, void or not."""
        return self.filter(resulted__isnull=False) if n is None else self.filter(resulted__lte=n)

    def void_by(self, n: int | None) -> MatchQuerySet:
        """Of the matches drawn by then, those that were void."""
        return self.exclude(counting(n))

    def not_void_by(self, n: int | None) -> MatchQuerySet:
        """Matches that counted then, or were going to."""
        return self.filter(counting(n))


def counting(n: int | None) -> Q:
    """The condition for a match that was drawn by then to have counted at number n, or to have been going to."""
    if n is None:
        return Q(counts_until=None)
    now = Q(counts_from__lte=n) & (Q(counts_until=None) | Q(counts_until__gt=n))
    return now | Q(pk__in=EarlierSpan.of_matches(counts_from__lte=n, counts_until__gt=n))


class MatchManager(models.Manager.from_queryset(MatchQuerySet)):  # type: ignore[misc]
    """Defers large columns that only the referee needs."""

    def get_queryset(self) -> MatchQuerySet:
        return super().get_queryset().defer("openings")


class Match(models.Model):
    """One match: certain players, pinned versions, a seed, one or more games, one result, one record."""

    class State(models.TextChoices):
        QUEUED = "queued", "Queued"
        RUNNING = "running", "In progress"
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
    live = models.BooleanField(default=False)  # a team plays through its connection to the contest server (botserver)
    review = models.ForeignKey("Review", on_delete=models.SET_NULL, null=True, blank=True, related_name="matches")
    pending = models.BooleanField(default=False)  # played for an open review, so it does not count yet
    replay_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="replays")
    why = models.CharField(max_length=300, blank=True)  # why these players meet, as a sentence
    seed = models.BigIntegerField()
    options = models.JSONField(default=dict)  # of the game: complete, as they were when the match was created
    limits = models.JSONField(default=dict)  # of a bot: memory_mb, startup_seconds, as they were at creation
    openings = models.JSONField(default=list)  # of its games, instead of the game's own (games.engine.Opening)
    priority = models.IntegerField(default=0)  # lower is sooner

    state = models.CharField(max_length=8, choices=State.choices, default=State.QUEUED)
    worker = models.CharField(max_length=100, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(default=timezone.now, null=True)  # None: an organiser decides whether to play it
    failures = models.PositiveIntegerField(default=0)  # of the machinery, not of bots
    last_error = models.TextField(blank=True)  # of the machinery

    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    # Numbers in the contest's ledger.
    counts_from = models.PositiveBigIntegerField(null=True, blank=True)
    """Drawn; for a review, applied; or restored (`EarlierSpan` has the times before). None: not yet."""
    resulted = models.PositiveBigIntegerField(null=True, blank=True)  # the result; ratings follow this order
    counts_until = models.PositiveBigIntegerField(null=True, blank=True)  # voided, replaced or reset
    games = models.PositiveIntegerField(default=0)  # games in the record

    objects = MatchManager()

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "matches"
        constraints = [
            models.UniqueConstraint(
                fields=["table", "number"],
                condition=~Q(state="void") & Q(pending=False),
                name="one_valid_match_per_table_and_number",
            ),
        ]
        indexes = [
            models.Index(fields=["state", "lease_until"]),
            models.Index(fields=["contest", "state", "resulted"], name="match_by_contest_and_result"),
            models.Index(fields=["stage", "state", "resulted"], name="match_by_stage_and_result"),
            models.Index(fields=["stage", "priority", "id"], condition=Q(state="queued"), name="match_queue"),
            models.Index(fields=["contest", "started_at"], name="match_by_contest_and_start"),
            models.Index(fields=["contest", "finished_at"], name="match_by_contest_and_end"),
            models.Index(fields=["contest", "-id"], name="match_newest_of_contest"),
            models.Index(fields=["table", "number"], name="match_by_table_and_number"),
        ]

    seen_at: int | None = None
    """The ledger number up to which the reader knows what happened (`MatchQuerySet.as_of`). None: everything."""

    result: Result | None = None
    """Its result, once a plan has asked for it (`kinds.present.result_of`)."""

    team_numbers: Mapping[int, int] | None = None
    """The numbers by which bots know the contest's teams, if its worker has read them."""

    by_place: list[MatchSeat]  # in lists of matches: its seats, the best first (view_models.queries.with_players)

    def __str__(self) -> str:
        return f"Match {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.pk])

    @property
    def status(self) -> str:
        """The state that the reader may know. Anything later than that looks as if the match were in progress."""
        n = self.seen_at
        if n is None:
            return self.state
        if self.void_since is not None:
            return self.State.VOID
        return self.State.DONE if self.resulted is not None and self.resulted <= n else self.State.RUNNING

    @property
    def is_on_air(self) -> bool:
        """Whether a page may lead its reader to the cards as they are played. What they see there, if anything, is
        decided there (kinds.secrecy)."""
        return self.is_played_now and self.stage.is_rated

    @property
    def is_played_now(self) -> bool:
        """Whether the reader may know so: behind a freeze, matches with a hidden result only look like it."""
        return self.seen_at is None and self.state == self.State.RUNNING

    @property
    def live_url(self) -> str:
        """The game that is being played."""
        return f"{reverse('replay', args=[self.pk, 1])}?live=1"

    @property
    def void_since(self) -> int | None:
        """The number of the entry that voided it. None: it is not void, as far as its reader knows."""
        n = self.seen_at
        if n is None:
            return self.counts_until
        until = self.counts_until
        if self.counts_from is not None and self.counts_from > n:  # not yet restored then, or not yet drawn
            known = [span for span in self.earlier_spans.all() if span.counts_from <= n]
            until = max((span.counts_until for span in known), default=None)
        return until if until is not None and until <= n else None

    @property
    def status_name(self) -> str:
        return str(self.State(self.status).label)

    @cached_property
    def void_reason(self) -> str:
        """Why it does not count, from the ledger. For lists, `with_reasons` loads all reasons in one query."""
        entry = LedgerEntry.objects.filter(contest=self.contest_id, number=self.void_since or 0).first()
        return "" if entry is None else reason_of(entry, self)

    @cached_property
    def players(self) -> list[MatchSeat]:
        """Its seats with their teams and versions, by index."""
        return list(self.seats.select_related("team", "submission").defer(*UNSHOWN))

    @property
    def contenders(self) -> list[MatchSeat]:
        """The seats that count in places: not those of house players who only make the game possible."""
        known, everybody = vars(self), self.stage.played_in.counts_house(self.stage.options)
        seats = known.get("by_place") or known.get("players") or self.seats.all()
        return [seat for seat in seats if everybody or seat.team_id is not None]

    @property
    def ranks(self) -> dict[int, int]:
        """By index of the seat: its place among those, which is the one that people read."""
        known = [seat for seat in self.contenders if seat.place is not None]
        places = sorted(seat.place or 0 for seat in known)
        return {seat.index: len(places) if seat.disqualified else 1 + places.index(seat.place or 0) for seat in known}

    @property
    def restored_reason(self) -> str:
        """Why it was restored, from the ledger. Blank if it was not, or if its reader does not know."""
        counts_again = self.counts_from is not None and self.resulted is not None and self.counts_from > self.resulted
        starts = [*(span.counts_from for span in (self.earlier_spans.all() if counts_again else ())), self.counts_from]
        known = [start for start in starts if start is not None and (self.seen_at is None or start <= self.seen_at)]
        if len(known) < 2 or self.void_since is not None:
            return ""
        return LedgerEntry.objects.get(contest=self.contest_id, number=max(known)).reason

    @property
    def title(self) -> str:
        """The display name: its number, its table and, on shared deals, which seats it covers."""
        part = "play-off" if self.kind == self.Kind.PLAYOFF else self.seats_word
        where = f"{self.table.name}, {part}" if part else self.table.name
        return self.stage.played_in.match_title(str(self), where)

    @property
    def row_title(self) -> str:
        """The name in a list that also shows the players."""
        return self.stage.played_in.row_title(self.title, self.number)

    def heading(self, player: str) -> str:
        """The heading of its page. `player`: the first one."""
        return self.stage.played_in.heading(self.title, self.number, player)

    @property
    def seats_word(self) -> str:
        """For one of several matches on the same deals: "seats 2 of 4". Empty for others."""
        count = len(self.table.players)
        if not self.stage.options.get("duplicate") or not count or self.kind == self.Kind.PLAYOFF:
            return ""
        return f"seats {(self.number - 1) % count + 1} of {count}"

    def is_withheld(self, contest: Contest) -> bool:
        """Whether its present outcome is kept from people without a role. `contest`: its own, as it is now."""
        return self.pending or self.is_unreleased or contest.is_frozen()

    @property
    def is_unreleased(self) -> bool:
        """Whether it belongs to a round whose results the organisers have not released."""
        return self.stage.release == Stage.Release.ROUNDS and self.table.round > self.stage.released


ENDED_STAGES = {Kind.STAGE_RESET: "reset", Kind.STAGE_ABANDONED: "abandoned", Kind.STAGE_SHORTENED: "shortened"}
"""What organisers did to a stage, for entries that void its matches."""


def reason_of(entry: LedgerEntry, match: Match) -> str:
    """The public reason why the entry made the match void."""
    if entry.kind in ENDED_STAGES:
        return f"The organisers {ENDED_STAGES[Kind(entry.kind)]} the stage: {entry.reason}"
    if entry.kind != Kind.REVIEW_APPLIED:
        return entry.reason
    successor = next((new for old, new in entry.data["replaced"] if old == match.pk), None)
    return f"Played again as Match {successor}: {entry.reason}"


def with_reasons(matches: Sequence[Match]) -> Sequence[Match]:
    """The same matches, of one contest, with their `void_reason` loaded in one query."""
    void = {match: number for match in matches if (number := match.void_since) is not None}
    if void:
        contest_id = next(iter(void)).contest_id
        found = LedgerEntry.objects.filter(contest=contest_id, number__in=set(void.values()))
        entries = {entry.number: entry for entry in found}
        for match, number in void.items():
            match.void_reason = reason_of(entries[number], match)
    return matches


class EarlierSpan(models.Model):
    """From and until which number of the ledger a match counted, before it was voided and restored. The match itself
    has the latest span. Hardly any match has others."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="earlier_spans")
    counts_from = models.PositiveBigIntegerField()
    counts_until = models.PositiveBigIntegerField()

    class Meta:
        ordering = ["counts_from"]
        constraints = [
            models.UniqueConstraint(fields=["match", "counts_from"], name="spans_of_a_match_begin_apart"),
            models.CheckConstraint(condition=Q(counts_from__lt=F("counts_until")), name="spans_end_after_they_begin"),
        ]

    def __str__(self) -> str:
        return f"{self.counts_from} to {self.counts_until}"

    @classmethod
    def of_matches(cls, **when: int) -> models.QuerySet[Any, Any]:
        """The ids of matches with such a span, for a subquery. They are few, however many matches there are."""
        return cls.objects.filter(**when).values("match").order_by()


def house_player(house: str) -> str:
    """The display name of a house player."""
    return f"House: {house.replace('_', ' ')}"


class MatchSeat(models.Model):
    """A player of a match and, once it is played, their result. It is a team with a pinned version, a team that plays
    through its connection to the contest server (no version), or a house player."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", db_index=False)
    index = models.PositiveIntegerField()
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, related_name="match_seats", db_index=False)
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
    grid_ms = models.FloatField(null=True)  # of the grid on which its answers sit, if any (contest/replay/thinking.py)
    cpu_ms = models.FloatField(null=True)  # total processor time, if the game measures it
    penalty = models.FloatField(default=0)  # points for that time: not part of `score`, but the place includes them
    verdict = models.CharField(max_length=40, blank=True)  # on an entry that is judged
    own_name = models.CharField(max_length=60, blank=True)  # what the bot calls itself in the record
    client = models.CharField(max_length=60, blank=True)  # the address from which a connected team played
    # The rating before and after this match (ratings.py); null for house players, and while it does not count.
    mu_before = models.FloatField(null=True)
    sigma_before = models.FloatField(null=True)
    mu_after = models.FloatField(null=True)
    sigma_after = models.FloatField(null=True)

    class Meta:
        ordering = ["index"]
        constraints = [  # these and the indexes below begin with match and team, which need none of their own
            models.UniqueConstraint(fields=["match", "index"], name="one_player_per_chair"),
            models.CheckConstraint(
                condition=Q(team__isnull=False, house="") | (Q(team__isnull=True) & ~Q(house="")),
                name="a_chair_holds_a_team_or_a_house_player",
            ),
        ]
        indexes = [
            models.Index(fields=["team", "match"], name="seat_by_team_and_match"),
            models.Index(fields=["team"], name="seat_on_a_grid", condition=Q(grid_ms__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        known: str | None = vars(self).get("team_name")  # lists leave out the row of the team (BY_PLACE)
        return known or (self.team.name if self.team else house_player(self.house))

    @property
    def rank(self) -> int | None:
        return self.match.ranks.get(self.index)

    @property
    def is_live(self) -> bool:
        """Whether the team plays through its connection, not with an uploaded version."""
        return self.team_id is not None and self.submission_id is None

    @property
    def counted(self) -> float:
        """What decides its place: points and penalty."""
        return (self.score or 0.0) + self.penalty
