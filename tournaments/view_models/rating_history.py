"""How the rating of a team has changed, as far as a reader may know."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

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


def history_of(reader: Sight, team: int) -> list[Rated]:
    """The rated matches of a team, in the order of results. One query, which costs as much as the team has played."""
    rated, links = reader.done().filter(seats__team=team).order_by("resulted"), reader.then.links
    if (until := reader.rated_until) is not None:
        rated = rated.filter(resulted__lt=until)
    own = (f"seats__{name}" for name in ("place", *LINK))
    found: Iterable[Any] = rated.values_list("seats", "pk", "stage", "seats__submission__number", "finished_at", *own)
    rows = []
    for seat, *told, mu_before, sigma_before, mu_after, sigma_after in found:
        link: tuple[Any, ...] = mu_before, sigma_before, mu_after, sigma_after
        if seat in links:
            link = tuple(getattr(links[seat], name) for name in LINK)
        if link[2] is not None:
            rows.append(Rated(*told, *link))
    return rows
