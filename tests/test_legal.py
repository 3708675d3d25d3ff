"""`trull legal`: the cards that may be played, and the rule that forbids each of the others."""

from __future__ import annotations

import json
from typing import Any

import pytest

from commands import trull
from deals import DREIER, SCARECROW, played

BETTLER: dict[str, Any] = {
    "variant": "koenigrufen",
    "contract": "bettler",
    "leader": 3,
    "trick": "T9",
    "hands": ["T22 T6 T3 T1", "T7 T5 HK S7", "T13 T2 HQ H4", "SQ HN CK"],
}
"""Seat 0 has to beat the IX."""


def test_every_card_has_its_verdict() -> None:
    stdin = json.dumps({**BETTLER, "id": 3, "comment": "one", "x_tag": [1]})
    done = trull("legal", "--json", "-", stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "id": 3,
        "comment": "one",
        "x_tag": [1],
        "player": 0,
        "legal": ["T22"],
        "forbidden": {
            "T1": "the Pagat must be kept as the last trump",
            "T3": "must beat the T9",
            "T6": "must beat the T9",
        },
    }


@pytest.mark.parametrize(
    ("position", "player", "legal", "forbidden"),
    [
        pytest.param(DREIER, 0, 12, 0, id="a lead"),
        pytest.param(SCARECROW, 0, 16, 0, id="the card face up is playable"),
        pytest.param(played(DREIER, 12), None, 0, 0, id="no card left"),
    ],
)
def test_how_many_cards_are_legal(
    position: dict[str, Any], player: int | None, legal: int, forbidden: int
) -> None:
    answer = json.loads(trull("legal", "--json", "-", stdin=json.dumps(position)).stdout)
    assert answer["player"] == player
    assert (len(answer["legal"]), len(answer["forbidden"])) == (legal, forbidden)


def test_faults_stand_in_their_place() -> None:
    items = (BETTLER, {"variant": "koenigrufen", "id": 1}, BETTLER)
    done = trull("legal", "--json", "-", stdin="\n".join(map(json.dumps, items)))
    assert done.returncode == 2
    first, fault, last = map(json.loads, done.stdout.splitlines())
    assert first == last
    assert fault == {"id": 1, "error": "contract: missing, but required"}


def test_a_report_shows_the_board_and_the_rules() -> None:
    done = trull("legal", "-", stdin=json.dumps(BETTLER))
    assert done.returncode == 0
    assert "Seat 0 may play 1 of 4 cards." in done.stdout
    rows = [line.split() for line in done.stdout.splitlines()[-3:]]
    assert [" ".join(row) for row in rows] == [
        "● legal T22",
        "must beat the T9 T6 T3",
        "the Pagat must be kept as the last trump T1",
    ]


def test_a_report_on_any_card_and_on_none() -> None:
    assert "Seat 0 may play any card." in trull("legal", "-", stdin=json.dumps(DREIER)).stdout
    done = trull("legal", "-", stdin=json.dumps(played(DREIER, 12)))
    assert (done.returncode, done.stderr) == (0, "")
    assert "may play" not in done.stdout


def test_a_report_sends_faults_to_standard_error() -> None:
    done = trull("legal", "-", stdin="nonsense")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("trull: standard input, line 1")
