"""The values along a game: what the rest of it is worth before the first and after every card.

The game is walked from its end. There the value is known, and each step back asks one question
as a rule: could the player have got more than he got? The endings, which are searched first, fill
the table for the longer searches before them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from trull.analysis.review.game import Game
from trull.solver.kernel.engine import Engine
from trull.solver.question import Question, Value
from trull.solver.score_question import ScoreQuestion
from trull.solver.windows import Search

Tick = Callable[[], None]
"""Is told of every value that is found."""


@dataclass(frozen=True)
class Course:
    """The values of one question along a game.

    Attributes:
        question: the question.
        sums: the sums that the values follow from, before the first card and after every one;
            where the question is whether a threshold is reached, a bound on its side.
        better: for the cards by which their player lost something, by their place in the game,
            all cards that would have kept the value.
    """

    question: Question | ScoreQuestion
    sums: tuple[int, ...]
    better: dict[int, tuple[int, ...]] = field(default_factory=dict)

    @property
    def values(self) -> tuple[Value, ...]:
        """The values: before the first card, and after every card."""
        return tuple(map(self.question.answer, self.sums))


def course(
    engine: Engine,
    question: Question | ScoreQuestion,
    game: Game,
    judged: Collection[int],
    tick: Tick,
) -> Course:
    """Return the values of a question along a game.

    Args:
        engine: an engine, which is loaded with the start of the game.
        question: a question about the start of the game.
        game: the game.
        judged: the seats whose better cards are searched for.
        tick: is called after every value.

    Raises `Stopped` when the engine was stopped.
    """
    question.load(engine, game.start)
    return _Walk(engine, question, game).back(judged, tick)


class _Walk(Search):
    """The searches along one game.

    `bounds`, the root's elsewhere, are those of the position reached: what comes after it is the
    first guess at what comes before.
    """

    def __init__(self, engine: Engine, question: Question | ScoreQuestion, game: Game) -> None:
        super().__init__(engine, game.referee, question)
        self.game = game

    def back(self, judged: Collection[int], tick: Tick) -> Course:
        """Return the course of the game, found from its end."""
        line = self.game.line
        sums = [self._answer(line, self.bounds)]
        tick()
        better: dict[int, tuple[int, ...]] = {}
        for place in reversed(range(len(line))):
            state = self.game.states[place]
            bounds = self._open()
            if self._maximises(state):
                bounds.lower = self.bounds.lower
            else:
                bounds.upper = self.bounds.upper
            sums.append(self._answer(line[:place], bounds))
            self.bounds = bounds
            lost = self.question.answer(sums[-1]) != self.question.answer(sums[-2])
            if lost and state.player in judged:
                better[place] = self._keeping(place)
            tick()
        return Course(self.question, tuple(reversed(sums)), better)

    def _keeping(self, place: int) -> tuple[int, ...]:
        """Return the cards that keep the value before a card of the game."""
        state, line = self.game.states[place], self.game.line
        maximises = self._maximises(state)
        return tuple(
            card
            for card in self.referee.legal(state)
            if card != line[place] and self._keeps([*line[:place], card], maximises, self._open())
        )
