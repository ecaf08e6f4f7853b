"""A review for organisers: old and new results side by side, and what applying them would change."""

from __future__ import annotations

from typing import Any

from tournaments.models import Match, Review, Stage
from tournaments.organising import impact, reviews


def review_seen(review: Review) -> dict[str, Any]:
    """Its pairs of matches; `fallen`: those whose old match became void meanwhile; `live`: those that wait for teams'
    own programs; `impact`: of applying it, once all are played."""
    pairs = reviews.pairs_of(review)
    is_open = review.state == Review.State.OPEN
    waiting = [pair for pair in pairs if pair.new.state in (Match.State.QUEUED, Match.State.RUNNING)]
    is_ready = is_open and not waiting
    return {
        "pairs": pairs,
        "changed": [pair for pair in pairs if pair.is_changed],
        "fallen": [pair for pair in pairs if is_open and not pair.stands],
        "live": [pair for pair in waiting if pair.new.live],
        "played": sum(pair.is_played for pair in pairs),
        "is_open": is_open,
        "is_ready": is_ready,
        "impact": impact.of_review(review, pairs) if is_ready else None,
    }


def other_rules(stage: Stage) -> list[tuple[str, object, object]]:
    """Game options that have changed since the latest match: name, value then, value now."""
    then = stage.matches.done().order_by("-resulted").values_list("options", flat=True).first()
    now = stage.contest.full_options()
    return [(name, then.get(name), value) for name, value in now.items() if then.get(name) != value] if then else []
