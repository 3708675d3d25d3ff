"""`trull check-claim`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from trull.analysis.commands.options import AsJson, Job, NodeLimit, Positions, Workers

_SIDES: dict[str, Literal["declarers", "opponents"] | int] = {
    "declarers": "declarers",
    "opponents": "opponents",
    **{str(seat): seat for seat in range(4)},
}
"""What `--side` may say."""


def command(
    file: Positions,
    side: Annotated[
        str,
        typer.Option(
            metavar="SIDE",
            help="Who claims: declarers, opponents, or a seat where everyone plays alone.",
        ),
    ] = "declarers",
    points: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Card points claimed, with those the side has: in thirds (35 points and 2 Blatt "
            "are 107), in Texas taroky in points.",
        ),
    ] = None,
    tricks: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Or tricks claimed, with those the side has."),
    ] = None,
    json: AsJson = False,
    workers: Workers = 1,
    nodes: NodeLimit = None,
) -> Job:
    """Check a claim: whether a side is sure of so much, or the line that refutes it."""
    if (points is None) == (tricks is None):
        raise typer.BadParameter("expected one of the two.", param_hint="'--points' / '--tricks'")

    def job() -> int:
        from trull.analysis.claiming import check_source
        from trull.solver.claim import ClaimRequest

        request = ClaimRequest(side=_side(side), points=points, tricks=tricks, nodes=nodes)
        return check_source(file, request, as_json=json, workers=workers)

    return job


def _side(text: str) -> Literal["declarers", "opponents"] | int:
    if text not in _SIDES:
        raise typer.BadParameter(
            f"{text!r} is not one of {', '.join(map(repr, _SIDES))}.", param_hint="'--side'"
        )
    return _SIDES[text]
