"""`trull deal`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from trull.analysis.commands.options import AsJson, Job

_MOST = 10**12


def command(
    variant: Annotated[
        str | None, typer.Option(metavar="NAME", help="The variant.", show_default=False)
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many players; by default as many as there can be."),
    ] = None,
    count: Annotated[
        int | None, typer.Option(min=1, max=_MOST, metavar="N", help="How many deals; 1.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, metavar="N", help="The seed; 0.")] = None,
    first: Annotated[
        int | None,
        typer.Option(min=0, max=_MOST, metavar="N", help="The number of the first deal; 0."),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION",
            help="What a deal must meet, such as 'trumps >= 8 and seat2.kings == 0'; several may "
            "be given, and all must hold.",
        ),
    ] = None,
    hold: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'PLACE: CARDS'",
            help="Fixed cards of a seat or another place, such as '0: T22 SK'; several may be.",
        ),
    ] = None,
    talon: Annotated[
        str | None, typer.Option(metavar="CARDS", help="Cards that lie in the talon.")
    ] = None,
    voids: Annotated[
        Literal["rule", "keep", "redeal"] | None,
        typer.Option(
            help="A hand without trumps: as the rule book says, dealt, or never dealt.",
            show_default=False,
        ),
    ] = None,
    toml: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file whose table [deals] says the same and more."),
    ] = None,
    contract: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Write positions of a contract that exchanges no cards."),
    ] = None,
    declarer: Annotated[
        int | None, typer.Option(min=0, max=3, metavar="N", help="Its declarer; seat 0.")
    ] = None,
    called: Annotated[
        str | None, typer.Option(metavar="CARD", help="The card that its declarer calls.")
    ] = None,
    tries: Annotated[
        int | None,
        typer.Option(
            min=1, max=_MOST, metavar="N", help="How many tries in a row may fail; a million."
        ),
    ] = None,
    json: AsJson = False,
) -> Job:
    """Deal at random: uniformly, or uniformly among the deals that meet conditions."""
    if talon is not None and not talon.strip():
        raise typer.BadParameter(
            "no cards, expected some such as 'T22 SK'.", param_hint="'--talon'"
        )
    pairs = []
    for text in hold or ():
        place, colon, cards = text.partition(":")
        if not colon:
            raise typer.BadParameter(
                f"{text!r}, expected a place, a colon and cards, such as '0: T22 SK'.",
                param_hint="'--hold'",
            )
        pairs.append((place, cards))

    def job() -> int:
        from trull.analysis.deals.conditions import Conditions
        from trull.analysis.deals.dealing import Order, deal_out

        order = Order(
            variant=variant,
            players=players,
            count=count,
            seed=seed,
            first=first,
            tries=tries,
            contract=contract,
            declarer=declarer,
            called=called,
            voids=voids,
        )
        conditions = Conditions(where=tuple(where or ()), hold=tuple(pairs), talon=talon or "")
        return deal_out(order, conditions, toml, as_json=json)

    return job
