"""Intervals and fits of summaries, against scipy, exact counting and simulated studies."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats

from trull.analysis.summary.intervals import mean_interval, paired_rate_interval, wilson
from trull.analysis.summary.logistic import fit_logistic
from trull.analysis.summary.thresholds import threshold_table


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_wilson_is_that_of_scipy(confidence: float) -> None:
    cases = [(made, n) for n in (1, 2, 7, 30, 1000) for made in sorted({0, 1, n // 3, n - 1, n})]
    low, high = wilson(*np.transpose(cases), confidence)
    for (made, n), *ends in zip(cases, low, high, strict=True):
        expected = stats.binomtest(made, n).proportion_ci(confidence, method="wilson")
        assert ends == pytest.approx([expected.low, expected.high], abs=1e-12)


def test_wilson_without_trials() -> None:
    assert np.isnan(wilson([0], [0])).all()


def test_mean_interval_is_that_of_scipy() -> None:
    sample = np.array([3.0, -1.0, 4.0, 1.0, -5.0, 9.0])
    found = mean_interval(len(sample), sample.mean(), sample.std(ddof=1), 0.9)
    expected = stats.ttest_1samp(sample, 0).confidence_interval(0.9)
    assert found == pytest.approx([expected.low, expected.high])
    assert np.isnan(mean_interval(1, 3.0, math.nan)).all()


def test_paired_rate_interval_of_independent_pairs() -> None:
    # Newcombe 1998: the square-and-add interval is that of two Wilson intervals where the pairs
    # are independent, here exactly.
    low, high = paired_rate_interval(12, 12, 12, 12)
    one_low, one_high = wilson(24, 48)
    assert [low, high] == pytest.approx(
        [-math.hypot(0.5 - one_low, one_high - 0.5), math.hypot(one_high - 0.5, 0.5 - one_low)]
    )


def test_paired_rate_interval_stays_between_minus_one_and_one() -> None:
    low, high = paired_rate_interval([0, 0, 5], [9, 0, 0], [0, 9, 0], [0, 0, 5])
    assert (low >= -1).all() and (high <= 1).all()
    assert (low < high).all()
    assert -low[1] == pytest.approx(high[0])


def test_paired_rate_interval_covers() -> None:
    random = np.random.default_rng(3)
    shares = (0.5, 0.15, 0.05, 0.3)
    low, high = paired_rate_interval(*random.multinomial(60, shares, size=4000).T)
    assert ((low <= 0.1) & (high >= 0.1)).mean() == pytest.approx(0.95, abs=0.012)


def test_logistic_fit_maximises_the_penalised_likelihood() -> None:
    x, n, made = np.array([3.0, 5, 6, 9]), np.array([20.0, 50, 40, 10]), np.array([1.0, 20, 25, 9])

    def loss(theta: np.ndarray) -> float:
        line = theta[0] + theta[1] * x
        p = 1 / (1 + np.exp(-line))
        rows = np.stack([np.ones_like(x), x], axis=1)
        information = rows.T @ (rows * (n * p * (1 - p))[:, None])
        likelihood = (made * line - n * np.logaddexp(0, line)).sum()
        return float(-likelihood - np.linalg.slogdet(information)[1] / 2)

    exactly = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000}
    expected = optimize.minimize(loss, [0.0, 0.0], method="Nelder-Mead", options=exactly)
    assert np.array(fit_logistic(x, made, n)) == pytest.approx(expected.x, abs=1e-5)


def test_logistic_fit_of_separated_samples_is_finite() -> None:
    a, b = fit_logistic(np.array([1.0, 2.0]), np.array([[0.0, 9.0]]), np.array([[9.0, 9.0]]))
    assert -a / b == pytest.approx([1.5])
    assert 0 < b[0] < 20


def tally(x: np.ndarray, made: np.ndarray, win: float, loss: float) -> pd.DataFrame:
    """Return the counts of a game with two outcomes."""
    rows = pd.DataFrame({"game": "g", "trumps": x, "made": made})
    rows["score"] = np.where(made, win, -loss)
    counts = rows.value_counts().rename("count").reset_index()
    return counts.astype({"made": "boolean"})


def crossing(rows: pd.DataFrame, **options: int) -> pd.DataFrame:
    """Return the thresholds of a game by method."""
    return threshold_table(rows, "trumps", 0.95, **options).set_index("method")


def test_threshold_of_simulated_studies_is_covered() -> None:
    # A contract lost at twice its value pays from a win rate of 2/3 on.
    even = 8.2 + math.log(2)
    hits = {"isotonic": 0, "logistic": 0}
    studies = 60
    for study in range(studies):
        random = np.random.default_rng(study)
        x = random.binomial(14, 0.5, 800)
        made = random.random(800) < 1 / (1 + np.exp(8.2 - x))
        found = crossing(tally(x, made, 50, 100), replicates=199, seed=study)
        for method, true in (("isotonic", math.ceil(even)), ("logistic", even)):
            hits[method] += found["low"][method] <= true <= found["high"][method]
    assert hits["isotonic"] >= 0.9 * studies
    assert 0.87 * studies <= hits["logistic"] < studies


def test_threshold_where_gains_fall() -> None:
    x = np.repeat(np.arange(10), 50)
    made = np.tile(np.arange(50), 10) < 45 - 5 * x  # a win rate of 1/2 at four and of 2/5 at five
    found = crossing(tally(x, made, 40, 40), replicates=99).loc["isotonic"]
    assert (found["side"], found["verdict"], found["threshold"]) == ("up to", "crosses", 3)
    assert found["low"] <= 3 <= found["high"]


@pytest.mark.parametrize(("win", "verdict", "end"), [(900, "always", 2), (1, "never", math.inf)])
def test_threshold_that_is_not_crossed(win: float, verdict: str, end: float) -> None:
    x = np.repeat([2, 3, 4], 100)
    made = np.tile(np.arange(100), 3) < 20 * x
    found = crossing(tally(x, made, win, 20), replicates=99)
    assert set(found["verdict"]) == {verdict}
    assert set(found["threshold"]) == {end}
    assert set(found["low"]) == set(found["high"]) == {end}


def test_threshold_of_one_value_is_unknown() -> None:
    rows = tally(np.full(40, 7), np.arange(40) < 20, 10, 10)
    assert set(crossing(rows)["verdict"]) == {"unknown"}


def test_threshold_without_scores_is_half_of_the_games() -> None:
    x = np.repeat(np.arange(11), 100)
    made = np.tile(np.arange(100), 11) < 10 * x + 2
    rows = tally(x, made, 1, 1).assign(score=np.nan)
    found = crossing(rows, replicates=99)
    assert set(found["criterion"]) == {"made"}
    assert found["threshold"]["isotonic"] == 5
    assert found["threshold"]["logistic"] == pytest.approx(4.8, abs=0.05)


def test_bootstrap_repeats_itself() -> None:
    random = np.random.default_rng(1)
    x = random.integers(0, 9, 300)
    rows = tally(x, random.random(300) < x / 9, 10, 10)
    first, again = crossing(rows), crossing(rows.sample(frac=1, random_state=0).sort_index())
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(crossing(rows, seed=2))
