"""Query parameters of pages, and questions that several pages ask about their stage."""

from __future__ import annotations

from django.db.models import F, Prefetch, QuerySet
from django.http import HttpRequest

from contest.words import number_in
from tournaments.models import Match, MatchSeat, Stage
from tournaments.models.matches import MatchQuerySet
from tournaments.results.visibility import Sight

BY_PLACE = MatchSeat.objects.annotate(team_name=F("team__name")).order_by("place", "index")
"""The seats of a match, for a list of matches. With the rows of their teams, they would take twice as long."""


def with_players(matches: MatchQuerySet) -> MatchQuerySet:
    """The matches with what a line of a list shows (_match_table.html), apart from their stages."""
    lines = matches.select_related("table").prefetch_related(Prefetch("seats", BY_PLACE, to_attr="by_place"))  # type: ignore[no-redef]
    to_play = ("openings", "options", "limits", "worker", "lease_until", "due_at", "failures", "last_error")
    lines = lines.annotate(recorded=F("record"))
    return lines.defer(*to_play, "priority", "why", "created_at", "table__feeds", "table__places")


def asked_number(request: HttpRequest, name: str) -> int | None:
    """A number from the query, such as `?team=12`. None if it is missing or not a number."""
    return number_in(request.GET.get(name, ""))


def poll_address(stage: Stage, reader: Sight, query: str) -> str:
    """The address that the live part of a stage's page polls, keeping what the reader has chosen (`query`)."""
    return f"{stage.get_absolute_url()}?rev={reader.revision}{'&' if query else ''}{query}"


def at_the_table(match: Match, found: QuerySet[Match]) -> QuerySet[Match]:
    """The other matches at the table of a match."""
    return found.filter(table=match.table_id).exclude(pk=match.pk).order_by("number", "id")
