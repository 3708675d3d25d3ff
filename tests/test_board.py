"""The report of an answer: what it says, and that it fits 80 columns for every contract."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from rich.console import Console

from deals import DREIER, RUFER, SOLO_TRI, played
from endings import random_ending
from trull.analysis.notation import ASCII, UNICODE, Notation, notation_for
from trull.analysis.report import report
from trull.analysis.words import amount, result_sentences
from trull.solver import Answer, Position, Request, solve, solve_many
from trull.solver.cards import NAMES
from trull.solver.referee import Referee
from trull.solver.rulebooks import every_contract


def text(answer: Answer, notation: Notation = UNICODE) -> str:
    console = Console(width=80, highlight=False)
    with console.capture() as capture:
        console.print(report(answer, notation))
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def answer_to(data: dict[str, Any], **keywords: Any) -> Answer:
    return solve(Position.from_dict(data), **keywords)


EMPEROR = {
    "variant": "koenigrufen",
    "contract": "dreier",
    "declarer": 3,
    "leader": 0,
    "hands": ["T22 CK", "T21 DK", "T5 S7", "T1 HK"],
}

EMPEROR_REPORT = """\
Königrufen (Austria): dreier
Seat 3 plays alone.
Seat 0 leads; 2 tricks to come.

                           Seat 2
                           T 5
                           ♠ 7
                           ♥ –
                           ♦ –
                           ♣ –
Seat 3  declarer                                  Seat 1
T 1                                               T 21
♠ –                                               ♠ –
♥ K                                               ♥ –
♦ –                                               ♦ K
♣ –                                               ♣ –
                           Seat 0  leads
                           T 22
                           ♠ –
                           ♥ –
                           ♦ –
                           ♣ K

The declarer takes 0 thirds = 0 points.

Seat 0's card  T   ♠  ♥  ♦  ♣
          ● 0               K
           80  22

Trick  Seat 0  Seat 1  Seat 2  Seat 3  Won by  Thirds
    1  ›♣K      T21     T5      T1     seat 1       0
    2   T22    ›♦K      ♠7      ♥K     seat 0       0
"""


def test_a_whole_report() -> None:
    lines = text(answer_to(EMPEROR)).splitlines()
    assert lines[:-2] == EMPEROR_REPORT.splitlines()
    assert "nodes" in lines[-1]


def test_the_past_of_a_deal_is_shown() -> None:
    data = played(RUFER, 9)
    shown = text(answer_to({**data, "id": "late", "comment": "Three tricks left"}))
    assert "rufer   late\nThree tricks left\nSeat 0 calls ♥K and plays with seat 2." in shown
    assert "trick 10 of 12" in shown
    assert "Talon      ♣J T11 ♠9   for the opponents" in shown
    assert "Laid away  Seat 0: ♥Q ♥2 ♦3" in shown
    for seat, tricks in enumerate(data["tricks_won"]):
        assert not tricks or f"Taken      Seat {seat}: {amount(tricks, 'tricks')}, " in shown


def test_cards_on_the_table_and_roles() -> None:
    hands = ["CK", "T21 DK", "T5 S7", "T1"]
    shown = text(answer_to({**EMPEROR, "leader": 3, "trick": "HK T22", "hands": hands}))
    assert "Seat 1 plays; 2 tricks to come." in shown
    assert "Seat 1  to play" in shown
    assert "Seat 3  declarer, led" in shown
    assert re.search(r"^♥ –  +♥K +♥ –$", shown, re.MULTILINE), "left of the middle"
    assert re.search(r"^♦ –  +T22 +♦ K$", shown, re.MULTILINE), "below the middle"
    assert re.search(r"^    1 +T22 +T21 +T5 +›♥K ", shown, re.MULTILINE)


def test_three_players_sit_left_right_and_below() -> None:
    lines = text(answer_to(played(SOLO_TRI, 13))).splitlines()
    row = next(line for line in lines if line.startswith("Seat 2  "))
    assert "Seat 1" in row
    assert any(line.startswith(" " * 27 + "Seat 0") for line in lines)


SCARECROW = {
    "variant": "house",
    "contract": "scarecrow",
    "leader": 0,
    "hands": ["T3 T5 SK", "T2 T4 SN"],
    "straw": [["HK", "CQ C9"], ["T12 CN", "CJ"]],
}


def test_two_players_and_their_straw_men() -> None:
    answer = answer_to(SCARECROW)
    shown = text(answer)
    assert "Seat 0 took.\nSeat 0 leads; 6 tricks to come." in shown
    assert "Straw  Seat 0: ♥K  |  ♣Q ♣9" in shown
    assert "Straw  Seat 1: T12 ♣N  |  ♣J" in shown
    assert int(shown.splitlines()[-3].split()[-1]) == answer.value
    taken_up = sum(int(count) for count in re.findall(r" \+(\d)", shown))
    assert taken_up == sum(answer.taken_up) > 0
    assert "Nobody took." in text(answer_to({**SCARECROW, "declarer": None}))


def test_stakes_are_named() -> None:
    data = {
        **EMPEROR,
        "announced": [{"seat": 3, "bonus": "pagat"}],
        "doubled": {"game": 2, "pagat": 4},
    }
    assert "Seat 3 announced pagat. Game ×2. Pagat ×4." in text(answer_to(data))


@pytest.mark.parametrize("contract", ["dreier", "bettler"])
def test_terminals_get_no_control_characters(contract: str) -> None:
    shown = text(answer_to({**EMPEROR, "contract": contract, "id": "\x1b[2Jx\n\ty"}))
    assert "\x1b" not in shown
    assert " [2Jx  y" in shown


# --- Words ---


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (0, "thirds", "0 thirds = 0 points"),
        (1, "thirds", "1 third = 0 points and 1 Blatt"),
        (3, "thirds", "3 thirds = 1 point"),
        (106, "thirds", "106 thirds = 35 points and 1 Blatt"),
        (107, "thirds", "107 thirds = 35 points and 2 Blatt"),
        (108, "thirds", "108 thirds = 36 points"),
        (54, "face", "54 points"),
        (1, "tricks", "1 trick"),
        (12, "tricks", "12 tricks"),
    ],
)
def test_amounts(value: int, unit: str, words: str) -> None:
    assert amount(value, unit) == words


def made_up(data: dict[str, Any], lower: int, upper: int | None = None, **others: Any) -> Answer:
    """Return an answer with a result of our choice."""
    fields: dict[str, Any] = {"objective": "points", "unit": "thirds", **others}
    return Answer(
        position=Position.from_dict(data),
        player=0,
        lower=lower,
        upper=lower if upper is None else upper,
        cards={},
        pv=(),
        nodes=0,
        ms=0.0,
        **fields,
    )


BETTLER = {**DREIER, "contract": "bettler", "talon": "CJ T11 S9 HQ H2 D3", "discards": [""] * 4}
PAGATRUFER = {**RUFER, "contract": "pagatrufer"}
TRICKS = {"objective": "tricks", "unit": "tricks"}
MADE = {"objective": "made", "unit": "bool"}


@pytest.mark.parametrize(
    ("answer", "sentences"),
    [
        (
            made_up(DREIER, 107),
            [
                "The declarer takes 107 thirds = 35 points and 2 Blatt.",
                "The contract is made with nothing to spare (107 needed).",
            ],
        ),
        (
            made_up(RUFER, 108),
            [
                "Declarer and partner take 108 thirds = 36 points.",
                "The contract is made with 1 third to spare (107 needed).",
            ],
        ),
        (
            made_up(DREIER, 100),
            [
                "The declarer takes 100 thirds = 33 points and 1 Blatt.",
                "The contract is not made, 7 thirds short (107 needed).",
            ],
        ),
        (
            made_up(DREIER, 100, 120),
            [
                "The declarer takes between 100 and 120 thirds, as far as proven.",
                "It is open whether the contract is made (107 needed).",
            ],
        ),
        (
            made_up(DREIER, 90, 100),
            [
                "The declarer takes between 90 and 100 thirds, as far as proven.",
                "The contract is not made (107 needed).",
            ],
        ),
        (
            made_up(PAGATRUFER, 110),
            [
                "Declarer and partner take 110 thirds = 36 points and 2 Blatt.",
                "By points alone, the contract is made with 3 thirds to spare (107 needed).",
            ],
        ),
        (made_up(EMPEROR, 40), ["The declarer takes 40 thirds = 13 points and 1 Blatt."]),
        (
            made_up(BETTLER, 1, **TRICKS),
            ["The declarer takes 1 trick.", "The contract is not made (no trick allowed)."],
        ),
        (
            made_up(BETTLER, 0, 2, **TRICKS),
            [
                "The declarer takes between 0 and 2 tricks, as far as proven.",
                "It is open whether the contract is made (no trick allowed).",
            ],
        ),
        (made_up(DREIER, 7, **TRICKS), ["The declarer takes 7 tricks."]),
        (made_up(DREIER, True, **MADE), ["The contract is made."]),
        (made_up(DREIER, False, **MADE), ["The contract is not made."]),
        (made_up(DREIER, False, True, **MADE), ["It is open whether the contract is made."]),
    ],
)
def test_results_in_words(answer: Answer, sentences: list[str]) -> None:
    assert result_sentences(answer) == sentences


# --- Every contract ---


def endings() -> list[Position]:
    rng = random.Random(1)
    return [
        random_ending(rng, book.name, contract.name, players, 3)
        for book, contract in every_contract()
        if contract.sides != "two"
        for players in contract.values
    ]


def test_every_contract_fits_the_page_and_shows_every_card() -> None:
    for answer in solve_many(endings(), Request()):
        assert answer.exact
        for notation in (UNICODE, ASCII):
            shown = text(answer, notation)
            assert all(len(line) <= 80 for line in shown.splitlines()), shown
            assert notation is UNICODE or shown.isascii()
        _check_tables(answer, shown.splitlines())


def _check_tables(answer: Answer, lines: list[str]) -> None:
    """Check the two tables of a report in letters against the answer."""
    cards = next(number for number, line in enumerate(lines) if "'s card" in line)
    play = next(number for number, line in enumerate(lines) if line.startswith("Trick "))
    rows = lines[cards + 1 : play - 1]
    assert ["*" in row for row in rows] == [True] + [False] * (len(rows) - 1)
    assert len(rows) == len(set(answer.cards.values()))
    total = lines[-3].split()[-1]
    assert answer.unit == "bool" or int(total) == answer.value
    referee = Referee(answer.position)
    assert set(answer.cards) == set(referee.legal(referee.start))
    for card in answer.pv:
        assert NAMES[card] in " ".join(lines[play:])


def test_without_cards_to_play() -> None:
    data = played(DREIER, 12)
    shown = text(answer_to(data))
    assert "No card is left to play." in shown
    assert "Trick " not in shown


def test_only_what_was_asked_for_is_shown() -> None:
    data = played(DREIER, 9)
    shown = text(answer_to(data, cards="none", pv=False))
    assert "'s card" not in shown
    assert "Won by" not in shown


def test_cards_without_a_value_are_listed() -> None:
    answer = answer_to(EMPEROR, cards="best")
    assert "   not valued  22" in text(answer)


@pytest.mark.parametrize(
    ("encoding", "notation"),
    [("utf-8", UNICODE), ("ascii", ASCII), ("latin-1", ASCII), ("unheard-of", ASCII)],
)
def test_notation_follows_the_encoding(encoding: str, notation: Notation) -> None:
    assert notation_for(encoding) is notation
