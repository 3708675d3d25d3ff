"""Positions as deal strings: one short line that people type and read.

    koenigrufen:rufer@0+2 called=HK T22,18,3.SA4.DK … … … talon=CJ.T11.S9 discards=0:HQ2.D3

A deal string is another spelling of the JSON object of a position (`docs/notation.md` has the
grammar): `parse_deal` makes the object of it, `format_deal` the string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from trull.solver.cards import (
    NAMES,
    SUIT_SYMBOLS,
    SUITS,
    TRUMPS,
    CardError,
    format_cards,
    parse_card,
    parse_cards,
    suit_of,
)
from trull.solver.fields import check_keys
from trull.solver.rulebooks import VARIANTS
from trull.solver.validation import PositionError

_EMPTY = "-"
_HEADER = re.compile(r"([A-Za-z_]+):([A-Za-z_]+)(?:@(\d+|-)(?:\+(\d+))?)?", re.ASCII)
_BEGINNING = re.compile(r"\s*[A-Za-z_]+:", re.ASCII)
_COMMENT = re.compile(r"(?:^|\s)#")
_ITEM = re.compile(r"(\w+)=(.*)", re.DOTALL)
_SIGNS = re.compile(r"[.,\s]+|([0-9]+|.)", re.DOTALL)
_NUMBERS = re.compile(r"10|.")
_WORD = re.compile(r"[^\W\d]\w*(?:[-_./]\w+)*")
_BOOLEANS = {"true": True, "false": False}


def is_deal(text: str) -> bool:
    """Return whether a text begins like a deal string: with a variant and a colon."""
    return _BEGINNING.match(text) is not None


# --- Cards ---


def parse_holding(text: str) -> tuple[int, ...]:
    """Return the cards of a text in which a suit letter stands before all its cards.

    Numbers of trumps are separated by commas; between other cards commas, points and blanks may
    stand or not. Raises `CardError` for what is no card, and for a card named twice.

    >>> format_cards(parse_holding("T22,21,7.SK109.HA"))
    'T22 T21 T7 SK S10 S9 HA'
    """
    suit = ""
    found: list[int] = []
    bare = False
    for sign in filter(None, _SIGNS.findall(text.upper())):
        letter = SUITS[SUIT_SYMBOLS.index(sign)] if sign in SUIT_SYMBOLS else sign
        if letter not in "T" + SUITS:
            found += _named(suit, sign, text)
            bare = False
            continue
        if bare:
            break
        suit, bare = letter, True
    if bare:
        raise CardError(f"{suit} stands without a card in {text!r}")
    for place, card in enumerate(found):
        if card in found[:place]:
            raise CardError(f"card {NAMES[card]} appears twice")
    return tuple(found)


def _named(suit: str, sign: str, text: str) -> list[int]:
    """Return the cards that a number or a letter names in a suit."""
    if not suit:
        raise CardError(f"{sign} in {text!r}: expected a suit letter before it, T S H D or C")
    if suit != "T":
        return [parse_card(suit + rank) for rank in _NUMBERS.findall(sign)]
    if len(sign) > 2:
        raise CardError(f"T{sign}: expected commas between trumps, T1 … T{TRUMPS}")
    return [parse_card(suit + sign)]


def format_holding(cards: Iterable[int]) -> str:
    """Return cards in their order as `parse_holding` reads them; no cards are `-`.

    >>> format_holding(parse_cards("T22 T21 SK S10 HA"))
    'T22,21.SK10.HA'
    """
    suits = [
        NAMES[held[0]][0] + ("" if suit else ",").join(NAMES[card][1:] for card in held)
        for suit, held in ((suit, list(group)) for suit, group in groupby(cards, suit_of))
    ]
    return ".".join(suits) or _EMPTY


def _holding(key: str, text: str) -> str:
    """Return the cards of a part of a deal string as JSON has them."""
    if text == _EMPTY:
        return ""
    try:
        return format_cards(parse_holding(text))
    except CardError as error:
        raise PositionError(f"{key}: {error}") from error


# --- Reading ---


def parse_deal(text: str) -> dict[str, object]:
    """Return the JSON object of the position that a deal string describes.

    Where the string gives the called card and its holder, but no partner, the holder is. Raises
    `PositionError` with a sentence that names the part of the string; whether the position is
    consistent is left to `trull.solver.interchange.parse_position`.

    >>> parse_deal("koenigrufen:dreier@1 T22.SK T21.SQ T5.S8 T2.C7")["hands"]
    ['T22 SK', 'T21 SQ', 'T5 S8', 'T2 C7']
    """
    text, comment = _without_comment(text)
    words = text.split()
    data = _read_header(words[0] if words else "")
    items: dict[str, str] = {}
    hands: list[str] = []
    for word in words[1:]:
        item = _ITEM.fullmatch(word)
        if item is None:
            hands.append(_holding(f"hands[{len(hands)}]", word))
        elif item[1] in items:
            raise PositionError(f"{item[1]}: given twice, expected once")
        else:
            items[item[1]] = item[2]
    check_keys("", {key: 0 for key in items if not key.startswith("x_")}, _READERS, required=())
    data["hands"] = hands
    for key, value in items.items():
        data[key] = _READERS.get(key, _read_anything)(key, value, len(hands))
    if comment and "comment" in items:
        raise PositionError("comment: given twice, expected once")
    if comment:
        data["comment"] = comment
    if hands and data.get("called") and "partner" not in data:
        data["partner"] = _holder(data)
    return data


def _without_comment(text: str) -> tuple[str, str]:
    found = _COMMENT.search(text)
    return (text[: found.start()], text[found.end() :].strip()) if found else (text, "")


def _read_header(word: str) -> dict[str, object]:
    header = _HEADER.fullmatch(word)
    if header is None:
        raise PositionError(
            f"{word!r}: expected variant:contract@declarer+partner, such as "
            "koenigrufen:rufer@0+2; the last two may be left out"
        )
    variant, contract, declarer, partner = header.groups()
    data: dict[str, object] = {"variant": variant.lower(), "contract": contract.lower()}
    if declarer is not None:
        data["declarer"] = None if declarer == _EMPTY else _number("declarer", declarer)
    if partner is not None:
        data["partner"] = _number("partner", partner)
    return data


def _holder(data: Mapping[str, Any]) -> int | None:
    """Return the seat other than the declarer's that holds, laid away or played the called card."""
    seats = len(data["hands"])
    tricks = [
        *data.get("history", ()),
        {"leader": data.get("leader", 0), "cards": data.get("trick", "")},
    ]
    found = [
        seat
        for key in ("hands", "discards")
        for seat, cards in enumerate(data.get(key, ()))
        if data["called"] in cards.split()
    ]
    found += [
        (trick["leader"] + trick["cards"].split().index(data["called"])) % seats
        for trick in tricks
        if data["called"] in trick["cards"].split()
    ]
    return found[0] if found and found[0] != data.get("declarer", 0) else None


def _number(key: str, text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        raise PositionError(f"{key}: {text!r}, expected a whole number")
    return int(text)


def _read_number(key: str, text: str, _seats: int) -> int:
    return _number(key, text)


def _read_numbers(key: str, text: str, _seats: int = 0) -> list[int]:
    return [_number(f"{key}[{place}]", word) for place, word in enumerate(text.split(","))]


def _read_holding(key: str, text: str, _seats: int) -> str:
    return _holding(key, text)


def _pairs(key: str, text: str, form: str) -> list[tuple[str, str]]:
    """Return the parts of a value, each split at its colon."""
    pairs = []
    for part in text.split("/"):
        name, colon, value = part.partition(":")
        if not colon:
            raise PositionError(f"{key}: {part!r}, expected {form}")
        pairs.append((name, value))
    return pairs


def _read_seats(
    key: str, text: str, seats: int, read: Callable[[str, str], object] = _holding
) -> list[object]:
    """Read `seat:cards/seat:cards`; seats left out have none."""
    found: dict[int, object] = {}
    nothing = read(key, _EMPTY)
    if text == _EMPTY:
        return [nothing] * seats
    for name, value in _pairs(key, text, "seat:cards, such as 0:HQ2.D3"):
        seat = _number(key, name)
        if not 0 <= seat < seats:
            raise PositionError(f"{key}: there is no seat {seat}, expected one of the {seats}")
        if seat in found:
            raise PositionError(f"{key}: seat {seat} is given twice, expected once")
        found[seat] = read(f"{key}[{seat}]", value)
    return [found.get(seat, nothing) for seat in range(seats)]


def _stacks(key: str, text: str) -> list[str]:
    stacks = [] if text == _EMPTY else text.split("|")
    return [_holding(f"{key}[{number}]", stack) for number, stack in enumerate(stacks)]


def _read_straw(key: str, text: str, seats: int) -> list[object]:
    return _read_seats(key, text, seats, _stacks)


def _read_history(key: str, text: str, _seats: int) -> list[dict[str, object]]:
    tricks: list[dict[str, object]] = []
    if text == _EMPTY:
        return tricks
    for leader, cards in _pairs(key, text, "leader:cards, such as 0:T5.SK7"):
        where = f"{key}[{len(tricks)}]"
        tricks.append({"leader": _number(where, leader), "cards": _holding(where, cards)})
    return tricks


def _read_announced(key: str, text: str, _seats: int) -> list[dict[str, object]]:
    return [
        {"seat": _number(key, seat), "bonus": bonus}
        for seat, bonus in _pairs(key, text, "seat:bonus, such as 0:pagat")
    ]


def _read_stakes(key: str, text: str, _seats: int) -> dict[str, object]:
    stakes: dict[str, object] = {}
    for name, value in _pairs(key, text, "stake:multiplier, such as game:2"):
        numbers = _read_numbers(f"{key}.{name}", value)
        stakes[name] = numbers if "," in value else numbers[0]
    return stakes


def _read_options(key: str, text: str, _seats: int) -> dict[str, object]:
    options: dict[str, object] = {}
    for part in text.split("/"):
        name, colon, value = part.partition(":")
        if not colon or value in _BOOLEANS:
            options[name] = _BOOLEANS.get(value, True)
        else:
            options[name] = _read_numbers(f"{key}.{name}", value) if value else []
    return options


def _read_anything(key: str, text: str, _seats: int) -> object:
    """Read a plain word or whole number as it is, and else JSON."""
    if _WORD.fullmatch(text) and text not in ("true", "false", "null"):
        return text
    try:
        value = json.loads(text)
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise PositionError(
            f'{key}: {text!r}, expected a word, or JSON without blanks, such as "a\\u0020b"'
        ) from error
    return value


_READERS: Mapping[str, Callable[[str, str, int], object]] = {
    "called": _read_holding,
    "level": _read_number,
    "announced": _read_announced,
    "doubled": _read_stakes,
    "options": _read_options,
    "talon": _read_holding,
    "discards": _read_seats,
    "leader": _read_number,
    "trick": _read_holding,
    "tricks_won": _read_numbers,
    "taken": _read_seats,
    "history": _read_history,
    "straw": _read_straw,
    "id": _read_anything,
    "comment": _read_anything,
}
"""How each `key=value` of a deal string is read, given the number of hands."""


# --- Writing ---


def format_deal(data: Mapping[str, Any]) -> str:
    """Return the deal string of a position's canonical JSON object.

    Args:
        data: what `trull.solver.interchange.position_to_dict` returns.

    Raises `PositionError` for a key that no word can spell.
    """
    before = ("called", "level", "announced", "doubled", "options")
    comment = data.get("comment")
    as_comment = isinstance(comment, str) and comment == comment.strip() and comment.isprintable()
    items = {key: value for key, value in data.items() if key in _WRITERS or key[:2] == "x_"}
    if comment and as_comment:
        del items["comment"]
    words = [_write_header(data), *_write_items(items, before)]
    words += [format_holding(parse_cards(hand)) for hand in data["hands"]]
    words += _write_items(items, [key for key in _WRITERS if key not in before])
    words += _write_items(items, [key for key in items if key not in _WRITERS])
    return " ".join(words) + (f" # {comment}" if comment and as_comment else "")


def _write_header(data: Mapping[str, Any]) -> str:
    declarer, partner = data.get("declarer", 0), data.get("partner")
    header = f"{data['variant']}:{data['contract']}"
    book = VARIANTS[data["variant"]]
    if book.contracts[data["contract"]].sides != "everyone" or declarer or partner is not None:
        header += f"@{_EMPTY if declarer is None else declarer}"
    return header if partner is None else f"{header}+{partner}"


def _write_items(items: Mapping[str, Any], keys: Iterable[str]) -> list[str]:
    for key in keys:
        if not re.fullmatch(r"\w+", key):
            raise PositionError(f"{key}: cannot stand in a deal string, expected letters and _")
    return [
        f"{key}={_WRITERS.get(key, _write_anything)(items[key])}" for key in keys if key in items
    ]


def _write_holding(text: str) -> str:
    return format_holding(parse_cards(text))


def _write_seats(entries: Sequence[Any], write: Callable[[Any], str] = _write_holding) -> str:
    written = (f"{seat}:{write(entry)}" for seat, entry in enumerate(entries) if entry)
    return "/".join(written) or _EMPTY


def _write_straw(straw: Sequence[Sequence[str]]) -> str:
    return _write_seats(straw, lambda stacks: "|".join(map(_write_holding, stacks)))


def _write_history(history: Sequence[Mapping[str, Any]]) -> str:
    tricks = (f"{trick['leader']}:{_write_holding(trick['cards'])}" for trick in history)
    return "/".join(tricks) or _EMPTY


def _write_announced(announced: Sequence[Mapping[str, Any]]) -> str:
    return "/".join(f"{entry['seat']}:{entry['bonus']}" for entry in announced)


def _write_numbers(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


def _write_stakes(stakes: Mapping[str, Any]) -> str:
    return "/".join(
        f"{name}:{_write_numbers(stake) if isinstance(stake, list) else stake}"
        for name, stake in stakes.items()
    )


def _write_options(options: Mapping[str, Any]) -> str:
    values = {True: "", False: ":false"}
    return "/".join(
        name + (values[value] if isinstance(value, bool) else f":{_write_numbers(value)}")
        for name, value in options.items()
    )


def _write_anything(value: object) -> str:
    if isinstance(value, str) and _read_back(value) == value:
        return value
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return re.sub(r"\s", lambda blank: f"\\u{ord(blank[0]):04x}", text)


def _read_back(text: str) -> object:
    try:
        return _read_anything("", text, 0)
    except PositionError:
        return None


_WRITERS: Mapping[str, Callable[[Any], str]] = {
    "called": _write_holding,
    "level": str,
    "announced": _write_announced,
    "doubled": _write_stakes,
    "options": _write_options,
    "talon": _write_holding,
    "discards": _write_seats,
    "leader": str,
    "trick": _write_holding,
    "tricks_won": _write_numbers,
    "taken": _write_seats,
    "history": _write_history,
    "straw": _write_straw,
    "id": _write_anything,
    "comment": _write_anything,
}
