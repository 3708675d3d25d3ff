"""Games of everyone in a table: what a seat scores with the points it can hold itself to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from trull.analysis.makeable.cell import Found
from trull.solver import rulebooks
from trull.solver.settlement import Score, payment_lines, totals


def least_score(points: Found, seat: int) -> Found:
    """Return the least that a seat scores when it takes no more points than it must.

    Args:
        points: the fewest points that the seat can hold itself to.
        seat: the seat.
    """
    position = points.exchanged.position
    worst, best = (
        least_score_with(position.variant, position.contract, position.seats, seat, int(own or 0))
        for own in (points.upper, points.lower)
    )
    return replace(points, objective="score", lower=worst, upper=best, nodes=0)


@cache
def least_score_with(variant: str, contract: str, seats: int, seat: int, thirds: int) -> Score:
    """Return the least that a seat scores with its points, however the others fall.

    Args:
        variant: the rule book's identifier.
        contract: a game of everyone.
        seats: the number of players.
        seat: the seat.
        thirds: its points; without any it has no trick, as every card counts.

    >>> [least_score_with("slovenian", "klop", 3, 0, thirds) for thirds in (0, 60, 120)]
    [70, -20, -70]
    """
    book = rulebooks.variant(variant)
    rules = rulebooks.contract(variant, contract)
    least: Score | None = None
    for others in _splits(sum(book.weights) - thirds, seats - 1):
        for turn in range(seats - 1):
            points = list(others[turn:] + others[:turn])
            points.insert(seat, thirds)
            tricks = tuple(min(own, 1) for own in points)
            own = totals(payment_lines(book, rules, tuple(points), tricks), seats)[seat]
            least = own if least is None else min(least, own)
    assert least is not None
    return least


def _splits(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to split a number in parts, the largest first."""
    if parts == 1:
        yield (total,)
        return
    for first in range(-(-total // parts), total + 1):
        for rest in _splits(total - first, parts - 1):
            if rest[0] <= first:
                yield (first, *rest)
