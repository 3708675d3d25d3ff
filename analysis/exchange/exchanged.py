"""What came of an exchange."""

from __future__ import annotations

from dataclasses import dataclass, field

from trull.solver.cards import NAMES, format_hand
from trull.solver.interchange import position_to_dict
from trull.solver.position import Position
from trull.solver.question import Objective, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the declarer chose.

    Attributes:
        called: the called card, or `None`.
        level: the level of a trojka or prever.
        group: the number of the talon group, from 0; `None` when he takes up nothing.
        taken: the talon cards that he takes up, as a mask.
        discards: the cards that he lays away, as a mask.
    """

    called: int | None
    level: int
    group: int | None
    taken: int
    discards: int

    def to_dict(self) -> dict[str, object]:
        """Return the choice as a JSON object."""
        return {
            "called": None if self.called is None else NAMES[self.called],
            "level": self.level,
            "group": self.group,
            "taken": format_hand(self.taken),
            "discards": format_hand(self.discards),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanged:
    """The choices of an exchange and the position after it.

    Attributes:
        position: the position that is played, before the first lead.
        policy: `best`, `plain` or `none`.
        objective: what `best` looked for, or `None`.
        called: the called card, or `None`.
        level: the level of a trojka or prever.
        group: the number of the talon group that the declarer took, from 0; `None` without one.
        taken: the talon cards that the declarer took up, as a mask.
        discards: the cards that each seat laid away, as masks.
        value: what the position is worth under best play by everyone, if that was proven.
        exact: whether `best` proved that no choice is worth more; a limit can leave it open.
            Other policies prove nothing, and are exact.
        ties: when asked for, every choice of the declarer that is worth as much.
        nodes: positions visited.
        ms: milliseconds spent.
    """

    position: Position = field(repr=False)
    policy: str
    objective: Objective | None
    called: int | None
    level: int
    group: int | None
    taken: int
    discards: tuple[int, ...]
    value: Value | None
    exact: bool
    ties: tuple[Choice, ...] = ()
    nodes: int
    ms: float

    @property
    def choice(self) -> Choice:
        """What the declarer chose."""
        own = self.discards[self.position.declarer or 0]
        return Choice(
            called=self.called,
            level=self.level,
            group=self.group,
            taken=self.taken,
            discards=own,
        )

    def to_dict(self) -> dict[str, object]:
        """Return the position as the public JSON object, with what was found in `x_exchange`."""
        found: dict[str, object] = {
            "policy": self.policy,
            "group": self.group,
            "taken": format_hand(self.taken),
        }
        if self.objective is not None:
            found |= {"objective": self.objective, "value": self.value, "exact": self.exact}
            found |= {"nodes": self.nodes, "ms": round(self.ms, 1)}
        if self.ties:
            found["ties"] = [choice.to_dict() for choice in self.ties]
        return position_to_dict(self.position) | {"x_exchange": found}
