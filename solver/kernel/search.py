"""The search: fail-soft alpha-beta with a null window, one recursive function."""

from __future__ import annotations

from typing import Any

from trull.solver.kernel import form
from trull.solver.kernel.bits import lowest
from trull.solver.kernel.bounds import static_bounds
from trull.solver.kernel.counters import (
    DECIDED,
    GAP_ASKED,
    GAP_GAME,
    GAP_NODES,
    LAST_TRICK,
    SIBLINGS,
    STATIC,
    TABLE,
    note,
    note_moves,
    note_probe,
)
from trull.solver.kernel.facts import after_trick
from trull.solver.kernel.gap import declarer_cards, gap_key, leaders_beside
from trull.solver.kernel.jit import called, entry, jit, jit_apart, kept
from trull.solver.kernel.ordering import (
    move_card,
    move_group,
    move_taken,
    order_follows,
    order_leads,
)
from trull.solver.kernel.play import (
    EXCUSE_SUIT,
    card_of_strength,
    certain_side,
    emperor_possible,
    legal,
    next_seat,
    outstanding,
    strength,
    suit_of,
    trick_winner,
    trick_worth,
    tricks_left,
)
from trull.solver.kernel.state import WIDTH
from trull.solver.kernel.straw import face_up, uncover
from trull.solver.kernel.table import exact_key, position_key, probe, store

_INFINITY = 1 << 20


@jit
def last_trick(k: Any, ply: int, leader: int, live: int) -> int:
    """Return the worth of a trick in which everybody has one card."""
    led = EXCUSE_SUIT
    best = -1
    owner = leader
    gain = 0
    seat = leader
    for index in range(form.players(k)):
        card = lowest(k.hands[seat])
        k.line[ply + index] = card
        if led == EXCUSE_SUIT:
            led = suit_of(card)
        power = strength(k, card, led)
        if power > best:
            best = power
            owner = seat
        gain += k.weight[card]
        seat = next_seat(k, seat)
    ply += form.players(k)
    winner = trick_winner(k, ply, leader, owner, led, live, 1)
    worth = trick_worth(k, ply, leader, winner, gain, 1)
    if form.facts(k):
        worth += int(k.fact_leaf[after_trick(k, ply, leader, winner, 1)])
    return worth


@kept
def search(
    k: Any,
    ply: int,
    target: int,
    seat: int,
    count: int,
    led: int,
    best: int,
    owner: int,
    gain: int,
    live: int,
    gap: int,
    allowed: int,
) -> int:
    """Decide whether the declaring side can reach `target` from here.

    Returns a bound of what it wins from here on, the running trick included: at least
    `target` if it can (then a lower bound of the result), less if not (then an upper bound).
    Where exactly the target is asked for, `target` stands for yes and less for no.
    Once `k.stop` is set the return value means nothing, and nothing more enters the table.

    Args:
        k: the state record; hands and line are restored on return.
        ply: cards played so far in this line.
        target: what the declaring side tries to reach.
        seat: who plays.
        count: cards on the table.
        led: suit led, when `count` is not 0; 5 while only the Excuse lies there.
        best: strength of the card that holds the trick.
        owner: its player.
        gain: weight of the cards on the table.
        live: whether the emperor trick was possible when the trick began.
        gap: whether the gap game is played (see `gap`).
        allowed: the legal cards, when `count` is not 0.
    """
    k.nodes += 1
    if k.nodes >= k.node_limit:
        k.stop = 1
    if k.stop:
        return 0
    if gap:
        note(k, GAP_NODES)

    key = 0
    values = 0
    low = 0
    high = _INFINITY
    start = k.nodes
    if count == 0:
        left = tricks_left(k, seat)
        if form.exactly(k) and (target < 0 or target > left):
            note(k, DECIDED)
            return target - 1
        if left == 0:
            note(k, DECIDED)
            return int(k.fact_leaf[k.fact]) if form.facts(k) else 0
        live = emperor_possible(k) if live else 0
        if left == 1:
            worth = last_trick(k, ply, seat, live)
            note(k, LAST_TRICK)
            return target - 1 if form.exactly(k) and worth != target else worth
        if gap:
            key, values = gap_key(k, seat)
        else:
            key, values = position_key(k, seat, live, left)
        top = _INFINITY
        if form.exactly(k):
            key = exact_key(key, target)
            top = 1
        low, high = probe(k, key, values, 0, top, gap)
        note_probe(k, low, high, top)
        if form.exactly(k):
            if low == high:
                note(k, TABLE)
                return target - 1 + low
        else:
            end = TABLE if target > 0 else DECIDED
            if low < target <= high:
                end = STATIC
                floor, ceiling = static_bounds(k, seat, left, live)
                low = max(low, floor)
                high = min(high, ceiling)
            if low >= target:
                note(k, end)
                return low
            if high < target:
                note(k, end)
                return high
            if gap == 0 and live == 0 and k.gap_from and left >= k.gap_from:
                note(k, GAP_ASKED)
                value = search(
                    k,
                    ply,
                    target,
                    seat,
                    count,
                    led,
                    best,
                    owner,
                    gain,
                    live,
                    gap + 1,
                    allowed,
                )
                if k.stop:
                    return 0
                if value >= target:
                    note(k, GAP_GAME)
                    store(k, key, values, max(low, value), high, k.nodes - start)
                    return value
        allowed = legal(k, ply, seat, count, led, best)
    number, shared = order_moves(k, ply, seat, count, allowed, led, best, owner, live, gap)

    hands0, hands1, hands2, hands3 = k.hands[0], k.hands[1], k.hands[2], k.hands[3]
    maximise = (k.maximising >> seat) & 1
    result = -_INFINITY if maximise else _INFINITY
    for index in range(number):
        move = k.moves[ply * WIDTH + index]
        card = move_card(move)
        if shared and index:
            bound = sibling_bound(
                k, ply, index, maximise, target, seat, count, led, best, owner, live
            )
            if (bound < target) == (maximise == 1):
                note(k, SIBLINGS)
                k.results[ply * WIDTH + index] = bound
                result = max(result, bound) if maximise else min(result, bound)
                continue
        gone = 0
        if form.straw(k):
            gone = k.straw_gone[seat]
            if face_up(k, seat) == 1 << card:
                uncover(k, seat, move_taken(move))
        new_led = led if count else EXCUSE_SUIT
        new_best = best if count else -1
        done, player, new_count, new_led, new_best, new_owner, new_gain, allowed = play_on(
            k, ply, seat, count, card, new_led, new_best, owner, gain
        )
        worth = 0
        fact = k.fact
        leaders = 0
        if new_count == form.players(k):
            left = tricks_left(k, seat) + 1
            leader = player
            player = trick_winner(k, done, leader, new_owner, new_led, live, left)
            worth = trick_worth(k, done, leader, player, new_gain, left)
            if form.facts(k):
                k.fact = after_trick(k, done, leader, player, left)
            if gap and player != k.declarer and left > 1:
                leaders = leaders_beside(k, done, leader, player)
            new_count = new_gain = 0
        value = _INFINITY
        while True:
            found = search(
                k,
                done,
                target - worth,
                player,
                new_count,
                new_led,
                new_best,
                new_owner,
                new_gain,
                live,
                gap,
                allowed,
            )
            value = min(value, found)
            if leaders == 0 or value < target - worth or k.stop:
                break
            player = lowest(leaders)
            leaders &= leaders - 1
        value += worth
        k.fact = fact
        k.hands[0], k.hands[1], k.hands[2], k.hands[3] = hands0, hands1, hands2, hands3
        if form.straw(k):
            k.straw_gone[seat] = gone
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
    note_moves(k, index, (result >= target) == (maximise == 1))

    if count == 0:
        if form.exactly(k):
            low = high = 1 if result >= target else 0
        elif result >= target:
            low = max(low, result)
        else:
            high = min(high, result)
        store(k, key, values, low, high, k.nodes - start)
    return result


@jit
def order_moves(
    k: Any,
    ply: int,
    seat: int,
    count: int,
    allowed: int,
    led: int,
    best: int,
    owner: int,
    live: int,
    gap: int,
) -> tuple[int, int]:
    """Write the moves of a node to the scratch of depth `ply` (see `ordering`).

    Arguments as for `search`. Returns their number, and whether any two of them share a group.
    """
    others = outstanding(k) & ~k.hands[seat]
    if gap and seat != k.declarer:
        others = declarer_cards(k, ply, seat, count)
    elif count:
        others |= card_of_strength(best, led)
    special = k.special | (k.trull if live else 0)
    if count == 0:
        return order_leads(k, ply, seat, allowed, others, special)
    return order_follows(k, ply, seat, count, allowed, led, best, owner, others, special)


@jit
def play_on(
    k: Any,
    ply: int,
    seat: int,
    count: int,
    card: int,
    led: int,
    best: int,
    owner: int,
    gain: int,
) -> tuple[int, int, int, int, int, int, int, int]:
    """Play a card, and after it those of the next players who have no choice, to the trick's end.

    Arguments as for `search`, with `led` 5 and `best` −1 on lead. Returns what `search` needs of
    the position reached: ply, seat, count, led, best, owner, gain and the legal cards.
    """
    allowed = 0
    while True:
        if led == EXCUSE_SUIT:
            led = suit_of(card)
        power = strength(k, card, led)
        if power > best:
            best = power
            owner = seat
        gain += k.weight[card]
        k.hands[seat] &= ~(1 << card)
        k.line[ply] = card
        ply += 1
        count += 1
        seat = next_seat(k, seat)
        if count == form.players(k):
            break
        allowed = legal(k, ply, seat, count, led, best)
        if allowed & (allowed - 1) or form.straw(k):
            break
        card = lowest(allowed)
    return ply, seat, count, led, best, owner, gain, allowed


@jit_apart
def sibling_bound(
    k: Any,
    ply: int,
    index: int,
    maximise: int,
    target: int,
    seat: int,
    count: int,
    led: int,
    best: int,
    owner: int,
    live: int,
) -> int:
    """Return a bound of move `index` from the searched moves of its group (see `ordering`).

    An upper bound where the player maximises, a lower bound where he minimises; infinite when
    no move of the group was searched. Who wins the trick is asked only where that may decide.
    Arguments as for `search`.
    """
    bound = _group_bound(k, ply, index, maximise, 0)
    decides = (bound < target) == (maximise == 1)
    if count == 0 or decides or abs(bound) == _INFINITY:
        return bound
    card = move_card(k.moves[ply * WIDTH + index])
    if led == EXCUSE_SUIT:
        led = suit_of(card)
    power = strength(k, card, led)
    if power > best:
        best = power
        owner = seat
    side = certain_side(k, next_seat(k, seat), count + 1, led, best, owner, live)
    return _group_bound(k, ply, index, maximise, side) if side else bound


@jit
def _group_bound(k: Any, ply: int, index: int, maximise: int, side: int) -> int:
    """Return the same, given the side that is certain to win the trick, as `certain_side` does."""
    base = ply * WIDTH
    move = k.moves[base + index]
    weight = k.weight[move_card(move)]
    bound = _INFINITY if maximise else -_INFINITY
    for other in range(base, base + index):
        if move_group(k.moves[other]) == move_group(move):
            more = weight - k.weight[move_card(k.moves[other])]
            if side == 0:
                more = abs(more)
            elif (side > 0) == (maximise == 1):
                more = max(more, 0)
            else:
                more = max(-more, 0)
            if maximise:
                bound = min(bound, k.results[other] + more)
            else:
                bound = max(bound, k.results[other] - more)
    return bound


find: Any = called(search)
"""`search` for Python to call; while it runs, another thread may set `k.stop`."""


@entry
def enter(k: Any, plies: int, leader: int) -> tuple[int, int, int, int, int, int, int, int, int]:
    """Play the first `plies` cards of the line from the hands of the state.

    Args:
        k: the state; hands, straw men and the word of facts are left as the line leaves them.
        plies: how many cards of the line are played.
        leader: who led the first card.

    Returns:
        What `search` needs of the position reached (seat, count, led, best, owner, gain, live
        and the legal cards) and what the finished tricks were worth.
    """
    seat = owner = leader
    count = led = best = gain = worth = 0
    live = emperor_possible(k)
    for ply in range(plies):
        card = k.line[ply]
        if count == 0:
            led = EXCUSE_SUIT
            best = -1
        if led == EXCUSE_SUIT:
            led = suit_of(card)
        power = strength(k, card, led)
        if power > best:
            best = power
            owner = seat
        gain += k.weight[card]
        count += 1
        left = tricks_left(k, seat)
        k.hands[seat] &= ~(1 << card)
        if form.straw(k) and face_up(k, seat) == 1 << card:
            uncover(k, seat, k.taken[ply])
        seat = next_seat(k, seat)
        if count == form.players(k):
            winner = trick_winner(k, ply + 1, seat, owner, led, live, left)
            worth += trick_worth(k, ply + 1, seat, winner, gain, left)
            if form.facts(k):
                k.fact = after_trick(k, ply + 1, seat, winner, left)
            seat = owner = winner
            count = led = best = gain = 0
            live = emperor_possible(k)
    allowed = legal(k, plies, seat, count, led, best)
    return seat, count, led, best, owner, gain, live, allowed, worth
