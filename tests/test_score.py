"""The objective `score`: what the declarer writes, bonuses and steps included.

The full comparison with the plain truth is `score_agreement.py`.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from commands import trull
from deals import DREIER, TRISCHAKEN, played
from score_agreement import SAMPLE, compare_all, contracts, make_ending, tasks
from score_oracle import Proof
from trull.solver import Position, Unsolvable, score, solve
from trull.solver.cards import NAMES
from trull.solver.rules import Contract, Variant

LAST_TWO: dict[str, Any] = {
    "variant": "koenigrufen",
    "contract": "dreier",
    "leader": 0,
    "hands": ["T1 SK", "S7 SQ", "S8 HA", "C7 C8"],
}
"""Nobody can beat the declarer; the Pagat wins the last trick if he leads the King first."""

LOST = {**LAST_TWO, "tricks_won": [0, 1, 0, 0]}
"""The same after a lost trick: no valat, and too few points."""


@pytest.mark.parametrize(("book", "contract"), contracts(), ids=lambda record: record.name)
def test_random_endings(book: Variant, contract: Contract) -> None:
    tally = compare_all(tasks(book, contract, 3, 2, SAMPLE))
    assert tally.faults == []


@pytest.mark.parametrize(("book", "contract"), contracts()[::5], ids=lambda record: record.name)
def test_the_proof_agrees_with_the_tree(book: Variant, contract: Contract) -> None:
    for task in tasks(book, contract, 2, 3, SAMPLE):
        position, tree = make_ending(task, random.Random(repr(task)))
        proof, value = Proof(position, 100_000), tree.score()
        start = proof.play.referee.start, proof.play.past
        assert [proof.can_score(*start, value + more) for more in (0, 1)] == [True, False]


@pytest.mark.parametrize(
    ("position", "king", "pagat"),
    [
        # A silent valat pays 4 × 50 in place of the game, the Pagat 10 besides; from three.
        (LAST_TWO, 3 * (200 + 10), 3 * 200),
        (LOST, 3 * (-50 + 10), 3 * -50),
        ({**LOST, "announced": [{"seat": 0, "bonus": "pagat"}]}, 3 * -30, 3 * -70),
        # Announced by the other side, it counts against that side, whoever makes it.
        ({**LOST, "announced": [{"seat": 1, "bonus": "pagat"}]}, 3 * -30, 3 * -30),
        ({**LOST, "doubled": {"game": 2}}, 3 * (-100 + 10), 3 * -100),
        ({**LOST, "doubled": {"game": [1, 4, 1, 1]}}, 6 * -50 + 3 * 10, 6 * -50),
    ],
)
def test_what_the_pagat_is_worth(position: dict[str, Any], king: int, pagat: int) -> None:
    answer = solve(Position.from_dict(position), "score")
    assert (answer.unit, answer.value) == ("score", king)
    assert {NAMES[card]: value for card, value in answer.cards.items()} == {
        "SK": king,
        "T1": pagat,
    }


@pytest.mark.parametrize(("contract", "value"), [("bettler", 40), ("piccolo", 20)])
def test_a_game_about_tricks_pays_when_it_is_made(contract: str, value: int) -> None:
    hands = ["S7 H4", "SK S8", "SQ S9", "SJ S10"]
    made = {"variant": "koenigrufen", "contract": contract, "hands": hands, "leader": 0}
    won = contract == "piccolo"
    position = Position.from_dict({**made, "tricks_won": [int(won), 0, 0, 0]})
    assert solve(position, "score").value == 3 * value
    spoilt = Position.from_dict({**made, "tricks_won": [2, 0, 0, 0]})
    assert solve(spoilt, "score").value == -3 * value


def test_forehand_writes_where_nobody_took() -> None:
    straw: list[list[str]] = [[], []]
    hands = ["T22 SK", "T2 SQ"]
    position = {"variant": "house", "contract": "scarecrow", "hands": hands, "straw": straw}
    assert solve(Position.from_dict({**position, "declarer": None}), "score").value == 0


def test_a_finished_deal_scores_what_the_settlement_says() -> None:
    over = Position.from_dict(played(DREIER, 12))
    answer = solve(over, "score")
    assert (answer.value, dict(answer.cards), answer.pv) == (score(over).scores[3], {}, ())


def test_a_limit_leaves_bounds() -> None:
    position = Position.from_dict(played(DREIER, 5))
    value = solve(position, "score", cards="none", pv=False).value
    bounds = solve(position, "score", nodes=300)
    assert not bounds.exact
    assert bounds.lower <= value <= bounds.upper


def test_where_everyone_is_alone_the_score_is_for_maxn() -> None:
    with pytest.raises(Unsolvable, match=r"^objective: trischaken .*; --solution maxn solves"):
        solve(Position.from_dict(TRISCHAKEN), "score")


def test_the_command() -> None:
    lines = "\n".join(map(json.dumps, (LOST, TRISCHAKEN)))
    done = trull("solve", "--objective", "score", "--json", "-", stdin=lines)
    lost, everyone = map(json.loads, done.stdout.splitlines())
    assert {key: lost[key] for key in ("objective", "value", "unit", "cards", "pv")} == {
        "objective": "score",
        "value": -120,
        "unit": "score",
        "cards": {"T1": -150, "SK": -120},
        "pv": "SK S7 S8 C7 T1 SQ HA C8",
    }
    assert "--solution maxn" in everyone["error"]


REPORT = """\
The declarer scores -120.

Seat 0's card  T  ♠  ♥  ♦  ♣
       ● -120     K
         -150  1

Trick  Seat 0  Seat 1  Seat 2  Seat 3  Won by  Thirds
    1  ›♠K      ♠7      ♠8      ♣7     seat 0      16
    2  ›T1      ♠Q      ♥A      ♣8     seat 0      41

Rule                                            Seat 0  Seat 1  Seat 2  Seat 3
game lost (Dreier)                                -150     +50     +50     +50
Pagat silent, made by the declaring side           +30     -10     -10     -10
(Games and Bonuses — Overview)
Score                                             -120     +40     +40     +40
"""


def test_the_report_shows_the_settlement() -> None:
    assert REPORT in trull("solve", "--objective", "score", json.dumps(LOST)).stdout
    bounds = trull("solve", "--objective", "score", "--nodes", "50", json.dumps(DREIER)).stdout
    assert "The declarer scores between " in bounds
