"""The figures of a report."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from trull.analysis.summary.curves import curves
from trull.analysis.summary.drawing import (
    FAINT,
    GREY,
    MEAN,
    RATE,
    STYLE,
    bars,
    marks,
    new_figure,
    settled,
)
from trull.analysis.summary.findings import By, Findings
from trull.analysis.summary.matrices import matrices
from trull.analysis.summary.tables import pair_names

_DIFFERENCES = (
    ("Difference of mean score", "n", ("difference", "low", "high"), MEAN, 1),
    (
        "Difference of win rate, percentage points",
        "rate_n",
        ("rate_difference", "rate_low", "rate_high"),
        RATE,
        100,
    ),
)
"""Of each panel the title, the column of the sample size, those of the interval, colour, scale."""


def cell_figure(findings: Findings, by: By, game: str) -> Figure:
    """Draw win rate and mean of a game by one feature, or as a matrix by two."""
    table = findings.cells[by]
    table = table[table["game"] == game]
    with mpl.rc_context(STYLE):
        if len(by) == 2:
            return settled(matrices(table, by, findings.title(game)))
        return settled(curves(findings, table, by[0], game))


def pairs_figure(findings: Findings) -> Figure:
    """Draw the differences between games with their intervals."""
    pairs = findings.pairs
    names = pair_names(findings)
    kinds = [kind for kind in _DIFFERENCES if pairs[kind[1]].any()]
    with mpl.rc_context(STYLE):
        figure = new_figure(4.2 * len(kinds) + 2, 1.2 + 0.32 * len(names))
        axes = figure.subplots(1, len(kinds), sharey=True, squeeze=False)[0]
        for ax, (title, _, columns, colour, scale) in zip(axes, kinds, strict=True):
            middle, low, high = (scale * pairs[name].to_numpy(np.float64) for name in columns)
            ax.axvline(0, color=GREY, linewidth=0.8)
            place = np.arange(len(names))
            ax.errorbar(middle, place, xerr=bars(middle, low, high), **marks(colour))
            ax.set_title(title)
            ax.grid(axis="x", color=FAINT, linewidth=0.6)
        axes[0].set_yticks(range(len(names)), names)
        axes[0].invert_yaxis()
        axes[0].set_ylim(len(names) - 0.5, -0.5)
        return settled(figure)
