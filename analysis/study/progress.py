"""How far the work is, its rate and the time left, on standard error."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from trull.analysis.study.manifest import Manifest

_SECONDS = 10  # between two lines where standard error is no terminal


class Meter:
    """Watches the work: a bar on a terminal, else a line now and then."""

    def __init__(self) -> None:
        self._manifest: Manifest[Any] | None = None
        self._done = self._before = 0
        self._began = self._printed = time.monotonic()
        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("deals"),
            TextColumn("{task.fields[pace]}"),
            TimeElapsedColumn(),
        )
        console = Console(stderr=True)
        self._bar = Progress(*columns, console=console, disable=not console.is_terminal)
        self._task = self._bar.add_task("", total=None, pace="")

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
        """Leave the bar as it is."""
        self._bar.stop()

    def __call__(self, manifest: Manifest[Any]) -> None:
        """Show how far the work is; the first call tells what was done before."""
        spec = manifest.spec
        self._done = manifest.deals
        if self._manifest is None:
            self._before, self._began = self._done, time.monotonic()
        self._manifest = manifest
        if not self._bar.disable:
            self._bar.update(self._task, total=spec.deals, completed=self._done, pace=self._pace)
        elif self._done > self._before:
            self._print_line(spec.deals)

    @property
    def kept(self) -> str:
        """How many shards there are, and how to go on; nothing while that is not known."""
        if self._manifest is None:
            return ""
        kept, shards = len(self._manifest.receipts), self._manifest.spec.shards
        return f"; {kept:,} of {shards:,} shards are kept, run the same command again to go on"

    @property
    def _pace(self) -> str:
        """Rate and time left, by what was done since the beginning of the run."""
        done = self._done - self._before
        if self._manifest is None or not done:
            return ""
        rate = done / max(time.monotonic() - self._began, 1e-9)
        left = duration((self._manifest.spec.deals - self._done) / rate)
        return f"{60 * rate:,.0f} deals a minute, {left} left"

    def _print_line(self, deals: int) -> None:
        if self._done == deals or time.monotonic() - self._printed >= _SECONDS:
            self._printed = time.monotonic()
            share = f"{self._done:,} of {deals:,} deals"
            print(f"{share}, {self._pace}", file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """Return a time in its two largest units.

    >>> duration(42.3), duration(200), duration(7260), duration(100_000)
    ('42 s', '3 min 20 s', '2 h 1 min', '1 d 3 h')
    """
    left = round(seconds)
    parts = []
    for name, size in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
        number, left = divmod(left, size)
        if number:
            parts.append(f"{number} {name}")
    return " ".join(parts[:2]) or "0 s"
