"""What pages of other apps may show of the tournaments."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils import timezone

from contest.models import Contest
from contest.templatetags.contest_tags import in_words
from tournaments.models import Stage
from tournaments.workload import workload

register = template.Library()
register.filter("duration", in_words)


@register.simple_tag
def stage_overview(contest: Contest) -> dict[str, Any]:
    """For the desk's first page: the stages, and what is played and waits."""
    load = workload(contest, timezone.now())
    return {"stages": contest.stages.all(), "load": load, "waiting": load.queued.count()}


@register.simple_tag
def published_stages(contest: Contest) -> list[Stage]:
    """The stages that everybody may see."""
    return [stage for stage in contest.stages.all() if stage.state != Stage.State.DRAFT]
