"""The record that one search works on.

One numpy record holds the rules in force, the objective, the hands and the scratch space, so
that the recursion passes a single pointer. The kernel knows cards by *places*: trumps are
bits 0 … 21 and each suit eight bits from 22 on, every suit sorted by the rank order of its
rule book; a Fool that is the lowest trump stands at place 0 below the others, one that is an
Excuse at place 54, a suit of its own. All numbers are `int64`.

Scarecrow's two players have straw men: a card that lies face up is in its player's hand here,
and the covered cards of seats 0 and 1 are the hands of seats 2 and 3, which never play. So the
owners in a table key tell covered cards from others without further ado.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trull.solver.kernel.counters import NAMES
from trull.solver.kernel.weights import TWO_SIDES

SEATS = 4
TRICKS = 27
DEPTH = 56  # cards that one line of play can hold
WIDTH = 48  # moves kept at one depth
STRAW = 16  # straw cards of a seat, an exhausted end included
FACT_WORDS = 1 << 18
CLASSES = 6  # distinct card weights, the cheapest first

DTYPE = np.dtype(
    [
        # the rules in force: `trull.solver.rules.Contract` in numbers
        ("players", np.int64),
        ("trump_power", np.int64),
        ("void_must_trump", np.int64),
        ("overtaking", np.int64),  # 0 none, 1 all, 2 trumps
        ("emperor", np.int64),  # 0 off, 1 on, 2 when a trump was led
        ("duties", np.int64),  # whether any rule below `follow` forbids cards
        ("pagat_last", np.int64),
        ("pagat_kept", np.int64),
        ("pagat_no_lead", np.int64),
        ("mond_rule", np.int64),
        ("trump_lead_last", np.int64),
        ("fool_lead", np.int64),  # the Fool may not be led before a trump was seen
        ("mond_lifts_fool", np.int64),
        # cards with names, as masks
        ("pagat", np.int64),
        ("mond", np.int64),
        ("fool", np.int64),
        ("trull", np.int64),
        ("excuse", np.int64),  # the Fool where it is an Excuse, else empty
        ("special", np.int64),  # cards equivalent to no other
        ("roles", np.int64),  # cards whose presence changes the rules of play
        # the objective: what a trick is worth to the counting side when it wins it
        ("counting", np.int64),  # mask of the seats whose tricks count
        ("maximising", np.int64),  # mask of the seats that want much counted
        ("exactly", np.int64),  # the maximisers want exactly the target
        ("declarer", np.int64),  # the seat of a lone counting side
        ("gap_from", np.int64),  # tricks left from which the gap game is asked; 0: never
        ("bounded", np.int64),  # whether the static bounds hold
        ("weight", np.int64, 64),  # by place
        ("trick_weight", np.int64),
        ("talon_weight", np.int64, TRICKS + 1),  # of the talon card, by tricks left
        ("talon_rest", np.int64, TRICKS + 1),  # their sum from here on
        ("term_card", np.int64),  # mask of a card …
        ("term_weight", np.int64),  # … that earns this by winning a trick for the counting side
        ("term_left", np.int64),  # with so many tricks left; 0: any trick
        ("marked", np.int64),  # kings whose presence a table key must tell
        # what a settlement looks at besides (see `facts`)
        ("facts", np.int64),  # whether anything of the kind counts
        ("fact", np.int64),  # the word of facts so far
        ("set_tricks", np.int64),  # the bits that tell who has won a trick, where they count
        ("set_trull", np.int64),  # cards of sets that count
        ("set_kings", np.int64),
        ("talon_king", np.int64),  # the called king that the talon goes with …
        ("talon_sets", np.int64),  # … and which sets have cards there
        ("talon_lost", np.int64),  # … and what the facts gain when the others get it
        ("birds", np.int64),  # all cards of `bird`
        ("bird", np.int64, 5),
        ("bird_left", np.int64, 5),  # the tricks left at each one's own trick
        ("guarded_mond", np.int64),
        ("mond_counts_side", np.int64),  # lost to the other side, not just not winning
        ("guarded_king", np.int64),
        ("fact_leaf", np.int32, FACT_WORDS),
        ("fact_low", np.int32, FACT_WORDS),
        ("fact_high", np.int32, FACT_WORDS),
        ("class_mask", np.int64, CLASSES),
        ("class_weight", np.int64, CLASSES),
        ("values", np.int64),  # which bits of a value vector matter
        ("suit_slack", np.int64, 256),
        ("trump_slack", np.int64, 64),
        # the position and the line that is being searched
        ("trump_seen", np.int64),  # at the start of the line
        ("start_trumps", np.int64),  # trumps in hand then, the Fool excepted
        ("seen_left", np.int64),  # tricks left when the talon has given out a trump
        ("hands", np.int64, SEATS),
        ("line", np.int64, DEPTH),
        ("taken", np.int64, DEPTH),  # straw cards taken up after each card of the line
        # straw men, by seat: their cards in order, and how many have left them
        ("straw", np.int64),  # whether there are any
        ("straw_card", np.int64, 2 * STRAW),  # masks; 0 behind the last
        ("straw_bottom", np.int64, 2 * STRAW),  # whether it may be taken whatever it is
        ("straw_gone", np.int64, 2),
        ("order", np.int64, TWO_SIDES.size),  # weights of the move order (see `weights`)
        ("moves", np.int64, DEPTH * WIDTH),
        ("results", np.int64, DEPTH * WIDTH),
        # bookkeeping
        ("table", np.int64),  # the address of the transposition table
        ("buckets", np.int64),  # how many it has, less one
        ("generation", np.int64),
        ("counts", np.int64, len(NAMES)),  # what nodes were spent on (see `counters`)
        ("nodes", np.int64),
        ("node_limit", np.int64),
        ("stop", np.int64),
    ]
)


def new_memory() -> np.ndarray[Any, np.dtype[np.void]]:
    """Return the memory of one zeroed record."""
    return np.zeros(1, DTYPE)


def record(memory: np.ndarray[Any, np.dtype[np.void]], dtype: np.dtype[Any]) -> Any:
    """Return the record that Python and the kernel share, of a type with the layout of `DTYPE`."""
    return memory.view(dtype).view(np.recarray)[0]
