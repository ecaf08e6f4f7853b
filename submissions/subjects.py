"""Clients that wait until something happens to versions (contest/waiting.py)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db.models import Count, Max, Q

from submissions import turns
from submissions.models import Submission, revision_of


def read_versions(keys: Collection[int]) -> Mapping[int, str]:
    """By the primary keys of versions."""
    found = list(Submission.objects.filter(pk__in=keys).without_source().with_games_played())
    turns.mark(found)
    return {version.pk: revision_of([version]) for version in found}


def read_bots(keys: Collection[int]) -> Mapping[int, str]:
    """By the primary keys of teams. A version that is neither active nor in progress does not change by itself."""
    counts = Submission.objects.filter(team__in=keys).order_by().values("team")
    newest = {row["team"]: (row["count"], row["last"]) for row in counts.annotate(count=Count("pk"), last=Max("pk"))}
    moving: defaultdict[int, list[Submission]] = defaultdict(list)
    changing = Q(is_active=True) | Q(state__in=Submission.IN_PROGRESS)
    found = list(Submission.objects.filter(changing, team__in=keys).without_source().with_games_played())
    turns.mark(found)
    for version in found:
        moving[version.team_id].append(version)
    return {key: revision_of(moving[key], newest.get(key)) for key in keys}


READ = {"version": read_versions, "bot": read_bots}
