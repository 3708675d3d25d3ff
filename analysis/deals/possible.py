"""Whether linear conditions can be met at all, where counting the deals would take too long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trull.analysis.deals.counting import Linear, Place, boxes_of, classes_of

_INFEASIBLE = 2
_SECONDS = 5.0


def is_possible(places: Sequence[Place], conditions: Sequence[Linear]) -> bool:
    """Return whether a deal may meet the conditions; false only when none does.

    The numbers of cards of each class in each box are the unknowns of an integer program. One
    that is not solved in a few seconds counts as possible.
    """
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp

    boxes = boxes_of([place.size for place in places], conditions)
    classes = classes_of(boxes, conditions)
    shape = (len(classes), len(boxes))
    rows, lows, highs = [], [], []

    def require(row: Any, low: float, high: float) -> None:
        rows.append(np.ravel(row))
        lows.append(low)
        highs.append(high)

    for turn, (cards, _) in enumerate(classes):
        row = np.zeros(shape)
        row[turn] = 1
        require(row, len(cards), len(cards))
    for turn, box in enumerate(boxes):
        row = np.zeros(shape)
        row[:, turn] = 1
        require(row, box.room, box.room)
    for turn, condition in enumerate(conditions):
        require([weights[turn] for _, weights in classes], *condition.range)
    found = milp(
        np.zeros(shape[0] * shape[1]),
        integrality=np.ones(shape[0] * shape[1]),
        bounds=Bounds(0, np.inf),
        constraints=LinearConstraint(np.array(rows), lows, highs),
        options={"time_limit": _SECONDS},
    )
    return bool(found.status != _INFEASIBLE)
