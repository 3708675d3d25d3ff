"""Names, numbers and masks of the cards."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trull.solver import cards
from trull.solver.cards import (
    ALL_CARDS,
    FACE_VALUES,
    KINGS,
    NAMES,
    PACK,
    SUIT_MASKS,
    TRULL,
    TRUMP_MASK,
    CardError,
    display_order,
    format_cards,
    format_hand,
    from_mask,
    parse_card,
    parse_cards,
    suit_mask,
    suit_of,
    to_mask,
)

hands = st.sets(st.integers(0, PACK - 1)).map(to_mask)
separators = st.sampled_from([" ", ",", ", ", "  ", "\t"])


def test_the_pack_is_22_trumps_and_four_suits_of_eight() -> None:
    assert len(set(NAMES)) == PACK
    assert TRUMP_MASK.bit_count() == 22
    assert [mask.bit_count() for mask in SUIT_MASKS] == [8] * 4
    assert TRUMP_MASK | sum(SUIT_MASKS) == ALL_CARDS
    assert sum(FACE_VALUES) == 106


def test_honours_have_their_names() -> None:
    assert format_hand(TRULL) == "T22 T21 T1"
    assert format_hand(KINGS) == "SK HK DK CK"
    assert format_hand(to_mask(range(22, 30))) == "SK SQ SN SJ S10 S9 S8 S7"
    assert format_hand(to_mask(range(30, 38))) == "HK HQ HN HJ HA H2 H3 H4"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("t22", "T22"),
        ("SKUES", "T22"),
        ("sküs", "T22"),
        ("XXI", "T21"),
        ("iiii", "T4"),
        ("IV", "T4"),
        ("I", "T1"),
        ("♠k", "SK"),
        ("♥A", "HA"),
        ("♦4", "D4"),
        ("♣10", "C10"),
        (" dn ", "DN"),
    ],
)
def test_a_card_is_known_by_its_other_names(text: str, name: str) -> None:
    assert NAMES[parse_card(text)] == name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("T23", "unknown card 'T23': expected T1 … T22"),
        ("T0", "unknown card 'T0'"),
        ("SA", "that suit has SK SQ SN SJ S10 S9 S8 S7"),
        ("H10", "that suit has HK HQ HN HJ HA H2 H3 H4"),
        ("Z", "unknown card 'Z'"),
        ("", "unknown card ''"),
        ("T1T2", "unknown card 'T1T2'"),
        ("T²", "unknown card 'T²'"),
    ],
)
def test_what_is_no_card_is_refused_by_name(text: str, words: str) -> None:
    with pytest.raises(CardError, match="unknown card") as caught:
        parse_card(text)
    assert words in str(caught.value)


def test_a_card_named_twice_is_refused() -> None:
    with pytest.raises(CardError, match="card SK appears twice"):
        parse_cards("SK T1 ♠K")


@given(hands)
def test_a_hand_survives_writing_and_reading(hand: int) -> None:
    assert to_mask(parse_cards(format_hand(hand))) == hand
    assert list(from_mask(hand)) == sorted(display_order(hand))


@given(st.permutations(range(PACK)), separators, st.booleans())
def test_a_sequence_keeps_its_order(order: list[int], separator: str, lower: bool) -> None:
    text = format_cards(order).replace(" ", separator)
    assert list(parse_cards(text.lower() if lower else text)) == order


@given(hands)
def test_a_hand_is_shown_by_suits_from_high_to_low(hand: int) -> None:
    shown = display_order(hand)
    keys = [(suit_of(card), -card) for card in shown]
    assert keys == sorted(keys)
    assert all(suit_mask(suit_of(card)) >> card & 1 for card in shown)


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(cards).failed == 0
