"""The best exchange, proven with all cards open.

The exchange is a game that ends in positions: the declarer calls, takes up talon cards and lays
away; then, in games in which others exchange too, each of them lays away in turn, knowing what was
laid away before. The declaring side wants the position to be worth much, the opponents little.

The search keeps the best choice found and what it is worth, and asks of every other choice whether
it is worth more: a null window, which the later turns answer like moves of a search. Only a choice
that is worth more is valued exactly. All positions share one table (`Engine.sharing`), and what is
proven of a position or of an exchange so far is remembered.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from trull.analysis.exchange.candidates import Candidates
from trull.analysis.exchange.exchanged import Choice, Exchanged
from trull.analysis.exchange.leaves import Leaves, Outs
from trull.analysis.exchange.plain import best_first, plan_worth, promise
from trull.analysis.exchange.plans import Plan, laid_by, position_of
from trull.analysis.exchange.setting import Setting
from trull.solver.api import time_limit
from trull.solver.kernel.engine import Engine
from trull.solver.question import Objective, Value, declarer_question, default_objective
from trull.solver.referee import Referee
from trull.solver.score_question import score_question
from trull.solver.windows import Bounds, Search, Stopped, settle

if TYPE_CHECKING:
    from trull.analysis.exchange.choosing import Exchanger

Pair = tuple[Plan, Outs]


def best_exchange(
    engine: Engine, setting: Setting, pairs: Sequence[Pair], wanted: Exchanger, began: float
) -> Exchanged:
    """Return the best exchange among plans.

    Args:
        engine: a search engine.
        setting: the deal and its contract.
        pairs: the plans, each with discards to try first.
        wanted: what is looked for, and the limits.
        began: when the work began.
    """
    objective = wanted.objective or default_objective(setting.rules)
    if objective != "score" and wanted.level is None:
        pairs = _without_returns(pairs)
    engine.begin(wanted.nodes)
    value: Value | None = None
    exact, ties = True, tuple[Choice, ...]()
    best = pairs[0]
    if setting.rules.sides in ("partner", "alone"):
        with time_limit(engine, wanted.seconds), engine.sharing():
            if len(pairs) == 1 and not pairs[0][0].turns:
                value, exact = _only(engine, setting, best, objective)
            else:
                search = BestSearch(engine, setting, objective, pairs, wanted.discards)
                exact = search.run()
                best, value = search.best, search.value
                if wanted.ties and exact:
                    with suppress(Stopped):
                        ties = tuple(search.ties())
                    exact = bool(ties)
                if objective == "made" and value is not None:
                    value = bool(value)
    plan, outs = best
    return Exchanged(
        position=position_of(setting, plan, outs),
        policy="best",
        objective=objective,
        called=plan.called,
        level=plan.level,
        group=plan.group,
        taken=plan.taken[setting.declarer or 0],
        discards=laid_by(plan, outs),
        value=value if exact else None,
        exact=exact,
        ties=ties,
        nodes=engine.nodes,
        ms=1000 * (time.perf_counter() - began),
    )


def _without_returns(pairs: Sequence[Pair]) -> list[Pair]:
    """Return plans without those that take at a higher level what another takes at a lower."""
    lowest: dict[tuple[int | None, int | None], Pair] = {}
    for pair in sorted(pairs, key=lambda pair: pair[0].level):
        lowest.setdefault((pair[0].called, pair[0].group), pair)
    return list(lowest.values())


def _only(
    engine: Engine, setting: Setting, pair: Pair, objective: Objective
) -> tuple[Value | None, bool]:
    """Return what the one possible position is worth, and whether that is proven."""
    position = position_of(setting, *pair)
    if objective == "score":
        question = score_question(position)
    else:
        question = declarer_question(position, objective)
    question.load(engine, position)
    search = Search(engine, Referee(position), question)
    try:
        search.run("none", pv=False)
    except Stopped:
        return None, False
    return search.lower, True


class BestSearch:
    """The search for the best of some plans.

    Attributes:
        best: the best plan and discards found so far.
        value: what they are worth, or `None` while that is not known.
    """

    def __init__(
        self,
        engine: Engine,
        setting: Setting,
        objective: Objective,
        pairs: Sequence[Pair],
        own: int | None,
    ) -> None:
        """Start with the plans and the discards that look best.

        Args:
            engine: an engine that is `sharing`.
            setting: the deal and its contract.
            objective: what is looked for.
            pairs: the plans, each with discards to try first.
            own: what the declarer lays away, when that is given.
        """
        self._setting, self._own = setting, own
        self._leaves = Leaves(engine, setting, objective)
        self._pairs = sorted(pairs, key=_promise, reverse=True)
        self._first = {plan: Candidates(setting, plan) for plan, _ in self._pairs}
        choices = [
            (plan, outs)
            for plan, _ in self._pairs
            for outs in self._openings(plan, self._first[plan])
        ]
        self._choices = sorted(choices, key=_promise, reverse=True)
        self._proven: dict[Pair, Bounds] = {}
        self._replies: dict[Pair, list[int]] = {}
        self._refuted: Counter[tuple[int, int]] = Counter()
        made = objective == "made"
        self._limits = (0, 1) if made else (-_INFINITY, _INFINITY)
        self._guess = setting.book.threshold if objective == "points" else 1
        self.best = self._pairs[0]
        self.value: int | None = None

    def run(self) -> bool:
        """Look for the best choice; return whether it is proven, which a limit can prevent."""
        try:
            first, rest = self._choices[:_FIRST], self._choices[_FIRST:]
            self.value = self._settle(first, Bounds(*self._limits), self._guess)
            for choice in rest:
                if self.value < self._limits[1]:
                    found = self._bound(*choice, self.value + 1)
                    if found > self.value:
                        self._remember(choice)
                        bounds = Bounds(found, self._limits[1])
                        self.value = self._settle([choice], bounds, found + 1)
            plan, outs = self.best
            self.best = plan, self._answered(plan, outs[:1], self.value)
        except Stopped:
            return False
        return True

    def _settle(self, choices: list[Pair], bounds: Bounds, guess: int) -> int:
        """Find out what the best of some choices is worth, and remember it."""

        def bound(target: int) -> int:
            choices.sort(key=self._rank)
            highest = -_INFINITY
            for plan, outs in choices:
                found = self._bound(plan, outs, target)
                if found >= target:
                    self._remember((plan, outs))
                    return found
                highest = max(highest, found)
            return highest

        return settle(bound, bounds, guess)

    def _remember(self, choice: Pair) -> None:
        plan, outs = choice
        self.best = plan, self._answered_first(plan, outs)

    def _rank(self, choice: Pair) -> tuple[int, int]:
        """Return the place of a choice: those first of which most is proven."""
        known = self._proven.get(choice)
        return (0, 0) if known is None else (-known.lower, -known.upper)

    def ties(self) -> Iterator[Choice]:
        """Yield every choice of the declarer that is worth as much as the best."""
        assert self.value is not None
        for plan, _ in self._pairs:
            every = Candidates(self._setting, plan, every=True)
            for outs in self._openings(plan, every):
                if self._bound(plan, outs, self.value) >= self.value:
                    for out in every.equals((), outs[0]) if outs and self._own is None else outs:
                        yield self._choice(plan, out)
                    if not outs:
                        yield self._choice(plan, 0)

    def _choice(self, plan: Plan, out: int) -> Choice:
        taken = plan.taken[self._setting.declarer or 0]
        return Choice(
            called=plan.called, level=plan.level, group=plan.group, taken=taken, discards=out
        )

    def _openings(self, plan: Plan, candidates: Candidates) -> Iterator[Outs]:
        """Yield what the declarer may lay away first, the most promising first."""
        if not plan.turns:
            yield ()
        elif self._own is not None:
            yield (self._own,)
        else:
            for out in best_first(plan, (), candidates.at(())):
                yield (out,)

    def _bound(self, plan: Plan, outs: Outs, target: int) -> int:
        """Return a bound of what the exchange comes to after some turns, as `Leaves.bound`."""
        known = self._proven.setdefault((plan, outs), Bounds(-_INFINITY, _INFINITY))
        if known.lower >= target:
            return known.lower
        if known.upper < target:
            return known.upper
        if len(outs) == len(plan.turns):
            found = self._leaves.bound(plan, outs, target)
        else:
            found = self._bound_of_replies(plan, outs, target)
        if found >= target:
            known.lower = found
        else:
            known.upper = found
        return found

    def _bound_of_replies(self, plan: Plan, outs: Outs, target: int) -> int:
        maximises = self._maximises(plan, len(outs))
        result = -_INFINITY if maximises else _INFINITY
        for out in self._ordered_replies(plan, outs):
            found = self._bound(plan, (*outs, out), target)
            result = max(result, found) if maximises else min(result, found)
            if (result >= target) == maximises:
                self._refuted[plan.turns[len(outs)].seat, out] += 1
                break
        return result

    def _maximises(self, plan: Plan, turn: int) -> bool:
        return plan.turns[turn].seat in (self._setting.declarer, plan.partner)

    def _ordered_replies(self, plan: Plan, outs: Outs) -> list[int]:
        """Return the discards of the next turn, those first that have succeeded most often."""
        seat = plan.turns[len(outs)].seat
        if (plan, outs) not in self._replies:
            found = best_first(plan, outs, self._first[plan].at(outs))
            self._replies[plan, outs] = found
        return sorted(self._replies[plan, outs], key=lambda out: -self._refuted[seat, out])

    def _answered_first(self, plan: Plan, outs: Outs) -> Outs:
        """Return discards of all turns that begin with `outs` and go on with the first replies."""
        while len(outs) < len(plan.turns):
            outs = (*outs, self._ordered_replies(plan, outs)[0])
        return outs

    def _answered(self, plan: Plan, outs: Outs, value: int) -> Outs:
        """Return discards of all turns that begin with `outs` and keep what it is worth."""
        while len(outs) < len(plan.turns):
            replies = self._ordered_replies(plan, outs)
            if self._maximises(plan, len(outs)):
                good = (r for r in replies if self._bound(plan, (*outs, r), value) >= value)
            else:
                good = (r for r in replies if self._bound(plan, (*outs, r), value + 1) <= value)
            outs = (*outs, next(good))
        return outs


_INFINITY = 1 << 20
_FIRST = 8


def _promise(pair: Pair) -> int:
    """Return what a plan promises the declaring side, to try the most promising first."""
    plan, outs = pair
    partner = 0 if plan.partner is None else promise(plan.pools[plan.partner])
    return plan_worth(plan, outs) + partner
