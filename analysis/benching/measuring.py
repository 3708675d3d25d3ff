"""What each deal costs: nodes, wall time, and the processor time of the thread that solved it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from trull.solver.answer import Answer
from trull.solver.api import DEFAULT_MEMORY, Request, answer_each
from trull.solver.kernel.engine import Engine
from trull.solver.position import Position
from trull.solver.question import Unsolvable

QUANTILES = (50, 95, 99)
"""The percentiles that are reported."""


@dataclass(frozen=True, slots=True)
class Cost:
    """One solved deal.

    Attributes:
        answer: the answer, with its nodes and its milliseconds on the clock.
        cpu: milliseconds that the solving thread had a processor, which other programs on the
            machine do not add to.
        counters: what the nodes were spent on, by the names of `trull.solver.kernel.counters`.
    """

    answer: Answer
    cpu: float
    counters: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Timed:
    """A request whose answers come with their processor time."""

    request: Request

    def answer(self, engine: Engine, position: Position) -> Cost:
        """Return the answer and its cost, or raise `Unsolvable`."""
        began = time.thread_time()
        answer = self.request.answer(engine, position)
        return Cost(answer, 1000 * (time.thread_time() - began), engine.counters)


def measure(
    positions: Iterable[Position],
    request: Request,
    *,
    memory: float = DEFAULT_MEMORY,
    workers: int = 1,
) -> Iterator[Cost]:
    """Solve positions, each with an empty table; yield what each costs, in order.

    Args:
        positions: the positions.
        request: what to find out about each.
        memory: MB of each worker's table.
        workers: number of threads.

    Raises `Unsolvable` at the first position that cannot be solved.
    """
    timed = Timed(request)
    for cost in answer_each(positions, timed, memory=memory, workers=workers):
        if isinstance(cost, Unsolvable):
            raise cost
        yield cost


@dataclass(frozen=True, slots=True)
class Spread:
    """How values are distributed: mean, median, two high percentiles, the largest."""

    mean: float
    median: float
    p95: float
    p99: float
    max: float

    @classmethod
    def of(cls, values: ArrayLike) -> Spread:
        """Return the distribution of at least one value."""
        array: np.ndarray[Any, np.dtype[np.float64]] = np.asarray(values, np.float64)
        median, p95, p99 = (float(value) for value in np.percentile(array, QUANTILES))
        return cls(float(array.mean()), median, p95, p99, float(array.max()))
