"""What the positions at the end of an exchange are worth, asked one null window at a time.

All positions of one plan have the same sides, terms and rules; only hands and points laid away
differ. So one of them is loaded into the engine with its question, and for the others the hands are
exchanged and the points laid away are added. Cards that have a part in a bonus or in the rules
change more than that: for every set of those that are laid away a question of its own is made.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from trull.analysis.exchange.candidates import special_cards
from trull.analysis.exchange.plans import Plan, position_of
from trull.analysis.exchange.setting import Setting
from trull.solver.cards import from_mask
from trull.solver.kernel.engine import Engine
from trull.solver.position import Position
from trull.solver.question import Objective, Question, declarer_question
from trull.solver.score_question import ScoreQuestion, score_question
from trull.solver.windows import Stopped

Outs = tuple[int, ...]
"""The cards that leave the pool at each turn, as masks."""


@dataclass(frozen=True, slots=True)
class _Base:
    """A position that stands for all with the same special cards laid away.

    Attributes:
        position: the position.
        question: what is asked about it.
        laid: what the declaring side has laid away there, in points.
    """

    position: Position
    question: Question | ScoreQuestion
    laid: int


class Leaves:
    """The positions at the end of a setting's exchange.

    Values are sums of points or tricks, scores, or 1 and 0 for a contract that is made or not.

    Args:
        engine: a search engine, which should be `sharing`.
        setting: the deal and its contract, one in which a majority is needed.
        objective: what the positions are worth.
    """

    def __init__(self, engine: Engine, setting: Setting, objective: Objective) -> None:
        self._engine, self._setting, self._objective = engine, setting, objective
        self._bases: dict[tuple[Plan, Outs], _Base] = {}
        self._loaded: _Base | None = None

    def bound(self, plan: Plan, outs: Outs, target: int) -> int:
        """Return a bound of what a position is worth.

        It is at least `target`, and a lower bound, if the declaring side reaches that; else it is
        less, and an upper bound. Raises `Stopped` when the engine was stopped.
        """
        base = self._lay_out(plan, outs)
        found = self._ask(base.question, target, self._extra(base, plan, outs))
        if self._engine.stopped:
            raise Stopped
        return found

    def _ask(self, question: Question | ScoreQuestion, target: int, extra: int) -> int:
        if isinstance(question, ScoreQuestion):
            values = question.values
            place = bisect_left(values, target)
            if place == 0:
                return values[0]
            if place == len(values):
                return values[-1]
            return values[question.reach(self._engine, place, (), extra)]
        if question.threshold is not None:
            reached = question.reach(self._engine, question.threshold, (), extra)
            return int(reached >= question.threshold)
        return question.reach(self._engine, target, (), extra)

    def _lay_out(self, plan: Plan, outs: Outs) -> _Base:
        """Put a position into the engine and return the base that it is compared with."""
        special = special_cards(self._setting, plan.called)
        key = plan, tuple(out & special for out in outs)
        if key not in self._bases:
            position = position_of(self._setting, plan, outs)
            question: Question | ScoreQuestion
            if self._objective == "score":
                question = score_question(position)
            else:
                question = declarer_question(position, self._objective)
            self._bases[key] = _Base(position, question, self._laid(plan, outs))
        base = self._bases[key]
        if base is not self._loaded:
            base.question.load(self._engine, base.position)
            self._loaded = base
        self._engine.deal(hands_after(plan, outs))
        return base

    def _extra(self, base: _Base, plan: Plan, outs: Outs) -> int:
        if self._objective == "tricks":
            return 0
        return self._laid(plan, outs) - base.laid

    def _laid(self, plan: Plan, outs: Outs) -> int:
        """Return the points that the declaring side lays away."""
        weights = self._setting.book.weights
        side = (self._setting.declarer, plan.partner)
        return sum(
            weights[card]
            for turn, out in zip(plan.turns, outs, strict=True)
            if turn.seat in side
            for card in from_mask(out)
        )


def hands_after(plan: Plan, outs: Sequence[int]) -> tuple[int, ...]:
    """Return the hands, as masks, when cards have left the pools."""
    hands = list(plan.pools)
    for turn, out in zip(plan.turns, outs, strict=True):
        hands[turn.seat] &= ~out
    return tuple(hands)
