"""What all figures have in common: colours, style, and how they become files."""

from __future__ import annotations

import re
from hashlib import sha256
from io import BytesIO
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

INK, GREY, FAINT = "#333333", "#8a8a8a", "#dddddd"
RATE, MEAN, BAND = "#2f5d8c", "#8c4a2f", "#e9c46a"
STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.labelcolor": INK,
    "axes.edgecolor": GREY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.fonttype": "none",
    "svg.hashsalt": "trull",
}
_ID = re.compile(rb"\b[a-z][0-9a-f]{10}\b")


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of so many inches, without the global state of pyplot."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def settled(figure: Figure) -> Figure:
    """Lay out a figure for good, so that it is not done again for each kind of file."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return figure


def rendered(figure: Figure, form: Literal["png", "svg"]) -> bytes:
    """Return a figure as the bytes of a file, the same each time."""
    buffer = BytesIO()
    with mpl.rc_context(STYLE):
        metadata = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
        figure.savefig(buffer, format=form, dpi=150, metadata=metadata)
    return _with_plain_ids(buffer.getvalue()) if form == "svg" else buffer.getvalue()


def _with_plain_ids(svg: bytes) -> bytes:
    """Return an SVG in which only what is referred to has an id.

    The ids are digests of what they name, so that figures can share a page; some of them depend on
    addresses in memory, however.
    """
    without = re.sub(rb' id="[\w.]+_\d+"', b"", svg)
    names: dict[bytes, bytes] = {}
    digest = sha256(_ID.sub(b"", without)).hexdigest()[:8].encode()
    return _ID.sub(
        lambda m: names.setdefault(m[0], b"%s-%d" % (b"f" + digest, len(names))), without
    )


def bars(middle: Any, low: Any, high: Any) -> Any:
    """Return the lengths of error bars, none where there is no interval."""
    return np.nan_to_num(np.maximum(np.stack([middle - low, high - middle]), 0))


def marks(colour: str) -> dict[str, Any]:
    """Return the style of points with error bars."""
    return {"fmt": "o", "color": colour, "markersize": 4.5, "elinewidth": 1.1, "capsize": 2,
            "zorder": 3}  # fmt: skip
