"""`trull solve`: positions in, answers out, each as soon as it is ready."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import IO

from rich.console import Console

from trull.analysis.board import WIDTH
from trull.analysis.compiling import make_ready
from trull.analysis.notation import notation_for
from trull.analysis.report import report
from trull.solver.answer import Answer
from trull.solver.api import Request, answer_each
from trull.solver.interchange import Rejected, copied, read_positions
from trull.solver.position import Position

Item = Position | Rejected

_FAULTY = 2


def solve_file(file: Path, request: Request, *, as_json: bool, workers: int, memory: int) -> int:
    """Solve the positions of a file and print the answers in their order.

    Args:
        file: the file; `-` is standard input.
        request: what to find out.
        as_json: whether to print JSON Lines, faults included, instead of reports.
        workers: how many positions to solve at the same time.
        memory: MB of each worker's table.

    Returns the exit status: 2 if any position was refused, else 0. Raises `OSError` when the
    file cannot be read.
    """
    status = 0
    show = _json_printer() if as_json else _report_printer(str(file))
    with _opened(file) as stream:
        make_ready()
        asked: deque[tuple[int, Item]] = deque()
        answers = answer_each(_noted(stream, asked), request, workers=workers, memory=memory)
        for answer in answers:
            line, item = asked.popleft()
            if not isinstance(answer, Answer):
                status = _FAULTY
            show(line, item, answer)
    return status


def _opened(file: Path) -> AbstractContextManager[IO[bytes]]:
    return nullcontext(sys.stdin.buffer) if str(file) == "-" else file.open("rb")


def _noted(stream: Iterable[bytes], asked: deque[tuple[int, Item]]) -> Iterator[Item]:
    """Yield the items of a stream; note each in `asked` with the line that it begins on."""
    first = 0

    def lines() -> Iterator[bytes]:
        nonlocal first
        for number, line in enumerate(stream, 1):
            if not first and line.strip():
                first = number
            yield line

    for item in read_positions(lines()):
        asked.append((first, item))
        first = 0
        yield item


# --- Printing ---

Outcome = Answer | Rejected | Exception

_Printer = Callable[[int, Item, Outcome], None]
"""Prints what came of an item that began on a line."""


def _error(outcome: Outcome) -> str:
    return outcome.error if isinstance(outcome, Rejected) else str(outcome)


def _json_printer() -> _Printer:
    """Return a printer of JSON Lines, which are UTF-8 whatever the locale."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")

    def show(_line: int, item: Item, outcome: Outcome) -> None:
        if isinstance(outcome, Answer):
            data = outcome.to_dict()
        else:
            data = copied(item) | {"error": _error(outcome)}
        print(json.dumps(data, ensure_ascii=False), flush=True)

    return show


def _report_printer(source: str) -> _Printer:
    """Return a printer of reports, which separates them and sends faults to standard error."""
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    notation = notation_for(sys.stdout.encoding)
    name = "standard input" if source == "-" else source
    printed = 0

    def show(line: int, _item: Item, outcome: Outcome) -> None:
        nonlocal printed
        if not isinstance(outcome, Answer):
            print(f"trull: {_located(name, line, _error(outcome))}", file=sys.stderr, flush=True)
            return
        with console.capture() as capture:
            if printed:
                console.rule(characters="-", style="dim")
            console.print(report(outcome, notation))
        printed += 1
        print("\n".join(row.rstrip() for row in capture.get().splitlines()), flush=True)

    return show


def _located(name: str, line: int, error: str) -> str:
    if error.startswith("line "):
        return f"{name}, {error}"
    return f"{name}, line {line}: {error}" if line else f"{name}: {error}"
