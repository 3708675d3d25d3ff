"""Static bounds: tricks that one side wins whatever the other does, without search.

Both arguments below bound what a side S secures from the hand X of one of its players; the
opponents' bound follows, since the cards still to be won are shared out completely.

*Unmatched trumps.* A trump of X loses a trick only to a higher enemy trump in that trick, and
no enemy trump beats two of X's. So at least as many of X's trumps win a trick for S as stay
unmatched in the largest matching of X's trumps with distinct higher enemy trumps. Enemy sets
above a trump are nested, so (Hall) the number is the largest excess of X's trumps over enemy
trumps among the trumps from any rank up. An emperor trick can take one more from X, and at
most one is played in a deal.

*The leader's run.* X is on lead and holds the `a` highest trumps of all. X leads them; then
only *dangerous* players, those with more than `a` trumps, hold trumps. X then leads suit
cards that nobody beats: in each suit its unbeaten tops (all its cards, when the tops exhaust
the longest other holding), but no more than the shortest holding of a dangerous player, who
could ruff after that, the partner included. If nobody is dangerous, X's other trumps win as
well; else, after the run, the unmatched ones among them still do. While an emperor trick is
possible X does not lead trumps (`a` is 0).

`n` sure tricks secure the winning cards and, from every other hand, at least its `n` cheapest
cards; players who lose all their trumps to the run lose exactly those first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trull.solver.kernel import form
from trull.solver.kernel.bits import highest, lowest, pext, popcount
from trull.solver.kernel.jit import jit, jit_apart
from trull.solver.kernel.play import TRUMP_MASK, TRUMPS, outstanding, suit_mask, trump_seen
from trull.solver.kernel.state import CLASSES, SEATS

_CHUNK = TRUMPS // 2


def _largest_excess(code: int) -> int:
    """Return the largest sum of a run from the top bit, counting 1 bits +1 and 0 bits −1."""
    best = total = 0
    for place in reversed(range(_CHUNK)):
        total += 1 if code >> place & 1 else -1
        best = max(best, total)
    return best


_EXCESS = np.array([_largest_excess(code) for code in range(1 << _CHUNK)], dtype=np.int8)


@jit
def unmatched(own: int, enemy: int) -> int:
    """Return how many of the trumps `own` have no distinct higher trump in `enemy`."""
    both = own | enemy
    code = pext(own, both) << (TRUMPS - popcount(both))
    top = code >> _CHUNK
    low = code & ((1 << _CHUNK) - 1)
    high_part = int(_EXCESS[top])
    return max(high_part, 2 * popcount(top) - _CHUNK + int(_EXCESS[low]))


@jit
def total(k: Any, mask: int) -> int:
    """Return the weight of all cards of a mask."""
    worth = 0
    for index in range(CLASSES):
        worth += k.class_weight[index] * popcount(mask & k.class_mask[index])
    return worth


@jit
def cheapest(k: Any, hand: int, number: int) -> int:
    """Return the weight of the `number` cheapest cards of a hand."""
    worth = 0
    for index in range(CLASSES):
        if number <= 0:
            break
        cards = min(number, popcount(hand & k.class_mask[index]))
        worth += k.class_weight[index] * cards
        number -= cards
    return worth


@jit
def secured_off_lead(k: Any, side: int, live: int) -> int:
    """Return what a side secures by unmatched trumps alone, whoever leads."""
    enemy = 0
    for seat in range(SEATS):
        if (side >> seat) & 1 == 0:
            enemy |= k.hands[seat]
    enemy &= TRUMP_MASK
    best = 0
    for seat in range(SEATS):
        if (side >> seat) & 1:
            own = k.hands[seat] & TRUMP_MASK
            tricks = unmatched(own, enemy) - live
            if tricks > 0:
                worth = cheapest(k, own, tricks) + tricks * k.trick_weight
                for other in range(SEATS):
                    if other != seat:
                        worth += cheapest(k, k.hands[other], tricks)
                best = max(best, worth)
    return best


@jit_apart
def secured_on_lead(k: Any, leader: int, side: int, live: int) -> int:
    """Return what the leader's side secures by the leader's run and unmatched trumps."""
    own = k.hands[leader]
    trumps = own & TRUMP_MASK
    others = 0
    enemy = 0
    for seat in range(SEATS):
        if seat != leader:
            others |= k.hands[seat]
            if (side >> seat) & 1 == 0:
                enemy |= k.hands[seat]
    enemy &= TRUMP_MASK

    run = 0
    if live == 0:
        rest = others & TRUMP_MASK
        above = (trumps >> (highest(rest) + 1)) << (highest(rest) + 1) if rest else trumps
        run = popcount(above)
    else:
        above = 0

    dangerous = 0  # mask of seats
    for seat in range(SEATS):
        if seat != leader and popcount(k.hands[seat] & TRUMP_MASK) > run:
            dangerous |= 1 << seat

    tricks = 0
    worth = 0
    for suit in range(4):
        shift = TRUMPS + 8 * suit
        mine = (own >> shift) & 255
        if mine == 0:
            continue
        rest = (others >> shift) & 255
        top = (mine >> (highest(rest) + 1)) << (highest(rest) + 1) if rest else mine
        if top == 0:
            continue
        longest = 0
        cap = 8
        for seat in range(SEATS):
            if seat != leader:
                length = popcount((k.hands[seat] >> shift) & 255)
                longest = max(longest, length)
                if (dangerous >> seat) & 1:
                    cap = min(cap, length)
        number = popcount(top)
        if number >= longest:
            top = mine
            number = popcount(mine)
        while number > cap:
            top &= top - 1
            number -= 1
        tricks += number
        worth += total(k, top << shift)

    if dangerous == 0:
        tricks += popcount(trumps)
        worth += total(k, trumps)
    else:
        sure = max(unmatched(trumps, enemy) - live, 0)
        tricks += sure
        worth += total(k, above) + cheapest(k, trumps ^ above, sure - run)

    if tricks == 0:
        return 0
    for seat in range(SEATS):
        if seat != leader:
            hand = k.hands[seat]
            drawn = hand & TRUMP_MASK if (dangerous >> seat) & 1 == 0 else 0
            worth += total(k, drawn) + cheapest(k, hand ^ drawn, tricks - popcount(drawn))
    return worth + tricks * k.trick_weight


@jit
def static_bounds(k: Any, leader: int, left: int, live: int) -> tuple[int, int]:
    """Return proven bounds of the counted sum from a position between tricks.

    The arguments above speak of trumps that beat suits. Special rules cost them little: the
    Mond may lose one trick to an Excuse that it lifts; while an Excuse is out, and while the
    leader holds a card that he may not lead freely, there is no run.
    """
    every = outstanding(k)
    rest = total(k, every) + left * k.trick_weight + k.talon_rest[left]
    if every & form.term_card(k) and (k.term_left == 0 or k.term_left <= left):
        top = rest + k.term_weight
    else:
        top = rest
    few = k.counting != k.maximising
    if few and leader != k.declarer and _never_wins(k, every, live):
        return 0, 0
    floor = 0
    if form.facts(k):
        floor = int(k.fact_low[k.fact])
        top += int(k.fact_high[k.fact])
    if k.bounded == 0:
        return floor, top
    ours = k.counting
    theirs = ((1 << form.players(k)) - 1) & ~ours
    excuse = every & form.excuse(k)
    risk = 1 if live or (excuse and every & k.mond) else 0
    low = secured_off_lead(k, ours, risk)
    lost = secured_off_lead(k, theirs, risk)
    if excuse == 0 and _leads_freely(k, k.hands[leader], left):
        if (ours >> leader) & 1:
            low = max(low, secured_on_lead(k, leader, ours, live))
        else:
            lost = max(lost, secured_on_lead(k, leader, theirs, live))
    return floor + low, top - lost


@jit_apart
def _never_wins(k: Any, every: int, live: int) -> bool:
    """Return whether the lone counting seat, off lead, wins no trick whatever happens.

    It has no card that beats: no trump where trumps beat suits, and in every suit only cards
    below all others' cards there. Then it never gets the lead either. An outstanding Excuse
    leaves this open: when it is led, the next card sets the suit.
    """
    own = k.hands[k.declarer]
    if every & form.excuse(k) or (live and own & k.pagat) or (k.trump_power and own & TRUMP_MASK):
        return False
    for suit in range(5):
        mine = own & suit_mask(suit)
        rest = every & ~own & suit_mask(suit)
        if mine and rest and highest(mine) > lowest(rest):
            return False
    return True


@jit
def _leads_freely(k: Any, hand: int, left: int) -> bool:
    """Return whether no rule restricts the leads of a hand."""
    if hand & k.pagat and (k.pagat_kept or k.pagat_no_lead):
        return False
    return not (hand & k.fool and k.fool_lead and trump_seen(k, left) == 0)
