"""Ratings explained in words."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine import Game
from tournaments.results import ratings


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
