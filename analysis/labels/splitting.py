"""Which part of the data a deal belongs to."""

from __future__ import annotations

from trull.analysis.labels.dice import Dice

SPLITS = ("train", "validation", "test")
"""The parts of the data."""


def split_of(seed: int, deal: int, shares: tuple[int, ...]) -> str:
    """Return the part of a deal, which all its rows are in.

    Args:
        seed: the seed of the deals.
        deal: the number of the deal.
        shares: how many deals in sum(shares) go to each of `SPLITS`, on average.

    >>> {split_of(0, deal, (8, 1, 1)) for deal in range(50)} == {*SPLITS}
    True
    """
    place = Dice("split", seed, deal).below(sum(shares))
    for name, share in zip(SPLITS, shares, strict=True):
        if place < share:
            return name
        place -= share
    raise AssertionError("the shares cover every place")
