"""Plans: everything about an exchange but what is laid away.

A plan says what is called, who takes up which talon cards, and who lays away how many, in which
order. The sides are known with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trull.analysis.exchange.legality import allowed_calls, calls_before_talon
from trull.analysis.exchange.setting import ExchangeError, Setting
from trull.solver.cards import to_mask
from trull.solver.position import Position
from trull.solver.referee.state import replaced
from trull.solver.rules import Contract

_GROUP_OF_LEVEL = {1: 0, 2: 1, 3: 0}


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat that lays away cards.

    Attributes:
        seat: the seat.
        number: how many cards leave its pool.
        drawn: talon cards in its pool that it may leave there (second pickings), as a mask.
    """

    seat: int
    number: int
    drawn: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A call and a choice of talon cards.

    Attributes:
        called: the called card.
        partner: its holder, when he is not the declarer.
        level: the level.
        group: the number of the talon group that the declarer takes, from 0; `None` without one.
        taken: the talon cards that each seat takes up, as masks.
        pools: the cards of each seat with those it has taken up, as masks.
        rest: the talon cards that are left, in order.
        turns: who lays away, in order.
    """

    called: int | None
    partner: int | None
    level: int
    group: int | None
    taken: tuple[int, ...]
    pools: tuple[int, ...]
    rest: tuple[int, ...]
    turns: tuple[Turn, ...]


def plans(
    setting: Setting,
    *,
    call: int | None = None,
    level: int | None = None,
    group: int | None = None,
) -> list[Plan]:
    """Return every plan that the rules allow, or those with a given call, level and group.

    Raises `ExchangeError` when there is none.
    """
    found = []
    for taken, rest, number, at_level in _ways(setting, level, group):
        dealt = setting.deal.hands
        pools = tuple(hand | more for hand, more in zip(dealt, taken, strict=True))
        for called in _calls(setting, pools, call):
            found.append(_plan(setting, called, taken, pools, rest, number, at_level))
    return found


def untouched(setting: Setting, called: int | None, level: int | None = None) -> Plan:
    """Return the plan in which nobody takes up or lays away anything, at a level or the first.

    Raises `ExchangeError` when the contract has no such level.
    """
    _check_level(setting.rules, level)
    nothing, deal = (0,) * setting.seats, setting.deal
    return _plan(setting, called, nothing, deal.hands, deal.talon, None, level or 1, ())


def _check_level(rules: Contract, level: int | None) -> None:
    if level is not None and not 1 <= level <= rules.levels:
        raise ExchangeError(f"level: {level}, expected 1 to {rules.levels} in {rules.name}")


def _ways(
    setting: Setting, level: int | None, group: int | None
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int | None, int]]:
    """Yield what each seat takes, what is left, the number of the group and the level."""
    rules, talon, declarer = setting.rules, setting.deal.talon, setting.declarer or 0
    counts, nothing = rules.discards, (0,) * setting.seats
    levels = range(1, rules.levels + 1)
    _check_level(rules, level)
    if not counts:
        groups: list[tuple[int, ...]] = []
    elif len(counts) > 1:
        groups = [talon]
    else:
        groups = [talon[at : at + counts[0]] for at in range(0, len(talon), counts[0])]
    if group is not None and not 0 <= group < len(groups):
        expected = f"expected 0 to {len(groups) - 1}" if groups else "but nobody takes up a group"
        raise ExchangeError(f"group: {group}, {expected} in {rules.name}")
    if not groups:
        yield nothing, talon, None, 1
    elif len(counts) > 1:
        taken, at = nothing, 0
        for turn, count in enumerate(counts):
            seat = (declarer + turn) % setting.seats
            taken = replaced(taken, seat, to_mask(talon[at : at + count]))
            at += count
        yield taken, talon[at:], 0, 1
    elif rules.levels > 1:
        for at_level in levels if level is None else (level,):
            number = _GROUP_OF_LEVEL[at_level]
            if group in (None, number):
                yield *_taken(setting, groups[number]), number, at_level
    else:
        for number in range(len(groups)) if group is None else (group,):
            yield *_taken(setting, groups[number]), number, 1


def _taken(setting: Setting, cards: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    taken = replaced((0,) * setting.seats, setting.declarer or 0, to_mask(cards))
    return taken, tuple(card for card in setting.deal.talon if card not in cards)


def _calls(setting: Setting, pools: tuple[int, ...], wanted: int | None) -> tuple[int | None, ...]:
    hands = setting.deal.hands if calls_before_talon(setting.book) else pools
    return allowed_calls(setting, hands[setting.declarer or 0], wanted)


def _plan(
    setting: Setting,
    called: int | None,
    taken: tuple[int, ...],
    pools: tuple[int, ...],
    rest: tuple[int, ...],
    group: int | None,
    level: int,
    counts: tuple[int, ...] | None = None,
) -> Plan:
    declarer = setting.declarer or 0
    holders = (seat for seat, pool in enumerate(pools) if called is not None and pool >> called & 1)
    holder = next(holders, None)
    partner = None if holder == declarer else holder
    lays = setting.rules.discards if counts is None else counts
    turns = [Turn((declarer + turn) % setting.seats, count) for turn, count in enumerate(lays)]
    if counts is None and setting.options.get("second_pickings") and setting.seats == 3:
        for seat in range(setting.seats):
            if rest and partner is not None and seat not in (declarer, partner):
                left = to_mask(rest)
                pools = replaced(pools, seat, pools[seat] | left)
                turns.append(Turn(seat, len(rest), left))
    return Plan(
        called=called,
        partner=partner,
        level=level,
        group=group,
        taken=taken,
        pools=pools,
        rest=rest,
        turns=tuple(turns),
    )


def position_of(setting: Setting, plan: Plan, outs: tuple[int, ...]) -> Position:
    """Return the position that is played.

    Args:
        setting: the deal and its contract.
        plan: the plan.
        outs: the cards that leave the pool at each turn, as masks.

    Raises `trull.solver.validation.PositionError` for terms that the position cannot have.
    """
    hands, discards = plan.pools, (0,) * setting.seats
    back = to_mask(plan.rest)
    for turn, out in zip(plan.turns, outs, strict=True):
        hands = replaced(hands, turn.seat, hands[turn.seat] & ~out)
        discards = replaced(discards, turn.seat, out & ~turn.drawn)
        back &= ~(turn.drawn & ~out)
    return Position(
        variant=setting.deal.variant,
        contract=setting.contract,
        hands=hands,
        declarer=setting.declarer,
        partner=plan.partner,
        called=plan.called,
        leader=setting.lead,
        taken=setting.taken,
        straw=setting.deal.straw,
        talon=tuple(card for card in plan.rest if back >> card & 1),
        discards=discards,
        level=plan.level,
        announced=setting.announced,
        options=setting.options,
    )


def laid_by(plan: Plan, outs: tuple[int, ...]) -> tuple[int, ...]:
    """Return what each seat lays away, as masks."""
    laid = [0] * len(plan.pools)
    for turn, out in zip(plan.turns, outs, strict=True):
        laid[turn.seat] |= out & ~turn.drawn
    return tuple(laid)


def taken_by(plan: Plan, outs: tuple[int, ...]) -> tuple[int, ...]:
    """Return what each seat takes up, second pickings included, as masks."""
    taken = list(plan.taken)
    for turn, out in zip(plan.turns, outs, strict=True):
        taken[turn.seat] |= turn.drawn & ~out
    return tuple(taken)
