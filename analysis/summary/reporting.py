"""`trull report`: a study folder in, tables, plots and a page out."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import pyarrow as pa
from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from trull.analysis.summary.api import check_confidence
from trull.analysis.summary.errors import SummaryError
from trull.analysis.summary.facts import CAUTION, facts, page_title
from trull.analysis.summary.files import FORMATS, Format, report_files, write_files
from trull.analysis.summary.findings import Findings, asked_features, collect
from trull.analysis.summary.selecting import Selection, select
from trull.analysis.summary.tables import (
    TextTable,
    cell_table,
    overall_table,
    pairs_table,
    threshold_sentences,
)
from trull.analysis.summary.wording import NOTHING

_FAULTY = 2
_WIDTH = 120  # columns where there is no terminal
_WIDEST = 10_000


def report_study(
    folder: str,
    *,
    by: Sequence[str] = (),
    contracts: Sequence[str] = (),
    where: str = "",
    out: str | None = None,
    formats: Sequence[Format] = FORMATS,
    confidence: float = 0.95,
) -> int:
    """Write the report of a study and print what it comes to.

    Args:
        folder: the folder of the study, a path or a URL that fsspec knows.
        by: features, or two with a comma between, that the tables go by.
        contracts: the games to report; all by default.
        where: a condition on rows, or "".
        out: the folder to write to; by default `report` within the study.
        formats: which kinds of files to write.
        confidence: of all intervals.

    Returns the exit status: 2 where anything is refused. Raises `OSError` when a file cannot be
    written.
    """
    try:
        check_confidence(confidence)
        place = _place(folder, out)
        selection = select(folder, contracts, where)
        bys = asked_features(selection, by)
        with _Meter(selection) as meter:
            findings = collect(selection, bys, confidence, meter)
        if not findings.units:
            raise SummaryError(f"{folder}: there is no row to report")
    except SummaryError as error:
        print(f"trull: {error}", file=sys.stderr)
        return _FAULTY
    with Console(stderr=True).status("drawing"):
        names = write_files(place, report_files(findings, formats))
    _print(findings, in_full=bool(by))
    first = ", report.html among them" if "report.html" in names else ""
    print(f"\nWrote {len(names)} files to {place}{first}.")
    return 0


def _place(folder: str, out: str | None) -> Path:
    if out is None and "://" in folder:
        raise SummaryError(f"{folder}: expected --out, a folder of this machine, with a URL")
    return Path(folder, "report") if out is None else Path(out)


class _Meter:
    """Shows on standard error, when that is a terminal, how much of a study has been read."""

    columns: Sequence[str] = ()

    def __init__(self, selection: Selection) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("reading"),
            BarColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("", total=selection.study.manifest.rows)

    def __enter__(self) -> _Meter:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def add(self, rows: pa.Table) -> None:
        """Count some rows."""
        self._progress.advance(self._task, rows.num_rows)


# --- Terminal ---


def _print(findings: Findings, *, in_full: bool) -> None:
    """Print what a study comes to; the tables by features only when they were asked for."""
    console = Console(highlight=False, soft_wrap=True)
    if not console.is_terminal:
        console.width = _WIDTH
    console.print(page_title(findings), style="bold", markup=False)
    for name, text in facts(findings):
        console.print(f"{name + ':':<16}{text}", markup=False)
    console.print(f"\n{CAUTION}")
    for table in _shown(findings, in_full=in_full):
        console.print(f"\n{table.title}", style="bold", markup=False)
        _print_whole(console, _rich(table))
        if table.note:
            console.print(table.note, style="dim")
    for game in findings.units:
        for sentence in threshold_sentences(findings, game):
            console.print(f"{findings.title(game)}: {sentence}", markup=False)


def _print_whole(console: Console, table: Table) -> None:
    """Print a table with all its columns whole: a cropped number would be another one."""
    usual, unlimited = console.width, console.options.update(max_width=_WIDEST)
    console.width = max(usual, Measurement.get(console, unlimited, table).maximum)
    console.print(table)
    console.width = usual


def _shown(findings: Findings, *, in_full: bool) -> Iterator[TextTable]:
    """Yield the tables that are printed."""
    yield _narrow(overall_table(findings))
    if in_full:
        for game in findings.units:
            for by in findings.cells:
                yield _narrow(cell_table(findings, by, game))
    if not findings.pairs.empty:
        yield pairs_table(findings).without("only")


def _narrow(table: TextTable) -> TextTable:
    """Return a table without mean values, unless they are all that is known of some row."""
    means = [name for name in table.headings if name.startswith("mean ") and "," not in name]
    if len(means) == 2 and NOTHING not in table.column(means[0]):
        return table.without("won", means[1])
    return table.without("won")


def _rich(table: TextTable) -> Table:
    shown = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), header_style="dim")
    for place, heading in enumerate(table.headings):
        side: Literal["left", "right"] = "right" if place >= table.words else "left"
        shown.add_column(heading, justify=side, no_wrap=True)
    for row in table.rows:
        shown.add_row(*(text.replace("[", r"\[") for text in row))
    return shown
