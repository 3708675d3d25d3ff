"""`trull bench`: solve deals, say what they cost, and compare that with another time."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import track

from trull.analysis.benching.comparing import Pair, paired
from trull.analysis.benching.error import BenchError
from trull.analysis.benching.measuring import Cost, measure
from trull.analysis.benching.record import Record, Row, digest, read_record, system
from trull.analysis.benching.sets import make_set
from trull.analysis.benching.tables import comparison_tables, tables
from trull.analysis.compiling import make_ready
from trull.analysis.sources import located, numbered, opened
from trull.solver.api import Request
from trull.solver.interchange import read_positions
from trull.solver.position import Position
from trull.solver.question import Objective, Unsolvable

Item = TypeVar("Item")

SAMPLE = ("rufer12", 0, 20)
"""The set, the seed and the number of deals that are solved when no file is named."""

_WIDTH = 100
_FAULTY = 2


def bench(
    files: Sequence[str],
    *,
    objective: Objective | None,
    repeat: int,
    memory: int,
    json: Path | None,
    compare: Path | None,
    plot: Path | None,
) -> int:
    """Solve the positions of files, print what they cost, and write what is asked for.

    Args:
        files: sources as `sources.opened` takes them; none stands for `SAMPLE`.
        objective: what to find out; `None` asks for the contract's own.
        repeat: how often to solve each position; the least time counts.
        memory: MB of the table.
        json: where to write the record.
        compare: another record, to compare with.
        plot: where to write the figure.

    Returns the exit status: 2 when the positions or the record are refused (then nothing is
    written), or when a deal's answer is not the one on the other record. Raises `OSError`
    for files that cannot be read or written.
    """
    try:
        _check_folders(json, plot)
        old = read_record(compare) if compare else None
        positions = _positions(files) if files else list(make_set(*SAMPLE))
        record = _measured(
            positions, Request(objective=objective, cards="none", pv=False), repeat, memory
        )
    except BenchError as error:
        return _refuse(str(error))
    console = Console(highlight=False, width=_WIDTH)
    for part in tables(record):
        console.print(part)
    if json:
        _write(json, record.to_json())
    if plot:
        from trull.analysis.benching import plotting

        plotting.plot(record.rows, f"trull {record.system['trull']}: {len(positions)} deals", plot)
    return _compare(console, old, record, compare) if old and compare else 0


def _check_folders(*paths: Path | None) -> None:
    for path in paths:
        if path and not path.parent.is_dir():
            raise BenchError(f"{path}: there is no folder {path.parent} to write it to")


def _positions(files: Sequence[str]) -> list[Position]:
    """Return all positions, or raise `BenchError` at the first that is faulty."""
    positions = []
    for source in files:
        with opened(source) as stream:
            for line, item in numbered(stream, read_positions):
                if not isinstance(item, Position):
                    raise BenchError(located(source, line, item.error))
                positions.append(item)
    return positions


def _measured(positions: Sequence[Position], request: Request, repeat: int, memory: int) -> Record:
    began = time.perf_counter()
    make_ready()
    ready = time.perf_counter() - began
    best: list[Cost] = []
    costs = (cost for _ in range(repeat) for cost in _costs(positions, request, memory))
    for number, cost in enumerate(_watched(costs, repeat * len(positions))):
        if number < len(positions):
            best.append(cost)
        else:
            best[number % len(positions)] = _cheaper(best[number % len(positions)], cost)
    return Record(
        rows=tuple(_row(number, cost) for number, cost in enumerate(best)),
        memory=memory,
        repeat=repeat,
        ready=ready,
        system=system(),
    )


def _costs(positions: Sequence[Position], request: Request, memory: int) -> Iterator[Cost]:
    solved = 0
    try:
        for cost in measure(positions, request, memory=memory):
            solved += 1
            yield cost
    except Unsolvable as error:
        name = positions[solved].id
        raise BenchError(f"position {solved if name is None else name}: {error}") from error


def _watched(items: Iterator[Item], total: int) -> Iterator[Item]:
    """Yield the items and show on standard error how many there were."""
    console = Console(stderr=True)
    return iter(track(items, "solving", total, console=console, disable=not console.is_terminal))


def _cheaper(one: Cost, other: Cost) -> Cost:
    return other if other.answer.ms < one.answer.ms else one


def _row(number: int, cost: Cost) -> Row:
    answer = cost.answer
    seats = [value for value, _ in answer.seats]
    return Row(
        id=number if answer.position.id is None else answer.position.id,
        position=digest(answer.position),
        objective=answer.objective,
        value=seats or answer.value,
        nodes=answer.nodes,
        ms=answer.ms,
        cpu=cost.cpu,
        counters=cost.counters,
    )


def _compare(console: Console, old: Record, new: Record, path: Path) -> int:
    pairs = paired(old.rows, new.rows)
    if not pairs:
        return _refuse(f"{path}: none of its deals and questions is among those solved now")
    left_out = len(old.rows) + len(new.rows) - 2 * len(pairs)
    for part in comparison_tables(pairs, left_out):
        console.print(part)
    if old.memory != new.memory:
        console.print(f"the table has {new.memory} MB now, {old.memory} MB before")
    return max((_disagreement(pair, path) for pair in pairs if not pair.agrees), default=0)


def _disagreement(pair: Pair, path: Path) -> int:
    return _refuse(f"{pair.new.id}: the value is {pair.new.value}, in {path} {pair.old.value}")


def _write(path: Path, text: str) -> None:
    unfinished = path.with_name(path.name + ".part")
    try:
        unfinished.write_text(text, encoding="utf-8")
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def _refuse(sentence: str) -> int:
    print(f"trull: {sentence}", file=sys.stderr)
    return _FAULTY
