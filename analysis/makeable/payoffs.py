"""From the cells of a table to what every seat scores."""

from __future__ import annotations

from collections.abc import Iterable

from trull.analysis.makeable.auction import NoPar, Payoffs
from trull.analysis.makeable.cell import Cell, Found
from trull.solver.settlement import Score


def payoffs_of(cells: Iterable[Cell]) -> Payoffs:
    """Return what every contract pays to every seat, for the auction.

    Raises `NoPar` when a score is not proven.
    """
    payoffs: dict[tuple[str, int], tuple[Score, ...]] = {}
    shared: dict[str, dict[int, Score]] = {}
    for cell in cells:
        if cell.closed is not None:
            continue
        if cell.score is None or not cell.score.exact:
            raise NoPar(f"the score of seat {cell.seat} in {cell.contract} is not proven")
        if cell.score.exchanged.position.rules.sides == "everyone":
            shared.setdefault(cell.contract, {})[cell.seat] = cell.score.lower
        else:
            payoffs[cell.contract, cell.seat] = scores_of(cell.score)
    for contract, own in shared.items():
        payoffs |= {(contract, seat): tuple(own[at] for at in sorted(own)) for seat in own}
    return payoffs


def scores_of(found: Found) -> tuple[Score, ...]:
    """Return what every seat scores when the declarer scores what was found.

    Where scores are paid they add up to 0: a lone declarer settles with every opponent, of two
    and two each scores the same. Else the declaring side writes, and its opponents 0. A penalty
    of the declarer alone, which is part of his score, is shared like the rest of it.

    Args:
        found: a proven score of a declarer.
    """
    position, score = found.exchanged.position, found.lower
    opponents = position.seats - len(position.side)
    if not position.book.paid:
        theirs: Score = 0
    elif len(position.side) == opponents:
        theirs = -score
    else:
        theirs = -score // opponents
    return tuple(score if seat in position.side else theirs for seat in range(position.seats))
