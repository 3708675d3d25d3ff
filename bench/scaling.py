"""How much faster several workers are than one: threads of one process, and processes.

The deals are solved in three ways: by one worker, by several workers of `solve_many`, and by as
many processes with one worker each. The dearest deals come first, so that no worker is left
alone with one at the end; the processes get equal shares of the work, known from the first way.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Sequence
from multiprocessing.synchronize import Barrier

from trull.analysis.benching.measuring import Cost, measure
from trull.solver import Position, Request


def rates(
    positions: Sequence[Position], request: Request, workers: int, memory: float
) -> dict[str, float]:
    """Return deals a second of each way, by its name."""
    costs = list(measure(positions, request, memory=memory))
    order = sorted(range(len(costs)), key=lambda number: -costs[number].answer.ms)
    dearest = [positions[number] for number in order]
    shares: list[list[Position]] = [[] for _ in range(workers)]
    loads = [0.0] * workers
    for number in order:
        share = loads.index(min(loads))
        shares[share].append(positions[number])
        loads[share] += costs[number].answer.ms
    return {
        "one worker": _rate(dearest, request, 1, memory),
        f"{workers} workers": _rate(dearest, request, workers, memory),
        f"{workers} processes": _rate_of_processes(shares, request, memory),
    }


def _rate(positions: Sequence[Position], request: Request, workers: int, memory: float) -> float:
    began = time.perf_counter()
    solved: list[Cost] = list(measure(positions, request, memory=memory, workers=workers))
    return len(solved) / (time.perf_counter() - began)


def _rate_of_processes(
    shares: Sequence[Sequence[Position]], request: Request, memory: float
) -> float:
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(len(shares) + 1)
    crew = [
        context.Process(target=_solve_share, args=(share, request, memory, barrier))
        for share in shares
    ]
    for process in crew:
        process.start()
    barrier.wait()
    began = time.perf_counter()
    barrier.wait()
    seconds = time.perf_counter() - began
    for process in crew:
        process.join()
    return sum(map(len, shares)) / seconds


def _solve_share(
    positions: Sequence[Position], request: Request, memory: float, barrier: Barrier
) -> None:
    """Load the search, wait for the others, solve, and wait until everybody has done so."""
    list(measure(positions[-1:], request, memory=memory))  # the cheapest deal
    barrier.wait()
    list(measure(positions, request, memory=memory))
    barrier.wait()
