"""What pages of other apps may show of the tournaments."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils import timezone

from contest.models import Contest
from tournaments.workload import workload

register = template.Library()


@register.simple_tag
def stage_overview(contest: Contest) -> dict[str, Any]:
    """For the desk's first page: the stages, and what is played and waits."""
    load = workload(contest, timezone.now())
    return {"stages": contest.stages.all(), "load": load, "waiting": load.queued.count()}
