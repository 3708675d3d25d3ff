"""The one error of an inconsistent position, and the check that every part needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trull.solver.position import Position


class PositionError(ValueError):
    """A position that contradicts itself or its rule book; the message names the key."""


def count(number: int, noun: str) -> str:
    """Return a number with its noun, "1 card" or "2 cards"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def seat_range(position: Position) -> str:
    """Return the words for the seats that a position has."""
    return f"a seat from 0 to {position.seats - 1}"


def check_seat(key: str, seat: int, position: Position) -> None:
    """Refuse a seat that the position does not have."""
    if not 0 <= seat < position.seats:
        raise PositionError(f"{key}: there is no seat {seat}, expected {seat_range(position)}")
