"""`trull cache`."""

from __future__ import annotations

import typer

from trull.analysis.commands.options import Job

app = typer.Typer(help="The compiled search that is kept on this machine.")


@app.command("show")
def _show() -> Job:
    """Show where the compiled search is kept, and whether it is there."""
    from trull.analysis.compiling import show_cache

    return show_cache


@app.command("warm")
def _warm() -> Job:
    """Compile the search now, so that the first solve need not."""
    from trull.analysis.compiling import warm_cache

    return warm_cache


@app.command("clear")
def _clear() -> Job:
    """Remove the compiled search of every version."""
    from trull.analysis.compiling import clear_cache

    return clear_cache
