"""What makes a position consistent, and one sentence for everything that does not.

Every sentence begins with the key it is about, as the JSON form of a position spells it
(`hands[2]`, `trick`, `partner`), and says what stands there and what was expected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trull.solver import rulebooks
from trull.solver.cards import ALL_CARDS, to_mask
from trull.solver.rules import Contract
from trull.solver.validation import past, placement, play, terms
from trull.solver.validation.error import PositionError

if TYPE_CHECKING:
    from trull.solver.position import Position

__all__ = ["PositionError", "check", "check_shape", "find_contract"]


def find_contract(variant: str, contract: str) -> Contract:
    """Return a contract by its names, or raise `PositionError`."""
    try:
        return rulebooks.contract(variant, contract)
    except rulebooks.UnknownRule as error:
        key = "contract" if variant in rulebooks.VARIANTS else "variant"
        raise PositionError(f"{key}: {error}") from error


def check_shape(position: Position) -> None:
    """Refuse a contract that does not exist, and lists that do not have an entry a seat.

    Lists that are left out are not looked at. Raises `PositionError`.
    """
    players = find_contract(position.variant, position.contract).values
    seats = position.seats
    if seats not in players:
        expected = " or ".join(map(str, sorted(players)))
        raise PositionError(
            f"hands: {seats} of them, but {position.contract} is for {expected} players"
        )
    for key in ("taken", "tricks_won", "straw", "discards"):
        entries = len(getattr(position, key))
        if entries not in (0, seats):
            raise PositionError(f"{key}: {entries} entries, expected {seats}, one a seat")


def check(position: Position) -> None:
    """Refuse a position that is not consistent, or that its rule book does not allow.

    Expects a position that `check_shape` has passed, with no list left out. Raises
    `PositionError` with one sentence about the first fault found.
    """
    terms.check_seats(position)
    terms.check_level(position)
    terms.check_doubled(position)
    terms.check_options(position)
    placement.check_cards(position)
    missing = ALL_CARDS & ~to_mask(
        card for _, cards in placement.places(position) for card in cards
    )
    placement.check_straw(position, complete=not missing)
    placement.check_hand_sizes(position)
    if missing:
        past.check_absent(position, missing)
    else:
        past.check_exchange(position)
        past.check_taken(position)
    past.check_tricks_won(position, complete=not missing)
    play.check_history_shape(position, complete=not missing)
    terms.check_called(position)
    terms.check_announced(position)
    play.check_play(position, complete=not missing)
