"""The command line.

Typer only parses here. A command returns a *job*, what is left to do, and `main` does it, so that
every way a job can end is handled in one place.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import Annotated

import typer
from typer.exceptions import TyperException

from trull.analysis.commands import (
    analyse,
    bench,
    cache,
    check_claim,
    convert,
    deal,
    exchange,
    hand,
    label,
    legal,
    report,
    review,
    score,
    solve,
    study,
    table,
)

INTERRUPTED = 130
PIPE_CLOSED = 141
FAULTY = 2

_PATIENCE = 0.1  # seconds for a slow reader to take what is already written

app = typer.Typer(
    help="Double-dummy solver and hand analyser for the Tarock family.",
    add_completion=False,
    invoke_without_command=True,
    rich_markup_mode=None,
)


def main() -> None:
    """Run the command line and leave with its exit status."""
    _prepare_streams()
    warnings.formatwarning = _warning_line
    status = run(sys.argv[1:])
    if status in (INTERRUPTED, PIPE_CLOSED):
        # A thread may still wait for input, which an orderly exit would wait for, too.
        flush = threading.Thread(target=_flush, daemon=True)
        flush.start()
        flush.join(_PATIENCE)
        os._exit(status)
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit status: 0, or 2 when anything was refused.

    Args:
        arguments: the words after `trull`.
    """
    try:
        job = app(arguments, prog_name="trull", standalone_mode=False)
        status = job if isinstance(job, int) else job()
        sys.stdout.flush()
        return status
    except TyperException as error:
        return _refuse(error.format_message(), error.exit_code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return PIPE_CLOSED
    except OSError as error:
        name = "" if error.filename is None else f"{error.filename or repr('')}: "
        return _refuse(f"{name}{error.strerror or error}", FAULTY)
    except MemoryError:
        return _refuse("not enough memory: --memory or --workers is too large", FAULTY)


def _prepare_streams() -> None:
    """Let closed streams be empty ones, and print a sign that an encoding lacks as `?`."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - as long as the process
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _flush() -> None:
    with suppress(OSError):
        sys.stdout.flush()


def _warning_line(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    line: str | None = None,
) -> str:
    return f"trull: warning: {message}\n"


def _refuse(sentence: str, status: int) -> int:
    print(f"trull: {_on_one_line(sentence)}", file=sys.stderr)
    return status


def _on_one_line(sentence: str) -> str:
    """Return what a terminal can show of a sentence, without words of the option parser's own."""
    shown = (sign if sign.isprintable() else ascii(sign)[1:-1] for sign in sentence)
    return "".join(shown).replace("Value error, ", "")


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"trull {version('trull')}")
        raise typer.Exit


@app.callback()
def _trull(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit(FAULTY)


app.command("solve")(solve.command)
app.command("legal")(legal.command)
app.command("check-claim")(check_claim.command)
app.command("score")(score.command)
app.command("hand")(hand.command)
app.command("convert")(convert.command)
app.command("deal")(deal.command)
app.command("exchange")(exchange.command)
app.command("study")(study.command)
app.command("label")(label.command)
app.command("analyse")(analyse.command)
app.command("table")(table.command)
app.command("bench")(bench.command)
app.command("report")(report.command)
app.command("review")(review.command)
app.add_typer(cache.app, name="cache")
