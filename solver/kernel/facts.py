"""What a settlement looks at besides the sum: a few bits that tricks set for good.

The word of facts holds, from the lowest bit:

    0– 1  trull        a card of it went to the counting side (1), to the other side (2)
    2– 3  kings        likewise
    4– 5  tricks       likewise: who has won one (who has not can still lose all)
    6–15  Pagat, Uhu, Kakadu, Quapil, called king: nothing yet (0), won its own trick (1),
          lost it (2), played before (3)
    16    the declarer has lost the Mond
    17    the called king went to the other side

Who holds a bird is known from the start, so an outcome need not say it. A set card that counts
for nobody, or that lies with one side already, is in the word from the beginning.

At the end the facts are worth `fact_leaf`, in the measure of the sum. Before it they bound what
they can still become: `fact_low` and `fact_high`.
"""

from __future__ import annotations

from typing import Any

from trull.solver.kernel import form
from trull.solver.kernel.jit import jit_apart
from trull.solver.kernel.play import player_of, trick_mask

TRULL, KINGS, TRICKS, BIRDS, ULTIMO, MOND, KING = 0, 2, 4, 6, 14, 16, 17
WON, LOST, EARLY = 1, 2, 3


@jit_apart
def after_trick(k: Any, ply: int, leader: int, winner: int, left: int) -> int:
    """Return the facts after the trick that ends before `ply`, from `k.fact` before it.

    Arguments as for `play.trick_winner`.
    """
    facts = k.fact
    table = trick_mask(k, ply, form.players(k))
    ours = (k.counting >> winner) & 1
    side = 1 if ours else 2
    facts |= (side << TRICKS) & k.set_tricks
    if table & k.set_trull:
        facts |= side << TRULL
    if table & k.set_kings:
        facts |= side << KINGS
    if table & k.talon_king:
        facts |= k.talon_sets * side
        if ours == 0:
            facts |= k.talon_lost
    if table & k.birds:
        for index in range(5):
            if table & k.bird[index]:
                outcome = EARLY
                if left == k.bird_left[index]:
                    wins = player_of(k, ply, leader, k.bird[index]) == winner
                    if index == 4:
                        wins = ours == 1
                    outcome = WON if wins else LOST
                facts |= outcome << (BIRDS + 2 * index)
    if table & k.guarded_mond:
        holder = player_of(k, ply, leader, k.mond)
        lost = ours == 0 if k.mond_counts_side else winner != holder
        facts |= (1 if lost else 0) << MOND
    if table & k.guarded_king and ours == 0:
        facts |= 1 << KING
    return facts
