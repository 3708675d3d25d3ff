"""How fast studies are: throughput, the cost of the layer over bare solves, and memory.

    python bench/throughput.py                      # about a quarter of an hour
    python bench/throughput.py --deals 60 --rows 2000

Three questions, each with objective `made`, policy `plain` and deals without conditions:

- deals a minute with two workers, by the clock, their start included;
- what a study takes on one worker beyond solving the same positions, in seconds of the processor,
  which other work on the machine changes little;
- the memory of the process while it makes many rows.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from trull.analysis.compiling import make_ready
from trull.analysis.deals import Sampler
from trull.analysis.exchange import ExchangeError, exchange
from trull.analysis.study import Spec, read_spec, run_study
from trull.analysis.study.manifest import Manifest
from trull.solver import Position, Request, solve_many

CONTRACTS = ("koenigrufen:rufer", "koenigrufen:dreier", "koenigrufen:bettler")
SEED = 7
NODE_LIMIT = 2000  # keeps the many rows of the memory test cheap
SAMPLES = 10


def study(contract: str, deals: int, **more: object) -> Spec:
    """Return the study of one contract."""
    data = {"contracts": [contract], "objective": "made", "deals": deals, "seed": SEED}
    return read_spec(data | more)


def run(spec: Spec, workers: int) -> None:
    """Make a study and throw it away."""
    with tempfile.TemporaryDirectory() as folder:
        run_study(spec, folder, workers=workers)


def positions(spec: Spec) -> list[Position]:
    """Return the positions that a study of one contract solves."""
    (game,) = spec.games
    sampler = Sampler(game.variant, game.players, spec.conditions, spec.seed)
    found = []
    for number in range(spec.deals):
        try:
            found.append(exchange(sampler.deal(number), game.contract).position)
        except ExchangeError:
            continue
    return found


def solve_bare(to_solve: list[Position], memory: int) -> None:
    """Solve positions as a study does, and nothing else."""
    request = Request(objective="made", cards="none", pv=False)
    for _ in solve_many(to_solve, request, memory=memory):
        pass


def seconds(clock: Callable[[], float], work: Callable[[], None]) -> float:
    """Return how long some work takes."""
    began = clock()
    work()
    return clock() - began


def speed_table(deals: int) -> Table:
    """Return the figures of every contract."""
    table = Table(box=box.MARKDOWN)
    table.add_column("contract", no_wrap=True)
    for heading in ("deals", "deals/min", "study s", "bare s", "overhead %"):
        table.add_column(heading, justify="right")
    for contract in track(CONTRACTS, "contracts", console=Console(stderr=True)):
        spec = study(contract, deals)
        to_solve = positions(spec)
        rate = 60 * deals / seconds(time.perf_counter, partial(run, spec, workers=2))
        bare = seconds(time.process_time, partial(solve_bare, to_solve, spec.memory))
        layered = seconds(time.process_time, partial(run, spec, workers=1))
        overhead = 100 * (layered / bare - 1)
        figures = (f"{deals:,}", f"{rate:,.0f}", f"{layered:.1f}", f"{bare:.1f}", f"{overhead:.1f}")
        table.add_row(contract, *figures)
    return table


def memory_table(rows: int) -> Table:
    """Return the memory of this process while a study makes rows."""
    table = Table(box=box.MARKDOWN)
    for heading in ("rows", "MB"):
        table.add_column(heading, justify="right")
    spec = study("koenigrufen:bettler", rows, nodes=NODE_LIMIT)
    due = [rows * sample // SAMPLES for sample in range(1, SAMPLES + 1)]

    def watch(manifest: Manifest) -> None:
        while due and manifest.rows >= due[0]:
            table.add_row(f"{due.pop(0):,}", f"{resident_megabytes():.1f}")

    with tempfile.TemporaryDirectory() as folder:
        run_study(spec, folder, watch=watch)
    return table


def resident_megabytes() -> float:
    """Return the memory of this process, by Linux."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("the kernel does not tell")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=1000, help="deals of each contract")
    parser.add_argument("--rows", type=int, default=100_000, help="rows of the memory test")
    arguments = parser.parse_args()
    make_ready()
    console = Console()
    console.print(speed_table(arguments.deals))
    console.print(memory_table(arguments.rows))


if __name__ == "__main__":
    main()
