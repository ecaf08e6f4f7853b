"""What the number of a rating means, for people."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine import Game
from tournaments.results import ratings


@dataclass(frozen=True, slots=True)
class RatingWords:
    title: str
    start: float  # what everybody begins with
    difference: str  # what one means
    digits: int  # behind the point, that are worth showing


def words_of(game: Game) -> RatingWords:
    system = ratings.system(game)
    if system.start.mu > 1000:  # Elo: 1 / (1 + 10^(-200/400)) = 0.76
        difference = "Who has 200 more than another can expect to win about three of four matches."
        return RatingWords(system.title, system.start.mu, difference, 0)
    # OpenSkill: e^(8/c) = 2.6 with c² = the sum of σ² + β² over four players whose ratings are settled
    difference = "Who has 8 more than another can expect the better place in about three of four matches."
    return RatingWords(system.title, system.start.mu, difference, 1)
