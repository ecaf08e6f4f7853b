"""Practice: games that teams order to try their versions. Nothing of it counts, and only the team sees it.

An order names its players once, with the version of each pinned. Its games say who sits where and what is dealt. A game
goes queued → running → done, or is cancelled, or fails after the portal has failed on it several times. A match has
nothing in common with it: no stage, no entry of the ledger, no tally, no rating.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import F, Max, OuterRef, Q, Subquery, functions
from django.urls import reverse
from django.utils import timezone

from contest.models import Contest, Team, User
from games.engine import Game
from submissions.lease import LeaseQuerySet
from submissions.models import Submission, pack, unpack
from tournaments.models.matches import Match, house_player


class PracticeOrderQuerySet(models.QuerySet["PracticeOrder"]):
    def open(self) -> PracticeOrderQuerySet:
        return self.filter(state=PracticeOrder.State.OPEN)

    def due(self, at: datetime) -> PracticeOrderQuerySet:
        """Open orders with a game that could be played now."""
        waiting = PracticeGame.objects.claimable(at).filter(order=OuterRef("pk"))
        return self.open().filter(models.Exists(waiting), due_at__lte=at)

    def with_counts(self) -> PracticeOrderQuerySet:
        """Annotate how many games are `played`, `running`, `waiting` and `failed`, and averages of those played."""
        state = PracticeGame.State
        names = {"played": state.DONE, "running": state.RUNNING, "waiting": state.QUEUED, "failed": state.FAILED}
        counts = {name: models.Count("games", filter=Q(games__state=which)) for name, which in names.items()}
        played = Q(games__state=state.DONE)
        averages = {f"average_{it}": models.Avg(f"games__{it}", filter=played) for it in ("won", "points", "place")}
        return self.annotate(**counts, **averages, faults=models.Sum("games__faults", filter=played, default=0))

    def taking_turns(self) -> PracticeOrderQuerySet:
        """Let teams take turns, so that 200 games of one do not delay the only game of another.

        The team with the fewest games in progress comes first, then the one that was served longest ago. Orders of one
        team are played one after the other.
        """
        running = PracticeGame.objects.filter(team=OuterRef("team"), state=PracticeGame.State.RUNNING)
        count = running.order_by().values("team").annotate(count=models.Count("pk")).values("count")
        orders = PracticeOrder.objects.filter(team=OuterRef("team")).order_by().values("team")
        latest = orders.annotate(latest=Max("served_at")).values("latest")
        found = self.annotate(playing=functions.Coalesce(Subquery(count), 0), served=Subquery(latest))
        return found.order_by("playing", F("served").asc(nulls_first=True), "pk")


class PracticeOrder(models.Model):
    """Games that a team has ordered: with which version, against whom, on which deals."""

    class Kind(models.TextChoices):
        """What makes its games and decides when it is over (tournaments.practice.play)."""

        PRACTICE = "practice", "Practice"
        TRIAL = "trial", "Trial"
        FROM_HERE = "here", "From a position"

    class State(models.TextChoices):
        OPEN = "open", "In progress"
        DONE = "done", "Finished"
        CANCELLED = "cancelled", "Cancelled"
        FAILED = "failed", "Failed"

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="practice_orders")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="practice_orders")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.PRACTICE)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    newest = models.BooleanField(default=False)  # a version that becomes ready replaces it by an order of its own
    seat = models.PositiveIntegerField(null=True, blank=True)  # of the team; None: it moves on from game to game
    seed = models.BigIntegerField(null=True, blank=True)  # of the first game; None: every game has a random one
    wanted = models.PositiveIntegerField()  # games; for a trial at most
    again = models.ForeignKey(Match, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """The match whose deals are played."""
    options = models.JSONField(default=dict)  # of the game: complete, as they were when it was ordered
    limits = models.JSONField(default=dict)  # of a bot: memory_mb, startup_seconds

    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN)
    why = models.CharField(max_length=300, blank=True)  # it ended early, as a sentence
    ended_at = models.DateTimeField(null=True, blank=True)
    replaced_by = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    served_at = models.DateTimeField(null=True, blank=True)  # when a worker last took a game of it
    due_at = models.DateTimeField(default=timezone.now)  # no game is played before: a program is being built again
    builds = models.PositiveIntegerField(default=0)  # how often that was asked for

    objects = PracticeOrderQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["team", "state"], name="practice_by_team_and_state"),
            models.Index(fields=["state", "ended_at"], name="practice_by_state_and_end"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"

    def get_absolute_url(self) -> str:
        names = {self.Kind.TRIAL: "trial", self.Kind.FROM_HERE: "from-here"}
        name = names.get(self.Kind(self.kind), "practice-order")
        return reverse(name, args=[self.contest.slug, self.pk])

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN


class PracticePlayer(models.Model):
    """Somebody who plays in the games of an order: a pinned version of the team or of another one, or a house player.

    Number 0 is the version that practises. In a trial, 0 and 1 are the two versions that are compared."""

    order = models.ForeignKey(PracticeOrder, on_delete=models.CASCADE, related_name="players")
    number = models.PositiveIntegerField()
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, related_name="practice_players")
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, null=True, related_name="practice_players")
    house = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["order", "number"], name="practice_players_have_numbers"),
            models.CheckConstraint(
                condition=Q(team__isnull=False, submission__isnull=False, house="")
                | (Q(team__isnull=True, submission__isnull=True) & ~Q(house="")),
                name="a_practice_player_is_a_version_or_a_house_player",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """As everybody at the table is called. Versions of the team itself are told apart by their numbers."""
        if self.team is None or self.submission is None:
            return house_player(self.house)
        return f"{self.team.name}, version {self.submission.number}" if self.is_own else self.team.name

    @property
    def is_own(self) -> bool:
        """Whether it belongs to the team that ordered."""
        return self.team_id == self.order.team_id

    @property
    def key(self) -> str:
        """The player as forms and programs name it: `house:random`, `version:3`, `team:17`."""
        if self.submission is None:
            return f"house:{self.house}"
        return f"version:{self.submission.number}" if self.is_own else f"team:{self.team_id}"


class PracticeGameQuerySet(LeaseQuerySet["PracticeGame"]):
    def claimable(self, at: datetime) -> PracticeGameQuerySet:
        return self.filter(state=PracticeGame.State.QUEUED, due_at__lte=at)

    def running(self) -> PracticeGameQuerySet:
        return self.filter(state=PracticeGame.State.RUNNING)

    def open(self) -> PracticeGameQuerySet:
        return self.filter(state__in=(PracticeGame.State.QUEUED, PracticeGame.State.RUNNING))

    def done(self) -> PracticeGameQuerySet:
        return self.filter(state=PracticeGame.State.DONE)

    def with_record(self) -> PracticeGameQuerySet:
        """Annotate `has_record`: old records are deleted."""
        return self.annotate(has_record=models.Exists(PracticeRecord.objects.filter(game=OuterRef("pk"))))

    def spent(self) -> PracticeGameQuerySet:
        """Games that count for the team's quota: all but those that were cancelled before they began."""
        return self.exclude(state=PracticeGame.State.CANCELLED, attempt=0)


class PracticeGame(models.Model):
    """One game of an order: who sits where, what is dealt, and what came of it."""

    class State(models.TextChoices):
        QUEUED = "queued", "Waiting"
        RUNNING = "running", "In progress"
        DONE = "done", "Played"
        CANCELLED = "cancelled", "Cancelled"
        FAILED = "failed", "Failed"

    order = models.ForeignKey(PracticeOrder, on_delete=models.CASCADE, related_name="games")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")  # the order's, repeated for the queue
    number = models.PositiveIntegerField()  # 1, 2, 3 … within the order
    lineup = models.JSONField()  # the numbers of its players, in the order of the record's seats
    own = models.PositiveIntegerField(default=0)  # the number of the player whose result this is
    seed = models.BigIntegerField()
    opening = models.JSONField(default=dict, blank=True)  # instead of the game's own (games.engine.Opening)
    packs = models.PositiveIntegerField(null=True, blank=True)  # used up before it, where other games preceded it

    state = models.CharField(max_length=9, choices=State.choices, default=State.QUEUED)
    worker = models.CharField(max_length=100, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(default=timezone.now)
    failures = models.PositiveIntegerField(default=0)  # of the machinery, not of bots
    last_error = models.TextField(blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    # What came of it, for the player `own`.
    points = models.FloatField(null=True)  # with the penalty for processor time, where the game has one
    place = models.PositiveIntegerField(null=True)
    won = models.FloatField(null=True)  # 1 for the only first place, a share for one of several, 0 otherwise
    faults = models.PositiveIntegerField(default=0)
    results = models.JSONField(default=list, blank=True)
    """What came of it for every seat, by the names of the columns of a `MatchSeat`."""

    objects = PracticeGameQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["order", "number"], name="practice_games_have_numbers")]
        indexes = [
            models.Index(fields=["state", "lease_until"], name="practice_by_state_and_lease"),
            models.Index(fields=["team", "state"], name="practice_game_by_team"),
            models.Index(fields=["order", "state"], name="practice_game_by_order"),
        ]

    def __str__(self) -> str:
        return f"{self.order_id}/{self.number}"

    @property
    def index(self) -> int:
        """The place of the player `own` in the record."""
        place: int = self.lineup.index(self.own)
        return place

    @property
    def seat(self) -> int:
        """Where it sits at the table."""
        seating: list[int] = self.opening.get("seating") or list(range(len(self.lineup)))
        return seating.index(self.index)

    def seat_name(self, game: Game) -> str:
        return game.seat_names[self.seat].capitalize()


class PracticeRecord(models.Model):
    """The record of a practice game (docs/record.md), and what the bots of its team wrote to standard error."""

    game = models.OneToOneField(PracticeGame, on_delete=models.CASCADE, related_name="record")
    data = models.BinaryField()  # zstd of the canonical JSON
    sha256 = models.CharField(max_length=64)
    stderr = models.BinaryField(default=b"")  # zstd of JSON: {seat: [[event index, text], …]}, own versions alone
    made_at = models.DateTimeField(default=timezone.now, db_index=True)  # old ones are deleted

    def __str__(self) -> str:
        return f"Record of practice game {self.game_id}"

    @classmethod
    def of(cls, game: PracticeGame, text: str, stderr: dict[int, list[tuple[int, str]]]) -> PracticeRecord:
        """Make an unsaved row from the canonical JSON."""
        said = pack(json.dumps(stderr, ensure_ascii=False)) if stderr else b""
        return cls(game=game, data=pack(text), sha256=hashlib.sha256(text.encode()).hexdigest(), stderr=said)

    def text(self) -> str:
        return unpack(self.data)

    def loaded(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text())
        return found

    def pieces(self) -> dict[int, list[tuple[int, str]]]:
        """What bots wrote, by seat: pairs of the index of an event and the text written at that point."""
        found = json.loads(unpack(self.stderr) or "{}")
        return {int(seat): [(at, text) for at, text in said] for seat, said in found.items()}


class FromHere(models.Model):
    """Where an order begins, and what its version answered there."""

    order = models.OneToOneField(PracticeOrder, on_delete=models.CASCADE, primary_key=True, related_name="from_here")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, related_name="+")
    practice = models.ForeignKey(PracticeGame, on_delete=models.CASCADE, null=True, related_name="+")
    game = models.PositiveIntegerField(default=1)  # of the record, from 1
    ply = models.PositiveIntegerField()  # the position after that event of the game
    where = models.CharField(max_length=80)  # such as `Round 3, trick 5`
    seat = models.PositiveIntegerField()  # who decides there
    plays_out = models.BooleanField(default=False)  # the rest of the game too
    past: Any = models.JSONField()  # by player: decisions and faults before it (games.resume.Past)
    decided = models.PositiveIntegerField(default=0)  # decisions in the games before this one
    decision = models.TextField()  # what was decided in the record, in a sentence
    chosen: Any = models.JSONField()  # the same as an event
    answer: Any = models.JSONField(default=dict, blank=True)
    """Once it is known: `text`, `ms`, `same`, and `differs`: [{name, own, ply, where, text}]."""

    class Meta:
        verbose_name_plural = "from here"
        indexes = [models.Index(fields=["match", "game"], name="from_here_by_game")]

    def __str__(self) -> str:
        return f"{self.order} at {self.where}"

    @property
    def source(self) -> str:
        """The address of the replay."""
        if self.practice is not None:
            order = self.practice.order
            return reverse("practice-game", args=[self.order.contest.slug, order.pk, self.practice.number])
        return reverse("replay", args=[self.match_id, self.game])

    @property
    def href(self) -> str:
        """The position in the replay."""
        return f"{self.source}?ply={self.ply}"
