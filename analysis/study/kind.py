"""What the mechanism of shards, manifests and crews has to know of what it makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import pyarrow as pa

from trull.analysis.study.spec import Sharded
from trull.solver.kernel.engine import Engine

Row = Mapping[str, object]
"""A row: the columns that are not empty, by name."""

Specified = TypeVar("Specified", bound=Sharded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[Specified]):
    """What kind of folder is made. Its functions are those of modules, so that it can travel.

    Attributes:
        name: what people call it.
        format: what its manifest calls it.
        version: the version of its columns.
        read: reads the canonical form of a specification; raises `StudyError`.
        schema: the columns of the data files, with metadata of their own if need be.
        timing_schema: the columns of the files of times: some of the others, and `ms`.
        rows: yields every row of some deals, with the milliseconds that it took; a pure function
            of specification and numbers. Raises `DealError` when no deal meets the conditions.
        count: raises `DealError` when that is known before a deal is drawn.
    """

    name: str
    format: str
    version: int
    read: Callable[[Mapping[str, object]], Specified]
    schema: Callable[[Specified], pa.Schema]
    timing_schema: Callable[[Specified], pa.Schema]
    rows: Callable[[Specified, Iterable[int], Engine], Iterator[tuple[Row, float]]]
    count: Callable[[Specified], None]
