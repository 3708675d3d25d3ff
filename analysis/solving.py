"""`trull solve`: positions in, answers out."""

from __future__ import annotations

from collections.abc import Iterator

from trull.analysis.compiling import make_ready
from trull.analysis.report import maxn_report, report
from trull.analysis.streaming import Outcome, answer_source
from trull.solver.answer import Answer
from trull.solver.api import Asks, MaxnRequest, Request, answer_each
from trull.solver.interchange import Rejected
from trull.solver.maxn import MaxnAnswer
from trull.solver.position import Position


def solve_file(
    source: str, request: Request | MaxnRequest, *, as_json: bool, workers: int, memory: int
) -> int:
    """Solve the positions of a source and print the answers in their order.

    Args:
        source: a file, `-` or a text, as `sources.opened` takes it.
        request: what to find out.
        as_json: whether to print JSON Lines, faults included, instead of reports.
        workers: how many positions to solve at the same time.
        memory: MB of each worker's table.

    Returns the exit status: 2 if any position was refused, else 0. Raises `OSError` when the
    file cannot be read.
    """

    def solve(items: Iterator[Position | Rejected]) -> Iterator[Outcome]:
        if isinstance(request, Request):
            make_ready()
        asks: Asks[Answer | MaxnAnswer] = request
        yield from answer_each(items, asks, workers=workers, memory=memory)

    show = report if isinstance(request, Request) else maxn_report
    return answer_source(source, solve, None if as_json else show)
