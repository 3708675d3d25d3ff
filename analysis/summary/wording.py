"""Numbers, intervals and thresholds as a report writes them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

NOTHING = "-"


def share(value: float) -> str:
    """Return a rate as people read it.

    >>> share(0.3421), share(math.nan)
    ('34.2 %', '-')
    """
    return NOTHING if math.isnan(value) else f"{100 * value:.1f} %"


def share_interval(low: float, high: float, *, sign: bool = False) -> str:
    """Return an interval of rates, or of differences of rates when there is a `sign`.

    >>> share_interval(0.318, 0.366)
    '31.8 to 36.6 %'
    """
    if math.isnan(low):
        return NOTHING
    plus = "+" if sign else ""
    return f"{100 * low:{plus}.1f} to {100 * high:{plus}.1f} %"


def number(value: float, *, sign: bool = False) -> str:
    """Return a mean with a sensible number of places.

    >>> number(-47.4), number(2.7467), number(107)
    ('-47.4', '2.75', '107.0')
    """
    if math.isnan(value):
        return NOTHING
    places = 2 if abs(value) < 10 else 1
    return f"{value:{'+' if sign else ''}.{places}f}"


def number_interval(low: float, high: float, *, sign: bool = False) -> str:
    """Return an interval of means; one without width comes from equal numbers, not certainty."""
    if math.isnan(low):
        return NOTHING
    if low == high:
        return "all equal"
    return f"{number(low, sign=sign)} to {number(high, sign=sign)}"


def threshold_sentence(
    isotonic: Mapping[str, Any], logistic: Mapping[str, Any], confidence: float
) -> str:
    """Return in words what `threshold_table` says about a game.

    Args:
        isotonic: the row of the isotonic fit.
        logistic: the row of the logistic fit.
        confidence: of their intervals.

    >>> row = {"criterion": "score", "feature": "trumps", "side": "from", "verdict": "crosses",
    ...     "lowest": 1.0, "highest": 13.0, "threshold": 8.0, "low": 8.0, "high": math.inf,
    ...     "n": 700, "few": False}
    >>> other = row | {"threshold": 8.31, "low": 7.9, "high": 8.8}
    >>> threshold_sentence(row, other, 0.95)
    'Mean score positive from 8 trumps (95 %: 8 to above 13); logistic fit: 8.3 (7.9 to 8.8).'
    """
    row = isotonic
    what = "Mean score positive" if row["criterion"] == "score" else "Win rate above 50 %"
    counted = noun(str(row["feature"]))
    if row["verdict"] == "unknown":
        return f"{what}: no threshold, all rows have {_point(row['lowest'])} {counted}."
    if row["verdict"] == "crosses":
        where = f"{row['side']} {_point(row['threshold'])} {counted}"
    else:
        ever = "every" if row["verdict"] == "always" else "no"
        where = f"at {ever} number of {counted} seen, "
        where += f"{_point(row['lowest'])} to {_point(row['highest'])}"
    few = f"; only {row['n']} rows" if row["few"] else ""
    sentence = f"{what} {where} ({100 * confidence:.4g} %: {_ends(row)}{few})"
    if logistic["verdict"] == "crosses":
        sentence += f"; logistic fit: {logistic['threshold']:.1f} ({_ends(logistic)})"
    return f"{sentence}."


def noun(feature: str) -> str:
    """Return a feature's name as a word.

    >>> noun("dreier_points")
    'dreier points'
    """
    return feature.replace("_", " ")


def _point(value: float) -> str:
    return f"{value:.0f}" if value == round(value) else f"{value:.1f}"


def _ends(row: Mapping[str, Any]) -> str:
    """Return an interval; an end outside of what was seen says so."""
    low, high = (_end(row[name], row) for name in ("low", "high"))
    return low if low == high else f"{low} to {high}"


def _end(value: float, row: Mapping[str, Any]) -> str:
    if value == math.inf:
        return f"above {_point(row['highest'])}"
    if value == -math.inf:
        return f"below {_point(row['lowest'])}"
    return _point(value)
