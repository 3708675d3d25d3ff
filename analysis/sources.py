"""Where a command reads from: a file, standard input, or a text that stands in its place."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from io import BytesIO
from typing import TypeVar

from trull.solver.interchange import form_of

Item = TypeVar("Item")


def is_text(source: str) -> bool:
    """Return whether an argument is a position itself, and not the name of a file."""
    looks = form_of(source) != "json" or source.lstrip().startswith("{")
    return looks and not os.path.exists(source)


def opened(source: str) -> AbstractContextManager[Iterable[bytes]]:
    """Return the lines of a source, to be used in a `with` statement.

    Args:
        source: the name of a file, `-` for standard input, or the text of a position.

    Raises `OSError` when the file cannot be read.
    """
    if source == "-":
        return nullcontext(sys.stdin.buffer)
    if is_text(source):
        return BytesIO(source.encode(errors="surrogateescape"))
    return open(source, "rb")


def numbered(
    stream: Iterable[bytes], read: Callable[[Iterable[bytes]], Iterator[Item]]
) -> Iterator[tuple[int, Item]]:
    """Yield what `read` makes of a stream, each item with the line that it begins on, or 0."""
    number = first = 0

    def lines() -> Iterator[bytes]:
        nonlocal first
        for place, line in enumerate(stream, 1):
            if not first and line.strip():
                first = place
            yield line

    for item in read(lines()):
        number, first = first or number, 0
        yield number, item


def located(source: str, line: int, error: str) -> str:
    """Return a sentence about an item of a source, with the line that the item begins on."""
    if is_text(source):
        return error
    name = "standard input" if source == "-" else source
    if error.startswith("line "):
        return f"{name}, {error}"
    return f"{name}, line {line}: {error}" if line else f"{name}: {error}"
