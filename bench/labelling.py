"""How fast labels are made: labelled positions a second and core.

    python bench/labelling.py               # some minutes
    python bench/labelling.py --rows 20

Each line labels as many positions of one kind, on one thread, and divides by the seconds of the
processor, which other work on the machine changes little; compiling is left out. For bids a
position is a hand, and each contract is solved on its deal and on five sampled ones.
"""

from __future__ import annotations

import argparse
import time
from itertools import islice

from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from trull.analysis.compiling import make_ready
from trull.analysis.labels import LabelSpec, read_label_spec
from trull.analysis.labels.making import LABELS
from trull.solver.kernel.engine import Engine

SEED = 11
MANY_DEALS = 1_000_000
SAMPLES = 5

PLAY = {
    "rufer, trick 9 on": {"contracts": ["koenigrufen:rufer"], "tricks": [9, 10, 11, 12]},
    "rufer, trick 5 to 8": {"contracts": ["koenigrufen:rufer"], "tricks": [5, 6, 7, 8]},
    "bettler, any trick": {"contracts": ["koenigrufen:bettler"]},
    "dreier, trick 5 to 8": {"contracts": ["koenigrufen:dreier"], "tricks": [5, 6, 7, 8]},
    "dreier, trick 5 to 8, greedy": {
        "contracts": ["koenigrufen:dreier"],
        "tricks": [5, 6, 7, 8],
        "player": "greedy",
    },
    "farbensolo, any trick, noise": {
        "contracts": ["koenigrufen:farbensolo"],
        "player": "noise",
        "balance": True,
    },
}
BID = {
    "bid: bettler and farbensolo made": {
        "contracts": ["koenigrufen:bettler", "koenigrufen:farbensolo"],
        "results": ["made"],
        "samples": SAMPLES,
        "kind": "bid",
    },
}


def rate(spec: LabelSpec, rows: int) -> float:
    """Return the rows that are made in a second of the processor."""
    engine = Engine(spec.memory)
    began = time.process_time()
    made = sum(1 for _ in islice(LABELS.rows(spec, range(spec.deals), engine), rows))
    return made / (time.process_time() - began)


def rates(rows: int) -> Table:
    """Return the figures of every kind of label."""
    table = Table(box=box.MARKDOWN)
    table.add_column("labels", no_wrap=True)
    for heading in ("rows", "a second and core"):
        table.add_column(heading, justify="right")
    for name, data in track((PLAY | BID).items(), "labels", console=Console(stderr=True)):
        spec = read_label_spec(data | {"deals": MANY_DEALS, "seed": SEED})
        table.add_row(name, f"{rows:,}", f"{rate(spec, rows):,.1f}")
    return table


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=400, help="rows of each kind")
    arguments = parser.parse_args()
    make_ready()
    Console().print(rates(arguments.rows))


if __name__ == "__main__":
    main()
