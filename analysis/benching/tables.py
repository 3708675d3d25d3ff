"""What `trull bench` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple

import numpy as np
from rich import box
from rich.console import RenderableType
from rich.table import Table

from trull.analysis.benching.comparing import Pair, ratios
from trull.analysis.benching.measuring import Spread
from trull.analysis.benching.record import Record, Row

_SLOWEST = 5
_BAR = 40  # signs of the longest bar of the histogram
_ENDS = {
    "decided": "nothing left to decide",
    "last_trick": "last trick",
    "table": "table",
    "static": "static bounds",
    "gap_game": "gap game",
    "first_move": "first move decides",
    "later_move": "later move decides",
    "all_moves": "all moves searched",
}
"""Why nodes end, by the names of `trull.solver.kernel.counters`."""

_QUANTITIES = {"nodes": "nodes", "ms": "ms", "cpu": "cpu ms"}


def tables(record: Record) -> Iterator[RenderableType]:
    """Yield the parts of the report on a benchmark of at least one deal."""
    rows = record.rows
    times = f", the least of {record.repeat} times" if record.repeat > 1 else ""
    yield (
        f"{_deals(len(rows))}, table of {record.memory} MB{times}; "
        f"compiling or loading the search took {record.ready:.1f} s"
    )
    yield spread_table(rows)
    yield ends_table(rows)
    yield uses_table(rows)
    yield histogram([row.ms for row in rows])
    yield slowest_table(rows)


def spread_table(rows: Sequence[Row]) -> Table:
    """Return how time and nodes are distributed over the deals, and the speed of the search."""
    table = _table("", "mean", "median", "p95", "p99", "max", "total")
    for name, values, digits in (
        ("ms", [row.ms for row in rows], 2),
        ("cpu ms", [row.cpu for row in rows], 2),
        ("knodes", [row.nodes / 1000 for row in rows], 1),
    ):
        cells = (*astuple(Spread.of(values)), sum(values))
        table.add_row(name, *(f"{cell:,.{digits}f}" for cell in cells))
    nodes, ms, cpu = (sum(getattr(row, key) for row in rows) for key in ("nodes", "ms", "cpu"))
    for name, spent in (("Mnodes/s", ms), ("Mnodes/cpu s", cpu)):
        speed = f"{nodes / spent / 1000:.2f}" if spent else ""
        table.add_row(name, *[""] * 5, speed)
    return table


def ends_table(rows: Sequence[Row]) -> Table:
    """Return why how many nodes ended."""
    table = _table("nodes end by", "nodes", "share")
    counts = {label: _count(rows, name) for name, label in _ENDS.items()}
    for label, count in counts.items():
        table.add_row(label, f"{count:,}", _share(count, sum(counts.values())))
    return table


def uses_table(rows: Sequence[Row]) -> Table:
    """Return how often the table and the other means were asked, and helped."""
    nodes = sum(row.nodes for row in rows)
    table = _table("", "number", "share", "of")
    table.columns[3].justify = "left"
    probes, asked = _count(rows, "probes"), _count(rows, "gap_asked")
    for label, name, whole, of in (
        ("table probes", "probes", nodes, "nodes"),
        ("that found a bound", "hits", probes, "probes"),
        ("that decided", "table", probes, "probes"),
        ("questions to the gap game", "gap_asked", nodes, "nodes"),
        ("that decided", "gap_game", asked, "questions"),
        ("nodes of the gap game", "gap_nodes", nodes, "nodes"),
        ("moves spared by a sibling", "siblings", nodes, "nodes"),
    ):
        count = _count(rows, name)
        table.add_row(label, f"{count:,}", _share(count, whole), of)
    return table


def _count(rows: Sequence[Row], name: str) -> int:
    return sum(row.counters[name] for row in rows)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""


def histogram(ms: Sequence[float]) -> Table:
    """Return how many deals took how long, three classes to a power of ten."""
    bounds = edges(ms)
    counts, _ = np.histogram(ms, bounds)
    table = _table("ms", "deals", "")
    table.columns[2].justify = "left"
    for low, high, count in zip(bounds, bounds[1:], counts, strict=False):
        bar = "#" * int(np.ceil(_BAR * count / counts.max()))
        table.add_row(f"{low:g} - {high:g}", str(count), bar)
    return table


def edges(ms: Sequence[float]) -> list[float]:
    """Return the bounds 1, 2, 5 times a power of ten of the classes that hold all times."""
    low, high = max(min(ms), 1e-3), max(max(ms), 1e-3)
    bounds = [
        step * 10.0**power
        for power in range(int(np.floor(np.log10(low))), int(np.floor(np.log10(high))) + 2)
        for step in (1, 2, 5)
    ]
    first = max(number for number, bound in enumerate(bounds) if bound <= low * (1 + 1e-9))
    last = min(number for number, bound in enumerate(bounds) if bound > high)
    kept = bounds[first : last + 1]
    return [min(kept[0], min(ms)), *kept[1:]] if min(ms) < kept[0] else kept


def slowest_table(rows: Sequence[Row]) -> Table:
    """Return the deals that took longest."""
    table = _table("slowest", "ms", "knodes", "value")
    for row in sorted(rows, key=lambda row: -row.ms)[:_SLOWEST]:
        table.add_row(str(row.id), f"{row.ms:,.1f}", f"{row.nodes / 1000:,.1f}", _shown(row.value))
    return table


def comparison_tables(pairs: Sequence[Pair], left_out: int) -> Iterator[RenderableType]:
    """Yield the parts of the comparison with another record, at least one pair.

    Args:
        pairs: the deals that both have.
        left_out: how many deals of either have no partner.
    """
    deals = _table("now / before", *_QUANTITIES.values(), "value")
    for pair in pairs:
        figures = (f"{getattr(pair, quantity):.3f}" for quantity in _QUANTITIES)
        value = _shown(pair.new.value)
        if not pair.agrees:
            value = f"{value}, not {_shown(pair.old.value)}"
        deals.add_row(str(pair.new.id), *figures, value)
    yield deals
    summary = _table(_deals(len(pairs)), *_QUANTITIES.values())
    found = {quantity: ratios(pairs, quantity) for quantity in _QUANTITIES}
    for name, attribute in (
        ("geometric mean", "mean"),
        ("of the totals", "total"),
        ("best", "best"),
        ("worst", "worst"),
    ):
        cells = (f"{getattr(found[quantity], attribute):.3f}" for quantity in _QUANTITIES)
        summary.add_row(name, *cells)
    yield summary
    if left_out:
        yield f"{_deals(left_out)} without a partner in the other record"


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left")
    return table


def _deals(number: int) -> str:
    return f"{number} deal{'s' * (number != 1)}"


def _shown(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
