"""`trull hand`."""

from __future__ import annotations

from typing import Annotated

import typer

from trull.analysis.commands.options import AsJson, Job


def command(
    file: Annotated[
        str,
        typer.Argument(
            help="Hands as JSON, or positions; - reads standard input. The cards of one hand may "
            "stand in the place of the file.",
        ),
    ],
    json: AsJson = False,
    variant: Annotated[
        str | None, typer.Option(metavar="NAME", help="The variant of hands that name none.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(metavar="N", help="The seat of hands that name none; 0 leads.")
    ] = None,
) -> Job:
    """Judge hands: announcements, counts, rules of thumb, and what each may bid."""

    def job() -> int:
        from trull.analysis.judging import judge_source

        return judge_source(file, variant=variant, seat=seat, as_json=json)

    return job
