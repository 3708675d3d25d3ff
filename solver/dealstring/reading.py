"""From a deal string to the JSON object of a position."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from trull.solver.cards import CardError, format_cards
from trull.solver.dealstring.holdings import EMPTY, parse_holding
from trull.solver.fields import check_keys
from trull.solver.validation import PositionError

_BEGINNING = re.compile(r"\s*[A-Za-z_]+:", re.ASCII)
_HEADER = re.compile(r"([A-Za-z_]+):([A-Za-z_]+)(?:@(\d+|-)(?:\+(\d+))?)?", re.ASCII)
_ITEM = re.compile(r"(\w+)=(.*)", re.DOTALL)
_COMMENT = re.compile(r"(?:^|\s)#")
_WORD = re.compile(r"[^\W\d]\w*(?:[-_./]\w+)*")
_BOOLEANS = {"true": True, "false": False}


def is_deal(text: str) -> bool:
    """Return whether a text begins like a deal string: with a variant and a colon."""
    return _BEGINNING.match(text) is not None


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
        data[key] = _READERS.get(key, read_anything)(key, value, len(hands))
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
        data["declarer"] = None if declarer == EMPTY else _number("declarer", declarer)
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


def _holding(key: str, text: str) -> str:
    """Return the cards of a part of a deal string as JSON has them."""
    if text == EMPTY:
        return ""
    try:
        return format_cards(parse_holding(text))
    except CardError as error:
        raise PositionError(f"{key}: {error}") from error


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
    nothing = read(key, EMPTY)
    if text == EMPTY:
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
    stacks = [] if text == EMPTY else text.split("|")
    return [_holding(f"{key}[{number}]", stack) for number, stack in enumerate(stacks)]


def _read_straw(key: str, text: str, seats: int) -> list[object]:
    return _read_seats(key, text, seats, _stacks)


def _read_history(key: str, text: str, _seats: int) -> list[dict[str, object]]:
    tricks: list[dict[str, object]] = []
    if text == EMPTY:
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


def read_anything(key: str, text: str, _seats: int) -> object:
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
    "id": read_anything,
    "comment": read_anything,
}
"""How each `key=value` of a deal string is read, given the number of hands."""
