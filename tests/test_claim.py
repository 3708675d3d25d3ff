"""Claims: safe exactly when best play allows them, and refuted by a line that can be replayed."""

from __future__ import annotations

import json
import random
from typing import Literal

import pytest

from commands import trull
from deals import DREIER, EXERCISE, SCARECROW, TRISCHAKEN, played
from endings import random_ending
from oracle import fewest
from trull.solver import Claim, Position, Unsolvable, check_claim, solve
from trull.solver.claim import Side
from trull.solver.question import pool
from trull.solver.referee import TAKE, Referee, State
from trull.solver.rulebooks import every_contract
from trull.solver.rules import Contract, Variant

Measure = Literal["points", "tricks"]
MEASURES: tuple[Measure, ...] = ("points", "tricks")


def claim(position: Position, side: Side, measure: Measure, claimed: int) -> Claim:
    return check_claim(position, side, **{measure: claimed}, memory=1)


def check(position: Position, side: Side, measure: Measure, truth: int, at_most: bool) -> None:
    """Check claims around what a side is truly sure of, and replay the refutation."""
    for claimed in (truth - 1, truth, truth + 1):
        if claimed < 0:
            continue
        found = claim(position, side, measure, claimed)
        assert found.at_most == at_most
        assert found.safe == (claimed >= truth if at_most else claimed <= truth)
        if found.safe:
            assert (found.sure, found.refutation) == (None, ())
        else:
            assert found.sure == truth
            assert replayed(found) == truth


def replayed(found: Claim) -> int:
    """Return what the side that claims has at the end of the refutation."""
    referee = Referee(found.position)
    state = referee.start
    taken_up = found.taken_up or (0,) * len(found.refutation)
    for card, taken in zip(found.refutation, taken_up, strict=True):
        assert card + TAKE * taken in referee.moves(state)
        state = referee.play(state, card + TAKE * taken)
    assert referee.over(state)
    return found.total(referee, state)


def endings(book: Variant, contract: Contract, number: int) -> list[Position]:
    rng = random.Random(contract.name)
    players = [rng.choice(sorted(contract.values)) for _ in range(number)]
    return [random_ending(rng, book.name, contract.name, count, 3) for count in players]


@pytest.mark.parametrize(
    ("book", "contract"),
    [pair for pair in every_contract() if pair[1].sides != "everyone"],
    ids=lambda record: record.name,
)
def test_claims_of_two_sides(book: Variant, contract: Contract) -> None:
    few = contract.goal in ("at_most", "exactly")
    for position in endings(book, contract, 2):
        for measure in MEASURES:
            value = int(solve(position, measure, cards="none", pv=False, memory=1).value)
            check(position, "declarers", measure, value, few)
            check(position, "opponents", measure, pool(position, measure) - value, few)


@pytest.mark.parametrize(
    ("book", "contract"),
    [pair for pair in every_contract() if pair[1].sides == "everyone"],
    ids=lambda record: record.name,
)
def test_claims_where_everyone_is_alone(book: Variant, contract: Contract) -> None:
    for position in endings(book, contract, 4):
        referee = Referee(position)
        for seat in range(position.seats):
            check(position, seat, "points", fewest(referee, referee.start, seat)[0], True)
            check(position, seat, "tricks", fewest_tricks(referee, referee.start, seat), True)


def fewest_tricks(referee: Referee, state: State, seat: int) -> int:
    if referee.over(state):
        return state.tricks[seat]
    totals = [
        fewest_tricks(referee, referee.play(state, card), seat) for card in referee.legal(state)
    ]
    return min(totals) if state.player == seat else max(totals)


def test_a_limit_leaves_a_claim_open() -> None:
    found = check_claim(Position.from_dict(DREIER), points=107, nodes=50)
    assert (found.safe, found.sure, found.refutation) == (None, None, ())
    assert "sure" not in found.to_dict()


@pytest.mark.parametrize(
    ("position", "side", "claimed", "sentence"),
    [
        (DREIER, 2, {"points": 1}, "side: expected declarers or opponents, got 2"),
        (TRISCHAKEN, "declarers", {"points": 1}, "side: expected a seat from 0 to 3, got 'decl"),
        (TRISCHAKEN, 4, {"tricks": 1}, "side: expected a seat from 0 to 3, got 4"),
        (DREIER, "declarers", {}, "claim: expected either points or tricks"),
        (DREIER, "declarers", {"points": 1, "tricks": 1}, "claim: expected either points or tri"),
        (DREIER, "opponents", {"tricks": -1}, "tricks: -1 claimed, expected 0 or more"),
    ],
)
def test_claims_that_make_no_sense(
    position: dict[str, object], side: Side, claimed: dict[str, int], sentence: str
) -> None:
    with pytest.raises(Unsolvable) as caught:
        check_claim(Position.from_dict(position), side, **claimed)
    assert str(caught.value).startswith(sentence)


# --- The command ---

SHORT = {**EXERCISE, "hands": ["T22 SK", "T21 SQ", "T5 S8", "T2 C7"], "id": "short"}

REFUTED = """\
The claim is not safe: the declarer takes 2 tricks against best play, not at
least 3.

Trick  Seat 0  Seat 1  Seat 2  Seat 3  Won by  Tricks
    1  ›T22     T21     T5      T2     seat 0       1
    2  ›♠K      ♠Q      ♠8      ♣7     seat 0       2
"""


def test_the_command_answers_in_order() -> None:
    lines = "\n".join(json.dumps(data) for data in (SHORT, {"id": "poor"}, TRISCHAKEN, SHORT))
    done = trull("check-claim", "--json", "--points", "54", "-", stdin=lines)
    short, poor, unsolved, again = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 2
    costs = {"nodes", "ms"}
    assert {key: value for key, value in short.items() if key not in costs} == {
        "id": "short",
        "side": "declarers",
        "claim": "at least",
        "points": 54,
        "unit": "thirds",
        "safe": False,
        "sure": 53,
        "refutation": "T22 T21 T5 T2 SK SQ S8 C7",
    }
    assert again["sure"] == 53
    assert list(poor) == ["id", "error"]
    assert unsolved["error"] == "side: expected a seat from 0 to 3, got 'declarers'"


def test_the_command_shows_the_refutation() -> None:
    done = trull("check-claim", "--tricks", "3", json.dumps(SHORT))
    assert done.returncode == 0
    assert REFUTED in done.stdout
    safe = trull("check-claim", "--tricks", "0", "--side", "opponents", json.dumps(SHORT))
    assert "The claim is safe: the opponents take at least 0 tricks, what" in safe.stdout
    straw = trull("check-claim", "--points", "211", json.dumps(played_straw()))
    assert "not at least 211" in " ".join(straw.stdout.split())


def played_straw() -> dict[str, object]:
    return {**SCARECROW, "hands": ["T1 SK", "T2 SN"], "straw": [["HK", "CQ"], ["T12", "CJ"]]}


def test_a_claim_in_the_middle_of_a_deal() -> None:
    done = trull("check-claim", "--json", "--points", "107", json.dumps(played(DREIER, 8)))
    answer = json.loads(done.stdout)
    assert answer["safe"] is (int(solve(Position.from_dict(played(DREIER, 8))).value) >= 107)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "'--points' / '--tricks': expected one of the two."),
        (["--points", "1", "--tricks", "1"], "expected one of the two."),
        (["--tricks", "1", "--side", "west"], "'--side': 'west' is not one of 'declarers', 'opp"),
        (["--tricks", "-1"], "Invalid value for '--tricks'"),
    ],
)
def test_a_wrong_call_gets_one_sentence(words: list[str], sentence: str) -> None:
    done = trull("check-claim", "-", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
