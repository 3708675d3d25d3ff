"""Payments of games of everyone, worked out by hand from the rule books."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from deals import SOLO_TRI, TRISCHAKEN
from trull.solver.interchange import parse_position
from trull.solver.referee import Referee
from trull.solver.rulebooks import every_contract
from trull.solver.settlement import settle

THIRD = Fraction(10, 3)


def paid(
    variant: str,
    contract: str,
    thirds: tuple[int, ...],
    tricks: tuple[int, ...] | None,
    options: Mapping[str, Any],
) -> tuple[int | Fraction, ...]:
    """Return what a finished deal pays in which the seats have won so many thirds."""
    deal = TRISCHAKEN if len(thirds) == 4 else SOLO_TRI
    position = parse_position(
        {
            "variant": variant,
            "contract": contract,
            "hands": deal["hands"],
            "options": options,
        }
    )
    weights = position.book.weights
    missing, taken = list(thirds), [0] * len(thirds)
    for card in sorted(range(len(weights)), key=lambda card: -weights[card]):
        seat = missing.index(max(missing))
        missing[seat] -= weights[card]
        taken[seat] |= 1 << card
    assert not any(missing)
    referee = Referee(position)
    end = referee.start._replace(
        hands=(0,) * len(thirds),
        taken=tuple(taken),
        tricks=tricks or tuple(map(int, map(bool, thirds))),
        talon=(),
    )
    return settle(referee, end)


@pytest.mark.parametrize(
    ("thirds", "scores"),
    [
        pytest.param((50, 60, 51, 49), (10, -30, 10, 10), id="the most points pay"),
        pytest.param((69, 70, 36, 35), (10, -30, 10, 10), id="a third decides"),
        pytest.param((60, 50, 51, 49), (-60, 20, 20, 20), id="forehand pays double"),
        pytest.param((40, 107, 40, 23), (20, -60, 20, 20), id="the mayor pays double"),
        pytest.param((110, 40, 40, 20), (-120, 40, 40, 40), id="forehand as mayor pays fourfold"),
        pytest.param((40, 106, 41, 23), (10, -30, 10, 10), id="35 points and 1 Blatt is no mayor"),
        pytest.param((0, 80, 70, 60), (20, -40, 10, 10), id="a maiden receives double"),
        pytest.param((0, 100, 110, 0), (20, 20, -60, 20), id="two maidens do not, from the mayor"),
        pytest.param((40, 70, 70, 30), (20, -20, -20, 20), id="tied losers pay in full"),
        pytest.param((70, 70, 40, 30), (-40, -20, 30, 30), id="tied, forehand alone pays double"),
        pytest.param((0, 75, 75, 60), (40, -30, -30, 20), id="a maiden receives double from both"),
    ],
)
def test_trischaken(thirds: tuple[int, ...], scores: tuple[int, ...]) -> None:
    assert paid("koenigrufen", "trischaken", thirds, None, {}) == scores


@pytest.mark.parametrize("variant", ["slovenian", "house"])
@pytest.mark.parametrize(
    ("thirds", "scores"),
    [
        pytest.param((60, 50, 52, 48), (-20, -17, -17, -16), id="points are written"),
        pytest.param((106, 40, 34, 30), (-35, -13, -11, -10), id="35 points are not too many"),
        pytest.param((107, 40, 33, 30), (-70, 0, 0, 0), id="more than 35 points lose"),
        pytest.param((0, 70, 70, 70), (70, 0, 0, 0), id="no trick wins"),
        pytest.param((0, 110, 50, 50), (70, -70, 0, 0), id="a winner and a loser"),
        pytest.param((0, 0, 210, 0), (70, 70, -70, 70), id="three winners"),
        pytest.param((60, 75, 75), (-20, -25, -25), id="three players"),
    ],
)
def test_klop(variant: str, thirds: tuple[int, ...], scores: tuple[int, ...]) -> None:
    assert paid(variant, "klop", thirds, None, {}) == scores


@pytest.mark.parametrize(
    ("thirds", "scores"),
    [
        ((60, 50, 52, 48), (-20, -34, -17, -32)),
        ((0, 110, 50, 50), (70, -140, 0, 0)),
        ((110, 0, 50, 50), (-70, 140, 0, 0)),
    ],
)
def test_a_radlc_doubles_what_its_holder_writes(
    thirds: tuple[int, ...], scores: tuple[int, ...]
) -> None:
    assert paid("slovenian", "klop", thirds, None, {"radlc": [1, 3]}) == scores


@pytest.mark.parametrize(
    ("thirds", "scores"),
    [
        pytest.param((84, 42, 42, 42), (-30, 10, 10, 10), id="28 points"),
        pytest.param((42, 88, 40, 40), (10, -30, 10, 10), id="29 points"),
        pytest.param((42, 89, 40, 39), (20, -60, 20, 20), id="30 points"),
        pytest.param((30, 118, 32, 30), (20, -60, 20, 20), id="39 points"),
        pytest.param((30, 119, 31, 30), (40, -120, 40, 40), id="40 points"),
        pytest.param((0, 0, 120, 90), (80, 80, -200, 40), id="without a trick: double"),
        pytest.param((84, 83, 22, 21), (-10, -10, 10, 10), id="equal counted points share"),
        pytest.param((63, 62, 62, 23), (-THIRD, -THIRD, -THIRD, 10), id="fractions are kept"),
        pytest.param((70, 70, 70, 0), (-2 * THIRD, -2 * THIRD, -2 * THIRD, 20), id="both"),
    ],
)
def test_warsaw(thirds: tuple[int, ...], scores: tuple[int | Fraction, ...]) -> None:
    assert paid("czech", "warsaw", thirds, None, {}) == scores


def test_a_trick_without_known_points_is_a_trick() -> None:
    assert paid("slovenian", "klop", (0, 70, 70, 70), (1, 5, 3, 3), {}) == (0, -23, -23, -23)


def test_every_game_of_everyone_has_its_payment() -> None:
    for _, record in every_contract():
        assert (record.payment is not None) == (record.sides == "everyone")


def test_what_is_paid_is_received() -> None:
    for thirds in ((50, 60, 51, 49), (0, 75, 75, 60), (70, 70, 70, 0)):
        assert sum(paid("koenigrufen", "trischaken", thirds, None, {})) == 0
        assert sum(paid("czech", "warsaw", thirds, None, {})) == 0
