"""`trull score`: finished deals in, settlements out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from trull.analysis.heading import heading
from trull.analysis.notation import Notation
from trull.analysis.streaming import Outcome, answer_source
from trull.analysis.words import settlement_sentences
from trull.solver.interchange import Rejected
from trull.solver.position import Position
from trull.solver.settlement import Line, Score, Settlement, Unsettled, decimal, score, totals


def score_file(source: str, *, as_json: bool) -> int:
    """Settle the finished deals of a source and print the settlements in their order.

    Args:
        source: a file, `-` or a text, as `sources.opened` takes it.
        as_json: whether to print JSON Lines, faults included, instead of tables.

    Returns the exit status: 2 if any position was refused, else 0. Raises `OSError` when the
    file cannot be read.
    """
    return answer_source(source, _settlements, None if as_json else settlement_report)


def _settlements(items: Iterator[Position | Rejected]) -> Iterator[Outcome]:
    for item in items:
        try:
            yield item if isinstance(item, Rejected) else score(item)
        except Unsettled as error:
            yield error


def settlement_report(settlement: Settlement, notation: Notation) -> Group:
    """Return everything that a settlement says, for a terminal of 80 columns.

    Args:
        settlement: the settlement.
        notation: how to write cards.
    """
    return Group(
        *heading(settlement.position, notation),
        Text(),
        *(Text(sentence, "bold") for sentence in settlement_sentences(settlement)),
        Text(),
        lines_table(settlement.lines, settlement.position.seats, notation),
    )


def lines_table(lines: Sequence[Line], seats: int, notation: Notation) -> Table:
    """Return what each rule of a settlement gives to every seat, and the sums."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("Rule")
    for seat in range(seats):
        table.add_column(f"Seat {seat}", justify="right", no_wrap=True)
    for rule, amounts in lines:
        if any(amounts):
            words = notation.words(rule.replace("×", notation.times))
            table.add_row(words, *_numbers(amounts))
    table.add_row("Score", *_numbers(totals(lines, seats)), style="bold")
    return table


def _numbers(scores: tuple[Score, ...]) -> list[str]:
    return [f"{decimal(score):+g}" if score else "0" for score in scores]
