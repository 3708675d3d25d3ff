"""A benchmark on record: what every deal cost, and on what the solver ran."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

from trull.analysis.benching.error import BenchError
from trull.solver.interchange import position_to_dict
from trull.solver.position import Position

_COPIED = {"id", "comment"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one deal cost.

    Attributes:
        id: the position's identifier, or its number in the run.
        position: digest of the position without `id`, `comment` and keys beginning with `x_`.
        objective: what was asked.
        value: the answer; in games of everyone a list with that of every seat.
        nodes: positions visited.
        ms: milliseconds on the clock, the least of all repeats.
        cpu: milliseconds of processor time, likewise.
        counters: what the nodes were spent on, by the names of `trull.solver.kernel.counters`.
    """

    id: object
    position: str
    objective: str
    value: object
    nodes: int
    ms: float
    cpu: float
    counters: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A benchmark.

    Attributes:
        rows: what every deal cost, in order.
        memory: MB of the table.
        repeat: how often each deal was solved.
        ready: seconds until the search was compiled or loaded; no part of any row.
        system: versions and machine by name.
    """

    rows: tuple[Row, ...]
    memory: int
    repeat: int
    ready: float
    system: Mapping[str, str]

    def to_json(self) -> str:
        """Return the record as a JSON object on one line."""
        return json.dumps(asdict(self), ensure_ascii=False) + "\n"


def system() -> dict[str, str]:
    """Return what times depend on: the versions in use and the machine."""
    packages = {name: version(name) for name in ("trull", "numba", "numpy")}
    return packages | {
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
    }


def digest(position: Position) -> str:
    """Return a short digest of what a position is, whatever it is called."""
    data = position_to_dict(position)
    kept = {key: data[key] for key in data if key not in _COPIED and not key.startswith("x_")}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:16]


def read_record(path: Path) -> Record:
    """Return the record that `--json` wrote to a file.

    Raises `OSError` when the file cannot be read and `BenchError` when it is no such record.
    """
    try:
        data = json.loads(path.read_bytes())
    except ValueError as error:
        raise _no_record(path) from error
    if not isinstance(data, dict) or not isinstance(data.get("rows"), list):
        raise _no_record(path)
    try:
        rows = tuple(_row(row) for row in data["rows"])
        return Record(**{**{key: data[key] for key in _keys(Record)}, "rows": rows})
    except (KeyError, TypeError, ValueError) as error:
        raise _no_record(path) from error


def _row(data: Any) -> Row:
    row = Row(**{key: data[key] for key in _keys(Row)})
    if not all(isinstance(number, int | float) for number in (row.nodes, row.ms, row.cpu)):
        raise ValueError("nodes, ms and cpu are numbers")
    return row


def _keys(kind: type[Row] | type[Record]) -> list[str]:
    return [field.name for field in fields(kind)]


def _no_record(path: Path) -> BenchError:
    return BenchError(f"{path}: no record of trull bench, expected a file that --json wrote")
