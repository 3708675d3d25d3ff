"""A game in the making: the position after every card, its past on record."""

from __future__ import annotations

from dataclasses import replace

from trull.solver.position import Position, Trick
from trull.solver.referee import Referee


class Walk:
    """Play from a position on, card by card.

    Args:
        start: a position whose past is on record, or that has none.

    Attributes:
        book: the rule book.
        referee: knows the rules of the game.
        state: the position reached, as a state.
    """

    def __init__(self, start: Position) -> None:
        self._start = start
        self._history = list(start.history or ())
        self.book = start.book
        self.referee = Referee(start)
        self.state = self.referee.start

    @property
    def over(self) -> bool:
        """Whether no card is left."""
        return self.referee.over(self.state)

    @property
    def place(self) -> tuple[int, int]:
        """The number of the trick, from 1, and how many cards lie on the table."""
        return len(self._history) + 1, len(self.state.trick)

    @property
    def position(self) -> Position:
        """The position reached."""
        state = self.state
        return replace(
            self._start,
            hands=state.hands,
            leader=state.leader,
            trick=state.trick,
            taken=state.taken,
            tricks_won=state.tricks,
            talon=state.talon,
            history=tuple(self._history),
        )

    def play(self, card: int) -> None:
        """Play a legal card."""
        before = self.state
        self.state = self.referee.play(before, card)
        if not self.state.trick:
            self._history.append(Trick(before.leader, (*before.trick, card)))
