"""How ratings follow from places: Elo for games of two, OpenSkill for others. Pure functions, no database.

Both know how sure they are of a team: mean and standard deviation. A team that comes with another program than the one
it played last keeps its rating and is less sure of it (`System.widened`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import hypot, log, pi, sqrt
from typing import NamedTuple

from openskill.models import PlackettLuce

from games.engine import Game

MODEL = PlackettLuce()


class Skill(NamedTuple):
    """What is believed of a team: mean and standard deviation."""

    mu: float
    sigma: float


# The two systems ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class System:
    """How ratings follow from places. `rate`: everybody's skill after a match of at least two, from the skills before
    it and the places (1 is best, equal places tie). Pure."""

    title: str
    start: Skill
    rate: Callable[[Sequence[Skill], Sequence[int]], list[Skill]]

    def widened(self, skill: Skill) -> Skill:
        """Of a team that comes with another program: by a third of the first deviation, to half of that at most."""
        most = max(skill.sigma, self.start.sigma / 2)
        return Skill(skill.mu, min(hypot(skill.sigma, self.start.sigma / 3), most))


SETTLED = 6  # matches after which a rating is no longer provisional


def standing(skill: Skill, matches: int) -> tuple[bool, float]:
    """What the order of standings goes by, more is better: the rating, as chess clubs do it; while it is provisional,
    after all others by its lower end, so that one lucky match does not lead the table.

    By the number of matches and not by the deviation: who wins all the time against weak ones stays unsure for long.
    """
    if matches < SETTLED:
        return False, skill.mu - 2 * skill.sigma
    return True, skill.mu


def openskill(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Plackett-Luce as the openskill package has it."""
    before = [[MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    after = MODEL.rate(before, ranks=[float(place) for place in places])
    return [Skill(rating.mu, rating.sigma) for (rating,) in after]


SCALE = 400.0  # points of difference at which the better one is expected to win ten of eleven
SUREST = 30.0  # no deviation becomes smaller: bots change, and so does the company
_Q = log(10) / SCALE


def elo(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Elo for two, with a deviation and with steps that follow it: Mark Glickman, "The Glicko system" (1995), formulas
    1 and 2, every match a rating period of its own.

    E = 1 / (1 + 10^(-g(s')·(r - r') / 400)) is the share expected against the other, whose own uncertainty s' makes the
    result tell less: g(s) = 1 / sqrt(1 + 3·q²·s²/π²), q = ln 10 / 400. With d² = 1 / (q²·g²·E·(1-E)) and a score S of
    1, ½ or 0, the rating becomes r + q / (1/s² + 1/d²) · g · (S - E), the deviation sqrt(1 / (1/s² + 1/d²)), but never
    less than 30. A deviation of 75 gives about the step of 32 that chess clubs know.
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


OPENSKILL = System("OpenSkill", Skill(MODEL.mu, MODEL.sigma), openskill)
ELO = System("Elo", Skill(1500.0, 350.0), elo)


def system(game: Game) -> System:
    """That of all contests in this game."""
    return ELO if game.seats[1] == 2 else OPENSKILL
