"""JSON objects out of a stream: one object on several lines, or JSON Lines, whatever comes.

Lines that are items in another notation may stand among them, and are handed on as they are.

Positions are written by other programs and by hand, so nothing here trusts the input: what is no
plain JSON object becomes a `Faulty` item with a sentence about it, and reading goes on.
"""

from __future__ import annotations

import json
import math
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

_MOST_LINES = 1000
_DEEPEST = 50
_LONGEST_SHOWN = 40
# A string, or what is left of the line when it is not closed (so that matching stays linear).
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?')
_BRACKET = re.compile(r"[\[\]{}]")


@dataclass(frozen=True)
class Faulty:
    """An item of a stream that is no plain JSON object.

    Attributes:
        error: a sentence that says why.
        data: what could be decoded nevertheless, or `None`.
    """

    error: str
    data: object = None


@dataclass(frozen=True)
class Foreign:
    """A line that is an item in another notation than JSON."""

    text: str


class _Line(NamedTuple):
    number: int
    text: str
    is_utf8: bool


def show(value: object) -> str:
    """Return a short form of a decoded JSON value, for messages."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def read_objects(
    stream: Iterable[str] | Iterable[bytes], is_foreign: Callable[[str], bool] = lambda _: False
) -> Iterator[dict[str, object] | Foreign | Faulty]:
    """Yield the JSON objects of a stream in order, each as soon as its last line is read.

    Blank lines are skipped. An object left unfinished ends where a line cannot belong to it, or
    is a whole item of its own: an object with a `variant`, or one in another notation. A stream
    of nothing is one fault.

    Args:
        stream: an open file, text or binary (UTF-8), or any iterable of lines.
        is_foreign: whether a line is an item in another notation.
    """
    empty = True
    for lines in _items(_lines(stream), is_foreign):
        empty = False
        if not is_foreign(lines[0].text):
            yield _decoded(lines)
        elif lines[0].is_utf8:
            yield Foreign(lines[0].text)
        else:
            yield Faulty(f"line {lines[0].number}: not UTF-8")
    if empty:
        yield Faulty("empty input, expected a JSON object, or one JSON object a line")


# --- Lines to items ---


def _lines(stream: Iterable[str] | Iterable[bytes]) -> Iterator[_Line]:
    """Yield the lines that are not blank.

    A text file is read through its buffer, so that its decoder cannot end the reading.
    """
    for number, line in enumerate(getattr(stream, "buffer", stream), 1):
        raw = line if isinstance(line, bytes) else line.encode(errors="surrogatepass")
        text = raw.decode(errors="replace").lstrip("\ufeff").rstrip()
        if text.strip():
            yield _Line(number, text, _is_utf8(raw))


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _items(source: Iterator[_Line], is_foreign: Callable[[str], bool]) -> Iterator[list[_Line]]:
    """Yield the lines of each item: a whole object, or a text that cannot become one."""
    again: deque[_Line] = deque()
    begun: list[_Line] = []
    depth = 0
    broken: _Line | None = None
    while True:
        line = again.popleft() if again else next(source, None)
        if line is None and not begun:
            return
        if line is not None and broken is not None and _belongs_to(broken.text, line.text):
            continue
        broken = None
        foreign = line is not None and is_foreign(line.text)
        if line is not None and not (begun and (foreign or _is_whole(line.text))):
            begun.append(line)
            depth += 0 if foreign else _depth(line.text)
            if 0 < depth <= _DEEPEST and _may_go_on(begun):
                continue
            line = None
        yield begun
        if depth > 0:
            # Only its first line is known to be at fault: look at the others once more.
            again.extendleft([*([line] if line else []), *reversed(begun[1:])])
            broken = begun[0]
        begun, depth = [], 0


def _depth(text: str) -> int:
    """Return how many brackets a line opens and leaves open; negative if it closes more."""
    return sum(1 if bracket in "[{" else -1 for bracket in _brackets(text))


def _brackets(text: str) -> list[str]:
    return _BRACKET.findall(_STRING.sub("", text))


def _belongs_to(first: str, text: str) -> bool:
    """Return whether a line looks like one from within the object that `first` begins."""
    if text[0] in " \t" and first == "{":
        return True
    return text[0] in ' \t"}],:' and not text.lstrip().startswith("{")


def _is_whole(text: str) -> bool:
    """Return whether a line looks like an item of its own."""
    return text.startswith("{") and '"variant"' in text and _depth(text) == 0


def _may_go_on(begun: list[_Line]) -> bool:
    """Return whether more lines could make a JSON object of those begun."""
    if not begun[0].text.lstrip().startswith("{") or len(begun) == _MOST_LINES:
        return False
    text = "\n".join(line.text for line in begun)
    try:
        json.loads(text + "\n!")
    except json.JSONDecodeError as error:
        # Whether the mark is the first thing that is wrong.
        return error.pos > len(text)
    except ValueError:  # a number too long for the interpreter
        return False
    return False


# --- Items to objects ---


def _decoded(lines: list[_Line]) -> dict[str, object] | Faulty:
    text = "\n".join(line.text for line in lines)
    if _nesting(text) > _DEEPEST:
        return Faulty(f"line {lines[0].number}: lists and objects nested too deeply")
    faults = [f"line {line.number}: not UTF-8" for line in lines if not line.is_utf8]
    try:
        data = _loads(text, faults)
    except json.JSONDecodeError as error:
        return Faulty(faults[0] if faults else _syntax_fault(lines, text, error))
    if not isinstance(data, dict):
        return Faulty(f"line {lines[0].number}: {show(data)}, expected a JSON object")
    if not _is_encodable(data):
        return Faulty("a text contains half of a surrogate pair, expected whole characters")
    return Faulty(faults[0], data) if faults else data


def _nesting(text: str) -> int:
    depth = deepest = 0
    for bracket in _brackets(text):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _loads(text: str, faults: list[str]) -> object:
    """Return the decoded text; add to `faults` what Python's parser lets pass."""

    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in items:
            if key in found:
                faults.append(f"{show(key)} appears twice in one object, expected it once")
            found.setdefault(key, value)
        return found

    def number(digits: str) -> float | None:
        value = float(digits)
        if math.isfinite(value):
            return value
        faults.append(f"{digits[:_LONGEST_SHOWN]} is no number that JSON can hold")
        return None

    def integer(digits: str) -> int | None:
        try:
            return int(digits)
        except ValueError:
            faults.append(f"a number of {len(digits)} digits is too long")
            return None

    return json.loads(
        text,
        object_pairs_hook=pairs,
        parse_constant=number,
        parse_float=number,
        parse_int=integer,
    )


def _syntax_fault(lines: list[_Line], text: str, error: json.JSONDecodeError) -> str:
    number = lines[error.lineno - 1].number
    if error.pos >= len(text):
        return f"line {number}: the JSON object is not finished"
    if not text.lstrip().startswith("{"):
        return f"line {number}: expected a JSON object, a deal string or Taroky Notation"
    return f"line {number}, column {error.colno}: no JSON: {error.msg}"


def _is_encodable(data: object) -> bool:
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
