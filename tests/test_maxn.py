"""Max^n against a naive implementation with its own payments, and its answers and refusals."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from commands import trull
from deals import DREIER, EXERCISE, TRISCHAKEN, played
from endings import random_ending
from trull.solver import MaxnAnswer, Position, Unsolvable, solve_maxn
from trull.solver.api import MaxnRequest, answer_each
from trull.solver.referee import Referee, State

GAMES = [
    ("koenigrufen", "trischaken", 4),
    ("slovenian", "klop", 4),
    ("slovenian", "klop", 3),
    ("czech", "warsaw", 4),
    ("house", "klop", 4),
    ("house", "klop", 3),
]

ENDING: dict[str, Any] = {
    "variant": "koenigrufen",
    "contract": "trischaken",
    "leader": 0,
    "hands": ["T22 S7", "T21 S8", "T5 S9", "T2 S10"],
}
"""Whatever forehand leads, Sküs and Mond are his, so that he pays, double as forehand."""

Numbers = tuple[int | Fraction, ...]


# --- A second implementation, from the rules, as plain as can be ---


def trischaken(thirds: tuple[int, ...], tricks: tuple[int, ...]) -> Numbers:
    scores = [0] * 4
    for loser in range(4):
        for winner in range(4):
            if thirds[loser] == max(thirds) > thirds[winner]:
                amount = 10
                amount *= 2 if thirds[loser] >= 107 else 1
                amount *= 2 if loser == 0 else 1
                amount *= 2 if tricks[winner] == 0 and tricks.count(0) == 1 else 1
                scores[loser] -= amount
                scores[winner] += amount
    return tuple(scores)


def warsaw(thirds: tuple[int, ...], tricks: tuple[int, ...]) -> Numbers:
    counted = [round(number / 3) for number in thirds]
    most = max(counted)
    scores = [Fraction(0)] * 4
    for loser in range(4):
        for winner in range(4):
            if counted[loser] == most > counted[winner]:
                amount = Fraction(10 if most <= 29 else 20 if most <= 39 else 40)
                amount *= 2 if tricks[winner] == 0 else 1
                scores[loser] -= amount / counted.count(most)
                scores[winner] += amount / counted.count(most)
    return tuple(scores)


def klop(thirds: tuple[int, ...], tricks: tuple[int, ...]) -> Numbers:
    counted = [round(number / 3) for number in thirds]
    if min(tricks) > 0 and max(counted) <= 35:
        return tuple(-number for number in counted)
    return tuple(
        70 * (number == 0) - 70 * (points > 35)
        for number, points in zip(tricks, counted, strict=True)
    )


PAYMENTS = {"trischaken": trischaken, "warsaw": warsaw, "klop": klop}


def naive(referee: Referee, state: State) -> tuple[Numbers, tuple[int, ...]]:
    """Return the settlement and the points when everyone plays his best; nothing is remembered."""
    if referee.over(state):
        points = tuple(referee.points(state, seat) for seat in range(referee.seats))
        return PAYMENTS[referee.rules.name](points, state.tricks), points
    player, best = state.player, None
    for card in referee.legal(state):
        ending = naive(referee, referee.play(state, card))
        if best is None or (
            ending[0][player] > best[0][player]
            or (ending[0][player] == best[0][player] and ending[1][player] < best[1][player])
        ):
            best = ending
    assert best is not None
    return best


@pytest.mark.parametrize(("variant", "contract", "players"), GAMES)
def test_max_n_against_a_naive_search(variant: str, contract: str, players: int) -> None:
    rng = random.Random(variant + contract)
    for number in range(16):
        bias = rng.choice(["plain", "trumps", "honours"])
        ending = random_ending(rng, variant, contract, players, 2 + number % 2, bias=bias)
        referee = Referee(ending)
        answer = solve_maxn(ending)
        assert answer.scores == naive(referee, referee.start)[0]
        assert answer.cards == {
            card: naive(referee, referee.play(referee.start, card))[0][answer.player]
            for card in referee.legal(referee.start)
        }
        state = referee.start
        for card in answer.pv:
            assert card in referee.legal(state)
            state = referee.play(state, card)
        assert referee.over(state)
        points = tuple(referee.points(state, seat) for seat in range(players))
        assert PAYMENTS[contract](points, state.tricks) == answer.scores


# --- Answers ---


def test_the_answer_in_json() -> None:
    data = solve_maxn(Position.from_dict({**ENDING, "id": 7, "x_tag": "a"})).to_dict()
    assert data.pop("ms", None) is not None
    assert data.pop("nodes", None) is not None
    assert data == {
        "id": 7,
        "x_tag": "a",
        "objective": "score",
        "value": -60,
        "unit": "score",
        "player": 0,
        "cards": {"T22": -60, "S7": -60},
        "maxn": [-60, 20, 20, 20],
        "pv": "T22 T21 T5 T2 S7 S8 S9 S10",
        "exact": True,
    }


def test_a_fraction_becomes_a_decimal_number() -> None:
    third = Fraction(10, 3)
    answer = solve_maxn(Position.from_dict(ENDING))
    data = replace(
        answer, scores=(-third, -third, -third, Fraction(10)), cards={0: -third}
    ).to_dict()
    assert json.loads(json.dumps(data))["maxn"] == pytest.approx([-10 / 3] * 3 + [10])
    assert (data["value"], data["cards"]) == (-10 / 3, {"T1": -10 / 3})


def test_a_finished_deal_is_settled() -> None:
    end = Position.from_dict(played(TRISCHAKEN, 12))
    answer = solve_maxn(end)
    assert (answer.player, answer.cards, answer.pv) == (None, {}, ())
    assert sum(answer.scores) == 0


@pytest.mark.parametrize(("wanted", "count"), [("all", 2), ("best", 2), ("none", 0)])
def test_the_cards_asked_for(wanted: Any, count: int) -> None:
    assert len(solve_maxn(Position.from_dict(ENDING), cards=wanted).cards) == count


# --- Refusals ---


def test_a_longer_ending_and_a_declaring_side_are_refused() -> None:
    with pytest.raises(Unsolvable, match="hands: 6 tricks to play, max\\^n solves at most 5"):
        solve_maxn(Position.from_dict(played(TRISCHAKEN, 6)))
    with pytest.raises(Unsolvable, match="contract: dreier is no game of everyone"):
        solve_maxn(Position.from_dict(EXERCISE))


@pytest.mark.parametrize("limit", [{"seconds": 0.0}, {"nodes": 1}, {"stopped": lambda: True}])
def test_a_limit_ends_the_search(limit: dict[str, Any]) -> None:
    with pytest.raises(Unsolvable, match="a limit ended the search"):
        solve_maxn(Position.from_dict(played(TRISCHAKEN, 8)), **limit)


def test_a_stream_keeps_its_order() -> None:
    items = ["a fault", Position.from_dict(ENDING), Position.from_dict(DREIER)]
    first, answer, last = answer_each(items, MaxnRequest(), workers=2, memory=0)
    assert first == "a fault"
    assert isinstance(answer, MaxnAnswer)
    assert answer.scores == (-60, 20, 20, 20)
    assert isinstance(last, Unsolvable)


# --- The command line ---


def test_the_command_line_in_json() -> None:
    stdin = "\n".join(map(json.dumps, (ENDING, {**EXERCISE, "id": 1})))
    done = trull("solve", "--json", "--solution", "maxn", "-", stdin=stdin)
    assert done.returncode == 2
    answer, refused = map(json.loads, done.stdout.splitlines())
    assert answer["maxn"] == [-60, 20, 20, 20]
    assert refused["id"] == 1
    assert "no game of everyone" in refused["error"]


def test_the_command_line_in_words() -> None:
    done = trull("solve", "--solution", "maxn", "-", stdin=json.dumps(ENDING))
    assert done.returncode == 0
    assert "Seat 0 scores -60." in done.stdout
    assert "● -60  22  7" in done.stdout
    assert re.search(r"1  ›T22 .* seat 0 +28$", done.stdout, re.MULTILINE)


@pytest.mark.parametrize(("objective", "status"), [("score", 0), ("points", 2)])
def test_the_objective_of_max_n_is_the_score(objective: str, status: int) -> None:
    words = ("solve", "--json", "--solution", "maxn", "--objective", objective, "-")
    assert trull(*words, stdin=json.dumps(ENDING)).returncode == status
