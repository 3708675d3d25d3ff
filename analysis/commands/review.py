"""`trull review`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from trull.analysis.commands.options import AsJson, Job, Memory, Positions, Workers


def _plot_file(path: Path | None) -> Path | None:
    """Return the name of a picture; refuse a kind that is not drawn, and a missing folder."""
    if path is None:
        return None
    if path.suffix.lower() not in (".png", ".svg"):
        raise typer.BadParameter(f"{str(path)!r}, expected a name that ends in .png or .svg.")
    if not path.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {str(path.parent)!r}.")
    return path


def command(
    file: Positions,
    json: AsJson = False,
    objective: Annotated[
        Literal["points", "tricks", "made", "score"] | None,
        typer.Option(
            help="What the cards are judged by; the contract's own by default.", show_default=False
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            callback=_plot_file,
            metavar="FILE.png|.svg",
            help="Draw the value along the game; of several games the second is drawn into "
            "FILE-2.png, and so on.",
            show_default=False,
        ),
    ] = None,
    workers: Workers = 1,
    memory: Memory = 64,
) -> Job:
    """Review played games: the value before and after every card, and what each error cost."""

    def job() -> int:
        from trull.analysis.review.running import review_source

        return review_source(
            file, objective, as_json=json, plot=plot, workers=workers, memory=memory
        )

    return job
