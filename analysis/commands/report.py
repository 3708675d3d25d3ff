"""`trull report`."""

from __future__ import annotations

from typing import Annotated, Literal, cast, get_args

import typer

from trull.analysis.commands.options import Job

_Format = Literal["csv", "md", "png", "svg", "html"]


def _check_formats(formats: list[str] | None) -> list[str] | None:
    known = get_args(_Format)
    for name in formats or ():
        if name not in known:
            raise typer.BadParameter(f"{name!r} is not one of {', '.join(map(repr, known))}.")
    return formats


def command(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", help="The folder of a study, complete or not.")
    ],
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FEATURE[,FEATURE]",
            help="What tables and plots go by, one feature or a pair; several may be. By default "
            "the features in the conditions of the study, or trumps and dreier_points.",
            show_default=False,
        ),
    ] = None,
    contract: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this game or contract; several may be."),
    ] = None,
    where: Annotated[
        str,
        typer.Option(
            metavar="CONDITION",
            help="Only rows that fulfil this, such as 'trumps >= 8 and kings in (1, 2)'.",
        ),
    ] = "",
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Where to write; by default the folder report in that of the study.",
            show_default=False,
        ),
    ] = None,
    format: Annotated[
        list[str] | None,
        typer.Option(
            callback=_check_formats,
            metavar=f"[{'|'.join(get_args(_Format))}]",
            help="What to write; several may be. By default everything.",
            show_default=False,
        ),
    ] = None,
    confidence: Annotated[
        float, typer.Option(metavar="LEVEL", help="Confidence of all intervals.")
    ] = 0.95,
) -> Job:
    """Summarise a study: win rates, means, thresholds, differences, as tables, plots, a page."""

    def job() -> int:
        from trull.analysis.summary.reporting import report_study

        return report_study(
            folder,
            by=by or (),
            contracts=contract or (),
            where=where,
            out=out,
            formats=cast(list[_Format], format) or get_args(_Format),
            confidence=confidence,
        )

    return job
