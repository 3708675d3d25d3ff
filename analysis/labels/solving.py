"""What every card of a position is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trull.analysis.labels.walking import Walk
from trull.solver.api import Request
from trull.solver.cards import to_mask
from trull.solver.kernel.engine import Engine
from trull.solver.position import Position
from trull.solver.question import Objective, Value, seat_question
from trull.solver.referee import Referee, State
from trull.solver.windows import RootCards, Search, Stopped


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The values of all legal cards of a position, and what follows from them.

    Attributes:
        values: the result after each legal card, under best play by everyone from there on: of
            the declaring side, or in a game of everyone of the seat to play.
        maximises: whether the seat to play wants the result large.
        nodes: positions searched.
    """

    values: Mapping[int, int]
    maximises: bool
    nodes: int

    @property
    def value(self) -> int:
        """The result under best play by everyone."""
        return (max if self.maximises else min)(self.values.values())

    @property
    def regrets(self) -> dict[int, int]:
        """What the seat to play loses by each card; 0 for the best."""
        best = self.value
        return {card: abs(best - value) for card, value in self.values.items()}

    @property
    def best(self) -> int:
        """The best cards, as a mask."""
        best = self.value
        return to_mask(card for card, value in self.values.items() if value == best)

    @property
    def legal(self) -> int:
        """The legal cards, as a mask."""
        return to_mask(self.values)


def judge_cards(engine: Engine, position: Position, objective: Objective) -> Judged:
    """Return what every legal card of a position with cards left is worth.

    Args:
        engine: searches, without limit.
        position: the position.
        objective: what is asked, as `trull.solver.solve` has it.

    Raises `Stopped` when the engine is retired meanwhile.
    """
    values, nodes = _asked(engine, position, objective, "all")
    return Judged(
        values={card: int(value) for card, value in values.items()},
        maximises=wants_more(position, objective),
        nodes=nodes,
    )


def best_cards(engine: Engine, position: Position, objective: Objective) -> tuple[int, ...]:
    """Return the best cards of a position; arguments and errors as for `judge_cards`."""
    found, _ = _asked(engine, position, objective, "best")
    return tuple(sorted(found))


def result(engine: Engine, position: Position, objective: Objective, seat: int) -> int:
    """Return the result of a position under best play by everyone.

    Args:
        engine: searches, without limit.
        position: the position, with cards left or without.
        objective: what is asked.
        seat: in a game of everyone, whose fewest points are asked for.

    Raises `Stopped` when the engine is retired meanwhile.
    """
    if position.rules.sides == "everyone":
        return int(_search_for_seat(engine, position, seat, "none").lower)
    answer = Request(objective=objective, cards="none", pv=False).answer(engine, position)
    if not answer.exact:
        raise Stopped
    return int(answer.lower)


def wants_more(position: Position, objective: Objective) -> bool:
    """Return whether the seat to play wants the result of an objective large.

    The declaring side wants few tricks and points in games of few tricks, and everybody does
    in games of everyone; a contract made and a high score it always wants.
    """
    if position.rules.sides == "everyone":
        return False
    few = position.rules.goal in ("at_most", "exactly") and objective in ("points", "tricks")
    return (position.player in position.side) != few


def _asked(
    engine: Engine, position: Position, objective: Objective, cards: RootCards
) -> tuple[Mapping[int, Value], int]:
    if position.rules.sides == "everyone":
        # `solve` would ask for every seat.
        search = _search_for_seat(engine, position, position.player, cards)
        return search.cards, engine.nodes
    answer = Request(objective=objective, cards=cards, pv=False).answer(engine, position)
    if not answer.exact:
        raise Stopped
    return answer.cards, answer.nodes


def _search_for_seat(engine: Engine, position: Position, seat: int, cards: RootCards) -> Search:
    question = seat_question(position, seat, "points")
    engine.begin()
    question.load(engine, position)
    search = Search(engine, Referee(position), question)
    search.run(cards, False)
    return search


def by_minimax(position: Position, objective: Objective) -> dict[int, int]:
    """Return what `judge_cards` finds, by trying every line of play with the referee.

    It shares nothing with the search, and is fit for two tricks or so. Raises `ValueError` for
    objective `score`.
    """
    if objective == "score":
        raise ValueError("the score is settled outside the referee")
    referee, seat = Referee(position), position.player
    everyone = position.rules.sides == "everyone"
    few = position.rules.goal in ("at_most", "exactly") and objective != "made"

    def worth(state: State) -> int:
        if referee.over(state):
            own = referee.points(state, seat) if everyone else referee.value(state, objective)
            return int(own)
        values = [worth(referee.play(state, card)) for card in referee.legal(state)]
        many = state.player != seat if everyone else (state.player in referee.side) != few
        return max(values) if many else min(values)

    start = referee.start
    return {card: worth(referee.play(start, card)) for card in referee.legal(start)}


def by_children(engine: Engine, position: Position, objective: Objective) -> dict[int, int]:
    """Return what `judge_cards` finds, by solving the position after every card by itself.

    Args:
        engine: searches, without limit.
        position: the position.
        objective: what is asked.
    """
    found = {}
    referee = Referee(position)
    for card in referee.legal(referee.start):
        walk = Walk(position)
        walk.play(card)
        found[card] = result(engine, walk.position, objective, position.player)
    return found
