"""Deals, conditions on them, and how they are drawn."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from hashlib import shake_256
from math import comb, factorial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trull.analysis.deals import Conditions, Deal, DealError, Sampler, draw
from trull.analysis.deals.counts import LINEAR, weights_of
from trull.analysis.deals.expression import parse_expression
from trull.analysis.deals.formula import holds
from trull.analysis.deals.layout import masks_of
from trull.analysis.deals.numbers import random_below
from trull.solver.cards import ALL_CARDS, KINGS, TRUMP_MASK, parse_cards, to_mask
from trull.solver.hands import FEATURES
from trull.solver.rulebooks import VARIANTS
from trull.solver.validation import PositionError

GAMES = [
    *((variant, 4) for variant in VARIANTS),
    ("slovenian", 3),
    ("house", 3),
    ("house", 2),
]


def sampler(
    where: str | tuple[str, ...] = (), variant: str = "koenigrufen", **more: Any
) -> Sampler:
    """Return a sampler of deals that meet expressions."""
    return Sampler(variant, conditions=Conditions(where=where), **more)


def agree(found: Counter[Any], expected: Counter[Any]) -> bool:
    """Return whether two samples may come from one distribution (chi-square, 1 in 10,000)."""
    from scipy.stats import chi2_contingency

    values = [value for value in {*found, *expected} if found[value] + expected[value] >= 10]
    if len(values) < 2:
        return set(values) == {*found, *expected}
    table = [[sample[value] for value in values] for sample in (found, expected)]
    return bool(chi2_contingency(table).pvalue > 1e-4)


# --- Random numbers ---


def test_numbers_come_from_the_documented_digest() -> None:
    limit = 54 * 53
    data = shake_256(b"trull 7 11 3").digest(100)
    blocks = (int.from_bytes(data[place : place + 2]) >> 4 for place in range(0, 100, 2))
    assert random_below(limit, 7, 11, 3) == next(block for block in blocks if block < limit)


@pytest.mark.parametrize("limit", [1, 2, 3, 10, 256, 257])
def test_numbers_are_uniform(limit: int) -> None:
    rounds = 40
    found = Counter(random_below(limit, 1, number) for number in range(rounds * limit))
    assert set(found) == set(range(limit))
    surplus = sum((count - rounds) ** 2 / rounds for count in found.values())
    assert abs(surplus - (limit - 1)) < 5 * (2 * limit) ** 0.5


# --- Deals ---


@pytest.mark.parametrize(("variant", "players"), GAMES)
def test_a_deal_survives_being_written(variant: str, players: int) -> None:
    deal = draw(variant, players, None, 5, 0)
    assert deal.players == players
    assert Deal.from_dict(deal.to_dict() | {"id": 3, "x_note": "n"}) == deal
    assert Deal.from_string(deal.deal_string) == deal
    laid = [card for stacks in deal.straw for stack in stacks for card in stack]
    assert sum(map(int.bit_count, deal.hands)) + len(deal.talon) + len(laid) == 54


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"variant": "koenigrufn"}, "variant: unknown variant 'koenigrufn'"),
        ({"hands": ["T1"]}, "hands: 1 of them, but koenigrufen is for 4"),
        ({"talon": "T1 T2"}, "talon: 2, expected 6"),
        ({"talon": "S7 S8 S9 S10 SJ S7"}, "talon: card S7 appears twice"),
        ({"straw": [["T1"]]}, "straw: 1, expected 0"),
        ({"contract": "rufer"}, "unknown key"),
    ],
)
def test_what_is_no_deal_is_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises((DealError, PositionError), match=words):
        Deal.from_dict(draw("koenigrufen", 4, None, 5, 0).to_dict() | changes)


def test_a_card_that_is_dealt_twice_is_named() -> None:
    deal = draw("koenigrufen", 4, None, 5, 0)
    with pytest.raises(DealError, match="is dealt twice"):
        Deal("koenigrufen", (deal.hands[0], deal.hands[0], *deal.hands[2:]), deal.talon)


@pytest.mark.parametrize("text", ["koenigrufen", "koenigrufen:rufer T1", "T1 T2", ""])
def test_what_is_no_deal_string_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Deal.from_string(text)


# --- Drawing ---


@pytest.mark.parametrize(("variant", "players"), GAMES)
def test_every_card_is_dealt_to_every_place_equally_often(variant: str, players: int) -> None:
    deals, source = 1500, Sampler(variant, players, Conditions(voids="keep"), seed=11)
    found: Counter[tuple[int, int]] = Counter()
    sizes: Counter[int] = Counter()
    for number in range(deals):
        for place, mask in enumerate(masks_of(source.deal(number))):
            sizes[place] = mask.bit_count()
            for card in range(54):
                found[place, card] += mask >> card & 1
    for (_, place_cards), expected in zip(
        sorted(found.items()),
        (deals * sizes[place] / 54 for place, _ in sorted(found)),
        strict=True,
    ):
        assert abs(place_cards - expected) < 5 * expected**0.5


def test_the_talon_lies_in_every_order() -> None:
    where = "'T1 T2 T3' in half0 and 'T4 T5 T6' in half1"
    source = sampler(where)
    found = Counter(source.deal(number).talon for number in range(36 * 30))
    assert len(found) == 36
    assert sum((count - 30) ** 2 / 30 for count in found.values()) < 36 + 5 * 72**0.5


def test_a_deal_depends_on_seed_and_number_alone() -> None:
    conditions = Conditions(where="trumps >= 7 and trumps * kings >= 14")
    source = Sampler("texas", 4, conditions, seed=3)
    backwards = [source.deal(number) for number in reversed(range(8))]
    deals = [draw("texas", 4, conditions, 3, number) for number in range(8)]
    assert deals == backwards[::-1]
    assert len(set(deals)) == 8
    assert not set(deals) & {draw("texas", 4, conditions, 4, number) for number in range(8)}


def test_the_same_deals_as_ever() -> None:
    assert draw("koenigrufen", 4, None, 1, 0).deal_string == (
        "koenigrufen: T18,15,10,4,2.SJ.HQA3.DNJ.C10 T19,13,6,1.SN7.HKN2.DQ3.C7 "
        "T22,21,9,8,7,5,3.SQ10.DA.CQ8 "
        "T20,16,11.SK98.HJ.D24.CNJ9 talon=H4.CK.T17.DK.T12,14"
    )
    assert draw("koenigrufen", 4, Conditions(where="dreier_points >= 12"), 1, 0).deal_string == (
        "koenigrufen: T22,18,17,16,14,5,2,1.HN2.D2.CN T21,20,19,13,12,9.SQ.DKN3.C109 "
        "T10,6,4,3.SN.HK4.DQ4.CKQJ T8,7.SK1097.HQA3.DA.C87 talon=DJ.S8.HJ.SJ.T15,11"
    )


@pytest.mark.parametrize(
    ("where", "share"),
    [
        ("trumps == 12", Fraction(comb(22, 12), comb(54, 12))),
        ("trumps >= 11", Fraction(comb(22, 12) + comb(22, 11) * 32, comb(54, 12))),
        ("seat2.kings == 4", Fraction(comb(50, 8), comb(54, 12))),
        ("talon.trumps == 6", Fraction(comb(22, 6), comb(54, 6))),
        ("half1.trumps == 3", Fraction(comb(22, 3), comb(54, 3))),
        ("'T22 T21 T1' in seat0", Fraction(comb(51, 9), comb(54, 12))),
        ("T22 not in talon", Fraction(8, 9)),
        ("suit_shape == '8-0-0-0'", Fraction(4 * comb(22, 4), comb(54, 12))),
        ("voids == 4", Fraction(comb(22, 12), comb(54, 12))),
        ("longest_suit >= 8", Fraction(4 * comb(46, 4), comb(54, 12))),
        ("kings + seat1.kings == 4", Fraction(comb(50, 20), comb(54, 24))),
        ("(T22 in seat0) + (T21 in seat0) >= 1", 1 - Fraction(comb(52, 12), comb(54, 12))),
        ("trumps in (11, 12)", Fraction(comb(22, 12) + comb(22, 11) * 32, comb(54, 12))),
    ],
)
def test_the_share_of_the_deals_is_exact(where: str, share: Fraction) -> None:
    source = sampler(where)
    assert source.rejecting == ()
    assert source.share == share


@pytest.mark.parametrize(
    ("where", "variant"),
    [
        ("dreier_points >= 12", "koenigrufen"),
        ("points >= 26 and hearts <= 2", "texas"),
        ("voids >= 1 and 6 <= trumps <= 7", "koenigrufen"),
        ("trumps >= 7 or kings >= 2", "house"),
        ("seat0.trumps >= 6 and seat1.trumps >= 6", "czech"),
        ("trumps > seat1.trumps + 2", "slovenian"),
        ("trumps >= 5 and not open_suits >= 2", "koenigrufen"),
        ("short_kings >= 1", "texas"),
        ("suit_shape in ('4-2-1-0', '3-2-1-1')", "koenigrufen"),
        ("T22 not in seat0 and talon.trumps >= 3", "koenigrufen"),
    ],
)
def test_by_construction_as_by_drawing_again(where: str, variant: str) -> None:
    constructed = sampler(where, variant, seed=1)
    assert constructed.rejecting == ()
    clauses = parse_expression(where, variant, 4)

    def meets(deal: Deal) -> bool:
        masks = masks_of(deal)
        return all(clause.holds(masks) for clause in clauses)

    drawn = Sampler(variant, conditions=Conditions(predicates=meets), seed=2)
    samples = [[source.deal(number) for number in range(700)] for source in (constructed, drawn)]
    assert constructed.acceptance == 1
    for count in (
        lambda deal: (deal.hands[0] & TRUMP_MASK).bit_count(),
        lambda deal: (deal.hands[1] & KINGS).bit_count(),
        lambda deal: (to_mask(deal.talon) & TRUMP_MASK).bit_count(),
        lambda deal: FEATURES["longest_suit"].count(deal.hands[2], deal.book),
    ):
        assert agree(*(Counter(map(count, sample)) for sample in samples))
    assert drawn.tried > drawn.dealt == 700
    expected = constructed.share / Sampler(variant).share * drawn.tried
    assert abs(drawn.dealt - expected) < 5 * float(expected) ** 0.5


def test_construction_and_drawing_again_go_together() -> None:
    conditions = Conditions(
        where=("trumps >= 8", "trumps * kings >= 16"),
        hold={"seat1": "T22"},
        talon="SK",
        predicates=lambda deal: deal.hands[2].bit_count() == 12,
    )
    source = Sampler("koenigrufen", 4, conditions, seed=1)
    assert source.constructed == ("seat1 holds T22", "talon holds SK", "trumps >= 8")
    assert source.rejecting == ("trumps * kings >= 16", "predicate <lambda>")
    for number in range(20):
        deal = source.deal(number)
        trumps, kings = (deal.hands[0] & mask for mask in (TRUMP_MASK, KINGS))
        assert trumps.bit_count() >= 8
        assert trumps.bit_count() * kings.bit_count() >= 16
        assert deal.hands[1] >> 21 & 1
        assert to_mask(parse_cards("SK")) & to_mask(deal.talon)
    assert source.dealt == 20 < source.tried


def test_an_exact_hand_is_held() -> None:
    cards = "T22 T21 T20 T19 T18 T17 T16 T15 SK HK DK CK"
    deal = draw("koenigrufen", 4, Conditions(hold={2: cards}), 1, 0)
    assert deal.hands[2] == to_mask(parse_cards(cards))


def test_too_many_tries_are_an_error() -> None:
    with pytest.raises(DealError, match="no deal among 50 tries"):
        sampler("trumps * kings >= 40", tries=50).deal(0)


# --- Impossible conditions ---


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("trumps >= 13", "no deal meets this condition: trumps >= 13"),
        ("kings > 4", "kings > 4"),
        ("2 < trumps < 3", "2 < trumps < 3"),
        ("talon.trumps >= 7", "talon.trumps >= 7"),
        ("points >= 200", "points >= 200"),
        ("voids == 3 and trumps == 0", "together: voids == 3; trumps == 0"),
        (
            "kings >= 1 and seat0.trumps >= 8 and seat1.trumps >= 8 and seat2.trumps >= 8",
            "together: seat0.trumps >= 8; seat1.trumps >= 8; seat2.trumps >= 8",
        ),
        ("T22 in seat0 and T22 in seat1", "together: T22 in seat0; T22 in seat1"),
        ("suit_shape == '8-8-0-0'", "8-8-0-0"),
    ],
)
def test_an_impossible_condition_is_an_error_at_once(where: str, words: str) -> None:
    with pytest.raises(DealError) as error:
        sampler(where)
    assert words in str(error.value)


def test_what_is_too_long_to_count_is_still_found_impossible() -> None:
    pairs = ("points + seat1.points", "seat1.points + seat2.points", "points + seat2.points")
    with pytest.raises(DealError, match="no deal meets these conditions together"):
        sampler(tuple(f"{pair} >= 141" for pair in pairs))


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        ({"hold": {"0": "T22", "1": "T22"}}, "T22 is to lie in seat1, but in seat0 too"),
        ({"hold": {"0": "T22"}, "talon": "T22"}, "T22 is to lie in talon, but in seat0 too"),
        ({"hold": {"talon": "T1 T2 T3"}, "talon": "T4 T5 T6 T7"}, "talon: 7 cards, expected at"),
        ({"hold": {"half0": "T1 T2 T3 T4"}}, "half0: 4 cards, expected at most 3"),
        ({"hold": {"seat4": "T1"}}, "unknown place 'seat4', did you mean 'seat"),
        ({"hold": {"0": "T23"}}, "hold: 0: "),
        ({"hold": {"0": ""}}, "hold: 0: no cards"),
        ({"voids": "never"}, "voids: 'never'"),
    ],
)
def test_cards_that_cannot_lie_so_are_refused(conditions: dict[str, Any], words: str) -> None:
    with pytest.raises(DealError, match=words):
        Sampler("koenigrufen", conditions=Conditions(**conditions))


def test_there_is_no_talon_in_scarecrow() -> None:
    with pytest.raises(DealError, match="talon: there is none with 2 players"):
        Sampler("house", 2, Conditions(talon="T1"))
    with pytest.raises(DealError, match="unknown place 'talon'"):
        sampler("talon.trumps == 0", "house", players=2)
    assert sampler("straw1.kings == 4", "house", players=2).share == Fraction(
        comb(50, 8), comb(54, 12)
    )


@pytest.mark.parametrize(("variant", "players"), [("texas", 3), ("koenigrufen", 2), ("house", 5)])
def test_numbers_of_players_that_there_are_not(variant: str, players: int) -> None:
    with pytest.raises(DealError, match=f"players: {players}, expected"):
        Sampler(variant, players)


# --- Hands without trumps ---


def test_slovenian_deals_are_redealt() -> None:
    with pytest.raises(DealError, match="trumps == 0; every hand has a trump"):
        sampler("trumps == 0", "slovenian")
    kept = Sampler("slovenian", 4, Conditions(where="trumps == 0", voids="keep"))
    assert kept.deal(0).without_trumps == "redealt"
    assert Sampler("slovenian", 4).share < Sampler("slovenian", 4, Conditions(voids="keep")).share


def test_house_deals_are_kept_and_the_fool_is_no_trump() -> None:
    source = sampler(("trumps == 0", "T22 in seat0"), "house")
    assert source.deal(0).without_trumps == "klop"
    with pytest.raises(DealError):
        Sampler("house", 4, Conditions(where="trumps == 0", voids="redeal"))


@pytest.mark.parametrize("variant", ["koenigrufen", "czech", "texas"])
def test_other_variants_know_no_void_deal(variant: str) -> None:
    assert sampler("trumps == 0", variant).deal(0).without_trumps is None
    assert Sampler(variant, 4, Conditions(voids="redeal")).share < 1


# --- Expressions ---


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("trmps >= 8", "unknown word 'trmps', did you mean 'trumps'?"),
        ("seat0.trump >= 8", "unknown word 'trump', did you mean 'trumps'?"),
        ("seet1.trumps >= 8", "unknown place 'seet1', did you mean 'seat1'?"),
        ("xyz == 1", "expected one of trumps, big_trumps"),
        ("trumps", "'trumps' is no condition"),
        ("trumps = 8", "(== compares)"),
        ("trumps >=", "cannot be read"),
        ("", "empty"),
        ("trumps >= 8; kings == 1", "cannot be read"),
        ("T22 >= 1", "T22 is a card"),
        ("T22 in trumps", "unknown place 'trumps'"),
        ("T23 in seat0", "unknown card 'T23'"),
        ("'T1 T1' in seat0", "card T1 appears twice"),
        ("'' in seat0", "names no card"),
        ("seat0 == 1", "seat0 is a place"),
        ("trumps >= 1.5", "'1.5' is no number"),
        ("trumps >= True", "'True' is no number"),
        ("trumps / 2 >= 3", "'trumps / 2' is no number"),
        ("trumps ** 9 ** 9 ** 9 >= 3", "is no number"),
        ("trumps >= 99999999", "too large"),
        ("trumps is 8", "compares with 'is'"),
        ("suit_shape >= '4-3-2-0'", "compares a shape"),
        ("suit_shape == '4-3-2'", "is no shape"),
        ("suit_shape == '9-0-0-0'", "is no shape"),
        ("suit_shape == 4", "is no shape"),
        ("__import__('os').getcwd() == 1", "is no number"),
        ("(lambda: trumps)() >= 1", "is no number"),
        ("[trumps for _ in 'x'] == 1", "is no number"),
        ("(x := trumps) >= 1", "is no number"),
        ("trumps.real >= 1", "unknown word 'real'"),
        ("(" * 300 + "trumps" + ")" * 300, "cannot be read"),
        ("not " * 400 + "trumps", "is no"),
        ("trumps >= 1 and " * 200 + "kings >= 1", "characters, expected at most"),
        ("trumps\0 >= 1", "where: "),
    ],
)
def test_a_faulty_expression_is_refused(text: str, words: str) -> None:
    with pytest.raises(DealError) as error:
        parse_expression(text, "koenigrufen", 4)
    assert str(error.value).startswith("where: ")
    assert words in str(error.value)
    assert len(str(error.value)) < 500


names = st.sampled_from(sorted(FEATURES))
places = st.sampled_from(["", "seat0.", "seat3.", "talon.", "half1."])
signs = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
counts = st.builds("{}{}".format, places, names)
comparisons = st.one_of(
    st.builds("{} {} {}".format, counts, signs, st.integers(-1, 9)),
    st.builds("{} {} {}".format, st.integers(-1, 9), signs, counts),
    st.builds("{} < {} <= {}".format, st.integers(0, 4), counts, st.integers(3, 9)),
    st.builds("{} + 2 * {} {} {} - 3".format, counts, counts, signs, counts),
    st.builds("{} in {}".format, counts, st.just("(0, 1, 4)")),
    st.builds(
        "{} {} {}".format,
        st.sampled_from(["T22", "'T1 SK'", "H4"]),
        st.sampled_from(["in", "not in"]),
        st.sampled_from(["seat0", "seat2", "talon", "half0"]),
    ),
    st.builds("seat1.suit_shape {} '4-2-1-0'".format, st.sampled_from(["==", "!="])),
)
expressions = st.recursive(
    comparisons,
    lambda parts: st.one_of(
        st.builds("not ({})".format, parts),
        st.builds("({}) and ({})".format, parts, parts),
        st.builds("({}) or ({})".format, parts, parts),
    ),
    max_leaves=3,
)


@settings(max_examples=150, deadline=None)
@given(expressions, st.sampled_from(sorted(VARIANTS)), st.integers(0, 99))
def test_an_expression_means_what_python_makes_of_it(text: str, variant: str, number: int) -> None:
    masks = masks_of(draw(variant, 4, None, 8, number))
    clauses = parse_expression(text, variant, 4)
    value = all(clause.holds(masks) for clause in clauses)
    assert value == evaluated(text, variant, masks)
    for clause in clauses:
        if clause.formula is not None:
            assert holds(clause.formula, masks) == clause.holds(masks)


class Hand:
    """The cards of a place as Python evaluates an expression: an oracle of the parser."""

    def __init__(self, mask: int, variant: str) -> None:
        """Keep the cards."""
        self.mask, self.book = mask, VARIANTS[variant]

    def __getattr__(self, name: str) -> object:
        """Return a feature."""
        if name == "suit_shape":
            lengths = [(self.mask >> 22 + 8 * suit & 255).bit_count() for suit in range(4)]
            return "-".join(map(str, sorted(lengths, reverse=True)))
        return FEATURES[name].count(self.mask, self.book)


def evaluated(text: str, variant: str, masks: tuple[int, ...]) -> bool:
    """Return what Python's own evaluation makes of an expression of this file."""
    given = {"seat0": 0b1, "seat1": 0b10, "seat2": 0b100, "seat3": 0b1000}
    given |= {"talon": 0b110000, "half0": 0b10000, "half1": 0b100000}
    hands = {
        name: Hand(sum(mask for place, mask in enumerate(masks) if chosen >> place & 1), variant)
        for name, chosen in given.items()
    }
    for cards in ("T22", "'T1 SK'", "H4"):
        for name in given:
            mask = to_mask(parse_cards(cards.strip("'")))
            held = hands[name].mask & mask
            text = text.replace(f"{cards} not in {name}", str(not held))
            text = text.replace(f"{cards} in {name}", str(held == mask))
    bare = {name: getattr(hands["seat0"], name) for name in FEATURES}
    return bool(eval(text, {"__builtins__": {}}, hands | bare))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("feature", sorted(LINEAR))
def test_linear_features_are_sums_over_the_cards(feature: str, variant: str) -> None:
    weights, chance = weights_of(feature, variant), random.Random(1)
    for _ in range(50):
        hand = to_mask(chance.sample(range(54), 12))
        total = sum(weight for card, weight in enumerate(weights) if hand >> card & 1)
        assert total == FEATURES[feature].count(hand, VARIANTS[variant])


def test_conditions_survive_being_written() -> None:
    conditions = Conditions(
        where=("trumps >= 8", "kings == 1"), hold={"0": "T22", "half0": "SK"}, talon="T1"
    )
    assert Conditions.from_dict(conditions.to_dict()) == conditions
    assert Conditions.from_dict({"where": "trumps >= 8"}) == Conditions(where="trumps >= 8")
    with pytest.raises(ValueError, match="unknown key \"wher\", did you mean 'where'"):
        Conditions.from_dict({"wher": "trumps >= 8"})


def test_the_number_of_deals_stays_exact() -> None:
    assert Sampler("koenigrufen").count == factorial(54) // factorial(12) ** 4
    assert to_mask(range(54)) == ALL_CARDS
