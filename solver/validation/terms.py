"""The terms of a contract: its seats, level, call, announcements, doubling and options."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from trull.solver.cards import KINGS, NAMES, QUEENS, TRUMP_MASK, format_hand, from_mask
from trull.solver.rulebooks import VARIANTS
from trull.solver.rules import BIRDS
from trull.solver.validation.error import PositionError, check_seat, seat_range
from trull.solver.validation.placement import holder

if TYPE_CHECKING:
    from trull.solver.position import Announcement, Position


def check_seats(position: Position) -> None:
    """Check `leader`, `declarer` and `partner`."""
    sides, contract = position.rules.sides, position.contract
    if position.declarer is not None:
        check_seat("declarer", position.declarer, position)
    elif sides in ("partner", "alone"):
        raise PositionError(
            f"declarer: null, but {contract} has one, expected {seat_range(position)}"
        )
    check_seat("leader", position.leader, position)
    if position.partner is None:
        return
    if sides != "partner":
        raise PositionError(f"partner: nobody has a partner in {contract}, expected null")
    check_seat("partner", position.partner, position)
    if position.partner == position.declarer:
        raise PositionError(
            f"partner: {position.partner} is the declarer, expected another seat, or null when the "
            "declarer is alone"
        )


def check_level(position: Position) -> None:
    """Check that `level` is one of the contract's."""
    levels = position.rules.levels
    if not 1 <= position.level <= levels:
        expected = f"1 to {levels}" if levels > 1 else f"1, as {position.contract} has no levels"
        raise PositionError(f"level: {position.level}, expected {expected}")


def check_called(position: Position) -> None:
    """Check that `called` may be called, and that its holder is the partner."""
    called = position.called
    if called is None:
        return
    name = NAMES[called]
    if position.rules.sides != "partner":
        raise PositionError(f"called: {name}, but {position.contract} calls no card; leave it out")
    callable_cards = position.book.callable_cards
    if not callable_cards >> called & 1:
        trumps = callable_cards == TRUMP_MASK
        expected = "a trump, T1 to T22" if trumps else f"one of {format_hand(callable_cards)}"
        raise PositionError(f"called: {name} cannot be called, expected {expected}")
    if QUEENS >> called & 1:
        _check_four_kings(position, name)
    _check_partner_holds(position, called)


def _check_four_kings(position: Position, queen: str) -> None:
    for king in from_mask(KINGS):
        place = holder(position, king)
        if place is not None and place.seat != position.declarer:
            raise PositionError(
                f"called: {queen} may be called only by a holder of all four kings, but "
                f"{NAMES[king]} is in {place.key}"
            )


def _check_partner_holds(position: Position, called: int) -> None:
    place = holder(position, called)
    if place is None:
        return
    alone = place.seat is None or place.seat == position.declarer
    if alone and position.partner is not None:
        whose = "in the talon" if place.seat is None else f"the declarer's own, in {place.key}"
        raise PositionError(
            f"partner: {position.partner}, but the called {NAMES[called]} is {whose}, so the "
            "declarer is alone, expected null"
        )
    if not alone and place.seat != position.partner:
        partner = "null" if position.partner is None else position.partner
        raise PositionError(
            f"partner: {partner}, but the called {NAMES[called]} is in {place.key}, expected "
            f"{place.seat}, the seat that holds or played it"
        )


def check_announced(position: Position) -> None:
    """Check that every announcement is allowed, made once, and made by a seat that may."""
    allowed, contract = position.rules.bonuses, position.contract
    found: set[str] = set()
    for number, announcement in enumerate(position.announced):
        key = f"announced[{number}]"
        bonus = announcement.bonus
        check_seat(f"{key}.seat", announcement.seat, position)
        if bonus not in allowed:
            expected = f"expected {', '.join(allowed)}" if allowed else "nothing can; leave it out"
            raise PositionError(f"{key}: {bonus!r} cannot be announced in {contract}, {expected}")
        if bonus in found:
            raise PositionError(f"{key}: {bonus} is announced already, expected it once")
        found.add(bonus)
        if bonus == position.rules.bird and announcement.seat != position.declarer:
            raise PositionError(
                f"{key}: seat {announcement.seat}, but the {bonus} of {contract} is announced by "
                f"the declarer, seat {position.declarer}"
            )
        if position.book.holder_announces:
            _check_announcer(key, announcement, position)
    for number, announcement in enumerate(position.announced):
        if "valat" in found and announcement.bonus in position.book.without_valat:
            raise PositionError(
                f"announced[{number}]: {announcement.bonus} cannot be announced beside a valat"
            )


def _check_announcer(key: str, announcement: Announcement, position: Position) -> None:
    seat, bonus = announcement
    if bonus == "valat" and seat not in position.side:
        raise PositionError(f"{key}: seat {seat}, but only the declaring side announces valat")
    card = position.called if bonus == "king_ultimo" else BIRDS.get(bonus)
    place = None if card is None else holder(position, card)
    if card is not None and place is not None and place.seat != seat:
        raise PositionError(
            f"{key}: seat {seat}, but only the holder of {NAMES[card]} announces {bonus}, and it "
            f"is in {place.key}"
        )


def check_doubled(position: Position) -> None:
    """Check that `doubled` holds multipliers that the rule book has, for stakes that it has."""
    rules, book = position.rules, position.book
    if position.doubled and not rules.doubling:
        raise PositionError(f"doubled: {position.contract} cannot be doubled; leave it out")
    stakes = ("game", *(rules.bonuses if book.bonus_doubling else ()))
    for name, stake in position.doubled.items():
        key = f"doubled.{name}"
        if name not in stakes:
            raise PositionError(
                f"{key}: cannot be doubled in {position.contract}, expected {', '.join(stakes)}"
            )
        if isinstance(stake, tuple):
            _check_doubled_by_seat(key, name, len(stake), position)
        for multiplier in stake if isinstance(stake, tuple) else (stake,):
            _check_multiplier(key, multiplier, book.doubling_limit)


def _check_doubled_by_seat(key: str, name: str, entries: int, position: Position) -> None:
    if name != "game" or position.rules.sides != "alone":
        raise PositionError(
            f"{key}: a list, expected a number; only the game of a lone declarer is doubled by "
            "each opponent for himself"
        )
    if not position.book.paid:
        raise PositionError(
            f"{key}: a list, expected a number; in {position.book.title} opponents pay nothing"
        )
    if entries != position.seats:
        raise PositionError(f"{key}: {entries} entries, expected {position.seats}, one a seat")


def _check_multiplier(key: str, multiplier: int, limit: int | None) -> None:
    power_of_two = multiplier > 0 and multiplier.bit_count() == 1
    if not power_of_two or (limit is not None and multiplier > limit):
        steps = (str(1 << step) for step in range(limit.bit_length())) if limit else ()
        expected = ", ".join(steps) or "a power of two"
        raise PositionError(f"{key}: {multiplier} is no multiplier, expected {expected}")


def check_options(position: Position) -> None:
    """Check that the rule book has the options, and that each is a switch or seats as it says."""
    known = position.book.options
    for name, value in position.options.items():
        if name not in known:
            raise PositionError(f"options: {_unknown_option(position, name)}")
        if isinstance(known[name], bool) and not isinstance(value, bool):
            raise PositionError(f"options.{name}: expected true or false")
        if not isinstance(known[name], bool) and not _are_seats(value, position.seats):
            raise PositionError(
                f"options.{name}: expected a list of different seats, each {seat_range(position)}"
            )


def _unknown_option(position: Position, name: str) -> str:
    known = position.book.options
    elsewhere = [book.title for book in VARIANTS.values() if name in book.options]
    near = get_close_matches(name, known, n=1)
    hint = f"it has {', '.join(known)}" if known else "it has none"
    if near:
        hint = f"did you mean {near[0]!r}?"
    elif elsewhere:
        hint = f"it belongs to {' and '.join(elsewhere)}"
    return f"{position.book.title} has no option {name!r}: {hint}"


def _are_seats(value: object, seats: int) -> bool:
    if not isinstance(value, tuple) or not all(type(seat) is int for seat in value):
        return False
    return len(set(value)) == len(value) and all(0 <= seat < seats for seat in value)
