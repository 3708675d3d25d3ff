"""`trull solve`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from trull.analysis.commands.options import (
    AsJson,
    Job,
    Memory,
    NodeLimit,
    Positions,
    Workers,
    check_seconds,
)


def command(
    file: Positions,
    json: AsJson = False,
    objective: Annotated[
        Literal["points", "tricks", "made", "score"] | None,
        typer.Option(help="What to find out; the contract's own by default.", show_default=False),
    ] = None,
    solution: Annotated[
        Literal["minimax", "maxn"],
        typer.Option(
            help="minimax: the declaring side against all others. maxn: endings of games of "
            "everyone, in which each seat plays for its own settlement."
        ),
    ] = "minimax",
    cards: Annotated[
        Literal["all", "best", "none"], typer.Option(help="Which legal cards to value.")
    ] = "all",
    workers: Workers = 1,
    time: Annotated[
        float | None,
        typer.Option(
            callback=check_seconds,
            metavar="SECONDS",
            help="Time limit for one position; proven bounds are answered then.",
        ),
    ] = None,
    nodes: NodeLimit = None,
    memory: Memory = 64,
) -> Job:
    """Solve positions: the result under best play by everyone, every card's value, a best line."""

    def job() -> int:
        from trull.analysis.solving import solve_file
        from trull.solver.api import MaxnRequest, Request

        request: Request | MaxnRequest
        if solution == "maxn":
            if objective not in (None, "score"):
                raise typer.BadParameter(
                    f"{objective} with --solution maxn, where every seat plays for its score.",
                    param_hint="--objective",
                )
            request = MaxnRequest(cards=cards, seconds=time, nodes=nodes)
        else:
            request = Request(objective=objective, cards=cards, seconds=time, nodes=nodes)
        return solve_file(file, request, as_json=json, workers=workers, memory=memory)

    return job
