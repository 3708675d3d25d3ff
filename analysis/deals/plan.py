"""Which conditions are met by construction, and which by drawing again."""

from __future__ import annotations

from collections.abc import Sequence

from trull.analysis.deals.counting import MOST_BRANCHES, DealNumbering, Place, TooManyCases
from trull.analysis.deals.deal import DealError
from trull.analysis.deals.expression import Clause
from trull.analysis.deals.formula import All, linear_cases
from trull.analysis.deals.possible import is_possible

_SHARE = 3
"""Where not all can be counted together, many counts are made, each with a third of the limit."""


class Plan:
    """Divides clauses into those met by construction and the others.

    All clauses with a formula are met by construction; where that count would take too long, as
    many as it can take, the rarest first.

    Args:
        places: the places of the game.
        clauses: what a deal must meet.
        limit: the most branches that a count may take.

    Raises `DealError` when the count shows that no deal does.

    Attributes:
        numbering: the deals to draw from.
        constructed: the clauses that they all meet.
        rejecting: the other clauses.
    """

    def __init__(
        self, places: Sequence[Place], clauses: Sequence[Clause], limit: int = MOST_BRANCHES
    ) -> None:
        """Count the deals."""
        self._places = places
        self._limit = limit
        counted = [clause for clause in clauses if clause.formula is not None]
        numbering = self._counted(counted)
        if numbering is None:
            self._limit //= _SHARE
            self._check_possible(counted)
            counted, numbering = self._rarest(counted)
        self.numbering = numbering
        self.constructed = tuple(counted)
        self.rejecting = tuple(clause for clause in clauses if clause not in counted)

    def _check_possible(self, clauses: Sequence[Clause]) -> None:
        """Refuse clauses that contradict each other, though their deals cannot be counted."""
        try:
            cases = linear_cases(_all(clauses))
        except TooManyCases:
            return
        if not any(is_possible(self._places, case) for case in cases):
            raise DealError(_contradiction(clauses))

    def _numbering(self, clauses: Sequence[Clause]) -> DealNumbering:
        return DealNumbering(self._places, linear_cases(_all(clauses)), self._limit)

    def _counted(self, clauses: Sequence[Clause]) -> DealNumbering | None:
        """Return the deals that meet clauses, or `None` when counting them would take too long."""
        try:
            numbering = self._numbering(clauses)
        except TooManyCases:
            return None
        if not numbering.count:
            raise DealError(_contradiction(self._fewest(list(clauses))))
        return numbering

    def _rarest(self, clauses: Sequence[Clause]) -> tuple[list[Clause], DealNumbering]:
        """Return clauses that can be met together by construction, tried from the rarest on."""
        alone = [(clause, self._counted([clause])) for clause in clauses]
        counts = [
            (found.count, turn, clause) for turn, (clause, found) in enumerate(alone) if found
        ]
        chosen: list[Clause] = []
        numbering = DealNumbering(self._places)
        for _, _, clause in sorted(counts, key=lambda entry: entry[:2]):
            more = self._counted([*chosen, clause])
            if more is not None:
                chosen, numbering = [*chosen, clause], more
        return chosen, numbering

    def _fewest(self, clauses: list[Clause]) -> list[Clause]:
        """Return clauses that contradict each other without any that is not needed for that."""
        for clause in list(clauses):
            others = [other for other in clauses if other is not clause]
            try:
                if not self._numbering(others).count:
                    clauses = others
            except TooManyCases:
                continue
        return clauses


def _all(clauses: Sequence[Clause]) -> All:
    return All(tuple(clause.formula for clause in clauses if clause.formula is not None))


def _contradiction(clauses: Sequence[Clause]) -> str:
    words = "; ".join(clause.text for clause in clauses)
    if len(clauses) == 1:
        return f"no deal meets this condition: {words}"
    return f"no deal meets these conditions together: {words}"
