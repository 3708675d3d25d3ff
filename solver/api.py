"""The door to the kernel: solve one position, or many."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Protocol, TypeVar

from trull.solver.answer import Answer
from trull.solver.kernel.engine import Engine
from trull.solver.maxn import MaxnAnswer, solve_maxn
from trull.solver.position import Position
from trull.solver.question import (
    Objective,
    Question,
    Unsolvable,
    Value,
    declarer_question,
    seat_question,
)
from trull.solver.referee import TAKE, Referee
from trull.solver.score_question import ScoreQuestion, score_question
from trull.solver.windows import RootCards, Search, Stopped
from trull.solver.workers import map_ordered

Other = TypeVar("Other")
Result = TypeVar("Result", covariant=True)

DEFAULT_MEMORY = 64


class Asks(Protocol[Result]):
    """Something to find out about each position of a stream."""

    def answer(self, engine: Engine, position: Position) -> Result:
        """Return the answer, found in an engine of its own, or raise `Unsolvable`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to find out about each position, and at what cost.

    Attributes:
        objective: `points`, `tricks`, `made` or `score`; `None` asks for the contract's own.
        cards: which root cards to value: `all`, only the `best`, or `none`.
        pv: whether to find a line of best play.
        seconds: time limit for one position.
        nodes: node limit for one position.
    """

    objective: Objective | None = None
    cards: RootCards = "all"
    pv: bool = True
    seconds: float | None = None
    nodes: int | None = None

    def answer(self, engine: Engine, position: Position) -> Answer:
        """Return what was to be found out about a position, or raise `Unsolvable`."""
        return _answer(engine, position, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class MaxnRequest:
    """What to find out about each ending in which every seat plays for its own settlement.

    Attributes:
        cards: which root cards to value: `all`, only the `best`, or `none`.
        seconds: time limit for one position.
        nodes: node limit for one position.
    """

    cards: RootCards = "all"
    seconds: float | None = None
    nodes: int | None = None

    def answer(self, engine: Engine, position: Position) -> MaxnAnswer:
        """Return the answer of `trull.solver.maxn.solve_maxn`, or raise `Unsolvable`."""
        engine.begin()
        return solve_maxn(
            position,
            cards=self.cards,
            seconds=self.seconds,
            nodes=self.nodes,
            stopped=lambda: engine.stopped,
        )


def solve(
    position: Position,
    objective: Objective | None = None,
    *,
    cards: RootCards = "all",
    pv: bool = True,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: float = DEFAULT_MEMORY,
) -> Answer:
    """Solve a position: what the declaring side wins under best play by everyone.

    Args:
        position: the position; `Position.from_dict` reads one from the public JSON.
        objective: `points` (card points in the variant's exact unit), `tricks`, `made`, or
            `score` (what the declarer writes, bonuses included); by default `points` where the
            contract is about points, else `tricks`.
        cards: value `all` legal cards, find all the `best` ones, or `none`.
        pv: whether to find a line of best play.
        seconds: time limit. When it ends the search, the answer holds proven bounds.
        nodes: node limit, with the same effect.
        memory: size of the transposition table in MB.

    Raises `Unsolvable` for a contract or objective that cannot be solved. An interrupt stops
    the search at once and is raised again.

    >>> from trull.solver import Position, solve
    >>> ending = Position.from_dict({
    ...     "variant": "koenigrufen", "contract": "dreier", "declarer": 0, "leader": 0,
    ...     "hands": ["T22 SK", "T21 SQ", "T5 S8", "T2 C7"],
    ... })
    >>> answer = solve(ending)
    >>> answer.value, answer.unit, answer.exact
    (53, 'thirds', True)
    """
    request = Request(objective=objective, cards=cards, pv=pv, seconds=seconds, nodes=nodes)
    (answer,) = solve_many([position], request, memory=memory)
    return answer


def solve_many(
    positions: Iterable[Position],
    request: Request = Request(),
    *,
    workers: int = 1,
    memory: float = DEFAULT_MEMORY,
) -> Iterator[Answer]:
    """Solve positions on `workers` threads; yield the answers in order, each when it is ready.

    Every position starts with an empty table, so answers and node counts do not depend on the
    number of workers nor on the other positions.

    Args:
        positions: the positions.
        request: what to find out about each.
        workers: number of threads.
        memory: size of each worker's transposition table in MB.

    Raises `Unsolvable` at the first position that cannot be solved.

    >>> from trull.solver import Position, Request, solve_many
    >>> hands = ["T22 SK", "T21 SQ", "T5 S8", "T2 C7"]
    >>> ending = {"variant": "koenigrufen", "contract": "dreier", "hands": hands, "leader": 0}
    >>> positions = [Position.from_dict({**ending, "declarer": seat}) for seat in range(4)]
    >>> [answer.value for answer in solve_many(positions, Request(objective="tricks"), workers=2)]
    [2, 0, 0, 0]
    """
    for answer in answer_each(positions, request, workers=workers, memory=memory):
        if isinstance(answer, Unsolvable):
            raise answer
        yield answer


def answer_each(
    items: Iterable[Position | Other],
    request: Asks[Result],
    *,
    workers: int = 1,
    memory: float = DEFAULT_MEMORY,
) -> Iterator[Result | Other | Unsolvable]:
    """Solve a stream that may hold other items, such as errors: each is handed on in its place.

    A position that cannot be solved gives its `Unsolvable` instead of raising it. Otherwise
    like `solve_many`, for a `MaxnRequest` too.
    """

    def work(engine: Engine, item: Position | Other) -> Result | Other | Unsolvable:
        if not isinstance(item, Position):
            return item
        try:
            return request.answer(engine, item)
        except Unsolvable as error:
            return error

    return map_ordered(work, items, workers, memory)


def _answer(engine: Engine, position: Position, request: Request) -> Answer:
    began = time.perf_counter()
    questions = _questions(position, request.objective)
    referee = Referee(position)
    engine.begin(request.nodes)
    searches = []
    with time_limit(engine, request.seconds):
        for number, question in enumerate(questions):
            question.load(engine, position)
            search = Search(engine, referee, question)
            searches.append(search)
            with suppress(Stopped):
                search.run(request.cards if number == 0 else "none", request.pv and number == 0)
    first = searches[0]
    return Answer(
        position=position,
        objective=first.question.objective,
        unit=first.question.unit,
        player=None if referee.over(referee.start) else position.player,
        lower=first.lower,
        upper=first.upper,
        cards={card: first.question.answer(first.cards[card]) for card in sorted(first.cards)},
        seats=_by_seat(searches, position) if len(searches) > 1 else (),
        pv=tuple(move % TAKE for move in first.pv),
        taken_up=tuple(move // TAKE for move in first.pv) if any(position.straw) else (),
        nodes=engine.nodes,
        ms=1000 * (time.perf_counter() - began),
    )


def _questions(
    position: Position, objective: Objective | None
) -> list[Question] | list[Question | ScoreQuestion]:
    """Return what is asked; in a game of everyone one question a seat, the player's first."""
    if position.rules.sides != "everyone":
        if objective == "score":
            return [score_question(position)]
        return [declarer_question(position, objective)]
    turns = range(position.player, position.player + position.seats)
    return [seat_question(position, turn % position.seats, objective) for turn in turns]


def _by_seat(searches: list[Search], position: Position) -> tuple[tuple[Value, Value], ...]:
    """Return the bounds of every seat, which were searched from the player on."""
    turn = position.seats - position.player
    return tuple((s.lower, s.upper) for s in (*searches[turn:], *searches[:turn]))


@contextmanager
def time_limit(engine: Engine, seconds: float | None) -> Iterator[None]:
    """Stop the engine when the time is over."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, engine.stop)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
