"""`trull study`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trull.analysis.commands.options import (
    MOST_NODES,
    Deals,
    GivenMemory,
    Job,
    Scheduler,
    Shard,
    Where,
    Workers,
)


def _declarer(text: str) -> str:
    if text != "every" and text not in map(str, range(4)):
        raise typer.BadParameter(f"{text!r}, expected a seat from 0 to 3, or every.")
    return text


def command(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[SPEC.toml]",
            help="What to study; options go before what it says.",
            show_default=False,
        ),
    ] = None,
    preset: Annotated[
        str | None, typer.Option(metavar="NAME", help="A study that comes with Trull instead.")
    ] = None,
    list_presets: Annotated[
        bool, typer.Option("--list-presets", help="Show these studies and stop.")
    ] = False,
    contract: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VARIANT:CONTRACT", help="A contract, in place of the file's; several may be."
        ),
    ] = None,
    deals: Deals = None,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="The seed of the deals.")
    ] = None,
    players: Annotated[
        int | None, typer.Option(min=2, max=4, metavar="N", help="The number of players.")
    ] = None,
    declarer: Annotated[
        str | None,
        typer.Option(
            callback=lambda text: text and _declarer(text),
            metavar="SEAT",
            help="The declarer's seat, 0 for forehand, or every: a row a seat.",
        ),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="plain|best|none",
            help="How talon, discards and call are chosen; several may be.",
        ),
    ] = None,
    objective: Annotated[
        list[str] | None,
        typer.Option(metavar="points|tricks|made|score", help="What is asked; several may be."),
    ] = None,
    where: Where = None,
    nodes: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_NODES, metavar="N", help="Node limit for one solve."),
    ] = None,
    memory: GivenMemory = None,
    shard: Shard = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Where to keep the study, a path or a URL that fsspec knows; by default the name "
            "of the file or preset.",
            show_default=False,
        ),
    ] = None,
    workers: Workers = 1,
    scheduler: Scheduler = None,
) -> Job:
    """Solve contracts on many deals and keep a table of them; run again to go on."""
    given = {
        "contracts": contract,
        "deals": deals,
        "seed": seed,
        "players": players,
        "declarer": int(declarer) if declarer and declarer.isdecimal() else declarer,
        "policy": policy,
        "objective": objective,
        "conditions": where,
        "nodes": nodes,
        "memory": memory,
        "shard": shard,
    }
    options = {key: value for key, value in given.items() if value not in (None, [])}
    if file is not None and preset is not None:
        raise typer.BadParameter("expected a file or a preset, not both.", param_hint="--preset")
    folder = out or preset or (file and file.stem)
    if not folder and not list_presets:
        raise typer.BadParameter("expected a folder where no file names it.", param_hint="--out")

    def job() -> int:
        from trull.analysis.study.command_line import list_all, study

        if list_presets:
            return list_all()
        return study(file or preset, options, str(folder), workers=workers, scheduler=scheduler)

    return job
