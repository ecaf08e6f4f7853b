"""What needs an organiser, the most urgent first, with a link to the page that helps; and the dates ahead.

The number of queries does not depend on the number of teams.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.conf import settings
from django.db.models import Count, Q
from django.utils import timezone

from contest import workers
from contest.models import Contest, Question, Team
from games.phrases import counted
from tournaments import kinds
from tournaments.attention.breakdowns import builds, machinery, matches
from tournaments.attention.contests import (
    admissions,
    bots,
    connections,
    endings,
    grids,
    openings,
    questions,
    returns,
    webhooks,
)
from tournaments.attention.look import Concern, Date, Level, Look
from tournaments.attention.stages import check_ins, courses, ladders, pauses, rounds, starts, trials
from tournaments.casual import server
from tournaments.models import Match, Stage
from tournaments.organising.workload import workload

__all__ = ["PARTS", "Concern", "Date", "Level", "Look", "Part", "concerns", "dates", "pauses", "starts"]

Part = Callable[[Look], Iterator[Concern]]

PARTS: tuple[Part, ...] = (
    machinery, starts, rounds, check_ins, matches, courses, ladders, questions, admissions, returns, trials, bots,
    grids, connections, builds, webhooks, openings, endings,
)  # fmt: skip


def concerns(look: Look) -> list[Concern]:
    """The most urgent first."""
    return sorted((found for part in PARTS for found in part(look)), key=lambda it: it.level)


def dates(look: Look) -> list[Date]:
    """The dates ahead, the next one first; none once the contest has ended."""
    contest = look.contest
    if contest.ended_at:
        return []
    settings = look.url("desk-settings")
    found = [Date(contest.opens_at, "Entry opens", settings)]
    if not contest.endless:
        found.append(Date(contest.entry_deadline, "Entry closes", settings))
        found.append(Date(contest.upload_deadline, "Uploads close", settings))
    if contest.frozen_from:
        found.append(Date(contest.frozen_from, "Results freeze", look.url("desk-visibility")))
    for stage in look.stages:
        page = look.url("desk-stage", stage.pk)
        if stage.starts_at and stage.can_be_edited and not stage.is_held:
            found.append(Date(stage.starts_at, f"{stage} starts", page))
        if (coming := look.coming.get(stage.pk)) and coming.starts_at and not coming.row.hold:
            found.append(Date(coming.starts_at, f"{coming.name} of {stage} starts", page))
        if stage.check_in_closes_at and stage.can_be_edited:
            found.append(Date(stage.check_in_closes_at, f"Check-in for {stage} closes", look.url("desk-check-in")))
        if stage.ends_at and not stage.has_ended:
            found.append(Date(stage.ends_at, f"{stage} ends", page))
    return sorted((date for date in found if date.at > look.now), key=lambda date: date.at)


def needs(contests: Sequence[Contest]) -> dict[int, str]:
    """What waits for the organisers of these contests, in words, by contest. In four queries; the desk says more."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    for waiting, what in (
        (Question.objects.waiting(), "question"),
        (Team.objects.filter(state=Team.State.PENDING), "new team"),
        (Stage.objects.filter(state=Stage.State.PAUSED), "paused stage"),
        (Match.objects.stopped(), "failed match"),
    ):
        here = waiting.filter(contest__in=contests).order_by()
        for contest, count in here.values_list("contest").annotate(Count("pk")):
            found[contest].append(counted(count, what))
    return {contest: ", ".join(words) for contest, words in found.items()}


def overview_of(contest: Contest, *, operates: bool) -> dict[str, Any]:
    """In a constant number of queries. What only the portal's operators can mend is told to them alone."""
    now = timezone.now()
    load = workload(contest, now)
    look = Look(contest, now, load, workers.known(), operates)
    waiting = load.queued.count()
    competing = Count("pk", filter=Q(state=Team.State.APPROVED))
    unseeded = Count("pk", filter=Q(state=Team.State.APPROVED, seed__isnull=True))
    return {
        "contest": contest,
        "now": now,
        "load": load,
        "waiting": waiting,
        "left": load.left(waiting),
        "concerns": concerns(look),
        "dates": dates(look),
        "stages": look.stages,
        "workforce": look.workforce if operates else None,
        "tables": server.server() if settings.CASUAL_GAMES else None,
        "teams": contest.teams.aggregate(competing=competing, unseeded=unseeded),
        "by_number": any(stage.can_be_edited and kinds.of(stage).goes_by_numbers(stage) for stage in look.stages),
        "acts": contest.acts.select_related("user")[:8],
    }
