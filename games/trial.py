"""Is the new version better? A sequential test of paired differences (docs/trials.md has the method and its sources).

Two versions play the same deals, pair by pair. A trial looks at the differences between them, `new - old`, positive
where the new version did better. After every pair it compares two statements about their mean: it is `low`, or it is
`high`. The logarithm of the likelihood ratio of the two says which one the pairs speak for, and the trial ends when it
reaches a limit. Everything here is a pure function of the differences in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite, log

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

    Raises OptionError with a text for people.
    """

    low: float
    high: float
    cap: int = CAP

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

    def add(self, difference: float) -> Step:
        """Take in the next pair, and say what is known now."""
        self.pairs += 1
        self.differing += difference != 0
        before = difference - self._mean
        self._mean += before / self.pairs
        self._squares += before * (difference - self._mean)
        self._largest = max(self._largest, (difference - self.design.middle) ** 2)
        return self._step()

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
        return Step(self.pairs, self._mean, ratio, margin, self._decision(ratio))

    def _decision(self, ratio: float) -> Decision | None:
        if ratio >= self.design.limit:
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
