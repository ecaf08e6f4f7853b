"""The ledger: every fact that changes what somebody may see of a contest, in order, written once.

Only `contest.ledger.write` writes to it. The ledger is in this app, below `tournaments`, because leaving a contest and
coming back are facts too, and teams do that on pages of `contest`.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from contest.models.contests import Contest, Team
from contest.models.people import User


class Kind(models.TextChoices):
    """What happened. The values are part of exports and feeds, so they never change."""

    STAGE_PUBLISHED = "stage_published", "Stage published"
    STAGE_UNPUBLISHED = "stage_unpublished", "Stage unpublished"
    ENTRANTS_SET = "entrants_set", "Entrants set"
    STAGE_STARTED = "stage_started", "Stage started"
    STAGE_PAUSED = "stage_paused", "Stage paused"
    STAGE_RESUMED = "stage_resumed", "Stage resumed"
    STAGE_FINISHED = "stage_finished", "Stage finished"
    STAGE_REOPENED = "stage_reopened", "Stage reopened"
    STAGE_RESET = "stage_reset", "Stage reset"
    STAGE_SHORTENED = "stage_shortened", "Stage shortened"
    STAGE_ABANDONED = "stage_abandoned", "Stage abandoned"
    STAGE_REMOVED = "stage_removed", "Stage removed"
    MATCHES_DRAWN = "matches_drawn", "Matches drawn"
    MATCH_RESULT = "match_result", "Result"
    MATCH_VOIDED = "match_voided", "Match voided"
    MATCH_RESTORED = "match_restored", "Match restored"
    REVIEW_APPLIED = "review_applied", "Review applied"
    TEAM_DISQUALIFIED = "team_disqualified", "Team disqualified"
    TEAM_WITHDRAWN = "team_withdrawn", "Team withdrawn"
    TEAM_REINSTATED = "team_reinstated", "Team reinstated"
    ROUND_STARTED = "round_started", "Round started"
    ROUND_SHOWN = "round_shown", "Pairings of a round shown"
    ROUND_MOVED = "round_moved", "Start of a round moved"
    ROUND_RELEASED = "round_released", "Round released"
    ROUND_TAKEN_BACK = "round_taken_back", "Round hidden again"
    STAGE_RELEASED = "stage_released", "All results of a stage released"
    FREEZE_SET = "freeze_set", "Results frozen"
    FREEZE_LIFTED = "freeze_lifted", "Freeze lifted"


class Audience(models.TextChoices):
    """Who may know of an entry."""

    EVERYONE = "everyone", "Everyone, even during a freeze"
    RESULTS = "results", "Everyone who may see results"
    ORGANISERS = "organisers", "People with a role"


ABOUT_STAGES = (
    *(kind for kind in Kind if kind.name.startswith(("STAGE_", "ROUND_"))),
    Kind.ENTRANTS_SET,
    Kind.MATCHES_DRAWN,
)
ABOUT_MATCHES = tuple(kind for kind in Kind if kind.name.startswith("MATCH_"))
ABOUT_TEAMS = tuple(kind for kind in Kind if kind.name.startswith("TEAM_"))
FEW = tuple(kind for kind in Kind if kind not in (Kind.MATCH_RESULT, Kind.MATCHES_DRAWN))
"""Kinds with few entries per contest, however many matches are played."""


class LedgerEntry(models.Model):
    """One fact. Entries of a contest are numbered from 1 without gaps. The database refuses to change them."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="ledger")
    number = models.PositiveBigIntegerField()
    at = models.DateTimeField(default=timezone.now)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    audience = models.CharField(max_length=10, choices=Audience.choices)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False)
    """None: the portal itself, or an account that has been deleted."""
    reason = models.CharField(max_length=300, blank=True)
    # The subject. It cannot be deleted, except with the whole contest.
    stage = models.ForeignKey(
        "tournaments.Stage", on_delete=models.RESTRICT, null=True, related_name="ledger", db_index=False
    )
    match = models.ForeignKey(
        "tournaments.Match", on_delete=models.RESTRICT, null=True, related_name="ledger", db_index=False
    )
    team = models.ForeignKey(Team, on_delete=models.RESTRICT, null=True, related_name="ledger", db_index=False)
    review = models.ForeignKey(
        "tournaments.Review", on_delete=models.RESTRICT, null=True, related_name="ledger", db_index=False
    )
    round = models.PositiveIntegerField(null=True)
    """Of a release, the last round that is public; of a pause and the like, the unreleased round that led to it; of
    others about rounds, the round."""
    data = models.JSONField(default=dict)  # entrants, matches drawn or replaced, that a plan voided; never a score

    class Meta:
        ordering = ["contest", "number"]
        verbose_name_plural = "ledger entries"
        constraints = [
            models.UniqueConstraint(fields=["contest", "number"], name="ledger_numbers_are_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="ledger_numbers_start_at_1"),
            models.CheckConstraint(
                condition=(
                    (~Q(kind__in=ABOUT_STAGES) | Q(stage__isnull=False))
                    & (~Q(kind__in=ABOUT_MATCHES) | Q(match__isnull=False, stage__isnull=False))
                    & (~Q(kind__in=ABOUT_TEAMS) | Q(team__isnull=False))
                    & (~Q(kind=Kind.REVIEW_APPLIED) | Q(review__isnull=False, stage__isnull=False))
                ),
                name="ledger_entries_have_a_subject",
            ),
        ]
        indexes = [
            models.Index(fields=["match", "number"], condition=Q(match__isnull=False), name="ledger_by_match"),
            models.Index(fields=["contest", "number"], condition=Q(kind__in=FEW), name="ledger_of_few_kinds"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.get_kind_display()}"


class Follower(models.Model):
    """How far a reaction to the ledger has come: everything up to `number` is done (contest/followers.py)."""

    name = models.CharField(max_length=40)
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="followers")
    number = models.PositiveBigIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)  # how often it has failed at the next entry
    passed_over = models.JSONField(default=list, blank=True)  # numbers of entries at which it gave up

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "contest"], name="one_follower_per_name_and_contest")]

    def __str__(self) -> str:
        return f"{self.name} of {self.contest}"
