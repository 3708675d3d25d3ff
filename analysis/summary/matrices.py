"""Heat tables of a game by two features."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, TwoSlopeNorm
from matplotlib.figure import Figure

from trull.analysis.summary.drawing import INK, new_figure
from trull.analysis.summary.findings import By
from trull.analysis.summary.intervals import FEW
from trull.analysis.summary.wording import noun

_LUMA = (0.299, 0.587, 0.114)  # weights of red, green and blue in brightness
_LARGEST = 14.0  # inches of a matrix
_MOST_CELLS = 150  # cells that are labelled
_KINDS = (
    ("Win rate, %", "win_rate", "n"),
    ("Mean score", "score", "score_n"),
    ("Mean value", "value", "value_n"),
)
"""Of each heat table its title, the column that it shows and that of the sample size."""


def matrices(table: pd.DataFrame, by: By, title: str) -> Figure:
    """Draw win rate and mean score, or else the mean value, of a game by two features."""
    kinds = [kind for kind in _KINDS if table[kind[2]].any()]
    if len(kinds) == len(_KINDS):
        kinds.pop()
    rows, columns = (sorted(table[name].dropna().unique()) for name in by)
    width = max(3.6, 0.52 * len(columns) + 1.6)
    height = min(max(2.6, 0.36 * len(rows) + 1.6), _LARGEST)
    figure = new_figure(min(width, _LARGEST) * max(1, len(kinds)), height)
    figure.suptitle(
        f"{title}, with the number of rows; pale where fewer than {FEW}",
        x=0.01,
        ha="left",
        fontsize=11,
    )
    grid = figure.subplots(1, max(1, len(kinds)), squeeze=False)[0]
    for ax, (heading, column, count) in zip(grid, kinds, strict=False):
        wide = table.pivot(index=by[0], columns=by[1], values=[column, count])
        numbers, counts = (
            wide[name].reindex(index=rows, columns=columns).to_numpy(np.float64)
            for name in (column, count)
        )
        _matrix(ax, numbers, np.nan_to_num(counts), column)
        ax.set_title(heading)
        turned = 90 if max(len(str(name)) for name in columns) > 3 else 0
        ax.set_xticks(range(len(columns)), map(str, columns), rotation=turned)
        ax.set_yticks(range(len(rows)), map(str, rows))
        ax.set_xlabel(noun(by[1]))
        ax.set_ylabel(noun(by[0]))
    return figure


def _matrix(
    ax: Axes, numbers: npt.NDArray[np.float64], counts: npt.NDArray[np.float64], column: str
) -> None:
    largest = max(float(np.nanmax(np.abs(numbers), initial=0)), 1e-9)
    norm: Normalize = {
        "win_rate": Normalize(0, 1.3),
        "score": TwoSlopeNorm(0, -1.5 * largest, 1.5 * largest),
    }.get(column, Normalize(float(np.nanmin(numbers)), float(np.nanmax(numbers))))
    colours = {"win_rate": "Blues", "score": "RdBu"}.get(column, "Blues")
    pale = np.where(counts < FEW, 0.45, 1.0)
    image = ax.imshow(numbers, cmap=colours, norm=norm, aspect="auto", alpha=pale)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    if numbers.size > _MOST_CELLS:
        ax.figure.colorbar(image, ax=ax)
        return
    for (i, j), value in np.ndenumerate(numbers):
        if not np.isnan(value):
            *colour, _ = image.cmap(norm(value))
            dark = np.dot(colour, _LUMA) * pale[i, j] + 1 - pale[i, j] < 0.5
            shown = f"{100 * value:.0f}" if column == "win_rate" else f"{value:.0f}"
            style: Any = {"ha": "center", "va": "center", "color": "white" if dark else INK}
            ax.annotate(f"{shown}\n", (j, i), fontsize=7.5, **style)
            ax.annotate(f"\n{counts[i, j]:.0f}", (j, i), fontsize=5.5, **style)
