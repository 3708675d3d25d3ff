"""`trull bench`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from trull.analysis.commands.options import Job, Memory

_MOST_REPEATS = 1000


def _figure(path: Path | None) -> Path | None:
    if path is not None and path.suffix.lower() not in (".png", ".svg"):
        raise typer.BadParameter(f"{path}, expected a name that ends in .png or .svg.")
    return path


def command(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="Positions as JSON, deal strings or Taroky Notation; - reads standard input. "
            "Without a file, 20 random Rufer deals, always the same.",
            show_default=False,
        ),
    ] = None,
    objective: Annotated[
        Literal["points", "tricks", "made", "score"] | None,
        typer.Option(help="What to find out; the contract's own by default.", show_default=False),
    ] = None,
    repeat: Annotated[
        int,
        typer.Option(
            min=1, max=_MOST_REPEATS, metavar="N", help="Solve each N times; the least counts."
        ),
    ] = 1,
    memory: Memory = 64,
    json: Annotated[
        Path | None,
        typer.Option(
            "--json",
            metavar="OUT",
            dir_okay=False,
            help="Write what every deal cost to a file.",
            show_default=False,
        ),
    ] = None,
    compare: Annotated[
        Path | None,
        typer.Option(
            metavar="OLD.json",
            dir_okay=False,
            help="Compare deal by deal with what --json wrote.",
            show_default=False,
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            callback=_figure,
            help="Draw how time is distributed, as .png or .svg.",
            show_default=False,
        ),
    ] = None,
) -> Job:
    """Time the solver on positions: nodes, speed, how time is distributed, ratios to before."""

    def job() -> int:
        from trull.analysis.benching.running import bench

        return bench(
            files or [],
            objective=objective,
            repeat=repeat,
            memory=memory,
            json=json,
            compare=compare,
            plot=plot,
        )

    return job
