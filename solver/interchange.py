"""Positions as JSON: what every tool reads and writes.

A position is one JSON object whose keys are the attributes of `Position`; a card is written by
its name, a set or sequence of cards as one string. `parse_position` reads a decoded object,
`position_to_dict` writes the canonical form, `read_positions` reads a stream of positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from typing import Any

from trull.solver import rulebooks
from trull.solver.cards import NAMES, CardError, format_cards, format_hand, parse_cards, to_mask
from trull.solver.json_stream import Faulty, read_objects, show
from trull.solver.position import Announcement, Position, Trick
from trull.solver.rules import Contract, in_force
from trull.solver.validation import PositionError, find_contract

_LONGEST_TEXT = 1000
_LARGEST_NUMBER = 1_000_000


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


def read_positions(stream: Iterable[str] | Iterable[bytes]) -> Iterator[Position | Rejected]:
    """Yield every position of a stream, or why it is none, in their order.

    The stream holds one JSON object, on one line or several, or JSON Lines. An object is yielded
    as soon as its last line is read, so a pipe that never ends is answered line by line; a
    faulty item does not end the reading. An empty stream is one faulty item.

    Args:
        stream: an open file, text or binary (UTF-8), or any iterable of lines.
    """
    for item in read_objects(stream):
        if isinstance(item, Faulty):
            yield _rejected(item.error, item.data)
            continue
        try:
            yield parse_position(item)
        except PositionError as error:
            yield _rejected(str(error), item)


def _rejected(error: str, data: object) -> Rejected:
    if not isinstance(data, dict):
        return Rejected(error=error)
    return Rejected(error=error, id=data.get("id"), comment=data.get("comment"), extra=_extra(data))


def _extra(data: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in data.items() if key.startswith("x_")}


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
    extra = _extra(data)
    given = {key: value for key, value in data.items() if key not in extra}
    _check_keys("", given, _READERS, required=("variant", "contract", "hands"))
    values = {key: _READERS[key](key, value) for key, value in given.items()}
    if "leader" not in values:
        values["leader"] = _first_leader(values)
    return Position(**values, extra=extra)


def _check_keys(
    where: str, given: Mapping[str, object], known: Iterable[str], required: Iterable[str]
) -> None:
    for key in given:
        if key not in known:
            near = get_close_matches(key.lower(), known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(known)}"
            raise PositionError(f"{where + ': ' if where else ''}unknown key {show(key)}, {hint}")
    for key in required:
        if key not in given:
            raise PositionError(f"{where + '.' if where else ''}{key}: missing, but required")


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


_Reader = Callable[[str, object], Any]


def _expect(key: str, value: object, kind: type, words: str) -> Any:
    """Return `value`, refusing any that is not of the type `kind` itself."""
    if type(value) is not kind:
        raise PositionError(f"{key}: {show(value)}, expected {words}")
    return value


def _text(key: str, value: object, words: str = "a text") -> str:
    text: str = _expect(key, value, str, words)
    if len(text) > _LONGEST_TEXT:
        raise PositionError(f"{key}: {len(text)} characters, expected at most {_LONGEST_TEXT}")
    return text


def _number(key: str, value: object) -> int:
    number: int = _expect(key, value, int, "a whole number")
    if abs(number) > _LARGEST_NUMBER:
        raise PositionError(f"{key}: {show(number)}, expected a smaller number")
    return number


def _cards(key: str, value: object) -> tuple[int, ...]:
    text = _text(key, value, 'a text with cards, such as "T21 SK H4"')
    try:
        return parse_cards(text)
    except CardError as error:
        raise PositionError(f"{key}: {error}") from error


def _hand(key: str, value: object) -> int:
    return to_mask(_cards(key, value))


def _card(key: str, value: object) -> int:
    cards = _cards(key, value)
    if len(cards) != 1:
        raise PositionError(f"{key}: {len(cards)} cards, expected one")
    return cards[0]


def _nullable(reader: _Reader, key: str, value: object) -> Any:
    return None if value is None else reader(key, value)


def _list(reader: _Reader, key: str, value: object) -> tuple[Any, ...]:
    entries = _expect(key, value, list, "a list")
    return tuple(reader(f"{key}[{number}]", entry) for number, entry in enumerate(entries))


def _stacks(key: str, value: object) -> tuple[tuple[int, ...], ...]:
    """Read the straw men of a seat; one that is used up may stand there as an empty text."""
    return tuple(filter(None, _list(_cards, key, value)))


def _record(
    make: Callable[..., Any], readers: Mapping[str, _Reader], key: str, value: object
) -> Any:
    """Read an object that has exactly the keys of `readers`."""
    entries = _expect(key, value, dict, f"an object with {' and '.join(readers)}")
    _check_keys(key, entries, readers, required=readers)
    return make(
        **{name: reader(f"{key}.{name}", entries[name]) for name, reader in readers.items()}
    )


def _stakes(key: str, value: object) -> dict[str, int | tuple[int, ...]]:
    entries = _expect(key, value, dict, 'an object such as {"game": 2}')
    return {
        name: _list(_number, f"{key}.{name}", stake)
        if isinstance(stake, list)
        else _number(f"{key}.{name}", stake)
        for name, stake in entries.items()
    }


def _options(key: str, value: object) -> dict[str, object]:
    entries = _expect(key, value, dict, "an object with options by name")
    return {
        name: tuple(option) if isinstance(option, list) else option
        for name, option in entries.items()
    }


def _anything(_key: str, value: object) -> object:
    return value


_READERS: Mapping[str, _Reader] = {
    "variant": _text,
    "contract": _text,
    "hands": partial(_list, _hand),
    "declarer": partial(_nullable, _number),
    "partner": partial(_nullable, _number),
    "called": partial(_nullable, _card),
    "leader": _number,
    "trick": _cards,
    "taken": partial(_list, _hand),
    "tricks_won": partial(_list, _number),
    "history": partial(_list, partial(_record, Trick, {"leader": _number, "cards": _cards})),
    "straw": partial(_list, _stacks),
    "talon": _cards,
    "discards": partial(_list, _hand),
    "level": _number,
    "announced": partial(_list, partial(_record, Announcement, {"seat": _number, "bonus": _text})),
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
