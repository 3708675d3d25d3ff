"""`trull check-claim`: positions in, and whether a side is sure of what it claims."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from trull.analysis.board import board
from trull.analysis.compiling import make_ready
from trull.analysis.heading import heading
from trull.analysis.notation import Notation
from trull.analysis.report import Account, cost, line_table, moves, unit_title
from trull.analysis.streaming import Outcome, answer_source
from trull.analysis.words import claim_sentence
from trull.solver.api import answer_each
from trull.solver.claim import Claim, ClaimRequest
from trull.solver.interchange import Rejected
from trull.solver.position import Position


def check_source(source: str, request: ClaimRequest, *, as_json: bool, workers: int) -> int:
    """Check a claim in each position of a source and print the answers in their order.

    Args:
        source: a file, `-` or a text, as `sources.opened` takes it.
        request: the claim.
        as_json: whether to print JSON Lines, faults included, instead of reports.
        workers: how many positions to check at the same time.

    Returns the exit status: 2 if any position was refused, else 0. Raises `OSError` when the
    file cannot be read.
    """

    def check(items: Iterator[Position | Rejected]) -> Iterator[Outcome]:
        make_ready()
        yield from answer_each(items, request, workers=workers)

    return answer_source(source, check, None if as_json else claim_report)


def claim_report(claim: Claim, notation: Notation) -> Group:
    """Return everything that came of a claim, for a terminal of 80 columns.

    Args:
        claim: the claim.
        notation: how to write cards.
    """
    position = claim.position
    parts: list[RenderableType] = [*heading(position, notation), Text()]
    parts += [board(position, notation), Text(), Text(claim_sentence(claim), "bold")]
    if claim.refutation:
        title = "Tricks" if claim.measure == "tricks" else unit_title(position)
        account = Account(title, claim.total)
        line = moves(claim.refutation, claim.taken_up)
        parts += [Text(), line_table(position, line, account, notation)]
    parts += [Text(), cost(claim.nodes, claim.ms)]
    return Group(*parts)
