"""Random endings in which a settlement has much to settle, reproducible from a seed.

They come from `endings.random_ending`. As far as their past is open, the cards that a bonus or
penalty is about are put into hands, a bird that should win often without trumps above it, and often
one side has won all tricks so far. Then they are played down at random, birds now and then to their
own tricks, and get announcements, doublings and a level.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from endings import Bias, random_ending
from trull.solver import Position, cards
from trull.solver.cards import KINGS, MOND, PAGAT, SKUS, TRULL, TRUMP_MASK
from trull.solver.position import Announcement, Trick
from trull.solver.referee import TAKE, Referee
from trull.solver.rules import BIRDS, Contract, Variant
from trull.solver.validation import PositionError

_KEPT = cards.to_mask(BIRDS.values()) | TRULL | KINGS
_AT_STAKE: Mapping[str, tuple[int, ...]] = {
    **{bird: (card,) for bird, card in BIRDS.items()},
    "trull": (PAGAT, MOND, SKUS),
    "kings": tuple(cards.from_mask(KINGS)),
    "mond": (MOND, SKUS),
}
"""The cards that a fact of the settlement is about, besides the called card."""

_CHANGE_PLAY = ("french", "fool_high")


def score_ending(
    rng: random.Random,
    book: Variant,
    contract: Contract,
    players: int,
    tricks: int,
    fact: str,
    outcome: str,
) -> Position:
    """Return a random ending of a contract with a declaring side.

    Args:
        rng: the only source of chance.
        book: the rule book.
        contract: the contract.
        players: the number of players.
        tricks: the number of tricks left, the one on the table included.
        fact: the fact of the settlement that should be at stake, by its name among the bonuses,
            or `mond`, `called_king` or `verdict`.
        outcome: what should become of it: a bird to be `won` gets help, and what is to be `lost`
            or `missed` is mostly announced, as it would cost nothing otherwise.
    """
    past = rng.random() < 2 / 3
    earlier = rng.choice((0, 1, 2, 3)) if past and contract.sides != "two" else 0
    position = random_ending(
        rng,
        book.name,
        contract.name,
        players,
        tricks + earlier,
        bias=_bias(rng, contract, past, earlier),
        past=past,
        mid_trick=False,
        options=_options(rng, book, players),
    )
    if position.history is None:
        position = _with_cards(rng, position, _AT_STAKE.get(fact, ()))
        if fact in BIRDS and outcome == "won" and rng.random() < 3 / 4:
            position = _without_trumps(rng, position, BIRDS[fact])
        if rng.random() < 2 / 3:
            position = _won_by(rng, position, _winners(rng, position))
    fewest = players // 2 if tricks > 3 else 0
    position = _played_down(rng, position, tricks, rng.choice(range(fewest, players)))
    chance = 9 / 10 if outcome in ("lost", "missed") else 1 / 2
    return _with_terms(rng, position, fact, chance)


def _bias(rng: random.Random, contract: Contract, past: bool, earlier: int) -> Bias:
    if earlier > 1:
        return rng.choice(("trumps", "emperor", "pagat"))  # birds and Mond are kept until then
    biases: list[Bias] = ["plain", "trumps", "honours"]
    if contract.sides != "two":
        biases += ["emperor", "pagat"]
    if past and contract.talon.startswith("called"):
        biases += ["called_in_talon"] * 2
    return rng.choice(biases)


def _options(rng: random.Random, book: Variant, players: int) -> dict[str, object]:
    options: dict[str, object] = {}
    for name, default in book.options.items():
        if rng.random() < 1 / 2:
            seats = tuple(seat for seat in range(players) if rng.random() < 1 / 2)
            options[name] = True if isinstance(default, bool) else seats
    return options


# --- Cards and past ---


def _with_cards(rng: random.Random, position: Position, wanted: tuple[int, ...]) -> Position:
    """Return the position with cards in hand, now and then in the talon, for other cards.

    The Mond goes to the declarer, who alone pays for it.
    """
    called, declarer = position.called, position.declarer or 0
    for card in wanted:
        seat = declarer if card == MOND else rng.randrange(position.seats)
        places = list(position.talon) if rng.random() < 1 / 6 else []
        places = places or list(cards.from_mask(position.hands[seat]))
        free = [place for place in places if place not in (*wanted, called)]
        if free and card != called:
            position = _changed(position, **_exchange(position, card, rng.choice(free)))
    if called is not None and called not in position.talon:
        holder = declarer if position.partner is None else position.partner
        hand = list(cards.from_mask(position.hands[holder]))
        if called not in hand:
            position = _changed(position, **_exchange(position, called, rng.choice(hand)))
    return position


def _without_trumps(rng: random.Random, position: Position, bird: int) -> Position:
    """Return the position with most trumps above a bird out of the hands that do not hold it."""
    gone = [card for mask in position.taken for card in cards.from_mask(mask)]
    free = [card for card in gone if card >= cards.TRUMPS]
    others = [hand for hand in position.hands if not hand >> bird & 1]
    above = [card for hand in others for card in cards.from_mask(hand & TRUMP_MASK) if card > bird]
    rng.shuffle(free)
    for trump, card in zip(above, free, strict=False):
        if rng.random() < 3 / 4:
            position = _changed(position, **_exchange(position, trump, card))
    return position


def _exchange(position: Position, one: int, other: int) -> dict[str, Any]:
    """Return what changes when two cards change places."""
    places = {one: other, other: one}

    def moved(mask: int) -> int:
        return cards.to_mask(places.get(card, card) for card in cards.from_mask(mask))

    masks = {key: tuple(map(moved, getattr(position, key))) for key in ("hands", "taken")}
    straw = tuple(
        tuple(tuple(places.get(card, card) for card in stack) for stack in stacks)
        for stacks in position.straw
    )
    talon = tuple(places.get(card, card) for card in position.talon)
    discards = tuple(map(moved, position.discards))
    return {**masks, "straw": straw, "talon": talon, "discards": discards}


def _winners(rng: random.Random, position: Position) -> list[int]:
    """Return who is to have won the tricks so far: one seat, or so that the goal is still open."""
    rules, played = position.rules, position.tricks_played
    seats = list(range(position.seats))
    if rules.goal == "majority":
        return [rng.choice(seats)] * played
    few = min(max(rules.tricks - rng.choice((0, 0, 1, 2)), 0), played)
    others = [seat for seat in seats if seat not in position.side]
    own, rest = [position.declarer or 0], [rng.choice(others) for _ in range(played)]
    if rules.goal == "all_but":
        return rest[:few] + own * (played - few)
    return own * few + rest[few:]


def _won_by(rng: random.Random, position: Position, winners: list[int]) -> Position:
    """Return the position with the tricks so far won by the winners, each of random cards."""
    gone = [card for mask in position.taken for card in cards.from_mask(mask)]
    rng.shuffle(gone)
    taken = [0] * position.seats
    for number, card in enumerate(gone):
        taken[winners[number // position.seats]] |= 1 << card
    won = tuple(map(winners.count, range(position.seats)))
    return _changed(position, taken=tuple(taken), tricks_won=won)


def _played_down(rng: random.Random, position: Position, tricks: int, on_table: int) -> Position:
    """Return the position after random play down to `tricks` tricks, `on_table` cards played.

    In every second case a bird goes to its own trick, and Mond and Sküs to the same one; else cards
    that matter are spared.
    """
    referee = Referee(position)
    state, history = referee.start, list(position.history or ())
    while state.cards_left(state.leader) + bool(state.trick) > tricks or (
        len(state.trick) < on_table
    ):
        moves = referee.moves(state)
        own_bird = state.cards_left(state.player) - 1
        bold = [move for move in moves if move == own_bird in BIRDS.values()]
        bold += [move for move in moves if {MOND, SKUS} <= {move, *state.trick}]
        spare = [move for move in moves if not _KEPT >> move % TAKE & 1]
        move = rng.choice(bold if bold and rng.random() < 1 / 2 else spare or moves)
        after = referee.play(state, move)
        if not after.trick:
            history.append(Trick(state.leader, (*state.trick, move % TAKE)))
        state = after
    return replace(
        position,
        hands=state.hands,
        leader=state.leader,
        trick=state.trick,
        taken=state.taken,
        tricks_won=state.tricks,
        talon=state.talon,
        straw=state.straw,
        history=None if position.history is None else tuple(history),
    )


# --- Terms ---


def _with_terms(rng: random.Random, position: Position, fact: str, chance: float) -> Position:
    """Return the position with terms that change no play, the fact announced with a chance."""
    rules, book = position.rules, position.book
    silent = set(rules.bonuses) - set(_CHANGE_PLAY)
    if book.announced_pagat:
        silent.discard("pagat")
    for bonus in sorted(silent):
        if rng.random() < (chance if bonus == fact else 1 / 5):
            seats = rng.sample(range(position.seats), position.seats)
            position = _announced(position, bonus, seats)
    if rules.sides == "two" and rng.random() < 1 / 5:
        position = replace(position, declarer=None)
    level = rng.randint(1, rules.levels)
    return replace(position, level=level, doubled=dict(_doubled(rng, position)))


def _announced(position: Position, bonus: str, seats: list[int]) -> Position:
    """Return the position with a bonus announced by the first seat that may, if any."""
    for seat in seats:
        announced = (*position.announced, Announcement(seat, bonus))
        changed = _changed(position, announced=announced)
        if changed is not position:
            return changed
    return position


def _doubled(rng: random.Random, position: Position) -> Iterator[tuple[str, int | tuple[int, ...]]]:
    rules, book = position.rules, position.book
    stakes = ("game", *(rules.bonuses if book.bonus_doubling else ()))
    for name in stakes if rules.doubling else ():
        if rng.random() < 1 / 3:
            by_seat = name == "game" and rules.sides == "alone" and book.paid
            factors = [rng.choice((1, 2, 4, 8)) for _ in range(position.seats)]
            yield name, tuple(factors) if by_seat and rng.random() < 1 / 2 else factors[0]


def _changed(position: Position, **changes: Any) -> Position:
    """Return the position with changes, or as it is where they contradict it."""
    try:
        return replace(position, **changes)
    except PositionError:
        return position
