"""Ratings explained in words, and how the rating of a team has changed, as far as a reader may know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from games.engine import Game
from tournaments.results import ratings
from tournaments.results.ratings import LINK
from tournaments.results.visibility import Sight


@dataclass(frozen=True, slots=True)
class RatingWords:
    title: str
    start: float  # the rating of every new team
    difference: str  # a sentence: what a difference between two ratings means
    digits: int  # decimals worth showing


def words_of(game: Game) -> RatingWords:
    system = ratings.system(game)
    if system.start.mu > 1000:  # Elo: 1 / (1 + 10^(-200/400)) = 0.76
        difference = "A team rated 200 points higher wins about three matches in four."
        return RatingWords(system.title, system.start.mu, difference, 0)
    # OpenSkill: e^(8/c) = 2.6 with c² = the sum of σ² + β² over four players whose ratings are settled
    difference = "A team rated 8 points higher finishes ahead in about three matches of four."
    return RatingWords(system.title, system.start.mu, difference, 1)


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
