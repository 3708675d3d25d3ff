"""From a position to the game in Taroky Notation that has come to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from trull.solver.cards import ALL_CARDS, NAMES, PACK, display_order, from_mask, to_mask
from trull.solver.position import Position
from trull.solver.referee import Referee
from trull.solver.taroky.fields import STAGES, TALON
from trull.solver.taroky.reading import parse_taroky
from trull.solver.taroky.signs import read_cards, write_cards
from trull.solver.taroky.terms import (
    BONUSES,
    CALLS,
    GROUPS,
    KEY,
    OPTIONS,
    VARIANT,
    taken_up,
    usual_fields,
)
from trull.solver.validation import PositionError


def format_taroky(position: Position) -> str:
    """Return the game in Taroky Notation that has come to a position.

    Where the position does not tell which talon cards were taken up (the talon in `x_taroky`),
    those laid away stand for them. Raises `PositionError` for what the notation cannot hold.
    """
    _check(position)
    text = "/".join(_write_fields(position, {**usual_fields(position), **_given(position)}))
    try:
        read = parse_taroky(text)
    except PositionError as error:
        raise PositionError(f"{KEY}: {error}") from error
    if _essence(read) != _essence(position):
        raise PositionError(f"{KEY}: contradicts the other keys of the position")
    return text


def _essence(position: Position) -> Position:
    """Return a position without what is copied to the answer, and without what has its default."""
    return replace(
        position,
        announced=tuple(sorted(position.announced)),
        doubled={name: stake for name, stake in position.doubled.items() if stake != 1},
        options={name: value for name, value in position.options.items() if value},
        history=position.history or None,
        id=None,
        comment=None,
        extra={},
    )


def _write_fields(position: Position, fields: Mapping[str, str]) -> list[str]:
    """Return all fields, those that the position does not tell as given."""
    prever = position.declarer if position.contract == "prever" else None
    exchanged = any(position.discards)
    talon = read_cards(f"{KEY}.talon", fields["talon"], TALON, {})
    stages = {
        "prever": "" if prever is None else f"P{prever + 1}",
        "group": GROUPS[position.level - 1] if prever is not None and exchanged else "",
        "discards": "".join(write_cards(display_order(laid)) for laid in position.discards),
        "partner": fields["partner"] if position.called is None else CALLS[position.called],
        "gifts": fields["gifts"],
        "money": fields["money"],
        "contra": fields["contra"],
    }
    for seat, bonus in position.announced:
        stages[BONUSES[bonus]] = f"{BONUSES[bonus][0].upper()}{seat + 1}"
    return [
        fields["chips"],
        *(write_cards(display_order(hand)) for hand in _dealt(position, talon, prever)),
        write_cards(talon),
        *(stages[name] for name in STAGES if stages.get(name)),
        *_write_tricks(position),
        f"{_write_options(position)};{fields['settings']}",
    ]


def _write_options(position: Position) -> str:
    """Return the settings that are options of the rule book."""
    found = [] if position.options.get("ace_low") else ["ACEWINS=true"]
    for name, value in position.options.items():
        if name in OPTIONS:
            found.append(f"{name}={'true' if value else 'false'}")
    return ";".join(found)


def _write_tricks(position: Position) -> list[str]:
    """Return every trick with its winner, who leads the next one."""
    history = position.history or ()
    winners = [*(trick.leader for trick in history), position.leader][1:]
    return [
        f"{write_cards(trick.cards)}{winner + 1}"
        for trick, winner in zip(history, winners, strict=True)
    ]


def _check(position: Position) -> None:
    """Refuse a position that Taroky Notation cannot hold."""
    if position.variant != VARIANT:
        raise PositionError(f"variant: {position.variant}, but Taroky Notation is for {VARIANT}")
    if position.contract not in ("povinost", "prever"):
        raise PositionError(
            f"contract: {position.contract}, but Taroky Notation knows povinost and prever only"
        )
    if position.contract == "povinost" and position.declarer != 0:
        raise PositionError(
            f"declarer: {position.declarer}, but in Taroky Notation seat 0 plays povinost"
        )
    if position.trick:
        raise PositionError("trick: not empty, but Taroky Notation has finished tricks only")
    _check_past(position)
    _check_call(position)
    for name in position.doubled:
        if name != "game" or isinstance(position.doubled[name], tuple):
            raise PositionError(
                f"doubled.{name}: Taroky Notation has contras of the game only, for all players"
            )


def _check_past(position: Position) -> None:
    """Refuse a position whose past is not on record in full."""
    here = to_mask(position.talon)
    for mask in (*position.hands, *position.taken, *position.discards):
        here |= mask
    if here != ALL_CARDS:
        raise PositionError(
            f"hands: {here.bit_count()} of the {PACK} cards appear, but Taroky Notation "
            "holds whole deals"
        )
    if position.tricks_played and position.history is None:
        raise PositionError("history: missing, but Taroky Notation holds every trick")
    if not position.history and position.leader:
        raise PositionError(
            f"leader: {position.leader}, but Taroky Notation has no leader before the first trick, "
            "expected 0"
        )
    if not any(position.discards):
        later = {
            "level": position.level > 1,
            "called": position.called is not None,
            "announced": bool(position.announced),
            "doubled": bool(position.doubled),
            "history": bool(position.history),
        }
        for key, given in later.items():
            if given:
                raise PositionError(
                    f"{key}: given, but Taroky Notation needs the discards before it"
                )


def _check_call(position: Position) -> None:
    """Refuse a called card that the notation does not know, or lacks."""
    called = position.called
    played_with = position.partner is not None or bool(position.history)
    if called is None and played_with and position.contract == "povinost":
        raise PositionError("called: missing, but Taroky Notation names the partner's card")
    if called is not None and called not in CALLS:
        raise PositionError(
            f"called: {NAMES[called]}, but Taroky Notation knows T19 T18 T17 T16 and T15 only"
        )


def _given(position: Position) -> dict[str, str]:
    """Return the entries of `x_taroky`."""
    entries, usual = position.extra.get(KEY, {}), usual_fields(position)
    if not isinstance(entries, Mapping):
        raise PositionError(f"{KEY}: expected an object with {', '.join(usual)}")
    for name, value in entries.items():
        if name not in usual or not isinstance(value, str):
            raise PositionError(f"{KEY}.{name}: expected texts by {', '.join(usual)}")
    return dict(entries)


def _dealt(position: Position, talon: tuple[int, ...], prever: int | None) -> list[int]:
    """Return the hands before the exchange."""
    referee = Referee(position)
    hands = list((referee.opening or referee.before_trick).hands)
    if not any(position.discards):
        return hands
    taken, _ = taken_up(prever, position.level, talon)
    for seat, mask in enumerate(taken):
        hands[seat] |= position.discards[seat]
        for card in from_mask(mask & ~hands[seat]):
            raise PositionError(f"{KEY}.talon: {NAMES[card]} was never held by seat {seat}")
        hands[seat] &= ~mask
    return hands
