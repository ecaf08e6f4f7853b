"""Times that do not fit together: ladders that do not end when uploads close, which usually means that one of the two
was moved and the other forgotten; and stages that start while a team may still upload."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from contest.formatting import duration
from contest.models import Contest, Phase, Team
from games.phrases import listed
from tournaments import kinds
from tournaments.models import Stage

CLOSE = timedelta(minutes=1)  # the precision of forms


def apart(contest: Contest, stages: Iterable[Stage], now: datetime) -> Iterator[tuple[Stage, str]]:
    """Yield these ladders, each with a sentence, while both times can still change. `stages`: all of the contest.

    A ladder that no stage follows may end at any time, and one that starts after uploads close is meant to.
    """
    stages, closing = list(stages), contest.upload_deadline
    if closing <= now or contest.phase(now) == Phase.ENDED:
        return
    followers = {stage.source_id: stage for stage in reversed(stages) if stage.is_led or stage.starts_after}
    for stage in stages:
        begins, ends = stage.started_at or stage.starts_at, stage.ends_at
        if ends is None or ends <= now or stage.has_ended:
            continue
        follower, distance = followers.get(stage.pk), duration(ends - closing)
        if ends <= closing - CLOSE and follower is not None:
            yield (
                stage,
                f"“{stage}” ends {distance} before uploads close, and “{follower}” depends on it. Check that you want "
                "this gap.",
            )
        elif ends >= closing + CLOSE and (begins is None or begins < closing):
            yield (
                stage,
                f"“{stage}” ends {distance} after uploads close, when teams can no longer upload a bot. Check that you "
                "want this gap.",
            )


def too_early_for(stage: Stage, now: datetime) -> str:
    """A warning if a stage that has not started would start before some teams have to have their bots. Blank: no."""
    starts = stage.due_at
    waits = stage.can_be_edited and kinds.of(stage).expects_bots
    if starts is None or not waits or starts < stage.contest.upload_deadline:
        return ""
    until = Q(uploads_until__gt=max(starts, now))
    late = Team.objects.competing().filter(until, contest=stage.contest_id).order_by("uploads_until")
    names = [
        f"“{team}” (until {timezone.localtime(team.uploads_until):%a %d %b, %H:%M %Z})"
        for team in late
        if not stage.order or team.pk in stage.order
    ]
    return f"“{stage}” would start while teams may still upload: {listed(names)}." if names else ""
