"""Make fresh benchmark sets of the kinds in bench/sets.

    python bench/make_sets.py --seed 7 --out DIR                    all sets
    python bench/make_sets.py --seed 7 --out DIR --deals 500 rufer12
    python bench/run.py --sets DIR                                  time the solver on them

What the deals of each set have to fulfil, how the talon is exchanged and which King is called
stands in `trull.analysis.benching.sets`. These rules were inferred from bench/sets: from every
declarer's hand, discards and what he left of the talon. The discards follow exactly (but for
the order of equal cards), so do the conditions of a Bettler; that of a suit game and which half
is taken are the simplest ones that fit the frequencies.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from trull.analysis.benching.sets import SETS, make_set
from trull.solver.interchange import position_to_dict


def _natural(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r}, expected a number that is not negative")
    return int(text)


def main() -> None:
    """Write the sets that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)}")
    parser.add_argument("--seed", type=_natural, required=True, help="same seed, same deals")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write to")
    parser.add_argument("--deals", type=_natural, metavar="N", help="deals in every set")
    options = parser.parse_args()
    unknown = [name for name in options.sets if name not in SETS]
    if unknown:
        parser.error(f"unknown set {unknown[0]!r}: expected {', '.join(SETS)}")

    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.sets or SETS:
        positions = make_set(name, options.seed, options.deals)
        lines = [json.dumps(position_to_dict(position)) + "\n" for position in positions]
        target = options.out / f"{name}.jsonl"
        unfinished = target.with_suffix(".part")
        unfinished.write_text("".join(lines))
        unfinished.replace(target)


if __name__ == "__main__":
    main()
