"""What must hold of any answer, whatever the position."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations

import pytest

from endings import random_ending
from trull.solver import Position, Request, cards, solve, solve_many
from trull.solver.position import Trick
from trull.solver.referee import Referee
from trull.solver.rulebooks import every_contract

TRICKS = 5

CONTRACTS = [
    (book.name, contract.name, max(contract.values)) for book, contract in every_contract()
]


def _endings(variant: str, contract: str, players: int, number: int = 3) -> list[Position]:
    rng = random.Random(f"properties {variant} {contract}")
    return [
        random_ending(rng, variant, contract, players, TRICKS, past=contract != "scarecrow")
        for _ in range(number)
    ]


def _child(position: Position, card: int) -> Position:
    """Return the position after a card, as a position of its own."""
    referee = Referee(position)
    state = referee.play(referee.start, card)
    history = position.history
    if history is not None and not state.trick:
        history = (*history, Trick(position.leader, (*position.trick, card)))
    return replace(
        position,
        hands=state.hands,
        leader=state.leader,
        trick=state.trick,
        taken=state.taken,
        tricks_won=state.tricks,
        talon=state.talon,
        history=history,
    )


@pytest.mark.parametrize(("variant", "contract", "players"), CONTRACTS)
def test_table_size_and_workers_do_not_matter(variant: str, contract: str, players: int) -> None:
    """Any table gives the same values, and any number of workers the same answers."""
    positions = _endings(variant, contract, players)
    usual = list(solve_many(positions, Request(), memory=4))
    for memory, workers in ((0, 1), (0.01, 2), (1, 3)):
        for answer, other in zip(
            usual, solve_many(positions, Request(), workers=workers, memory=memory), strict=True
        ):
            assert (answer.value, answer.cards, answer.seats) == (
                other.value,
                other.cards,
                other.seats,
            )


@pytest.mark.parametrize(("variant", "contract", "players"), CONTRACTS)
def test_a_value_is_the_best_of_its_cards(variant: str, contract: str, players: int) -> None:
    """No card is better for its player than the position, and one is as good."""
    for position in _endings(variant, contract, players):
        answer = solve(position, memory=1)
        assert answer.value in (max(answer.cards.values()), min(answer.cards.values()))
        assert set(answer.cards) == set(Referee(position).legal(Referee(position).start))
        best = solve(position, cards="best", pv=False, memory=1)
        assert best.cards == {c: v for c, v in answer.cards.items() if v == answer.value}


@pytest.mark.parametrize(
    ("variant", "contract", "players"), [c for c in CONTRACTS if c[1] != "scarecrow"]
)
def test_a_card_is_worth_what_follows(variant: str, contract: str, players: int) -> None:
    """The position after a card has the value of that card, as a position of its own."""
    for position in _endings(variant, contract, players, 2):
        answer = solve(position, pv=False, memory=1)
        for card, value in answer.cards.items():
            child = _child(position, card)
            after = solve(child, cards="none", pv=False, memory=1)
            if after.seats:
                # The answer of a game of everyone is about the seat to play.
                assert after.seats[position.player] == (value, value)
            else:
                assert after.value == value


def _relabelled(position: Position, order: tuple[int, ...]) -> Position:
    """Return the position with its four suits exchanged, rank for rank."""
    place = position.book.rank_order
    card_at = {place[card]: card for card in range(cards.PACK)}

    def moved(card: int) -> int:
        if card < cards.TRUMPS:
            return card
        suit, rank = divmod(place[card] - cards.TRUMPS, cards.SUIT_SIZE)
        return card_at[cards.TRUMPS + cards.SUIT_SIZE * order[suit] + rank]

    def all_moved(mask: int) -> int:
        return cards.to_mask(moved(card) for card in cards.from_mask(mask))

    history = position.history
    return replace(
        position,
        hands=tuple(map(all_moved, position.hands)),
        trick=tuple(map(moved, position.trick)),
        taken=tuple(map(all_moved, position.taken)),
        talon=tuple(map(moved, position.talon)),
        discards=tuple(map(all_moved, position.discards)),
        called=None if position.called is None else moved(position.called),
        history=history and tuple(Trick(t.leader, tuple(map(moved, t.cards))) for t in history),
        straw=tuple(
            tuple(tuple(map(moved, stack)) for stack in stacks) for stacks in position.straw
        ),
    )


@pytest.mark.parametrize(("variant", "contract", "players"), CONTRACTS)
def test_suits_are_interchangeable(variant: str, contract: str, players: int) -> None:
    """Exchanging suits changes no value."""
    rng = random.Random(f"suits {variant} {contract}")
    orders = list(permutations(range(4)))
    for position in _endings(variant, contract, players):
        answer = solve(position, pv=False, memory=1)
        other = solve(_relabelled(position, rng.choice(orders)), pv=False, memory=1)
        assert answer.value == other.value
        assert sorted(answer.cards.values()) == sorted(other.cards.values())
