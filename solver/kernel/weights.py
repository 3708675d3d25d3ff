"""Weights of the move order, learned on solved deals.

A move's score is the sum of what it has of each of the `Weights` times the number here. Which row
counts depends on how many cards lie on the table and on whether the trick, as forecast (see
`ordering`), goes the player's way. Only the order depends on them, never a value.

The numbers were found by coordinate descent on the nodes that exact values took on 25 fresh deals
(Rufer, Dreier, Farbensolo and Solo of three players), none of them of a benchmark set.
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
        trump: the card is a trump.
        ruffs: a partner has no card of the suit, but a trump; counted for leads.
    """

    weight: int
    strength: int
    own_strength: int = 0
    other: int = 0
    length: int = 0
    trump: int = 0
    ruffs: int = 0


_MUCH = (  # by cards on the table: the trick goes to the others, or to the player's side
    (
        Weights(-4, -1, length=-1, trump=32, ruffs=-128),
        Weights(3, -1, length=-1, trump=-8, other=-32),
    ),
    (Weights(-1, -1, length=-8), Weights(7, -9)),
    (Weights(-4, -1), Weights(4, -1, own_strength=-8, other=-32)),
    (Weights(-4, -1), Weights(1, -1, own_strength=-1, other=-32)),
)
_LITTLE = ((Weights(-4, 3), Weights(4, 3)),) * 4

MUCH = np.array(_MUCH, np.int64).reshape(-1)
"""The weights where both sides want much."""

LITTLE = np.array(_LITTLE, np.int64).reshape(-1)
"""The weights where one side wants little: everybody gets rid of high cards first."""
