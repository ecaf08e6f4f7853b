"""Is the new version better? A sequential test of paired differences (docs/trials.md has the method and its sources).

Two versions play the same deals, pair by pair. A trial looks at the differences between them, `new - old`, positive
where the new version did better. After every pair it compares two statements about their mean: it is `low`, or it is
`high`. The logarithm of the likelihood ratio of the two says which one the pairs speak for, and the trial ends when it
reaches a limit. `better` has a second condition, which holds however lopsided differences are: see `Trial._bet`.
Everything here is a pure function of the differences in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite, log, log1p

from games.engine import OptionError

ERROR = 0.05
"""The probability of a wrong decision: `better` where the mean is `low`, or `not better` where it is `high`."""

FEWEST = 12
"""Pairs before a decision. A variance from fewer is a guess."""

DIFFERING = 8
"""Pairs that differ before a decision: where differences are rare, these alone tell how large they are."""

ALIKE = 60
"""Pairs without any difference that end a trial: with 95 % confidence, fewer than 5 % of all pairs differ (rule of
three)."""

BOLDEST = 0.9
"""The largest part of the capital that one pair may cost."""

CAP = 400
MOST = 10_000


class Decision(StrEnum):
    """How a trial ended."""

    BETTER = "better"
    NOT_BETTER = "not_better"
    NO_DIFFERENCE = "no_difference"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Design:
    """What is asked: whether the mean difference is nearer to `high` than to `low`, and how many pairs that may cost.

    `reach`: how far below `low` a single pair may be (games.pairs.reach_of). Raises OptionError with a text for people.
    """

    low: float
    high: float
    cap: int
    reach: float

    def __post_init__(self) -> None:
        if not (isfinite(self.low) and isfinite(self.high)) or self.low >= self.high:
            raise OptionError(f"the lower bound must be below the upper one, not {self.low:g} and {self.high:g}")
        if not FEWEST <= self.cap <= MOST:
            raise OptionError(f"a trial has {FEWEST} to {MOST} pairs at most, not {self.cap}")

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2

    @property
    def limit(self) -> float:
        """The log-likelihood ratio that decides: at or above it for `better`, at or below its negative for `not
        better`."""
        return log(1 / ERROR)


@dataclass(frozen=True, slots=True)
class Step:
    """What is known after some pairs."""

    pairs: int
    mean: float  # the estimate of the difference
    ratio: float  # the log-likelihood ratio of `high` against `low`
    margin: float | None  # each end of mean ± margin holds with 95 %, whenever one looks; None: too few pairs
    decision: Decision | None  # None: the trial goes on
    is_held: bool = False  # the ratio speaks for `better`, but large losses may be so rare that none has come yet

    @property
    def lower(self) -> float | None:
        return None if self.margin is None else self.mean - self.margin

    @property
    def upper(self) -> float | None:
        return None if self.margin is None else self.mean + self.margin


class Trial:
    """The sums of a trial in progress."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.pairs = 0
        self.differing = 0
        self._mean = 0.0
        self._squares = 0.0  # of deviations from the mean
        self._largest = 0.0  # squared distance from the middle of the bounds
        self._capital = self._most = 0.0  # logarithms, now and at its best
        self._moments = design.reach**2 / 4  # squared distances from `low`, beginning with a guess

    def add(self, difference: float) -> Step:
        """Take in the next pair, and say what is known now."""
        self._bet(max(difference - self.design.low, -self.design.reach))
        self.pairs += 1
        self.differing += difference != 0
        before = difference - self._mean
        self._mean += before / self.pairs
        self._squares += before * (difference - self._mean)
        self._largest = max(self._largest, (difference - self.design.middle) ** 2)
        return self._step()

    def _bet(self, gain: float) -> None:
        """Bet on the next pair being above `low`, with a stake that depends on earlier pairs alone.

        Where the mean is `low` or less and no pair is below it by more than `reach`, the game is not in our favour: the
        capital, 1 at first, ever reaches 20 with a probability of at most 1 in 20. That needs no variance and no shape.
        """
        stake = min(BOLDEST / self.design.reach, self.design.width * (self.pairs + 1) / self._moments)
        self._capital += log1p(stake * gain)
        self._most = max(self._most, self._capital)
        self._moments += gain * gain

    @property
    def variance(self) -> float | None:
        """The variance of a difference, on the side of caution; None from too few pairs.

        Dividing by n - 3 makes its inverse, which the ratio uses, unbiased for normal differences. The largest one
        counts twice, so that a few pairs that happen to agree do not pass for certainty.
        """
        if self.pairs < FEWEST or self.differing < DIFFERING:
            return None
        return (self._squares + self._largest) / (self.pairs - 3)

    def _step(self) -> Step:
        design, variance = self.design, self.variance
        if not variance:
            return Step(self.pairs, self._mean, 0.0, None, self._without_variance())
        ratio = self.pairs * design.width * (self._mean - design.middle) / variance
        margin = design.width / 2 + design.limit * variance / (self.pairs * design.width)
        is_held = ratio >= design.limit and self._most < design.limit
        if is_held:  # the interval still has `low` in it
            margin = max(margin, self._mean - design.low)
        return Step(self.pairs, self._mean, ratio, margin, self._decision(ratio, is_held), is_held)

    def _decision(self, ratio: float, is_held: bool) -> Decision | None:
        if ratio >= self.design.limit and not is_held:
            return Decision.BETTER
        if ratio <= -self.design.limit:
            return Decision.NOT_BETTER
        return Decision.UNDECIDED if self.pairs >= self.design.cap else None

    def _without_variance(self) -> Decision | None:
        if not self.differing and self.pairs >= min(ALIKE, self.design.cap):
            return Decision.NO_DIFFERENCE
        return Decision.UNDECIDED if self.pairs >= self.design.cap else None

    def share(self, difference: float) -> float:
        """Return what a pair adds to the ratio as it stands: the shares of all pairs sum up to it."""
        variance = self.variance
        return self.design.width * (difference - self.design.middle) / variance if variance else 0.0


def steps(design: Design, differences: Iterable[float]) -> Iterator[Step]:
    """Yield what is known after every pair, up to the decision. Later differences are not looked at."""
    trial = Trial(design)
    for difference in differences:
        step = trial.add(difference)
        yield step
        if step.decision is not None:
            return


def shares(design: Design, differences: Sequence[float]) -> list[float]:
    """Return what each pair adds to the ratio after all of them."""
    trial = Trial(design)
    for difference in differences:
        trial.add(difference)
    return [trial.share(difference) for difference in differences]
