"""What stands out among many contests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from contest.formatting import nth
from tournaments.view_models.careers import Career


@dataclass(frozen=True, slots=True)
class Summary:
    """`trophies`: (place in words, contest, career), the best first."""

    contests: int
    matches: int
    won: int
    languages: Sequence[str]
    trophies: Sequence[tuple[str, str, Career]]
    pending: int  # contests of which nothing is known yet

    @property
    def sentence(self) -> str:
        contests = f"{self.contests} contest{'s' if self.contests != 1 else ''}"
        return f"{contests}, {self.matches:,} match{'es' if self.matches != 1 else ''}, {self.won:,} won"


def summary_of(found: Sequence[Career]) -> Summary:
    known = [each.figures for each in found if each.figures is not None]
    best = sorted((each for each in found if each.has_trophy), key=_rank)
    return Summary(
        len(found),
        sum(each.matches for each in known),
        sum(each.won for each in known),
        sorted({name for each in found for name in each.languages}),
        [(place_of(each), each.contest.name, each) for each in best],
        len(found) - len(known),
    )


def _rank(career: Career) -> tuple[int, int, float]:
    figures = career.figures
    assert figures is not None
    return (not figures.is_champion, figures.place or 0, -career.contest.opens_at.timestamp())


def place_of(career: Career) -> str:
    """The place in words: "Champion", "2nd of 16", "shared 3rd of 8"; blank if there is none."""
    figures = career.figures
    if figures is None or figures.place is None:
        return ""
    if figures.is_champion:
        return "Champion"
    return f"{'shared ' if figures.is_shared else ''}{nth(figures.place)} of {figures.of}"
