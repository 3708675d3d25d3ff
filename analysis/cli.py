"""The command line: `trull solve`, `trull cache`.

Typer only parses here. A command returns a *job*, what is left to do, and `main` does it, so that
every way a job can end is handled in one place. Modules that load the search are imported by the
jobs, which keeps `trull --help` instant.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import Annotated, Literal

import typer
from typer.exceptions import TyperException

Job = Callable[[], int]
"""Does the work of a command and returns the exit status."""

INTERRUPTED = 130
PIPE_CLOSED = 141
FAULTY = 2

Positions = Annotated[
    str,
    typer.Argument(
        help="Positions as JSON, deal strings or Taroky Notation; - reads standard input. One "
        "position may stand in the place of the file itself.",
    ),
]

_SIDES: dict[str, Literal["declarers", "opponents"] | int] = {
    "declarers": "declarers",
    "opponents": "opponents",
    **{str(seat): seat for seat in range(4)},
}
"""What `--side` may say."""

_MOST_SECONDS = 1e9  # what a timer can hold
_MOST_NODES = 10**12
_MOST_MEMORY = 1 << 20
_MOST_WORKERS = 1 << 10
_PATIENCE = 0.1  # seconds for a slow reader to take what is already written

app = typer.Typer(
    help="Double-dummy solver and hand analyser for the Tarock family.",
    add_completion=False,
    invoke_without_command=True,
    rich_markup_mode=None,
)
cache_app = typer.Typer(help="The compiled search that is kept on this machine.")
app.add_typer(cache_app, name="cache")


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
        name = f"{error.filename}: " if error.filename else ""
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


def _is_number(value: float | None) -> float | None:
    if value is not None and not 0 <= value <= _MOST_SECONDS:
        raise typer.BadParameter(f"{value} is not in the range 0 to {_MOST_SECONDS:.0f}.")
    return value


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


@app.command("solve")
def _solve(
    file: Positions,
    json: Annotated[bool, typer.Option("--json", help="Write one JSON object a position.")] = False,
    objective: Annotated[
        Literal["points", "tricks", "made", "score"] | None,
        typer.Option(help="What to find out; the contract's own by default.", show_default=False),
    ] = None,
    solution: Annotated[
        Literal["minimax", "maxn"],
        typer.Option(
            help="minimax: the declaring side against all others. maxn: endings of games of "
            "everyone, in which each seat plays for its own settlement."
        ),
    ] = "minimax",
    cards: Annotated[
        Literal["all", "best", "none"], typer.Option(help="Which legal cards to value.")
    ] = "all",
    workers: Annotated[
        int,
        typer.Option(
            min=1, max=_MOST_WORKERS, metavar="N", help="Positions solved at the same time."
        ),
    ] = 1,
    time: Annotated[
        float | None,
        typer.Option(
            callback=_is_number,
            metavar="SECONDS",
            help="Time limit for one position; proven bounds are answered then.",
        ),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            min=1, max=_MOST_NODES, metavar="N", help="Node limit for one position, likewise."
        ),
    ] = None,
    memory: Annotated[
        int,
        typer.Option(
            min=1, max=_MOST_MEMORY, metavar="MB", help="Transposition table of each worker."
        ),
    ] = 64,
) -> Job:
    """Solve positions: the result under best play by everyone, every card's value, a best line."""

    def job() -> int:
        from trull.analysis.solving import solve_file
        from trull.solver.api import MaxnRequest, Request

        request: Request | MaxnRequest
        if solution == "maxn":
            if objective not in (None, "score"):
                raise typer.BadParameter(
                    f"{objective} with --solution maxn, where every seat plays for its score.",
                    param_hint="--objective",
                )
            request = MaxnRequest(cards=cards, seconds=time, nodes=nodes)
        else:
            request = Request(objective=objective, cards=cards, seconds=time, nodes=nodes)
        return solve_file(file, request, as_json=json, workers=workers, memory=memory)

    return job


@app.command("check-claim")
def _check_claim(
    file: Positions,
    side: Annotated[
        str,
        typer.Option(
            metavar="SIDE",
            help="Who claims: declarers, opponents, or a seat where everyone plays alone.",
        ),
    ] = "declarers",
    points: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Card points claimed, with those the side has: in thirds (35 points and 2 Blatt "
            "are 107), in Texas taroky in points.",
        ),
    ] = None,
    tricks: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Or tricks claimed, with those the side has."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Write one JSON object a position.")] = False,
    workers: Annotated[
        int,
        typer.Option(
            min=1, max=_MOST_WORKERS, metavar="N", help="Positions checked at the same time."
        ),
    ] = 1,
    nodes: Annotated[
        int | None,
        typer.Option(min=1, max=_MOST_NODES, metavar="N", help="Node limit for one position."),
    ] = None,
) -> Job:
    """Check a claim: whether a side is sure of so much, or the line that refutes it."""
    if (points is None) == (tricks is None):
        raise typer.BadParameter("expected one of the two.", param_hint="'--points' / '--tricks'")

    def job() -> int:
        from trull.analysis.claiming import check_source
        from trull.solver.claim import ClaimRequest

        request = ClaimRequest(side=_side(side), points=points, tricks=tricks, nodes=nodes)
        return check_source(file, request, as_json=json, workers=workers)

    return job


def _side(text: str) -> Literal["declarers", "opponents"] | int:
    if text not in _SIDES:
        raise typer.BadParameter(
            f"{text!r} is not one of {', '.join(map(repr, _SIDES))}.", param_hint="'--side'"
        )
    return _SIDES[text]


@app.command("legal")
def _legal(
    file: Positions,
    json: Annotated[bool, typer.Option("--json", help="Write one JSON object a position.")] = False,
) -> Job:
    """Show which cards may be played, and the rule that forbids each of the others."""

    def job() -> int:
        from trull.analysis.ruling import rule_source

        return rule_source(file, as_json=json)

    return job


@app.command("score")
def _score(
    file: Positions,
    json: Annotated[bool, typer.Option("--json", help="Write one JSON object a deal.")] = False,
) -> Job:
    """Settle finished deals: what every seat scores, rule by rule."""

    def job() -> int:
        from trull.analysis.scoring import score_file

        return score_file(file, as_json=json)

    return job


@app.command("hand")
def _hand(
    file: Annotated[
        str,
        typer.Argument(
            help="Hands as JSON, or positions; - reads standard input. The cards of one hand may "
            "stand in the place of the file.",
        ),
    ],
    json: Annotated[bool, typer.Option("--json", help="Write one JSON object a hand.")] = False,
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


@app.command("convert")
def _convert(
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


@cache_app.command("show")
def _show() -> Job:
    """Show where the compiled search is kept, and whether it is there."""
    from trull.analysis.compiling import show_cache

    return show_cache


@cache_app.command("warm")
def _warm() -> Job:
    """Compile the search now, so that the first solve need not."""
    from trull.analysis.compiling import warm_cache

    return warm_cache


@cache_app.command("clear")
def _clear() -> Job:
    """Remove the compiled search of every version."""
    from trull.analysis.compiling import clear_cache

    return clear_cache
