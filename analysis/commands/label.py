"""`trull label`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

import typer

from trull.analysis.commands.options import (
    Deals,
    GivenMemory,
    Job,
    Scheduler,
    Shard,
    Where,
    Workers,
)

_MOST_ROWS = 10**9
_SAMPLE = 20


def _trick_list(text: str | None) -> list[int] | None:
    """Return the numbers of a text such as `7-10,12`."""
    if text is None:
        return None
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,2})\s*(?:-\s*(\d{1,2})\s*)?", part)
        if match is None:
            raise typer.BadParameter(
                f"{text!r}, expected tricks such as 7-10,12.", param_hint="--tricks"
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise typer.BadParameter(
                f"{part!r}, expected the lower number first.", param_hint="--tricks"
            )
        found += range(first, last + 1)
    return found


def _declarer(text: str | None) -> int | str | None:
    if text is None or text == "every":
        return text
    if text not in map(str, range(4)):
        raise typer.BadParameter(
            f"{text!r}, expected a seat from 0 to 3, or every.", param_hint="--declarer"
        )
    return int(text)


def command(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[SPEC.toml]",
            help="What to label; options go before what it says.",
            show_default=False,
        ),
    ] = None,
    kind: Annotated[
        Literal["play", "bid"] | None,
        typer.Option(
            help="Cards of positions in play, the default, or contracts of hands.",
            show_default=False,
        ),
    ] = None,
    variant: Annotated[
        str | None, typer.Option(metavar="VARIANT", help="The rule book of bare contracts.")
    ] = None,
    contract: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[VARIANT:]CONTRACT",
            help="A contract, in place of the file's; several may be. By default every contract "
            "that may be bid, for bids.",
        ),
    ] = None,
    deals: Deals = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="The seed of everything random; with --verify of the rows."
        ),
    ] = None,
    players: Annotated[
        int | None, typer.Option(min=3, max=4, metavar="N", help="The number of players.")
    ] = None,
    declarer: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT", help="The declarer's, or bidder's, seat, or every: rows for each seat."
        ),
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(metavar="points|tricks|made|score", help="What the values are about."),
    ] = None,
    where: Where = None,
    player: Annotated[
        Literal["random", "greedy", "noise"] | None,
        typer.Option(
            help="Who plays: noise is the solver with errors. By default random.",
            show_default=False,
        ),
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(min=0, max=1, metavar="P", help="How often noise plays any card; 0.1."),
    ] = None,
    tricks: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Tricks to take positions from, such as 7-10,12."),
    ] = None,
    positions: Annotated[
        int | None, typer.Option(min=1, max=16, metavar="N", help="Positions of each game; 1.")
    ] = None,
    balance: Annotated[
        bool, typer.Option("--balance", help="As many of each contract and trick.")
    ] = False,
    samples: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Deals that a bid is averaged over; 20.")
    ] = None,
    memory: GivenMemory = None,
    shard: Shard = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Where to keep the labels, a path or a URL that fsspec knows; by default the name "
            "of the file.",
            show_default=False,
        ),
    ] = None,
    workers: Workers = 1,
    scheduler: Scheduler = None,
    verify: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Make nothing, but solve rows of a folder again."),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(min=1, max=_MOST_ROWS, metavar="N", help="How many rows to verify; 20."),
    ] = None,
) -> Job:
    """Label positions or hands with what every card or contract is worth, for training."""
    given = {
        "kind": kind,
        "variant": variant,
        "contracts": contract,
        "deals": deals,
        "seed": seed,
        "players": players,
        "declarer": _declarer(declarer),
        "objective": objective,
        "conditions": where,
        "player": player,
        "epsilon": epsilon,
        "tricks": _trick_list(tricks),
        "positions": positions,
        "balance": balance or None,
        "samples": samples,
        "memory": memory,
        "shard": shard,
    }
    options = {key: value for key, value in given.items() if value not in (None, [])}
    if verify is not None:
        if file or out or scheduler or workers != 1 or options.keys() - {"seed"}:
            raise typer.BadParameter("only --sample and --seed go with it.", param_hint="--verify")

        def check_job() -> int:
            from trull.analysis.labels.command_line import check

            return check(verify, sample or _SAMPLE, seed or 0)

        return check_job
    if sample is not None:
        raise typer.BadParameter("needs --verify.", param_hint="--sample")
    folder = out or (file and file.stem)
    if not folder:
        raise typer.BadParameter("expected a folder where no file names it.", param_hint="--out")

    def job() -> int:
        from trull.analysis.labels.command_line import label

        return label(file, options, str(folder), workers=workers, scheduler=scheduler)

    return job
