"""What to bid: every contract that the hand allows, valued on the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from trull.analysis.advice.drawing import Seen
from trull.analysis.advice.error import AdviceError
from trull.analysis.advice.racing import Effort, Expired, Race, Row, Watch
from trull.analysis.advice.record import Advice, Choice, Label, is_expired, ranking
from trull.analysis.advice.valuing import OPEN, Measure, Outcome, contract_outcome, swing
from trull.analysis.deals import Deal
from trull.analysis.exchange import ExchangeError, Exchanger, Policy
from trull.solver import rulebooks
from trull.solver.hands import Hand, Report, judge
from trull.solver.kernel.engine import Engine
from trull.solver.validation import PositionError

PASS = "pass"
"""The choice to bid nothing. It counts as 0, since nobody knows what is played instead."""

_DEALS_ASIDE = 8
"""The deals on which games of everyone are valued, which take no part in the race."""


@dataclass(frozen=True, kw_only=True)
class BidQuestion:
    """What a seat should bid.

    Attributes:
        seen: what it knows.
        contracts: the contracts to compare; all that the hand may bid when left out.
        policy: how exchanges are made, `plain` or `best`.
        measure: what contracts are worth.
    """

    seen: Seen
    contracts: tuple[str, ...] = ()
    policy: Policy = "plain"
    measure: Measure = "score"

    def __post_init__(self) -> None:
        """Check the contracts; raises `AdviceError`."""
        for name in self.contracts:
            rulebooks.contract(self.seen.variant, name)
            if name in self.report.barred:
                raise AdviceError(f"contract: {name} may not be bid: {self.report.barred[name]}")
            if name not in self.report.bids:
                raise AdviceError(
                    f"contract: seat {self.seen.seat} may not bid {name}, expected "
                    f"{', '.join(self.report.bids) or 'none'}"
                )

    @cached_property
    def report(self) -> Report:
        """What the rule book says about the hand."""
        seen = self.seen
        return judge(Hand(variant=seen.variant, cards=seen.hand, seat=seen.seat))

    @property
    def _names(self) -> tuple[str, ...]:
        return self.contracts or self.report.bids

    def answer(self, effort: Effort, watch: Watch = lambda _done, _left: None) -> Advice:
        """Return the advice.

        Args:
            effort: how much work to do.
            watch: is told how far it is.

        Raises `AdviceError` for a hand that may bid nothing.
        """
        if not self._names:
            raise AdviceError("hand: there is no contract that it may bid")
        ranked, aside = self._divided()
        race = self._race([*ranked, PASS], effort, watch)
        if ranked:
            race.run()
        others = self._valued_aside(aside, effort)
        choices = ranking(race, self._labels([*ranked, PASS]))
        return Advice(
            kind="bid",
            variant=self.seen.variant,
            seat=self.seen.seat,
            hand=self.seen.hand,
            given={
                **self.seen.to_dict(),
                "policy": self.policy,
                "barred": dict(self.report.barred),
            },
            unit="score",
            measure=self.measure,
            choices=choices,
            aside=others,
            recommended=None if race.leader is None else 0,
            settled=race.settled,
            seed=self.seen.seed,
            deals=len(race.rows),
            expired=is_expired(race, effort),
            sampling={},
            remarks=tuple(self._remarks(choices)),
        )

    def _divided(self) -> tuple[list[str], list[str]]:
        """Return the contracts with a declaring side, and the games of everyone."""
        contracts = [rulebooks.contract(self.seen.variant, name) for name in self._names]
        ranked = [found.name for found in contracts if found.sides != "everyone"]
        return ranked, [found.name for found in contracts if found.sides == "everyone"]

    def _race(self, names: Sequence[str], effort: Effort, watch: Watch) -> Race:
        def evaluate(
            engine: Engine, number: int, active: Sequence[int], expired: Expired
        ) -> Row | None:
            deal = self.seen.deal(number)
            row: dict[int, Outcome] = {}
            for choice in active:
                if expired():
                    return None
                row[choice] = self._outcome(engine, deal, names[choice], effort.nodes)
            return row

        swings = [self._swing(name) for name in names]
        return Race(swings=swings, evaluate=evaluate, effort=effort, watch=watch)

    def _outcome(self, engine: Engine, deal: Deal, name: str, nodes: int | None) -> Outcome:
        """Return what a contract comes to; open when the deal allows no exchange."""
        if name == PASS:
            return Outcome(0)
        exchanger = Exchanger(
            contract=name, declarer=self.seen.seat, policy=self.policy, nodes=nodes
        )
        try:
            position = exchanger.answer(engine, deal).position
        except (ExchangeError, PositionError):
            return OPEN
        return contract_outcome(engine, position, self.measure, nodes)

    def _swing(self, name: str) -> float:
        """Return the swing of a contract, with the sides as they are in the first deal."""
        if name == PASS:
            return 0
        deal = self.seen.deal(0)
        exchanger = Exchanger(contract=name, declarer=self.seen.seat)
        try:
            return swing(exchanger.answer(Engine(0), deal).position)
        except (ExchangeError, PositionError):
            return 0

    def _valued_aside(self, names: Sequence[str], effort: Effort) -> tuple[Choice, ...]:
        if not names:
            return ()
        race = self._race(names, replace(effort, deals=_DEALS_ASIDE), lambda _done, _left: None)
        race.run()
        return ranking(race, self._labels(names))

    def _labels(self, names: Sequence[str]) -> list[Label]:
        bids = rulebooks.variant(self.seen.variant).bids
        only = (
            {bid.contract for bid in bids if bid.forehand == "only"} if not self.seen.seat else ()
        )
        return [
            Label(
                name,
                {"contract": None if name == PASS else name},
                {"if_all_pass": True} if name in only else {},
            )
            for name in names
        ]

    def _remarks(self, choices: Sequence[Choice]) -> list[str]:
        remarks = []
        if self.policy == "best":
            remarks.append("Every exchange was made with all cards open, which no declarer can.")
        if any(choice.notes for choice in choices):
            remarks.append("Contracts marked * are there only when all others have passed.")
        return remarks
