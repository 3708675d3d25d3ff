"""The node signature: a fixed set of positions takes a fixed number of nodes.

The positions stand in `data/signature.json`, one of eight tricks for every contract and number of
players, with the nodes that each takes. A change that means to leave the search alone leaves the
numbers alone. One that does not says so in its commit and records the new ones:

    python tests/test_signature.py --record
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from endings import random_ending
from trull.solver import Position, Request, solve_many
from trull.solver.interchange import parse_position, position_to_dict
from trull.solver.rulebooks import every_contract

RECORD = Path(__file__).parent.parent / "data" / "signature.json"
TRICKS = 8

ROWS = json.loads(RECORD.read_text()) if RECORD.exists() else []
POSITIONS: dict[str, Position] = {row["name"]: parse_position(row["position"]) for row in ROWS}
NODES: dict[str, int] = {row["name"]: row["nodes"] for row in ROWS}

GAMES = {
    f"{book.name} {contract.name} {players}": (book.name, contract.name, players)
    for book, contract in every_contract()
    for players in contract.values
}


def signature(names: Sequence[str], workers: int = 1) -> dict[str, int]:
    """Return how many nodes the positions take, solved in the order of their names."""
    answers = solve_many([POSITIONS[name] for name in names], Request(), workers=workers)
    return {name: answer.nodes for name, answer in zip(names, answers, strict=True)}


def test_every_contract_has_a_position() -> None:
    """A new contract needs a new position, which recording adds."""
    assert POSITIONS.keys() == GAMES.keys()


def test_signature() -> None:
    """The nodes are those on record."""
    found = signature(list(POSITIONS))
    assert found == NODES, (
        f"the search visits {sum(found.values()):,} nodes, {sum(NODES.values()):,} are recorded; "
        "if that is meant, run python tests/test_signature.py --record, and say so in the commit"
    )


def test_signature_does_not_depend_on_workers_or_order() -> None:
    """Every position starts cold, whoever solves it and whatever came before."""
    assert signature(list(POSITIONS), workers=2) == NODES
    assert signature(list(POSITIONS)[::-1]) == NODES


def record() -> None:
    """Write the nodes of every position, with a new position for a contract that has none."""
    for name, game in GAMES.items():
        if name not in POSITIONS:
            POSITIONS[name] = random_ending(random.Random(f"signature {name}"), *game, TRICKS)
    found = signature(list(GAMES))
    rows = [
        json.dumps({"name": name, "nodes": nodes, "position": position_to_dict(POSITIONS[name])})
        for name, nodes in found.items()
    ]
    RECORD.write_text("[\n" + ",\n".join(rows) + "\n]\n")
    print(f"{sum(NODES.values()):,} nodes before, {sum(found.values()):,} now")


if __name__ == "__main__":
    if sys.argv[1:] != ["--record"]:
        sys.exit("usage: python tests/test_signature.py --record")
    record()
