"""The gap game: a relaxed game whose value bounds a lone declarer's from below.

*The relaxed rule.* When a defender wins a trick, the defenders choose the next leader among
those whose card in that trick lies in the winning card's *gap*: the same suit, and no card of
the declarer, in his hand or in the trick, between the two. The winner is always among them, so
the rule only gives the defenders more choice: what the declarer can reach in the gap game he
can reach in the real one. (It is asked only while no emperor trick is possible.)

*Why it is small.* In the gap game it no longer matters which defender holds the higher of two
cards of one gap. Legal cards depend on the suits held; whether the declarer wins a trick, and
in which gap a defender does, depends on gaps; so does the choice of the leader. A position is
therefore described by the declarer's cards and, for every defender and gap, the number of his
cards there. Its key is, for each suit and defender, the row of the two hands' cards in rank
order. For the same reason two cards of a defender are adjacent (see `ordering`) as soon as no
card of the declarer lies between them.

*Values.* As in `table`, honours are not in the key. In two positions of one key the j-th
highest card of a hand lies in the same gap in both, so differences are summed up hand by hand.
The value vector says who holds which honour: a suit's King, Queen, Knight, Jack, and the trull,
each as a number in base five (0 nobody, else the seat plus one).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trull.solver.kernel import form
from trull.solver.kernel.bits import multiply, pext, popcount
from trull.solver.kernel.jit import jit, jit_apart
from trull.solver.kernel.play import TRUMP_MASK, TRUMPS, next_seat, suit_of
from trull.solver.kernel.state import SEATS

_HIGH = 0xFFFFFFFF
_SUIT_VALUES = (1 << 10) - 1  # 5⁴ < 2¹⁰

_POWERS = np.array(
    [sum(5**place for place in range(4) if mask >> place & 1) for mask in range(16)], np.int64
)


def _hands(code: int) -> int:
    """Return the honours of each seat, four bits a seat, from a number in base five."""
    hands = 0
    for place in range(4):
        owner = code // 5**place % 5
        if owner:
            hands |= 1 << (4 * (owner - 1) + place)
    return hands


_HANDS = np.array([_hands(code) for code in range(_SUIT_VALUES + 1)], np.int64)


@jit
def declarer_cards(k: Any, ply: int, seat: int, count: int) -> int:
    """Return the lone declarer's hand and his card among the `count` ones on the table.

    `seat` is the seat after the one that played last.
    """
    mask = k.hands[k.declarer]
    player = seat - count
    if player < 0:
        player += form.players(k)
    for index in range(ply - count, ply):
        if player == k.declarer:
            mask |= 1 << k.line[index]
        player = next_seat(k, player)
    return mask


@jit
def may_lead(k: Any, ply: int, leader: int, winner: int, seat: int, between: int) -> bool:
    """Return whether a defender's card in the trick lies in the gap of the winning one.

    Args:
        k: the state.
        ply: where the trick ends in the line.
        leader: who led it.
        winner: the defender who won it.
        seat: another defender.
        between: the declarer's cards.
    """
    best = _card_of(k, ply, leader, winner)
    card = _card_of(k, ply, leader, seat)
    if suit_of(card) != suit_of(best) or card > best:
        return False
    return ((1 << best) - 1) & ~((2 << card) - 1) & between == 0


@jit
def leaders_beside(k: Any, ply: int, leader: int, winner: int) -> int:
    """Return the seats of the other defenders who may lead after a trick, as a mask."""
    between = declarer_cards(k, ply, leader, form.players(k))
    seats = 0
    for seat in range(form.players(k)):
        other = seat != winner and seat != k.declarer
        if other and may_lead(k, ply, leader, winner, seat, between):
            seats |= 1 << seat
    return seats


@jit
def _card_of(k: Any, ply: int, leader: int, seat: int) -> int:
    turn = seat - leader if seat >= leader else seat - leader + form.players(k)
    return k.line[ply - form.players(k) + turn]


@jit_apart
def gap_key(k: Any, leader: int) -> tuple[int, int]:
    """Return the hash of a position of the gap game and its value vector."""
    own = k.hands[k.declarer]
    a = _suit_code(k, own, TRUMPS)
    b = _suit_code(k, own, TRUMPS + 8)
    c = _suit_code(k, own, TRUMPS + 16)
    d = _suit_code(k, own, TRUMPS + 24)
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)

    here = own & TRUMP_MASK
    trull = 0
    row = 0
    other_rows = 0
    for seat in range(form.players(k)):
        hand = k.hands[seat] & TRUMP_MASK
        held = 1 if hand & k.pagat else 0
        held |= 2 if hand & k.mond else 0
        held |= 4 if hand & k.fool else 0
        trull += (seat + 1) * _POWERS[held]
        if seat != k.declarer:
            other_rows = (other_rows << 23) | row
            row = _row(here, hand)

    key = _mix((leader << 46) | other_rows, row | ((a >> 10) << 23))
    key = _mix(key ^ (b >> 10) ^ ((c >> 10) << 27), d >> 10)
    values = trull << 40
    values |= (a & _SUIT_VALUES) | ((b & _SUIT_VALUES) << 10)
    values |= ((c & _SUIT_VALUES) << 20) | ((d & _SUIT_VALUES) << 30)
    return key, values if k.values else 0


@jit
def _row(own: int, hand: int) -> int:
    """Return the cards of two hands in rank order, the declarer's as 1, under a sentinel."""
    both = own | hand
    return (1 << popcount(both)) | pext(own, both)


@jit
def _suit_code(k: Any, own: int, shift: int) -> int:
    """Return the rows of a suit, nine bits a defender, and below them who holds its honours."""
    here = (own >> shift) & 255
    rows = 0
    owners = 0
    for seat in range(form.players(k)):
        hand = (k.hands[seat] >> shift) & 255
        owners += (seat + 1) * _POWERS[hand >> 4]
        if seat != k.declarer:
            rows = (rows << 9) | _row(here, hand)
    return (rows << 10) | owners


@jit
def _mix(first: int, second: int) -> int:
    h = multiply(first ^ 0x51ED270B0A1F39C5, 0x2545F4914F6CDD1D)
    h ^= (h >> 31) & _HIGH
    h = multiply(h ^ second, 0x1B873593CC9E2D51)
    h ^= (h >> 32) & _HIGH
    h = multiply(h, 0x14D049BB133111EB)
    return h ^ ((h >> 29) & _HIGH)


@jit_apart
def gap_slack(k: Any, old: int, new: int) -> int:
    """Return Σ(oldᵢ − newᵢ)⁺ over the cards of two value vectors of the gap game."""
    loss = 0
    before = _HANDS[old >> 40]
    after = _HANDS[new >> 40]
    if before != after:
        for _ in range(SEATS):
            loss += k.trump_slack[(before & 7) * 8 + (after & 7)]
            before >>= 4
            after >>= 4
    for _ in range(4):
        if (old ^ new) & _SUIT_VALUES:
            before = _HANDS[old & _SUIT_VALUES]
            after = _HANDS[new & _SUIT_VALUES]
            for _ in range(SEATS):
                loss += k.suit_slack[(before & 15) * 16 + (after & 15)]
                before >>= 4
                after >>= 4
        old >>= 10
        new >>= 10
    return loss
