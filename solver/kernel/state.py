"""The record that one search works on.

One numpy record holds the rules in force, the objective, the hands and the scratch space, so
that the recursion passes a single pointer. The kernel knows cards by *places*: trumps are
bits 0 … 21 and each suit eight bits from 22 on, every suit sorted by the rank order of its
rule book. All numbers are `int64`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

SEATS = 4
DEPTH = 56  # cards that one line of play can hold
WIDTH = 32  # moves kept at one depth
CLASSES = 6  # distinct card weights, the cheapest first

DTYPE = np.dtype(
    [
        # the rules in force
        ("players", np.int64),
        ("trump_power", np.int64),
        ("emperor", np.int64),
        ("declaring", np.int64),  # mask of the declaring side's seats
        # the objective: what a trick is worth to the side that wins it
        ("weight", np.int64, 64),  # by place
        ("trick_weight", np.int64),
        ("term_card", np.int64),  # mask of a card …
        ("term_weight", np.int64),  # … that earns this for the declaring side by winning a trick
        ("class_mask", np.int64, CLASSES),
        ("class_weight", np.int64, CLASSES),
        ("values", np.int64),  # which bits of a value vector matter
        ("suit_slack", np.int64, 256),
        ("trump_slack", np.int64, 64),
        # the position and the line that is being searched
        ("hands", np.int64, SEATS),
        ("line", np.int64, DEPTH),
        ("moves", np.int64, DEPTH * WIDTH),
        ("results", np.int64, DEPTH * WIDTH),
        ("history", np.int64, SEATS * 64),
        # bookkeeping
        ("generation", np.int64),
        ("nodes", np.int64),
        ("node_limit", np.int64),
        ("stop", np.int64),
    ]
)


def new_state() -> Any:
    """Return a zeroed record that the kernel and Python share."""
    return np.zeros(1, DTYPE).view(np.recarray)[0]
