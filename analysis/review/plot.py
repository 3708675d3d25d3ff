"""The value along a game as a picture."""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from trull.analysis.notation import UNICODE
from trull.analysis.review.record import PlayedCard, Review
from trull.analysis.review.wording import ASSUMPTION, threshold, value_title

_INK, _GREY, _FAINT = "#333333", "#8a8a8a", "#e4e4e4"
_LINE, _LOSS, _GIFT = "#2f5d8c", "#b03a2e", "#2e7d4f"
_SEATS = ("#2f5d8c", "#8c4a2f", "#2e7d4f", "#7a4f9a")
_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.edgecolor": _GREY,
    "axes.labelcolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": _INK,
    "text.parse_math": False,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "svg.fonttype": "none",
    "svg.hashsalt": "trull",
}
_INCHES_A_CARD = 0.2
_HEIGHT = 5.0


def save_plot(review: Review, path: Path) -> None:
    """Draw the value along a game into a file, PNG or SVG by its ending, the same each time.

    The file is written under another name and then renamed. Raises `OSError` when it cannot be.
    """
    form = path.suffix[1:].lower()
    metadata = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}.partial")
    try:
        with mpl.rc_context(_STYLE):
            figure = draw(review)
            figure.savefig(partial, format=form, dpi=150, metadata=metadata)
        os.replace(partial, path)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise


def draw(review: Review) -> Figure:
    """Return the value along a game: a step a card, with every card that cost something."""
    width = max(5.5, 1.5 + _INCHES_A_CARD * len(review.cards))
    figure = Figure(figsize=(width, _HEIGHT), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    _draw_tricks(axes, review)
    _draw_courses(axes, review)
    _draw_threshold(axes, review)
    for card in review.errors:
        _draw_error(axes, review, card)
    _draw_turning_point(axes, review)
    figure.legend(loc="outside lower right", ncols=4, frameon=False, fontsize=8)
    _set_scale(axes, review)
    title = f"{review.position.book.title}: {review.position.contract}"
    if review.position.id is not None:
        title += f"   {UNICODE.words(str(review.position.id))}"
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    axes.set_title(ASSUMPTION, loc="left", fontsize=7.5, color=_GREY)
    return figure


def _draw_tricks(axes: Axes, review: Review) -> None:
    """Part the tricks, and number them below."""
    seats, cards = review.position.seats, len(review.cards)
    for place in range(0, cards + 1, seats):
        axes.axvline(place, color=_FAINT, linewidth=0.8, zorder=0)
    begins = range(0, cards, seats)
    axes.set_xticks(
        [begin + min(seats, cards - begin) / 2 for begin in begins],
        [str(review.cards[begin].trick) for begin in begins],
    )
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(0, cards)
    axes.set_xlabel("Trick")


def _draw_courses(axes: Axes, review: Review) -> None:
    names = [f"seat {seat}" for seat in range(len(review.courses))] if review.everyone else [None]
    colours = _SEATS if review.everyone else (_LINE,)
    for name, course, colour in zip(names, review.courses, colours, strict=False):
        # A value holds from its card up to the next one, which stands in the middle of its place.
        places = [0.0, *(number + 0.5 for number in range(len(review.cards))), len(review.cards)]
        values = [int(value) for value in (*course, course[-1])]
        axes.step(places, values, where="post", color=colour, linewidth=1.6, label=name)
    if not review.everyone:
        for label, colour in (("declaring side loses", _LOSS), ("opponents lose", _GIFT)):
            axes.plot([], [], "o", color=colour, markersize=4, label=label)


def _draw_threshold(axes: Axes, review: Review) -> None:
    """Draw the line that decides the contract, where it is one of points."""
    needed = threshold(review)
    if needed is None:
        return
    axes.axhline(needed, color=_GREY, linewidth=1, linestyle="--")
    axes.annotate(f"{needed} needed", (0, needed), (3, 3), textcoords="offset points",
                  color=_GREY, fontsize=8)  # fmt: skip


def _draw_error(axes: Axes, review: Review, card: PlayedCard) -> None:
    """Mark a card that cost something, with its name and cost beside the step."""
    before, after = int(card.before), int(card.after)
    own = review.everyone or card.seat in review.position.side
    colour = _SEATS[card.seat] if review.everyone else _LOSS if own else _GIFT
    place = card.number - 0.5
    axes.plot([place], [after], "o", color=colour, markersize=4, zorder=3)
    rises = after > before
    name = f"{UNICODE.card(card.card).plain}  seat {card.seat}"
    change = (
        "" if review.unit == "bool" else f"  {after - before:+d}".replace("-", "\N{MINUS SIGN}")
    )
    axes.annotate(
        name + change,
        (place, after),
        (0, 6 if rises else -6),
        textcoords="offset points",
        rotation=90,
        ha="center",
        va="bottom" if rises else "top",
        fontsize=7,
        color=colour,
        bbox={"color": "white", "alpha": 0.6, "pad": 0.5},
    )


def _draw_turning_point(axes: Axes, review: Review) -> None:
    turn = review.turning_point
    if turn is not None:
        place, value = turn.number - 0.5, int(review.courses[0][turn.number])
        axes.plot([place], [value], "o", color=_INK, markersize=10, mfc="none",
                  label="turning point")  # fmt: skip


def _set_scale(axes: Axes, review: Review) -> None:
    """Leave room for the labels, and mark whole numbers or the two verdicts."""
    values = [int(value) for course in review.courses for value in course]
    needed = threshold(review)
    values += [] if needed is None else [needed]
    low, high = min(values), max(values)
    room = 0.45 * max(high - low, 1)
    axes.set_ylim(low - room, high + room)
    axes.set_ylabel(value_title(review))
    if review.unit == "bool":
        axes.set_yticks([0, 1], ["lost", "made"])
    else:
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
