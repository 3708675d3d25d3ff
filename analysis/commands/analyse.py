"""`trull analyse`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import typer

from trull.analysis.commands.options import (
    MOST_NODES,
    AsJson,
    Job,
    Memory,
    Workers,
    check_seconds,
)

_SECONDS = 30.0
_NODES, _NODES_CARD = 1_000_000, 20_000_000
_MOST_DEALS = 1_000_000


def command(
    file: Annotated[
        str | None,
        typer.Argument(
            help="A position in the middle of the play, for the best card; the other hands may be "
            "empty. - reads standard input. One position may stand in the place of the file.",
            show_default=False,
        ),
    ] = None,
    hand: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS", help="The hand as dealt, for what to bid.", show_default=False
        ),
    ] = None,
    variant: Annotated[
        str | None, typer.Option(metavar="NAME", help="The variant.", show_default=False)
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, max=3, metavar="N", help="The seat that asks; 0 leads."),
    ] = None,
    contract: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Compare only this contract; several may be given.",
        ),
    ] = None,
    talon: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS",
            help="The talon cards seen, in their order; with one contract, for the exchange.",
        ),
    ] = None,
    call: Annotated[
        str | None, typer.Option(metavar="CARD", help="The card that was called.")
    ] = None,
    level: Annotated[
        int | None, typer.Option(min=1, max=3, metavar="N", help="The level of the exchange.")
    ] = None,
    group: Annotated[
        int | None,
        typer.Option(min=0, max=5, metavar="N", help="The talon group to take, from 0."),
    ] = None,
    candidates: Annotated[
        int | None,
        typer.Option(min=2, max=200, metavar="N", help="How many exchanges are compared; 16."),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION",
            help="What the bids say, such as 'seat2.trumps >= 7'; several may be given.",
        ),
    ] = None,
    policy: Annotated[
        Literal["plain", "best"] | None,
        typer.Option(help="How exchanges are made before bidding; plain.", show_default=False),
    ] = None,
    objective: Annotated[
        Literal["score", "game", "points", "tricks", "made"] | None,
        typer.Option(
            help="Before the play: score, or game without silent bonuses. For a card: score, "
            "points, made or tricks; by default points, or made where none count.",
            show_default=False,
        ),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(
            callback=check_seconds,
            metavar="SECONDS",
            help="When to stop at the latest; 30, or no limit with --deals.",
        ),
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(min=2, max=_MOST_DEALS, metavar="N", help="How many deals at most."),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_NODES,
            metavar="N",
            help="Node limit of each search; a million, for a card 20 million.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="The seed of the deals.")] = 0,
    json: AsJson = False,
    workers: Workers = 1,
    memory: Memory = 64,
) -> Job:
    """Advise one seat: what to bid, how to exchange, which card to play."""
    terms = {
        "--variant": variant,
        "--contract": contract or None,
        "--talon": talon,
        "--call": call,
        "--level": level,
        "--group": group,
        "--candidates": candidates,
        "--where": where or None,
        "--policy": policy,
    }
    _check_question(file, hand, terms)

    def job() -> int:
        from trull.analysis.advice import Effort
        from trull.analysis.advice.asking import Asked
        from trull.analysis.advice.running import advise

        effort = Effort(
            deals=deals or _MOST_DEALS,
            seconds=_SECONDS if time is None and deals is None else time,
            nodes=nodes or (_NODES if file is None else _NODES_CARD),
            workers=workers,
            memory=memory,
        )
        asked = Asked(
            file=file,
            hand=hand,
            variant=variant,
            seat=seat,
            contracts=tuple(contract or ()),
            talon=talon,
            call=call,
            level=level,
            group=group,
            candidates=candidates,
            where=tuple(where or ()),
            policy=policy,
            objective=objective,
            seed=seed,
        )
        return advise(asked, effort, as_json=json)

    return job


def _check_question(file: str | None, hand: str | None, terms: Mapping[str, object]) -> None:
    """Refuse a call without a question, with two, or with options of another one."""
    if (file is None) == (hand is None):
        raise typer.BadParameter(
            "expected a position, for the best card, or --hand, for what to bid.",
            param_hint="'FILE' / '--hand'",
        )
    given = [name for name, value in terms.items() if value is not None]
    if file is not None and given:
        raise typer.BadParameter(
            "belongs to --hand, not to a position.", param_hint=f"'{given[0]}'"
        )
    if hand is not None and terms["--variant"] is None:
        raise typer.BadParameter("missing, expected one beside --hand.", param_hint="'--variant'")
