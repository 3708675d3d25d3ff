"""The search: fail-soft alpha-beta with a null window, one recursive function."""

from __future__ import annotations

from typing import Any

from trull.solver.kernel.bits import lowest, popcount
from trull.solver.kernel.bounds import secured_off_lead, secured_on_lead, total
from trull.solver.kernel.jit import entry, jit
from trull.solver.kernel.ordering import move_card, move_group, order_moves
from trull.solver.kernel.play import (
    emperor_possible,
    follow,
    strength,
    suit_of,
    trick_winner,
)
from trull.solver.kernel.state import WIDTH
from trull.solver.kernel.table import position_key, probe, store

_INFINITY = 1 << 20


@jit
def next_seat(k: Any, seat: int) -> int:
    """Return the seat that plays after `seat`."""
    return seat + 1 if seat + 1 < k.players else 0


@jit
def trick_worth(k: Any, ply: int, leader: int, winner: int, gain: int) -> int:
    """Return what a trick of weight `gain` that ends before `ply` adds to the result."""
    if (k.declaring >> winner) & 1 == 0:
        return 0
    worth = gain + k.trick_weight
    if k.term_card:
        turn = winner - leader if winner >= leader else winner - leader + k.players
        if (k.term_card >> k.line[ply - k.players + turn]) & 1:
            worth += k.term_weight
    return worth


@jit
def last_trick(k: Any, ply: int, leader: int, live: int) -> int:
    """Return the result of a trick in which everybody has one card."""
    led = suit_of(lowest(k.hands[leader]))
    best = -1
    owner = leader
    gain = 0
    seat = leader
    for index in range(k.players):
        card = lowest(k.hands[seat])
        k.line[ply + index] = card
        power = strength(k, card, led)
        if power > best:
            best = power
            owner = seat
        gain += k.weight[card]
        seat = next_seat(k, seat)
    ply += k.players
    return trick_worth(k, ply, leader, trick_winner(k, ply, leader, owner, live), gain)


@jit
def static_bounds(k: Any, leader: int, left: int, live: int) -> tuple[int, int]:
    """Return proven bounds of the result from a position between tricks."""
    everything = k.hands[0] | k.hands[1] | k.hands[2] | k.hands[3]
    rest = total(k, everything) + left * k.trick_weight
    ours = k.declaring
    theirs = ((1 << k.players) - 1) & ~ours
    low = secured_off_lead(k, ours, live)
    high = secured_off_lead(k, theirs, live)
    if (ours >> leader) & 1:
        low = max(low, secured_on_lead(k, leader, ours, live))
    else:
        high = max(high, secured_on_lead(k, leader, theirs, live))
    high = rest - high
    if everything & k.term_card:
        high += k.term_weight
    return low, high


@jit
def search(
    k: Any,
    table: Any,
    ply: int,
    target: int,
    seat: int,
    count: int,
    led: int,
    best: int,
    owner: int,
    gain: int,
    live: int,
) -> int:
    """Decide whether the declaring side can reach `target` from here.

    Returns a bound of what it wins from here on, the running trick included: at least
    `target` if it can (then a lower bound of the result), less if not (then an upper bound).
    Once `k.stop` is set the return value means nothing, and nothing more enters the table.

    Args:
        k: the state record; hands and line are restored on return.
        table: the transposition table.
        ply: cards played so far in this line.
        target: what the declaring side tries to reach.
        seat: who plays.
        count: cards on the table.
        led: suit led, when `count` is not 0.
        best: strength of the card that holds the trick.
        owner: its player.
        gain: weight of the cards on the table.
        live: whether the emperor trick was possible when the trick began.
    """
    k.nodes += 1
    if k.nodes >= k.node_limit:
        k.stop = 1
    if k.stop:
        return 0

    key = 0
    values = 0
    low = 0
    high = _INFINITY
    start = k.nodes
    if count == 0:
        left = popcount(k.hands[seat])
        if left == 0:
            return 0
        live = emperor_possible(k)
        if left == 1:
            return last_trick(k, ply, seat, live)
        key, values = position_key(k, seat, live)
        low, high = probe(k, table, key, values, 0, _INFINITY)
        if low >= target:
            return low
        if high < target:
            return high
        floor, ceiling = static_bounds(k, seat, left, live)
        low = max(low, floor)
        high = min(high, ceiling)
        if low >= target:
            return low
        if high < target:
            return high

    hand = k.hands[seat]
    legal = follow(k, hand, led) if count else hand
    number = order_moves(k, ply, seat, count, legal, led, best, owner, live)
    maximise = (k.declaring >> seat) & 1
    result = -_INFINITY if maximise else _INFINITY
    following = next_seat(k, seat)
    for index in range(number):
        move = k.moves[ply * WIDTH + index]
        card = move_card(move)
        if index:
            bound = sibling_bound(k, ply, index, maximise)
            if (bound < target) == (maximise == 1):
                k.results[ply * WIDTH + index] = bound
                result = max(result, bound) if maximise else min(result, bound)
                continue
        new_led = led if count else suit_of(card)
        power = strength(k, card, new_led)
        new_best = best
        new_owner = owner
        if count == 0 or power > best:
            new_best = power
            new_owner = seat
        new_gain = gain + k.weight[card]
        k.hands[seat] = hand & ~(1 << card)
        k.line[ply] = card
        if count + 1 < k.players:
            value = search(
                k, table, ply + 1, target, following, count + 1, new_led, new_best, new_owner,
                new_gain, live,
            )
        else:
            done = ply + 1
            winner = trick_winner(k, done, following, new_owner, live)
            worth = trick_worth(k, done, following, winner, new_gain)
            new_count = count + 1 - k.players
            value = worth + search(
                k, table, done, target - worth, winner, new_count, led, best, owner, new_count,
                live,
            )
        k.hands[seat] = hand
        if k.stop:
            return 0
        k.results[ply * WIDTH + index] = value
        if maximise:
            result = max(result, value)
            if result >= target:
                break
        else:
            result = min(result, value)
            if result < target:
                break

    if count == 0:
        if result >= target:
            low = max(low, result)
        else:
            high = min(high, result)
        store(k, table, key, values, low, high, k.nodes - start)
    return result


@jit
def sibling_bound(k: Any, ply: int, index: int, maximise: int) -> int:
    """Return a bound of move `index` from the searched moves of its group.

    An upper bound where the player maximises, a lower bound where he minimises.
    """
    base = ply * WIDTH
    move = k.moves[base + index]
    weight = k.weight[move_card(move)]
    bound = _INFINITY if maximise else -_INFINITY
    for other in range(base, base + index):
        if move_group(k.moves[other]) == move_group(move):
            gap = abs(weight - k.weight[move_card(k.moves[other])])
            if maximise:
                bound = min(bound, k.results[other] + gap)
            else:
                bound = max(bound, k.results[other] - gap)
    return bound


@jit
def enter(k: Any, plies: int, leader: int) -> tuple[int, int, int, int, int, int, int, int]:
    """Play the first `plies` cards of the line from the hands of the state.

    Returns what `search` needs of the position reached (seat, count, led, best, owner, gain,
    live) and what the finished tricks were worth.
    """
    seat = leader
    count = led = best = gain = worth = 0
    owner = leader
    live = emperor_possible(k)
    for ply in range(plies):
        card = k.line[ply]
        k.hands[seat] &= ~(1 << card)
        if count == 0:
            led = suit_of(card)
            best = -1
        power = strength(k, card, led)
        if power > best:
            best = power
            owner = seat
        gain += k.weight[card]
        count += 1
        seat = next_seat(k, seat)
        if count == k.players:
            winner = trick_winner(k, ply + 1, seat, owner, live)
            worth += trick_worth(k, ply + 1, seat, winner, gain)
            seat = owner = winner
            count = led = best = gain = 0
            live = emperor_possible(k)
    return seat, count, led, best, owner, gain, live, worth


@entry
def reach(k: Any, table: Any, target: int, leader: int, plies: int) -> int:
    """Decide whether the declaring side reaches `target` after the first cards of the line.

    Args:
        k: the state: hands before the first card of the line, `line[:plies]` the cards played.
        table: the transposition table.
        target: the result asked for, tricks of the line included.
        leader: who led the first card.
        plies: how many cards of the line are played.

    Returns:
        A bound of the result as `search` returns it. Means nothing once `k.stop` is set.
    """
    hands0, hands1, hands2, hands3 = k.hands[0], k.hands[1], k.hands[2], k.hands[3]
    seat, count, led, best, owner, gain, live, worth = enter(k, plies, leader)
    value = worth + search(
        k, table, plies, target - worth, seat, count, led, best, owner, gain, live
    )
    k.hands[0], k.hands[1], k.hands[2], k.hands[3] = hands0, hands1, hands2, hands3
    return value


@entry
def legal_cards(k: Any, leader: int, plies: int) -> int:
    """Return the legal cards (a mask of places) after the first `plies` cards of the line."""
    hands0, hands1, hands2, hands3 = k.hands[0], k.hands[1], k.hands[2], k.hands[3]
    seat, count, led, best, owner, gain, live, worth = enter(k, plies, leader)
    hand = k.hands[seat]
    k.hands[0], k.hands[1], k.hands[2], k.hands[3] = hands0, hands1, hands2, hands3
    return follow(k, hand, led) if count else hand
