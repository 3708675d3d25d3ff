"""What the solver says about a position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trull.solver import cards
from trull.solver.interchange import copied
from trull.solver.position import Position
from trull.solver.question import Objective, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The result of solving one position, under best play by everyone.

    Attributes:
        position: the position that was solved.
        objective: `points`, `tricks`, `made` or `score`.
        unit: `thirds`, `face`, `tricks`, `bool` or `score`.
        player: the seat to play, or `None` when no card is left.
        lower: a proven lower bound of the declaring side's result.
        upper: a proven upper bound; the same as `lower` when the result is known.
        cards: for each legal card asked for, the result after it is played, as far as proven.
        seats: games of everyone: for each seat the bounds of the fewest points it can hold
            itself to; empty elsewhere.
        pv: the cards of one line of best play from here, in order; empty when unproven.
        taken_up: Scarecrow: how many straw cards are taken up after each card of `pv`.
        nodes: positions visited.
        ms: milliseconds spent.
    """

    position: Position = field(repr=False)
    objective: Objective
    unit: str
    player: int | None
    lower: Value
    upper: Value
    cards: Mapping[int, Value]
    seats: tuple[tuple[Value, Value], ...] = ()
    pv: tuple[int, ...]
    taken_up: tuple[int, ...] = ()
    nodes: int
    ms: float

    @property
    def exact(self) -> bool:
        """Whether the result, and that of every seat, is proven; a limit can leave it open."""
        return all(lower == upper for lower, upper in ((self.lower, self.upper), *self.seats))

    @property
    def value(self) -> Value:
        """The declaring side's result; raises `ValueError` when only bounds are proven."""
        if not self.exact:
            raise ValueError(f"only {self.lower} to {self.upper} is proven")
        return self.lower

    def to_dict(self) -> dict[str, object]:
        """Return the answer as the public JSON object."""
        answer = copied(self.position)
        answer["objective"] = self.objective
        if self.exact:
            answer["value"] = self.value
        answer |= {"lower": self.lower, "upper": self.upper} if not self.exact else {}
        answer |= {
            "unit": self.unit,
            "player": self.player,
            "cards": {cards.NAMES[card]: value for card, value in self.cards.items()},
            **self._seats_entry(),
            "pv": cards.format_cards(self.pv),
            **({"taken_up": list(self.taken_up)} if self.taken_up else {}),
            "exact": self.exact,
            "nodes": self.nodes,
            "ms": round(self.ms, 1),
        }
        return answer

    def _seats_entry(self) -> dict[str, object]:
        if not self.seats:
            return {}
        return {"seats": [lower if lower == upper else None for lower, upper in self.seats]}
