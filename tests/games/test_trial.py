"""The sequential test: what it decides, how often it is wrong, and that one may look at it at any time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import log, log1p, sqrt
from random import Random
from statistics import fmean

import pytest

from games.trial import ALIKE, DIFFERING, FEWEST, Decision, Design, Step, Trial, steps

DESIGN = Design(0.0, 0.5, 400, 5.0)

Draw = Callable[[Random], float]


def normal(mean: float) -> Draw:
    return lambda random: random.gauss(mean, 1.0)


def moonshots(random: Random) -> float:
    """As in Hearts: small differences, and once in a while somebody shoots the moon."""
    return random.gauss(0, 0.5) + (random.choice((-4.0, 4.0)) if random.random() < 0.05 else 0.0)


def rare(random: Random) -> float:
    return random.choice((-1.0, 1.0)) if random.random() < 0.2 else 0.0


def simulated(draw: Draw, count: int = 1000, design: Design = DESIGN, seed: int = 8) -> list[Step]:
    """The last steps of that many trials."""
    random = Random(seed)
    return [list(steps(design, iter(lambda: draw(random), None)))[-1] for _ in range(count)]


def share(decision: Decision, last: list[Step]) -> float:
    return fmean(step.decision is decision for step in last)


@pytest.mark.parametrize("draw", [normal(0.0), moonshots, rare])
def test_of_1000_trials_of_equal_versions_at_most_6_percent_are_declared_better(draw: Draw) -> None:
    assert share(Decision.BETTER, simulated(draw)) <= 0.06


def lopsided(losses: float, loss: float) -> Draw:
    """Small gains, and rare losses that cancel them: on average, no version is better."""
    gain = loss * losses / (1 - losses)
    return lambda random: -loss if random.random() < losses else gain


@pytest.mark.long("more")
@pytest.mark.parametrize("losses", [0.05, 0.1])
def test_that_holds_where_a_version_gains_little_in_most_pairs_and_loses_much_in_a_few(losses: float) -> None:
    draw, deviation = lopsided(losses, DESIGN.reach), DESIGN.reach * sqrt(losses / (1 - losses))
    last = simulated(draw, 400, replace(DESIGN, high=deviation / 4))
    assert share(Decision.BETTER, last) <= 0.08, "more than 5 % and three standard errors"


def test_a_better_version_is_found() -> None:
    last = simulated(normal(0.5))
    assert share(Decision.BETTER, last) >= 0.94
    assert fmean(step.pairs for step in last) < 44  # a fixed number of pairs with these errors: 44


@pytest.mark.long("more")
@pytest.mark.parametrize("mean", [0.0, 0.25, 0.5])
def test_the_interval_holds_although_the_trial_stops_early(mean: float) -> None:
    last = [step for step in simulated(normal(mean), design=Design(0.0, 0.5, 150, 5.0)) if step.lower is not None]
    assert len(last) == 1000
    assert fmean(step.lower > mean for step in last if step.lower is not None) <= 0.06
    assert fmean(step.upper < mean for step in last if step.upper is not None) <= 0.06


def test_the_decision_is_the_interval_leaving_a_bound() -> None:
    random = Random(3)
    for _ in range(200):
        design = Design(*sorted((random.uniform(-2, 2), random.uniform(-2, 2))), cap=100, reach=5.0)
        mean, deviation = random.uniform(-2, 2), random.uniform(0.1, 3)
        for step in steps(design, (random.gauss(mean, deviation) for _ in range(100))):
            if step.lower is None or step.upper is None:
                assert step.ratio == 0
                continue
            assert (step.ratio >= design.limit) == (step.is_held or step.decision is Decision.BETTER)
            if step.is_held:
                assert step.lower == pytest.approx(design.low) or step.lower < design.low
            else:
                assert (step.lower >= design.low) == (step.decision is Decision.BETTER)
            assert (step.upper <= design.high) == (step.ratio <= -design.limit)


def test_the_ratio_by_its_definition() -> None:
    """The formula of docs/trials.md, computed from the whole list."""
    random = Random(4)
    differences = [random.gauss(0.2, 1) for _ in range(60)]
    for step in steps(Design(-0.1, 0.3, 60, 5.0), differences):
        seen = differences[: step.pairs]
        assert step.mean == pytest.approx(fmean(seen))
        if step.pairs < FEWEST:
            assert step.lower is None
            continue
        squares = sum((each - fmean(seen)) ** 2 for each in seen) + max((each - 0.1) ** 2 for each in seen)
        variance = squares / (step.pairs - 3)
        assert step.ratio == pytest.approx(sum(0.4 * (each - 0.1) for each in seen) / variance)
        assert step.upper == pytest.approx(fmean(seen) + 0.2 + log(20) * variance / (step.pairs * 0.4))


def test_the_bets_by_their_definition() -> None:
    """Those of docs/trials.md: the stake knows earlier pairs alone, and no loss counts for more than the reach."""
    random = Random(9)
    differences = [random.choice((0.6, 0.6, 0.6, -2.0)) for _ in range(300)]
    design, capital, best = Design(-0.1, 0.3, 300, 1.5), 0.0, 0.0
    trial = Trial(design)
    for number, difference in enumerate(differences):
        earlier = [max(each + 0.1, -1.5) for each in differences[:number]]
        stake = min(0.9 / 1.5, 0.4 * (number + 1) / (1.5**2 / 4 + sum(each**2 for each in earlier)))
        capital += log1p(stake * max(difference + 0.1, -1.5))
        best = max(best, capital)
        step = trial.add(difference)
        assert step.is_held == (step.ratio >= design.limit and best < log(20))


def test_versions_that_never_differ_stop_with_no_difference() -> None:
    last = list(steps(DESIGN, [0.0] * 1000))[-1]
    assert (last.decision, last.pairs, last.ratio, last.lower) == (Decision.NO_DIFFERENCE, ALIKE, 0, None)
    last = list(steps(Design(0, 1, 20, 5.0), [0.0] * 1000))[-1]
    assert (last.decision, last.pairs) == (Decision.NO_DIFFERENCE, 20)


def test_a_few_pairs_that_happen_to_agree_decide_nothing() -> None:
    trial = Trial(DESIGN)
    assert [trial.add(1.0).decision for _ in range(FEWEST - 1)] == [None] * (FEWEST - 1)
    held = trial.add(1.0)
    assert (held.decision, held.is_held, held.lower) == (None, True, DESIGN.low), "losses of five may be rare"
    trial = Trial(replace(DESIGN, reach=1.0))
    assert [trial.add(1.0).decision for _ in range(FEWEST)][-1] is Decision.BETTER
    trial = Trial(Design(0, 5, 400, 20.0))
    steps_seen = [trial.add(difference) for difference in [0.0] * 40 + [20.0] * (DIFFERING - 1)]
    assert {step.decision for step in steps_seen} == {None}
    assert trial.add(20.0).decision is Decision.BETTER


def test_differences_that_are_all_the_middle_of_the_bounds_decide_nothing() -> None:
    last = list(steps(Design(0, 2, 50, 5.0), [1.0] * 100))[-1]
    assert (last.decision, last.pairs) == (Decision.UNDECIDED, 50)


def test_a_trial_ends_at_its_cap() -> None:
    random = Random(6)
    last = list(steps(Design(0, 0.01, 40, 5.0), (random.gauss(0, 1) for _ in range(1000))))[-1]
    assert (last.decision, last.pairs) == (Decision.UNDECIDED, 40)
    assert last.lower is not None
