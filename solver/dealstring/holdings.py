"""Cards in a deal string: every suit letter before all its cards."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from trull.solver.cards import (
    NAMES,
    SUIT_SYMBOLS,
    SUITS,
    TRUMPS,
    CardError,
    parse_card,
    suit_of,
)

EMPTY = "-"
"""What stands for no cards, and for no declarer."""

_SIGNS = re.compile(r"[.,\s]+|([0-9]+|.)", re.DOTALL)
_NUMBERS = re.compile(r"10|.")


def parse_holding(text: str) -> tuple[int, ...]:
    """Return the cards of a text in which a suit letter stands before all its cards.

    Numbers of trumps are separated by commas; between other cards commas, points and blanks may
    stand or not. Raises `CardError` for what is no card, and for a card named twice.

    >>> from trull.solver.cards import format_cards
    >>> format_cards(parse_holding("T22,21,7.SK109.HA"))
    'T22 T21 T7 SK S10 S9 HA'
    """
    suit = ""
    found: list[int] = []
    bare = False
    for sign in filter(None, _SIGNS.findall(text.upper())):
        letter = SUITS[SUIT_SYMBOLS.index(sign)] if sign in SUIT_SYMBOLS else sign
        if letter not in "T" + SUITS:
            found += _named(suit, sign, text)
            bare = False
            continue
        if bare:
            break
        suit, bare = letter, True
    if bare:
        raise CardError(f"{suit} stands without a card in {text!r}")
    for place, card in enumerate(found):
        if card in found[:place]:
            raise CardError(f"card {NAMES[card]} appears twice")
    return tuple(found)


def _named(suit: str, sign: str, text: str) -> list[int]:
    """Return the cards that a number or a letter names in a suit."""
    if not suit:
        raise CardError(f"{sign} in {text!r}: expected a suit letter before it, T S H D or C")
    if suit != "T":
        return [parse_card(suit + rank) for rank in _NUMBERS.findall(sign)]
    if len(sign) > 2:
        raise CardError(f"T{sign}: expected commas between trumps, T1 … T{TRUMPS}")
    return [parse_card(suit + sign)]


def format_holding(cards: Iterable[int]) -> str:
    """Return cards in their order as `parse_holding` reads them; no cards are `-`.

    >>> from trull.solver.cards import parse_cards
    >>> format_holding(parse_cards("T22 T21 SK S10 HA"))
    'T22,21.SK10.HA'
    """
    suits = [
        NAMES[held[0]][0] + ("" if suit else ",").join(NAMES[card][1:] for card in held)
        for suit, held in ((suit, list(group)) for suit, group in groupby(cards, suit_of))
    ]
    return ".".join(suits) or EMPTY
