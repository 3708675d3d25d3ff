"""The policies of an exchange."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from trull.analysis.exchange.exchanged import Exchanged
from trull.analysis.exchange.legality import allowed_calls, calls_before_talon
from trull.analysis.exchange.plain import plain_call, plain_discards, plan_worth
from trull.analysis.exchange.plans import (
    Plan,
    laid_by,
    plans,
    position_of,
    untouched,
)
from trull.analysis.exchange.setting import Dealt, ExchangeError, Setting
from trull.solver.api import DEFAULT_MEMORY
from trull.solver.cards import format_hand
from trull.solver.kernel.engine import Engine
from trull.solver.position import Announcement
from trull.solver.question import Objective

Policy = Literal["best", "plain", "none"]

POLICIES: tuple[Policy, ...] = get_args(Policy)
"""How the choices are made: by search, by rules of thumb, or not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanger:
    """How exchanges are made, deal after deal.

    Attributes:
        contract: the contract's identifier.
        declarer: the declarer's seat.
        policy: `best`, `plain` or `none`.
        objective: what `best` looks for; `None` stands for the contract's own.
        ties: whether `best` finds every best choice of the declarer.
        options: the rule book's options that are set.
        announced: the announced bonuses.
        call: the card to call, or `None` to choose one.
        level: the level to play at, or `None` to choose one.
        group: the number of the talon group to take, from 0, or `None` to choose one.
        discards: what the declarer lays away, as a mask, or `None` to choose it.
        seconds: time limit for the search of one deal.
        nodes: node limit, likewise.
    """

    contract: str
    declarer: int | None = 0
    policy: Policy = "plain"
    objective: Objective | None = None
    ties: bool = False
    options: Mapping[str, object] = field(default_factory=dict)
    announced: tuple[Announcement, ...] = ()
    call: int | None = None
    level: int | None = None
    group: int | None = None
    discards: int | None = None
    seconds: float | None = None
    nodes: int | None = None

    def answer(self, engine: Engine, deal: Dealt) -> Exchanged:
        """Return what the exchange of a deal comes to, found in an engine of its own.

        Raises `ExchangeError` when the deal or a given choice breaks the rules, and what
        `position_of` raises.
        """
        setting = Setting(
            deal=deal,
            contract=self.contract,
            declarer=self.declarer,
            options=self.options,
            announced=self.announced,
        )
        return self.choose(engine, setting)

    def choose(self, engine: Engine, setting: Setting) -> Exchanged:
        """Return the same for a setting; its contract, seat and terms count, not those here."""
        began = time.perf_counter()
        if self.policy == "best":
            from trull.analysis.exchange.best import best_exchange

            pairs = self._pairs(setting, self.call, self.level)
            return best_exchange(engine, setting, pairs, self, began)
        plan, outs = self._plain(setting) if self.policy == "plain" else self._none(setting)
        return exchanged(setting, plan, outs, policy=self.policy, began=began)

    def _pairs(
        self, setting: Setting, call: int | None, level: int | None
    ) -> list[tuple[Plan, tuple[int, ...]]]:
        """Return the plans that have a legal discard, each with the plain one."""
        found = plans(setting, call=call, level=level, group=self.group)
        pairs = [(plan, plain_discards(setting, plan, self.discards)) for plan in found]
        possible = [(plan, outs) for plan, outs in pairs if outs is not None]
        if possible:
            return possible
        if self.discards is None:
            raise ExchangeError(f"{setting.contract}: too few cards may be laid away")
        given, number = format_hand(self.discards), sum(setting.rules.discards[:1])
        raise ExchangeError(
            f"discards: {given} may not be laid away in {setting.contract}, expected "
            f"{number or 'no'} cards that may"
        )

    def _plain(self, setting: Setting) -> tuple[Plan, tuple[int, ...]]:
        called = self._call(setting) if calls_before_talon(setting.book) else self.call
        level = self.level or (1 if self.group is None else None)
        found = self._pairs(setting, called, level)
        lowest, first = min(plan.level for plan, _ in found), found[0][0].called
        found = [pair for pair in found if (pair[0].called, pair[0].level) == (first, lowest)]
        return max(found, key=lambda pair: plan_worth(*pair))

    def _none(self, setting: Setting) -> tuple[Plan, tuple[int, ...]]:
        if self.discards is not None or self.group is not None:
            raise ExchangeError("policy none takes up and lays away nothing")
        return untouched(setting, self._call(setting), self.level), ()

    def _call(self, setting: Setting) -> int | None:
        """Return the plain call, made with the hand as dealt, or the given one."""
        hand = setting.deal.hands[setting.declarer or 0]
        return plain_call(allowed_calls(setting, hand, self.call), hand)


def exchange(
    deal: Dealt,
    contract: str,
    declarer: int | None = 0,
    *,
    policy: Policy = "plain",
    objective: Objective | None = None,
    ties: bool = False,
    options: Mapping[str, object] | None = None,
    announced: tuple[Announcement, ...] = (),
    call: int | None = None,
    level: int | None = None,
    group: int | None = None,
    discards: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    engine: Engine | None = None,
) -> Exchanged:
    """Return what the exchange of a deal comes to.

    Args:
        deal: the deal.
        contract: the contract's identifier.
        declarer: the declarer's seat.
        policy: how choices are made: `best` by search with all cards open, `plain` by rules of
            thumb, `none` lays the talon untouched aside.
        objective: what `best` looks for, by default what the contract is about.
        ties: whether `best` finds every best choice of the declarer.
        options: the rule book's options that are set.
        announced: the announced bonuses.
        call: the card to call; chosen when left out.
        level: the level to play at; chosen when left out.
        group: the number of the talon group to take, from 0; chosen when left out.
        discards: what the declarer lays away, as a mask; chosen when left out.
        seconds: time limit for the search.
        nodes: node limit for the search.
        engine: the search engine to use; a new one when left out.

    Raises `ExchangeError` when the deal or a given choice breaks the rules.
    """
    exchanger = Exchanger(
        contract=contract,
        declarer=declarer,
        policy=policy,
        objective=objective,
        ties=ties,
        options=options or {},
        announced=announced,
        call=call,
        level=level,
        group=group,
        discards=discards,
        seconds=seconds,
        nodes=nodes,
    )
    return exchanger.answer(engine or Engine(DEFAULT_MEMORY if policy == "best" else 0), deal)


def exchanged(
    setting: Setting,
    plan: Plan,
    outs: tuple[int, ...],
    *,
    policy: str,
    began: float,
) -> Exchanged:
    """Return the choices of a plan as they stand, nothing proven."""
    return Exchanged(
        position=position_of(setting, plan, outs),
        policy=policy,
        objective=None,
        called=plan.called,
        level=plan.level,
        group=plan.group,
        taken=plan.taken[setting.declarer or 0],
        discards=laid_by(plan, outs),
        value=None,
        exact=True,
        nodes=0,
        ms=1000 * (time.perf_counter() - began),
    )
