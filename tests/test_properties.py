"""What must hold of any answer, whatever the position."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import pytest

from endings import random_ending
from trull.solver import Answer, Position, Request, cards, solve, solve_many
from trull.solver.position import Trick
from trull.solver.referee import TAKE, Referee
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


def _exchange(position: Position, order: tuple[int, ...]) -> Callable[[int], int]:
    """Return which card takes the place of a card when suits are exchanged, rank for rank."""
    place = position.book.rank_order
    card_at = {place[card]: card for card in range(cards.PACK)}

    def moved(card: int) -> int:
        if card < cards.TRUMPS:
            return card
        suit, rank = divmod(place[card] - cards.TRUMPS, cards.SUIT_SIZE)
        return card_at[cards.TRUMPS + cards.SUIT_SIZE * order[suit] + rank]

    return moved


def _relabelled(position: Position, moved: Callable[[int], int]) -> Position:
    """Return the position with every card in another's place."""

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
    """Exchanging suits exchanges the values of their cards, and no more."""
    rng = random.Random(f"suits {variant} {contract}")
    orders = list(permutations(range(4)))
    for position in _endings(variant, contract, players):
        moved = _exchange(position, rng.choice(orders))
        answer = solve(position, pv=False, memory=1)
        other = solve(_relabelled(position, moved), pv=False, memory=1)
        assert answer.value == other.value
        assert answer.seats == other.seats
        assert {moved(card): value for card, value in answer.cards.items()} == other.cards


@pytest.mark.parametrize(("variant", "contract", "players"), CONTRACTS)
def test_the_last_trick(variant: str, contract: str, players: int) -> None:
    """One card each, or less: the referee says what comes of it."""
    rng = random.Random(f"last {variant} {contract}")
    for _ in range(12):
        position = random_ending(rng, variant, contract, players, 1)
        referee = Referee(position)
        state = referee.start
        while not referee.over(state):
            state = referee.play(state, referee.legal(state)[0])
        answer = solve(position, memory=0)
        if answer.seats:
            points = [referee.points(state, seat) for seat in range(players)]
            assert [low for low, _ in answer.seats] == points
        else:
            assert answer.objective != "score"
            assert answer.value == referee.value(state, answer.objective)


@pytest.mark.parametrize(("variant", "contract", "players"), CONTRACTS)
def test_all_points_add_up_to_the_pack(variant: str, contract: str, players: int) -> None:
    """What the seats have after the line, and the talon that nobody won, are the whole pack."""
    rng = random.Random(f"pack {variant} {contract}")
    for _ in range(3):
        position = random_ending(rng, variant, contract, players, 3, past=True)
        weights = position.book.weights
        referee = Referee(position)
        answer = solve(position, "points", memory=1)
        state = referee.start
        for move in _moves(answer):
            state = referee.play(state, move)
        points = [referee.points(state, seat) for seat in range(players)]
        talon = {card: weights[card] for card in state.talon}
        assert sum(points) + sum(talon.values()) == sum(weights)
        if answer.seats:
            assert answer.value == points[position.player]
        else:
            credited = sum(talon[card] for card in cards.from_mask(referee.credited(state)))
            assert answer.value == sum(points[seat] for seat in position.side) + credited


def _moves(answer: Answer) -> list[int]:
    taken_up = answer.taken_up or (0,) * len(answer.pv)
    return [card + TAKE * taken for card, taken in zip(answer.pv, taken_up, strict=True)]


def test_the_same_hands_are_another_question_with_other_sides() -> None:
    """One engine solves the same cards for every declarer, partner and contract in turn."""
    rng = random.Random(8)
    for _ in range(5):
        ending = random_ending(rng, "koenigrufen", "dreier", 4, 6, past=False, mid_trick=False)
        terms: list[tuple[str, int, int | None]] = [("dreier", seat, None) for seat in range(4)]
        terms += [("solodreier", 0, None), ("farbendreier", 0, None), ("bettler", 0, None)]
        terms += [("rufer", 0, partner) for partner in (None, 1, 2, 3)]
        positions = [
            Position(
                variant="koenigrufen",
                contract=contract,
                hands=ending.hands,
                declarer=declarer,
                partner=partner,
            )
            for contract, declarer, partner in terms
        ]
        together = list(solve_many(positions * 2, Request(objective="points"), memory=1))
        alone = [solve(position, "points", memory=1) for position in positions]
        assert [answer.cards for answer in together] == [answer.cards for answer in alone] * 2


def test_equivalent_cards_all_have_their_value() -> None:
    """Of a hand whose cards are all the same to the search, every card is valued."""
    hands = (
        cards.to_mask(range(4, 10)),
        cards.to_mask(range(10, 16)),
        cards.to_mask(range(22, 28)),
        cards.to_mask(range(30, 36)),
    )
    position = Position(variant="koenigrufen", contract="dreier", hands=hands)
    answer = solve(position, "tricks")
    assert dict(answer.cards) == dict.fromkeys(range(4, 10), 0)
    assert dict(solve(position, "tricks", cards="best").cards) == dict(answer.cards)
    defended = solve(replace(position, leader=1), "tricks")
    assert dict(defended.cards) == dict.fromkeys(range(10, 16), 0)
