"""What a search spends its nodes on.

Counting costs a few instructions a node, less than can be measured, and is never switched off:
machine code without it would have to be compiled apart, which takes as long as the search itself.

Every node ends for one reason, so the counters of `ENDS` add up to the nodes of a search that
no limit has stopped.
"""

from __future__ import annotations

from typing import Any

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


@jit
def note(k: Any, counter: int) -> None:
    """Add one to a counter."""
    k.counts[counter] += 1


@jit
def note_probe(k: Any, low: int, high: int, top: int) -> None:
    """Count a table probe that began with the bounds 0 and `top` and returned `low` and `high`."""
    k.counts[PROBES] += 1
    if low > 0 or high < top:
        k.counts[HITS] += 1


@jit
def note_moves(k: Any, index: int, decided: bool) -> None:
    """Count a node whose moves were searched up to `index`, where one may have decided it."""
    if not decided:
        k.counts[ALL_MOVES] += 1
    elif index == 0:
        k.counts[FIRST_MOVE] += 1
    else:
        k.counts[LATER_MOVE] += 1
