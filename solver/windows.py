"""From null windows to values: the searches that one position needs.

The kernel answers one kind of question: can so much be reached? The searches
here ask it until a value, the values of the cards and a line of best play are proven. They
know nothing of threads or limits: a stopped kernel raises `Stopped`, and what was proven
until then remains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from trull.solver.kernel.engine import Engine
from trull.solver.question import Question, Value
from trull.solver.referee import TAKE, Referee, State
from trull.solver.score_question import ScoreQuestion

RootCards = Literal["all", "best", "none"]

_FIRST_STEP = 8


class Stopped(Exception):
    """The kernel was stopped by a limit or from outside; its last word means nothing."""


@dataclass(slots=True)
class Bounds:
    """Proven bounds of a sum; searches narrow them in place."""

    lower: int
    upper: int


class Search:
    """The searches about one question, in an engine that has it loaded.

    Attributes:
        bounds: what is proven of the sum.
        cards: the sum after each root card, as far as known well enough to answer.
        pv: a line of best play, as moves, or empty.
    """

    def __init__(
        self, engine: Engine, referee: Referee, question: Question | ScoreQuestion
    ) -> None:
        """Start with the bounds that need no search."""
        self.engine = engine
        self.referee = referee
        self.question = question
        self.bounds = self._open()
        self.cards: dict[int, int] = {}
        self.pv: list[int] = []

    def run(self, cards: RootCards, pv: bool) -> None:
        """Answer the question; raises `Stopped` when the kernel was stopped."""
        self._answer([], self.bounds)
        start = self.referee.start
        if self.referee.over(start):
            return
        if cards != "none":
            moves = self.referee.moves(start)
            for card in dict.fromkeys(move % TAKE for move in moves):
                self._value_card(card, [move for move in moves if move % TAKE == card], cards)
        if pv:
            self.pv = self._best_line()

    @property
    def lower(self) -> Value:
        """The smallest answer still possible."""
        return min(self._answers())

    @property
    def upper(self) -> Value:
        """The largest answer still possible."""
        return max(self._answers())

    def _answers(self) -> tuple[Value, Value]:
        return self.question.answer(self.bounds.lower), self.question.answer(self.bounds.upper)

    def _open(self) -> Bounds:
        """Return the bounds of a sum that nothing is known of."""
        return Bounds(*self.question.limits(self.engine))

    def _maximises(self, state: State) -> bool:
        return self.referee.player(state) in self.question.maximising

    def _value_card(self, card: int, moves: Sequence[int], wanted: RootCards) -> None:
        """Find the sum after a root card, which is no better for its player than the root's.

        A card counts with the best of its moves, so that nothing is known of it before the last.
        """
        maximises = self._maximises(self.referee.start)
        totals = []
        for move in moves:
            bounds = self._open()
            if maximises:
                bounds.upper = self.bounds.upper
            else:
                bounds.lower = self.bounds.lower
            if wanted == "all":
                totals.append(self._answer([move], bounds))
            elif self._keeps([move], maximises, bounds):
                totals.append(self.bounds.lower)
        if totals:
            self.cards[card] = max(totals) if maximises else min(totals)

    def _keeps(self, line: Sequence[int], maximises: bool, bounds: Bounds) -> bool:
        """Return whether the answer after `line`, whose last player is given, is the root's."""
        threshold = self.question.threshold
        if threshold is not None:
            return self._test(line, threshold, bounds) == (self.bounds.lower >= threshold)
        best = self.bounds.lower
        return self._test(line, best if maximises else best + 1, bounds) == maximises

    def _best_line(self) -> list[int]:
        """Return a line on which every move keeps the root's answer."""
        line: list[int] = []
        state = self.referee.start
        while not self.referee.over(state):
            maximises = self._maximises(state)
            moves = self.referee.moves(state)
            move = next(
                move
                for move in moves
                if move == moves[-1] or self._keeps([*line, move], maximises, self._open())
            )
            line.append(move)
            state = self.referee.play(state, move)
        return line

    def _answer(self, line: Sequence[int], bounds: Bounds) -> int:
        """Narrow the bounds after `line` until they answer the question; return the sum."""
        threshold = self.question.threshold
        if threshold is not None:
            return bounds.lower if self._test(line, threshold, bounds) else bounds.upper
        return self._settle(line, bounds)

    def _test(self, line: Sequence[int], target: int, bounds: Bounds) -> bool:
        """Decide whether the sum reaches `target` after `line`, narrowing its bounds."""
        if bounds.lower >= target:
            return True
        if bounds.upper < target:
            return False
        bound = self.question.reach(self.engine, target, line)
        if self.engine.stopped:
            raise Stopped
        if bound >= target:
            bounds.lower = min(bound, bounds.upper)
            return True
        bounds.upper = max(bound, bounds.lower)
        return False

    def _settle(self, line: Sequence[int], bounds: Bounds) -> int:
        """Prove the sum after `line` and return it.

        The first guess is the root's sum, or the middle before that is known.
        """

        def bound(target: int) -> int:
            self._test(line, target, bounds)
            return bounds.lower if bounds.lower >= target else bounds.upper

        return settle(bound, bounds, (self.bounds.lower + self.bounds.upper + 1) // 2)


def settle(bound: Callable[[int], int], bounds: Bounds, guess: int) -> int:
    """Prove a sum that null windows can be asked about, narrowing its bounds, and return it.

    From the guess the window moves on in doubling steps while the answers agree; after the first
    that differs it is bisected.

    Args:
        bound: returns for a target a lower bound of the sum of at least the target, or an upper
            bound below it.
        bounds: what is proven of the sum.
        guess: the target to begin with.
    """
    target, step = guess, _FIRST_STEP
    earlier: bool | None = None
    doubling = True
    while bounds.lower < bounds.upper:
        target = min(max(target, bounds.lower + 1), bounds.upper)
        found = bound(target)
        reached = found >= target
        if reached:
            bounds.lower = min(found, bounds.upper)
        else:
            bounds.upper = max(found, bounds.lower)
        doubling = doubling and earlier in (None, reached)
        earlier = reached
        if doubling:
            target = bounds.lower + step if reached else bounds.upper + 1 - step
            step *= 2
        else:
            target = (bounds.lower + bounds.upper + 1) // 2
    return bounds.lower
