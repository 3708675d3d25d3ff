"""Time the solver on benchmark sets: one core, compiled, a cold table for every deal.

    python bench/run.py                     every task, and DDS on bridge deals
    python bench/run.py rufer12 dreier12    the tasks of some sets
    python bench/run.py --question made     one question only
    python bench/run.py --sets DIR          other deals, as bench/make_sets.py makes them
    python bench/run.py --bridge 0          without bridge
    python bench/run.py --workers 2         also how two workers scale
    python bench/run.py --json FILE         also write the figures of every deal

A task is a set of deals and a question: `made` (the verdict), `points` (the exact value; in
Trischaken that of every seat), `cards` (the exact value of every card that can be led) or `score`
(what the declarer writes). Times are milliseconds from the position to its answer; `cpu` is
the mean time that the solving thread had a processor, which other programs do not add to, and
Mnodes/s are counted by it; knodes are thousands of nodes, the mean of a deal. In bridge a task is
one strain and one leader, all of whose cards are valued: what `cards` asks of a Tarock deal.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path

import bridge
import scaling
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from trull.analysis.benching.measuring import Spread, measure
from trull.solver import Position, Request, solve_many
from trull.solver.interchange import read_positions

SETS = Path(__file__).parent / "sets"
QUESTIONS: dict[str, Request] = {
    "made": Request(objective="made", cards="none", pv=False),
    "points": Request(objective="points", cards="none", pv=False),
    "cards": Request(objective="points", cards="all", pv=False),
    "score": Request(objective="score", cards="none", pv=False),
}
TASKS = {
    "rufer12": ("made", "points", "cards", "score"),
    "dreier12": ("made", "points", "score"),
    "bettler12": ("made",),
    "farben12": ("made", "points", "score"),
    "trischaken12": ("points",),
    "solo16": ("made", "points", "score"),
}
BRIDGE = "bridge"
BOARDS = 100
COMPARED = ("rufer12", "cards")
SCALED = ("rufer12", "made")
WIDTH = 110
COLUMNS = (
    *("set", "question", "deals", "mean", "median", "p95", "p99", "max"),
    *("cpu", "knodes", "Mnodes/s"),
)


@dataclass(frozen=True)
class Timing:
    """One task's figures: milliseconds, of processor time too, and nodes of every deal."""

    deals: str
    question: str
    ids: list[object]
    ms: list[float]
    cpu: list[float]
    nodes: list[int]

    @property
    def mean(self) -> float:
        """Mean milliseconds."""
        return Spread.of(self.ms).mean

    def row(self) -> list[str]:
        """Return the cells of the printed table."""
        return [
            self.deals,
            self.question,
            str(len(self.ms)),
            *(f"{figure:.1f}" for figure in astuple(Spread.of(self.ms))),
            f"{Spread.of(self.cpu).mean:.1f}",
            f"{sum(self.nodes) / len(self.nodes) / 1000:.1f}" if self.nodes else "",
            f"{sum(self.nodes) / sum(self.cpu) / 1000:.1f}" if self.nodes else "",
        ]


def load(folder: Path, name: str) -> list[Position]:
    """Return the positions of a set."""
    path = folder / f"{name}.jsonl"
    try:
        with path.open() as lines:
            items = list(read_positions(lines))
    except OSError as error:
        raise SystemExit(f"{path}: {error.strerror}") from error
    faulty = [item for item in items if not isinstance(item, Position)]
    if faulty:
        raise SystemExit(f"{path}: {faulty[0].error}")
    return [item for item in items if isinstance(item, Position)]


def time_task(positions: Sequence[Position], name: str, question: str, memory: float) -> Timing:
    """Solve a set and keep what each deal cost."""
    costs = measure(positions, QUESTIONS[question], memory=memory)
    console = Console(stderr=True)
    solved = list(track(costs, f"{name} {question}", total=len(positions), console=console))
    return Timing(
        name,
        question,
        [cost.answer.position.id for cost in solved],
        [cost.answer.ms for cost in solved],
        [cost.cpu for cost in solved],
        [cost.answer.nodes for cost in solved],
    )


def time_bridge(seed: int, boards: int) -> Timing:
    """Let DDS solve random bridge deals and keep what each cost."""
    wall, cpu = bridge.measure(seed, boards)
    return Timing(BRIDGE, "cards", list(range(boards)), wall, cpu, [])


def ratio(timings: Sequence[Timing]) -> str:
    """Return a sentence that compares a Tarock deal with a bridge deal, or nothing."""
    means = {(timing.deals, timing.question): timing for timing in timings}
    ours, theirs = means.get(COMPARED), means.get((BRIDGE, "cards"))
    if ours is None or theirs is None:
        return ""
    cpu = Spread.of(ours.cpu).mean / Spread.of(theirs.cpu).mean
    return (
        f"{' '.join(COMPARED)} takes {ours.mean / theirs.mean:.1f} times as long as a bridge deal "
        f"in DDS ({cpu:.1f} times the processor time)"
    )


def scaling_table(rates: dict[str, float]) -> Table:
    """Return the printed table of how workers scale."""
    table = Table(" ".join(SCALED), "deals/s", "ratio", box=box.MARKDOWN)
    one = next(iter(rates.values()))
    for way, rate in rates.items():
        table.add_row(way, f"{rate:.2f}", f"{rate / one:.2f}")
    return table


def parsed() -> argparse.Namespace:
    """Return what the command line asks for, or refuse it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="SET", help=f"of {', '.join(TASKS)}")
    parser.add_argument(
        "--question", action="append", choices=QUESTIONS, help="only this one (may be repeated)"
    )
    parser.add_argument("--sets", type=Path, default=SETS, metavar="DIR", help="where the sets are")
    parser.add_argument(
        "--bridge", type=int, metavar="N", help=f"bridge deals to time DDS on (default {BOARDS})"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the bridge deals")
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N", help="also measure how N workers scale"
    )
    parser.add_argument("--memory", type=float, default=64, help="table size in MB (default 64)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every deal's figures")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in TASKS]
    if unknown:
        parser.error(f"unknown set {unknown[0]!r}: expected {', '.join(TASKS)}")
    for option, least in (("seed", 0), ("workers", 1), ("bridge", 0)):
        if (getattr(options, option) or least) < least:
            parser.error(f"--{option}: expected a number not below {least}")
    if options.bridge and not bridge.is_available():
        parser.error("--bridge needs endplay: pip install 'trull[bench]'")
    if options.bridge is None:
        options.bridge = BOARDS if bridge.is_available() else 0
        if not options.bridge:
            Console(stderr=True).print(
                "no bridge for comparison: pip install 'trull\\[bench]' brings endplay"
            )
    return options


def main() -> None:
    """Run the tasks that the command line names."""
    options = parsed()
    sets = {name: load(options.sets, name) for name in options.names or TASKS}
    first = next(iter(sets.values()))[:1]
    list(solve_many(first, Request(nodes=1)))  # compile before the clock runs

    timings = [
        time_task(positions, name, question, options.memory)
        for name, positions in sets.items()
        for question in TASKS[name]
        if question in (options.question or QUESTIONS)
    ]
    if options.bridge:
        timings.append(time_bridge(options.seed, options.bridge))
    table = Table(*COLUMNS, box=box.MARKDOWN)
    for timing in timings:
        table.add_row(*timing.row())
    console = Console(width=WIDTH, highlight=False)
    console.print(table)
    console.print(ratio(timings))
    rates = {}
    if options.workers > 1:
        name, question = SCALED
        positions = sets.get(name) or load(options.sets, name)
        rates = scaling.rates(positions, QUESTIONS[question], options.workers, options.memory)
        console.print(scaling_table(rates))
    if options.json:
        figures = {"tasks": [asdict(timing) for timing in timings], "scaling": rates}
        unfinished = options.json.with_suffix(".part")
        unfinished.write_text(json.dumps(figures) + "\n")
        unfinished.replace(options.json)


if __name__ == "__main__":
    main()
