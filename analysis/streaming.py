"""A stream of items in, what came of them out, in their order and each as soon as it is ready."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import TextIOWrapper
from typing import Any, Protocol

from rich.console import Console, RenderableType

from trull.analysis.board import WIDTH
from trull.analysis.notation import Notation, notation_for
from trull.analysis.sources import located, numbered, opened
from trull.solver.interchange import Rejected, copied, read_positions

_FAULTY = 2


class Answered(Protocol):
    """An answer that has a public JSON form."""

    def to_dict(self) -> Mapping[str, object]:
        """Return the JSON object."""


Outcome = Answered | Rejected | Exception
"""What came of an item: an answer, or why there is none."""

Report = Callable[[Any, Notation], RenderableType]
"""Writes an answer for people."""

_Printer = Callable[[int, Any, Outcome], None]
"""Prints what came of an item that began on a line."""


def answer_source(
    source: str,
    answer: Callable[[Iterator[Any]], Iterable[Outcome]],
    report: Report | None,
    read: Callable[[Iterable[bytes]], Iterator[Any]] = read_positions,
) -> int:
    """Answer the items of a source and print the answers in their order.

    Args:
        source: a file, `-` or a text, as `sources.opened` takes it.
        answer: makes one outcome of every item, in their order.
        report: writes an answer for people; `None` prints JSON Lines, faults included.
        read: reads the items of a stream of lines; by default positions.

    Returns the exit status: 2 if any item was refused, else 0. Raises `OSError` when the file
    cannot be read.
    """
    status = 0
    show = _json_printer() if report is None else _report_printer(source, report)
    asked: deque[tuple[int, Any]] = deque()

    def noted(stream: Iterable[bytes]) -> Iterator[Any]:
        for line, item in numbered(stream, read):
            asked.append((line, item))
            yield item

    with opened(source) as stream:
        for outcome in answer(noted(stream)):
            if isinstance(outcome, Rejected | Exception):
                status = _FAULTY
            show(*asked.popleft(), outcome)
    return status


def _error(outcome: Rejected | Exception) -> str:
    return outcome.error if isinstance(outcome, Rejected) else str(outcome)


def _json_printer() -> _Printer:
    """Return a printer of JSON Lines, which are UTF-8 whatever the locale."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")

    def show(_line: int, item: Any, outcome: Outcome) -> None:
        if isinstance(outcome, Rejected | Exception):
            data: Mapping[str, object] = copied(item) | {"error": _error(outcome)}
        else:
            data = outcome.to_dict()
        print(json.dumps(data, ensure_ascii=False), flush=True)

    return show


def _report_printer(source: str, report: Report) -> _Printer:
    """Return a printer of reports, which separates them and sends faults to standard error."""
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    notation = notation_for(sys.stdout.encoding)
    printed = 0

    def show(line: int, _item: Any, outcome: Outcome) -> None:
        nonlocal printed
        if isinstance(outcome, Rejected | Exception):
            error = located(source, line, _error(outcome))
            print(f"trull: {error}", file=sys.stderr, flush=True)
            return
        with console.capture() as capture:
            if printed:
                console.rule(characters="-", style="dim")
            console.print(report(outcome, notation))
        printed += 1
        print("\n".join(row.rstrip() for row in capture.get().splitlines()), flush=True)

    return show
