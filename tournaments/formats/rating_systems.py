"""How places turn into ratings: Elo for games for two, OpenSkill for others. Pure functions, no database.

Both systems keep a mean and a standard deviation for each team. A team that brings another program than the one it
played last keeps its rating, but the deviation grows (`System.widened`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, hypot, log, pi, sqrt
from typing import NamedTuple

from games.engine import Game


class Skill(NamedTuple):
    """The estimate of a team's strength: mean and standard deviation."""

    mu: float
    sigma: float


# The two systems ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class System:
    """A rating system. `rate` returns everybody's skill after a match, from the skills before it and the places (1 is
    best, equal places tie). A match has at least two players. Pure."""

    title: str
    start: Skill
    rate: Callable[[Sequence[Skill], Sequence[int]], list[Skill]]

    def widened(self, skill: Skill) -> Skill:
        """The skill of a team with another program: its deviation grows by a third of the initial one, up to half."""
        most = max(skill.sigma, self.start.sigma / 2)
        return Skill(skill.mu, min(hypot(skill.sigma, self.start.sigma / 3), most))


SETTLED = 6  # matches after which a rating is no longer provisional


def rating_order(skill: Skill, matches: int) -> tuple[bool, float]:
    """The sort key of the standings, higher is better: the rating, as in chess clubs. Provisional ratings come after
    all others, by their lower bound, so that one lucky match does not lead the table.

    A rating is provisional by the number of matches, not by its deviation: a team that keeps beating weak opponents
    stays uncertain for long.
    """
    if matches < SETTLED:
        return False, skill.mu - 2 * skill.sigma
    return True, skill.mu


BETA, TAU, KAPPA = 25 / 6, 25 / 300, 0.0001  # chance in a match; growth of each deviation; how little may be left of it
CHANCE = 2 * BETA**2


def openskill(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Bradley-Terry with full pairing: Weng and Lin, "A Bayesian Approximation Method for Online Ranking" (2011),
    algorithm 1, to the bit as BradleyTerryFull of the package openskill 6.2 computes it. With its Plackett-Luce, two
    teams that share the first place of four end below the third."""
    mus = [skill.mu for skill in skills]
    sigmas = [sqrt(skill.sigma * skill.sigma + TAU * TAU) for skill in skills]
    variances = [sigma**2 for sigma in sigmas]
    order = sorted(range(len(skills)), key=places.__getitem__)  # sums of floats depend on it
    after = list(skills)
    for one in order:
        mu, sigma, variance, place = mus[one], sigmas[one], variances[one], places[one]
        omega = delta = 0.0
        for other in order:
            if other != one:
                c = sqrt(variance + variances[other] + CHANCE)
                expected = 1 / (1 + exp((mus[other] - mu) / c))
                score = 0.5 if place == places[other] else float(place < places[other])
                share = variance / c
                omega += share * (score - expected)
                delta += sigma / c * share / c * expected * (1 - expected)
        after[one] = Skill(mu + omega, sigma * sqrt(max(1 - delta, KAPPA)))
    return after


SCALE = 400.0  # with this difference in points the stronger team is expected to win ten of eleven
SUREST = 30.0  # the smallest deviation: bots change, and so do their opponents
_Q = log(10) / SCALE


def elo(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Elo for two players, with a deviation that sets the step: Mark Glickman, "The Glicko system" (1995), formulas 1
    and 2, with every match as a rating period of its own.

    E = 1 / (1 + 10^(-g(s')·(r - r') / 400)) is the expected score. The opponent's deviation s' reduces the weight of
    the result: g(s) = 1 / sqrt(1 + 3·q²·s²/π²), q = ln 10 / 400. With d² = 1 / (q²·g²·E·(1-E)) and a score S of 1, ½
    or 0, the rating becomes r + q / (1/s² + 1/d²) · g · (S - E), and the deviation sqrt(1 / (1/s² + 1/d²)), but at
    least 30. A deviation of 75 gives steps of about 32 points, the usual K in chess.
    """
    one, other = skills
    score = 0.5 if places[0] == places[1] else float(places[0] < places[1])
    return [_moved(one, other, score), _moved(other, one, 1.0 - score)]


def _moved(mine: Skill, other: Skill, score: float) -> Skill:
    g = 1 / sqrt(1 + 3 * (_Q * other.sigma / pi) ** 2)
    expected = 1 / (1 + 10 ** (g * (other.mu - mine.mu) / SCALE))
    told = (_Q * g) ** 2 * expected * (1 - expected)
    variance = 1 / (1 / mine.sigma**2 + told)
    return Skill(mine.mu + _Q * variance * g * (score - expected), max(SUREST, sqrt(variance)))


OPENSKILL = System("OpenSkill", Skill(25.0, 25 / 3), openskill)
ELO = System("Elo", Skill(1500.0, 350.0), elo)


def system(game: Game) -> System:
    """The rating system for contests in this game."""
    return ELO if game.seats[1] == 2 else OPENSKILL
