"""From which value of a feature a game is worth bidding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from trull.analysis.summary.intervals import FEW
from trull.analysis.summary.logistic import fit_logistic
from trull.analysis.summary.scanning import COUNT

Floats = npt.NDArray[np.float64]
Criterion = Literal["score", "made"]

REPLICATES = 999
SEED = 1908

_AT_ONCE = 111  # replicates, which bounds the memory


@dataclass(frozen=True, slots=True)
class _Sample:
    """The different outcomes of one game and how often each occurs.

    Attributes:
        x: the different values of the feature, ascending in the direction in which gains rise.
        place: of shape (m,): the index in `x` of each outcome.
        gain: of shape (m,): what is to become positive: the score, or 1/2 for a contract made and
            -1/2 for one lost.
        made: of shape (m,): 1 or 0, NaN where the contract knows no success.
        count: of shape (m,): how often each outcome occurs.
    """

    x: Floats
    place: npt.NDArray[np.intp]
    gain: Floats
    made: Floats
    count: Floats


def threshold_table(
    tally: pd.DataFrame,
    feature: str,
    confidence: float,
    *,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> pd.DataFrame:
    """Return from which value of a feature on games are expected to gain.

    Args:
        tally: counts of `game`, `feature`, `made` and `score`.
        feature: the column of the feature, which is a number.
        confidence: of the intervals.
        replicates: samples of the bootstrap.
        seed: of the bootstrap.

    Returns two rows a game, `method` `isotonic` and `logistic`, with the columns `game`,
    `feature`, `criterion` (`score`, or `made` for a win rate above one half where no scores are
    known), `n`, `side` (`from` or `up to`), `lowest` and `highest` value seen, `verdict`
    (`crosses`, `always`, `never`, `unknown`), `threshold`, `low`, `high`, `few`. A threshold
    is the first value seen with an expected gain; where there is none it is infinite.
    """
    rows = []
    for name, outcomes in tally.groupby("game", observed=True):
        criterion: Criterion = "score" if outcomes["score"].notna().any() else "made"
        known = outcomes[outcomes[criterion].notna() & outcomes[feature].notna()]
        common = {"game": name, "feature": feature, "criterion": criterion}
        if known.empty:
            continue
        rows += [
            common | row
            for row in _thresholds(known, feature, criterion, confidence, replicates, seed)
        ]
    return pd.DataFrame(rows, columns=_COLUMNS)


_COLUMNS = ["game", "feature", "criterion", "method", "n", "side", "lowest", "highest", "verdict",
            "threshold", "low", "high", "few"]  # fmt: skip


def _thresholds(
    known: pd.DataFrame,
    feature: str,
    criterion: Criterion,
    confidence: float,
    replicates: int,
    seed: int,
) -> Iterator[dict[str, object]]:
    sample, sign = _sampled(known, feature, criterion)
    n = int(sample.count.sum())
    ends = sorted((sign * sample.x[0], sign * sample.x[-1]))
    common = {
        "n": n,
        "side": "from" if sign > 0 else "up to",
        "lowest": ends[0],
        "highest": ends[1],
        "few": n < FEW,
    }
    unknown = {"verdict": "unknown", "threshold": np.nan, "low": np.nan, "high": np.nan}
    for method, cross in (("isotonic", _isotonic), ("logistic", _logistic)):
        if len(sample.x) < 2 or (method == "logistic" and np.isnan(sample.made).any()):
            yield common | unknown | {"method": method}
            continue
        point = float(cross(sample, sample.count[None])[0])
        samples = _resampled(sample, replicates, seed)
        drawn = np.sort(np.concatenate([cross(sample, counts) for counts in samples]))
        tail = int((1 - confidence) / 2 * len(drawn))
        ends = sorted((sign * drawn[tail], sign * drawn[-1 - tail]))
        yield common | {
            "method": method,
            "verdict": _verdict(point, sample.x),
            "threshold": sign * point,
            "low": ends[0],
            "high": ends[1],
        }


def _sampled(
    known: pd.DataFrame, feature: str, criterion: Criterion
) -> tuple[_Sample, Literal[1, -1]]:
    """Return the outcomes, and -1 where gains fall with the feature, so that x is its negative."""
    x = known[feature].to_numpy(np.float64)
    made = known["made"].astype("Float64").to_numpy(np.float64, na_value=np.nan)
    gain = known["score"].to_numpy(np.float64) if criterion == "score" else made - 0.5
    count = known[COUNT].to_numpy(np.float64)
    centre = np.average(x, weights=count)
    sign: Literal[1, -1] = 1 if (count * (x - centre) * gain).sum() >= 0 else -1
    values, place = np.unique(sign * x, return_inverse=True)
    return _Sample(values, place, gain, made, count), sign


def _resampled(sample: _Sample, replicates: int, seed: int) -> Iterator[Floats]:
    """Yield bootstrap samples as counts of the outcomes, of shape (some, m).

    To draw n rows with replacement is to draw how often each different outcome occurs, which is
    multinomial: no rows are needed.
    """
    random = np.random.default_rng(seed)
    n = int(sample.count.sum())
    shares = sample.count / n
    for begin in range(0, replicates, _AT_ONCE):
        size = min(_AT_ONCE, replicates - begin)
        yield random.multinomial(n, shares, size=size).astype(np.float64)


def _cells(sample: _Sample, weights: Floats) -> Floats:
    """Return the sums of weights at each value of x, of shape (..., k)."""
    member = np.zeros((len(sample.place), len(sample.x)))
    member[np.arange(len(sample.place)), sample.place] = 1
    cells: Floats = weights @ member
    return cells


def _isotonic(sample: _Sample, counts: Floats) -> Floats:
    """Return the first x at which the mean gain, made monotone in x, is positive.

    The fit is weighted least squares under the constraint that gains do not fall (Barlow et al.
    1972), by pooling adjacent violators.
    """
    from scipy.optimize import isotonic_regression

    n, total = _cells(sample, counts), _cells(sample, counts * sample.gain)
    first = np.full(len(counts), np.inf)
    for row in range(len(counts)):
        seen = n[row] > 0
        fit = isotonic_regression(total[row, seen] / n[row, seen], weights=n[row, seen]).x
        positive = np.flatnonzero(fit > 0)
        if positive.size:
            first[row] = sample.x[seen][positive[0]]
    return first


def _logistic(sample: _Sample, counts: Floats) -> Floats:
    """Return the x at which gains and losses balance under a logistic P(made).

    The expected gain is P(made) W + (1 - P(made)) L with the mean gains W of contracts made and L
    of contracts lost. What lies below the values seen becomes the first of them, what lies above
    them infinity.
    """
    x, won = sample.x, counts * sample.made
    lost = counts - won
    a, b = fit_logistic(x, _cells(sample, won), _cells(sample, counts))
    win, loss = ((part * sample.gain).sum(1) / np.maximum(part.sum(1), 1) for part in (won, lost))
    first, last = ((win - loss) / (1 + np.exp(-a - b * end)) + loss for end in (x[0], x[-1]))
    with np.errstate(divide="ignore", invalid="ignore"):
        balance = (np.log(-loss / win) - a) / b
    found: Floats = np.where(first > 0, x[0], np.where(last <= 0, np.inf, balance))
    return found


def _verdict(point: float, x: Floats) -> str:
    if np.isinf(point):
        return "never"
    return "always" if point <= x[0] else "crosses"
