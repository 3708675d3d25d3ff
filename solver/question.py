"""What is asked about a position, and how the kernel's numbers answer it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trull.solver.position import Position
from trull.solver.rules import Contract

Objective = Literal["points", "tricks", "made"]
Measure = Literal["points", "tricks"]
Value = int | bool

OBJECTIVES: tuple[Objective, ...] = ("points", "tricks", "made")


class Unsolvable(ValueError):
    """A position or question that the solver has no answer to; the message says why."""


@dataclass(frozen=True, slots=True)
class Question:
    """An objective for one position.

    Attributes:
        objective: `points`, `tricks` or `made`.
        measure: what the kernel sums up for it, `points` or `tricks`.
        unit: the unit of the value.
        threshold: for `made`, what the sum must reach; else `None`.
    """

    objective: Objective
    measure: Measure
    unit: str
    threshold: int | None

    @classmethod
    def about(cls, position: Position, objective: Objective | None) -> Question:
        """Return the question; `None` asks for the contract's own objective.

        Raises `Unsolvable` for a contract or objective without an answer.
        """
        rules, book = position.rules, position.book
        if not _searchable(rules):
            raise Unsolvable(f"contract: {rules.name} cannot be solved yet")
        chosen = objective or ("points" if rules.counts_points else "tricks")
        if chosen not in OBJECTIVES:
            raise Unsolvable(f"objective: expected {', '.join(OBJECTIVES)}, got {chosen!r}")
        if chosen == "made":
            return cls("made", "points", "bool", book.threshold)
        if chosen == "tricks":
            return cls("tricks", "tricks", "tricks", None)
        return cls("points", "points", book.unit, None)

    def value(self, total: int) -> Value:
        """Return the answer that a proven sum (or bound of it) gives."""
        return total if self.threshold is None else total >= self.threshold


def _searchable(rules: Contract) -> bool:
    return (
        rules.goal == "majority"
        and rules.bird is None
        and rules.sides in ("partner", "alone")
        and rules.fool == "trump"
        and rules.trump_power
        and rules.overtaking == "none"
        and not rules.pagat
    )
