"""What a search spends its nodes on, counted only when that is asked for.

The search hands a *profile* down, `None` or an array of counters. Machine code is made for each
of the two apart, and in the one for `None` no trace of counting is left.

Every node ends for one reason, so the counters of `ENDS` add up to the nodes of a search that
no limit has stopped.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trull.solver.kernel.jit import jit

DECIDED, LAST_TRICK, TABLE, STATIC, GAP_GAME, FIRST_MOVE, LATER_MOVE, ALL_MOVES = range(8)
PROBES, HITS, GAP_ASKED, GAP_NODES, SIBLINGS = range(8, 13)

ENDS = (
    "decided",
    "last_trick",
    "table",
    "static",
    "gap_game",
    "first_move",
    "later_move",
    "all_moves",
)
"""Why a node ended: nothing left to decide, one card each, a bound out of the table, a static
bound, the answer of the gap game, the first move or a later one that decided, or all moves
searched."""

NAMES = (*ENDS, "probes", "hits", "gap_asked", "gap_nodes", "siblings")
"""All counters in their order: how nodes ended, table probes and those that found a bound,
questions to the gap game and nodes within it, moves that a sibling's bound spared."""


Profile = np.ndarray[Any, np.dtype[np.int64]]


def new_profile() -> Profile:
    """Return counters at zero, in the order of `NAMES`."""
    return np.zeros(len(NAMES), np.int64)


@jit
def note(profile: Any, counter: int) -> None:
    """Add one to a counter."""
    if profile is not None:
        profile[counter] += 1


@jit
def note_probe(profile: Any, low: int, high: int, top: int) -> None:
    """Count a table probe that began with the bounds 0 and `top` and returned `low` and `high`."""
    if profile is not None:
        profile[PROBES] += 1
        if low > 0 or high < top:
            profile[HITS] += 1


@jit
def note_moves(profile: Any, index: int, decided: bool) -> None:
    """Count a node whose moves were searched up to `index`, where one may have decided it."""
    if profile is not None:
        if not decided:
            profile[ALL_MOVES] += 1
        elif index == 0:
            profile[FIRST_MOVE] += 1
        else:
            profile[LATER_MOVE] += 1
