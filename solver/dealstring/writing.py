"""From the JSON object of a position to its deal string."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from trull.solver.cards import parse_cards
from trull.solver.dealstring.holdings import EMPTY, format_holding
from trull.solver.dealstring.reading import read_anything
from trull.solver.rulebooks import VARIANTS
from trull.solver.validation import PositionError


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
        header += f"@{EMPTY if declarer is None else declarer}"
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
    return "/".join(written) or EMPTY


def _write_straw(straw: Sequence[Sequence[str]]) -> str:
    return _write_seats(straw, lambda stacks: "|".join(map(_write_holding, stacks)))


def _write_history(history: Sequence[Mapping[str, Any]]) -> str:
    tricks = (f"{trick['leader']}:{_write_holding(trick['cards'])}" for trick in history)
    return "/".join(tricks) or EMPTY


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
        return read_anything("", text, 0)
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
