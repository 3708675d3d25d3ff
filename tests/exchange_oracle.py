"""The exchange by plain enumeration, from the rule texts: the truth for `best`.

Deals here may be endings: hands of two or three cards and a talon of six, the other cards won
before. Then everything that can be called, taken up and laid away can be tried, and every position
that comes of it played out over the referee.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from oracle import best
from score_oracle import Tree
from trull.analysis.exchange import Setting
from trull.solver import Position, rulebooks
from trull.solver.cards import (
    FACE_VALUES,
    KINGS,
    PAGAT,
    QUEENS,
    TRULL,
    TRUMP_MASK,
    XIX,
    XVI,
    XVII,
    XVIII,
    XX,
    from_mask,
    to_mask,
)
from trull.solver.referee import Referee

Seats = tuple[int, ...]
Out = tuple[tuple[int, int, int], ...]
"""What was laid away: seat, cards laid away, talon cards drawn for them."""

_DEAR = to_mask(card for card, face in enumerate(FACE_VALUES) if face > 2)
_MOST_ENDS = 1 << 14


@dataclass(frozen=True)
class Dealt:
    """A deal that may be an ending."""

    variant: str
    hands: Seats
    talon: Seats
    straw: tuple[()] = ()


@dataclass(frozen=True)
class Way:
    """A call and a choice of talon cards: the hands after it, and who lays away how many."""

    called: int | None
    partner: int | None
    level: int
    taken: int
    hands: Seats
    rest: Seats
    turns: tuple[tuple[int, int], ...]
    second: int | None = None


def random_setting(
    rng: random.Random, variant: str, contract: str, players: int, tricks: int, **terms: Any
) -> Setting:
    """Return a random ending that a contract's exchange is made in."""
    pack = sorted(range(54), key=lambda card: rng.random() * (1 if _DEAR >> card & 1 else 3))
    size = players * tricks + 6
    here, gone = pack[:size], pack[size:]
    rng.shuffle(here)
    rng.shuffle(gone)
    hands = tuple(to_mask(here[tricks * seat : tricks * (seat + 1)]) for seat in range(players))
    taken = [0] * players
    while gone:
        trick, gone = gone[:players], gone[players:]
        taken[rng.randrange(players)] |= to_mask(trick)
    return Setting(
        deal=Dealt(variant, hands, tuple(here[-6:])),
        contract=contract,
        declarer=rng.randrange(players),
        taken=tuple(taken),
        **terms,
    )


# --- What may be called and laid away, rule text by rule text ---


def may_call(setting: Setting, dealt: int, with_talon: int) -> list[int | None]:
    """Return what may be called with a hand as dealt, and with the cards taken up."""
    variant, contract = (
        setting.deal.variant,
        rulebooks.contract(setting.deal.variant, setting.contract),
    )
    if contract.sides != "partner":
        return [None]
    if variant == "texas":
        if setting.contract == "ze_ruky":
            return [XX]
        missing = [card for card in (XX, XIX, XVIII, XVII) if not with_talon >> card & 1]
        own = [XX] if setting.options.get("solo_povinost") or not missing else []
        return [*missing[:1], *(card for card in own if card not in missing)]
    if variant == "czech":
        missing = [card for card in (XIX, XVIII, XVII, XVI) if not dealt >> card & 1]
        return [*missing[:1], *([XIX] if XIX not in missing else [])]
    kings = [card for card in from_mask(KINGS) if not dealt >> card & 1]
    queens = [card for card in from_mask(QUEENS) if not dealt >> card & 1]
    return [*kings] or ([*queens] if variant == "koenigrufen" else [])


def may_lay(setting: Setting, hand: int, out: int) -> bool:
    """Return whether cards may be laid away from a hand that holds them."""
    variant, left = setting.deal.variant, hand & ~out
    if variant in ("slovenian", "house"):
        return all(FACE_VALUES[card] < 5 for card in from_mask(out))
    never = KINGS | (1 << PAGAT if variant == "texas" else TRULL)
    if out & never:
        return False
    if setting.contract == "farbendreier":
        return not out & ~TRUMP_MASK or not left & TRUMP_MASK & ~TRULL
    return not out & TRUMP_MASK or not left & ~TRUMP_MASK & ~KINGS


# --- Every way to exchange ---


def ways(setting: Setting) -> Iterator[Way]:
    """Yield every call with every choice of talon cards."""
    talon, declarer = setting.deal.talon, setting.declarer or 0
    counts = rulebooks.contract(setting.deal.variant, setting.contract).discards
    seats = len(setting.deal.hands)
    if not counts:
        yield from _called(setting, {}, talon, 1, ())
    elif counts == (4, 1, 1):
        turns = [(declarer, 4), ((declarer + 1) % seats, 1), ((declarer + 2) % seats, 1)]
        parts = {turns[0][0]: talon[:4], turns[1][0]: talon[4:5], turns[2][0]: talon[5:]}
        yield from _called(setting, parts, (), 1, tuple(turns))
    else:
        (number,) = counts
        for at in range(0, 6, number):
            group = talon[at : at + number]
            rest = talon[:at] + talon[at + number :]
            levels = [1]
            if setting.contract in ("trojka", "prever"):
                levels = [2] if at else [1, 3]
            for level in levels:
                yield from _called(setting, {declarer: group}, rest, level, ((declarer, number),))


def _called(
    setting: Setting,
    parts: dict[int, Seats],
    rest: Seats,
    level: int,
    turns: tuple[tuple[int, int], ...],
) -> Iterator[Way]:
    dealt, declarer = setting.deal.hands, setting.declarer or 0
    hands = tuple(hand | to_mask(parts.get(seat, ())) for seat, hand in enumerate(dealt))
    for called in may_call(setting, dealt[declarer], hands[declarer]):
        owners = [
            seat for seat, hand in enumerate(hands) if called is not None and hand >> called & 1
        ]
        partner = owners[0] if owners and owners[0] != declarer else None
        second = None
        if setting.options.get("second_pickings") and partner is not None:
            second = ({0, 1, 2} - {declarer, partner}).pop()
        taken = to_mask(parts.get(declarer, ()))
        yield Way(called, partner, level, taken, hands, rest, turns, second)


def discards(setting: Setting, way: Way, turn: int) -> Iterator[tuple[int, int, int]]:
    """Yield everything that may be done at a turn."""
    if turn < len(way.turns):
        seat, number = way.turns[turn]
        for chosen in combinations(from_mask(way.hands[seat]), number):
            if may_lay(setting, way.hands[seat], to_mask(chosen)):
                yield seat, to_mask(chosen), 0
    else:
        assert way.second is not None
        hand = way.hands[way.second]
        for number in range(len(way.rest) + 1):
            for drawn in combinations(way.rest, number):
                for chosen in combinations(from_mask(hand), number):
                    if may_lay(setting, hand, to_mask(chosen)):
                        yield way.second, to_mask(chosen), to_mask(drawn)


def position_after(setting: Setting, way: Way, outs: Out) -> Position:
    """Return the position that is played."""
    hands, laid, rest = list(way.hands), [0] * len(way.hands), way.rest
    for seat, out, drawn in outs:
        hands[seat] = hands[seat] & ~out | drawn
        laid[seat] = out
        rest = tuple(card for card in rest if not drawn >> card & 1)
    rules = rulebooks.contract(setting.deal.variant, setting.contract)
    return Position(
        variant=setting.deal.variant,
        contract=setting.contract,
        hands=tuple(hands),
        declarer=setting.declarer,
        partner=way.partner,
        called=way.called,
        leader=setting.declarer or 0 if rules.leader == "declarer" else 0,
        taken=setting.taken,
        talon=rest,
        discards=tuple(laid),
        level=way.level,
        announced=setting.announced,
        options=setting.options,
    )


# --- What they are worth ---


def worth(position: Position, objective: Any) -> int:
    """Return what a position is worth under best play, over the referee."""
    if objective == "score":
        return Tree(position, _MOST_ENDS).score()
    referee = Referee(position)
    return int(best(referee, referee.start, objective))


def values(
    setting: Setting, objective: Any, solve: Callable[[Position, Any], int] = worth
) -> dict[tuple[int | None, int, int, int], int]:
    """Return what each choice of the declarer is worth: call, level, taken, laid away.

    Args:
        setting: the deal and its contract.
        objective: what is wanted.
        solve: what a position is worth.
    """
    found = {}
    for way in ways(setting):
        openings = discards(setting, way, 0) if way.turns else [(setting.declarer or 0, 0, 0)]
        for first in openings:
            outs = (first,) if way.turns else ()
            value = _value(setting, way, outs, objective, solve)
            if value is not None:
                found[way.called, way.level, way.taken, first[1]] = value
    return found


def _value(
    setting: Setting,
    way: Way,
    outs: Out,
    objective: Any,
    solve: Callable[[Position, Any], int],
) -> int | None:
    turns = len(way.turns) + (way.second is not None)
    if len(outs) == turns:
        return solve(position_after(setting, way, outs), objective)
    replies = list(discards(setting, way, len(outs)))
    found = [_value(setting, way, (*outs, out), objective, solve) for out in replies]
    if not found or None in found:
        return None
    choose = max if replies[0][0] in (setting.declarer, way.partner) else min
    return choose(value for value in found if value is not None)
