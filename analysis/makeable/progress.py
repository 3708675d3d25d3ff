"""How many cells of a table are done, on standard error."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

_SECONDS = 10  # between two lines where standard error is no terminal


class Meter:
    """Watches a table being filled: a bar on a terminal, else a line now and then."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("cells"), TimeElapsedColumn())
        self._bar = Progress(
            *columns, console=console, disable=not console.is_terminal, transient=True
        )
        self._task = self._bar.add_task("", total=None)
        self._printed = time.monotonic()

    def __enter__(self) -> Meter:
        """Show the bar."""
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar away."""
        self._bar.stop()

    def __call__(self, done: int, cells: int) -> None:
        """Show that so many cells are done, of so many."""
        if not self._bar.disable:
            self._bar.update(self._task, total=cells, completed=done)
        elif time.monotonic() - self._printed >= _SECONDS:
            self._printed = time.monotonic()
            print(f"{done} of {cells} cells", file=sys.stderr, flush=True)
