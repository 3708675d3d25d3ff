"""What several commands have in common: their arguments and options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

Job = Callable[[], int]
"""Does the work of a command and returns the exit status."""

MOST_SECONDS = 1e9  # what a timer can hold
MOST_NODES = 10**12
MOST_MEMORY = 1 << 20
MOST_WORKERS = 1 << 10


def check_seconds(value: float | None) -> float | None:
    """Return a number of seconds; refuse what no timer can hold."""
    if value is not None and not 0 <= value <= MOST_SECONDS:
        raise typer.BadParameter(f"{value} is not in the range 0 to {MOST_SECONDS:.0f}.")
    return value


Positions = Annotated[
    str,
    typer.Argument(
        help="Positions as JSON, deal strings or Taroky Notation; - reads standard input. One "
        "position may stand in the place of the file itself.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Write one JSON object a line.")]
Workers = Annotated[
    int,
    typer.Option(
        min=1, max=MOST_WORKERS, metavar="N", help="How many to work on at the same time."
    ),
]
NodeLimit = Annotated[
    int | None,
    typer.Option(min=1, max=MOST_NODES, metavar="N", help="Node limit for one position."),
]
Memory = Annotated[
    int,
    typer.Option(min=1, max=MOST_MEMORY, metavar="MB", help="Transposition table of each worker."),
]
Deals = Annotated[int | None, typer.Option(min=1, metavar="N", help="How many deals.")]
Where = Annotated[
    list[str] | None,
    typer.Option(metavar="CONDITION", help="What the deals fulfil; several may be."),
]
GivenMemory = Annotated[
    int | None,
    typer.Option(min=1, max=MOST_MEMORY, metavar="MB", help="Transposition table of each worker."),
]
Shard = Annotated[int | None, typer.Option(min=1, metavar="N", help="Deals in one file.")]
Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Let the workers of a dask scheduler do it, such as tcp://10.0.0.1:8786.",
    ),
]
