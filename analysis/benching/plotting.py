"""The distribution of time over the deals, as a figure."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from trull.analysis.benching.measuring import QUANTILES
from trull.analysis.benching.record import Row

_BINS = 30
_INK, _FAINT = "#2f5d8c", "#8a8a8a"


def plot(rows: Sequence[Row], title: str, path: Path) -> None:
    """Draw a histogram of the times and the share of deals that take at most so long.

    Args:
        rows: what each deal cost.
        title: what stands above.
        path: a file that ends in `.png` or `.svg`; it is written as a whole or not at all.
    """
    with mpl.rc_context({"svg.hashsalt": "trull", "font.size": 9}):
        figure = _figure(np.maximum([row.ms for row in rows], 1e-3), title)
        unfinished = path.with_name(path.name + ".part")
        try:
            figure.savefig(unfinished, format=path.suffix[1:].lower(), dpi=150)
            os.replace(unfinished, path)
        finally:
            unfinished.unlink(missing_ok=True)


def _figure(ms: np.ndarray[tuple[int], np.dtype[np.float64]], title: str) -> Figure:
    figure = Figure(figsize=(7, 5), layout="constrained")
    FigureCanvasAgg(figure)
    above, below = figure.subplots(2, 1, sharex=True)
    low, high = np.log10(ms.min()) - 0.05, np.log10(ms.max()) + 0.05
    above.hist(ms, bins=list(np.logspace(low, high, _BINS + 1)), color=_INK)
    above.set(title=title, ylabel="deals", xscale="log")
    above.yaxis.set_major_locator(MaxNLocator(integer=True))
    share = np.arange(1, len(ms) + 1) / len(ms)
    below.step(np.sort(ms), share, where="post", color=_INK)
    for quantile in QUANTILES:
        value = float(np.percentile(ms, quantile))
        below.axvline(value, color=_FAINT, linewidth=0.8)
        below.annotate(
            f"{quantile} %", (value, 0.02), rotation=90, ha="right", va="bottom", color=_FAINT
        )
    below.set(xlabel="milliseconds", ylabel="share of deals", ylim=(0, 1.02))
    return figure
