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
strongest card. If my side then holds the trick, dear cards come first and cheap winners
before high ones; otherwise the cheapest card comes first. Where somebody plays for little, all
get rid of their high cards first.
"""

from __future__ import annotations

from typing import Any

from trull.solver.kernel.bits import highest, popcount
from trull.solver.kernel.gap import declarer_cards
from trull.solver.kernel.jit import jit
from trull.solver.kernel.play import TRUMP_MASK, outstanding, strength, suit_mask, suit_of
from trull.solver.kernel.state import WIDTH
from trull.solver.kernel.straw import face_up, takeable

# a packed move: card, group, straw cards taken up, score
_CARD = 63
_GROUP = 63 << 6
_TAKEN = 12
_SCORE = 16
_WIN = 4096
_MIDDLE = 2048


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
        if count == 0 and card_suit != suit:
            threat, threat_seat = _threat(k, seat, card_suit, later)
        suit = card_suit

        power = strength(k, card, card_suit if count == 0 else led)
        winner = seat
        top = power
        if count and best >= power:
            top = best
            winner = owner
        if threat > top:
            winner = threat_seat
        if (k.counting >> winner) & 1 == mine:
            score = _WIN + 4 * k.weight[card] - power
        else:
            score = _MIDDLE - 4 * k.weight[card] - power
        if k.counting != k.maximising:
            score += 4 * power
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
