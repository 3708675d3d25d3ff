"""The node signature: a fixed set of positions takes a fixed number of nodes.

A change that means to leave the search alone leaves the number alone. One that does not says so in
its commit and records the new number:

    python tests/test_signature.py
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from endings import random_ending
from trull.solver import Position, Request, solve_many
from trull.solver.rulebooks import every_contract

RECORD = Path(__file__).parent.parent / "data" / "signature.json"
TRICKS = 8


def positions() -> list[Position]:
    """Return one ending of eight tricks for every contract and number of players."""
    return [
        random_ending(
            random.Random(f"signature {book.name} {contract.name} {players}"),
            book.name,
            contract.name,
            players,
            TRICKS,
        )
        for book, contract in every_contract()
        for players in contract.values
    ]


def signature(workers: int = 1) -> dict[str, int]:
    """Return how many nodes each position takes, by contract and number of players."""
    found = positions()
    answers = solve_many(found, Request(), workers=workers)
    names = (f"{p.variant} {p.contract} {p.seats}" for p in found)
    return {name: answer.nodes for name, answer in zip(names, answers, strict=True)}


def test_signature() -> None:
    """The nodes are those on record."""
    assert signature() == json.loads(RECORD.read_text()), (
        "the search visits other nodes than recorded; if that is meant, say so in the commit and "
        "run python tests/test_signature.py"
    )


def test_signature_does_not_depend_on_workers_or_order() -> None:
    """Every position starts cold, whoever solves it and whatever came before."""
    assert signature(workers=2) == signature()
    backwards = list(solve_many(positions()[::-1], Request()))[::-1]
    assert [answer.nodes for answer in backwards] == list(signature().values())


if __name__ == "__main__":
    recorded = signature()
    RECORD.write_text(json.dumps(recorded, indent=1) + "\n")
    print(f"{sum(recorded.values()):,} nodes")
