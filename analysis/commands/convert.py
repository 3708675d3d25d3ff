"""`trull convert`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from trull.analysis.commands.options import Job, Positions


def command(
    file: Positions,
    source: Annotated[
        Literal["json", "deal", "taroky"] | None,
        typer.Option("--from", help="What is read; by default it tells by its beginning."),
    ] = None,
    target: Annotated[
        Literal["json", "deal", "taroky"], typer.Option("--to", help="What is written.")
    ] = "json",
) -> Job:
    """Write positions in another notation: JSON, deal strings, Taroky Notation."""

    def job() -> int:
        from trull.analysis.converting import convert_source

        return convert_source(file, source, target)

    return job
