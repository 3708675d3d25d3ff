"""Win rates and means of the cells that features make."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from trull.analysis.summary.intervals import FEW, mean_interval, wilson
from trull.analysis.summary.scanning import COUNT


def rate_table(tally: pd.DataFrame, keys: Sequence[str], confidence: float) -> pd.DataFrame:
    """Return how often contracts are made, a row for each cell.

    Args:
        tally: counts of `keys` and `made`; rows in which `made` is missing do not count.
        keys: the columns that make a cell.
        confidence: of the Wilson intervals.

    Returns the columns `keys`, `n`, `made`, `win_rate`, `low`, `high`, `few`.
    """
    known = tally[tally["made"].notna()]
    known = known.assign(won=known[COUNT].where(known["made"].astype(bool), 0))
    cells = known.groupby(list(keys), dropna=False, observed=True)[[COUNT, "won"]].sum()
    table = cells.astype("int64").rename(columns={COUNT: "n", "won": "made"}).reset_index()
    table["win_rate"] = table["made"] / table["n"]
    table["low"], table["high"] = wilson(table["made"], table["n"], confidence)
    table["few"] = table["n"] < FEW
    return table


def mean_table(
    tally: pd.DataFrame, of: str, keys: Sequence[str], confidence: float
) -> pd.DataFrame:
    """Return the mean of a number, a row for each cell.

    Args:
        tally: counts of `keys` and `of`; rows in which `of` is missing do not count.
        of: the column, `score` or `value`.
        keys: the columns that make a cell.
        confidence: of Student's intervals.

    Returns the columns `keys`, `n`, `mean`, `sd`, `low`, `high`, `few`.
    """
    known = tally[tally[of].notna()]
    keys = list(keys)
    weight, number = known[COUNT].astype("float64"), known[of].astype("float64")
    groups = [known[key] for key in keys]

    def total(column: pd.Series) -> pd.Series:
        return column.groupby(groups, dropna=False, observed=True).transform("sum")

    mean = total(weight * number) / total(weight)
    cells = known[keys].assign(
        n=known[COUNT].astype("int64"),
        mean=mean,
        squares=weight * (number - mean) ** 2,
    )
    table = (
        cells.groupby(keys, dropna=False, observed=True)
        .agg({"n": "sum", "mean": "first", "squares": "sum"})
        .reset_index()
    )
    freedom = np.where(table["n"] > 1, table["n"] - 1, np.nan)
    table["sd"] = np.sqrt(table.pop("squares") / freedom)
    table["low"], table["high"] = mean_interval(table["n"], table["mean"], table["sd"], confidence)
    table["few"] = table["n"] < FEW
    return table
