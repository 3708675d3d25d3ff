"""The 54 cards: numbers, names and masks.

A card is an `int` from 0 to 53. Trumps I … XXI and the Sküs are 0 … 21; each suit has eight
consecutive numbers from its lowest pip to its King: spades 22 … 29, hearts 30 … 37, diamonds
38 … 45, clubs 46 … 53. A set of cards is an `int` with the bits of its cards set (bit *n* is
card *n*), so every set fits in 64 bits.

The red pips are numbered `4 3 2 A`, the order of most rule books. Where a rule book ranks
them otherwise, its `rank_order` says so; the numbers of the cards stay the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

PACK = 54
TRUMPS = 22
SUIT_SIZE = 8

PAGAT, UHU, KAKADU, QUAPIL = 0, 1, 2, 3
XVI, XVII, XVIII, XIX, XX = 15, 16, 17, 18, 19
MOND, SKUS = 20, 21

SUITS = "SHDC"
SUIT_SYMBOLS = "♠♥♦♣"
_BLACK_RANKS = ("7", "8", "9", "10", "J", "N", "Q", "K")
_RED_RANKS = ("4", "3", "2", "A", "J", "N", "Q", "K")
_SUIT_RANKS = {"S": _BLACK_RANKS, "H": _RED_RANKS, "D": _RED_RANKS, "C": _BLACK_RANKS}

NAMES: tuple[str, ...] = tuple(f"T{n}" for n in range(1, TRUMPS + 1)) + tuple(
    suit + rank for suit in SUITS for rank in _SUIT_RANKS[suit]
)
"""The name of every card, as every tool writes it."""

ALL_CARDS = (1 << PACK) - 1
TRUMP_MASK = (1 << TRUMPS) - 1
SUIT_MASKS = tuple(
    ((1 << SUIT_SIZE) - 1) << (TRUMPS + SUIT_SIZE * suit) for suit in range(len(SUITS))
)
KINGS = sum(1 << NAMES.index(suit + "K") for suit in SUITS)
QUEENS = sum(1 << NAMES.index(suit + "Q") for suit in SUITS)
TRULL = 1 << PAGAT | 1 << MOND | 1 << SKUS

_ROMAN = "I II III IIII V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI".split()  # noqa: SIM905
_ALIASES = {name: card for card, name in enumerate(NAMES)}
_ALIASES |= {roman: card for card, roman in enumerate(_ROMAN)}
_ALIASES |= {"IV": QUAPIL, "SKUES": SKUS, "SKÜS": SKUS}

_FACES = {"K": 5, "Q": 4, "N": 3, "J": 2}
FACE_VALUES: tuple[int, ...] = tuple(
    5 if TRULL >> card & 1 else 1 if card < TRUMPS else _FACES.get(name[1:], 1)
    for card, name in enumerate(NAMES)
)
"""The face value of every card (1 … 5): the pack holds 106."""


class CardError(ValueError):
    """A text that does not name a card, or a card that appears where it cannot."""


def parse_card(text: str) -> int:
    """Return the card that `text` names.

    Accepts the names of `NAMES` in either case, `I` … `XXI` and `SKUES` for the trumps, and
    suit symbols in place of suit letters. Raises `CardError` for anything else.

    >>> parse_card("T21"), parse_card("xxi"), parse_card("♥A")
    (20, 20, 33)
    """
    name = text.strip().upper()
    if name and name[0] in SUIT_SYMBOLS:
        name = SUITS[SUIT_SYMBOLS.index(name[0])] + name[1:]
    card = _ALIASES.get(name)
    if card is None:
        raise CardError(_unknown_card(text.strip(), name))
    return card


def _unknown_card(text: str, name: str) -> str:
    ranks = _SUIT_RANKS.get(name[:1])
    if ranks and name[1:] in {*_BLACK_RANKS, *_RED_RANKS}:
        suit_ranks = " ".join(name[0] + rank for rank in reversed(ranks))
        return f"unknown card {text!r}: that suit has {suit_ranks}"
    return f"unknown card {text!r}: expected T1 … T22, or a suit letter S H D C with its rank"


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the cards named in `text`, separated by blanks or commas, in their order.

    Raises `CardError` for an unknown card and for a card named twice.

    >>> parse_cards("T1, SK")
    (0, 29)
    """
    cards = tuple(parse_card(word) for word in re.split(r"[\s,]+", text) if word)
    for index, card in enumerate(cards):
        if card in cards[:index]:
            raise CardError(f"card {NAMES[card]} appears twice")
    return cards


def to_mask(cards: Iterable[int]) -> int:
    """Return the set of `cards` as a mask."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def from_mask(mask: int) -> Iterator[int]:
    """Yield the cards of a set from the lowest number to the highest."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def format_cards(cards: Iterable[int]) -> str:
    """Return the names of `cards` in their order, separated by blanks."""
    return " ".join(NAMES[card] for card in cards)


def display_order(mask: int) -> list[int]:
    """Return the cards of a set as people sort a hand: trumps, then suits, high to low."""
    return sorted(from_mask(mask), key=lambda card: (suit_of(card), -card))


def format_hand(mask: int) -> str:
    """Return the names of a set of cards, trumps first, every suit from high to low.

    >>> format_hand(to_mask(parse_cards("sk t1 t22 c7")))
    'T22 T1 SK C7'
    """
    return format_cards(display_order(mask))


def suit_of(card: int) -> int:
    """Return 0 for a trump, 1 … 4 for spades, hearts, diamonds and clubs."""
    return 0 if card < TRUMPS else 1 + (card - TRUMPS) // SUIT_SIZE


def suit_mask(suit: int) -> int:
    """Return the mask of a suit numbered as in `suit_of`."""
    return SUIT_MASKS[suit - 1] if suit else TRUMP_MASK
