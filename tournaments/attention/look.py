"""A contest at a moment, and what the parts of the attention list have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from functools import cached_property
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse

from contest.models import Contest, Phase, Team
from contest.workers import Worker
from tournaments.models import Match, Stage
from tournaments.organising.workload import Workload
from tournaments.results.visibility import everything
from tournaments.view_models.timetables import RoundTime, next_to_come

SOON = timedelta(hours=24)


class Level(IntEnum):
    ACT = 1  # something goes wrong unless an organiser acts
    LOOK = 2  # somebody waits for an organiser, or something may go wrong
    KNOW = 3


@dataclass(frozen=True, slots=True)
class Concern:
    """A sentence, a button to the page that helps, and what it is about: texts with addresses."""

    level: Level
    text: str
    url: str = ""
    button: str = ""
    about: tuple[tuple[str, str], ...] = ()

    @property
    def style(self) -> str:
        return {Level.ACT: "bad", Level.LOOK: "warn", Level.KNOW: "info"}[self.level]

    @property
    def word(self) -> str:
        return {Level.ACT: "Act now", Level.LOOK: "Check", Level.KNOW: "Note"}[self.level]


@dataclass(frozen=True, slots=True)
class Date:
    at: datetime
    text: str
    url: str = ""


@dataclass(frozen=True)
class Look:
    """A contest at a moment, with what several parts ask for."""

    contest: Contest
    now: datetime
    load: Workload
    workforce: Sequence[Worker]
    operates: bool = True
    """Whether the reader also operates the portal, and not only this contest."""

    def url(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.contest.slug, *args])

    @property
    def ended(self) -> bool:
        return self.contest.phase(self.now) == Phase.ENDED

    @cached_property
    def stages(self) -> list[Any]:
        """Stages, with `open_matches`: how many are queued or being played."""
        is_open = Q(matches__state__in=(Match.State.QUEUED, Match.State.RUNNING), matches__pending=False)
        found = self.contest.stages.select_related("source", "rehearsal")
        stages: list[Any] = list(found.annotate(open_matches=Count("matches", filter=is_open)).order_by("pk"))
        for stage in stages:
            stage.contest = self.contest
            if stage.source:
                stage.source.contest = self.contest
        return stages

    @cached_property
    def coming(self) -> dict[int, RoundTime]:
        """By stage in progress: its next round, if something is arranged for it."""
        sight = everything(self.contest)
        return {stage.pk: found for stage in self.stages if (found := next_to_come(stage, sight))}

    def starts_soon(self, stage: Stage) -> bool:
        """True as well if it should have started already."""
        return stage.starts_at is not None and stage.starts_at - self.now < SOON

    @cached_property
    def deadline(self) -> datetime | None:
        """When teams must have a bot: when uploads close, or at the first scheduled start if that is earlier."""
        starts = [it.starts_at for it in self.stages if it.starts_at and it.can_be_edited]
        coming = [at for at in (self.contest.upload_deadline, *starts) if at > self.now]
        return min(coming, default=None)


def linked(look: Look, teams: Sequence[Team]) -> tuple[tuple[str, str], ...]:
    return tuple((team.name, look.url("desk-team", team.pk)) for team in teams)
