"""`trull review`: played games in, reviews out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from trull.analysis.compiling import make_ready
from trull.analysis.review.record import Review
from trull.analysis.review.report import review_report
from trull.analysis.review.reviewing import ReviewRequest
from trull.analysis.streaming import Outcome, answer_source
from trull.solver.api import answer_each
from trull.solver.interchange import Rejected
from trull.solver.position import Position
from trull.solver.question import Objective


def review_source(
    source: str,
    objective: Objective | None,
    *,
    as_json: bool,
    plot: Path | None,
    workers: int,
    memory: int,
) -> int:
    """Review the games of a source and print the reviews in their order.

    Args:
        source: a file, `-` or a text, as `sources.opened` takes it.
        objective: what the cards are judged by; `None` asks for the contract's own.
        as_json: whether to print JSON Lines, faults included, instead of reports.
        plot: where to draw the value along the first game; later ones get their number in the
            source before the ending, as in `game-2.png`.
        workers: how many games to review at the same time.
        memory: MB of each worker's table.

    Returns the exit status: 2 if any game was refused, else 0. Raises `OSError` when a file
    cannot be read or written.
    """

    def answer(items: Iterator[Position | Rejected]) -> Iterator[Outcome]:
        make_ready()
        meter = _Meter()
        request = ReviewRequest(objective=objective, progress=meter)
        outcomes = answer_each(items, request, workers=workers, memory=memory)
        try:
            for number, outcome in enumerate(outcomes, 1):
                meter.hide()
                if plot is not None and isinstance(outcome, Review):
                    _draw(outcome, plot, number)
                yield outcome
                meter.show()
        finally:
            meter.hide()

    return answer_source(source, answer, None if as_json else review_report)


def _draw(review: Review, plot: Path, number: int) -> None:
    from trull.analysis.review.plot import save_plot

    save_plot(review, plot if number == 1 else plot.with_stem(f"{plot.stem}-{number}"))


class _Meter:
    """Shows on a terminal how many values of the games in work are found."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("reviewing"), BarColumn(), MofNCompleteColumn(), TextColumn("values"))
        self._bar = Progress(
            *columns,
            console=console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            disable=not console.is_terminal,
        )
        self._tasks: dict[int, TaskID] = {}
        self._lock = Lock()
        self._hidden = False

    def __call__(self, position: Position, found: int, wanted: int) -> None:
        """Show how far a game is; its bar goes when all values are found."""
        with self._lock:
            if id(position) not in self._tasks:
                self._tasks[id(position)] = self._bar.add_task("", total=wanted)
            task = self._tasks[id(position)]
            if found == wanted:
                self._bar.remove_task(self._tasks.pop(id(position)))
                return
            self._bar.update(task, completed=found)
            if not self._hidden:
                self._bar.start()

    def hide(self) -> None:
        """Clear the bars away and show none until `show`, while something else is printed."""
        with self._lock:
            self._hidden = True
            self._bar.stop()

    def show(self) -> None:
        """Let bars be shown again."""
        with self._lock:
            self._hidden = False
