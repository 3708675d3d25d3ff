"""The solver against plain minimax on a bounded sample of the endings of `agreement.py`.

`TRULL_ENDINGS` multiplies the size of the sample.
"""

from __future__ import annotations

import dataclasses
import os
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import pytest

from agreement import SAMPLE, Tally, compare_all, contracts, tasks
from crew import shares
from endings import random_ending
from oracle import Measure, best, can_make, can_reach, card_values, fewest
from special_rules import SPECIAL_RULES, rules_of, settings
from trull.solver import Position, solve
from trull.solver.cards import SUIT_MASKS, from_mask, to_mask
from trull.solver.position import Trick
from trull.solver.referee import Referee
from trull.solver.rules import BIRDS, Contract, Variant, hand_size

SCALE = float(os.environ.get("TRULL_ENDINGS", "1"))
SHARES = 8  # of a sample, for the processes
MAJORITY, OTHER = 200, 70  # endings of a majority game, and of any other contract

CONTRACTS = [
    pytest.param(book, record, id=f"{book.name}-{record.name}") for book, record in contracts()
]
TALON_GAMES = [(book, record) for book, record in contracts() if record.talon == "tricks"]

NOT_OF_PLAY = {
    "name",
    "source",
    "values",
    "tricks",
    "leader",
    "discards",
    "kept",
    "laid_first",
    "bonuses",
    "calls",
    "levels",
    "doubling",
    "game_score",
    "factors",
    "bonus_values",
    "valat",
    "mond",
    "called_king_penalty",
    "payment",
}
"""The fields of a contract that no special rule of play rests on."""


@pytest.mark.exhaustive
@pytest.mark.parametrize(("book", "record"), CONTRACTS)
def test_the_solver_agrees_with_minimax(
    book: Variant, record: Contract, crew: ProcessPoolExecutor
) -> None:
    """Values, best cards and lines are right, and every special rule has come to bear."""
    number = round(SCALE * (MAJORITY if record.goal == "majority" else OTHER))
    tally = Tally()
    for part in crew.map(compare_all, shares(tasks(book, record, number, 1, SAMPLE), SHARES)):
        tally.add(part)
    assert tally.faults == []
    if SCALE >= 1:
        assert [rule.name for rule in rules_of(book, record) if not tally.bites[rule.name]] == []
        assert_varied(tally, record)


def assert_varied(tally: Tally, record: Contract) -> None:
    """Check that a sample has endings in mid-trick, with a past and with the emperor trick."""
    assert tally.traits["mid-trick"] > tally.endings / 5
    assert tally.traits["past"] > tally.endings / 5
    if record.emperor != "off" and record.sides != "two":
        assert tally.traits["emperor"] > tally.endings / 10


def test_every_contract_is_compared() -> None:
    """No contract is left out, Scarecrow and games of three included."""
    for book, record in contracts():
        assert {task.contract for task in tasks(book, record, 4, 1, SAMPLE)} == {record.name}


def test_every_knob_has_a_special_rule() -> None:
    """A new knob of play needs a new special rule, so that its absence from tests would show."""
    knobs = {knob for rule in SPECIAL_RULES for knob in rule.knobs}
    fields = {field.name for field in dataclasses.fields(Contract)}
    assert fields - NOT_OF_PLAY == knobs | {"sides", "goal"}
    used = {rule.name for book, record in contracts() for rule in rules_of(book, record)}
    assert used == {rule.name for rule in SPECIAL_RULES}


def test_rules_count_announcements_and_options() -> None:
    """The special rules of a contract are also those that announcements and options bring."""
    found = {
        (book.name, record.name): {rule.name for rule in rules_of(book, record)}
        for book, record in contracts()
    }
    assert "emperor trick" in found["texas", "prever"]
    assert "overtaking" in found["house", "solo_one"]
    assert "announced Pagat kept" in found["czech", "solo"]
    assert all(settings(book, record)[0].name == record.name for book, record in contracts())


# --- The oracle of longer endings ---


@pytest.mark.parametrize(("book", "record"), CONTRACTS)
def test_the_slow_proofs_agree_with_plain_minimax(book: Variant, record: Contract) -> None:
    """What `can_reach` and `can_make` prove is what minimax finds."""
    for number in range(4):
        rng = random.Random(f"proof {book.name} {record.name} {number}")
        players = rng.choice(sorted(record.values))
        position = random_ending(rng, book.name, record.name, players, 3)
        referee = Referee(position)
        start = referee.start
        if record.sides == "everyone":
            seat = rng.randrange(players)
            value, reach = fewest(referee, start, seat)[0], can_reach(position, "points", seat)
        else:
            objective: Measure = rng.choice(("points", "tricks"))
            value, reach = best(referee, start, objective), can_reach(position, objective)
        assert reach(start, value)
        assert not reach(start, value + 1)
        if record.sides != "everyone":
            assert can_make(position)(start) == best(referee, start, "made")


# --- Talon cards still to come in a deal ---


def late_talon(rng: random.Random, book: Variant, record: Contract) -> Position:
    """Return a position of four players with seven tricks and one talon card to come.

    Every hand has two trumps and one or two cards of each suit, which leaves few legal cards.
    """
    trumps = rng.sample(range(22), 8)
    suits = [rng.sample(list(from_mask(mask)), 5) for mask in rng.sample(SUIT_MASKS, 4)]
    pack = [*trumps, *(card for suit in suits for card in suit)]
    hands = tuple(to_mask(pack[seat::4]) for seat in range(4))
    rest = [card for card in range(54) if card not in pack]
    rng.shuffle(rest)
    taken, won = [0] * 4, [0] * 4
    for trick in range(5):
        seat = rng.randrange(4)
        taken[seat] |= to_mask(rest[5 * trick : 5 * trick + 5])
        won[seat] += 1
    return Position(
        variant=book.name,
        contract=record.name,
        hands=hands,
        leader=rng.randrange(4),
        taken=tuple(taken),
        tricks_won=tuple(won),
        talon=(rest[25],),
    )


@pytest.mark.parametrize(("book", "record"), TALON_GAMES, ids=lambda item: item.name)
@pytest.mark.parametrize("number", range(2))
def test_the_last_talon_card_of_a_deal(book: Variant, record: Contract, number: int) -> None:
    """Seven tricks before the end, one seat's value is proven slowly."""
    rng = random.Random(f"talon {book.name} {record.name} {number}")
    position = late_talon(rng, book, record)
    start = Referee(position).start
    value = solve(position, cards="none", pv=False).seats[position.player][0]
    reach = can_reach(position, "points", position.player)
    assert reach(start, int(value))
    assert not reach(start, int(value) + 1)


# --- Birds that have won before the ending ---


def bird_won(rng: random.Random, book: Variant, record: Contract) -> Position:
    """Return an ending after the trick that the promised bird has won, with its history."""
    bird = BIRDS[record.bird or ""]
    while True:
        players = rng.choice(sorted(record.values))
        deal = random_ending(
            rng, book.name, record.name, players, hand_size(players), past=True, mid_trick=False
        )
        referee, history = Referee(deal), []
        state = referee.start
        while state.cards_left(state.leader) > bird or state.trick:
            left = state.cards_left(state.player)
            legal = referee.legal(state)
            kept = [card for card in legal if card != bird] or legal
            card = bird if left == bird + 1 and bird in legal else rng.choice(kept)
            trick = (*state.trick, card)
            if len(trick) == players:
                history.append(Trick(state.leader, trick))
            state = referee.play(state, card)
        if state.bird_won:
            return replace(
                deal,
                hands=state.hands,
                leader=state.leader,
                trick=(),
                taken=state.taken,
                tricks_won=state.tricks,
                history=tuple(history),
            )


@pytest.mark.parametrize(
    ("book", "record"),
    [
        (book, record)
        for book, record in contracts()
        if record.goal_needs_bird and record.bird != "pagat"  # whose trick is the last one
    ],
    ids=lambda item: item.name,
)
def test_a_bird_of_the_past_is_remembered(book: Variant, record: Contract) -> None:
    """Once the bird has won its trick, the majority alone decides."""
    rng = random.Random(f"bird {record.name}")
    for _ in range(4):
        position = bird_won(rng, book, record)
        referee = Referee(position)
        answer = solve(position, "made")
        assert dict(answer.cards) == card_values(referee, referee.start, "made")
        points = solve(position, "points").value
        assert answer.value == (points >= book.threshold)
