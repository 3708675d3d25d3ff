"""Scarecrow: what comes up, what may be taken, and that the search agrees with plain minimax."""

from __future__ import annotations

import random

import pytest

from oracle import card_values
from trull.solver import Position, cards, solve
from trull.solver.referee import TAKE, Referee


def scarecrow(hands: tuple[str, str], *straw: list[str]) -> Referee:
    """Return the referee of a Scarecrow position, the stacks given seat by seat."""
    position = {"variant": "house", "contract": "scarecrow", "hands": list(hands), "leader": 0}
    return Referee(Position.from_dict({**position, "straw": list(straw)}))


def moves(game: Referee) -> list[str]:
    """Return the moves at the start, a `+` for every card taken up."""
    return [cards.NAMES[m % TAKE] + "+" * (m // TAKE) for m in game.moves(game.start)]


def test_the_face_up_card_can_be_played() -> None:
    """RULES section 6: the exposed card may be played as if in hand."""
    game = scarecrow(("S7", "S8 S9"), ["SQ"], [])
    assert moves(game) == ["S7", "SQ"]


def test_covered_cards_cannot_be_played() -> None:
    """RULES section 6: only the top card of the leftmost stack is face up."""
    game = scarecrow(("", "S8 S9 SJ"), ["SQ S7", "SK"], [])
    assert game.legal(game.start) == (cards.parse_card("SQ"),)


def test_the_face_up_card_counts_for_the_duty_to_follow() -> None:
    """RULES section 6: it counts for the follow and trump duties."""
    game = scarecrow(("S7 H4", "C7"), [], ["SQ"])
    state = game.play(game.start, cards.parse_card("S7"))
    assert game.legal(state) == (cards.parse_card("SQ"),)


@pytest.mark.parametrize(
    ("stack", "expected"),
    [
        ("SQ HK H4", ["SQ", "SQ+"]),
        ("SQ T9 H4", ["SQ", "SQ+"]),
        ("SQ T22 H4", ["SQ", "SQ+"]),
        ("SQ H3 H4", ["SQ"]),
    ],
)
def test_kings_and_trumps_that_come_up_may_be_taken(stack: str, expected: list[str]) -> None:
    """RULES section 6: a king or trump that comes up may at once be taken into hand."""
    game = scarecrow(("", "S7 S8 S9 SJ"), [stack, "C7"], [])
    assert moves(game)[: len(expected)] == expected


def test_the_bottom_card_may_be_taken_whatever_it_is() -> None:
    """RULES section 6: the bottom card of a stack may be taken whatever it is."""
    game = scarecrow(("", "S7 S8 S9"), ["SQ H3", "C7"], [])
    assert moves(game) == ["SQ", "SQ+", "SQ++"]
    state = game.play(game.start, cards.parse_card("SQ") + TAKE)
    assert state.hands[0] == 1 << cards.parse_card("H3")
    assert state.straw[0] == ((cards.parse_card("C7"),),)


def test_a_card_taken_uncovers_the_next_at_once() -> None:
    """RULES section 6: taking exposes the next card, before play goes on."""
    game = scarecrow(("", "S7 S8 S9 SJ"), ["SQ T9 T8 H4"], [])
    state = game.play(game.start, cards.parse_card("SQ") + 2 * TAKE)
    assert cards.format_hand(state.hands[0]) == "T9 T8"
    assert state.player == 1


def _random_position(rng: random.Random, tricks: int) -> Position:
    """Return a Scarecrow exercise with straw men of every length."""
    deck = list(range(cards.PACK))
    dear = cards.TRUMP_MASK | cards.KINGS
    heavy = rng.random() < 1 / 2
    deck.sort(key=lambda card: rng.random() * (1 if heavy and dear >> card & 1 else 2))
    hands, straw = [], []
    for seat in range(2):
        own = deck[seat * tricks : (seat + 1) * tricks]
        rng.shuffle(own)
        held = rng.randrange(tricks)
        covered, stacks = own[held:], []
        while covered and len(stacks) < 3:
            size = rng.randint(1, min(4, len(covered)))
            stacks.append(tuple(covered[:size]))
            covered = covered[size:]
        hands.append(cards.to_mask(own[:held] + covered))
        straw.append(tuple(stacks))
    return Position(
        variant="house",
        contract="scarecrow",
        hands=tuple(hands),
        straw=tuple(straw),
        declarer=rng.randrange(2),
        leader=rng.randrange(2),
    )


@pytest.mark.parametrize("seed", range(40))
def test_the_search_agrees_with_minimax(seed: int) -> None:
    """Every card's value, the position's and the line's, taking up included."""
    rng = random.Random(f"scarecrow {seed}")
    for objective in ("points", "tricks", "made"):
        position = _random_position(rng, rng.choice((2, 3, 4, 5)))
        referee = Referee(position)
        expected = card_values(referee, referee.start, objective)
        answer = solve(position, objective, memory=1)
        assert dict(answer.cards) == expected
        state = referee.start
        for card, taken in zip(answer.pv, answer.taken_up or answer.pv, strict=True):
            state = referee.play(state, card + TAKE * (taken if answer.taken_up else 0))
        assert referee.value(state, objective) == answer.value


def test_a_full_deal_has_honest_bounds() -> None:
    """What a limit leaves of a full deal are proven bounds that hold the past."""
    deck = list(range(cards.PACK))
    random.Random(5).shuffle(deck)
    straw = tuple(
        tuple(tuple(deck[30 + 12 * seat + 4 * n : 34 + 12 * seat + 4 * n]) for n in range(3))
        for seat in range(2)
    )
    hands = (cards.to_mask(deck[:15]), cards.to_mask(deck[15:30]))
    position = Position(variant="house", contract="scarecrow", hands=hands, straw=straw)
    answer = solve(position, nodes=50_000)
    assert not answer.exact
    assert 0 <= answer.lower < answer.upper <= 210


def test_a_limit_leaves_no_card_half_valued() -> None:
    """A card counts with the best of its moves: until all are searched it has no value."""
    position = Position.from_dict(
        {
            "variant": "house",
            "contract": "scarecrow",
            "declarer": 1,
            "leader": 0,
            "trick": "D2",
            "hands": ["T8", ""],
            "straw": [["C9 H3"], ["SJ T13 T2 SQ"]],
        }
    )
    whole = solve(position, pv=False)
    for nodes in range(1, whole.nodes):
        for card, value in solve(position, pv=False, nodes=nodes).cards.items():
            assert value == whole.cards[card]
