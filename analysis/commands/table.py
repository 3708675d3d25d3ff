"""`trull table`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

import typer

from trull.analysis.commands.options import AsJson, Job, Memory, NodeLimit, Workers


class Column(StrEnum):
    """What to find out about a contract."""

    VALUE = "value"
    MADE = "made"
    SCORE = "score"


def command(
    file: Annotated[
        str,
        typer.Argument(
            help="Deals as JSON or deal strings, as trull deal writes them, or positions before "
            "the exchange; - reads standard input. One deal may stand in the place of the file "
            "itself.",
        ),
    ],
    contract: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A contract; several may be. By default all of the auction."
        ),
    ] = None,
    seat: Annotated[
        list[int] | None,
        typer.Option(min=0, max=3, metavar="SEAT", help="A seat; several may be. By default all."),
    ] = None,
    objective: Annotated[
        list[Column] | None,
        typer.Option(
            metavar="value|made|score",
            help="What to find out: the contract's own value, whether it is made, the declarer's "
            "score; several may be. By default all three.",
        ),
    ] = None,
    policy: Annotated[
        Literal["best", "plain"],
        typer.Option(
            help="How talon, call and discards are chosen. best: by search, the best for each "
            "result. plain: by rules of thumb, which is much faster."
        ),
    ] = "best",
    leads: Annotated[
        bool,
        typer.Option("--leads", help="Compare the opening leads; with one contract and one seat."),
    ] = False,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="An option of the rule book to set; several may be."),
    ] = None,
    json: AsJson = False,
    workers: Workers = 1,
    nodes: NodeLimit = None,
    memory: Memory = 64,
) -> Job:
    """Makeable contracts: every contract for every seat with open cards, and par."""
    if leads and (len(contract or ()) != 1 or len(seat or ()) != 1):
        raise typer.BadParameter(
            "expected one --contract and one --seat with it.", param_hint="'--leads'"
        )

    def job() -> int:
        from trull.analysis.makeable import Terms, Wanted
        from trull.analysis.makeable.running import table_source

        terms = Terms(
            columns=frozenset(column.value for column in objective or Column),
            policy=policy,
            options=dict.fromkeys(option or (), True),
            nodes=nodes,
        )
        wanted = Wanted(
            contracts=tuple(contract or ()),
            seats=tuple(sorted(set(seat or ()))),
            terms=terms,
            leads=leads,
        )
        return table_source(file, wanted, as_json=json, workers=workers, memory=memory)

    return job
