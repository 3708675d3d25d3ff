"""What to call, take up and lay away once the talon is seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from typing import NamedTuple

from trull.analysis.advice.drawing import Seen
from trull.analysis.advice.error import AdviceError
from trull.analysis.advice.racing import Effort, Expired, Race, Row, Watch
from trull.analysis.advice.record import Advice, Label, is_expired, ranking
from trull.analysis.advice.valuing import OPEN, Measure, Outcome, contract_outcome, swing
from trull.analysis.deals import Deal
from trull.analysis.exchange import Choice, ExchangeError, Exchanger, Setting
from trull.analysis.exchange.legality import calls_before_talon, legal_discards
from trull.analysis.exchange.plain import worth
from trull.analysis.exchange.plans import Plan, plans
from trull.solver import rulebooks
from trull.solver.cards import NAMES, format_hand, to_mask
from trull.solver.kernel.engine import Engine
from trull.solver.position import Position
from trull.solver.rules import TALON_SIZE, Contract
from trull.solver.validation import PositionError

CANDIDATES = 16
"""How many exchanges are compared by default."""


class _Entry(NamedTuple):
    """A choice with what it promises."""

    promise: int
    choice: Choice


def _place(entry: _Entry) -> tuple[int, int, int, int]:
    """Return a key that orders choices by their promise, larger for better, without ties."""
    choice = entry.choice
    return entry.promise, -(choice.called or 0), -choice.taken, -choice.discards


@dataclass(frozen=True, kw_only=True)
class ExchangeQuestion:
    """What the declarer of a contract should call, take up and lay away.

    Attributes:
        seen: what the declarer knows: the hand as dealt and the talon cards seen.
        contract: the contract's identifier.
        call: the card that is called already, or to be called; `None` compares all.
        level: the level to play at; `None` compares all.
        group: the number of the talon group to take, from 0; `None` compares all.
        candidates: how many exchanges are compared at most.
        measure: what they are worth.
    """

    seen: Seen
    contract: str
    call: int | None = None
    level: int | None = None
    group: int | None = None
    candidates: int = CANDIDATES
    measure: Measure = "score"

    def __post_init__(self) -> None:
        """Check that there is something to exchange, and that enough of the talon is seen."""
        counts, seen = self.rules.discards, len(self.seen.talon)
        if not counts:
            raise AdviceError(f"contract: {self.contract} exchanges no cards with the talon")
        whole = (TALON_SIZE,) if len(counts) == 1 else (counts[0],)
        allowed = (counts[0], *whole) if self.rules.levels > 1 else whole
        if seen not in allowed:
            expected = " or ".join(map(str, sorted(set(allowed))))
            raise AdviceError(
                f"talon: {seen} cards, expected the {expected} that the declarer of "
                f"{self.contract} sees, in their order"
            )

    @property
    def rules(self) -> Contract:
        """The contract."""
        return rulebooks.contract(self.seen.variant, self.contract)

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The exchanges that are compared, the most promising first.

        Of every call and group the most promising discards, then whatever promises most: card
        points laid away and what the hand kept promises (`trull.analysis.exchange.plain`). They
        depend on nothing but what the declarer has seen.

        Raises `AdviceError` or `ExchangeError` when there is none.
        """
        by_plan = [list(self._promising(plan)) for plan in self._plans()]
        firsts = [found[0] for found in by_plan if found]
        firsts = nlargest(self.candidates, firsts, key=_place)
        others = [entry for found in by_plan for entry in found[1:]]
        chosen = firsts + nlargest(self.candidates - len(firsts), others, key=_place)
        if not chosen:
            raise AdviceError(f"{self.contract}: too few cards may be laid away")
        return tuple(entry.choice for entry in sorted(chosen, key=_place, reverse=True))

    def _plans(self) -> list[Plan]:
        """Return the plans that take cards that were seen, at the lowest level for each."""
        seat, seen = self.seen.seat, to_mask(self.seen.talon)
        setting = Setting(deal=self.seen.deal(0), contract=self.contract, declarer=seat)
        found = plans(setting, call=self.call, level=self.level, group=self.group)
        lowest: dict[tuple[int | None, int], Plan] = {}
        for plan in sorted(found, key=lambda plan: plan.level):
            if plan.taken[seat] & ~seen == 0:
                lowest.setdefault((plan.called, plan.taken[seat]), plan)
        return list(lowest.values())

    def _promising(self, plan: Plan) -> list[_Entry]:
        """Return the most promising discards of a plan, the best first."""
        seat = self.seen.seat
        pool, number = plan.pools[seat], plan.turns[0].number
        outs = legal_discards(self.rules, pool, number)
        best = nlargest(self.candidates, ((worth(pool & ~out, out), -out) for out in outs))
        return [
            _Entry(
                promise,
                Choice(
                    called=plan.called,
                    level=plan.level,
                    group=plan.group,
                    taken=plan.taken[seat],
                    discards=-order,
                ),
            )
            for promise, order in best
        ]

    def answer(self, effort: Effort, watch: Watch = lambda _done, _left: None) -> Advice:
        """Return the advice; arguments as for `BidQuestion.answer`."""
        race = Race(
            swings=[self._swing()] * len(self.choices),
            evaluate=lambda *asked: self._evaluated(*asked, nodes=effort.nodes),
            effort=effort,
            watch=watch,
        )
        race.run()
        labels = [Label(self._name(choice), choice.to_dict()) for choice in self.choices]
        return Advice(
            kind="exchange",
            variant=self.seen.variant,
            seat=self.seen.seat,
            hand=self.seen.hand,
            given={"contract": self.contract, **self.seen.to_dict()},
            unit="score",
            measure=self.measure,
            choices=ranking(race, labels),
            recommended=None if race.leader is None else 0,
            settled=race.settled,
            seed=self.seen.seed,
            deals=len(race.rows),
            expired=is_expired(race, effort),
            sampling={"candidates": len(self.choices)},
            remarks=tuple(self._remarks()),
        )

    def _evaluated(
        self,
        engine: Engine,
        number: int,
        active: Sequence[int],
        expired: Expired,
        *,
        nodes: int | None,
    ) -> Row | None:
        deal = self.seen.deal(number)
        row: dict[int, Outcome] = {}
        for at in active:
            if expired():
                return None
            position = self._position(engine, deal, self.choices[at])
            row[at] = (
                OPEN
                if position is None
                else contract_outcome(engine, position, self.measure, nodes)
            )
        return row

    def _position(self, engine: Engine, deal: Deal, choice: Choice) -> Position | None:
        """Return what is played after a choice, or `None` where another seat cannot exchange."""
        exchanger = Exchanger(
            contract=self.contract,
            declarer=self.seen.seat,
            call=choice.called,
            level=choice.level,
            group=choice.group,
            discards=choice.discards,
        )
        try:
            return exchanger.answer(engine, deal).position
        except (ExchangeError, PositionError):
            return None

    def _swing(self) -> float:
        position = self._position(Engine(0), self.seen.deal(0), self.choices[0])
        return 0 if position is None else swing(position)

    def _name(self, choice: Choice) -> str:
        """Return a choice in words, without what all choices have in common."""
        words = []
        if choice.called is not None and len({other.called for other in self.choices}) > 1:
            words.append(f"call {NAMES[choice.called]}")
        if self.rules.levels > 1:
            words.append(f"level {choice.level}")
        if len({other.taken for other in self.choices}) > 1:
            words.append(f"take {format_hand(choice.taken)}")
        words.append(f"lay away {format_hand(choice.discards)}")
        return ", ".join(words)

    def _remarks(self) -> list[str]:
        early = calls_before_talon(rulebooks.variant(self.seen.variant))
        called = {choice.called for choice in self.choices}
        if early and len(called) > 1:
            return ["The call comes before the talon; --call names the card that was called."]
        return []
