"""From the cells of a table to what every seat scores."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from trull.analysis.makeable.auction import NoPar, Payoffs, Scores
from trull.analysis.makeable.cell import Cell, Found
from trull.solver.settlement import Score


class PayoffBounds(NamedTuple):
    """The least and the most that every contract may pay to every seat."""

    least: Payoffs
    most: Payoffs


def payoffs_of(cells: Iterable[Cell]) -> PayoffBounds:
    """Return what every contract pays to every seat, for the auction.

    Raises `NoPar` for a cell without a score.
    """
    least: dict[tuple[str, int], Scores] = {}
    most: dict[tuple[str, int], Scores] = {}
    everyone: dict[str, dict[int, tuple[Score | float, Score | float]]] = {}
    for cell in cells:
        if cell.closed is not None:
            continue
        if cell.score is None:
            raise NoPar(f"{cell.contract} of seat {cell.seat} has no score")
        lower, upper = cell.score.lower, cell.score.upper
        bounds = -math.inf if lower is None else lower, math.inf if upper is None else upper
        if cell.score.exchanged.position.rules.sides == "everyone":
            everyone.setdefault(cell.contract, {})[cell.seat] = bounds
        else:
            ends = [scores_of(cell.score, bound) for bound in bounds]
            place = cell.contract, cell.seat
            least[place], most[place] = (tuple(map(pick, *ends)) for pick in (min, max))
    for contract, own in everyone.items():
        lowest, highest = zip(*(own[seat] for seat in sorted(own)), strict=True)
        least |= {(contract, seat): lowest for seat in own}
        most |= {(contract, seat): highest for seat in own}
    return PayoffBounds(least, most)


def scores_of(found: Found, score: Score | float) -> Scores:
    """Return what every seat scores when the declarer scores so much.

    Where scores are paid they add up to 0: a lone declarer settles with every opponent, of two
    and two each scores the same. Else the declaring side writes, and its opponents 0. A penalty
    of the declarer alone, which is part of his score, is shared like the rest of it.

    Args:
        found: a score of a cell with a declaring side, for its position.
        score: what the declarer scores.
    """
    position = found.exchanged.position
    opponents = position.seats - len(position.side)
    if not position.book.paid:
        theirs: Score | float = 0
    elif len(position.side) == opponents:
        theirs = -score
    else:
        theirs = -score if math.isinf(score) else -score // opponents
    return tuple(score if seat in position.side else theirs for seat in range(position.seats))
