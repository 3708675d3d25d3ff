"""How the terms of a Texas game stand in Taroky Notation, and what is usual there."""

from __future__ import annotations

from trull.solver.cards import display_order, parse_card, to_mask
from trull.solver.position import Position
from trull.solver.rulebooks import VARIANTS
from trull.solver.taroky.fields import SEATS
from trull.solver.taroky.signs import write_cards

KEY = "x_taroky"
"""The key of a position that holds what only Taroky Notation knows."""

VARIANT = "texas"
GROUPS = "TBR"
"""The talon group of a prever at each level: top, bottom, returned to the top."""

CALLS = {parse_card(f"T{10 + digit}"): str(digit) for digit in range(5, 10)}
"""The field of every trump that can be the partner card."""

BONUSES = {"valat": "valat", "pagat": "I"}
"""The field that announces each bonus; it holds its first letter and a seat."""

OPTIONS = [name for name in VARIANTS[VARIANT].options if name != "ace_low"]
"""The options of the rule book that are settings under their own names."""

_TAKEN_UP = 3
_LAID_AWAY = (4, 1, 1)


def taken_up(
    prever: int | None, level: int, talon: tuple[int, ...]
) -> tuple[list[int], tuple[int, ...]]:
    """Return the talon cards that each seat takes up, as masks, and those left over."""
    taken = [0] * SEATS
    if prever is not None:
        top, bottom = talon[:_TAKEN_UP], talon[_TAKEN_UP:]
        group, left = (bottom, top) if level == 2 else (top, bottom)
        taken[prever] = to_mask(group)
        return taken, left
    rest = talon
    for seat, number in enumerate(_LAID_AWAY):
        taken[seat], rest = to_mask(rest[:number]), rest[number:]
    return taken, rest


def usual_fields(position: Position) -> dict[str, str]:
    """Return what stands in the fields that a position does not tell."""
    return {
        "chips": "/".join(["100"] * SEATS),
        "talon": write_cards(_usual_talon(position)),
        "gifts": "",
        "money": "",
        "partner": "",
        "contra": _usual_contra(position),
        "settings": "pn=0",
    }


def _usual_talon(position: Position) -> list[int]:
    """Return a talon that the discards may have come from."""
    laid = [card for mask in position.discards for card in display_order(mask)]
    level_two = position.contract == "prever" and position.level == 2
    return [*position.talon, *laid] if level_two else [*laid, *position.talon]


def _usual_contra(position: Position) -> str:
    """Return the contras as the first opponent and the declarer say them in turn."""
    stake = position.doubled.get("game", 1)
    contras = stake.bit_length() - 1 if isinstance(stake, int) else 0
    opponent = min(set(range(SEATS)) - position.side)
    seats = (opponent, position.declarer or 0)
    return "".join(f"C{seats[number % 2] + 1}" for number in range(contras))
