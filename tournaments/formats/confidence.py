"""The mean of a sample or a share of it, and its confidence interval."""

from __future__ import annotations

from math import sqrt

# Student's t at 97.5 %, for 1 to 30 degrees of freedom, from standard tables.
# fmt: off
STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)
# fmt: on
FEWEST = 4  # with fewer units there is no interval, on pages and for programs: it would be too wide to mean anything
NORMAL = 1.96  # the limit for large samples


def errors_for(count: int) -> float:
    """The half-width of a 95 % confidence interval of a mean, in standard errors, for `count` values (at least two).

    The standard error is estimated from the same values, so two that happen to agree prove little: the factor is 12.7.
    """
    freedom = count - 1
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    return NORMAL + 2.4 / freedom  # accurate to 0.003


def mean_and_margin(count: int, total: float, squares: float) -> tuple[float | None, float | None]:
    """Return the mean of `count` values and the half-width of its 95 % confidence interval by Student's t.

    `total` is the sum of the values, `squares` the sum of their squares. The mean is None without values, the
    half-width with fewer than `FEWEST`.
    """
    if not count:
        return None, None
    mean = total / count
    if count < FEWEST:
        return mean, None
    variance = max(0.0, (squares - count * mean * mean) / (count - 1))
    return mean, errors_for(count) * sqrt(variance / count)


def wilson(count: int, share: float) -> tuple[float, float]:
    """Return the 95 % confidence interval of a share of `count` (at least one) independent trials: the score interval
    of E. B. Wilson, Journal of the American Statistical Association 22 (1927), pages 209-212.

    Unlike mean ± margin it stays between 0 and 1, and says something when all trials went one way. Trials that are
    worth a part of 1 vary less than trials that are worth 0 or 1, so then it is wider than needed.
    """
    squared = NORMAL * NORMAL
    centre = (share + squared / (2 * count)) / (1 + squared / count)
    margin = NORMAL / (1 + squared / count) * sqrt(share * (1 - share) / count + squared / (4 * count * count))
    return max(0.0, centre - margin), min(1.0, centre + margin)
