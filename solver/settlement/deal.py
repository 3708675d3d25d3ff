"""The one door to settlement: what a finished deal pays, whatever its contract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trull.solver.interchange import copied
from trull.solver.position import Position, Trick
from trull.solver.referee import Referee, State
from trull.solver.settlement.everyone import everyone_lines
from trull.solver.settlement.facts import facts_of
from trull.solver.settlement.lines import Line, Score, decimal, items, totals
from trull.solver.settlement.scoring import Scoring


class Unsettled(ValueError):
    """A position that cannot be settled; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """What a finished deal pays.

    Attributes:
        position: the position that was settled.
        points: the declaring side's card points in the variant's exact unit, discards and credited
            talon cards included; without a declaring side, those of every seat.
        made: whether the contract is made; `None` without a declaring side.
        lines: what each rule gives to every seat, in the variant's score units.
    """

    position: Position = field(repr=False)
    points: int | tuple[int, ...]
    made: bool | None
    lines: tuple[Line, ...]

    @property
    def scores(self) -> tuple[Score, ...]:
        """What every seat scores."""
        return totals(self.lines, self.position.seats)

    def to_dict(self) -> dict[str, object]:
        """Return the settlement as the public JSON object; fractions become decimal numbers."""
        return copied(self.position) | {
            "points": self.points if isinstance(self.points, int) else list(self.points),
            "unit": self.position.book.unit,
            "made": self.made,
            "scores": [decimal(score) for score in self.scores],
            "items": [
                {"rule": item.rule, "value": decimal(item.value), "seat": item.seat}
                for item in items(self.lines)
            ],
        }


def score(position: Position) -> Settlement:
    """Settle a finished deal for every seat (RULES sections 2 to 7).

    What was won is read off `taken`, `discards` and `talon`. Without a `history` a bird, a king
    ultimo, a lost Mond and an Excuse of the past count as not having happened. Hand bonuses are no
    part of a settlement.

    Raises `Unsettled` while cards are still to be played, and when `taken` is not known.
    """
    left = max(position.cards_left)
    if left:
        tricks = "1 trick is" if left == 1 else f"{left} tricks are"
        raise Unsettled(f"hands: {tricks} still to be played, expected a finished deal")
    if not any(position.taken):
        raise Unsettled("taken: missing, but a deal is settled by the cards that everyone has won")
    referee = Referee(position)
    state = referee.start
    has_side = position.rules.sides != "everyone" and position.declarer is not None
    seats = range(position.seats)
    return Settlement(
        position=position,
        points=referee.side_points(state)
        if has_side
        else tuple(referee.points(state, seat) for seat in seats),
        made=referee.made(state) if has_side else None,
        lines=tuple(lines_of(referee, state, position.history or ())),
    )


def settle(referee: Referee, state: State, tricks: Sequence[Trick] = ()) -> tuple[Score, ...]:
    """Return what every seat scores after a finished deal, in the variant's score units.

    Args:
        referee: the referee of the deal.
        state: a state without cards left to play.
        tricks: the finished tricks on record, as `facts_of` takes them; a game of everyone needs
            none.
    """
    return totals(lines_of(referee, state, tricks), referee.seats)


def lines_of(referee: Referee, state: State, tricks: Sequence[Trick] = ()) -> list[Line]:
    """Return the lines of the settlement of a finished deal; arguments as for `settle`."""
    if referee.rules.sides == "everyone":
        return everyone_lines(referee, state)
    return Scoring(referee.position).lines(facts_of(referee, state, tricks))
