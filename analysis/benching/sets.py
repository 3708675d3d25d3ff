"""Benchmark deals: random ones that passed a plain bidding condition, with a plain exchange.

Deals on which people play a contract are unlike random ones, and so is the time they take. Each
of the sets below draws a seat and deals until that seat would bid (what it asks for stands in
`SETS`). The rest is the same everywhere:

- *Half of the talon.* The declarer takes the half with more face value, a trump counting two more;
  the first half when they are equal. The other half is left to the opponents.
- *Discards.* Suits without a King first, the shorter one first, then the one whose dearest card is
  dearer; within a suit the dearer card first. Kings stay. Trumps go last, never the trull.
- *Call.* A Rufer calls the King of the shortest suit, as dealt, among the Kings he has not (the
  first in the order of suits when they are equal); deals where it lies in the talon are dealt
  again.

The sets are frozen: studies may come to exchange better, benchmarks must not change with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from trull.solver.cards import (
    FACE_VALUES,
    KINGS,
    PACK,
    QUEENS,
    SUIT_MASKS,
    TRULL,
    TRUMP_MASK,
    XVI,
    from_mask,
    suit_mask,
    suit_of,
    to_mask,
)
from trull.solver.position import Position
from trull.solver.rules import TALON_SIZE, hand_size

_BIG_TRUMPS = TRUMP_MASK & ~((1 << XVI) - 1)
_HALF = TALON_SIZE // 2
_LOWEST_PIPS = to_mask((mask & -mask).bit_length() - 1 for mask in SUIT_MASKS)


def _anything(_hand: int) -> bool:
    """Every hand will do."""
    return True


def _dreier(hand: int) -> bool:
    """Twelve points by the rule of thumb: a trump or a King one, a trump from XVI up two."""
    points = (hand & (TRUMP_MASK | KINGS)).bit_count() + (hand & _BIG_TRUMPS).bit_count()
    return points >= 12


def _bettler(hand: int) -> bool:
    """At most four trumps, none from XVI up, at most one King, three suits safe at the bottom.

    A suit is safe there when the hand has its lowest card or none of it.
    """
    safe = sum(1 for suit in SUIT_MASKS if not hand & suit or hand & suit & _LOWEST_PIPS)
    few = (hand & TRUMP_MASK).bit_count() <= 4 and (hand & KINGS).bit_count() <= 1
    return few and not hand & _BIG_TRUMPS and safe >= 3


def _suit_game(hand: int) -> bool:
    """At most three trumps, and at least four Kings and Queens."""
    return (hand & TRUMP_MASK).bit_count() <= 3 and (hand & (KINGS | QUEENS)).bit_count() >= 4


@dataclass(frozen=True, slots=True)
class DealSet:
    """A kind of deals.

    Attributes:
        variant: the rule book's identifier.
        contract: the contract's identifier.
        players: the number of players.
        deals: how many deals the set has by default.
        bids: whether a hand, as dealt, is one for the contract.
        forehand: whether seat 0 declares; else a seat that is drawn.
        exchanges: whether the declarer takes half of the talon.
        calls: whether he calls a King.
    """

    variant: str
    contract: str
    players: int
    deals: int
    bids: Callable[[int], bool]
    forehand: bool = False
    exchanges: bool = False
    calls: bool = False


SETS = {
    "rufer12": DealSet(
        "koenigrufen", "rufer", 4, 100, _anything, forehand=True, exchanges=True, calls=True
    ),
    "dreier12": DealSet("koenigrufen", "dreier", 4, 60, _dreier, exchanges=True),
    "bettler12": DealSet("koenigrufen", "bettler", 4, 100, _bettler),
    "farben12": DealSet("koenigrufen", "farbensolo", 4, 40, _suit_game),
    "trischaken12": DealSet("koenigrufen", "trischaken", 4, 20, _anything, forehand=True),
    "solo16": DealSet("slovenian", "solo_tri", 3, 40, _dreier, exchanges=True),
}
"""The sets by name."""


def make_set(name: str, seed: int, deals: int | None = None) -> Iterator[Position]:
    """Yield the deals of a set.

    Args:
        name: the set's name in `SETS`.
        seed: not negative; deal n of a seed depends on nothing but the set, the seed and n.
        deals: how many; by default the set's own number.
    """
    for number in range(SETS[name].deals if deals is None else deals):
        yield make_deal(name, seed, number)


def make_deal(name: str, seed: int, number: int) -> Position:
    """Return one deal of a set, with the identifier `NAME-SEED-NUMBER`."""
    kind = SETS[name]
    random = np.random.default_rng([seed, number, *name.encode()])
    while True:
        declarer = 0 if kind.forehand else int(random.integers(kind.players))
        pack = [int(card) for card in random.permutation(PACK)]
        size = hand_size(kind.players)
        hands = [to_mask(pack[size * seat : size * (seat + 1)]) for seat in range(kind.players)]
        called = _called(hands[declarer]) if kind.calls else None
        talon = pack[size * kind.players :]
        in_talon = called is not None and called in talon
        no_king = kind.calls and called is None
        if kind.bids(hands[declarer]) and not in_talon and not no_king:
            break
    partner = next(
        (seat for seat, hand in enumerate(hands) if called is not None and hand >> called & 1), None
    )
    laid_away = 0
    if kind.exchanges:
        taken, talon = _halves(talon)
        hands[declarer] |= to_mask(taken)
        laid_away = plain_discards(hands[declarer], len(taken))
        hands[declarer] &= ~laid_away
    discards = tuple(laid_away if seat == declarer else 0 for seat in range(kind.players))
    return Position(
        id=f"{name}-{seed}-{number:03}",
        variant=kind.variant,
        contract=kind.contract,
        hands=tuple(hands),
        declarer=declarer,
        partner=partner,
        called=called,
        leader=declarer if kind.contract == "bettler" else 0,
        talon=tuple(talon),
        discards=discards,
    )


def _called(hand: int) -> int | None:
    missing = list(from_mask(KINGS & ~hand))
    return min(missing, key=lambda king: _length(hand, king), default=None)


def _length(hand: int, card: int) -> int:
    return (hand & suit_mask(suit_of(card))).bit_count()


def _halves(talon: list[int]) -> tuple[list[int], list[int]]:
    """Return the half that the declarer takes and the one he leaves."""
    first, second = talon[:_HALF], talon[_HALF:]
    return (first, second) if _worth(first) >= _worth(second) else (second, first)


def _worth(half: list[int]) -> int:
    return sum(FACE_VALUES[card] + 2 * (TRUMP_MASK >> card & 1) for card in half)


def plain_discards(hand: int, number: int) -> int:
    """Return which cards of a hand are laid away by the rule above.

    Args:
        hand: the hand with the talon cards taken, as a mask.
        number: how many are laid away.
    """
    suits = [hand & suit for suit in SUIT_MASKS if hand & suit & ~KINGS]
    suits.sort(key=lambda suit: (suit & KINGS != 0, suit.bit_count(), -_dearest(suit)))
    suits.append(hand & TRUMP_MASK & ~TRULL)
    order = [card for suit in suits for card in sorted(from_mask(suit & ~KINGS), key=_by_value)]
    return to_mask(order[:number])


def _dearest(suit: int) -> int:
    return max(FACE_VALUES[card] for card in from_mask(suit & ~KINGS))


def _by_value(card: int) -> tuple[int, int]:
    return -FACE_VALUES[card], card
