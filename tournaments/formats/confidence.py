"""The mean of what was measured a few or many times, and how far it can be trusted."""

from __future__ import annotations

from math import sqrt

# Student's t at 97.5 %, for 1 to 30 degrees of freedom: from any table of it.
# fmt: off
STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)
# fmt: on
FEWEST = 4  # units below which nobody is shown an interval: it would say less than its number pretends
NORMAL = 1.96  # for very many


def errors_for(count: int) -> float:
    """How many standard errors of a mean of `count` values, two or more, lie on either side in an interval of 95 %.

    The error itself is reckoned from the same values, so two of them that happen to agree say little: 12.7.
    """
    freedom = count - 1
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    return NORMAL + 2.4 / freedom  # right to 0.003


def mean_and_margin(count: int, total: float, squares: float) -> tuple[float | None, float | None]:
    """The mean of `count` values from their sum and the sum of their squares, and the ± of it: half of a 95 % interval
    by Student's t. The mean is None without values, the ± with fewer than two."""
    if not count:
        return None, None
    mean = total / count
    if count < 2:
        return mean, None
    variance = max(0.0, (squares - count * mean * mean) / (count - 1))
    return mean, errors_for(count) * sqrt(variance / count)
