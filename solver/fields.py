"""Readers of the values that stand in JSON objects, each naming its key in what it refuses.

A reader takes a key and a decoded value, and returns what the value stands for or raises
`PositionError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from trull.solver.cards import CardError, parse_cards, to_mask
from trull.solver.json_stream import show
from trull.solver.validation import PositionError

_LONGEST_TEXT = 1000
_LARGEST_NUMBER = 1_000_000

Reader = Callable[[str, object], Any]


def extra_keys(data: Mapping[str, object]) -> dict[str, object]:
    """Return the keys beginning with `x_`, which are copied to every answer."""
    return {key: value for key, value in data.items() if key.startswith("x_")}


def check_keys(
    where: str, given: Mapping[str, object], known: Iterable[str], required: Iterable[str]
) -> None:
    """Refuse a key that is not among the `known`, and the lack of one that is `required`.

    Args:
        where: the key of the object that holds the keys, or nothing for the outermost one.
        given: the object.
        known: the keys it may have.
        required: the keys it must have.
    """
    for key in given:
        if key not in known:
            near = get_close_matches(key.lower(), known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(known)}"
            raise PositionError(f"{where + ': ' if where else ''}unknown key {show(key)}, {hint}")
    for key in required:
        if key not in given:
            raise PositionError(f"{where + '.' if where else ''}{key}: missing, but required")


def expect(key: str, value: object, kind: type, words: str) -> Any:
    """Return `value`, refusing any that is not of the type `kind` itself."""
    if type(value) is not kind:
        raise PositionError(f"{key}: {show(value)}, expected {words}")
    return value


def read_text(key: str, value: object, words: str = "a text") -> str:
    """Return a text that is not too long."""
    text: str = expect(key, value, str, words)
    if len(text) > _LONGEST_TEXT:
        raise PositionError(f"{key}: {len(text)} characters, expected at most {_LONGEST_TEXT}")
    return text


def read_number(key: str, value: object) -> int:
    """Return a whole number of moderate size."""
    number: int = expect(key, value, int, "a whole number")
    if abs(number) > _LARGEST_NUMBER:
        raise PositionError(f"{key}: {show(number)}, expected a smaller number")
    return number


def read_cards(key: str, value: object) -> tuple[int, ...]:
    """Return the cards of a text, in their order."""
    text = read_text(key, value, 'a text with cards, such as "T21 SK H4"')
    try:
        return parse_cards(text)
    except CardError as error:
        raise PositionError(f"{key}: {error}") from error


def read_set(key: str, value: object) -> int:
    """Return the cards of a text as a mask."""
    return to_mask(read_cards(key, value))


def read_card(key: str, value: object) -> int:
    """Return the only card of a text."""
    cards = read_cards(key, value)
    if len(cards) != 1:
        raise PositionError(f"{key}: {len(cards)} cards, expected one")
    return cards[0]


def nullable(reader: Reader, key: str, value: object) -> Any:
    """Return `None` for null, else what `reader` returns."""
    return None if value is None else reader(key, value)


def list_of(reader: Reader, key: str, value: object) -> tuple[Any, ...]:
    """Return what `reader` makes of every entry of a list."""
    entries = expect(key, value, list, "a list")
    return tuple(reader(f"{key}[{number}]", entry) for number, entry in enumerate(entries))


def record_of(
    make: Callable[..., Any], readers: Mapping[str, Reader], key: str, value: object
) -> Any:
    """Read an object that has exactly the keys of `readers`."""
    entries = expect(key, value, dict, f"an object with {' and '.join(readers)}")
    check_keys(key, entries, readers, required=readers)
    return make(
        **{name: reader(f"{key}.{name}", entries[name]) for name, reader in readers.items()}
    )
