"""A played game: the position that it began from, and the cards that were played."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from trull.analysis.words import is_complete
from trull.solver.cards import to_mask
from trull.solver.position import Position
from trull.solver.question import Unsolvable
from trull.solver.referee import Referee, State


class Unreviewable(Unsolvable):
    """A position that holds no game to review; the message says why."""


@dataclass(frozen=True)
class Game:
    """A game as far as it was played.

    Attributes:
        position: the position that the game has come to, with the play on record.
        start: the position before the first card on record.
        line: the cards in order of play.
    """

    position: Position
    start: Position
    line: tuple[int, ...]

    @cached_property
    def referee(self) -> Referee:
        """The referee of the start."""
        return Referee(self.start)

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The states of play: that before the first card, and that after every card."""
        states = [self.referee.start]
        for card in self.line:
            states.append(self.referee.play(states[-1], card))
        return tuple(states)

    @property
    def over(self) -> bool:
        """Whether the last card was played."""
        return self.referee.over(self.states[-1])

    @property
    def first_trick(self) -> int:
        """The number of the first trick on record in its deal; 1 in an exercise."""
        return self.start.tricks_played + 1 if is_complete(self.start) else 1

    @property
    def talon_order_assumed(self) -> bool:
        """Whether a seat won several talon cards with its tricks, whose order is not on record."""
        if self.start.rules.talon != "tricks":
            return False
        gone = to_mask(self.start.talon) & ~to_mask(self.position.talon)
        return any((taken & gone).bit_count() > 1 for taken in self.position.taken)


def game_of(position: Position) -> Game:
    """Return the game that has come to a position.

    A position knows already that its history breaks no rule. Of a game of everyone that gives
    the talon to tricks it is not on record which of his talon cards a winner got first: the
    lowest is assumed, as `Referee.opening` has it.

    Args:
        position: a finished or running game with its `history`; without one, only the trick on
            the table is the game.

    Raises `Unreviewable` when no card is on record, and for Scarecrow.
    """
    if position.rules.sides == "two":
        raise Unreviewable(
            f"contract: in {position.contract} it is not on record which cards were taken up from "
            "the straw men, so a played game cannot be reviewed"
        )
    tricks = position.history or ()
    if not tricks and not position.trick:
        raise Unreviewable(
            "history: no trick in it and no card in trick, expected the cards that were played"
        )
    referee = Referee(position)
    before = referee.opening or referee.before_trick
    won = list(position.tricks_won)
    leaders = [*(trick.leader for trick in tricks), position.leader]
    for winner in leaders[1:]:
        won[winner] -= 1
    start = replace(
        position,
        hands=before.hands,
        leader=before.leader,
        trick=(),
        taken=before.taken,
        tricks_won=tuple(won),
        talon=before.talon,
        history=None,
    )
    cards = (card for trick in tricks for card in trick.cards)
    return Game(position, start, (*cards, *position.trick))
