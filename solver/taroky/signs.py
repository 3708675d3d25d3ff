"""Cards in Taroky Notation."""

from __future__ import annotations

import re
from collections.abc import Iterable

from trull.solver.cards import NAMES, TRUMPS, parse_card
from trull.solver.validation import PositionError
from trull.solver.validation.error import count

_RANKS = {"N": "R", "10": "4", "9": "3", "8": "2", "7": "1", "A": "1"}
SIGNS = tuple(
    f"T{number:02}" if number <= TRUMPS else name[0] + _RANKS.get(name[1:], name[1:])
    for number, name in enumerate(NAMES, 1)
)
"""How every card is written."""

_CARD_OF = {sign: card for card, sign in enumerate(SIGNS)}
_CARD_OF |= {"HA": parse_card("HA"), "DA": parse_card("DA")}


def read_cards(key: str, text: str, number: int, found: dict[int, str]) -> tuple[int, ...]:
    """Return the cards of a field; refuse another number of them, or one found before."""
    cards = []
    for sign in re.findall(r"T\d\d|[SHDC].|.", text):
        if sign not in _CARD_OF:
            raise PositionError(
                f"{key}: {sign!r} is no card, expected T01 to T22, or S H D C and one of K Q R J "
                "4 3 2 1"
            )
        card = _CARD_OF[sign]
        if card in found:
            where = "twice" if found[card] == key else f"also in {found[card]}"
            raise PositionError(f"{key}: {sign} is {where}, expected it once")
        found[card] = key
        cards.append(card)
    if len(cards) != number:
        raise PositionError(f"{key}: {count(len(cards), 'card')}, expected {number}")
    return tuple(cards)


def write_cards(cards: Iterable[int]) -> str:
    return "".join(SIGNS[card] for card in cards)
