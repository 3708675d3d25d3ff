"""Time the solver on the benchmark sets: one core, compiled, a cold table for every deal.

    python bench/run.py                     every task
    python bench/run.py rufer12 dreier12    the tasks of some sets
    python bench/run.py --question made     one question only
    python bench/run.py --json FILE         also write the figures of every deal

A task is a set of deals and a question: `made` (the verdict), `points` (the exact value; in
Trischaken that of every seat), `cards` (the exact value of every card that can be led) or `score`
(what the declarer writes). Times are milliseconds from the position to
its answer; nodes are thousands.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from trull.solver import Answer, Position, Request, solve_many
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
WIDTH = 100
COLUMNS = ["set", "question", "deals", "mean", "median", "p95", "p99", "max", "knodes", "Mnodes/s"]


@dataclass(frozen=True)
class Timing:
    """One task's figures: milliseconds and nodes of every deal."""

    deals: str
    question: str
    ids: list[object]
    ms: list[float]
    nodes: list[int]

    def row(self) -> list[str]:
        """Return the cells of the printed table."""
        figures = [np.mean(self.ms), *np.percentile(self.ms, (50, 95, 99)), np.max(self.ms)]
        rate = sum(self.nodes) / sum(self.ms) / 1000
        return [
            self.deals,
            self.question,
            str(len(self.ms)),
            *(f"{figure:.1f}" for figure in figures),
            f"{np.mean(self.nodes) / 1000:.1f}",
            f"{rate:.1f}",
        ]


def load(name: str) -> list[Position]:
    """Return the positions of a set."""
    with (SETS / f"{name}.jsonl").open() as lines:
        positions = list(read_positions(lines))
    faulty = [item for item in positions if not isinstance(item, Position)]
    if faulty:
        raise SystemExit(f"{name}: {faulty[0].error}")
    return [item for item in positions if isinstance(item, Position)]


def measure(name: str, question: str, memory: float) -> Timing:
    """Solve a set and keep what each deal cost."""
    positions = load(name)
    answers = solve_many(positions, QUESTIONS[question], memory=memory)
    watched: Iterator[Answer] = iter(
        track(answers, f"{name} {question}", total=len(positions), console=Console(stderr=True))
    )
    solved = list(watched)
    return Timing(
        name,
        question,
        [answer.position.id for answer in solved],
        [answer.ms for answer in solved],
        [answer.nodes for answer in solved],
    )


def main() -> None:
    """Run the tasks that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(TASKS)}")
    parser.add_argument(
        "--question", action="append", choices=QUESTIONS, help="only this one (may be repeated)"
    )
    parser.add_argument("--memory", type=float, default=64, help="table size in MB (default 64)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every deal's figures")
    options = parser.parse_args()
    unknown = set(options.sets) - set(TASKS)
    if unknown:
        parser.error(f"unknown set {unknown.pop()!r}: expected {', '.join(TASKS)}")

    next(solve_many(load("rufer12")[:1], QUESTIONS["made"]))  # compile before the clock runs
    table = Table(*COLUMNS, box=box.MARKDOWN)
    timings = []
    for name in options.sets or TASKS:
        for question in TASKS[name]:
            if options.question and question not in options.question:
                continue
            timings.append(measure(name, question, options.memory))
            table.add_row(*timings[-1].row())
    Console(width=WIDTH).print(table)
    if options.json:
        options.json.write_text(json.dumps([vars(timing) for timing in timings]) + "\n")


if __name__ == "__main__":
    main()
