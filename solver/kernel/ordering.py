"""Moves of one node: equivalent cards merged, the rest in the order they are tried.

Two cards of a hand are *adjacent* when no card of their suit lies between them that can still
matter: one in another hand, or the one that holds the trick. Then either can stand for the other
in every later trick, and both beat the trick or neither does; a card on the table that is beaten
already plays no part any more. Adjacent cards of equal weight are equivalent, and one is searched
for both. Adjacent cards of different weight share a group: if one was searched with result v, the
other's result lies within the difference of their weights of v, since the same play wins the same
tricks with the two cards' weights exchanged. Where it is certain which side wins this trick, the
bound is tighter: the counted sum gains the difference now or not at all, as this trick goes, and
loses it later or not at all. If the counting side wins it, the dearer card's result is v at least
and v plus the difference at most; if the others do, it is between v minus the difference and v.
Both cards leave the trick with the same side, since no card that matters lies between. Cards with
a part in the rules (the trull while the emperor trick is possible, a Pagat with a duty, a term
card) are never adjacent to anything. In the gap game only the declarer's cards separate those of
a defender, those he has on the table included, since the choice of the next leader looks at them.

The order comes from a forecast of the trick: every later hand is assumed to overtake with its
strongest card. The moves are tried by score (see `weights`), which depends on whether the
player's side holds the trick after them.
"""

from __future__ import annotations

from typing import Any

from trull.solver.kernel import form
from trull.solver.kernel.bits import highest, lowest, popcount
from trull.solver.kernel.jit import jit
from trull.solver.kernel.play import TRUMP_MASK, next_seat, strength, suit_mask, suit_of
from trull.solver.kernel.state import SEATS, WIDTH
from trull.solver.kernel.straw import face_up, takeable
from trull.solver.kernel.weights import SIDE, Weights

# a packed move: card, group, straw cards taken up, score
_CARD = 63
_GROUP = 63 << 6
_TAKEN = 12
_SCORE = 16

# where a row of weights has what
_ROW = len(Weights._fields)
_WEIGHT, _STRENGTH, _OWN, _OTHER, _LENGTH, _TRUMP, _RUFFS, _ABOVE, _OUTSIDE, _BIAS = range(_ROW)


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
    suit = suit_mask(led)
    for _ in range(later):
        seat = next_seat(k, seat)
        hand = k.hands[seat] & suit
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
    for other in range(SEATS):
        hand = k.hands[other]
        is_partner = other != seat and (k.maximising >> other) & 1 == side
        if is_partner and hand & suit_mask(suit) == 0 and hand & TRUMP_MASK:
            return 1
    return 0


@jit
def _friends(k: Any, seat: int) -> int:
    """Return the seats whose tricks are what `seat` wants, as a mask."""
    return k.counting if (k.maximising >> seat) & 1 else ~k.counting


@jit
def _adjacent(others: int, special: int, low: int, high: int) -> bool:
    """Return whether two cards of a suit and hand are adjacent, `low` the lower one."""
    between = ((1 << high) - 1) & ~((2 << low) - 1)
    return others & between == 0 and special & ((1 << low) | (1 << high)) == 0


@jit
def _suit_score(k: Any, row: int, seat: int, suit: int, length: int, outside: int) -> int:
    """Return the part of a lead's score that all cards of a suit share."""
    score = k.order[row + _LENGTH] * length + k.order[row + _OUTSIDE] * outside
    if suit == 0:
        score += k.order[row + _TRUMP]
    elif k.order[row + _RUFFS]:
        score += k.order[row + _RUFFS] * _partner_ruffs(k, seat, suit)
    return score + k.order[row + _BIAS]


@jit
def _card_score(k: Any, row: int, card: int, power: int, own: int, above: int) -> int:
    """Return the part of a score that a card has for itself.

    `own` tells whether it holds the trick itself, `above` has the cards of others over it.
    """
    score = k.order[row + _WEIGHT] * k.weight[card] + k.order[row + _STRENGTH] * power
    score += k.order[row + _OWN] * power if own else k.order[row + _OTHER]
    return score + k.order[row + _ABOVE] * popcount(above)


@jit
def order_leads(
    k: Any, ply: int, seat: int, cards: int, others: int, special: int
) -> tuple[int, int]:
    """Write the leads of `seat` to the scratch of depth `ply`, best first.

    Args:
        k: the state.
        ply: cards played so far in this line.
        seat: who leads.
        cards: the legal cards.
        others: the cards that separate those of `seat`.
        special: cards that are adjacent to none.

    Returns:
        The number of moves, and whether any two of them share a group.
    """
    friends = _friends(k, seat)
    special |= face_up(k, seat) if form.straw(k) else 0
    lost = SIDE * ((k.maximising >> seat) & 1)
    held = lost + _ROW
    number = shared = group = 0
    while cards:
        suit = suit_of(lowest(cards))
        run = cards & suit_mask(suit)
        rest = others & suit_mask(suit)
        cards ^= run
        length, outside = popcount(run), popcount(rest)
        lost_score = _suit_score(k, lost, seat, suit, length, outside)
        held_score = _suit_score(k, held, seat, suit, length, outside)
        threat, threat_seat = _threat(k, seat, suit, form.players(k) - 1)
        previous = -1
        while run:
            card = lowest(run)
            run ^= 1 << card
            if previous >= 0 and _adjacent(rest, special, previous, card):
                if k.weight[card] == k.weight[previous]:
                    previous = card
                    continue
                shared = 1
            else:
                group += 1
            previous = card
            power = strength(k, card, suit)
            own = 1 if power >= threat else 0
            score = lost_score
            row = lost
            if (friends >> (seat if own else threat_seat)) & 1:
                score = held_score
                row = held
            score += _card_score(k, row, card, power, own, rest & ~((1 << card) - 1))
            number, group = _add(k, ply, number, seat, score, group, card)
    return number, shared


@jit
def order_follows(
    k: Any,
    ply: int,
    seat: int,
    count: int,
    cards: int,
    led: int,
    best: int,
    owner: int,
    others: int,
    special: int,
) -> tuple[int, int]:
    """Write the moves of `seat` in a running trick to the scratch of depth `ply`, best first.

    Args:
        k: the state.
        ply: cards played so far in this line.
        seat: who plays.
        count: cards on the table.
        cards: the legal cards.
        led: the suit led.
        best: strength of the card that holds the trick.
        owner: its player.
        others: the cards that separate those of `seat`.
        special: cards that are adjacent to none.

    Returns:
        The number of moves, and whether any two of them share a group.
    """
    friends = _friends(k, seat)
    special |= face_up(k, seat) if form.straw(k) else 0
    threat, threat_seat = _threat(k, seat, led, form.players(k) - 1 - count)
    ahead = (friends >> seat) & 1
    behind = (friends >> threat_seat) & 1
    before = behind if threat > best else (friends >> owner) & 1
    first = SIDE * ((k.maximising >> seat) & 1) + 2 * _ROW * count
    number = shared = group = 0
    suit = -1
    previous = length = 0
    rest = others
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        joined = 0
        if suit_of(card) != suit:
            suit = suit_of(card)
            length = popcount(k.hands[seat] & suit_mask(suit))
            rest = others & suit_mask(suit)
        elif _adjacent(rest, special, previous, card):
            if k.weight[card] == k.weight[previous]:
                previous = card
                continue
            joined = 1
        shared |= joined
        group += 1 - joined
        previous = card
        power = strength(k, card, led)
        own = 0
        holds = before
        if power > best:
            own = 1 if power >= threat else 0
            holds = ahead if own else behind
        row = first + _ROW * holds
        score = k.order[row + _LENGTH] * length + k.order[row + _BIAS]
        score += _card_score(k, row, card, power, own, rest & ~((1 << card) - 1))
        number, group = _add(k, ply, number, seat, score, group, card)
    return number, shared


@jit
def _add(
    k: Any, ply: int, number: int, seat: int, score: int, group: int, card: int
) -> tuple[int, int]:
    """Add a card to the moves, once for each number of straw cards that may be taken up.

    Returns the number of moves and the last group.
    """
    move = (score << _SCORE) | (group << 6) | card
    _insert(k, ply, number, move)
    number += 1
    if form.straw(k) and face_up(k, seat) == 1 << card:
        for taken in range(1, takeable(k, seat) + 1):
            group += 1
            move = (score << _SCORE) | (taken << _TAKEN) | (group << 6) | card
            _insert(k, ply, number, move)
            number += 1
    return number, group


@jit
def _insert(k: Any, ply: int, number: int, move: int) -> None:
    """Put a move into its place among the first `number` ones."""
    base = ply * WIDTH
    slot = base + number
    while slot > base and k.moves[slot - 1] < move:
        k.moves[slot] = k.moves[slot - 1]
        slot -= 1
    k.moves[slot] = move
