"""What one choice comes to in one deal, all cards open."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Literal, NamedTuple

from trull.solver.cards import PACK
from trull.solver.kernel.engine import Engine
from trull.solver.position import Position
from trull.solver.question import (
    Objective,
    Question,
    declarer_question,
    seat_question,
)
from trull.solver.referee import Referee
from trull.solver.score_question import ScoreQuestion, score_question
from trull.solver.settlement import Bird, Facts, Scoring
from trull.solver.windows import Search, Stopped

Measure = Literal["score", "game"]

MEASURES: tuple[Measure, ...] = ("score", "game")
"""What a contract is worth: all that the declarer writes, or what the game alone pays."""


class Outcome(NamedTuple):
    """What a choice comes to in a deal.

    Attributes:
        value: the score, or what else is asked for; `None` when nothing is known.
        made: whether the contract is made; `None` when that is open or not asked.
        exact: whether the value is proven and holds all that was asked for.
    """

    value: float | None
    made: bool | None = None
    exact: bool = True


OPEN = Outcome(None)


def contract_outcome(
    engine: Engine, position: Position, measure: Measure, nodes: int | None
) -> Outcome:
    """Return what the declarer comes to from a position before the first lead.

    Whether the contract is made and what is scored are two questions, each under best play by
    everyone for just that. Where the limit ends the search for the score, the game alone is
    settled, by the middle of its proven bounds, and within those proven of the score. In a game of
    everyone the value is the fewest points that the declarer's seat can hold itself to, and the
    game counts as made when with them it cannot lose.

    Args:
        engine: searches.
        position: the position.
        measure: what is asked for.
        nodes: node limit of each search.
    """
    if position.rules.sides == "everyone":
        return _fewest(engine, position, nodes)
    question = score_question(position)
    if isinstance(question, Question):
        assert question.scores is not None
        lower, upper = _bounds(engine, position, question, nodes)
        made = lower == question.scores[True] if lower == upper else None
        return Outcome((lower + upper) / 2, made, exact=lower == upper)
    verdict = _bounds(engine, position, declarer_question(position, "made"), nodes)
    made = bool(verdict[0]) if verdict[0] == verdict[1] else None
    if measure == "game":
        low, high = _game_bounds(engine, position, verdict, nodes)
        return Outcome((low + high) / 2, made, exact=low == high)
    lower, upper = _bounds(engine, position, question, nodes)
    if lower == upper:
        return Outcome(lower, made)
    low, high = _game_bounds(engine, position, verdict, nodes)
    return Outcome(min(max((low + high) / 2, lower), upper), made, exact=False)


def swing(position: Position) -> float:
    """Return by how much a contract that is just made pays more than one that just fails.

    In a game of everyone it is the points of a player's share of the pack.
    """
    if position.rules.sides == "everyone":
        return sum(position.book.weights) / position.seats
    return _settled_game(position, True) - _settled_game(position, False)


class Asked(NamedTuple):
    """What the cards of a position are judged by.

    Attributes:
        question: the sum that is searched for.
        sign: 1 when the seat to play wants the answer large, else -1.
        swing: by how much the cards of one deal easily differ (`racing`).
    """

    question: Question | ScoreQuestion
    sign: int
    swing: float


def asked_of(position: Position, objective: Objective) -> Asked:
    """Return what the cards of the seat to play are judged by.

    In a game of everyone it is the fewest points that the seat can hold itself to.

    Args:
        position: the position.
        objective: what is played for.

    Raises `Unsolvable` for an objective that the contract does not have.
    """
    question: Question | ScoreQuestion
    if position.rules.sides == "everyone":
        question = seat_question(position, position.player, objective)
    elif objective == "score":
        question = score_question(position)
    else:
        question = declarer_question(position, objective)
    if question.objective in ("made", "score"):
        sign = 1 if position.player in position.side else -1
    else:
        sign = 1 if position.player in question.maximising else -1
    return Asked(question, sign, _swing_of(position, question))


def card_values(
    engine: Engine, position: Position, objective: Objective, nodes: int | None
) -> Mapping[int, float] | None:
    """Return what every legal card is worth to the side of the seat to play, larger for better.

    Args:
        engine: searches.
        position: the position.
        objective: as in `asked_of`.
        nodes: node limit.

    Returns `None` when the limit leaves any card open.
    """
    question, sign, _ = asked_of(position, objective)
    engine.begin(nodes)
    question.load(engine, position)
    search = Search(engine, Referee(position), question)
    try:
        search.run("all", False)
    except Stopped:
        return None
    return {card: sign * float(question.answer(total)) for card, total in search.cards.items()}


def _swing_of(position: Position, question: Question | ScoreQuestion) -> float:
    """Return the swing of an answer: the worth of an average trick, one trick, or the game."""
    if question.objective == "score":
        return swing(position)
    if question.objective in ("made", "tricks"):
        return 1
    return sum(position.book.weights) * position.seats / PACK


# --- Contracts ---


def _bounds(
    engine: Engine, position: Position, question: Question | ScoreQuestion, nodes: int | None
) -> tuple[int, int]:
    """Return the proven bounds of an answer."""
    engine.begin(nodes)
    question.load(engine, position)
    search = Search(engine, Referee(position), question)
    with suppress(Stopped):
        search.run("none", False)
    return int(search.lower), int(search.upper)


def _game_bounds(
    engine: Engine, position: Position, verdict: tuple[int, int], nodes: int | None
) -> tuple[float, float]:
    """Return proven bounds of what the game pays by itself, with the bird that belongs to it.

    Args:
        engine: searches.
        position: the position.
        verdict: the proven bounds of whether the contract is made.
        nodes: node limit.
    """
    worst, best = map(bool, verdict)
    if position.rules.game_score == "value":
        return _settled_game(position, worst), _settled_game(position, best)
    low, high = _bounds(engine, position, declarer_question(position, "points"), nodes)
    threshold = position.book.threshold
    low = max(low, threshold) if worst else low
    high = high if best else min(high, threshold - 1)
    return _settled_game(position, worst, low), _settled_game(position, best, high)


def _settled_game(position: Position, made: bool, points: int | None = None) -> float:
    rules, threshold = position.rules, position.book.threshold
    if points is None:
        points = threshold if made else threshold - 1
    bird = rules.bird if rules.goal_needs_bird else None
    birds = {} if bird is None else {bird: Bird(1, made)}
    parts = Scoring(position).parts(Facts(points=points, tricks=1, made=made, birds=birds))
    return sum(amount for name, amount in parts.items() if name in ("game", bird))


def _fewest(engine: Engine, position: Position, nodes: int | None) -> Outcome:
    seat = position.declarer or 0
    bounds = _bounds(engine, position, seat_question(position, seat, "points"), nodes)
    low, high = (_cannot_lose(position, points) for points in bounds)
    return Outcome(sum(bounds) / 2, low if low == high else None, exact=bounds[0] == bounds[1])


def _cannot_lose(position: Position, points: int) -> bool:
    """Return whether a seat with so many points cannot lose a game of everyone."""
    book = position.book
    if position.rules.payment == "klop":
        return book.counted(points) <= book.half
    return points * position.seats < sum(book.weights)
