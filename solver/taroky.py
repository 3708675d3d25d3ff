"""Taroky Notation, the one-line form of a Texas game that the MachTarok program writes.

Fields separated by `/`: the chips of four players, their hands as dealt from Povinnost on, the
talon, then as far as the game got the prever, gifts, discards, money cards, partner card, valat,
contras, the I on the end and the tricks, and last the settings. What a position has no place for
is kept in its key `x_taroky`, so that reading and writing lose nothing (`docs/notation.md`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from trull.solver.cards import (
    ALL_CARDS,
    NAMES,
    TRUMPS,
    display_order,
    from_mask,
    parse_card,
    to_mask,
)
from trull.solver.position import Announcement, Position, Trick
from trull.solver.referee import Referee
from trull.solver.rulebooks import VARIANTS
from trull.solver.validation import PositionError

KEY = "x_taroky"
"""The key of a position that holds what only Taroky Notation knows."""

_SEATS = 4
_HAND = 12
_TALON = 6
_VARIANT = "texas"
_LAID_AWAY = (4, 1, 1)
_TAKEN_UP = 3
_MOST_CONTRAS = 4
_CALLS = {parse_card(f"T{10 + digit}"): str(digit) for digit in range(5, 10)}
_GROUPS = "TBR"
"""The talon group of a prever at each level: top, bottom, returned to the top."""

_BONUSES = {"valat": "valat", "pagat": "I"}
"""The field that announces each bonus; it holds its first letter and a seat."""

_ACE_WINS = ("acewins", "acehigh")
_SWITCHES = {"true": True, "false": False}
_OPTIONS = [name for name in VARIANTS[_VARIANT].options if name != "ace_low"]

_RANKS = {"N": "R", "10": "4", "9": "3", "8": "2", "7": "1", "A": "1"}
_SIGNS = tuple(
    f"T{number:02}" if number <= TRUMPS else name[0] + _RANKS.get(name[1:], name[1:])
    for number, name in enumerate(NAMES, 1)
)
"""How every card is written."""

_CARD_OF = {sign: card for card, sign in enumerate(_SIGNS)}
_CARD_OF |= {"HA": parse_card("HA"), "DA": parse_card("DA")}

_CARDS = r"(?:T\d\d|[SHDC][KQRJA4321])+"
_STAGES = {
    "prever": r"P[1-4]",
    "group": r"[TBR]",
    "gifts": r"(?:GR?[1-4])+",
    "discards": _CARDS,
    "money": r"(?:[UBTRHKP3][1-4])+",
    "partner": r"[5-9]",
    "valat": r"V[1-4]",
    "contra": r"(?:C[1-4])+",
    "I": r"I[1-4]",
}
"""The fields between talon and tricks in their order, each of which may be missing."""


def is_taroky(text: str) -> bool:
    """Return whether a text begins like Taroky Notation: with chips and a slash."""
    return re.match(r"\s*-?\d+/", text) is not None


# --- Fields ---


@dataclass(kw_only=True)
class _Fields:
    """The fields of a game.

    Attributes:
        chips: the chips of the four players.
        hands: the hands as dealt, as masks.
        talon: the talon as dealt, from the top.
        stages: the fields of `_STAGES` that are there.
        tricks: the cards of each trick and the seat that won it.
        settings: the settings.
    """

    chips: tuple[str, ...]
    hands: tuple[int, ...]
    talon: tuple[int, ...]
    stages: dict[str, str] = field(default_factory=dict)
    tricks: list[tuple[tuple[int, ...], int]] = field(default_factory=list)
    settings: str = ""

    def seat(self, stage: str) -> int | None:
        """Return the seat that ends a field, or `None` when the field is missing."""
        return int(self.stages[stage][-1]) - 1 if stage in self.stages else None


def _split(text: str) -> _Fields:
    """Return the fields of a game, checked as far as each can be alone."""
    words = text.strip().split("/")
    if len(words) > 2 * _SEATS + 2 and not words[-1] and "=" in words[-2]:
        words.pop()
    if len(words) < 2 * _SEATS + 2:
        raise PositionError(
            f"{len(words)} fields, expected at least {2 * _SEATS + 2}: four chips, four hands, "
            "the talon, the settings"
        )
    found: dict[int, str] = {}
    hands = [
        to_mask(_read_cards(f"hand {number}", word, _HAND, found))
        for number, word in enumerate(words[_SEATS : 2 * _SEATS], 1)
    ]
    fields = _Fields(
        chips=tuple(words[:_SEATS]),
        hands=tuple(hands),
        talon=_read_cards("talon", words[2 * _SEATS], _TALON, found),
        settings=words[-1],
    )
    for chips in fields.chips:
        if not re.fullmatch(r"-?[0-9]+", chips):
            raise PositionError(f"chips: {chips!r}, expected a whole number")
    _read_stages(fields, [word for word in words[2 * _SEATS + 1 : -1] if word])
    return fields


def _read_stages(fields: _Fields, words: Iterable[str]) -> None:
    """Read the fields between talon and settings."""
    to_come = list(_STAGES)
    for word in words:
        stage = next((name for name in to_come if re.fullmatch(_STAGES[name], word)), None)
        if stage is not None:
            fields.stages[stage] = word
            del to_come[: to_come.index(stage) + 1]
        else:
            fields.tricks.append(_read_trick(len(fields.tricks) + 1, word, to_come))
            to_come.clear()
    begun = fields.stages.keys() - {"prever", "gifts"}
    if (begun or fields.tricks) and "discards" not in begun:
        raise PositionError("discards: missing, but required once talon cards are taken up")


def _read_trick(number: int, word: str, to_come: list[str]) -> tuple[tuple[int, ...], int]:
    cards, winner = word[:-1], word[-1]
    if not re.fullmatch(_CARDS, cards) or winner not in "1234":
        others = f", or {', '.join(to_come)}" if to_come else ""
        raise PositionError(
            f"trick {number}: {word!r}, expected four cards and the winner, such as "
            f"T02T04T15T194{others}"
        )
    return _read_cards(f"trick {number}", cards, _SEATS, {}), int(winner) - 1


def _read_cards(key: str, text: str, number: int, found: dict[int, str]) -> tuple[int, ...]:
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
        raise PositionError(f"{key}: {len(cards)} cards, expected {number}")
    return tuple(cards)


def _write_cards(cards: Iterable[int]) -> str:
    return "".join(_SIGNS[card] for card in cards)


# --- Reading ---


def parse_taroky(text: str) -> Position:
    """Return the position that a game in Taroky Notation has come to, with its history.

    A game whose talon is not taken up yet is a povinost, or the prever that was said, with its
    six talon cards. Raises `PositionError` with a sentence that names the field, or the key of
    the position, and the card; also for what the Texas rule book does not know, such as a talon
    card that was given away.
    """
    fields = _split(text)
    options, settings = _read_settings(fields.settings)
    start = _start(fields, options)
    position = _played(start, fields.tricks)
    kept = {
        "chips": "/".join(fields.chips),
        "talon": _write_cards(fields.talon),
        "gifts": fields.stages.get("gifts", ""),
        "money": fields.stages.get("money", ""),
        "partner": fields.stages.get("partner", "") if position.contract == "prever" else "",
        "contra": fields.stages.get("contra", ""),
        "settings": settings,
    }
    usual = _usual(position)
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
        if name not in _OPTIONS and name.lower() not in _ACE_WINS:
            others.append(setting)
        elif value not in _SWITCHES:
            raise PositionError(f"settings: {setting!r}, expected true or false")
        elif name in _OPTIONS:
            options[name] = _SWITCHES[value]
        else:
            options["ace_low"] = not _SWITCHES[value]
    if not options["ace_low"]:
        del options["ace_low"]
    return options, ";".join(others)


def _start(fields: _Fields, options: dict[str, object]) -> Position:
    """Return the position before the first trick."""
    prever = fields.seat("prever")
    if "G" in fields.stages.get("gifts", "").replace("GR", ""):
        raise PositionError(
            f"gifts: {fields.stages['gifts']}: a talon card was given to the declarer, which the "
            "Texas rule book does not know"
        )
    if prever is not None and "gifts" in fields.stages:
        raise PositionError("gifts: given, but in a prever nobody else gets talon cards")
    if prever is None and "group" in fields.stages:
        raise PositionError(f"{fields.stages['group']!r}: given, but nobody plays prever")
    declarer = prever or 0
    hands, talon, discards, level = _exchanged(fields, prever)
    called = _called(fields) if prever is None else None
    owners = [
        seat
        for cards in (hands, discards)
        for seat, mask in enumerate(cards)
        if called is not None and mask >> called & 1
    ]
    contras = len(fields.stages.get("contra", "")) // 2
    if contras > _MOST_CONTRAS:
        raise PositionError(f"contra: {contras} of them, expected at most {_MOST_CONTRAS}")
    announced = {"valat": fields.seat("valat"), "pagat": fields.seat("I")}
    return Position(
        variant=_VARIANT,
        contract="povinost" if prever is None else "prever",
        hands=hands,
        declarer=declarer,
        called=called,
        partner=owners[0] if owners and owners[0] != declarer else None,
        talon=talon,
        discards=discards,
        level=level,
        announced=tuple(
            Announcement(seat, bonus) for bonus, seat in announced.items() if seat is not None
        ),
        doubled={"game": 1 << contras} if contras else {},
        options=options,
    )


def _called(fields: _Fields) -> int | None:
    """Return the partner's card."""
    if "partner" in fields.stages:
        digit = fields.stages["partner"]
        return next(card for card, sign in _CALLS.items() if sign == digit)
    if fields.tricks:
        raise PositionError("partner: missing, but required before the tricks, one of 9 8 7 6 5")
    return None


_Exchange = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int]
"""The hands after the exchange, the talon left over, the discards, the level."""


def _exchanged(fields: _Fields, prever: int | None) -> _Exchange:
    nothing = (0,) * _SEATS
    if "discards" not in fields.stages:
        return fields.hands, fields.talon, nothing, 1
    if prever is not None and "group" not in fields.stages:
        raise PositionError("prever: the talon group is missing, expected T, B or R after it")
    level = _GROUPS.index(fields.stages.get("group", "T")) + 1
    taken, left = _taken_up(prever, level, fields.talon)
    counts = [cards.bit_count() for cards in taken]
    words = _read_cards("discards", fields.stages["discards"], sum(counts), {})
    laid = []
    for seat, count in enumerate(counts):
        held = fields.hands[seat] | taken[seat]
        for card in words[:count]:
            if not held >> card & 1:
                raise PositionError(f"discards: {_SIGNS[card]} is not held by player {seat + 1}")
        laid.append(to_mask(words[:count]))
        words = words[count:]
    hands = tuple((fields.hands[seat] | taken[seat]) & ~laid[seat] for seat in range(_SEATS))
    return hands, left, tuple(laid), level


def _taken_up(
    prever: int | None, level: int, talon: tuple[int, ...]
) -> tuple[list[int], tuple[int, ...]]:
    """Return the talon cards that each seat takes up, as masks, and those left over."""
    taken = [0] * _SEATS
    if prever is not None:
        top, bottom = talon[:_TAKEN_UP], talon[_TAKEN_UP:]
        group, left = (bottom, top) if level == 2 else (top, bottom)
        taken[prever] = to_mask(group)
        return taken, left
    rest = talon
    for seat, count in enumerate(_LAID_AWAY):
        taken[seat], rest = to_mask(rest[:count]), rest[count:]
    return taken, rest


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
            player = (state.leader + cards.index(card)) % _SEATS + 1
            raise PositionError(
                f"trick {number}: {_SIGNS[card]} of player {player} breaks the rules: {rule}"
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


# --- Writing ---


def format_taroky(position: Position) -> str:
    """Return the game in Taroky Notation that has come to a position.

    Where the position does not tell which talon cards were taken up (the talon in `x_taroky`),
    those laid away stand for them. Raises `PositionError` for what the notation cannot hold.
    """
    _check(position)
    text = "/".join(_write_fields(position, {**_usual(position), **_given(position)}))
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
    talon = _read_cards(f"{KEY}.talon", fields["talon"], _TALON, {})
    stages = {
        "prever": "" if prever is None else f"P{prever + 1}",
        "group": _GROUPS[position.level - 1] if prever is not None and exchanged else "",
        "discards": "".join(_write_cards(display_order(laid)) for laid in position.discards),
        "partner": fields["partner"] if position.called is None else _CALLS[position.called],
        "gifts": fields["gifts"],
        "money": fields["money"],
        "contra": fields["contra"],
    }
    for seat, bonus in position.announced:
        stages[_BONUSES[bonus]] = f"{_BONUSES[bonus][0].upper()}{seat + 1}"
    return [
        fields["chips"],
        *(_write_cards(display_order(hand)) for hand in _dealt(position, talon, prever)),
        _write_cards(talon),
        *(stages[name] for name in _STAGES if stages.get(name)),
        *_write_tricks(position),
        f"{_write_options(position)};{fields['settings']}",
    ]


def _write_options(position: Position) -> str:
    ace_wins = [] if position.options.get("ace_low") else ["ACEWINS=true"]
    return ";".join(
        [
            *ace_wins,
            *(
                f"{name}={str(value).lower()}"
                for name, value in position.options.items()
                if name in _OPTIONS
            ),
        ]
    )


def _write_tricks(position: Position) -> list[str]:
    """Return every trick with its winner, who leads the next one."""
    history = position.history or ()
    winners = [*(trick.leader for trick in history), position.leader][1:]
    return [
        f"{_write_cards(trick.cards)}{winner + 1}"
        for trick, winner in zip(history, winners, strict=True)
    ]


def _usual(position: Position) -> dict[str, str]:
    """Return what stands in the fields that a position does not tell."""
    return {
        "chips": "/".join(["100"] * _SEATS),
        "talon": _write_cards(_usual_talon(position)),
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
    opponent = min(set(range(_SEATS)) - position.side)
    seats = (opponent, position.declarer or 0)
    return "".join(f"C{seats[number % 2] + 1}" for number in range(contras))


def _check(position: Position) -> None:
    """Refuse a position that Taroky Notation cannot hold."""
    if position.variant != _VARIANT:
        raise PositionError(f"variant: {position.variant}, but Taroky Notation is for {_VARIANT}")
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
    here = to_mask(position.talon)
    for mask in (*position.hands, *position.taken, *position.discards):
        here |= mask
    if here != ALL_CARDS:
        raise PositionError(
            f"hands: {here.bit_count()} of the {len(NAMES)} cards appear, but Taroky Notation "
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
    called = position.called
    played_with = position.partner is not None or bool(position.history)
    if called is None and played_with and position.contract == "povinost":
        raise PositionError("called: missing, but Taroky Notation names the partner's card")
    if called is not None and called not in _CALLS:
        raise PositionError(
            f"called: {NAMES[called]}, but Taroky Notation knows T19 T18 T17 T16 and T15 only"
        )


def _given(position: Position) -> dict[str, str]:
    """Return the entries of `x_taroky`."""
    entries, usual = position.extra.get(KEY, {}), _usual(position)
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
    taken, _ = _taken_up(prever, position.level, talon)
    for seat, mask in enumerate(taken):
        hands[seat] |= position.discards[seat]
        for card in from_mask(mask & ~hands[seat]):
            raise PositionError(f"{KEY}.talon: {NAMES[card]} was never held by seat {seat}")
        hands[seat] &= ~mask
    return hands
