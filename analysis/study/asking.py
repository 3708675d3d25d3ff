"""How a game is exchanged, and what its objective comes to in a position."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from trull.analysis.deals import Deal
from trull.analysis.exchange import Exchanged, exchange
from trull.analysis.study.spec import Game
from trull.solver.api import Request
from trull.solver.kernel.engine import Engine
from trull.solver.position import Position
from trull.solver.question import Value, seat_question
from trull.solver.referee import Referee
from trull.solver.rules import hand_size
from trull.solver.windows import Search, Stopped


class Found(NamedTuple):
    """Proven bounds of the result, which are equal when it is known, and the nodes they took."""

    lower: Value
    upper: Value
    nodes: int

    @property
    def exact(self) -> bool:
        """Whether the result is known."""
        return self.lower == self.upper


def exchange_for(
    game: Game, deal: Deal, declarer: int, engine: Engine | None, nodes: int | None = None
) -> Exchanged:
    """Return the exchange of a game by its own policy and terms.

    Args:
        game: the contract and its terms.
        deal: the deal.
        declarer: the declarer's seat.
        engine: searches for the policy `best`.
        nodes: node limit.

    Raises `ExchangeError` where the deal does not allow the contract.
    """
    return exchange(
        deal,
        game.contract,
        declarer,
        policy=game.policy,
        objective=game.objective,
        announced=game.announced_by(declarer),
        options=game.options,
        level=game.level,
        nodes=nodes,
        engine=engine,
    )


def ask(engine: Engine, game: Game, position: Position, seat: int, nodes: int | None) -> Found:
    """Return what best play by everyone comes to.

    Args:
        engine: searches.
        game: what is asked.
        position: the position.
        seat: in a game of everyone, whose fewest points are asked for.
        nodes: node limit.
    """
    if game.rules.sides == "everyone":
        return _fewest_points(engine, position, seat, nodes)
    request = Request(objective=game.objective, cards="none", pv=False, nodes=nodes)
    answer = request.answer(engine, position)
    return Found(answer.lower, answer.upper, answer.nodes)


def _fewest_points(engine: Engine, position: Position, seat: int, nodes: int | None) -> Found:
    """Ask for one seat only, where `solve` asks for all of them."""
    question = seat_question(position, seat, "points")
    engine.begin(nodes)
    question.load(engine, position)
    search = Search(engine, Referee(position), question)
    with suppress(Stopped):
        search.run("none", False)
    return Found(search.lower, search.upper, engine.nodes)


def is_made(game: Game, position: Position, value: int) -> bool | None:
    """Return whether a result makes the contract, or `None` where it does not tell.

    Args:
        game: what was asked.
        position: the position.
        value: the result.
    """
    rules = position.rules
    if game.objective == "made":
        return bool(value)
    if game.objective == "points" and rules.goal == "majority" and not rules.goal_needs_bird:
        return value >= position.book.threshold
    if game.objective == "tricks" and rules.goal == "at_most":
        return value <= rules.tricks
    if game.objective == "tricks" and rules.goal == "all_but" and rules.fool != "excuse":
        return value >= hand_size(game.players) - rules.tricks
    return None
