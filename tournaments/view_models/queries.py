"""What the address of a page asks for, and what several pages ask of what their reader sees."""

from __future__ import annotations

from django.http import HttpRequest

from contest.words import number_in
from tournaments.models import Stage
from tournaments.results.visibility import Sight


def asked_number(request: HttpRequest, name: str) -> int | None:
    """A number of the query such as `?team=12`; None where there is none that could be one."""
    return number_in(request.GET.get(name, ""))


def asked_team(request: HttpRequest) -> int | None:
    """The team that the page is to be about, or to mark."""
    return asked_number(request, "team")


def is_followed(stage: Stage, reader: Sight) -> bool:
    """Does another stage that the reader knows take its teams from this one, or begin after it?"""
    return any(each.source_id == stage.pk for each in reader.stages)
