"""What a table says about one contract and one seat."""

from __future__ import annotations

from dataclasses import dataclass, field

from trull.analysis.exchange import Exchanged
from trull.solver.cards import NAMES, format_hand
from trull.solver.question import Objective, Value
from trull.solver.settlement import Score, decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What best play comes to under one objective, after the exchange that is best for it.

    Attributes:
        objective: `points`, `tricks`, `made` or `score`.
        lower: a proven lower bound, or `None` where a limit left it open; the result itself when
            `upper` is the same.
        upper: a proven upper bound, likewise.
        exchanged: the exchange and the position after it.
        nodes: positions visited.
    """

    objective: Objective
    lower: Value | Score | None
    upper: Value | Score | None
    exchanged: Exchanged = field(repr=False)
    nodes: int

    @property
    def exact(self) -> bool:
        """Whether the result is proven."""
        return self.lower is not None and self.lower == self.upper

    def to_dict(self, name: str) -> dict[str, object]:
        """Return the result under a name as part of a JSON object: a value, or bounds."""
        lower, upper = _plain(self.lower), _plain(self.upper)
        if self.exact:
            return {name: lower}
        return {name: None, f"{name}_bounds": [lower, upper]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One contract played by one seat; in games of everyone, what that seat can save.

    Attributes:
        contract: the contract's identifier.
        seat: the declarer's seat; in games of everyone the seat asked about.
        closed: why the seat may not play the contract, or `None`.
        value: the contract's own result: card points or tricks of the declaring side, or whether
            it is made; in games of everyone the fewest points the seat can hold itself to.
        made: whether the contract is made; `None` in games of everyone.
        score: what the declarer scores; in games of everyone the least that the seat scores with
            that many points.
    """

    contract: str
    seat: int
    closed: str | None = None
    value: Found | None = None
    made: Found | None = None
    score: Found | None = None

    @property
    def nodes(self) -> int:
        """Positions visited."""
        return sum(found.nodes for found in (self.value, self.made, self.score) if found)

    def to_dict(self) -> dict[str, object]:
        """Return the cell as a JSON object."""
        data: dict[str, object] = {"seat": self.seat}
        if self.closed is not None:
            return data | {"closed": self.closed}
        columns = {"value": self.value, "made": self.made, "score": self.score}
        shown = {name: found for name, found in columns.items() if found is not None}
        for name, found in shown.items():
            data |= found.to_dict(name)
        exchanges = {name: choice_of(found.exchanged) for name, found in shown.items()}
        exchanges = {name: choice for name, choice in exchanges.items() if choice}
        return data | ({"exchanges": exchanges} if exchanges else {}) | {"nodes": self.nodes}


def _plain(value: Value | Score | None) -> int | float | None:
    """Return a number that JSON can hold."""
    return value if value is None or isinstance(value, bool) else decimal(value)


def choice_of(exchanged: Exchanged) -> dict[str, object]:
    """Return what was chosen, without what there is nothing to say about."""
    position, data = exchanged.position, dict[str, object]()
    if exchanged.called is not None:
        data |= {"called": NAMES[exchanged.called], "partner": position.partner}
    if position.rules.levels > 1:
        data["level"] = exchanged.level
    if exchanged.taken:
        own = exchanged.discards[position.declarer or 0]
        data |= {"taken": format_hand(exchanged.taken), "discards": format_hand(own)}
    return data
