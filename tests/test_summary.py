"""Summaries of study folders: what streaming adds up is what pandas computes from all rows."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import stats

from made_up_studies import made_up_rows, made_up_study, spec_of, write_study
from trull.analysis.summary import SummaryError, paired, score_means, threshold, win_rates

DEALS, SHARDS = 400, 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study of scores."""
    return made_up_study(tmp_path_factory.mktemp("studies") / "study", DEALS, SHARDS)


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    """Return its rows."""
    parts = [made_up_rows(DEALS, first=DEALS * number) for number in range(SHARDS)]
    return pd.concat(parts, ignore_index=True)


def test_win_rates_are_those_of_the_rows(folder: Path, rows: pd.DataFrame) -> None:
    found = win_rates(folder, ("trumps", "kings")).set_index(["game", "trumps", "kings"])
    expected = rows.groupby(["game", "f_trumps", "f_kings"])["made"].agg(["size", "sum", "mean"])
    assert found.index.tolist() == expected.index.tolist()
    assert found["n"].tolist() == expected["size"].tolist()
    assert found["made"].tolist() == expected["sum"].tolist()
    assert found["win_rate"].tolist() == expected["mean"].tolist()
    assert found["few"].tolist() == (expected["size"] < 30).tolist()


@pytest.mark.parametrize("of", ["score", "value"])
def test_means_are_those_of_the_rows(folder: Path, rows: pd.DataFrame, of: str) -> None:
    found = score_means(folder, "f_trumps", of=of, confidence=0.9)
    groups = rows.groupby(["game", "f_trumps"])[of]
    assert found["mean"].to_numpy() == pytest.approx(groups.mean().to_numpy())
    assert found["sd"].to_numpy() == pytest.approx(groups.std().to_numpy(), nan_ok=True)
    some = groups.get_group(("koenigrufen:dreier", 8))
    row = found[(found["game"] == "koenigrufen:dreier") & (found["trumps"] == 8)].iloc[0]
    expected = stats.ttest_1samp(some, 0).confidence_interval(0.9)
    assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high))


def test_without_features_there_is_a_cell_a_game(folder: Path, rows: pd.DataFrame) -> None:
    found = win_rates(folder)
    assert found["game"].tolist() == ["koenigrufen:dreier", "koenigrufen:solorufer"]
    assert found["made"].tolist() == rows.groupby("game")["made"].sum().tolist()


def test_conditions_on_rows(folder: Path, rows: pd.DataFrame) -> None:
    where = "trumps + kings >= 9 and not (kings in (0, 4) or 3 < trumps <= 5) and contract != 'x'"
    total = rows["f_trumps"] + rows["f_kings"]
    kept = rows[(total >= 9) & rows["f_kings"].between(1, 3) & ~rows["f_trumps"].isin([4, 5])]
    assert 0 < len(kept) < len(rows)
    assert win_rates(folder, where=where)["n"].sum() == len(kept)
    assert win_rates(folder, where="made", contracts="dreier")["win_rate"].tolist() == [1.0]


def test_paired_differences_are_those_of_the_deals(folder: Path, rows: pd.DataFrame) -> None:
    wide = rows.pivot(index="deal", columns="contract", values=["score", "made"])
    score = (wide["score"]["dreier"] - wide["score"]["solorufer"]).astype(float)
    made = wide["made"].astype(bool)
    [row] = paired(folder).to_dict("records")
    assert (row["game"], row["against"]) == ("koenigrufen:dreier", "koenigrufen:solorufer")
    assert row["n"] == row["rate_n"] == DEALS * SHARDS
    assert row["difference"] == pytest.approx(score.mean())
    expected = stats.ttest_1samp(score, 0).confidence_interval(0.95)
    assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high))
    assert row["only_first"] == (made["dreier"] & ~made["solorufer"]).sum()
    assert row["only_second"] == (made["solorufer"] & ~made["dreier"]).sum()
    assert row["rate_low"] < row["rate_difference"] < row["rate_high"]


def test_pairing_leaves_out_deals_of_one_game(tmp_path: Path) -> None:
    rows = made_up_rows(100).astype({"made": "boolean"})
    rows.loc[rows["deal"].lt(30) & rows["contract"].eq("dreier"), ["made", "score"]] = None
    folder = write_study(tmp_path / "study", [rows], spec_of(100, shard=100))
    assert paired(folder)[["n", "rate_n"]].to_numpy().tolist() == [[70, 70]]


def test_deals_that_go_over_the_end_of_a_shard_are_paired(tmp_path: Path) -> None:
    rows = made_up_rows(100)
    folder = write_study(tmp_path / "a", [rows[:51], rows[51:]], spec_of(100, shard=50))
    assert paired(folder)["n"].tolist() == [100]


def test_rows_out_of_order_are_refused(tmp_path: Path) -> None:
    rows = made_up_rows(20)
    folder = write_study(tmp_path / "study", [rows[::-1]], spec_of(20, shard=20))
    with pytest.raises(SummaryError, match="order of their deals"):
        paired(folder)


def test_a_study_of_scores_counts_positive_ones_as_won(tmp_path: Path) -> None:
    rows = made_up_rows(100)
    made = rows.groupby("game")["made"].sum().tolist()
    folder = write_study(tmp_path / "s", [rows.assign(made=None)], spec_of(100, shard=100))
    assert win_rates(folder)["made"].tolist() == made


def test_rows_that_could_not_be_played_do_not_count(tmp_path: Path) -> None:
    rows = made_up_rows(100).astype({"made": "boolean", "value": "Int64"})
    unplayed = rows["deal"].lt(40) & rows["contract"].eq("dreier")
    rows.loc[unplayed, ["made", "score", "value"]] = None
    rows.loc[unplayed, "exact"] = False
    rows["reason"] = rows["reason"].astype(object)
    rows.loc[unplayed, "reason"] = "too many trumps"
    folder = write_study(tmp_path / "study", [rows], spec_of(100, shard=100))
    assert win_rates(folder)["n"].tolist() == [60, 100]
    assert score_means(folder, of="value")["n"].tolist() == [60, 100]


def test_threshold_finds_where_the_made_up_contracts_break_even(folder: Path) -> None:
    found = threshold(folder, "trumps").set_index(["game", "method"])
    for game, even in (("koenigrufen:dreier", 8.0), ("koenigrufen:solorufer", 6.5)):
        logistic, isotonic = found.loc[game, "logistic"], found.loc[game, "isotonic"]
        assert logistic["low"] <= even <= logistic["high"]
        assert isotonic["low"] <= np.ceil(even) <= isotonic["high"]
        assert isotonic["high"] - isotonic["low"] <= 2


def test_products_of_small_columns_may_be_large(folder: Path) -> None:
    power = " * ".join(["(trumps + 20)"] * 4)
    expected = win_rates(folder, where="trumps >= 6")
    assert expected["n"].sum() < win_rates(folder)["n"].sum()
    assert win_rates(folder, where=f"{power} >= {26**4}").equals(expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "trumsp"}, "by: there is no 'trumsp': did you mean 'trumps'?"),
        ({"contracts": "dreyer"}, "contract: there is no 'dreyer': did you mean 'dreier'?"),
        ({"where": "trumpz > 3"}, "where: there is no 'trumpz': did you mean 'trumps'?"),
        ({"where": "trumps >"}, "'trumps >' is not a condition, expected"),
        ({"where": "open('x')"}, 'is not understood, expected'),
        ({"where": "contract in 'dreier'"}, "\"'dreier'\" is not understood, expected"),
        ({"where": "trumps"}, "does not fit its columns"),
        ({"where": "trumps > 'a'"}, "does not fit its columns"),
        ({"where": f"trumps > {10**30}"}, "does not fit its columns"),
        ({"by": "deal"}, "by: there is no 'deal'"),
        ({"confidence": 95}, "confidence: 95, expected a number between 0 and 1"),
    ],
)  # fmt: skip
def test_faulty_questions(folder: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(SummaryError) as raised:
        win_rates(folder, **options)
    assert message in str(raised.value)


def test_a_threshold_needs_a_number(folder: Path) -> None:
    with pytest.raises(SummaryError, match="by: suit_shape is no number"):
        threshold(folder, "suit_shape")


def test_a_missing_or_damaged_shard_is_named(tmp_path: Path) -> None:
    folder = made_up_study(tmp_path / "study", 20, 2)
    shard = folder / "shard-00001.parquet"
    shard.write_bytes(shard.read_bytes()[:900])
    with pytest.raises(SummaryError, match="run the study again"):
        win_rates(folder)
    shard.unlink()
    with pytest.raises(SummaryError, match="run the study again"):
        win_rates(folder)


def peak(folder: Path) -> int:
    """Return the most bytes that Arrow and Python hold at a time while a study is summed up."""
    pool = pa.proxy_memory_pool(pa.default_memory_pool())
    before = pa.default_memory_pool()
    pa.set_memory_pool(pool)
    tracemalloc.start()
    try:
        win_rates(folder, ("trumps", "kings"))
        score_means(folder, "trumps")
        paired(folder)
        return int(pool.max_memory() + tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
        pa.set_memory_pool(before)


def test_memory_does_not_grow_with_the_study(tmp_path: Path) -> None:
    small, large = (made_up_study(tmp_path / str(n), 20_000, n) for n in (2, 12))
    peak(small)  # what is loaded and kept once
    assert peak(large) < 1.5 * peak(small)
