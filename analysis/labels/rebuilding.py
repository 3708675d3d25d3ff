"""From a row back to the position that it labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trull.analysis.labels.schema import NOTHING, SEATS
from trull.analysis.study.spec import Game
from trull.solver.position import Position, Trick


def position(row: Mapping[str, Any], game: Game | None = None) -> Position:
    """Return the position of a row of play labels, its past included.

    Args:
        row: the columns by name: of a table as Python objects, or one row of the arrays of
            `load`.
        game: the game of the row, which knows its options and announcements; without it, there
            are none.

    Raises `trull.solver.validation.PositionError` for columns that fit no position.
    """
    players = int(row["players"])
    declarer = _given(row["declarer"])
    return Position(
        variant=str(row["variant"]),
        contract=str(row["contract"]),
        hands=_by_seat(row, "hand", players),
        declarer=declarer,
        partner=_given(row["partner"]),
        called=_given(row["called"]),
        leader=int(row["leader"]),
        trick=_cards(row["table"]),
        taken=_by_seat(row, "taken", players),
        tricks_won=tuple(int(number) for number in row["tricks_won"][:players]),
        history=_history(_cards(row["played"]), _cards(row["leaders"]), players),
        talon=_cards(row["talon"]),
        discards=_by_seat(row, "discards", players),
        level=int(row["level"]),
        announced=game.announced_by(declarer or 0) if game else (),
        options=game.options if game else {},
    )


def _given(number: int) -> int | None:
    return None if number == NOTHING else int(number)


def _by_seat(row: Mapping[str, Any], name: str, players: int) -> tuple[int, ...]:
    return tuple(int(row[f"{name}{seat}"]) for seat in range(SEATS))[:players]


def _cards(numbers: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(number) for number in numbers if number != NOTHING)


def _history(played: tuple[int, ...], leaders: tuple[int, ...], players: int) -> tuple[Trick, ...]:
    return tuple(
        Trick(leader, played[number * players : (number + 1) * players])
        for number, leader in enumerate(leaders)
    )
