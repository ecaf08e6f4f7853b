"""What is public of each stage, for organisers."""

from __future__ import annotations

from dataclasses import dataclass

from contest.models import Contest
from tournaments.models import Match, Stage
from tournaments.organising import releases
from tournaments.results import visibility


@dataclass(frozen=True, slots=True)
class StageResults:
    """A stage with what is public of it. `released`: how many rounds, in words."""

    stage: Stage
    released: str
    rounds: int
    next_round: int | None
    results: int
    shown: int


def of_stages(contest: Contest) -> list[StageResults]:
    """All stages except drafts."""
    public = visibility.public(contest).matches()
    rows = []
    for stage in contest.stages.exclude(state=Stage.State.DRAFT):
        done = Match.objects.done().filter(stage=stage)
        results, shown = done.count(), done.filter(pk__in=public.values("pk")).count()
        rounds = releases.rounds_of(stage)
        rows.append(StageResults(stage, _released(stage, rounds), rounds, releases.next_round(stage), results, shown))
    return rows


def _released(stage: Stage, rounds: int) -> str:
    if stage.release != Stage.Release.ROUNDS:
        return ""
    if not stage.released:
        return "no round is released yet"
    return f"released up to round {stage.released}{f' of {rounds}' if rounds else ''}"
