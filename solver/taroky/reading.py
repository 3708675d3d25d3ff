"""From Taroky Notation to the position that the game has come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trull.solver.cards import to_mask
from trull.solver.position import Announcement, Position, Trick
from trull.solver.referee import Referee
from trull.solver.taroky.fields import SEATS, Fields, split_fields
from trull.solver.taroky.signs import SIGNS, read_cards, write_cards
from trull.solver.taroky.terms import (
    CALLS,
    GROUPS,
    KEY,
    OPTIONS,
    VARIANT,
    taken_up,
    usual_fields,
)
from trull.solver.validation import PositionError

_MOST_CONTRAS = 4
_ACE_WINS = ("acewins", "acehigh")
_SWITCHES = {"true": True, "false": False}


def parse_taroky(text: str) -> Position:
    """Return the position that a game in Taroky Notation has come to, with its history.

    A game whose talon is not taken up yet is a povinost, or the prever that was said, with its
    six talon cards. Raises `PositionError` with a sentence that names the field, or the key of
    the position, and the card; also for what the Texas rule book does not know, such as a talon
    card that was given away.
    """
    fields = split_fields(text)
    options, settings = _read_settings(fields.settings)
    start = _start(fields, options)
    position = _played(start, fields.tricks)
    kept = {
        "chips": "/".join(fields.chips),
        "talon": write_cards(fields.talon),
        "gifts": fields.stages.get("gifts", ""),
        "money": fields.stages.get("money", ""),
        "partner": fields.stages.get("partner", "") if position.contract == "prever" else "",
        "contra": fields.stages.get("contra", ""),
        "settings": settings,
    }
    usual = usual_fields(position)
    extra = {name: value for name, value in kept.items() if value != usual[name]}
    return replace(position, extra={KEY: extra}) if extra else position


def _read_settings(text: str) -> tuple[dict[str, object], str]:
    """Return the options of the rule book that the settings set, and the other settings."""
    options: dict[str, object] = {"ace_low": True}
    others = []
    for setting in filter(None, text.split(";")):
        name, equals, value = setting.partition("=")
        if not equals:
            raise PositionError(f"settings: {setting!r}, expected NAME=value;NAME=value")
        if name not in OPTIONS and name.lower() not in _ACE_WINS:
            others.append(setting)
        elif value not in _SWITCHES:
            raise PositionError(f"settings: {setting!r}, expected true or false")
        elif name in OPTIONS:
            options[name] = _SWITCHES[value]
        else:
            options["ace_low"] = not _SWITCHES[value]
    if not options["ace_low"]:
        del options["ace_low"]
    return options, ";".join(others)


def _start(fields: Fields, options: dict[str, object]) -> Position:
    """Return the position before the first trick."""
    prever = fields.seat("prever")
    _check_stages(fields, prever)
    hands, talon, discards, level = _exchanged(fields, prever)
    called = _called(fields) if prever is None else None
    contras = len(fields.stages.get("contra", "")) // 2
    announced = {"valat": fields.seat("valat"), "pagat": fields.seat("I")}
    return Position(
        variant=VARIANT,
        contract="povinost" if prever is None else "prever",
        hands=hands,
        declarer=prever or 0,
        called=called,
        partner=None if called is None else _partner(called, hands, discards),
        talon=talon,
        discards=discards,
        level=level,
        announced=tuple(
            Announcement(seat, bonus) for bonus, seat in announced.items() if seat is not None
        ),
        doubled={"game": 1 << contras} if contras else {},
        options=options,
    )


def _check_stages(fields: Fields, prever: int | None) -> None:
    """Refuse fields that contradict each other, or the rule book."""
    gifts = fields.stages.get("gifts", "")
    if "G" in gifts.replace("GR", ""):
        raise PositionError(
            f"gifts: {gifts}: a talon card was given to the declarer, which the Texas rule book "
            "does not know"
        )
    if prever is not None and gifts:
        raise PositionError("gifts: given, but in a prever nobody else gets talon cards")
    if prever is None and "group" in fields.stages:
        raise PositionError(f"{fields.stages['group']!r}: given, but nobody plays prever")
    if prever is not None and "discards" in fields.stages and "group" not in fields.stages:
        raise PositionError("prever: the talon group is missing, expected T, B or R after it")
    contras = len(fields.stages.get("contra", "")) // 2
    if contras > _MOST_CONTRAS:
        raise PositionError(f"contra: {contras} of them, expected at most {_MOST_CONTRAS}")


def _partner(called: int, hands: tuple[int, ...], discards: tuple[int, ...]) -> int | None:
    """Return who holds or laid away the called card; `None` when it is the declarer, seat 0."""
    for seat, (held, laid) in enumerate(zip(hands, discards, strict=True)):
        if seat and (held | laid) >> called & 1:
            return seat
    return None


def _called(fields: Fields) -> int | None:
    """Return the partner's card."""
    if "partner" in fields.stages:
        digit = fields.stages["partner"]
        return next(card for card, sign in CALLS.items() if sign == digit)
    if fields.tricks:
        raise PositionError("partner: missing, but required before the tricks, one of 9 8 7 6 5")
    return None


_Exchange = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int]
"""The hands after the exchange, the talon left over, the discards, the level."""


def _exchanged(fields: Fields, prever: int | None) -> _Exchange:
    """Return what the exchange makes of the deal, if it has come to that."""
    nothing = (0,) * SEATS
    if "discards" not in fields.stages:
        return fields.hands, fields.talon, nothing, 1
    level = GROUPS.index(fields.stages.get("group", "T")) + 1
    taken, left = taken_up(prever, level, fields.talon)
    counts = [cards.bit_count() for cards in taken]
    words = read_cards("discards", fields.stages["discards"], sum(counts), {})
    laid = []
    for seat, number in enumerate(counts):
        held = fields.hands[seat] | taken[seat]
        for card in words[:number]:
            if not held >> card & 1:
                raise PositionError(f"discards: {SIGNS[card]} is not held by player {seat + 1}")
        laid.append(to_mask(words[:number]))
        words = words[number:]
    hands = tuple((fields.hands[seat] | taken[seat]) & ~laid[seat] for seat in range(SEATS))
    return hands, left, tuple(laid), level


def _played(start: Position, tricks: Sequence[tuple[tuple[int, ...], int]]) -> Position:
    """Return the position after the tricks of a game."""
    if not tricks:
        return start
    first = tricks[0][0][0]
    leader = next((seat for seat, hand in enumerate(start.hands) if hand >> first & 1), 0)
    referee = Referee(replace(start, leader=leader))
    state = referee.start
    history = []
    for number, (cards, winner) in enumerate(tricks, 1):
        fault = referee.fault(state, cards)
        if fault is not None:
            card, rule = fault
            player = (state.leader + cards.index(card)) % SEATS + 1
            raise PositionError(
                f"trick {number}: {SIGNS[card]} of player {player} breaks the rules: {rule}"
            )
        history.append(Trick(state.leader, cards))
        for card in cards:
            state = referee.play(state, card)
        if state.leader != winner:
            raise PositionError(
                f"trick {number}: won by player {winner + 1} as written, but player "
                f"{state.leader + 1} wins it"
            )
    return replace(
        start,
        hands=state.hands,
        leader=state.leader,
        taken=state.taken,
        tricks_won=state.tricks,
        history=tuple(history),
    )
