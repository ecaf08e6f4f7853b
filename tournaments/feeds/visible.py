"""What can be followed, as far as a reader may see it."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from contest.models import Contest, Team
from contest.permissions import access
from tournaments.feeds import reading


def must_be_visible(request: HttpRequest, field: str, pk: int) -> None:
    """Raises Http404. `field`: contest or team."""
    team = get_object_or_404(Team.objects.select_related("contest"), pk=pk) if field == "team" else None
    contest = team.contest if team else get_object_or_404(Contest, pk=pk)
    if not access(request, contest).sees or (team is not None and team.state in reading.HIDDEN):
        raise Http404("no such page")
