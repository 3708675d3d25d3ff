"""The plain policy: quick choices by rules of thumb, without a search.

The call, made before the talon is turned up: the king of the suit of which the declarer holds the
fewest cards, but at least one; then one whose queen he holds; then spades, hearts, diamonds, clubs.
Of trumps, the highest that he misses. The level: the first. The group and the discards: those with
the highest worth, the sum of what the cards laid away count and what the hand promises.
"""

from __future__ import annotations

from trull.analysis.exchange.candidates import Candidates
from trull.analysis.exchange.legality import may_lay_away, to_lay_away
from trull.analysis.exchange.plans import Plan, Turn
from trull.analysis.exchange.setting import Setting
from trull.solver.cards import (
    FACE_VALUES,
    KINGS,
    QUEENS,
    SUIT_MASKS,
    TRULL,
    TRUMP_MASK,
    TRUMPS,
    XVI,
    from_mask,
    suit_mask,
    suit_of,
    to_mask,
)

_BIG = to_mask(range(XVI, TRUMPS))
_THIRDS = tuple(3 * face - 2 for face in FACE_VALUES)

TRUMP, BIG_TRUMP, HONOUR, KING = 3, 7, 12, 15
VOID, SINGLE, DOUBLE, LONG = 7, -6, -10, -6
GUARDED_QUEEN, OTHER_QUEEN = 5, 3
"""What a hand promises, in thirds of a point: for each trump, trump XVI and above, card of the
trull, King; for each suit without a card, and without its King with one, two, or more cards; for
each Queen with her King and without. Fitted to the values of some hundred Dreier positions."""

_OPEN = (VOID, SINGLE, DOUBLE, LONG)


def worth(hand: int, out: int) -> int:
    """Return what a hand and the cards laid away are worth together, in thirds.

    Args:
        hand: the cards kept, as a mask.
        out: the cards laid away.
    """
    return promise(hand) + sum(map(_THIRDS.__getitem__, from_mask(out)))


def promise(hand: int) -> int:
    """Return what a hand promises, in thirds."""
    total = TRUMP * (hand & TRUMP_MASK).bit_count() + KING * (hand & KINGS).bit_count()
    total += BIG_TRUMP * (hand & _BIG).bit_count() + HONOUR * (hand & TRULL).bit_count()
    for mask in SUIT_MASKS:
        held = hand & mask
        if held & KINGS:
            total += GUARDED_QUEEN * (held & QUEENS).bit_count()
        else:
            total += OTHER_QUEEN * (held & QUEENS).bit_count()
            total += _OPEN[min(held.bit_count(), len(_OPEN) - 1)]
    return total


def plain_call(cards: tuple[int | None, ...], hand: int) -> int | None:
    """Return which of some cards to call with a hand."""

    def rank(card: int) -> tuple[bool, int, bool, int]:
        own = hand & suit_mask(suit_of(card))
        return not own, own.bit_count(), not own & QUEENS, card

    kings = [card for card in cards if card is not None and card >= TRUMPS]
    return min(kings, key=rank) if kings else cards[0]


def best_first(plan: Plan, outs: tuple[int, ...], found: list[int]) -> list[int]:
    """Return discards of the next turn in the order of their worth, best first."""
    pool = plan.pools[plan.turns[len(outs)].seat]
    return sorted(found, key=lambda out: (-worth(pool & ~out, out), out))


def plain_discards(setting: Setting, plan: Plan, own: int | None = None) -> tuple[int, ...] | None:
    """Return what leaves the pools at each turn, as masks.

    Args:
        setting: the deal and its contract.
        plan: the plan.
        own: what the declarer lays away, when that is given.

    Returns `None` when a seat has no legal choice, or the given one is illegal.
    """
    outs: tuple[int, ...] = ()
    for turn in plan.turns:
        pool = plan.pools[turn.seat]
        if own is not None and not outs:
            found = [own] * may_lay_away(setting.rules, pool, turn.number, own)
        elif turn.drawn:
            found = [_one_by_one(setting, pool, turn)]
        else:
            found = best_first(plan, outs, Candidates(setting, plan).at(outs))
        if not found:
            return None
        outs = (*outs, found[0])
    return outs if outs or not own else None


def _one_by_one(setting: Setting, pool: int, turn: Turn) -> int:
    """Return what leaves a pool when card after card goes whose loss is the least."""
    _, free = to_lay_away(setting.rules, pool, turn.number, turn.drawn)
    out = 0
    for _ in range(turn.number):
        left = [out | 1 << card for card in from_mask(free & ~out)]
        out = max(left, key=lambda gone: worth(pool & ~gone, gone))
    return out


def plan_worth(plan: Plan, outs: tuple[int, ...]) -> int:
    """Return what a plan is worth to the declarer, in thirds."""
    if not plan.turns:
        return 0
    turn = plan.turns[0]
    return worth(plan.pools[turn.seat] & ~outs[0], outs[0])
