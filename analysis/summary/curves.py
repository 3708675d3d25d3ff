"""Win rate and mean of a game by one feature, with error bars and sample sizes."""

from __future__ import annotations

from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from trull.analysis.summary.columns import meaning
from trull.analysis.summary.drawing import BAND, FAINT, GREY, MEAN, RATE, bars, marks, new_figure
from trull.analysis.summary.findings import Findings
from trull.analysis.summary.tables import label
from trull.analysis.summary.wording import noun

_MOST_NUMBERS = 16  # cells along an axis that are labelled with their sample size


def curves(findings: Findings, table: pd.DataFrame, feature: str, game: str) -> Figure:
    """Draw the outcomes of a game by a feature, and the threshold as a band behind them."""
    values = table[feature]
    counted = pd.api.types.is_numeric_dtype(values) and not values.isna().any()
    place = values.to_numpy(np.float64) if counted else np.arange(len(table), dtype=np.float64)
    kinds = [
        kind
        for kind, known in (("win", "n"), ("score", "score_n"), ("value", "value_n"))
        if table[known].any()
    ]
    kinds = [kind for kind in kinds if kind != "value" or "score" not in kinds]
    figure = new_figure(4.6 * max(1, len(kinds)), 3.6 if counted else 4.2)
    inside = f"{100 * findings.confidence:.4g} %"
    heading = f"{findings.title(game)}, with {inside} intervals"
    figure.suptitle(heading, x=0.01, ha="left", fontsize=11)
    if meaning(feature) != noun(feature):
        words = fill(f"{noun(feature)}: {meaning(feature)}", 52 * max(1, len(kinds)))
        figure.supxlabel(words, fontsize=7.5, color=GREY)
    if not kinds:
        return figure
    grid = figure.subplots(
        2, len(kinds), sharex="col", squeeze=False, gridspec_kw={"height_ratios": [5, 1]}
    )
    for kind, (upper, lower) in zip(kinds, grid.T, strict=True):
        _curve(upper, findings, table, kind, place, game)
        _sizes(lower, table["n" if kind == "win" else f"{kind}_n"], place)
        lower.set_xlabel(noun(feature))
        if counted:
            lower.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        else:
            lower.set_xticks(place, map(label, values), rotation=90)
    for ax in grid[0]:
        _shade_threshold(ax, findings, feature, game)
    return figure


def _curve(
    ax: Axes, findings: Findings, table: pd.DataFrame, kind: str, place: Any, game: str
) -> None:
    """Draw one outcome by a feature; few samples are drawn hollow."""
    middle = {"win": "win_rate"}.get(kind, kind)
    colour = RATE if kind == "win" else MEAN
    ends = [table[name].to_numpy(np.float64) for name in (middle, f"{kind}_low", f"{kind}_high")]
    few = table["few"].to_numpy(bool)
    for hollow in (False, True):
        chosen = few == hollow
        if chosen.any():
            at, low, high = (column[chosen] for column in ends)
            style = marks(colour) | ({"mfc": "white"} if hollow else {})
            ax.errorbar(place[chosen], at, yerr=bars(at, low, high), **style)
    ax.grid(axis="y", color=FAINT, linewidth=0.6)
    if kind == "win":
        ax.set_title("Win rate")
        ax.set_ylim(-0.03, 1.03)
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        return
    if kind == "score":
        ax.axhline(0, color=GREY, linewidth=0.9)
    unit = findings.units.get(game, "")
    name = "score" if kind == "score" else {"face": "points"}.get(unit, unit)
    ax.set_title(f"Mean {name}")


def _sizes(ax: Axes, counts: pd.Series, place: Any) -> None:
    """Draw how many rows each cell has."""
    heights = counts.to_numpy(np.float64)
    ax.bar(place, heights, color=FAINT, width=0.7)
    if len(heights) <= _MOST_NUMBERS:
        for x, n in zip(place, heights, strict=True):
            ax.annotate(f"{n:.0f}", (x, n), (0, 1), textcoords="offset points", ha="center",
                        va="bottom", fontsize=6.5, color=GREY)  # fmt: skip
    ax.set_ylim(0, 1.45 * max(heights.max(), 1))
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.set_ylabel("n", rotation=0, labelpad=8, color=GREY)


def _threshold(findings: Findings, feature: str, game: str) -> Any | None:
    """Return the row of the threshold that is drawn."""
    for row in findings.thresholds.itertuples():
        if (row.game, row.feature, row.method) == (game, feature, "isotonic"):
            return row if row.verdict == "crosses" else None
    return None


def _shade_threshold(ax: Axes, findings: Findings, feature: str, game: str) -> None:
    """Draw the threshold with its interval as a band behind the points."""
    row = _threshold(findings, feature, game)
    if row is None:
        return
    left, right = ax.get_xlim()
    low, high = (float(np.clip(end, left, right)) for end in (row.low, row.high))
    ax.axvspan(low - 0.15, high + 0.15, color=BAND, alpha=0.35, linewidth=0, zorder=0)
    ax.axvline(row.threshold, color=BAND, linewidth=1.4, zorder=0.5)
    ax.set_xlim(left, right)
    what = "mean score positive" if row.criterion == "score" else "win rate above 50 %"
    words = f"yellow: {what} {row.side} {row.threshold:.0f}"
    ax.set_title(words, loc="right", fontsize=7.5, color=GREY)
