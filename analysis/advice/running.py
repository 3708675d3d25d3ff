"""`trull analyse`: a question in, an advice out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from trull.analysis.advice.asking import Asked, question_of
from trull.analysis.advice.racing import Effort, Watch
from trull.analysis.advice.record import Advice
from trull.analysis.advice.report import advice_report
from trull.analysis.board import WIDTH
from trull.analysis.compiling import make_ready
from trull.analysis.notation import notation_for

_FAULTY = 2


def advise(asked: Asked, effort: Effort, *, as_json: bool) -> int:
    """Answer a question and print the advice.

    Args:
        asked: what the user has written.
        effort: how much work to do.
        as_json: whether to print one JSON object, faults included, instead of a report.

    Returns the exit status: 2 for a question that has no answer, else 0. Raises `OSError` when a
    file cannot be read.
    """
    try:
        question = question_of(asked)
        make_ready()
        with _meter() as watch:
            advice = question.answer(effort, watch)
    except ValueError as error:
        if as_json:
            print(json.dumps({"error": str(error)}, ensure_ascii=False))
        else:
            print(f"trull: {error}", file=sys.stderr)
        return _FAULTY
    if as_json:
        print(json.dumps(advice.to_dict(), ensure_ascii=False))
    else:
        _print(advice)
    return 0


def _print(advice: Advice) -> None:
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    with console.capture() as capture:
        console.print(advice_report(advice, notation_for(sys.stdout.encoding)))
    print("\n".join(row.rstrip() for row in capture.get().splitlines()))


@contextmanager
def _meter() -> Iterator[Watch]:
    """Show on a terminal how many deals are done and how many choices are left."""
    console = Console(stderr=True)
    columns = (BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    task = bar.add_task("dealing", total=None)

    def watch(done: int, left: int) -> None:
        bar.update(task, description=f"{done} deals, {left} choices in the race")

    with bar:
        yield watch
