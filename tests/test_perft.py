"""Perft: how many lines of play the rules allow, counted by the kernel and by the referee.

The counts of fixed deals of every contract stand in `data/perft.json`; they change only when a rule
of play does. Record them anew with

    python tests/test_perft.py
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from endings import random_ending
from trull.solver import Position
from trull.solver.interchange import parse_position, position_to_dict
from trull.solver.kernel.engine import Engine
from trull.solver.referee import TAKE, Referee, State
from trull.solver.rulebooks import every_contract

RECORD = Path(__file__).parent.parent / "data" / "perft.json"
DEPTH = 5
TRICKS = 6


def perft(referee: Referee, state: State, depth: int) -> int:
    """Return the number of lines of `depth` moves that the referee allows."""
    if depth == 0 or referee.over(state):
        return 1
    return sum(
        perft(referee, referee.play(state, move), depth - 1) for move in referee.moves(state)
    )


def perft_kernel(engine: Engine, referee: Referee, line: list[int], depth: int) -> int:
    """Return the same number by the kernel's legal cards; the referee adds what is taken up."""
    if depth == 0:
        return 1
    _seat, legal, _worth = engine.look(line)
    if not legal:
        return 1
    state = referee.start
    for move in line:
        state = referee.play(state, move)
    moves = [move for move in referee.moves(state) if legal >> move % TAKE & 1]
    assert {move % TAKE for move in moves} == {c for c in range(64) if legal >> c & 1}
    return sum(perft_kernel(engine, referee, [*line, move], depth - 1) for move in moves)


def _record() -> list[dict[str, object]]:
    rows = []
    for book, contract in every_contract():
        for players in contract.values:
            name = f"{book.name} {contract.name} {players}"
            rng = random.Random(f"perft {name}")
            position = random_ending(rng, book.name, contract.name, players, TRICKS)
            referee = Referee(position)
            lines = perft(referee, referee.start, DEPTH)
            rows.append({"name": name, "lines": lines, "position": position_to_dict(position)})
    return rows


ROWS = json.loads(RECORD.read_text()) if RECORD.exists() else []


def test_every_contract_has_a_row() -> None:
    """A new contract needs a new row."""
    expected = {
        f"{book.name} {contract.name} {players}"
        for book, contract in every_contract()
        for players in contract.values
    }
    assert {row["name"] for row in ROWS} == expected


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_perft(row: dict[str, object]) -> None:
    """Kernel and referee both count the lines on record."""
    position: Position = parse_position(row["position"])
    referee = Referee(position)
    assert perft(referee, referee.start, DEPTH) == row["lines"]
    engine = Engine(0)
    engine.load(position, "points", [0], [0])
    assert perft_kernel(engine, referee, [], DEPTH - 1) == perft(referee, referee.start, DEPTH - 1)


if __name__ == "__main__":
    rows = _record()
    RECORD.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")
    print(f"{sum(int(str(row['lines'])) for row in rows):,} lines")
