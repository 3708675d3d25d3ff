"""Moves of one node: equivalent cards merged, the rest in the order they are tried.

Two cards of a hand are *adjacent* when no outstanding card of their suit lies between them:
then either can stand for the other in every later trick. Adjacent cards of equal weight are
equivalent, and one is searched for both. Adjacent cards of different weight share a group: if
one was searched with result v, the other's result lies within the difference of their weights
of v, since the same play wins the same tricks with the two cards' weights exchanged. Cards
with a part in the rules (the trull while the emperor trick is possible, a Pagat with a duty, a
term card) are never adjacent to anything. In the gap game only the declarer's cards separate
those of a defender.

The order comes from a forecast of the trick: every later hand is assumed to overtake with its
strongest card. Moves after which the player's side holds the trick come first, and within these
and the others those of the highest score (see `weights`).
"""

from __future__ import annotations

from typing import Any

from trull.solver.kernel.bits import highest, popcount
from trull.solver.kernel.gap import declarer_cards
from trull.solver.kernel.jit import jit
from trull.solver.kernel.play import TRUMP_MASK, outstanding, strength, suit_mask, suit_of
from trull.solver.kernel.state import WIDTH
from trull.solver.kernel.straw import face_up, takeable
from trull.solver.kernel.weights import Weights

# a packed move: card, group, straw cards taken up, score
_CARD = 63
_GROUP = 63 << 6
_TAKEN = 12
_SCORE = 16
_HOLDS = 4096  # more than any score
_ROW = len(Weights._fields)


@jit
def move_card(move: int) -> int:
    """Return the place of a packed move's card."""
    return move & _CARD


@jit
def move_group(move: int) -> int:
    """Return the group of a packed move."""
    return move & _GROUP


@jit
def move_taken(move: int) -> int:
    """Return how many straw cards a packed move takes up."""
    return (move >> _TAKEN) & 15


@jit
def _threat(k: Any, seat: int, led: int, later: int) -> tuple[int, int]:
    """Return the strongest card (its strength and seat) that the `later` next players hold."""
    best = 0
    owner = seat
    for _ in range(later):
        seat += 1
        if seat == k.players:
            seat = 0
        hand = k.hands[seat] & suit_mask(led)
        if hand == 0:
            hand = k.hands[seat] & TRUMP_MASK
        if hand:
            power = strength(k, highest(hand), led)
            if power > best:
                best = power
                owner = seat
    return best, owner


@jit
def _partner_ruffs(k: Any, seat: int, suit: int) -> int:
    """Return whether a player of the side of `seat` has no card of a suit, but a trump."""
    side = (k.maximising >> seat) & 1
    for other in range(k.players):
        hand = k.hands[other]
        is_partner = other != seat and (k.maximising >> other) & 1 == side
        if is_partner and hand & suit_mask(suit) == 0 and hand & TRUMP_MASK:
            return 1
    return 0


@jit
def _suit_score(k: Any, row: int, seat: int, suit: int, count: int) -> int:
    """Return the part of a score that all cards of a suit share."""
    score = k.order[row + 4] * popcount(k.hands[seat] & suit_mask(suit))
    if suit == 0:
        score += k.order[row + 5]
    if count == 0 and k.order[row + 6]:
        score += k.order[row + 6] * _partner_ruffs(k, seat, suit)
    return score


@jit
def order_moves(
    k: Any,
    ply: int,
    seat: int,
    count: int,
    cards: int,
    led: int,
    best: int,
    owner: int,
    live: int,
    gap: int,
) -> int:
    """Write the moves of `seat` to the scratch of depth `ply`, best first; return how many.

    A move packs score, group and card; `best` is the strength of the card that holds the
    trick, and `owner` its player.
    """
    others = outstanding(k) & ~k.hands[seat]
    if gap and seat != k.declarer:
        others = declarer_cards(k, ply, seat, count)
    elif count:
        for index in range(ply - count, ply):
            others |= 1 << k.line[index]
    special = k.special | (k.trull if live else 0)
    face = face_up(k, seat) if k.straw else 0
    special |= face
    mine = (k.maximising >> seat) & 1
    later = k.players - 1 - count

    base = ply * WIDTH
    number = 0
    group = 0
    previous = -1
    suit = -1
    threat = 0
    threat_seat = seat
    row = 2 * _ROW * count
    lost_suit = 0
    held_suit = 0
    if count:
        threat, threat_seat = _threat(k, seat, led, later)
    while cards:
        bit = cards & -cards
        card = popcount(bit - 1)
        cards ^= bit
        card_suit = suit_of(card)
        between = (bit - 1) & ~((2 << previous) - 1) if previous >= 0 else 0
        joined = (
            card_suit == suit and between & others == 0 and (bit | (1 << previous)) & special == 0
        )
        if joined:
            if k.weight[card] == k.weight[previous]:
                previous = card
                continue
        else:
            group += 1
        previous = card
        if card_suit != suit:
            suit = card_suit
            lost_suit = _suit_score(k, row, seat, suit, count)
            held_suit = _suit_score(k, row + _ROW, seat, suit, count)
            if count == 0:
                threat, threat_seat = _threat(k, seat, suit, later)

        power = strength(k, card, card_suit if count == 0 else led)
        winner = seat
        top = power
        if count and best >= power:
            top = best
            winner = owner
        if threat > top:
            winner = threat_seat
        score = lost_suit
        part = row
        if (k.counting >> winner) & 1 == mine:
            score = held_suit + _HOLDS
            part = row + _ROW
        score += k.order[part] * k.weight[card] + k.order[part + 1] * power
        score += k.order[part + 2] * power if winner == seat else k.order[part + 3]
        _insert(k, base, number, (score << _SCORE) | (group << 6) | card)
        number += 1
        if bit == face:
            for taken in range(1, takeable(k, seat) + 1):
                group += 1
                move = (score << _SCORE) | (taken << _TAKEN) | (group << 6) | card
                _insert(k, base, number, move)
                number += 1
    return number


@jit
def _insert(k: Any, base: int, number: int, move: int) -> None:
    """Put a move into its place among the first `number` ones."""
    slot = base + number
    while slot > base and k.moves[slot - 1] < move:
        k.moves[slot] = k.moves[slot - 1]
        slot -= 1
    k.moves[slot] = move
