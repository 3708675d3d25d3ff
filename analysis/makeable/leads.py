"""The opening leads of one contract compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trull.analysis.makeable.cell import Found, choice_of
from trull.solver.answer import Answer
from trull.solver.api import Request
from trull.solver.cards import NAMES
from trull.solver.kernel.engine import Engine
from trull.solver.position import Position
from trull.solver.question import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Leads:
    """What every opening lead of the leader comes to.

    Attributes:
        answer: the solved position before the first card.
        found: what the position was chosen by.
    """

    answer: Answer = field(repr=False)
    found: Found = field(repr=False)

    @property
    def position(self) -> Position:
        """The position before the first card."""
        return self.answer.position

    @property
    def cards(self) -> Mapping[int, Value]:
        """The result after every lead, as far as proven.

        In games of everyone it is the fewest points that the leader can then hold itself to.
        """
        return self.answer.cards

    def to_dict(self) -> dict[str, object]:
        """Return the leads as a JSON object."""
        position, answer = self.position, self.answer
        data: dict[str, object] = {"contract": position.contract, "declarer": position.declarer}
        if position.rules.sides == "everyone":
            del data["declarer"]
        return data | {
            "leader": position.player,
            "objective": answer.objective,
            "unit": answer.unit,
            **choice_of(self.found.exchanged),
            "cards": {NAMES[card]: value for card, value in answer.cards.items()},
            "exact": answer.exact,
            "nodes": answer.nodes,
        }


def leads_of(engine: Engine, found: Found, nodes: int | None) -> Leads:
    """Return what every opening lead comes to, after the exchange that a result rests on.

    Args:
        engine: a search engine.
        found: a result of a cell.
        nodes: node limit.
    """
    request = Request(objective=found.objective, cards="all", pv=False, nodes=nodes)
    return Leads(answer=request.answer(engine, found.exchanged.position), found=found)
