"""Intervals for rates, means and differences, each over whole columns at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

FEW = 30
"""Samples below which a cell is flagged: its interval leans on assumptions then."""


def wilson(
    made: npt.ArrayLike, n: npt.ArrayLike, confidence: float = 0.95
) -> tuple[Floats, Floats]:
    """Return the score interval of a rate (Wilson 1927), without continuity correction.

    Args:
        made: successes.
        n: trials; where there are none, the interval is NaN.
        confidence: between 0 and 1.

    >>> low, high = wilson([0, 7], [10, 10])
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.397], [0.278, 0.892])
    """
    from scipy.special import ndtri

    z2 = ndtri((1 + confidence) / 2) ** 2
    made, n = np.asarray(made, np.float64), np.asarray(n, np.float64)
    failed = n - made
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = (made + z2 / 2) / (n + z2)
        half = np.sqrt(z2) / (n + z2) * np.sqrt(made * failed / n + z2 / 4)
    low = np.where(made == 0, 0.0 * half, np.maximum(centre - half, 0))
    high = np.where(failed == 0, 1 + 0.0 * half, np.minimum(centre + half, 1))
    return low, high


def mean_interval(
    n: npt.ArrayLike, mean: npt.ArrayLike, sd: npt.ArrayLike, confidence: float = 0.95
) -> tuple[Floats, Floats]:
    """Return Student's interval of a mean (Student 1908); NaN for fewer than two samples.

    Args:
        n: samples.
        mean: their mean.
        sd: their standard deviation, with the divisor n - 1.
        confidence: between 0 and 1.
    """
    from scipy.special import stdtrit

    n, mean, sd = (np.asarray(column, np.float64) for column in (n, mean, sd))
    with np.errstate(divide="ignore", invalid="ignore"):
        quantile = stdtrit(np.where(n > 1, n - 1, np.nan), (1 + confidence) / 2)
        half = quantile * sd / np.sqrt(n)
    return mean - half, mean + half


def paired_rate_interval(
    both: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    neither: npt.ArrayLike,
    confidence: float = 0.95,
) -> tuple[Floats, Floats]:
    """Return the interval of the difference of two rates on the same deals.

    Newcombe's hybrid score interval for paired data (1998, Statistics in Medicine 17, 2635-2650,
    method 10): two Wilson intervals, joined by the correlation of the pairs.

    Args:
        both: deals on which both contracts are made.
        first: deals on which only the first is.
        second: deals on which only the second is.
        neither: deals on which none is.
        confidence: between 0 and 1.
    """
    cells = (np.asarray(count, np.float64) for count in (both, first, second, neither))
    e, f, g, h = cells
    n = e + f + g + h
    with np.errstate(divide="ignore", invalid="ignore"):
        p, q = (e + f) / n, (e + g) / n
        excess = e * h - f * g
        excess = np.where(excess > 0, np.maximum(excess - n / 2, 0), excess)
        margins = (e + f) * (g + h) * (e + g) * (f + h)
        phi = np.where(margins > 0, excess / np.sqrt(margins), 0)
    (p_low, p_high), (q_low, q_high) = (wilson(x, n, confidence) for x in (e + f, e + g))
    below = _joined(p - p_low, q_high - q, phi)
    above = _joined(p_high - p, q - q_low, phi)
    return p - q - below, p - q + above


def _joined(a: Floats, b: Floats, phi: Floats) -> Floats:
    joined: Floats = np.sqrt(np.maximum(a * a - 2 * phi * a * b + b * b, 0))
    return joined
