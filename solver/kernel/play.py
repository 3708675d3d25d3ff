"""The rules of play on masks: legal cards, strengths, who wins a trick."""

from __future__ import annotations

from typing import Any

from trull.solver.kernel import form
from trull.solver.kernel.bits import highest, popcount
from trull.solver.kernel.jit import jit, jit_apart
from trull.solver.kernel.state import SEATS

TRUMPS = 22
TRUMP_MASK = (1 << TRUMPS) - 1
EXCUSE_SUIT = 5
EXCUSE_PLACE = TRUMPS + 32

_TRUMP_STRENGTH = 32


@jit
def suit_of(place: int) -> int:
    """Return 0 for a trump, 1 … 4 for a suit card, 5 for the Excuse."""
    return 0 if place < TRUMPS else 1 + ((place - TRUMPS) >> 3)


@jit
def suit_mask(suit: int) -> int:
    """Return the places of a suit."""
    return TRUMP_MASK if suit == 0 else 255 << (TRUMPS + 8 * (suit - 1))


@jit
def next_seat(k: Any, seat: int) -> int:
    """Return the seat that plays after `seat`."""
    return seat + 1 if seat + 1 < form.players(k) else 0


@jit
def outstanding(k: Any) -> int:
    """Return the cards in all hands."""
    return k.hands[0] | k.hands[1] | k.hands[2] | k.hands[3]


@jit
def tricks_left(k: Any, seat: int) -> int:
    """Return how many cards a seat has yet to play."""
    left = popcount(k.hands[seat])
    return left + popcount(k.hands[seat + 2]) if form.straw(k) else left


@jit
def trick_mask(k: Any, ply: int, count: int) -> int:
    """Return the last `count` cards of the line as a mask."""
    mask = 0
    for index in range(ply - count, ply):
        mask |= 1 << k.line[index]
    return mask


@jit
def strength(k: Any, place: int, led: int) -> int:
    """Return the power of a card in a trick: 0 cannot win, more beats less."""
    if place < TRUMPS:
        return _TRUMP_STRENGTH + place if k.trump_power or led == 0 else 0
    if place != EXCUSE_PLACE and suit_of(place) == led:
        return 1 + ((place - TRUMPS) & 7)
    return 0


@jit
def card_of_strength(power: int, led: int) -> int:
    """Return as a mask the card that has a strength in a trick, nothing for 0."""
    if power >= _TRUMP_STRENGTH:
        return 1 << (power - _TRUMP_STRENGTH)
    return (1 << (power - 1)) << (TRUMPS + 8 * (led - 1)) if power > 0 else 0


@jit
def stronger(k: Any, led: int, best: int) -> int:
    """Return all cards of more than the strength `best` in a trick."""
    if best >= _TRUMP_STRENGTH:
        return TRUMP_MASK & ~((2 << (best - _TRUMP_STRENGTH)) - 1)
    higher = ((255 << best) & 255) << (TRUMPS + 8 * (led - 1)) if led else TRUMP_MASK
    return higher | TRUMP_MASK if k.trump_power else higher


@jit
def legal(k: Any, ply: int, seat: int, count: int, led: int, best: int) -> int:
    """Return the cards that `seat` may play.

    Args:
        k: the state.
        ply: cards played so far in this line.
        seat: who plays.
        count: cards on the table.
        led: the suit led, 5 when only the Excuse lies there.
        best: strength of the card that holds the trick.
    """
    hand = k.hands[seat]
    cards = hand
    if count and led != EXCUSE_SUIT:
        cards = hand & suit_mask(led)
        if cards == 0:
            trumps = hand & TRUMP_MASK
            cards = trumps if trumps and k.void_must_trump else hand
        cards |= hand & form.excuse(k)
    return dutiful(k, ply, seat, cards, count, led, best) if form.duties(k) else cards


@jit_apart
def dutiful(k: Any, ply: int, seat: int, cards: int, count: int, led: int, best: int) -> int:
    """Return those of the cards that follow which no other rule forbids.

    Args:
        k: the state.
        ply: cards played so far in this line.
        seat: who plays.
        cards: those of his cards that follow.
        count: cards on the table.
        led: the suit led, 5 when only the Excuse lies there.
        best: strength of the card that holds the trick.
    """
    hand = k.hands[seat]
    if count == 0:
        cards = _may_lead(k, hand, cards, tricks_left(k, seat))
    table = trick_mask(k, ply, count)
    calls = emperor_calls(k, table, led)
    rivals = hand & TRUMP_MASK & ~k.pagat
    if k.mond_rule and (count == 0 or table & k.fool) and rivals & ~k.mond:
        cards &= ~k.mond
    if k.pagat_last and calls == 0 and rivals:
        cards &= ~k.pagat
    if count and k.overtaking and led != EXCUSE_SUIT:
        beating = cards & k.pagat
        if calls == 0:
            beating = cards & stronger(k, led, best)
        if k.overtaking == 2:
            beating &= TRUMP_MASK
        if beating:
            cards = beating | (cards & form.excuse(k))
    if cards & k.pagat and k.pagat_kept and cards != k.pagat:
        cards &= ~k.pagat
    return cards


@jit
def _may_lead(k: Any, hand: int, cards: int, left: int) -> int:
    """Return the cards that the rules about leads leave."""
    if k.trump_lead_last and hand & ~TRUMP_MASK:
        cards &= ~TRUMP_MASK
    if hand & k.fool and k.fool_lead and hand != k.fool and trump_seen(k, left) == 0:
        cards &= ~k.fool
    if k.pagat_no_lead and hand & TRUMP_MASK & ~k.pagat:
        cards &= ~k.pagat
    return cards


@jit
def trump_seen(k: Any, left: int) -> int:
    """Return whether a trump besides the Fool lies in a finished trick, `left` to be played."""
    now = outstanding(k) & TRUMP_MASK & ~k.fool
    return 1 if k.trump_seen or now != k.start_trumps or left <= k.seen_left else 0


@jit
def emperor_possible(k: Any) -> int:
    """Return whether Pagat, Mond and Sküs can still meet in one trick.

    They can only while three different hands hold them. Call it between tricks, or with the
    cards on the table given back to their players.
    """
    if k.emperor == 0:
        return 0
    holders = 0
    for seat in range(SEATS):
        holders += popcount(k.hands[seat] & k.trull) == 1
    return 1 if holders == 3 else 0


@jit
def emperor_calls(k: Any, table: int, led: int) -> int:
    """Return whether Mond and Sküs lie in a trick that the Pagat then wins."""
    both = k.mond | k.fool
    if k.emperor == 0 or table & both != both:
        return 0
    return 1 if k.emperor == 1 or led == 0 else 0


@jit
def fool_lifted(k: Any, table: int, left: int) -> int:
    """Return whether the Mond makes the Excuse the highest trump of a trick."""
    both = k.mond | k.fool
    return 1 if form.mond_lifts_fool(k) and left > 1 and table & both == both else 0


@jit
def trick_winner(k: Any, ply: int, leader: int, owner: int, led: int, live: int, left: int) -> int:
    """Return who wins the complete trick that ends before `ply`.

    Args:
        k: the state.
        ply: cards played so far in this line.
        leader: who led the trick.
        owner: the player of its strongest card, who wins but for the special rules.
        led: the suit led.
        live: whether the emperor trick was possible.
        left: tricks left, this one included.
    """
    if live == 0 and form.mond_lifts_fool(k) == 0:
        return owner
    return _trull_winner(k, ply, leader, owner, led, live, left)


@jit_apart
def _trull_winner(k: Any, ply: int, leader: int, owner: int, led: int, live: int, left: int) -> int:
    """Return the same where cards of the trull can win by meeting each other."""
    table = trick_mask(k, ply, form.players(k))
    if live and table & k.trull == k.trull and emperor_calls(k, table, led):
        return player_of(k, ply, leader, k.pagat)
    if fool_lifted(k, table, left):
        return player_of(k, ply, leader, k.fool)
    return owner


@jit
def certain_side(k: Any, seat: int, count: int, led: int, best: int, owner: int, live: int) -> int:
    """Return which side wins a running trick whatever the players to come do.

    It is open as long as one of them, of the side that does not hold the trick, has a stronger
    card that he might play, and where the trull or an Excuse can turn the trick.

    Args:
        k: the state.
        seat: who plays next.
        count: cards on the table, one at least.
        led: the suit led, 5 while only the Excuse lies there.
        best: strength of the card that holds the trick.
        owner: its player.
        live: whether the emperor trick was possible when the trick began.

    Returns:
        1 for the counting side, −1 for the others, 0 while it is open.
    """
    if live or form.mond_lifts_fool(k) or form.straw(k) or led == EXCUSE_SUIT:
        return 0
    side = (k.counting >> owner) & 1
    for _ in range(count, form.players(k)):
        if (k.counting >> seat) & 1 != side:
            cards = k.hands[seat] & suit_mask(led)
            if cards == 0:
                cards = k.hands[seat] & TRUMP_MASK
            if cards and strength(k, highest(cards), led) > best:
                return 0
        seat = next_seat(k, seat)
    return 1 if side else -1


@jit
def player_of(k: Any, ply: int, leader: int, card: int) -> int:
    """Return who played the card of a mask to the trick that ends before `ply`."""
    seat = leader
    for index in range(ply - form.players(k), ply):
        if (card >> k.line[index]) & 1:
            break
        seat = next_seat(k, seat)
    return seat


@jit
def trick_worth(k: Any, ply: int, leader: int, winner: int, gain: int, left: int) -> int:
    """Return what a trick with cards of weight `gain` adds to the counted sum.

    Arguments as for `trick_winner`.
    """
    if (k.counting >> winner) & 1 == 0:
        return 0
    worth = gain + k.trick_weight + k.talon_weight[left]
    if form.term_card(k) and (k.term_left == 0 or k.term_left == left):
        turn = winner - leader if winner >= leader else winner - leader + form.players(k)
        if (form.term_card(k) >> k.line[ply - form.players(k) + turn]) & 1:
            worth += k.term_weight
    return worth
