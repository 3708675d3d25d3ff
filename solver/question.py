"""What is asked about a position, and how the kernel's sums answer it.

The kernel knows one game: some seats' tricks are counted, and some seats want the sum large.
A question says which seats and which sum, and turns proven sums into answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from trull.solver import cards
from trull.solver.kernel.engine import Engine, Measure
from trull.solver.position import Position
from trull.solver.referee import Referee
from trull.solver.rules import BIRDS, Contract

Objective = Literal["points", "tricks", "made", "score"]
Value = int | bool

OBJECTIVES: tuple[Objective, ...] = ("points", "tricks", "made", "score")

_BIRD_WEIGHT = 256  # more than all card points together


class Unsolvable(ValueError):
    """A position or question that the solver has no answer to; the message says why."""


class Term(NamedTuple):
    """What a card adds to the sum by winning a trick itself; `left` as in `Engine.add_term`."""

    card: int
    weight: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One sum that everybody plays for.

    Attributes:
        objective: `points`, `tricks`, `made` or `score`.
        measure: what is summed up, `points` or `tricks`.
        unit: the unit of the answer.
        counting: the seats whose tricks count.
        maximising: the seats that want the sum large.
        past: what the counting seats have already.
        threshold: for `made`, the sum that decides it.
        few: for `made`, whether it takes less than the threshold.
        exactly: for `made`, whether it takes exactly the threshold.
        term: what one card may add.
        scores: for `score` in games about tricks, what a lost and a made contract are worth.
    """

    objective: Objective
    measure: Measure
    unit: str
    counting: frozenset[int]
    maximising: frozenset[int]
    past: int
    threshold: int | None = None
    few: bool = False
    exactly: bool = False
    term: Term | None = None
    scores: tuple[int, int] | None = None

    def load(self, engine: Engine, position: Position) -> None:
        """Load a position into an engine with what is asked."""
        engine.load(position, self.measure, self.counting, self.maximising)
        engine.state.exactly = self.exactly
        if self.term is not None:
            engine.add_term(*self.term)

    def limits(self, engine: Engine) -> tuple[int, int]:
        """Return the bounds of the sum that need no search."""
        if self.exactly and self.threshold is not None:
            return self.threshold - 1, self.threshold
        return self.past, self.past + engine.limit()

    def reach(self, engine: Engine, target: int, line: Sequence[int], extra: int = 0) -> int:
        """Return a bound of the sum: at least `target` if the maximisers reach that after `line`.

        Means nothing when the engine was stopped.

        Args:
            engine: an engine that has the question loaded.
            target: the sum asked for.
            line: moves from the position on.
            extra: what the counting seats have besides `past`.
        """
        past = self.past + extra
        return past + engine.reach(target - past, line)

    def answer(self, total: int) -> Value:
        """Return the answer that a proven sum gives."""
        if self.threshold is None:
            return total
        made = (total >= self.threshold) != self.few
        return made if self.scores is None else self.scores[made]


def declarer_question(position: Position, objective: Objective | None) -> Question:
    """Return the question about the declaring side; `None` asks for the contract's own.

    In a game of few tricks the declarer plays for little, whatever is counted. Raises
    `Unsolvable` for an objective that is unknown.
    """
    rules = position.rules
    chosen = objective or default_objective(rules)
    if chosen not in OBJECTIVES:
        raise Unsolvable(f"objective: expected {', '.join(OBJECTIVES)}, got {chosen!r}")
    referee = Referee(position)
    side = position.side
    others = frozenset(range(position.seats)) - side
    exactly = chosen == "made" and rules.goal == "exactly"
    few = rules.goal in ("at_most", "exactly") and not exactly
    points = chosen == "points" or (chosen == "made" and rules.counts_points)
    past, term = (
        points_so_far(position, referee) if points else (referee.side_tricks(referee.start), None)
    )
    threshold = None
    if chosen == "made":
        threshold = _threshold(position, referee)
        if rules.goal_needs_bird and rules.bird is not None:
            term = Term(BIRDS[rules.bird], _BIRD_WEIGHT, BIRDS[rules.bird] + 1)
            threshold += _BIRD_WEIGHT
            past += _BIRD_WEIGHT * referee.start.bird_won
    return Question(
        objective=chosen,
        measure="points" if points else "tricks",
        unit={"points": position.book.unit, "tricks": "tricks", "made": "bool"}[chosen],
        counting=side,
        maximising=others if few else side,
        past=past,
        threshold=threshold,
        few=few and chosen == "made",
        exactly=exactly,
        term=term,
    )


def seat_question(position: Position, seat: int, objective: Objective | None) -> Question:
    """Return what a seat of a game of everyone asks: how few points it can hold itself to.

    All others together want it to have many. Raises `Unsolvable` for another objective.
    """
    if objective not in (None, "points"):
        hint = "; --solution maxn solves its endings for the score" if objective == "score" else ""
        raise Unsolvable(
            f"objective: {position.contract} is solved for points, not {objective}{hint}"
        )
    referee = Referee(position)
    return Question(
        objective="points",
        measure="points",
        unit=position.book.unit,
        counting=frozenset([seat]),
        maximising=frozenset(range(position.seats)) - {seat},
        past=referee.points(referee.start, seat),
    )


def default_objective(rules: Contract) -> Objective:
    """Return what a contract is about."""
    if rules.counts_points:
        return "points"
    return "made" if rules.goal == "exactly" else "tricks"


def _threshold(position: Position, referee: Referee) -> int:
    """Return the sum that decides whether the contract is made, finished tricks included."""
    rules = position.rules
    if rules.goal == "majority":
        return position.book.threshold
    if rules.goal == "at_most":
        return rules.tricks + 1
    if rules.goal == "exactly":
        return rules.tricks
    start = referee.before_trick
    excuse_held = rules.fool == "excuse" and start.hands[referee.declarer or 0] >> cards.SKUS & 1
    excused = 1 if start.excused or excuse_held else 0
    return sum(start.tricks) + start.cards_left(0) - rules.tricks - excused


def points_so_far(position: Position, referee: Referee) -> tuple[int, Term | None]:
    """Return the side's points so far, and the called king out of the talon as a term.

    It wins the rest of the talon with a trick, if it still can.
    """
    start, called, declarer = referee.before_trick, referee.called, referee.declarer
    past = referee.side_points(start)
    if referee.rules.talon != "called_king" or called is None or declarer is None:
        return past, None
    if not start.hands[declarer] >> called & 1 or referee.partner is not None:
        return past, None
    weights = position.book.weights
    return past, Term(called, sum(weights[card] for card in start.talon), 0)


def pool(position: Position, measure: Measure) -> int:
    """Return what both sides have and play for together."""
    if measure == "tricks":
        return sum(position.tricks_won) + max(position.cards_left)
    found = cards.to_mask(position.trick)
    for mask in (*position.hands, *position.taken, *position.discards):
        found |= mask
    for card in (card for stacks in position.straw for stack in stacks for card in stack):
        found |= 1 << card
    if position.rules.talon != "aside":
        found |= cards.to_mask(position.talon)
    weights = position.book.weights
    return sum(weights[card] for card in cards.from_mask(found))
