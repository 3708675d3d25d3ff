"""Filling the cells of a table.

A cell has up to three results, each after the exchange that is best for it. Contracts that are
played alike, such as Bettler and Bettler ouvert, share the first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from trull.analysis.deals import Deal
from trull.analysis.exchange import Exchanged, ExchangeError, Exchanger, Setting
from trull.analysis.makeable.cell import Cell, Found
from trull.analysis.makeable.everyone import least_score
from trull.solver.api import Request
from trull.solver.kernel.engine import Engine
from trull.solver.question import Objective, Value, default_objective, seat_question
from trull.solver.referee import Referee
from trull.solver.rules import Contract, hand_size
from trull.solver.settlement import Facts, Score, Scoring
from trull.solver.windows import Search, Stopped

Column = Literal["value", "made", "score"]
Choosing = Literal["best", "plain"]

COLUMNS: tuple[Column, ...] = get_args(Column)
"""The results of a cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is asked about the contracts of a deal.

    Attributes:
        columns: the results to find out.
        policy: how talon, call and discards are chosen.
        options: the rule book's options that are set.
        nodes: node limit of one search.
    """

    columns: frozenset[Column] = frozenset(COLUMNS)
    policy: Choosing = "best"
    options: Mapping[str, object] = field(default_factory=dict)
    nodes: int | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Contracts of one seat that are played alike."""

    seat: int
    contracts: tuple[str, ...]


def groups(deal: Deal, cells: Iterable[tuple[str, int]], terms: Terms) -> list[Group]:
    """Return contracts and seats so that those that are played alike are together."""
    found: dict[tuple[int, str], list[str]] = defaultdict(list)
    for contract, seat in cells:
        rules = Setting(deal=deal, contract=contract, declarer=seat, options=terms.options).rules
        found[seat, repr(_play(rules))].append(contract)
    return [Group(seat, tuple(contracts)) for (seat, _), contracts in found.items()]


def _play(rules: Contract) -> Contract:
    """Return a contract without what its points or tricks do not depend on."""
    return replace(
        rules,
        name="",
        source="",
        values={},
        tricks=0,
        bird=None,
        goal_needs_bird=False,
        bonuses=(),
        doubling=False,
        game_score="value",
        factors=((1, 1),) * rules.levels,
        bonus_values={},
        valat="beside",
        mond=None,
        called_king_penalty=0,
        payment=None if rules.sides != "everyone" else rules.payment,
    )


def cells_of(engine: Engine, deal: Deal, group: Group, terms: Terms) -> list[Cell]:
    """Return the cells of a group.

    Raises `trull.solver.validation.PositionError` for options that a contract cannot have.
    """
    shared: dict[Objective, Found] = {}
    cells = []
    for contract in group.contracts:
        try:
            cells.append(_Filling(engine, deal, contract, group.seat, terms, shared).cell())
        except ExchangeError as error:
            cells.append(Cell(contract=contract, seat=group.seat, closed=str(error)))
    return cells


class _Filling:
    """The work on one cell."""

    def __init__(
        self,
        engine: Engine,
        deal: Deal,
        contract: str,
        seat: int,
        terms: Terms,
        shared: dict[Objective, Found],
    ) -> None:
        self._engine, self._deal, self._terms, self._shared = engine, deal, terms, shared
        self._setting = Setting(deal=deal, contract=contract, declarer=seat, options=terms.options)
        self._rules, self._seat = self._setting.rules, seat

    def cell(self) -> Cell:
        columns = self._terms.columns
        cell = Cell(contract=self._setting.contract, seat=self._seat)
        if self._rules.sides == "everyone":
            if columns == {"made"}:
                return cell
            points = self._fewest_points()
            return replace(
                cell,
                value=points if "value" in columns else None,
                score=least_score(points, self._seat) if "score" in columns else None,
            )
        value = self._value() if "value" in columns else None
        made = self._made(value) if "made" in columns else None
        score = self._score(value, made) if "score" in columns else None
        return replace(cell, value=value, made=made, score=score)

    def _value(self) -> Found:
        objective = default_objective(self._rules)
        if objective == "made":
            return self._found("made")
        if objective not in self._shared:
            self._shared[objective] = self._found(objective)
            return self._shared[objective]
        return replace(self._shared[objective], nodes=0)

    def _made(self, value: Found | None) -> Found:
        """Return whether the contract is made, read off its value where that tells."""
        if value is not None:
            if value.objective == "made":
                return replace(value, nodes=0)
            verdict = _verdict(self._rules, self._setting.book.threshold, value)
            if verdict is not None:
                return replace(value, objective="made", lower=verdict, upper=verdict, nodes=0)
        return self._found("made")

    def _score(self, value: Found | None, made: Found | None) -> Found:
        """Return what the declarer scores, read off `made` where nothing else counts."""
        if self._rules.goal == "majority":
            return self._found("score")
        verdict = self._made(value) if made is None else replace(made, nodes=0)
        scoring = Scoring(verdict.exchanged.position)
        lower, upper = (
            scoring.declarer(Facts(points=0, tricks=0, made=bool(bound)))
            for bound in (verdict.lower, verdict.upper)
        )
        return replace(verdict, objective="score", lower=lower, upper=upper)

    def _found(self, objective: Objective) -> Found:
        """Find out what an objective comes to."""
        rules = self._rules
        free = not rules.discards and (rules.sides == "alone" or rules.calls is not None)
        policy = "plain" if free else self._terms.policy
        exchanger = Exchanger(
            contract=self._setting.contract,
            policy=policy,
            objective=objective,
            options=self._terms.options,
            nodes=self._terms.nodes,
        )
        exchanged = exchanger.choose(self._engine, self._setting)
        if exchanged.value is not None:
            return _found(objective, exchanged.value, exchanged.value, exchanged, exchanged.nodes)
        lower, upper = _NO_BOUNDS[objective]
        if policy == "best" and self._others_choose:
            return _found(objective, lower, upper, exchanged, exchanged.nodes)
        request = Request(objective=objective, cards="none", pv=False, nodes=self._terms.nodes)
        answer = request.answer(self._engine, exchanged.position)
        upper = answer.upper if policy == "plain" else upper
        nodes = exchanged.nodes + answer.nodes
        return _found(objective, answer.lower, upper, exchanged, nodes)

    @property
    def _others_choose(self) -> bool:
        """Whether opponents lay away, so that one exchange proves nothing of the others."""
        return len(self._rules.discards) > 1 or bool(self._terms.options.get("second_pickings"))

    def _fewest_points(self) -> Found:
        exchanged = Exchanger(contract=self._setting.contract).choose(self._engine, self._setting)
        position = exchanged.position
        question = seat_question(position, self._seat, None)
        self._engine.begin(self._terms.nodes)
        question.load(self._engine, position)
        search = Search(self._engine, Referee(position), question)
        with suppress(Stopped):
            search.run("none", False)
        return _found("points", search.lower, search.upper, exchanged, self._engine.nodes)


def _found(
    objective: Objective,
    lower: Value | None,
    upper: Value | None,
    exchanged: Exchanged,
    nodes: int,
) -> Found:
    return Found(objective=objective, lower=lower, upper=upper, exchanged=exchanged, nodes=nodes)


_NO_BOUNDS: Mapping[Objective, tuple[Value | None, Value | None]] = {
    "points": (0, None),
    "tricks": (0, None),
    "made": (False, True),
    "score": (None, None),
}
"""What is known of the best of exchanges that nothing is proven of."""


def _verdict(rules: Contract, threshold: int, value: Found) -> bool | None:
    """Return whether points or tricks make a contract, or `None` where they do not tell."""
    low, high = value.lower, value.upper
    if value.objective == "points" and not rules.goal_needs_bird:
        return _reaches(low, high, threshold)
    if value.objective == "tricks" and rules.goal == "at_most":
        fails = _reaches(low, high, rules.tricks + 1)
        return None if fails is None else not fails
    if value.objective == "tricks" and rules.fool != "excuse":
        seats = len(value.exchanged.position.hands)
        return _reaches(low, high, hand_size(seats) - rules.tricks)
    return None


def _reaches(low: Value | Score | None, high: Value | Score | None, needed: int) -> bool | None:
    if low is not None and low >= needed:
        return True
    return None if high is None or high >= needed else False
