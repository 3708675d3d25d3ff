"""DDS on random bridge deals, for comparison: one strain and one leader, all his cards valued.

`endplay` (the extra `bench`) brings DDS along. One board at a time is solved, on one thread, and
no deal twice, as DDS remembers the last one.
"""

from __future__ import annotations

import time
from importlib.util import find_spec

import numpy as np

_RANKS = "23456789TJQKA"
_SUITS = 4
_HAND = 13


def is_available() -> bool:
    """Return whether endplay is installed."""
    return find_spec("endplay") is not None


def random_board(seed: int, number: int) -> tuple[str, int, int]:
    """Return a board: the hands from North on as PBN, the strain (4 is no trump), the leader."""
    random = np.random.default_rng([seed, number])
    pack = random.permutation(_SUITS * _HAND)
    hands = [np.sort(pack[_HAND * seat : _HAND * (seat + 1)])[::-1] for seat in range(4)]
    text = " ".join(".".join(_suit(hand, suit) for suit in range(_SUITS)) for hand in hands)
    return f"N:{text}", int(random.integers(5)), int(random.integers(4))


def _suit(hand: np.ndarray, suit: int) -> str:
    return "".join(_RANKS[card % _HAND] for card in hand if card // _HAND == suit)


def measure(seed: int, boards: int) -> tuple[list[float], list[float]]:
    """Solve random boards; return milliseconds on the clock and of processor time, of each."""
    from endplay import _dds
    from endplay.dds import solve_board
    from endplay.types import Deal, Denom, Player

    _dds.SetMaxThreads(1)
    wall, cpu = [], []
    for number in range(-1, boards):  # the first one only allocates memory
        text, strain, leader = random_board(seed, number + 1)
        deal = Deal(text)
        deal.trump, deal.first = Denom(strain), Player(leader)
        began, work = time.perf_counter(), time.process_time()  # all threads' time, were there any
        solve_board(deal)
        if number >= 0:
            wall.append(1000 * (time.perf_counter() - began))
            cpu.append(1000 * (time.process_time() - work))
    return wall, cpu
