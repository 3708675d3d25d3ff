"""Settlement against the text of the rules: worked examples, and deals worked out by hand."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from commands import trull
from settled_deals import Played, cards, exercise, finished, random_deal, terms_of
from trull.solver import Position, rulebooks
from trull.solver.cards import format_hand
from trull.solver.interchange import parse_position, position_to_dict
from trull.solver.position import Announcement
from trull.solver.referee import Referee
from trull.solver.rules import BIRDS, Contract, Variant
from trull.solver.settlement import (
    Bird,
    Facts,
    Scoring,
    Unsettled,
    facts_of,
    items,
    lines_of,
    score,
    settle,
)
from trull.solver.validation import PositionError

CONTRACTS = [
    pytest.param(book, record, players, id=f"{book.name}-{record.name}-{players}")
    for book, record in rulebooks.every_contract()
    for players in record.values
]
WITH_A_SIDE = [param for param in CONTRACTS if param.values[1].sides != "everyone"]

LAID, LEFT = "C7 C8 C9", "D4 D3 D2"
"""What the declarer of an exchange of three lays away, and the talon cards that stay behind."""


def declared(variant: str, contract: str, facts: Facts, **terms: Any) -> int:
    """Return what facts are worth to the declarer."""
    return Scoring(terms_of(variant, contract, **terms)).declarer(facts)


def thirds(counted: int) -> int:
    return 3 * counted


def won(points: int = 150, **facts: Any) -> Facts:
    return Facts(points=points, tricks=8, made=True, **facts)


def lost(points: int = 60, **facts: Any) -> Facts:
    return Facts(points=points, tricks=4, made=False, **facts)


# --- A deal of every contract, worked out by hand ---
#
# In thirds a suit counts 38 and all trumps 58; in face points 18 and 34.

DEALS = [
    # Two suits, four trumps and the discards: 38 + 4, 38, 3 = 83 thirds; the opponents' trull.
    (
        "koenigrufen",
        "rufer",
        ("S T2-T5", "H", "rest", ""),
        {"talon": LEFT, "laid": (LAID,), "partner": 1, "called": "HK"},
        (-10 - 10, -10 - 10, 20, 20),
    ),
    # S, Pagat and 19 trumps, H: 38 + 32 + 38 = 108 thirds.
    (
        "koenigrufen",
        "solorufer",
        ("S T1-T20", "H", "rest", ""),
        {"talon": "C7 C8 C9 D4 D3 D2", "partner": 1, "called": "HK"},
        (20, 20, -20, -20),
    ),
    # 38 + 38 + 32 and 3 laid away = 111 thirds, alone.
    (
        "koenigrufen",
        "dreier",
        ("S H T1-T20", "", "rest", ""),
        {"talon": LEFT, "laid": (LAID,)},
        (150, -50, -50, -50),
    ),
    # 76 + 6 thirds: lost, which counts double; the opponents' trull.
    (
        "koenigrufen",
        "sechserdreier",
        ("S H", "", "rest", ""),
        {"laid": ("C7 C8 C9 D4 D3 D2",)},
        (-330, 110, 110, 110),
    ),
    # All tricks: four times 100; trull and kings do not count silently.
    (
        "koenigrufen",
        "solodreier",
        ("rest", "", "", ""),
        {"talon": "C7 C8 C9 D4 D3 D2"},
        (1200, -400, -400, -400),
    ),
    # All suits and six trumps, with the four kings.
    (
        "koenigrufen",
        "farbendreier",
        ("S H DK DQ DN DJ DA CK CQ CN CJ C10 T2-T7", "", "rest", ""),
        {"talon": LEFT, "laid": (LAID,)},
        (180, -60, -60, -60),
    ),
    # 76 thirds, doubled.
    (
        "koenigrufen",
        "farbensolo",
        ("S H", "rest", "", ""),
        {"talon": "C7 C8 C9 D4 D3 D2", "doubled": {"game": 2}},
        (-600, 200, 200, 200),
    ),
    # Seats 1 and 2 have 78 thirds each and pay 10 to each other seat, 20 to the one without a
    # trick.
    (
        "koenigrufen",
        "trischaken",
        ("", "S D T2 T3", "H C T4 T5", "rest"),
        {"tricks_won": (0, 4, 4, 4)},
        (40, -30, -30, 20),
    ),
    (
        "koenigrufen",
        "piccolo",
        ("S7 S8 S9 S10", "rest", "", ""),
        {"talon": "C7 C8 C9 D4 D3 D2"},
        (60, -20, -20, -20),
    ),
    (
        "koenigrufen",
        "zwiccolo",
        ("S7 S8 S9 S10", "rest", "", ""),
        {"talon": "C7 C8 C9 D4 D3 D2"},
        (-60, 20, 20, 20),
    ),
    # Doubled by two opponents, each for himself.
    (
        "koenigrufen",
        "bettler",
        ("", "rest", "", ""),
        {"talon": "C7 C8 C9 D4 D3 D2", "doubled": {"game": (1, 2, 1, 4)}},
        (280, -80, -40, -160),
    ),
    (
        "koenigrufen",
        "piccolo_ouvert",
        ("S7 S8 S9 S10", "", "rest", ""),
        {"talon": "C7 C8 C9 D4 D3 D2"},
        (180, -60, -60, -60),
    ),
    (
        "koenigrufen",
        "zwiccolo_ouvert",
        ("S7 S8 S9 S10 H4 H3 H2 HA", "", "rest", ""),
        {"talon": "C7 C8 C9 D4 D3 D2"},
        (180, -60, -60, -60),
    ),
    (
        "koenigrufen",
        "bettler_ouvert",
        ("S7 S8 S9 S10", "", "rest", ""),
        {"talon": "C7 C8 C9 D4 D3 D2"},
        (-240, 80, 80, 80),
    ),
    # 38 + 13 + 10 + 7 + 1, 38 + 12 and 3 laid away = 122 thirds = 41 points -> 40 -> 5.
    (
        "slovenian",
        "tri",
        ("S T1 CQ CN T2", "rest", "H T3-T14", ""),
        {"talon": LEFT, "laid": (LAID,), "partner": 2, "called": "HK"},
        (15, 0, 15, 0),
    ),
    # 38 + 38 + 2 = 78 thirds = 26 points -> 25 -> 10; the opponents' trula.
    (
        "slovenian",
        "dve",
        ("S", "H", "rest", ""),
        {"talon": "C9 D4 D3 D2", "laid": ("C7 C8",), "partner": 1, "called": "HK"},
        (-20 - 10 - 10, -20 - 10 - 10, 0, 0),
    ),
    # All tricks: 205 thirds = 68 points -> 70 -> 35; trula, kralji and valat silent.
    (
        "slovenian",
        "ena",
        ("rest", "", "H T2-T5", ""),
        {"talon": "C8 C9 D4 D3 D2", "laid": ("C7",), "partner": 2, "called": "HK"},
        (30 + 35 + 10 + 10 + 250, 0, 30 + 35 + 10 + 10 + 250, 0),
    ),
    # 111 thirds = 37 points -> 35 -> 0.
    (
        "slovenian",
        "solo_tri",
        ("S H T1-T20", "", "rest", ""),
        {"talon": LEFT, "laid": (LAID,)},
        (40, 0, 0, 0),
    ),
    (
        "slovenian",
        "solo_tri",
        ("S H T1-T20", "rest", ""),
        {"talon": LEFT, "laid": (LAID,)},
        (10, 0, 0),
    ),
    # 110 thirds = 37 points -> 35 -> 0.
    (
        "slovenian",
        "solo_dve",
        ("S H T1-T20", "", "rest", ""),
        {"talon": "C9 D4 D3 D2", "laid": ("C7 C8",)},
        (50, 0, 0, 0),
    ),
    # 77 thirds = 26 points -> 25 -> 10; the opponents' trula.
    (
        "slovenian",
        "solo_ena",
        ("S H", "", "rest", ""),
        {"talon": "C8 C9 D4 D3 D2", "laid": ("C7",)},
        (-60 - 10 - 10, 0, 0, 0),
    ),
    # 108 thirds; no difference, no bonus.
    (
        "slovenian",
        "solo_brez",
        ("S H T1-T20", "", "rest", ""),
        {"talon": "C7 C8 C9 D4 D3 D2"},
        (80, 0, 0, 0),
    ),
    # 44, 44, 43 and 79 thirds: 15, 15, 14 and 26 points; nobody has won or lost.
    (
        "slovenian",
        "klop",
        ("S T2-T7", "H T8-T13", "D T14-T18", "rest"),
        {"tricks_won": (3, 3, 3, 3), "options": {"radlc": (3,)}},
        (-15, -15, -14, -52),
    ),
    (
        "slovenian",
        "berac",
        ("S7 S8 S9 S10", "", "rest", ""),
        {"talon": "C7 C8 C9 D4 D3 D2"},
        (-70, 0, 0, 0),
    ),
    (
        "slovenian",
        "odprti_berac",
        ("", "", "rest", ""),
        {"talon": "C7 C8 C9 D4 D3 D2", "options": {"radlc": (0, 2)}},
        (180, 0, 0, 0),
    ),
    (
        "slovenian",
        "barvni_valat",
        ("rest", "", "", ""),
        {"talon": "C7 C8 C9 D4 D3 D2"},
        (125, 0, 0, 0),
    ),
    (
        "slovenian",
        "valat",
        ("rest", "S7 S8 S9 S10", "", ""),
        {"talon": "C7 C8 C9 D4 D3 D2"},
        (-500, 0, 0, 0),
    ),
    # 76 + 12, 13 + 7, 4 and 1 laid away = 113 thirds = 38 points: 3 above 35.
    (
        "czech",
        "first_duty",
        ("S H T2-T13", "rest", "T1 T14-T20", ""),
        {"laid": ("C7 C8 C9 C10", "D4", "D3"), "partner": 2, "called": "T19"},
        (3, -3, 3, -3),
    ),
    # 111 thirds = 37 points: 2 above 35, 2 each at the second level.
    (
        "czech",
        "trojka",
        ("S H T1-T20", "", "rest", ""),
        {"talon": LEFT, "laid": (LAID,), "level": 2},
        (12, -4, -4, -4),
    ),
    # 76 + 23 + 6 = 105 thirds = 35 points: a tie loses one point's worth.
    (
        "czech",
        "solo",
        ("S H CK CQ T2-T7", "rest", "", ""),
        {"talon": "C7 C8 C9 D4 D3 D2"},
        (-18, 6, 6, 6),
    ),
    # 15, 15, 14 and 26 points.
    (
        "czech",
        "warsaw",
        ("S T2-T7", "H T8-T13", "D T14-T18", "rest"),
        {"tricks_won": (3, 3, 3, 3)},
        (10, 10, 10, -30),
    ),
    # 18 + 11 + 1, 18 + 12 and 4 laid away = 64 points: 11 over, 21 × 2 = 42.
    (
        "texas",
        "povinost",
        ("S DK DQ DJ T2", "rest", "", "H T3-T14"),
        {"laid": ("C7 C8 C9 C10", "D4", "D3"), "partner": 3, "called": "T14"},
        (4, -4, -4, 4),
    ),
    # 18 + 11 + 5, 18 + 12 = 64 points: 21 × 4 = 84.
    (
        "texas",
        "ze_ruky",
        ("S DK DQ DJ T1", "rest", "", "H T2-T12 T20"),
        {"talon": "C7 C8 C9 C10 D4 D3", "partner": 3},
        (8, -8, -8, 8),
    ),
    # 18 + 18 + 12 + 13 and 3 laid away = 64 points: 21 × 3 = 63.
    (
        "texas",
        "prever",
        ("S H DK DQ DN T2-T14", "rest", "", ""),
        {"talon": "C10 D4 D3", "laid": (LAID,)},
        (18, -6, -6, -6),
    ),
    ("texas", "zebrak", ("", "rest", "", ""), {"talon": "C7 C8 C9 D4 D3 D2"}, (48, -16, -16, -16)),
    (
        "texas",
        "zebrak_trump",
        ("S7 S8 S9 S10", "", "rest", ""),
        {"talon": "C7 C8 C9 D4 D3 D2"},
        (-48, 16, 16, 16),
    ),
    # 122 thirds = 41 points.
    (
        "house",
        "partnered_three",
        ("S T1 CQ CN T2", "rest", "H T3-T14", ""),
        {"talon": LEFT, "laid": (LAID,), "partner": 2, "called": "HK"},
        (16, 0, 16, 0),
    ),
    # 78 thirds = 26 points; the opponents' trula, and the called king is lost.
    (
        "house",
        "partnered_two",
        ("S", "H", "rest", ""),
        {"talon": "C9 D4 D3 D2", "laid": ("C7 C8",), "partner": 1, "called": "DK"},
        (-20 - 9 - 15 - 15, -20 - 9 - 15 - 15, 0, 0),
    ),
    # All tricks: nothing but the valat counts.
    (
        "house",
        "partnered_one",
        ("rest", "", "H T2-T5", ""),
        {"talon": "C8 C9 D4 D3 D2", "laid": ("C7",), "partner": 2, "called": "HK"},
        (100, 0, 100, 0),
    ),
    # 111 thirds = 37 points, the game doubled.
    (
        "house",
        "solo_three",
        ("S H T1-T20", "", "rest", ""),
        {"talon": LEFT, "laid": (LAID,), "doubled": {"game": 2}},
        (84, 0, 0, 0),
    ),
    # 78 thirds = 26 points; the opponents' trula.
    (
        "house",
        "solo_two",
        ("S H", "", "rest", ""),
        {"talon": "C9 D4 D3 D2", "laid": ("C7 C8",)},
        (-50 - 9 - 15, 0, 0, 0),
    ),
    # 109 thirds = 36 points.
    (
        "house",
        "solo_one",
        ("S H T1-T20", "", "rest", ""),
        {"talon": "C8 C9 D4 D3 D2", "laid": ("C7",)},
        (61, 0, 0, 0),
    ),
    # 108 thirds; nothing but the value.
    (
        "house",
        "no_peek",
        ("S H T1-T20", "", "rest", ""),
        {"talon": "C7 C8 C9 D4 D3 D2"},
        (80, 0, 0, 0),
    ),
    # Seat 0 has no trick, seat 3 has 134 thirds = 45 points.
    (
        "house",
        "klop",
        ("", "S", "H", "rest"),
        {"tricks_won": (0, 2, 2, 8)},
        (70, 0, 0, -70),
    ),
    # 134 thirds = 45 points, with the trula.
    ("house", "scarecrow", ("S H T", "rest"), {}, (20 + 10 + 10, 0)),
    ("house", "scarecrow", ("S H T", "rest"), {"declarer": None}, (10, 0)),
    ("house", "scarecrow", ("S H", "rest"), {"declarer": None}, (0, 10)),
]


@pytest.mark.parametrize(("variant", "contract", "piles", "terms", "scores"), DEALS)
def test_deals_worked_out_by_hand(
    variant: str,
    contract: str,
    piles: tuple[str, ...],
    terms: dict[str, Any],
    scores: tuple[int, ...],
) -> None:
    assert score(finished(variant, contract, *piles, **terms)).scores == scores


@pytest.mark.parametrize(
    ("contract", "tricks", "value"),
    [
        ("closed_barach_three", 3, 20),
        ("closed_barach_two", 3, -30),
        ("closed_barach_one", 1, 40),
        ("closed_barach_full", 0, 70),
        ("open_barach_three", 4, -60),
        ("open_barach_two", 2, 70),
        ("open_barach_one", 0, 80),
        ("open_barach_full", 1, -90),
        ("colour_valat_three", 9, 50),
        ("colour_valat_two", 9, -75),
        ("colour_valat_one", 11, 100),
        ("colour_valat_full", 12, 125),
        ("barcelona_three", 9, 75),
        ("barcelona_two", 12, 125),
        ("barcelona_one", 10, -175),
        ("barcelona_full", 12, 250),
    ],
)
def test_high_bids_pay_their_value(contract: str, tricks: int, value: int) -> None:
    """Section 6: ± value, nothing else; the declarer takes so many tricks."""
    suits = ["S", "H", "D", "T1-T20", "CK", "CQ", "CN", "CJ"]
    order = [card for word in suits for card in _cards_of(word)]
    pile = " ".join(order[: 4 * tricks])
    deal = finished("house", contract, pile, "rest", "", "", talon="C10 C9 C8 C7 T21 T22")
    assert score(deal).scores == (value, 0, 0, 0)


def _cards_of(word: str) -> list[str]:
    return format_hand(cards(word)).split()


FIVE_TRICKS = {
    "pagat": ("T1", "SK SQ SN SJ HK HQ HN HJ DK DQ DN DJ D2 D3 DA D4 CN CQ T1 CK"),
    "uhu": ("T2", "SK SQ SN SJ HK HQ HN HJ D2 D3 DA D4 CN CQ T2 CK DK DQ DN DJ"),
    "kakadu": ("T3", "SK SQ SN SJ D2 D3 DA D4 CN CQ T3 CK HK HQ HN HJ DK DQ DN DJ"),
    "quapil": ("T4", "D2 D3 DA D4 CN CQ T4 CK SK SQ SN SJ HK HQ HN HJ DK DQ DN DJ"),
}
"""The last five tricks, in which the declaring side wins all but one, and a bird its own.

It takes three times 34 thirds and 31 with the bird, 43 with the Pagat: all four kings, and the
game."""


def five_tricks(variant: str, contract: str, bird: str, **terms: Any) -> Played:
    card, line = FIVE_TRICKS[bird]
    hands = [f"SK HK DK D2 {card}", "SQ HQ DQ D3 CK", "SN HN DN DA CN", "SJ HJ DJ D4 CQ"]
    return exercise(variant, contract, hands, line, **terms)


@pytest.mark.parametrize(
    ("bird", "value"), [("pagat", 20), ("uhu", 40), ("kakadu", 60), ("quapil", 80)]
)
def test_bird_games_worked_out_by_hand(bird: str, value: int) -> None:
    """Source, Better Caller: game and bird are scored separately, 1:2, 1:4, 1:6, 1:8."""
    deal = five_tricks("koenigrufen", f"{bird}rufer", bird, partner=1, called="CK")
    # The called king falls to the last trick beside the Pagat: king ultimo.
    total = 10 + value + 10 + (10 if bird == "pagat" else 0)
    assert deal.scores == (total, total, -total, -total)
    assert {line.rule.split(" (")[0]: line.amounts[0] for line in lines_of(*deal)} == {
        "game won": 10,
        "four kings silent, made by the declaring side": 10,
        f"{bird.capitalize()} announced by seat 0, made by the declaring side": value,
    } | ({"king ultimo silent, made by the declaring side": 10} if bird == "pagat" else {})


def test_second_duty_worked_out_by_hand() -> None:
    """Section 5: 102 + 43 thirds = 48 points, 13 above 35; the Pagat announced 20."""
    deal = five_tricks("czech", "second_duty", "pagat", partner=1)
    assert deal.scores == (33, 33, -33, -33)


def test_every_contract_is_worked_out_by_hand() -> None:
    found = {(variant, contract) for variant, contract, *_ in DEALS} | {("czech", "second_duty")}
    found |= {("koenigrufen", f"{bird}rufer") for bird in BIRDS}
    every = {(book.name, record.name) for book, record in rulebooks.every_contract()}
    missing = {contract for _, contract in every - found}
    assert all(name.startswith(("closed_", "open_", "colour_", "barcelona_")) for name in missing)


# --- The examples of the source texts ---


@pytest.mark.parametrize(
    ("contract", "points", "chips"),
    [
        ("povinost", 64, 4),
        ("povinost", 76, 7),
        ("povinost", 53, -2),
        ("ze_ruky", 64, 8),
        ("ze_ruky", 76, 13),
        ("ze_ruky", 53, -4),
    ],
)
def test_texas_chips(contract: str, points: int, chips: int) -> None:
    """Texas, Scoring: 64 points, 21 × 2 = 42 -> 40 -> 4 chips, and so on."""
    terms = terms_of("texas", contract, partner=2)
    scoring = Scoring(terms)
    facts = Facts(points=points, tricks=6, made=points >= 54)
    assert scoring.scores(facts) == (chips, -chips, chips, -chips)


@pytest.mark.parametrize(("points", "chips"), [(64, 6), (76, 10), (53, -3), (42, -6), (30, -10)])
def test_texas_prever_chips(points: int, chips: int) -> None:
    """Texas, Playing Prever: settled with each of three opponents."""
    scoring = Scoring(terms_of("texas", "prever"))
    facts = Facts(points=points, tricks=6, made=points >= 54)
    assert scoring.scores(facts) == (3 * chips, -chips, -chips, -chips)


@pytest.mark.parametrize(("level", "factor"), [(1, 1), (2, 2), (3, 4)])
def test_texas_prever_lost_after_more_cards_costs_more(level: int, factor: int) -> None:
    """Texas, Playing Prever: lost chips double with every look; won ones, bonuses do not."""
    terms: dict[str, Any] = {"level": level}
    assert declared("texas", "prever", lost(42), **terms) == 3 * -6 * factor
    assert declared("texas", "prever", lost(53), **terms) == 3 * -3 * factor
    assert declared("texas", "prever", won(64), **terms) == 3 * 6
    pagat = {"pagat": Bird(1, won=True)}
    assert declared("texas", "prever", lost(42, birds=pagat), **terms) == 3 * (-6 * factor + 2)
    assert declared("texas", "prever", lost(0, valat=-1), **terms) == 3 * -30


@pytest.mark.parametrize(("factor", "chips"), [(2, 8), (4, 16), (8, 32), (16, 64)])
def test_texas_hrb_to_suprec(factor: int, chips: int) -> None:
    """Texas, Other Announcements: 4 chips become 8, 16, 32, 64."""
    terms: dict[str, Any] = {"partner": 1, "doubled": {"game": factor}}
    assert declared("texas", "povinost", won(64), **terms) == chips
    silent = won(64, birds={"pagat": Bird(1, won=True)})
    assert declared("texas", "povinost", silent, **terms) == chips + 2


def test_texas_one_doubled_by_itself() -> None:
    """Texas, Optional Rules: the Hrb on the one alone."""
    terms: dict[str, Any] = {"partner": 1, "announced": {"pagat": 0}, "doubled": {"pagat": 2}}
    assert declared("texas", "povinost", won(64), **terms) == 4 - 8
    made = won(64, birds={"pagat": Bird(1, won=True)})
    assert declared("texas", "povinost", made, **terms) == 4 + 8


@pytest.mark.parametrize(
    ("contract", "silent", "called"),
    [("povinost", 20, 40), ("ze_ruky", 40, 80), ("prever", 30, 60)],
)
def test_texas_valat(contract: str, silent: int, called: int) -> None:
    """Texas, More Bonuses: a valat replaces the points; the one still pays."""
    alone = 3 if contract == "prever" else 1
    terms: dict[str, Any] = {} if contract == "prever" else {"partner": 1}
    announced = {"announced": {"valat": 0}} | terms
    one = {"pagat": Bird(1, won=True)}
    assert declared("texas", contract, won(100, valat=1), **terms) == alone * silent
    assert declared("texas", contract, won(100, valat=1, birds=one), **terms) == alone * (
        silent + 2
    )
    assert declared("texas", contract, won(100, valat=1), **announced) == alone * called
    assert declared("texas", contract, won(100), **announced) == alone * -called
    assert declared("texas", contract, lost(0, valat=-1), **terms) == alone * -silent
    by_opponents = {"announced": {"valat": 3}} | terms
    assert declared("texas", contract, lost(0, valat=-1), **by_opponents) == alone * -called
    assert declared("texas", contract, lost(20), **by_opponents) == alone * called
    hrb = {"doubled": {"game": 2}} | announced
    assert declared("texas", contract, won(100, valat=1), **hrb) == alone * 2 * called


def test_texas_chips_round_a_five_up() -> None:
    """Section 7: 59 points, (6 + 10) × … is exact; 5 over and a multiplier of 3 is 45 -> 50."""
    assert declared("texas", "prever", won(58)) == 3 * 5
    assert declared("texas", "prever", lost(48)) == 3 * -5


def test_slovenian_difference() -> None:
    """Slovenian, Uvod: 41 points are rounded to 40, a difference of 5."""
    assert declared("slovenian", "tri", won(thirds(41)), partner=1) == 10 + 5
    assert declared("slovenian", "tri", lost(thirds(29)), partner=1) == -10 - 5
    assert declared("slovenian", "tri", won(106), partner=1) == 10
    assert declared("slovenian", "tri", lost(105), partner=1) == -10
    assert declared("slovenian", "ena", won(thirds(43)), partner=1) == 30 + 10


@pytest.mark.parametrize(
    ("contract", "four", "three"),
    [("solo_tri", 40, 10), ("solo_dve", 50, 20), ("solo_ena", 60, 30), ("solo_brez", 80, 80)],
)
def test_slovenian_solo_values(contract: str, four: int, three: int) -> None:
    """Slovenian, Vrste iger: the table of values, which stands against the scoring text."""
    assert declared("slovenian", contract, won(107)) == four
    assert declared("slovenian", contract, won(107), seats=3) == three


@pytest.mark.parametrize(
    ("contract", "points", "value"),
    [
        ("first_duty", 36, 1),
        ("first_duty", 35, -1),
        ("first_duty", 30, -5),
        ("first_duty", 70, 35),
    ],
)
def test_czech_points_above_half(contract: str, points: int, value: int) -> None:
    """Czech, step 7: each point above 35 pays; at 35:35 the declarer loses one."""
    facts = Facts(points=thirds(points), tricks=6, made=points > 35)
    scoring = Scoring(terms_of("czech", contract, partner=3))
    assert scoring.scores(facts) == (value, -value, -value, value)


@pytest.mark.parametrize(("level", "each"), [(1, 1), (2, 2), (3, 3)])
def test_czech_trojka_levels(level: int, each: int) -> None:
    """Czech, step 7: 1, 2, 3 at the levels of a Trojka, won or lost, from all three."""
    assert declared("czech", "trojka", won(thirds(40)), level=level) == 3 * 5 * each
    assert declared("czech", "trojka", lost(thirds(30)), level=level) == 3 * -5 * each
    assert declared("czech", "trojka", lost(thirds(35)), level=level) == 3 * -each
    assert declared("czech", "solo", won(thirds(40))) == 3 * 30


def test_czech_pagat() -> None:
    """Czech, step 8: 10 if it wins the last trick itself, else -10; announced ±20, early lost."""

    def pagat(bird: Bird | None, **terms: Any) -> int:
        facts = won(thirds(36), birds={} if bird is None else {"pagat": bird})
        return declared("czech", "first_duty", facts, partner=2, **terms) - 1

    announced: dict[str, Any] = {"announced": {"pagat": 2}}
    assert pagat(Bird(1, won=True)) == 10
    assert pagat(Bird(1, won=False)) == -10
    assert pagat(Bird(-1, won=True)) == -10
    assert pagat(Bird(-1, won=False)) == 10
    assert pagat(None) == 0
    assert pagat(Bird(1, won=True), **announced) == 20
    assert pagat(Bird(1, won=False), **announced) == -20
    assert pagat(None, **announced) == -20
    assert pagat(None, announced={"pagat": 1}) == 20
    assert pagat(Bird(-1, won=True), announced={"pagat": 1}) == -20
    assert pagat(Bird(1, won=True), doubled={"pagat": 4}, **announced) == 80


def test_czech_pagat_lost_though_the_partner_wins() -> None:
    """Czech, step 8: the Pagat loses even if its partner wins the trick."""
    hands = ["T1", "T5", "C7", "C8"]
    deal = exercise("czech", "first_duty", hands, "T1 T5 C7 C8", partner=1)
    assert deal.facts.birds == {"pagat": Bird(1, won=False)}


def test_czech_valat() -> None:
    """Czech, step 8: 70, announced 140, failed -140; each component by itself."""
    full = won(thirds(70), valat=1)
    announced: dict[str, Any] = {"announced": {"valat": 0}, "partner": 1}
    assert declared("czech", "first_duty", full, partner=1) == 35 + 70
    assert declared("czech", "first_duty", lost(0, valat=-1), partner=1) == -35 - 70
    assert declared("czech", "first_duty", full, **announced) == 35 + 140
    assert declared("czech", "first_duty", won(thirds(60)), **announced) == 25 - 140
    doubled = {"doubled": {"game": 2, "valat": 4}} | announced
    assert declared("czech", "first_duty", full, **doubled) == 70 + 560


# --- Königrufen ---


def test_koenigrufen_bonuses() -> None:
    """Königrufen, overview: every bonus silent and announced, made by either side, or lost."""
    values = {"pagat": 10, "uhu": 20, "kakadu": 30, "quapil": 40, "trull": 10, "kings": 10}
    values["king_ultimo"] = 10
    for bonus, value in values.items():
        for factor, contract in ((1, "rufer"), (2, "solorufer")):
            check_bonus(contract, bonus, factor * value, game=10 * factor)


def check_bonus(contract: str, bonus: str, value: int, game: int) -> None:
    def worth(facts: Facts, **terms: Any) -> int:
        return declared("koenigrufen", contract, facts, partner=2, **terms) - game

    def fact(side: int) -> Facts:
        if bonus in BIRDS:
            return won(birds={bonus: Bird(side, won=True)})
        return won(**{bonus: side})

    assert worth(won()) == 0
    assert worth(fact(1)) == value
    assert worth(fact(-1)) == -value
    assert worth(fact(1), announced={bonus: 2}) == 2 * value
    assert worth(fact(-1), announced={bonus: 2}) == -2 * value
    assert worth(won(), announced={bonus: 0}) == -2 * value
    assert worth(fact(-1), announced={bonus: 3}) == -2 * value
    assert worth(fact(1), announced={bonus: 3}) == 2 * value
    assert worth(won(), announced={bonus: 1}) == 2 * value
    assert worth(fact(1), announced={bonus: 2}, doubled={bonus: 8}) == 16 * value
    assert worth(fact(1), announced={bonus: 2}, doubled={"game": 2}) == game + 2 * value
    if bonus in BIRDS:
        assert worth(won(birds={bonus: Bird(1, won=False)})) == -value
        assert worth(won(birds={bonus: Bird(-1, won=False)})) == value


def test_a_silent_pagat_in_the_dreier() -> None:
    """Königrufen, The Bidding: without an announcement the Pagat is played silently."""
    facts = won(birds={"pagat": Bird(1, won=True)})
    assert declared("koenigrufen", "dreier", facts) == 3 * (50 + 10)
    assert declared("koenigrufen", "solodreier", facts) == 3 * (100 + 20)


def test_lost_sechserdreier_counts_double() -> None:
    """Königrufen, Sechserdreier: 50 won, 100 lost, bonuses once."""
    assert declared("koenigrufen", "sechserdreier", won()) == 150
    assert declared("koenigrufen", "sechserdreier", lost(trull=-1)) == -300 - 30
    assert declared("koenigrufen", "sechserdreier", won(valat=1)) == 3 * 4 * 50
    assert declared("koenigrufen", "sechserdreier", lost(valat=-1)) == 3 * -4 * 100


def test_koenigrufen_valat_stands_for_the_game() -> None:
    """Königrufen, Valat: 8-fold announced, 4-fold silent; birds count beside it, once."""
    birds = {"uhu": Bird(1, won=True)}
    announced: dict[str, Any] = {"announced": {"valat": 0}}
    assert declared("koenigrufen", "dreier", won(valat=1)) == 3 * 200
    assert declared("koenigrufen", "dreier", won(valat=1, birds=birds)) == 3 * 220
    assert declared("koenigrufen", "dreier", lost(valat=-1)) == 3 * -200
    assert declared("koenigrufen", "dreier", won(valat=1, birds=birds), **announced) == 3 * 420
    assert declared("koenigrufen", "dreier", won(birds=birds), **announced) == 3 * (20 - 400)
    by_opponents: dict[str, Any] = {"announced": {"valat": 1}}
    assert declared("koenigrufen", "dreier", lost(valat=-1), **by_opponents) == 3 * -400
    assert declared("koenigrufen", "dreier", lost(), **by_opponents) == 3 * 400
    king = won(valat=1, king_ultimo=1)
    assert declared("koenigrufen", "rufer", king, partner=3) == 40 + 10


def test_trull_and_kings_beside_a_koenigrufen_valat() -> None:
    """Section 3: silent ones do not count beside a valat, announced ones beside a silent one."""
    sets = {"trull": 1, "kings": 1}
    assert declared("koenigrufen", "dreier", won(valat=1, **sets)) == 3 * 200
    announced: dict[str, Any] = {"announced": {"kings": 0}}
    assert declared("koenigrufen", "dreier", won(valat=1, **sets), **announced) == 3 * 220
    failed: dict[str, Any] = {"announced": {"valat": 0}}
    assert declared("koenigrufen", "dreier", won(**sets), **failed) == 3 * -400
    with pytest.raises(PositionError, match="trull cannot be announced beside a valat"):
        terms_of("koenigrufen", "rufer", announced={"trull": 0, "valat": 0})


def test_koenigrufen_valat_is_doubled_like_the_game_or_by_itself() -> None:
    """Section 3: kontra of the game holds for the valat in its place, kontra of the valat too."""
    game: dict[str, Any] = {"doubled": {"game": 2}}
    valat: dict[str, Any] = {"doubled": {"game": 2, "valat": 4}, "announced": {"valat": 0}}
    assert declared("koenigrufen", "dreier", won(valat=1), **game) == 3 * 400
    assert declared("koenigrufen", "dreier", won(valat=1), **valat) == 3 * 1600


def test_solorufer_with_the_called_king_in_the_talon() -> None:
    """Königrufen, Solo Caller: the half with the king counts for the caller, no kontra."""
    deal = finished(
        "koenigrufen",
        "solorufer",
        "S T DJ DA",
        "rest",
        "",
        "",
        talon="DK DQ DN D4 D3 D2",
        called="DK",
        announced={"trull": 0},
        doubled={"game": 4, "trull": 2},
    )
    settlement = score(deal)
    # 38 + 58 + 5 and the half, 30 thirds; alone, against three.
    assert settlement.points == 131
    assert settlement.scores == (3 * (20 + 40), -60, -60, -60)


def test_mayor_forehand_and_maiden_of_the_trischaken() -> None:
    """Königrufen, Trischaken: double for the mayor, for forehand, fourfold for both."""

    def scores(*piles: str, tricks: tuple[int, ...]) -> tuple[int | Fraction, ...]:
        return score(finished("koenigrufen", "trischaken", *piles, tricks_won=tricks)).scores

    # 44, 44, 43 and 79 thirds.
    piles = ("S T2-T7", "H T8-T13", "D T14-T18", "rest")
    assert scores(*piles, tricks=(3, 3, 3, 3)) == (10, 10, 10, -30)
    assert scores(*reversed(piles), tricks=(3, 3, 3, 3)) == (-60, 20, 20, 20)
    # 134 thirds: mayor.
    assert scores("S", "H", "T2-T5", "rest", tricks=(2, 2, 1, 7)) == (20, 20, 20, -60)
    assert scores("rest", "H", "T2-T5", "S", tricks=(7, 2, 1, 2)) == (-120, 40, 40, 40)
    # One seat without a trick receives double; of two, neither does.
    assert scores("S", "H", "", "rest", tricks=(2, 2, 0, 8)) == (20, 20, 40, -80)
    assert scores("S", "", "", "rest", tricks=(2, 0, 0, 10)) == (20, 20, 20, -60)


# --- Slovenia ---


def test_slovenian_bonuses() -> None:
    """Slovenian, Bonusi: added to the game, against the declaring side if the others make them."""

    def worth(facts: Facts, **terms: Any) -> int:
        return declared("slovenian", "tri", facts, partner=1, **terms) - 10

    base = thirds(35) + 1
    for bonus, silent, announced in (
        ("trull", 10, 20),
        ("kings", 10, 20),
        ("valat", 250, 500),
    ):
        seat = {"announced": {bonus: 0}}
        assert worth(won(base, **{bonus: 1})) == silent
        assert worth(won(base, **{bonus: -1})) == -silent
        assert worth(won(base, **{bonus: 1}), **seat) == announced
        assert worth(won(base), **seat) == -announced
    pagat = {"announced": {"pagat": 1}}
    for bird, silent in ((Bird(1, won=True), 25), (Bird(1, won=False), -25)):
        assert worth(won(base, birds={"pagat": bird})) == silent
        assert worth(won(base, birds={"pagat": bird}), **pagat) == 2 * silent
    assert worth(won(base, birds={"pagat": Bird(-1, won=True)})) == -25
    assert worth(won(base, birds={"pagat": Bird(-1, won=False)})) == 25
    assert worth(won(base), **pagat) == -50
    assert worth(won(base, valat=1, trull=1, kings=1)) == 270


def test_slovenian_king_ultimo() -> None:
    """Section 4: in the last trick and not won it costs nothing unless it was announced."""

    def worth(king_ultimo: int, **terms: Any) -> int:
        return declared("slovenian", "dve", won(106, king_ultimo=king_ultimo), **terms) - 20

    assert worth(1) == 10
    assert worth(-1) == 0
    assert worth(1, announced={"king_ultimo": 0}) == 20
    assert worth(-1, announced={"king_ultimo": 0}) == -20
    assert worth(0, announced={"king_ultimo": 0}) == -20


def test_mondfang_is_personal_and_never_doubled() -> None:
    """Slovenian, Mondfang: -21 for the player alone, without radlc."""
    terms = terms_of("slovenian", "tri", partner=2, options={"radlc": (0,)})
    scoring = Scoring(terms)
    facts = won(thirds(41), kings=1)
    assert scoring.scores(facts) == (50, 0, 50, 0)
    assert scoring.scores(replace(facts, mond_lost=0)) == (29, 0, 50, 0)
    assert scoring.scores(replace(facts, mond_lost=1)) == (50, -21, 50, 0)
    assert scoring.scores(replace(facts, mond_lost=2)) == (50, 0, 29, 0)
    assert [scoring.declarer(replace(facts, mond_lost=seat)) for seat in range(4)] == [
        29,
        50,
        50,
        50,
    ]


def test_radlc_of_another_seat_doubles_nothing() -> None:
    """Slovenian, Radlci: an unused radlc of the declarer; in klop everybody's own."""
    option: dict[str, Any] = {"options": {"radlc": (1, 2, 3)}}
    assert declared("slovenian", "tri", won(thirds(41)), partner=1, **option) == 15
    own: dict[str, Any] = {"options": {"radlc": (0,)}}
    assert declared("slovenian", "tri", lost(thirds(29)), partner=1, **own) == -30
    assert declared("slovenian", "valat", lost(), **own) == -1000


def test_slovenian_klop() -> None:
    """Slovenian, Klop: +70 without a card, -70 above 35 points, both in one deal."""

    def scores(*piles: str, tricks: tuple[int, ...], radlc: tuple[int, ...] = ()) -> object:
        terms: dict[str, Any] = {"tricks_won": tricks, "options": {"radlc": radlc}}
        return score(finished("slovenian", "klop", *piles, **terms)).scores

    assert scores("S", "H", "", "rest", tricks=(2, 2, 0, 8)) == (0, 0, 70, -70)
    assert scores("S", "H", "", "rest", tricks=(2, 2, 0, 8), radlc=(0, 2)) == (0, 0, 140, -70)
    assert scores("S", "H", "T2-T5", "rest", tricks=(2, 2, 1, 7)) == (0, 0, 0, -70)
    # 105 thirds are 35 points, which do not lose: 38 + 38 + 23 + 6.
    piles = ("S H CK CQ T2-T7", "D4 D3 D2 DA", "C7 C8 C9 C10", "rest")
    assert scores(*piles, tricks=(5, 1, 1, 5)) == (-35, -1, -1, -32)


# --- Warsaw ---


def test_warsaw_payments() -> None:
    """Czech, step 9: up to 29 points 10, 30 to 39 20, from 40 on 40 to each opponent."""

    def scores(*piles: str, tricks: tuple[int, ...]) -> object:
        return score(finished("czech", "warsaw", *piles, tricks_won=tricks)).scores

    # 78 thirds = 26, 54 thirds = 18 points: the losers of 26 share; double without a trick.
    assert scores("", "S D T2 T3", "H C T4 T5", "rest", tricks=(0, 4, 4, 4)) == (
        20,
        -15,
        -15,
        10,
    )
    # 105 thirds = 35 points; 134 thirds = 45 points.
    piles = ("S H CK CQ T2-T7", "D4 D3 D2 DA", "C7 C8 C9 C10", "rest")
    assert scores(*piles, tricks=(5, 1, 1, 5)) == (-60, 20, 20, 20)
    assert scores("S", "H", "T2-T5", "rest", tricks=(2, 2, 1, 7)) == (40, 40, 40, -120)
    assert scores("S", "", "", "rest", tricks=(2, 0, 0, 10)) == (40, 80, 80, -200)


# --- House rules ---


def test_house_bonuses() -> None:
    """House, Announcements: the table; trula silent only; made by the others it is negative."""

    def worth(facts: Facts, **terms: Any) -> int:
        return declared("house", "partnered_one", facts, partner=1, **terms) - 30 - 1

    base = thirds(36)
    assert worth(won(base, trull=1)) == 15
    assert worth(won(base, trull=-1)) == -15
    for bonus, silent in (("kings", 10), ("king_ultimo", 10)):
        seat, opponent = {"announced": {bonus: 0}}, {"announced": {bonus: 2}}
        assert worth(won(base, **{bonus: 1})) == silent
        assert worth(won(base, **{bonus: -1})) == -silent
        assert worth(won(base, **{bonus: 1}), **seat) == 2 * silent
        assert worth(won(base), **seat) == -2 * silent
        assert worth(won(base, **{bonus: -1}), **opponent) == -2 * silent
        assert worth(won(base), **opponent) == 2 * silent
    assert worth(won(base, birds={"pagat": Bird(1, won=True)})) == 25
    assert worth(won(base, birds={"pagat": Bird(1, won=False)})) == -25
    assert worth(won(base), announced={"pagat": 0}) == -50


def test_house_valat_stands_for_everything_but_penalties() -> None:
    """House, Announcements: no other bonuses or bid points count; a failed one costs 200."""
    others: dict[str, Any] = {"trull": 1, "kings": 1, "birds": {"pagat": Bird(1, won=True)}}
    terms: dict[str, Any] = {"partner": 2, "doubled": {"game": 2}}
    announced = {"announced": {"valat": 0}} | terms
    assert declared("house", "partnered_one", won(200, valat=1, **others), **terms) == 100
    assert declared("house", "partnered_one", won(200, valat=1, **others), **announced) == 200
    assert declared("house", "partnered_one", won(200, **others), **announced) == -200
    assert declared("house", "partnered_one", lost(0, valat=-1), **terms) == -100
    mond = won(200, valat=1, mond_lost=0, **others)
    assert declared("house", "partnered_one", mond, **announced) == 200 - 21


def test_house_penalties() -> None:
    """House, Penalties: the Mond -21 for its player, the called king -15 for both declarers."""
    scoring = Scoring(terms_of("house", "partnered_two", partner=3, doubled={"game": 4}))
    facts = won(thirds(40), called_king_lost=True, mond_lost=3)
    assert scoring.scores(facts) == (4 * 25 - 15, 0, 0, 4 * 25 - 15 - 21)


def test_scarecrow() -> None:
    """House, Scarecrow: take 20 and the difference, bonuses, valat doubles the whole."""

    def worth(facts: Facts) -> int:
        return declared("house", "scarecrow", facts, seats=2)

    assert worth(won(thirds(40))) == 25
    assert worth(lost(thirds(30))) == -25
    assert worth(won(thirds(40), trull=1, kings=1)) == 45
    assert worth(won(thirds(40), birds={"pagat": Bird(1, won=True)})) == 45
    assert worth(won(thirds(40), birds={"pagat": Bird(1, won=False)})) == 5
    assert worth(won(thirds(40), mond_lost=0)) == 25 - 21
    assert worth(won(thirds(70), trull=1, kings=1, valat=1)) == 2 * 75
    assert worth(lost(0, trull=-1, kings=-1, valat=-1, mond_lost=0)) == -2 * (75 + 21)
    untaken = Scoring(terms_of("house", "scarecrow", seats=2, declarer=None))
    assert untaken.scores(replace(lost(thirds(30), trull=1, mond_lost=0), their_points=120)) == (
        0,
        5,
    )


def test_texas_lost_mond() -> None:
    """Texas, Optional Rules: two chips to each of the other players; no part of others' scores."""
    option = {"lost_mond": True}
    scoring = Scoring(terms_of("texas", "povinost", partner=1, options=option))
    facts = won(64, mond_lost=3)
    assert scoring.scores(facts) == (4 + 2, 4 + 2, -4 + 2, -4 - 6)
    assert scoring.declarer(facts) == 4
    assert scoring.declarer(replace(facts, mond_lost=0)) == 4 - 6


# --- The facts of a deal ---


def test_a_bird_counts_in_its_own_trick_only() -> None:
    """Section 3: I, II, III, IIII in the last, 2nd, 3rd, 4th last trick."""
    for bird in BIRDS:
        deal = five_tricks("koenigrufen", "rufer", bird, partner=1, called="CK")
        assert deal.facts.birds == {bird: Bird(1, won=True)}
    hands = ["T1 T2", "SK SQ", "HK HQ", "DK DQ"]
    early = exercise("koenigrufen", "dreier", hands, "T1 SK HK DK T2 SQ HQ DQ")
    assert early.facts.birds == {}


@pytest.mark.parametrize(
    ("declarer", "hands", "line", "bird"),
    [
        (0, ["T1", "SK", "HK", "DK"], "T1 SK HK DK", Bird(1, won=True)),
        (0, ["T1", "T5", "HK", "DK"], "T1 T5 HK DK", Bird(1, won=False)),
        (0, ["SK", "T1", "HK", "DK"], "SK T1 HK DK", Bird(-1, won=True)),
        (0, ["T5", "T1", "HK", "DK"], "T5 T1 HK DK", Bird(-1, won=False)),
        # An opponent's higher trump, or the declarer's own side, makes no difference.
        (2, ["T5", "SK", "T1", "DK"], "T5 SK T1 DK", Bird(1, won=False)),
        # The emperor trick is won by the Pagat itself.
        (0, ["T21", "T22", "T1", "DK"], "T21 T22 T1 DK", Bird(-1, won=True)),
    ],
)
def test_the_pagat_in_the_last_trick(
    declarer: int, hands: list[str], line: str, bird: Bird
) -> None:
    deal = exercise("koenigrufen", "dreier", hands, line, declarer=declarer)
    assert deal.facts.birds == {"pagat": bird}


@pytest.mark.parametrize(
    ("partner", "hands", "side"),
    [
        (1, ["T5", "SK", "S7", "S8"], 1),
        (1, ["S9", "SK", "S7", "S8"], 1),
        (1, ["S9", "SK", "T7", "S8"], -1),
        (1, ["S9", "S10", "S7", "S8"], 0),
    ],
)
def test_king_ultimo(partner: int, hands: list[str], side: int) -> None:
    """Section 3: the called king falls to the last trick and the declaring side wins it."""
    deal = exercise("koenigrufen", "rufer", hands, " ".join(hands), partner=partner, called="SK")
    assert deal.facts.king_ultimo == side


@pytest.mark.parametrize(
    ("variant", "contract", "trick", "lost_by"),
    [
        # To the Sküs, of an opponent or the partner; to the Pagat of an emperor trick.
        ("slovenian", "tri", "T21 T22 T5 T6", 0),
        ("slovenian", "tri", "T21 T5 T22 T6", 0),
        ("slovenian", "tri", "T22 T5 T6 T21", 3),
        ("slovenian", "tri", "T22 T1 T21 T6", 2),
        ("slovenian", "tri", "T21 T5 T7 T6", None),
        ("slovenian", "berac", "T21 T22 T5 T6", None),
        ("house", "partnered_three", "T21 T5 T22 T6", 0),
        # In Texas only a Mond that goes to the other side is lost.
        ("texas", "povinost", "T21 T22 T5 T6", 0),
        ("texas", "povinost", "T21 T5 T22 T6", None),
        ("koenigrufen", "rufer", "T21 T22 T5 T6", None),
    ],
)
def test_mond_lost(variant: str, contract: str, trick: str, lost_by: int | None) -> None:
    hands = [f"{trump} {suit}" for trump, suit in zip(trick.split(), SPADES, strict=True)]
    partner = None if contract == "berac" else 2
    options = {"lost_mond": True} if variant == "texas" else {}
    deal = exercise(variant, contract, hands, trick, partner=partner, options=options)
    assert deal.facts.mond_lost == lost_by


SPADES = ("SK", "S7", "S8", "S9")


def test_texas_knows_a_lost_mond_by_its_option_only() -> None:
    hands = ["T21 SK", "T22 S7", "T5 S8", "T6 S9"]
    deal = exercise("texas", "povinost", hands, "T21 T22 T5 T6", partner=2)
    assert deal.facts.mond_lost is None


def test_mond_with_the_fool_in_the_last_trick_is_not_lost() -> None:
    """Section 6: in the last trick the Excuse is not lifted."""
    hands = ["T21", "T22", "T5", "T6"]
    deal = exercise("house", "solo_one", hands, "T21 T22 T5 T6")
    assert deal.facts.mond_lost is None


@pytest.mark.parametrize(
    ("variant", "contract", "lost_by"),
    [
        ("slovenian", "solo_tri", 0),
        ("slovenian", "solo_brez", 0),
        ("house", "solo_three", 0),
        ("house", "no_peek", None),
        ("koenigrufen", "dreier", None),
    ],
)
def test_mond_left_in_the_talon(variant: str, contract: str, lost_by: int | None) -> None:
    """Section 4 and 6: the declarer who leaves it to the opponents has lost it."""
    untouched = contract in ("solo_brez", "no_peek")
    talon = "T21 D4 D3 D2 C9 C8" if untouched else "T21 D4 D3"
    laid = () if untouched else (LAID,)
    deal = finished(variant, contract, "S H", "rest", "", "", talon=talon, laid=laid)
    settlement = score(deal)
    assert any(rule.startswith("Mond lost") for rule, _ in settlement.lines) == (lost_by == 0)


@pytest.mark.parametrize(("pile", "is_lost"), [("S H", False), ("S C7 C8 C9 C10", True)])
def test_mond_in_the_talon_that_the_called_king_may_win(pile: str, is_lost: bool) -> None:
    """Section 4: the rest of the talon is the caller's when the king from it wins a trick."""
    terms: dict[str, Any] = {"talon": "T21 D4 D3", "laid": ("D2 DA DJ",), "called": "HK"}
    settlement = score(finished("slovenian", "tri", pile, "rest", "", "", **terms))
    assert any(rule.startswith("Mond lost") for rule, _ in settlement.lines) == is_lost


def test_sets_count_discards_and_talon() -> None:
    """Section 2: trull and kings count every card that counts for the side."""
    deal = finished("koenigrufen", "dreier", "S H", "rest", "", "", talon="T21 DK D2", laid=(LAID,))
    referee = Referee(deal)
    assert facts_of(referee, referee.start).trull == -1
    assert facts_of(referee, referee.start).kings == 0
    laid = finished(
        "texas",
        "povinost",
        "S H T1-T20",
        "rest",
        "",
        "",
        laid=("T21 T22 C7 C8", "D4", "D3"),
    )
    referee = Referee(laid)
    assert facts_of(referee, referee.start).trull == 1


def test_called_king_lost() -> None:
    """Section 6: captured in a trick; left in the talon it is not lost."""

    def is_lost(called: str, talon: str) -> bool:
        deal = finished(
            "house",
            "partnered_three",
            "S H",
            "rest",
            "",
            "",
            talon=talon,
            laid=(LAID,),
            called=called,
        )
        return facts_of(Referee(deal), Referee(deal).start).called_king_lost

    assert is_lost("DK", LEFT)
    assert not is_lost("HK", LEFT)
    assert not is_lost("DK", "DK D4 D3")


def test_without_a_history_nothing_of_the_past_has_happened() -> None:
    """A silent bird does not count then, and an announced one has failed."""
    rng = random.Random(4)
    for _ in range(200):
        deal = random_deal(rng, "koenigrufen", "dreier", 4)
        if "pagat" in deal.facts.birds:
            break
    known, unknown = score(deal.position), score(replace(deal.position, history=None))
    assert any(rule.startswith("Pagat") for rule, _ in known.lines)
    assert unknown.lines == tuple(
        line for line in known.lines if not line.rule.startswith(tuple(WORDS_OF_BIRDS))
    )
    announced = replace(deal.position, history=None, announced=(Announcement(0, "uhu"),))
    (line,) = (line for line in score(announced).lines if line.rule.startswith("Uhu"))
    assert line.rule.startswith("Uhu announced by seat 0, not made")


WORDS_OF_BIRDS = ("Pagat", "Uhu", "Kakadu", "Quapil")


# --- Properties of every contract ---


def random_terms(rng: random.Random, book: Variant, record: Contract, players: int) -> Position:
    """Return random announcements, doublings and options of a contract."""
    seats = range(players)
    partner = rng.choice([None, 1, 2]) if record.sides == "partner" else None
    names = [bonus for bonus in record.bonus_values if bonus in record.bonuses]
    announced = {bonus: rng.choice(seats) for bonus in names if rng.random() < 1 / 3}
    if record.bird is not None:
        announced.pop(record.bird, None)
    if "valat" in announced:
        side = {0, partner} - {None}
        announced["valat"] = rng.choice(sorted(side)) if book.holder_announces else 1
        announced = {key: seat for key, seat in announced.items() if key not in book.without_valat}
    doubled: dict[str, Any] = {}
    if record.doubling:
        stakes = ["game", *(names if book.bonus_doubling else [])]
        doubled = {stake: rng.choice((1, 2, 4, 8)) for stake in stakes if rng.random() < 1 / 3}
        if book.paid and record.sides == "alone" and rng.random() < 1 / 4:
            doubled["game"] = tuple(rng.choice((1, 2, 4)) for _ in seats)
    options = {
        "slovenian": {"radlc": tuple(seat for seat in seats if rng.random() < 1 / 2)},
        "texas": {"lost_mond": rng.random() < 1 / 2},
    }.get(book.name, {})
    return terms_of(
        book.name,
        record.name,
        seats=players,
        partner=partner,
        announced=announced,
        doubled=doubled,
        options=options,
        level=rng.randint(1, record.levels),
    )


def random_facts(rng: random.Random, book: Variant, players: int) -> Facts:
    """Return facts that need not go together."""
    side = (-1, 0, 0, 1)
    birds = {
        bird: Bird(rng.choice((-1, 1)), rng.random() < 1 / 2)
        for bird in BIRDS
        if rng.random() < 1 / 2
    }
    points = rng.randint(0, sum(book.weights))
    return Facts(
        points=points,
        tricks=0,
        made=rng.random() < 1 / 2,
        valat=rng.choice(side),
        trull=rng.choice(side),
        kings=rng.choice(side),
        birds=birds,
        king_ultimo=rng.choice(side),
        mond_lost=rng.choice((None, *range(players))),
        called_king_lost=rng.random() < 1 / 2,
        their_points=sum(book.weights) - points,
    )


def single_changes(facts: Facts, other: Facts) -> Iterator[tuple[str, Facts]]:
    """Yield each part of a score with the facts in which its own fact alone has changed."""
    yield "game", replace(facts, points=other.points, made=other.made)
    for name in ("trull", "kings", "king_ultimo"):
        yield name, replace(facts, **{name: getattr(other, name)})
    for bird in BIRDS:
        birds = {name: value for name, value in facts.birds.items() if name != bird}
        if bird in other.birds:
            birds[bird] = other.birds[bird]
        yield bird, replace(facts, birds=birds)
    yield "mond", replace(facts, mond_lost=other.mond_lost)
    yield "called_king", replace(facts, called_king_lost=other.called_king_lost)


@pytest.mark.parametrize(("book", "record", "players"), WITH_A_SIDE)
def test_a_score_is_the_sum_of_its_parts(book: Variant, record: Contract, players: int) -> None:
    """With the terms and the valat given, every part depends on its own fact alone."""
    rng = random.Random(f"{book.name} {record.name} {players}")
    for _ in range(60):
        scoring = Scoring(random_terms(rng, book, record, players))
        facts, other = (random_facts(rng, book, players) for _ in range(2))
        parts = scoring.parts(facts)
        assert sum(parts.values()) == scoring.declarer(facts)
        for name, changed in single_changes(facts, other):
            after = scoring.parts(changed)
            assert {key: value for key, value in parts.items() if key != name and value} == {
                key: value for key, value in after.items() if key != name and value
            }


@pytest.mark.parametrize(("book", "record", "players"), WITH_A_SIDE)
def test_lines_items_and_scores_agree(book: Variant, record: Contract, players: int) -> None:
    """The declarer's result is his share of all lines, but for the Mond of others."""
    rng = random.Random(f"{record.name} {players}")
    for _ in range(60):
        scoring = Scoring(random_terms(rng, book, record, players))
        facts = random_facts(rng, book, players)
        lines, scores = scoring.lines(facts), scoring.scores(facts)
        found = list(items(lines))
        for seat in range(players):
            assert scores[seat] == sum(item.value for item in found if item.seat == seat)
        if facts.mond_lost in (None, 0):
            assert scores[0] == scoring.declarer(facts)
        assert all(item.value and item.rule.endswith(")") for item in found)
        if book.paid:
            assert sum(scores) == 0
        else:
            opponents = scores[2 if record.sides == "partner" else 1 :]
            assert all(value in (0, -21, -42) for value in opponents) or record.sides != "alone"


@pytest.mark.parametrize(("book", "record", "players"), CONTRACTS)
def test_whole_deals(book: Variant, record: Contract, players: int) -> None:
    """A deal played to its end is settled alike from its play and from its JSON."""
    rng = random.Random(f"deal {record.name} {players}")
    for _ in range(3):
        deal = random_deal(rng, book.name, record.name, players)
        settlement = score(deal.position)
        assert settlement.scores == deal.scores == settle(*deal)
        assert book.paid is False or sum(deal.scores) == 0
        again = parse_position(json.loads(json.dumps(position_to_dict(deal.position))))
        assert score(again).to_dict() == settlement.to_dict()
        if record.sides != "everyone":
            assert settlement.made == deal.referee.made(deal.state)
            assert deal.facts.points + deal.facts.their_points == sum(book.weights) - _aside(deal)


def _aside(deal: Played) -> int:
    """Return what the talon cards are worth that count for nobody."""
    if deal.referee.rules.talon != "aside":
        return 0
    return sum(deal.referee.position.book.weights[card] for card in deal.state.talon)


def test_games_of_everyone_have_no_facts() -> None:
    with pytest.raises(ValueError, match="no declaring side"):
        Scoring(terms_of("slovenian", "klop"))


# --- The API and the command ---


def test_positions_that_cannot_be_settled() -> None:
    hands = {"variant": "koenigrufen", "contract": "dreier", "hands": ["T22", "T1", "T5", "T2"]}
    with pytest.raises(Unsettled, match="hands: 1 trick is still to be played"):
        score(Position.from_dict(hands))
    with pytest.raises(Unsettled, match="taken: missing"):
        score(Position.from_dict({**hands, "hands": [""] * 4}))
    with pytest.raises(PositionError, match="opponents pay nothing"):
        terms_of("slovenian", "solo_tri", doubled={"game": (1, 2, 1, 1)})


HAND_WORKED = position_to_dict(
    finished(
        "slovenian",
        "tri",
        "S T1 CQ CN T2",
        "rest",
        "H T3-T14",
        "",
        talon=LEFT,
        laid=(LAID,),
        partner=2,
        called="HK",
        id=7,
        comment="41 points",
    )
)


def test_the_command_answers_as_json() -> None:
    faulty = {"variant": "slovenian", "contract": "tri", "hands": [], "id": 8}
    unfinished = {"variant": "texas", "contract": "zebrak", "hands": ["SK", "SQ", "SN", "SJ"]}
    stdin = "".join(json.dumps(item) + "\n" for item in (HAND_WORKED, faulty, unfinished))
    done = trull("score", "-", "--json", stdin=stdin)
    assert done.returncode == 2
    settled, refused, early = map(json.loads, done.stdout.splitlines())
    source = "Točkovanje: Tri, dva, ena"
    assert settled == {
        "id": 7,
        "comment": "41 points",
        "points": 122,
        "unit": "thirds",
        "made": True,
        "scores": [15, 0, 15, 0],
        "items": [
            {"rule": f"{rule} ({source})", "value": value, "seat": seat}
            for rule, value in (
                ("game won", 10),
                ("difference of 41 points, rounded to 40, from 35", 5),
            )
            for seat in (0, 2)
        ],
    }
    assert refused["id"] == 8
    assert refused["error"].startswith("hands: 0 of them")
    assert early == {"error": "hands: 1 trick is still to be played, expected a finished deal"}


def test_fractions_and_games_of_everyone_as_json() -> None:
    """Two losers share a payment of 10."""
    deal = finished(
        "czech", "warsaw", "", "S D T2 T3", "H C T4 T5", "rest", tricks_won=(0, 4, 4, 4)
    )
    data = score(deal).to_dict()
    assert data["points"] == [0, 78, 78, 54]
    assert data["made"] is None
    assert data["scores"] == [20, -15, -15, 10]
    assert {"rule", "value", "seat"} == set(data["items"][0])  # type: ignore[index]


def test_the_command_prints_a_table() -> None:
    done = trull("score", "-", stdin=json.dumps(HAND_WORKED))
    assert done.returncode == 0, done.stderr
    text = " ".join(done.stdout.split())
    assert "Declarer and partner take 122 thirds = 40 points and 2 Blatt." in text
    assert "The contract is made." in text
    assert "Without a history" in text
    assert "game won (Točkovanje: Tri, dva, ena) +10 0 +10 0" in text
    assert "Score +15 0 +15 0" in text
