"""Random choices that depend on what they are for, not on what was chosen before."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from hashlib import shake_256
from typing import TypeVar

from trull.analysis.deals.numbers import random_below

Item = TypeVar("Item")

_SEED_BYTES = 8


def derived_seed(*purpose: object) -> int:
    """Return a seed for a purpose: the first 64 bits of SHAKE-256 of its words.

    Args:
        purpose: whole numbers and texts without blanks.
    """
    words = " ".join(map(str, purpose))
    return int.from_bytes(shake_256(words.encode()).digest(_SEED_BYTES))


class Dice:
    """A series of random numbers for one purpose, the same on every machine.

    Args:
        purpose: what the numbers are for, as `derived_seed` takes it.

    >>> Dice("a", 1).below(1000) == Dice("a", 1).below(1000)
    True
    """

    def __init__(self, *purpose: object) -> None:
        self._seed = derived_seed(*purpose)
        self._drawn = 0

    def below(self, limit: int) -> int:
        """Return the next number, from 0 to `limit` − 1, each as probable as the others."""
        self._drawn += 1
        return random_below(limit, self._seed, self._drawn)

    def choice(self, items: Sequence[Item]) -> Item:
        """Return one of the items."""
        return items[self.below(len(items))]

    def sample(self, items: Sequence[Item], number: int) -> list[Item]:
        """Return so many different items, in random order."""
        left: MutableSequence[Item] = list(items)
        return [left.pop(self.below(len(left))) for _ in range(number)]
