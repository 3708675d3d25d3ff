"""How a stake moves between the seats: who pays whom, who writes what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trull.solver.settlement.lines import Line

if TYPE_CHECKING:
    from trull.solver.position import Position


class Shares:
    """The two sides of a position, and how its rule book settles between them.

    Where scores are paid, each loser pays one winner, and a lone declarer settles with every
    opponent; else the declaring side alone writes.
    """

    def __init__(self, position: Position) -> None:
        """Read the sides off a position."""
        self.seats = range(position.seats)
        self.side = position.side
        self.opponents = [seat for seat in self.seats if seat not in self.side]
        self._paid = position.book.paid

    def stake(self, rule: str, amount: int, payers: Sequence[int] | None = None) -> Line:
        """Return the line of what each opponent loses and the declaring side wins.

        Args:
            rule: the rule in words.
            amount: the declaring side's gain from each opponent, or what each of it writes.
            payers: the opponents it comes from, for a lone declarer; all when left out.
        """
        if not self._paid:
            return self._line(rule, {seat: amount for seat in self.side})
        payers = self.opponents if payers is None else payers
        won = amount * len(payers) // len(self.side)
        return self._line(rule, dict.fromkeys(self.side, won) | dict.fromkeys(payers, -amount))

    def penalty(self, rule: str, amount: int, seat: int) -> Line:
        """Return the line of a seat's own penalty: written, or paid to each other player."""
        if not self._paid:
            return self._line(rule, {seat: -amount})
        others = dict.fromkeys(self.seats, amount)
        return self._line(rule, others | {seat: -amount * (len(self.seats) - 1)})

    def _line(self, rule: str, amounts: dict[int, int]) -> Line:
        return Line(rule, tuple(amounts.get(seat, 0) for seat in self.seats))
