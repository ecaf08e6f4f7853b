"""How the rating of a team has changed, as far as a reader may know."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from tournaments.models import MatchSeat
from tournaments.results.ratings import LINK
from tournaments.results.visibility import Sight


class Rated(NamedTuple):
    """A match with the rating before and after it."""

    match: int
    stage: int
    version: int | None
    finished_at: datetime | None
    place: int | None
    mu_before: float
    sigma_before: float
    mu_after: float
    sigma_after: float


def history_of(reader: Sight, played: QuerySet[MatchSeat]) -> list[Rated]:
    """The rated ones of these seats of a team, in the order of results. One query."""
    rated, links = played.order_by("match__resulted"), reader.then.links
    if (until := reader.rated_until) is not None:
        rated = rated.filter(match__resulted__lt=until)
    columns = ("match_id", "match__stage_id", "submission__number", "match__finished_at", "place")
    found: Iterable[Any] = rated.values_list("pk", *columns, *LINK)
    rows = []
    for seat, *told, mu_before, sigma_before, mu_after, sigma_after in found:
        link: tuple[Any, ...] = mu_before, sigma_before, mu_after, sigma_after
        if seat in links:
            link = tuple(getattr(links[seat], name) for name in LINK)
        if link[2] is not None:
            rows.append(Rated(*told, *link))
    return rows
