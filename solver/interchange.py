"""Positions as texts: JSON, what every tool reads and writes, and two notations of one line.

A position is one JSON object whose keys are the attributes of `Position`; a card is written by
its name, a set or sequence of cards as one string. `parse_position` reads a decoded object,
`position_to_dict` writes the canonical form, `read_positions` reads a stream of positions, in
which deal strings and Taroky Notation may stand as well.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from trull.solver import rulebooks
from trull.solver.cards import NAMES, format_cards, format_hand
from trull.solver.dealstring import format_deal, is_deal, parse_deal
from trull.solver.fields import (
    Reader,
    check_keys,
    expect,
    extra_keys,
    list_of,
    nullable,
    read_card,
    read_cards,
    read_number,
    read_set,
    read_text,
    record_of,
)
from trull.solver.json_stream import Faulty, Foreign, read_objects, show
from trull.solver.position import Announcement, Position, Trick
from trull.solver.rules import Contract, in_force
from trull.solver.taroky import format_taroky, is_taroky, parse_taroky
from trull.solver.validation import PositionError, find_contract

Form = Literal["json", "deal", "taroky"]
"""What a position can be written as: a JSON object, a deal string, Taroky Notation."""


@dataclass(frozen=True, kw_only=True)
class Rejected:
    """An item of a stream that is no position.

    Attributes:
        error: a sentence about the first fault found.
        id: the item's `id`, if it could be read.
        comment: the item's `comment`, if it could be read.
        extra: the item's keys beginning with `x_`, as far as they could be read.
    """

    error: str
    id: object = None
    comment: object = None
    extra: Mapping[str, object] = field(default_factory=dict)


def read_positions(
    stream: Iterable[str] | Iterable[bytes], form: Form | None = None
) -> Iterator[Position | Rejected]:
    """Yield every position of a stream, or why it is none, in their order.

    The stream holds one JSON object, on one line or several, or JSON Lines, among which lines
    may be deal strings or Taroky Notation. An item is yielded as soon as its last line is read,
    so a pipe that never ends is answered line by line; a faulty item does not end the reading.
    An empty stream is one faulty item.

    Args:
        stream: an open file, text or binary (UTF-8), or any iterable of lines.
        form: what every item is; by default each tells by its beginning.
    """
    for item in read_objects(stream, lambda line: (form or form_of(line)) != "json"):
        if isinstance(item, Faulty):
            yield rejected(item.error, item.data)
            continue
        try:
            yield parse_text(item.text, form) if isinstance(item, Foreign) else parse_position(item)
        except PositionError as error:
            yield rejected(str(error), item)


def form_of(text: str) -> Form:
    """Return what a text is by its beginning; JSON when it is neither of the notations."""
    if is_taroky(text):
        return "taroky"
    return "deal" if is_deal(text) else "json"


def parse_text(text: str, form: Form | None = None) -> Position:
    """Return the position that a line of a notation describes.

    Args:
        text: a deal string or Taroky Notation.
        form: which of them; by default it tells by its beginning.

    Raises `PositionError` with one sentence that names the part of the text.
    """
    if (form or form_of(text)) == "taroky":
        return parse_taroky(text)
    return parse_position(parse_deal(text))


def format_text(position: Position, form: Form) -> str:
    """Return a position on one line.

    Raises `PositionError` with one sentence that names the key that a notation cannot hold.
    """
    if form == "taroky":
        return format_taroky(position)
    data = position_to_dict(position)
    return format_deal(data) if form == "deal" else json.dumps(data, ensure_ascii=False)


def rejected(error: str, data: object) -> Rejected:
    """Return an item that is refused, with what can be copied to the answer out of `data`."""
    if not isinstance(data, dict):
        return Rejected(error=error)
    return Rejected(
        error=error, id=data.get("id"), comment=data.get("comment"), extra=extra_keys(data)
    )


def copied(item: Position | Rejected) -> dict[str, object]:
    """Return the keys of an item that every answer to it repeats: `id`, `comment`, `x_…`."""
    names = {"id": item.id, "comment": item.comment}
    return {key: value for key, value in names.items() if value is not None} | dict(item.extra)


# --- Reading ---


def parse_position(data: object) -> Position:
    """Return the position that a decoded JSON object describes.

    Args:
        data: what a JSON parser returned.

    Raises `PositionError` with one sentence that names the key: for an unknown key, a missing
    one, a value of the wrong type, a text that is no card, and an inconsistent position.
    """
    if not isinstance(data, dict):
        raise PositionError(f"{show(data)}, expected a JSON object")
    extra = extra_keys(data)
    given = {key: value for key, value in data.items() if key not in extra}
    check_keys("", given, _READERS, required=("variant", "contract", "hands"))
    values = {key: _READERS[key](key, value) for key, value in given.items()}
    if "leader" not in values:
        values["leader"] = _first_leader(values)
    return Position(**values, extra=extra)


def _first_leader(values: Mapping[str, Any]) -> int:
    """Return the seat that leads the first trick; refuse a position that is past that."""
    begun = {
        "taken": any(values.get("taken", ())),
        "trick": bool(values.get("trick")),
        "tricks_won": any(values.get("tricks_won", ())),
        "history": bool(values.get("history")),
    }
    for key, is_begun in begun.items():
        if is_begun:
            raise PositionError(f"leader: missing, but required as {key} is not empty")
    contract = find_contract(values["variant"], values["contract"])
    book = rulebooks.variant(values["variant"])
    rules = in_force(book, contract, (), values.get("options", {}))
    return _leader(rules, values.get("declarer", 0))


def _leader(rules: Contract, declarer: int | None) -> int:
    return declarer or 0 if rules.leader == "declarer" else 0


def _stacks(key: str, value: object) -> tuple[tuple[int, ...], ...]:
    """Read the straw men of a seat; one that is used up may stand there as an empty text."""
    return tuple(filter(None, list_of(read_cards, key, value)))


def _stakes(key: str, value: object) -> dict[str, int | tuple[int, ...]]:
    entries = expect(key, value, dict, 'an object such as {"game": 2}')
    return {
        name: list_of(read_number, f"{key}.{name}", stake)
        if isinstance(stake, list)
        else read_number(f"{key}.{name}", stake)
        for name, stake in entries.items()
    }


def _options(key: str, value: object) -> dict[str, object]:
    entries = expect(key, value, dict, "an object with options by name")
    return {
        name: tuple(option) if isinstance(option, list) else option
        for name, option in entries.items()
    }


def _anything(_key: str, value: object) -> object:
    return value


_READERS: Mapping[str, Reader] = {
    "variant": read_text,
    "contract": read_text,
    "hands": partial(list_of, read_set),
    "declarer": partial(nullable, read_number),
    "partner": partial(nullable, read_number),
    "called": partial(nullable, read_card),
    "leader": read_number,
    "trick": read_cards,
    "taken": partial(list_of, read_set),
    "tricks_won": partial(list_of, read_number),
    "history": partial(
        list_of, partial(record_of, Trick, {"leader": read_number, "cards": read_cards})
    ),
    "straw": partial(list_of, _stacks),
    "talon": read_cards,
    "discards": partial(list_of, read_set),
    "level": read_number,
    "announced": partial(
        list_of, partial(record_of, Announcement, {"seat": read_number, "bonus": read_text})
    ),
    "doubled": _stakes,
    "options": _options,
    "id": _anything,
    "comment": _anything,
}
"""How each key of a position is read."""


# --- Writing ---


def position_to_dict(position: Position) -> dict[str, object]:
    """Return the canonical JSON object of a position, ready for a JSON encoder.

    Keys stand in a fixed order, sets of cards are sorted, and what has its default is left out.
    `parse_position` makes an equal position of it.
    """
    written = {key: writer(getattr(position, key)) for key, writer in _WRITERS.items()}
    left_out = {key for key, default in _DEFAULTS.items() if written[key] == default}
    left_out |= {key for key in ("taken", "discards") if not any(getattr(position, key))}
    if position.tricks_won == position.counted_tricks:
        left_out.add("tricks_won")
    if position.called == position.rules.calls:
        left_out.add("called")
    if not _has_begun(position) and position.leader == _leader(position.rules, position.declarer):
        left_out.add("leader")
    kept = {key: value for key, value in written.items() if key not in left_out}
    return kept | dict(position.extra)


def _has_begun(position: Position) -> bool:
    return bool(
        any(position.taken) or position.trick or any(position.tricks_won) or position.history
    )


def _unchanged(value: object) -> object:
    return value


def _write_card(card: int | None) -> str | None:
    return None if card is None else NAMES[card]


def _write_sets(masks: Iterable[int]) -> list[str]:
    return [format_hand(mask) for mask in masks]


def _write_history(history: Iterable[Trick] | None) -> list[dict[str, object]] | None:
    if history is None:
        return None
    return [{"leader": trick.leader, "cards": format_cards(trick.cards)} for trick in history]


def _write_straw(straw: Iterable[Iterable[Iterable[int]]]) -> list[list[str]]:
    return [[format_cards(stack) for stack in stacks] for stacks in straw]


def _write_tuples(entries: Mapping[str, object]) -> dict[str, object]:
    return {
        name: list(entry) if isinstance(entry, tuple) else entry for name, entry in entries.items()
    }


_WRITERS: Mapping[str, Callable[[Any], object]] = {
    "id": _unchanged,
    "variant": _unchanged,
    "contract": _unchanged,
    "hands": _write_sets,
    "declarer": _unchanged,
    "partner": _unchanged,
    "called": _write_card,
    "leader": _unchanged,
    "trick": format_cards,
    "taken": _write_sets,
    "tricks_won": list,
    "history": _write_history,
    "straw": _write_straw,
    "talon": format_cards,
    "discards": _write_sets,
    "level": _unchanged,
    "announced": lambda announced: [announcement._asdict() for announcement in announced],
    "doubled": _write_tuples,
    "options": _write_tuples,
    "comment": _unchanged,
}
_DEFAULTS: Mapping[str, object] = {
    "declarer": 0,
    "partner": None,
    "trick": "",
    "history": None,
    "straw": [],
    "talon": "",
    "level": 1,
    "announced": [],
    "doubled": {},
    "options": {},
    "id": None,
    "comment": None,
}
