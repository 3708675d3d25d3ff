"""`trull exchange`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from trull.analysis.commands.options import (
    AsJson,
    Job,
    Memory,
    NodeLimit,
    Workers,
    check_seconds,
)


def command(
    file: Annotated[
        str,
        typer.Argument(
            help="Deals as JSON or deal strings, as trull deal writes them; - reads standard "
            "input. One deal may stand in the place of the file itself.",
        ),
    ],
    contract: Annotated[
        str, typer.Option(metavar="NAME", help="The contract.", show_default=False)
    ],
    declarer: Annotated[
        int, typer.Option(min=0, max=3, metavar="SEAT", help="The seat that declares.")
    ] = 0,
    policy: Annotated[
        Literal["best", "plain", "none"],
        typer.Option(
            help="best: by search, all cards open. plain: by rules of thumb. none: the talon is "
            "not touched."
        ),
    ] = "plain",
    objective: Annotated[
        Literal["points", "tricks", "made", "score"] | None,
        typer.Option(
            help="What best looks for; the contract's own by default.", show_default=False
        ),
    ] = None,
    ties: Annotated[
        bool, typer.Option("--ties", help="Let best find every choice worth as much.")
    ] = False,
    call: Annotated[
        str | None, typer.Option(metavar="CARD", help="The card to call.", show_default=False)
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(min=1, max=3, metavar="N", help="The level to play at.", show_default=False),
    ] = None,
    group: Annotated[
        int | None,
        typer.Option(
            min=0, max=5, metavar="N", help="The talon group to take, from 0.", show_default=False
        ),
    ] = None,
    lay_away: Annotated[
        str | None,
        typer.Option(metavar="CARDS", help="What the declarer lays away.", show_default=False),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="An option of the rule book to set; several may be."),
    ] = None,
    announce: Annotated[
        list[str] | None,
        typer.Option(metavar="BONUS", help="What the declarer announces; several may be."),
    ] = None,
    json: AsJson = False,
    workers: Workers = 1,
    time: Annotated[
        float | None,
        typer.Option(
            callback=check_seconds,
            metavar="SECONDS",
            help="Time limit for one deal; the best exchange found till then is answered.",
        ),
    ] = None,
    nodes: NodeLimit = None,
    memory: Memory = 64,
) -> Job:
    """Exchange: call, take up talon cards and lay away, and write the position that is played."""
    if ties and policy != "best":
        raise typer.BadParameter("only --policy best finds them.", param_hint="'--ties'")
    if lay_away is not None and not lay_away.strip():
        raise typer.BadParameter("no cards, expected some.", param_hint="'--lay-away'")

    def job() -> int:
        from trull.analysis.exchange import Exchanger
        from trull.analysis.exchange.running import exchange_source
        from trull.solver.cards import CardError, parse_card, parse_cards, to_mask
        from trull.solver.position import Announcement

        try:
            called = None if call is None else parse_card(call)
            laid = None if lay_away is None else to_mask(parse_cards(lay_away))
        except CardError as error:
            raise typer.BadParameter(f"{error}.", param_hint="'--call' / '--lay-away'") from error
        exchanger = Exchanger(
            contract=contract,
            declarer=declarer,
            policy=policy,
            objective=objective,
            ties=ties,
            options=dict.fromkeys(option or (), True),
            announced=tuple(Announcement(declarer, bonus) for bonus in announce or ()),
            call=called,
            level=level,
            group=group,
            discards=laid,
            seconds=time,
            nodes=nodes,
        )
        return exchange_source(file, exchanger, as_json=json, workers=workers, memory=memory)

    return job
