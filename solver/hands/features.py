"""Everything that can be counted in a hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from trull.solver.cards import (
    KINGS,
    MOND,
    PAGAT,
    QUEENS,
    SKUS,
    SUIT_MASKS,
    TRULL,
    TRUMP_MASK,
    TRUMPS,
    XVI,
    from_mask,
    to_mask,
)
from trull.solver.rules import BIRDS, Variant

_X = 9
_SMALL = to_mask(range(_X))
_MIDDLE = to_mask(range(_X, XVI))
_BIG = to_mask(range(XVI, TRUMPS))

# Within a suit of eight cards, the lowest number first.
_KING = 0b10000000
_QUEEN = 0b01000000
_COURTS = 0b11110000

Count = Callable[[int, Variant], int]


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that can be counted in a hand.

    Attributes:
        meaning: what is counted, in words.
        count: counts it in a hand, given as a mask, under a rule book.
    """

    meaning: str
    count: Count


def _number_of(mask: int) -> Count:
    return lambda hand, _: (hand & mask).bit_count()


def _trumps_of(mask: int) -> Count:
    return lambda hand, book: (hand & mask & book.hand_trumps).bit_count()


def _suits_with(fits: Callable[[int], bool]) -> Count:
    """Return the count of the suits whose holding, a mask of eight bits, `fits`."""
    return lambda hand, _: sum(map(fits, _holdings(hand)))


@lru_cache(maxsize=64)  # several features ask for those of one hand
def _holdings(hand: int) -> tuple[int, ...]:
    """Return the cards of each suit as a mask of eight bits, the lowest number first."""
    return tuple((hand & mask) >> (mask & -mask).bit_length() - 1 for mask in SUIT_MASKS)


def _end_cards(hand: int, book: Variant) -> int:
    lowest = {min(from_mask(mask), key=book.rank_order.__getitem__) for mask in SUIT_MASKS}
    return (hand & to_mask(lowest)).bit_count()


def _dreier_points(hand: int, book: Variant) -> int:
    trumps = hand & book.hand_trumps
    return (trumps | hand & KINGS).bit_count() + (trumps & _BIG).bit_count()


FEATURES: Mapping[str, Feature] = {
    "trumps": Feature("trumps; in House Rules the Fool is none", _trumps_of(TRUMP_MASK)),
    "big_trumps": Feature("trumps XVI and above (Stecher)", _trumps_of(_BIG)),
    "middle_trumps": Feature("trumps X to XV, those to lead first", _trumps_of(_MIDDLE)),
    "small_trumps": Feature("trumps I to IX", _trumps_of(_SMALL)),
    "honours": Feature("cards of the trull: I, XXI, Sküs", _number_of(TRULL)),
    "top_trumps": Feature("XXI and Sküs", _trumps_of(1 << MOND | 1 << SKUS)),
    "pagat": Feature("the I", _number_of(1 << PAGAT)),
    "birds": Feature("trumps I to IIII", _number_of(to_mask(BIRDS.values()))),
    "kings": Feature("kings", _number_of(KINGS)),
    "queens": Feature("queens", _number_of(QUEENS)),
    "five_point_cards": Feature("kings and cards of the trull", _number_of(KINGS | TRULL)),
    "points": Feature(
        "card points, in the unit of the variant",
        lambda hand, book: sum(book.weights[card] for card in from_mask(hand)),
    ),
    "suit_cards": Feature("cards that are no trumps", _number_of(~TRUMP_MASK)),
    "spades": Feature("spades", _number_of(SUIT_MASKS[0])),
    "hearts": Feature("hearts", _number_of(SUIT_MASKS[1])),
    "diamonds": Feature("diamonds", _number_of(SUIT_MASKS[2])),
    "clubs": Feature("clubs", _number_of(SUIT_MASKS[3])),
    "longest_suit": Feature(
        "cards of the longest suit",
        lambda hand, _: max(holding.bit_count() for holding in _holdings(hand)),
    ),
    "voids": Feature("suits without a card", _suits_with(lambda held: not held)),
    "open_suits": Feature(
        "suits held without the king", _suits_with(lambda held: bool(held and not held & _KING))
    ),
    "short_kings": Feature(
        "kings bare or lightly guarded: with at most one other card",
        _suits_with(lambda held: bool(held & _KING) and held.bit_count() <= 2),
    ),
    "short_queens": Feature(
        "queens without the king, with at most one other card",
        _suits_with(lambda held: held & (_KING | _QUEEN) == _QUEEN and held.bit_count() <= 2),
    ),
    "bare_courts": Feature(
        "court cards that are the only card of their suit",
        _suits_with(lambda held: bool(held & _COURTS) and held.bit_count() == 1),
    ),
    "end_cards": Feature("suits of which the lowest card is held", _end_cards),
    "dreier_points": Feature(
        "points of the 12-point rule: a trump or king 1, a trump XVI and above 2", _dreier_points
    ),
}
"""Everything that is counted in a hand, by name."""


def features(hand: int, book: Variant) -> dict[str, int]:
    """Return every feature of a hand.

    >>> from trull.solver import rulebooks
    >>> from trull.solver.cards import parse_cards
    >>> counted = features(to_mask(parse_cards("T22 T17 T8 T1 SK H4")), rulebooks.variant("texas"))
    >>> counted["trumps"], counted["big_trumps"], counted["dreier_points"], counted["points"]
    (4, 2, 7, 18)
    """
    return {name: feature.count(hand, book) for name, feature in FEATURES.items()}
