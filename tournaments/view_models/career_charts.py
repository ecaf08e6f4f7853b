"""How ratings have changed, contest by contest, as drawings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from contest.charts import LineChart
from tournaments.view_models.careers import Career
from tournaments.view_models.rating_words import words_of

MOST = 4


@dataclass(frozen=True, slots=True)
class RatedCareer:
    career: Career
    chart: LineChart


def charts_of(found: Sequence[Career]) -> list[RatedCareer]:
    """Of the first of these that have a history."""
    drawn = [RatedCareer(each, chart) for each in found if (chart := _chart(each)) is not None]
    return drawn[:MOST]


def _chart(career: Career) -> LineChart | None:
    figures = career.figures
    if figures is None or len(figures.history) < 2:
        return None
    words = words_of(career.contest.game)
    points = figures.history
    first, last = (f"{rating:,.{words.digits}f}" for _, rating, _ in (points[0], points[-1]))
    step = max(1, figures.rated // max(1, len(points) - 1))
    ticks = [str(min(figures.rated, 1 + index * step)) for index in range(len(points))]
    return LineChart(
        title=f"{words.title} rating in {career.contest.name}",
        description=f"From {first} after the first of {figures.rated} matches to {last} after the last.",
        lines=[
            ("rating", [rating for _, rating, _ in points]),
            ("at most", [rating + 2 * deviation for _, rating, deviation in points]),
            ("at least", [rating - 2 * deviation for _, rating, deviation in points]),
        ],
        ticks=ticks,
        links=[reverse("match", args=[match]) for match, _, _ in points],
        keys=list(range(len(points))),
        unit="match",
        from_zero=False,
    )
