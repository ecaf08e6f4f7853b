"""What the address of a page asks for, and what several pages ask of what their reader sees."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpRequest

from contest.words import number_in
from tournaments.models import Match, MatchSeat, Stage
from tournaments.results.visibility import Sight

BY_PLACE = MatchSeat.objects.select_related("team").order_by("place", "index")
"""The seats of a match for a list of matches."""


def asked_number(request: HttpRequest, name: str) -> int | None:
    """A number of the query such as `?team=12`; None where there is none that could be one."""
    return number_in(request.GET.get(name, ""))


def asked_team(request: HttpRequest) -> int | None:
    """The team that the page is to be about, or to mark."""
    return asked_number(request, "team")


def is_followed(stage: Stage, reader: Sight) -> bool:
    """Does another stage that the reader knows take its teams from this one, or begin after it?"""
    return any(each.source_id == stage.pk for each in reader.stages)


def at_the_table(match: Match, found: QuerySet[Match]) -> QuerySet[Match]:
    """The others at the table of a match."""
    return found.filter(table=match.table_id).exclude(pk=match.pk).order_by("number", "id")
