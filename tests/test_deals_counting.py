"""The numbering of deals is one to one: proved on packs small enough to deal in every way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import comb, factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trull.analysis.deals.counting import DealNumbering, Linear, Place, TooManyCases
from trull.analysis.deals.expression import Clause
from trull.analysis.deals.formula import All, Any, Formula, linear_cases, negation
from trull.analysis.deals.layout import places
from trull.analysis.deals.plan import Plan
from trull.analysis.deals.possible import is_possible
from trull.solver.cards import TRUMP_MASK

PLACES = (Place("seat0", 3), Place("seat1", 3), Place("talon", 2, ordered=True))
PACK = 8

Held = tuple[tuple[int, ...], ...]


def every_deal() -> Iterator[Held]:
    """Yield every deal of the small pack: two hands of three cards, an ordered talon of two."""
    for first in combinations(range(PACK), 3):
        others = [card for card in range(PACK) if card not in first]
        for second in combinations(others, 3):
            left = [card for card in others if card not in second]
            for talon in permutations(left):
                yield first, second, talon


EVERY_DEAL = tuple(every_deal())


def meets(formula: Formula, held: Sequence[Sequence[int]]) -> bool:
    """Return whether a formula holds for the cards of each place, card by card."""
    if isinstance(formula, All):
        return all([meets(part, held) for part in formula.parts])
    if isinstance(formula, Any):
        return any([meets(part, held) for part in formula.parts])
    total = sum(weights[card] for place, weights in formula.weights.items() for card in held[place])
    return (formula.low is None or formula.low <= total) and (
        formula.high is None or total <= formula.high
    )


def numbered(numbering: DealNumbering) -> list[Held]:
    """Return the deals of all numbers; hands, which have no order, sorted."""
    deals = map(numbering.deal, range(numbering.count))
    return [(tuple(sorted(held[0])), tuple(sorted(held[1])), tuple(held[2])) for held in deals]


bounds = st.tuples(st.none() | st.integers(-4, 3), st.none() | st.integers(3, 8))
linear = st.builds(
    lambda weights, bounds: Linear(weights, *bounds),
    st.dictionaries(
        st.integers(0, 2), st.tuples(*[st.integers(-1, 2) for _ in range(PACK)]), max_size=3
    ),
    bounds,
)
formulas = st.recursive(
    linear,
    lambda parts: (
        st.builds(All, st.tuples(parts) | st.tuples(parts, parts))
        | st.builds(Any, st.tuples(parts) | st.tuples(parts, parts))
        | st.builds(negation, parts)
    ),
    max_leaves=4,
)


@settings(max_examples=60, deadline=None)
@given(formulas)
def test_every_deal_that_meets_the_conditions_has_one_number(formula: Formula) -> None:
    expected = [held for held in EVERY_DEAL if meets(formula, held)]
    numbering = DealNumbering(PLACES, linear_cases(formula))
    assert numbering.count == len(expected)
    assert sorted(numbered(numbering)) == sorted(expected)


@settings(max_examples=60, deadline=None)
@given(formulas)
def test_where_a_formula_does_not_hold_its_negation_does(formula: Formula) -> None:
    opposite = negation(formula)
    assert all(meets(formula, held) != meets(opposite, held) for held in EVERY_DEAL)


@settings(max_examples=60, deadline=None)
@given(st.lists(linear, min_size=1, max_size=3))
def test_what_is_called_impossible_is_impossible(conditions: list[Linear]) -> None:
    dealable = any(meets(All(tuple(conditions)), held) for held in EVERY_DEAL)
    assert is_possible(PLACES, conditions) == dealable


def test_all_deals_are_numbered() -> None:
    assert sorted(numbered(DealNumbering(PLACES))) == sorted(EVERY_DEAL)


@pytest.mark.parametrize(
    ("players", "count"),
    [
        (4, factorial(54) // factorial(12) ** 4),
        (3, factorial(54) // factorial(16) ** 3),
        (2, factorial(54) // factorial(15) ** 2),
    ],
)
def test_the_number_of_deals(players: int, count: int) -> None:
    assert DealNumbering(places(players)).count == count


@pytest.mark.parametrize("trumps", range(13))
def test_the_number_of_deals_with_so_many_trumps(trumps: int) -> None:
    weights = tuple(TRUMP_MASK >> card & 1 for card in range(54))
    numbering = DealNumbering(places(4), [[Linear({0: weights}, trumps, trumps)]])
    hands = comb(22, trumps) * comb(32, 12 - trumps)
    assert numbering.count * comb(54, 12) == hands * DealNumbering(places(4)).count


def test_a_count_that_takes_too_long_is_given_up() -> None:
    weights = tuple(range(54))
    with pytest.raises(TooManyCases):
        DealNumbering(places(4), [[Linear({0: weights, 1: weights}, 500, 510)]], limit=100)


def clause(place: int, weights: tuple[int, ...], low: int) -> Clause:
    """Return a clause that a place of the small pack reaches a sum."""
    condition = Linear({place: weights}, low)
    return Clause(
        text=f"place {place} reaches {low}",
        holds=lambda masks: (
            sum(weight for card, weight in enumerate(weights) if masks[place] >> card & 1) >= low
        ),
        formula=condition,
    )


def test_the_rarest_condition_is_met_by_construction_where_not_all_can_be() -> None:
    likely = clause(0, (1, 2, 3, 4, 5, 6, 7, 8), 8)
    rare = clause(1, (8, 8, 8, 0, 0, 0, 0, 0), 16)
    plan = Plan(PLACES, [likely, rare], limit=12)
    assert plan.constructed == (rare,)
    assert plan.rejecting == (likely,)
    assert all(
        rare.holds([0, sum(1 << card for card in held[1]), 0]) for held in numbered(plan.numbering)
    )
    assert Plan(PLACES, [likely, rare]).rejecting == ()
