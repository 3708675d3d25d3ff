"""Where the cards are: every card in one place, and hands that fit the trick."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from trull.solver.cards import NAMES, PACK, from_mask
from trull.solver.rules import hand_size
from trull.solver.validation.error import PositionError, count

if TYPE_CHECKING:
    from trull.solver.position import Position

_STACKS, _STACK_SIZE = 3, 4
_SETS = ("hands", "taken", "discards")


class Place(NamedTuple):
    """Where a card is, or lay: the key that names it, and its owner (none for the talon)."""

    key: str
    seat: int | None


def places(position: Position) -> Iterator[tuple[str, Iterable[int]]]:
    """Yield every key that holds cards now, with its cards; the history only repeats them."""
    for key in _SETS:
        for seat, mask in enumerate(getattr(position, key)):
            yield f"{key}[{seat}]", from_mask(mask)
    for seat, stacks in enumerate(position.straw):
        for number, stack in enumerate(stacks):
            yield f"straw[{seat}][{number}]", stack
    yield "trick", position.trick
    yield "talon", position.talon


def holder(position: Position, card: int) -> Place | None:
    """Return who holds `card`, laid it away or played it; `None` when the position cannot tell."""
    for key in ("hands", "discards"):
        for seat, mask in enumerate(getattr(position, key)):
            if mask >> card & 1:
                return Place(f"{key}[{seat}]", seat)
    tricks = [("trick", position.leader, position.trick)]
    tricks += [
        (f"history[{number}]", *trick) for number, trick in enumerate(position.history or ())
    ]
    for key, leader, cards in tricks:
        if card in cards:
            return Place(key, (leader + cards.index(card)) % position.seats)
    return Place("talon", None) if card in position.talon else None


def check_cards(position: Position) -> None:
    """Check that every card is one of the pack and stands in one place."""
    for key in _SETS:
        for seat, mask in enumerate(getattr(position, key)):
            if mask >> PACK:
                raise PositionError(f"{key}[{seat}]: not a set of the {PACK} cards")
    found: dict[int, str] = {}
    for key, cards in places(position):
        check_distinct(key, cards, found)


def check_distinct(key: str, cards: Iterable[int], found: dict[int, str]) -> None:
    """Refuse a card that was found elsewhere before, and enter the cards into `found`."""
    for card in cards:
        if not 0 <= card < PACK:
            raise PositionError(f"{key}: there is no card number {card}")
        if card in found:
            where = "twice" if found[card] == key else f"also in {found[card]}"
            raise PositionError(f"{key}: {NAMES[card]} is {where}, expected it once")
        found[card] = key


def check_straw(position: Position, *, complete: bool) -> None:
    """Check that straw men stand in Scarecrow only, as three stacks of four at most.

    With the whole pack, the first stack alone may have been begun.
    """
    if any(position.straw) and position.rules.sides != "two":
        raise PositionError(f"straw: {position.contract} has no straw men; leave it out")
    for seat, stacks in enumerate(position.straw):
        if len(stacks) > _STACKS:
            raise PositionError(f"straw[{seat}]: {len(stacks)} stacks, expected at most {_STACKS}")
        for number, stack in enumerate(stacks):
            fewest = _STACK_SIZE if complete and number else 1
            if not fewest <= len(stack) <= _STACK_SIZE:
                raise PositionError(
                    f"straw[{seat}][{number}]: {count(len(stack), 'card')}, expected "
                    f"{_STACK_SIZE}, or fewer in the first stack"
                )


def check_hand_sizes(position: Position) -> None:
    """Check that all seats had equally many cards when the trick began, and no more than dealt."""
    seats, on_table = position.seats, len(position.trick)
    if on_table >= seats:
        raise PositionError(
            f"trick: {on_table} cards, expected at most {seats - 1}; a finished trick belongs to "
            "taken"
        )
    left, dealt = position.cards_left, hand_size(seats)
    usual = Counter(left).most_common(1)[0][0]
    for seat, size in enumerate(left):
        held = position.hands[seat].bit_count()
        if size > dealt:
            raise PositionError(
                f"hands[{seat}]: {count(held, 'card')}, too many where {seats} players get "
                f"{dealt} each"
            )
        if size != usual and not usual:
            raise PositionError(
                f"trick: {count(on_table, 'card')}, but the other hands are empty, so no "
                "trick is left"
                if on_table
                else f"hands[{seat}]: {count(held, 'card')}, expected none, as in the other hands"
            )
        if size != usual:
            raise PositionError(
                f"hands[{seat}]: {count(held, 'card')}, expected {held + usual - size}, so that "
                f"all had {usual} when the trick began"
            )
