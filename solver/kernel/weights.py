"""Weights of the move order, learned on solved deals.

A move's score is the sum of what it has of each of the `Weights` times the number here. Which row
counts depends on the game, on the player's side, on how many cards lie on the table, and on
whether the trick, as forecast (see `ordering`), goes the player's way. Only the order depends on
them, never a value.

The numbers were found by coordinate descent on the nodes of some hundred positions of nine tricks,
cut out of fresh deals (`bench/make_sets.py`), none of them of a benchmark set: Rufer for two
sides; Dreier, Farbensolo and Solo of three players for a lone declarer. Those for few tricks were
found on whole Bettler deals.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Weights(NamedTuple):
    """What the parts of a score count.

    Attributes:
        weight: the card's weight, in thirds or points.
        strength: its strength in the trick.
        own_strength: the same, where it holds the trick itself.
        other: another player holds the trick.
        length: the number of cards in the card's suit.
        trump: the card is a trump; counted for leads.
        ruffs: a partner has no card of the suit, but a trump; counted for leads.
        above: the number of others' cards over it.
        outside: the number of others' cards in the suit; counted for leads.
        bias: every move has one of it.
    """

    weight: int = 0
    strength: int = 0
    own_strength: int = 0
    other: int = 0
    length: int = 0
    trump: int = 0
    ruffs: int = 0
    above: int = 0
    outside: int = 0
    bias: int = 0


# By cards on the table; in each row first the weights where the trick goes to the others, then
# those where it goes to the player's side.
_PARTNERS = (
    (
        Weights(weight=-4, strength=-1, length=-1, trump=16, ruffs=-128),
        Weights(weight=3, strength=-1, other=-32, length=-1, trump=-72, outside=2, bias=4096),
    ),
    (Weights(weight=-3, strength=-1, length=-8), Weights(weight=7, strength=-9, bias=4096)),
    (
        Weights(weight=-4, strength=-1, length=-1),
        Weights(weight=4, strength=-1, own_strength=-8, other=-32, bias=4096),
    ),
    (
        Weights(weight=-4, strength=-1, length=-1),
        Weights(weight=1, strength=-1, own_strength=-1, other=-32, bias=4096),
    ),
)
_DEFENDERS = (
    (
        Weights(weight=-4, strength=-1, length=-1, trump=32, ruffs=-128),
        Weights(weight=3, strength=-1, other=-32, length=-1, trump=-8, outside=-1, bias=4096),
    ),
    (Weights(weight=-1, strength=-1, length=-3), Weights(weight=9, strength=-9, bias=4096)),
    (
        Weights(weight=-4, strength=-1, length=-4),
        Weights(weight=4, strength=-1, own_strength=-8, other=-48, bias=4096),
    ),
    (
        Weights(weight=-4, strength=-1, length=-4),
        Weights(weight=1, strength=-1, own_strength=-1, other=-32, bias=4096),
    ),
)
_DECLARER = (
    (
        Weights(weight=-4, strength=-2, length=-1, trump=24, ruffs=-128),
        Weights(weight=3, strength=-1, other=-32, length=-1, outside=1),
    ),
    (Weights(weight=-9, strength=-1, length=-8), Weights(weight=6, strength=-13, bias=4096)),
    (
        Weights(weight=-4, strength=-1),
        Weights(weight=4, strength=-1, own_strength=-8, other=-32, bias=4096),
    ),
    (
        Weights(weight=-4, strength=-1),
        Weights(weight=1, strength=-1, own_strength=-1, other=-32, above=9, bias=4096),
    ),
)
_AVOIDING = (
    (Weights(weight=-4, strength=3), Weights(weight=4, strength=-1, above=-2, bias=4096)),
    (Weights(weight=-4, strength=3), Weights(weight=4, strength=3, length=-8, above=-4, bias=4096)),
    (Weights(weight=-4, strength=3), Weights(weight=4, strength=3, length=1, above=-8, bias=4096)),
    (Weights(weight=-4, strength=3), Weights(weight=4, strength=3, length=-1, bias=4096)),
)
_FORCING = (
    (
        Weights(weight=-4, strength=-4, own_strength=2, other=-40, length=-2, ruffs=40, above=1),
        Weights(weight=4, strength=3, bias=4096),
    ),
    (
        Weights(weight=-4, strength=7, own_strength=-5, other=-32, above=-8),
        Weights(weight=4, strength=3, bias=4096),
    ),
    (Weights(weight=-4, strength=3, other=8), Weights(weight=4, strength=3, bias=4096)),
    (Weights(weight=-4, strength=3, length=1), Weights(weight=4, strength=3, bias=4096)),
)
_DISCARDING = ((Weights(weight=-4, strength=3), Weights(weight=4, strength=3, bias=4096)),) * 4


def _laid(minimising: object, maximising: object) -> np.ndarray:
    """Return the weights of the two sides in one row, those of the minimising side first."""
    return np.array((minimising, maximising), np.int64).reshape(-1)


TWO_SIDES = _laid(_PARTNERS, _PARTNERS)
"""Where two sides of several players want much."""

LONE = _laid(_DEFENDERS, _DECLARER)
"""Where a lone declarer wants much."""

FEW = _laid(_AVOIDING, _FORCING)
"""Where a lone declarer wants little."""

EVERYONE = _laid(_DISCARDING, _DISCARDING)
"""Where everyone plays alone and wants little."""

SIDE = TWO_SIDES.size // 2
"""How many numbers a side has."""
