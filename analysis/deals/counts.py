"""What can be counted in the cards of a place, linear or made of linear conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations, permutations

from trull.analysis.deals.counting import Linear, Weights
from trull.analysis.deals.formula import All, Any, Formula, negation
from trull.solver.cards import KINGS, NAMES, PACK, QUEENS, SUIT_MASKS
from trull.solver.hands import FEATURES
from trull.solver.rulebooks import VARIANTS

Places = tuple[int, ...]
"""The places that a name stands for, by index."""

_NOT_LINEAR = frozenset(
    {"longest_suit", "voids", "open_suits", "short_kings", "short_queens", "bare_courts"}
)
LINEAR = FEATURES.keys() - _NOT_LINEAR
"""The features that are sums over the cards."""

SUIT_SHAPE = "suit_shape"
"""The lengths of the suits, longest first: "4-3-2-0"."""

_COURTS = frozenset("KQNJ")
_PIPS = sum(
    1 << card for card, name in enumerate(NAMES) if name[0] != "T" and name[1] not in _COURTS
)


@cache
def weights_of(feature: str, variant: str) -> Weights:
    """Return what each card adds to a linear feature."""
    book = VARIANTS[variant]
    return tuple(FEATURES[feature].count(1 << card, book) for card in range(PACK))


def number_of(mask: int, places: Places, low: int | None, high: int | None) -> Linear:
    """Return the condition that places hold between `low` and `high` cards of a set."""
    weights = tuple(mask >> card & 1 for card in range(PACK))
    return Linear({place: weights for place in places}, low, high)


def suit_shape(hand: int) -> str:
    """Return the lengths of the suits, longest first.

    >>> from trull.solver.cards import parse_cards, to_mask
    >>> suit_shape(to_mask(parse_cards("T1 SK SQ H4 C7 C8 C9")))
    '3-2-1-0'
    """
    lengths = sorted(((hand & mask).bit_count() for mask in SUIT_MASKS), reverse=True)
    return "-".join(map(str, lengths))


def has_shape(shape: str, places: Places) -> Formula:
    """Return the formula that the suits have the lengths of a `suit_shape`, in any order."""
    lengths = [int(length) for length in shape.split("-")]
    return Any(
        tuple(
            All(
                tuple(
                    number_of(mask, places, length, length)
                    for mask, length in zip(SUIT_MASKS, order, strict=True)
                )
            )
            for order in sorted(set(permutations(lengths)))
        ),
        apart=True,
    )


# --- Features that are not linear ---

_SuitTest = Callable[[int, Places], Formula]
"""Says something about the holding in a suit, given as a mask."""


def _is_void(suit: int, places: Places) -> Formula:
    return number_of(suit, places, None, 0)


def _is_open(suit: int, places: Places) -> Formula:
    return All((number_of(suit, places, 1, None), number_of(suit & KINGS, places, None, 0)))


def _has_short_king(suit: int, places: Places) -> Formula:
    return All((number_of(suit & KINGS, places, 1, None), number_of(suit, places, None, 2)))


def _has_short_queen(suit: int, places: Places) -> Formula:
    return All(
        (
            number_of(suit & KINGS, places, None, 0),
            number_of(suit & QUEENS, places, 1, None),
            number_of(suit, places, None, 2),
        )
    )


def _is_bare_court(suit: int, places: Places) -> Formula:
    return All((number_of(suit, places, 1, 1), number_of(suit & _PIPS, places, None, 0)))


_BY_SUIT: Mapping[str, _SuitTest] = {
    "voids": _is_void,
    "open_suits": _is_open,
    "short_kings": _has_short_king,
    "short_queens": _has_short_queen,
    "bare_courts": _is_bare_court,
}
"""The features that are a number of suits: what is said of each of these."""


def between(feature: str, places: Places, low: int, high: int) -> Formula | None:
    """Return the formula that a feature that is not linear lies between two numbers.

    `None` for a feature that is not known to be made of linear conditions.
    """
    if feature == "longest_suit":
        longest = tuple(number_of(suit, places, low, None) for suit in SUIT_MASKS)
        return All((*(number_of(suit, places, None, high) for suit in SUIT_MASKS), Any(longest)))
    if feature not in _BY_SUIT:
        return None
    tests = [_BY_SUIT[feature](suit, places) for suit in SUIT_MASKS]
    suits = range(len(tests))
    return Any(
        tuple(
            All(tuple(tests[suit] if suit in chosen else negation(tests[suit]) for suit in suits))
            for size in range(max(0, low), min(high, len(tests)) + 1)
            for chosen in combinations(suits, size)
        ),
        apart=True,
    )
