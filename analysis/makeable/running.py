"""`trull table`: deals in, tables out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trull.analysis.compiling import make_ready
from trull.analysis.makeable.openness import TableError
from trull.analysis.makeable.progress import Meter
from trull.analysis.makeable.reading import Asked, read_asked
from trull.analysis.makeable.report import table_report
from trull.analysis.makeable.table import Table, Wanted, make_table
from trull.analysis.streaming import Outcome, answer_source
from trull.solver.interchange import Rejected
from trull.solver.rulebooks import UnknownRule
from trull.solver.validation import PositionError


def table_source(source: str, wanted: Wanted, *, as_json: bool, workers: int, memory: int) -> int:
    """Make the tables of the deals of a source and print them in their order.

    Args:
        source: a file, `-` or a text, as `sources.opened` takes it.
        wanted: what the tables are to hold.
        as_json: whether to print JSON Lines, faults included, instead of reports.
        workers: how many cells to work on at the same time.
        memory: size of each worker's transposition table in MB.

    Returns the exit status: 2 if any deal was refused, else 0. Raises `OSError` when the file
    cannot be read.
    """

    def made(item: Asked | Rejected) -> Outcome:
        if isinstance(item, Rejected):
            return item
        make_ready()
        terms = replace(wanted.terms, options={**item.options, **wanted.terms.options})
        try:
            with Meter() as meter:
                table = make_table(
                    item.deal,
                    replace(wanted, terms=terms),
                    workers=workers,
                    memory=memory,
                    progress=meter,
                )
        except (TableError, UnknownRule, PositionError) as error:
            return error
        return _named(table, item)

    def answer(items: Iterator[Asked | Rejected]) -> Iterator[Outcome]:
        return map(made, items)

    return answer_source(source, answer, None if as_json else table_report, read_asked)


def _named(table: Table, item: Asked) -> Table:
    return replace(table, id=item.id, comment=item.comment, extra=item.extra)
