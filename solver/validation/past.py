"""The past of a deal in counts: absent cards, talon and discards, cards and tricks won."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trull.solver.cards import PACK, format_cards, from_mask
from trull.solver.rules import TALON_SIZE
from trull.solver.validation.error import PositionError, count

if TYPE_CHECKING:
    from trull.solver.position import Position

_NAMED = 5


def check_absent(position: Position, missing: int) -> None:
    """Refuse cards of the past without the whole pack; without a past, cards may be absent."""
    for key in ("taken", "talon", "discards"):
        if any(getattr(position, key)) or (key == "talon" and position.talon):
            more = " …" if missing.bit_count() > _NAMED else ""
            raise PositionError(
                f"{key}: given, but only {PACK - missing.bit_count()} of the {PACK} cards appear, "
                f"without {format_cards(list(from_mask(missing))[:_NAMED])}{more}; give them all, "
                "or leave taken, talon and discards empty"
            )


def check_exchange(position: Position) -> None:
    """Check the numbers of cards laid away, and of those left in the talon."""
    laid = [mask.bit_count() for mask in position.discards]
    for seat, expected in _exchanges(position):
        if any(laid) and laid[seat] not in expected:
            raise PositionError(
                f"discards[{seat}]: {count(laid[seat], 'card')}, expected {_words(expected)}, as "
                f"{position.contract} has it"
            )
    dealt = 0 if position.rules.sides == "two" else TALON_SIZE
    gone, how = sum(laid), "exchanged"
    if position.rules.talon == "tricks":
        gone, how = min(position.tricks_played, dealt), "given to tricks"
    if len(position.talon) != dealt - gone:
        raise PositionError(
            f"talon: {count(len(position.talon), 'card')}, expected {dealt - gone}, as {gone} "
            f"of {dealt} were {how}"
        )


def _exchanges(position: Position) -> Iterator[tuple[int, range]]:
    """Yield every seat with the numbers of cards that it may have laid away."""
    counts = position.rules.discards
    spare = TALON_SIZE - sum(counts)
    for place in range(position.seats):
        seat = ((position.declarer or 0) + place) % position.seats
        count = counts[place] if place < len(counts) else 0
        yield seat, range(count, count + (spare if _draws_second(position, seat) else 0) + 1)


def _words(numbers: range) -> str:
    low, high = numbers[0], numbers[-1]
    return f"{low} to {high}" if low < high else str(low)


def _draws_second(position: Position, seat: int) -> bool:
    """Return whether the seat may exchange after the declarer (House Rules, second pickings)."""
    option = position.options.get("second_pickings") and position.seats == 3
    return bool(option) and position.partner is not None and seat not in position.side


def check_taken(position: Position) -> None:
    """Check that the seats have won whole tricks."""
    for seat, mask in enumerate(position.taken):
        if position.rules.talon != "tricks" and mask.bit_count() % position.seats:
            raise PositionError(
                f"taken[{seat}]: {count(mask.bit_count(), 'card')}, expected whole tricks of "
                f"{position.seats} cards"
            )


def check_tricks_won(position: Position, *, complete: bool) -> None:
    """Check `tricks_won` against the hands, and with the whole pack against `taken`."""
    won, played = position.tricks_won, position.tricks_played
    for seat, tricks in enumerate(won):
        if tricks < 0:
            raise PositionError(f"tricks_won[{seat}]: {tricks}, expected 0 or more")
    if not any(won) and any(position.taken) and position.rules.talon == "tricks":
        raise PositionError(
            f"tricks_won: left out, but required in {position.contract} once more than one seat "
            "has cards in taken"
        )
    if sum(won) > played or (complete and sum(won) != played):
        left = position.cards_left[0]
        raise PositionError(
            f"tricks_won: {count(sum(won), 'trick')} in all, expected {played}, as {left} are "
            "still to be played"
        )
    if complete:
        for seat, expected in enumerate(_cards_won(position)):
            cards = position.taken[seat].bit_count()
            if cards not in expected:
                raise PositionError(
                    f"taken[{seat}]: {count(cards, 'card')}, expected {_words(expected)}, as "
                    f"tricks_won gives this seat {count(won[seat], 'trick')}"
                )


def _cards_won(position: Position) -> Iterator[range]:
    """Yield for every seat the numbers of cards that its tricks may hold, talon cards included."""
    with_talon = position.rules.talon == "tricks"
    bare = max(position.tricks_played - TALON_SIZE, 0) if with_talon else position.tricks_played
    for tricks in position.tricks_won:
        cards = tricks * position.seats
        most = min(tricks, position.tricks_played - bare)
        yield range(cards + max(tricks - bare, 0), cards + most + 1)
