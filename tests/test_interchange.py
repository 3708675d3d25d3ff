"""Positions as JSON: what is read, what is refused and in which words, and streams of them."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deals import DREIER, EXERCISE, RUFER, SCARECROW, SOLO_TRI, TRISCHAKEN, played
from endings import random_ending
from trull.solver.cards import XX, parse_card, parse_cards, to_mask
from trull.solver.interchange import Rejected, parse_position, position_to_dict, read_positions
from trull.solver.position import Announcement, Position, Trick
from trull.solver.rulebooks import every_contract
from trull.solver.validation import PositionError

Json = dict[str, Any]

TABLES = [
    (book.name, record.name, players)
    for book, record in every_contract()
    for players in record.values
    if players > 2
]
FIXED = [DREIER, RUFER, TRISCHAKEN, SOLO_TRI, SCARECROW, EXERCISE]
FIXED += [played(DREIER, 3), played(RUFER, 12), played(TRISCHAKEN, 8), played(SOLO_TRI, 15)]


def but(data: Json, *left_out: str, **changes: object) -> Json:
    """Return a copy of a position with some keys left out and others changed."""
    return {key: value for key, value in data.items() if key not in left_out} | changes


def hands(data: Json, **changes: str) -> list[str]:
    """Return the hands of a position, some replaced: `hands(DREIER, s2="T4")`."""
    return [changes.get(f"s{seat}", hand) for seat, hand in enumerate(data["hands"])]


def error(data: object) -> str:
    """Return the sentence with which `data` is refused."""
    with pytest.raises(PositionError) as caught:
        parse_position(data)
    return str(caught.value)


# --- Reading ---


def test_every_key_is_read() -> None:
    position = parse_position(
        {
            "variant": "czech",
            "contract": "trojka",
            "hands": ["t5, sk", "♠Q VII", "T9 SN", "T11"],
            "declarer": 2,
            "leader": 3,
            "trick": "SJ",
            "tricks_won": [1, 0, 2, 7],
            "level": 3,
            "announced": [{"seat": 2, "bonus": "valat"}],
            "doubled": {"game": [1, 2, 1, 4], "valat": 8},
            "id": 7,
            "comment": ["any", None],
            "x_source": {"page": 3},
        }
    )
    assert position == Position(
        variant="czech",
        contract="trojka",
        hands=tuple(to_mask(parse_cards(hand)) for hand in ("T5 SK", "T7 SQ", "T9 SN", "T11")),
        declarer=2,
        leader=3,
        trick=parse_cards("SJ"),
        tricks_won=(1, 0, 2, 7),
        level=3,
        announced=(Announcement(2, "valat"),),
        doubled={"game": (1, 2, 1, 4), "valat": 8},
        id=7,
        comment=["any", None],
        extra={"x_source": {"page": 3}},
    )


def test_history_straw_and_options_are_read() -> None:
    past = parse_position(played(DREIER, 2))
    assert past.history is not None
    assert past.history[1] == Trick(2, parse_cards("T10 T5 T6 T7"))
    assert parse_position(SCARECROW).straw[1][2] == parse_cards("T20 T21 T22 C10")
    radlc = parse_position(but(SOLO_TRI, options={"radlc": [0, 2]}))
    assert radlc.options == {"radlc": (0, 2)}


@pytest.mark.parametrize(
    ("data", "leader"),
    [
        (DREIER, 0),
        (but(DREIER, "discards", "talon", contract="bettler"), 3),
        (but(SOLO_TRI, "discards", "talon", contract="berac"), 0),
        (
            but(
                SOLO_TRI,
                "discards",
                "talon",
                contract="berac",
                options={"declarer_leads_negative": True},
            ),
            2,
        ),
        (SCARECROW, 0),
        (but(EXERCISE, leader=2), 2),
    ],
)
def test_the_leader_is_the_contract_s_unless_given(data: Json, leader: int) -> None:
    assert parse_position(data).leader == leader


def test_ze_ruky_calls_the_xx_by_itself() -> None:
    data = but(EXERCISE, variant="texas", contract="ze_ruky", hands=["T5", "T7", "T20", "T9"])
    assert parse_position(but(data, partner=2)).called == XX
    assert parse_position(but(data, partner=2, called="T20")).called == XX
    assert parse_position(but(data, partner=1, called="T7")).called == parse_card("T7")
    assert "called" not in position_to_dict(parse_position(but(data, partner=2)))
    assert error(data).startswith("partner: null, but the called T20 is in hands[2]")


def test_tricks_won_follow_from_the_cards_taken() -> None:
    assert parse_position(but(played(DREIER, 5), "tricks_won")).tricks_won == (0, 0, 3, 2)
    one_seat = played(TRISCHAKEN, 1)
    assert parse_position(but(one_seat, "tricks_won")).tricks_won == (0, 0, 0, 1)


def test_a_straw_man_that_is_used_up_may_be_an_empty_text() -> None:
    data = but(
        SCARECROW, hands=["T5 SK", "T7 SQ"], straw=[["", "HA", "H2 H3"], ["", "D4", "D2 D3"]]
    )
    assert parse_position(data).straw[0] == (parse_cards("HA"), parse_cards("H2 H3"))


# --- What is allowed ---


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(but(EXERCISE, hands=["", "", "", ""]), id="no cards left"),
        pytest.param(but(EXERCISE, hands=["T5", "T7", "T9", "T11"]), id="one card each"),
        pytest.param(but(EXERCISE, hands=["T5", "T7", "", "T11"], leader=2, trick="T9"), id="lead"),
        pytest.param(played(RUFER, 12), id="the end of a whole deal"),
        pytest.param(but(DREIER, "talon", "discards"), id="a deal without its talon"),
        pytest.param(
            but(DREIER, "discards", talon="CJ T11 S9 HQ H2 D3"), id="no exchange was made"
        ),
        pytest.param(but(played(RUFER, 5), "history"), id="a past without a history"),
        pytest.param(
            but(EXERCISE, leader=2, history=[], tricks_won=[0, 0, 4, 6]), id="tricks without cards"
        ),
        pytest.param(but(TRISCHAKEN, declarer=2), id="a declarer where everyone is alone"),
        pytest.param(but(TRISCHAKEN, declarer=None), id="no declarer where everyone is alone"),
        pytest.param(but(SCARECROW, declarer=None), id="nobody took"),
        pytest.param(
            but(
                SCARECROW,
                "straw",
                hands=["T5", "T7"],
                leader=1,
                tricks_won=[0, 2],
                history=[{"leader": 0, "cards": "H4 T3"}, {"leader": 1, "cards": "D4 C7"}],
            ),
            id="a past of Scarecrow",
        ),
        pytest.param(but(RUFER, "called"), id="a partner without a called card"),
        pytest.param(but(RUFER, called="CK"), id="another king of the partner's"),
        pytest.param(but(RUFER, "called", "partner"), id="a caller alone"),
        pytest.param(but(RUFER, partner=3, called="SK"), id="a king of another seat"),
        pytest.param(but(RUFER, partner=None, called="DK"), id="the called king from the talon"),
        pytest.param(
            but(EXERCISE, variant="texas", contract="povinost", called="T7", partner=1),
            id="any trump is called",
        ),
        pytest.param(
            but(
                EXERCISE,
                contract="rufer",
                called="CQ",
                partner=1,
                hands=["SK HK", "CQ T7", "T8 T9", "T11 T12"],
            ),
            id="a queen with all kings, as far as one can see",
        ),
        pytest.param(
            but(DREIER, contract="dreier", announced=[{"seat": 1, "bonus": "pagat"}]),
            id="an opponent's announcement",
        ),
        pytest.param(
            but(RUFER, contract="pagatrufer", announced=[{"seat": 0, "bonus": "pagat"}]),
            id="an implied announcement",
        ),
        pytest.param(but(DREIER, doubled={"game": 8, "kings": 2}), id="doubled"),
        pytest.param(but(DREIER, doubled={"game": [1, 2, 4, 1]}), id="doubled seat by seat"),
        pytest.param(
            but(EXERCISE, variant="texas", contract="prever", level=2, doubled={"game": 16}),
            id="suprec",
        ),
        pytest.param(
            but(EXERCISE, variant="house", contract="solo_one", doubled={"game": 64}),
            id="doubled without end",
        ),
        pytest.param(
            but(
                SOLO_TRI,
                variant="house",
                contract="partnered_two",
                declarer=0,
                partner=1,
                talon="C9",
                discards=["SN SJ", "", "S8 T11 S10"],
                options={"second_pickings": True},
            ),
            id="second pickings",
        ),
    ],
)
def test_a_consistent_position_is_read_and_written_back(data: Json) -> None:
    position = parse_position(data)
    assert parse_position(position_to_dict(position)) == position


# --- What is refused ---

REFUSED: list[tuple[str, object, tuple[str, ...]]] = [
    # The object and its types
    ("a list", [], ("a list", "expected a JSON object")),
    ("a text", "dreier", ('"dreier"', "expected a JSON object")),
    ("no variant", but(DREIER, "variant"), ("variant: missing",)),
    ("no contract", but(DREIER, "contract"), ("contract: missing",)),
    ("no hands", but(DREIER, "hands"), ("hands: missing",)),
    ("near key", but(DREIER, hand="T1"), ('unknown key "hand"', "did you mean 'hands'?")),
    ("upper key", but(DREIER, Talon=""), ('unknown key "Talon"', "did you mean 'talon'?")),
    ("far key", but(DREIER, q=1), ('unknown key "q"', "expected one of variant, contract, hands")),
    ("long key", but(DREIER, **{"y" * 999: 1}), ("unknown key", "yyyy…")),
    ("variant type", but(DREIER, variant=1), ("variant: 1", "expected a text")),
    ("contract type", but(DREIER, contract=None), ("contract: null", "expected a text")),
    ("hands type", but(DREIER, hands="T1"), ('hands: "T1"', "expected a list")),
    ("hand type", but(DREIER, hands=[[], "", "", ""]), ("hands[0]: a list", "text with cards")),
    ("long hand", but(DREIER, hands=["T1 " * 999] * 4), ("hands[0]: 2997 characters",)),
    ("bool seat", but(DREIER, declarer=True), ("declarer: true", "expected a whole number")),
    ("float seat", but(DREIER, partner=1.0), ("partner: 1.0", "expected a whole number")),
    ("text seat", but(DREIER, leader="0"), ('leader: "0"', "expected a whole number")),
    ("null leader", but(DREIER, leader=None), ("leader: null", "expected a whole number")),
    ("huge seat", but(DREIER, leader=10**50), ("leader: 1000", "smaller")),
    ("trick type", but(EXERCISE, leader=0, trick=["T5"]), ("trick: a list", "text with cards")),
    ("taken type", but(EXERCISE, taken={}), ("taken: an object", "expected a list")),
    ("won type", but(EXERCISE, tricks_won=[0, 0, 1.5, 0]), ("tricks_won[2]: 1.5",)),
    ("two called", but(RUFER, called="SK HK"), ("called: 2 cards", "expected one")),
    ("none called", but(RUFER, called=""), ("called: 0 cards", "expected one")),
    ("history type", but(EXERCISE, leader=0, history=["T1"]), ("history[0]", "leader and cards")),
    (
        "trick without cards",
        but(EXERCISE, leader=0, history=[{"leader": 0}]),
        ("history[0].cards: missing",),
    ),
    (
        "trick with more",
        but(EXERCISE, leader=0, history=[{"leader": 0, "cards": "", "winner": 1}]),
        ('history[0]: unknown key "winner"',),
    ),
    ("straw type", but(SCARECROW, straw=["T1", ""]), ('straw[0]: "T1"', "expected a list")),
    ("announced type", but(DREIER, announced=["pagat"]), ("announced[0]", "seat and bonus")),
    ("doubled type", but(DREIER, doubled=2), ("doubled: 2", 'such as {"game": 2}')),
    ("stake type", but(DREIER, doubled={"game": "2"}), ('doubled.game: "2"', "whole number")),
    ("options type", but(DREIER, options=[]), ("options: a list", "options by name")),
    # Names
    ("variant", but(DREIER, variant="tarot"), ("variant: unknown variant 'tarot'", "koenigrufen")),
    (
        "contract",
        but(DREIER, contract="drier"),
        ("contract: Königrufen", "no contract 'drier'", "'dreier'"),
    ),
    ("elsewhere", but(DREIER, contract="trojka"), ("contract: ", "no contract 'trojka'", "Czech")),
    ("card", but(DREIER, hands=hands(DREIER, s2="T4 X9")), ("hands[2]: unknown card 'X9'",)),
    ("pip", but(DREIER, talon="CA T11 S9"), ("talon: unknown card 'CA'", "C10 C9 C8 C7")),
    ("called", but(RUFER, called="King"), ("called: unknown card 'King'",)),
    # Players and seats
    ("3 players", but(DREIER, hands=["T1", "T2", "T3"]), ("hands: 3", "dreier is for 4 players")),
    ("5 players", but(EXERCISE, hands=["T1", "T2", "T3", "T4", "T5"]), ("hands: 5", "4 players")),
    ("no players", but(EXERCISE, hands=[]), ("hands: 0", "4 players")),
    ("2 of 3 or 4", but(SOLO_TRI, hands=["T1", "T2"]), ("hands: 2", "3 or 4 players")),
    ("tri for 3", but(SOLO_TRI, contract="tri"), ("hands: 3", "tri is for 4 players")),
    ("taken of 3", but(EXERCISE, taken=["", "", ""]), ("taken: 3 entries", "expected 4")),
    ("won of 5", but(EXERCISE, tricks_won=[0] * 5), ("tricks_won: 5 entries", "expected 4")),
    ("discards of 1", but(EXERCISE, discards=[""]), ("discards: 1 entries", "expected 4")),
    ("declarer", but(DREIER, declarer=4), ("declarer: there is no seat 4", "0 to 3")),
    ("negative", but(EXERCISE, declarer=-1), ("declarer: there is no seat -1", "0 to 3")),
    ("partner", but(RUFER, partner=4), ("partner: there is no seat 4", "0 to 3")),
    ("leader", but(SOLO_TRI, leader=3), ("leader: there is no seat 3", "0 to 2")),
    ("klop declarer", but(TRISCHAKEN, declarer=4), ("declarer: there is no seat 4",)),
    ("no declarer", but(DREIER, declarer=None), ("declarer: null", "dreier", "0 to 3")),
    ("himself", but(RUFER, partner=0), ("partner: 0 is the declarer",)),
    ("alone", but(DREIER, partner=1), ("partner: nobody has a partner in dreier",)),
    ("klop partner", but(TRISCHAKEN, partner=1), ("partner: nobody has a partner in trischaken",)),
    # The called card
    ("no call", but(DREIER, called="SK"), ("called: SK", "dreier calls no card")),
    ("a trump", but(RUFER, called="T20"), ("called: T20 cannot be called", "SK SQ HK HQ")),
    (
        "a queen",
        but(EXERCISE, variant="slovenian", contract="tri", called="HQ"),
        ("called: HQ cannot be called", "one of SK HK DK CK"),
    ),
    (
        "a king",
        but(EXERCISE, variant="czech", contract="first_duty", called="SK"),
        ("called: SK cannot be called", "a trump"),
    ),
    ("three kings", but(RUFER, called="SQ", partner=1), ("called: SQ", "SK is in hands[3]")),
    ("not his", but(RUFER, called="SK"), ("partner: 2", "SK is in hands[3]", "expected 3")),
    ("unseen", but(RUFER, partner=None), ("partner: null", "HK is in hands[2]", "expected 2")),
    ("own king", but(RUFER, called="DK"), ("partner: 2", "DK is the declarer's own", "null")),
    (
        "in the talon",
        but(
            RUFER,
            called="HK",
            talon="HK T11 S9",
            hands=hands(RUFER, s2=RUFER["hands"][2].replace("HK", "CJ")),
        ),
        ("partner: 2", "HK is in the talon", "null"),
    ),
    (
        "on the table",
        but(
            EXERCISE,
            contract="rufer",
            called="SK",
            partner=1,
            hands=["T5 T6", "T7 T8", "T9", "T10 T11"],
            leader=2,
            trick="SK",
        ),
        ("partner: 1", "SK is in trick", "expected 2"),
    ),
    (
        "in the history",
        but(played(RUFER, 12), partner=1),
        ("partner: 1", "HK is in history[", "expected 2"),
    ),
    # Cards
    ("twice in a hand", but(DREIER, hands=["T5 T5", "", "", ""]), ("hands[0]: card T5 appears",)),
    (
        "in two hands",
        but(EXERCISE, hands=["T5 SK", "T7 SK", "T9 SN", "T11 SJ"]),
        ("hands[1]: SK is also in hands[0]",),
    ),
    ("in the talon", but(DREIER, talon="CJ T11 DK"), ("talon: DK is also in hands[0]",)),
    (
        "among the discards",
        but(DREIER, discards=["", "", "", "HQ H2 DK"]),
        ("discards[3]: DK is also in hands[0]",),
    ),
    (
        "on the table",
        but(EXERCISE, hands=["T5 SK", "T7 SQ", "SN", "T11 SJ"], leader=2, trick="T5"),
        ("trick: T5 is also in hands[0]",),
    ),
    (
        "in a straw man",
        but(SCARECROW, straw=[["T1"], ["T12"]]),
        ("straw[0][0]: T1 is also in hands[0]",),
    ),
    (
        "taken",
        but(played(DREIER, 3), taken=["", "", "T15 T14 T10 T9 T8 T7 T6 T5 T4 T3 T2 SK", ""]),
        ("taken[2]: SK is also in hands[3]",),
    ),
    # Hands
    (
        "short hand",
        but(EXERCISE, hands=["T5 SK", "T7", "T9 SN", "T11 SJ"]),
        ("hands[1]: 1 card, expected 2",),
    ),
    (
        "long hand",
        but(EXERCISE, hands=["T5 SK", "T7 SQ", "T9 SN", "T11 SJ H4"]),
        ("hands[3]: 3 cards, expected 2",),
    ),
    (
        "not played",
        but(EXERCISE, leader=2, trick="H4"),
        ("hands[2]: 2 cards, expected 1", "when the trick began"),
    ),
    (
        "13 cards",
        but(EXERCISE, hands=hands(DREIER, s0="H2 " + DREIER["hands"][0])),
        ("hands[0]: 13 cards", "12 each"),
    ),
    (
        "17 cards",
        but(SOLO_TRI, "talon", "discards", hands=[SOLO_TRI["hands"][0] + " CK", "", ""]),
        ("hands[0]: 17 cards", "16 each"),
    ),
    (
        "full trick",
        but(EXERCISE, hands=["T5", "T7", "T9", "T11"], leader=0, trick="SK SQ SN SJ"),
        ("trick: 4 cards", "at most 3", "taken"),
    ),
    (
        "no trick left",
        but(EXERCISE, hands=[""] * 4, leader=0, trick="SK"),
        ("trick: 1 card", "no trick is left"),
    ),
    ("last hand", but(EXERCISE, hands=["", "T1", "", ""]), ("hands[1]: 1 card, expected none",)),
    # Straw men
    ("no straw", but(EXERCISE, straw=[["T1"], [], [], []]), ("straw: dreier has no straw men",)),
    (
        "four stacks",
        but(SCARECROW, straw=[["T11", "T13", "T15", "T17"], []]),
        ("straw[0]: 4 stacks", "at most 3"),
    ),
    (
        "five in a stack",
        but(SCARECROW, straw=[["T11 T12 T13 T14 T15"], []]),
        ("straw[0][0]: 5 cards", "expected 4"),
    ),
    (
        "a later stack begun",
        but(
            SCARECROW,
            straw=[
                ["T11 CK CQ C9", "T13 T15 T17 HA", "T19 DA D4 C7"],
                ["T12 CN CJ C8", "T14 T16 T18", "H4 T20 T21 T22"],
            ],
            hands=hands(SCARECROW, s1=SCARECROW["hands"][1] + " C10"),
        ),
        ("straw[1][1]: 3 cards", "expected 4"),
    ),
    # The pack and the talon
    (
        "51 cards",
        but(DREIER, discards=[""] * 4),
        ("talon: given", "only 51 of the 54", "without H2 HQ D3"),
    ),
    (
        "many absent",
        but(EXERCISE, talon="H4 H3"),
        ("talon: given", "only 10 of the 54", "T1 T2 T3 T4 T6 …"),
    ),
    (
        "53 cards",
        but(played(DREIER, 3), talon="CJ T11"),
        ("taken: given", "only 53 of the 54", "without S9"),
    ),
    (
        "discards of an exercise",
        but(EXERCISE, discards=["H4 H3 H2", "", "", ""]),
        ("discards: given", "only 11"),
    ),
    (
        "who lays away",
        but(DREIER, declarer=2),
        ("discards[2]: 0 cards, expected 3",),
    ),
    (
        "how many",
        but(DREIER, talon="CJ T11 S9 HQ", discards=["", "", "", "H2 D3"]),
        ("discards[3]: 2 cards, expected 3",),
    ),
    (
        "nobody exchanges",
        but(DREIER, contract="solodreier"),
        ("discards[3]: 3 cards, expected 0",),
    ),
    (
        "four, one and one",
        but(
            DREIER,
            variant="czech",
            contract="first_duty",
            talon="",
            discards=["", "CJ S9", "", "HQ H2 D3 T11"],
        ),
        ("discards[0]: 0 cards, expected 1",),
    ),
    (
        "second pickings without the option",
        but(
            SOLO_TRI,
            variant="house",
            contract="partnered_two",
            declarer=0,
            partner=1,
            talon="C9",
            discards=["SN SJ", "", "S8 T11 S10"],
        ),
        ("discards[2]: 3 cards, expected 0",),
    ),
    (
        "second pickings of the partner",
        but(
            SOLO_TRI,
            variant="house",
            contract="partnered_two",
            declarer=0,
            partner=2,
            talon="C9",
            discards=["SN SJ", "", "S8 T11 S10"],
            options={"second_pickings": True},
        ),
        ("discards[2]: 3 cards, expected 0",),
    ),
    (
        "klop talon",
        but(
            played(TRISCHAKEN, 3),
            "history",
            talon="HQ H2",
            taken=["D3", *played(TRISCHAKEN, 3)["taken"][1:]],
        ),
        ("talon: 2 cards, expected 3", "3 of 6 were given to tricks"),
    ),
    (
        "talon where cards were taken",
        but(
            played(DREIER, 3),
            "history",
            talon="CJ T11",
            taken=["S9", "", played(DREIER, 3)["taken"][2], ""],
        ),
        ("talon: 2 cards, expected 3", "3 of 6 were exchanged"),
    ),
    # Tricks won
    (
        "no whole tricks",
        but(
            played(DREIER, 3),
            "history",
            taken=["T15", "", "T14 T10 T9 T8 T7 T6 T5 T4 T3 T2 T1", ""],
        ),
        ("taken[0]: 1 card", "whole tricks of 4"),
    ),
    ("negative", but(EXERCISE, leader=0, tricks_won=[1, -1, 0, 0]), ("tricks_won[1]: -1",)),
    (
        "too many",
        but(EXERCISE, leader=0, tricks_won=[4, 4, 2, 1]),
        ("tricks_won: 11 tricks", "expected 10"),
    ),
    (
        "too few",
        but(played(DREIER, 3), tricks_won=[0, 0, 2, 0]),
        ("tricks_won: 2 tricks", "expected 3"),
    ),
    (
        "somebody else's",
        but(played(DREIER, 3), tricks_won=[0, 1, 2, 0]),
        ("taken[1]: 0 cards, expected 4",),
    ),
    (
        "required",
        but(played(TRISCHAKEN, 3), "tricks_won"),
        ("tricks_won: left out, but required in trischaken",),
    ),
    (
        "klop, six tricks",
        but(played(TRISCHAKEN, 3), "history", tricks_won=[1, 0, 1, 1]),
        ("taken[0]: 0 cards, expected 5",),
    ),
    (
        "klop, later tricks",
        but(played(TRISCHAKEN, 8), "history", tricks_won=[3, 1, 1, 3]),
        ("taken[0]: 10 cards, expected 13 to 15",),
    ),
    # Leader and history
    ("past leader", but(played(DREIER, 3), "leader"), ("leader: missing", "taken is not empty")),
    (
        "trick leader",
        but(EXERCISE, hands=["SK", "T7 SQ", "T9 SN", "T11 SJ"], trick="T5"),
        ("leader: missing", "trick is not empty"),
    ),
    (
        "pagat led",
        but(EXERCISE, hands=["SK", "T7 SQ", "T9 SN", "T11 SJ"], trick="T1"),
        ("leader: missing", "trick is not empty"),
    ),
    (
        "won leader",
        but(EXERCISE, tricks_won=[0, 0, 0, 1]),
        ("leader: missing", "tricks_won is not empty"),
    ),
    (
        "history leader",
        but(EXERCISE, history=[{"leader": 0, "cards": "H4 H3 H2 HA"}]),
        ("leader: missing", "history is not empty"),
    ),
    (
        "wrong leader",
        but(played(DREIER, 3), leader=1),
        ("leader: 1, expected 2", "last trick of history"),
    ),
    (
        "short history",
        but(played(DREIER, 3), history=played(DREIER, 3)["history"][:2]),
        ("history: 2 tricks, expected 3",),
    ),
    (
        "history of cards to come",
        but(EXERCISE, leader=0, history=[{"leader": 0, "cards": "H4 H3 T9 HA"}]),
        ("history[0].cards: T9 is also in hands[2]",),
    ),
    (
        "history of three cards",
        but(EXERCISE, leader=0, history=[{"leader": 0, "cards": "H4 H3 H2"}]),
        ("history[0].cards: 3 cards, expected 4",),
    ),
    (
        "history leader seat",
        but(EXERCISE, leader=0, history=[{"leader": 4, "cards": "H4 H3 H2 HA"}]),
        ("history[0].leader: there is no seat 4",),
    ),
    (
        "history twice",
        but(EXERCISE, leader=3, history=[{"leader": 0, "cards": "H4 H3 H2 HA"}] * 2),
        ("history[1].cards: H4 is also in history[0].cards",),
    ),
    (
        "winner does not lead",
        but(
            EXERCISE,
            leader=0,
            history=[{"leader": 0, "cards": "H4 H3 H2 HA"}, {"leader": 0, "cards": "D4 D3 D2 DA"}],
        ),
        ("history[1].leader: 0, expected 3",),
    ),
    (
        "winner does not lead in Scarecrow",
        but(
            SCARECROW,
            "straw",
            hands=["T5", "T7"],
            leader=0,
            tricks_won=[1, 1],
            history=[{"leader": 0, "cards": "H3 H4"}, {"leader": 0, "cards": "D4 DA"}],
        ),
        ("history[1].leader: 0, expected 1",),
    ),
    (
        "the Fool led too early",
        but(
            SOLO_TRI,
            variant="house",
            contract="solo_three",
            leader=2,
            trick="T22",
            hands=hands(SOLO_TRI, s2=SOLO_TRI["hands"][2].replace("T22 ", "")),
        ),
        ("trick: T22 of seat 2 breaks the rules", "the Fool may not be led"),
    ),
    (
        "history breaks a rule",
        but(EXERCISE, leader=0, history=[{"leader": 0, "cards": "S10 D3 S9 S8"}]),
        ("history[0].cards: D3 of seat 1 breaks the rules", "must follow spades"),
    ),
    (
        "taken by another",
        but(
            played(DREIER, 3),
            taken=["", "T15 T14 T9 T8", "T10 T7 T6 T5 T4 T3 T2 T1", ""],
            tricks_won=[0, 1, 2, 0],
        ),
        ("taken[1]: T8 was won by another seat",),
    ),
    (
        "klop, talon card of another",
        but(
            played(TRISCHAKEN, 8),
            taken=[
                "T22 T20 T19 T18 T17 S10 S7 HQ H3",
                *played(TRISCHAKEN, 8)["taken"][1:3],
                played(TRISCHAKEN, 8)["taken"][3] + " D3",
            ],
        ),
        ("taken[0]: 9 cards, expected 10", "history"),
    ),
    (
        "won by another",
        but(
            EXERCISE,
            leader=3,
            tricks_won=[1, 0, 0, 0],
            history=[{"leader": 0, "cards": "H4 H3 H2 HA"}],
        ),
        ("tricks_won[3]: 0", "has won 1"),
    ),
    (
        "not followed",
        but(EXERCISE, hands=["T5", "SQ", "T9 SN", "T11 SJ"], leader=0, trick="SK T7"),
        ("trick: T7 of seat 1 breaks the rules", "must follow spades"),
    ),
    (
        "not trumped",
        but(EXERCISE, hands=["T5", "T7", "T9 SN", "T11 SJ"], leader=0, trick="SK H4"),
        ("trick: H4 of seat 1 breaks the rules", "must play a trump"),
    ),
    # Level, announcements, doubling, options
    ("no levels", but(DREIER, level=2), ("level: 2", "dreier has no levels")),
    (
        "level 4",
        but(EXERCISE, variant="czech", contract="trojka", level=4),
        ("level: 4", "expected 1 to 3"),
    ),
    (
        "level 0",
        but(EXERCISE, variant="texas", contract="prever", level=0),
        ("level: 0", "expected 1 to 3"),
    ),
    (
        "announcer",
        but(DREIER, announced=[{"seat": 4, "bonus": "pagat"}]),
        ("announced[0].seat: there is no seat 4",),
    ),
    (
        "no such bonus",
        but(DREIER, announced=[{"seat": 0, "bonus": "trula"}]),
        ("announced[0]: 'trula' cannot be announced in dreier", "pagat, uhu, kakadu, quapil"),
    ),
    (
        "no king to end with",
        but(DREIER, announced=[{"seat": 0, "bonus": "king_ultimo"}]),
        ("announced[0]: 'king_ultimo' cannot be announced in dreier",),
    ),
    (
        "no high Fool beside a Mond that lifts it",
        {
            "variant": "house",
            "contract": "no_peek",
            "hands": ["T22", "T2", "T3", "T4"],
            "announced": [{"seat": 0, "bonus": "fool_high"}],
        },
        ("announced[0]: 'fool_high'", "no_peek"),
    ),
    (
        "nothing to announce",
        but(TRISCHAKEN, announced=[{"seat": 0, "bonus": "valat"}]),
        ("announced[0]: 'valat'", "nothing can"),
    ),
    (
        "announced twice",
        but(DREIER, announced=[{"seat": 3, "bonus": "trull"}, {"seat": 1, "bonus": "trull"}]),
        ("announced[1]: trull is announced already",),
    ),
    (
        "the declarer's bird",
        but(RUFER, contract="pagatrufer", announced=[{"seat": 1, "bonus": "pagat"}]),
        ("announced[0]: seat 1", "by the declarer, seat 0"),
    ),
    (
        "not the holder",
        but(SOLO_TRI, announced=[{"seat": 2, "bonus": "pagat"}]),
        ("announced[0]: seat 2", "holder of T1", "hands[1]"),
    ),
    (
        "not the declaring side",
        but(SOLO_TRI, announced=[{"seat": 1, "bonus": "valat"}]),
        ("announced[0]: seat 1", "declaring side announces valat"),
    ),
    ("multiplier", but(DREIER, doubled={"game": 3}), ("doubled.game: 3", "1, 2, 4, 8")),
    ("16", but(DREIER, doubled={"kings": 16}), ("doubled.kings: 16", "1, 2, 4, 8")),
    ("zero", but(DREIER, doubled={"game": 0}), ("doubled.game: 0", "1, 2, 4, 8")),
    ("negative", but(DREIER, doubled={"game": -2}), ("doubled.game: -2", "1, 2, 4, 8")),
    (
        "in House Rules",
        but(EXERCISE, variant="house", contract="solo_one", doubled={"game": 6}),
        ("doubled.game: 6", "a power of two"),
    ),
    (
        "the game only",
        but(EXERCISE, variant="house", contract="solo_one", doubled={"pagat": 2}),
        ("doubled.pagat: cannot be doubled in solo_one", "expected game"),
    ),
    ("stake", but(DREIER, doubled={"pgat": 2}), ("doubled.pgat: cannot be doubled", "pagat")),
    ("never", but(TRISCHAKEN, doubled={"game": 2}), ("doubled: trischaken cannot be doubled",)),
    (
        "zebrak",
        but(EXERCISE, variant="texas", contract="zebrak", doubled={"game": 2}),
        ("doubled: zebrak cannot be doubled",),
    ),
    ("by seat", but(DREIER, doubled={"game": [2, 2]}), ("doubled.game: 2 entries", "expected 4")),
    (
        "by seat, multiplier",
        but(DREIER, doubled={"game": [1, 2, 5, 1]}),
        ("doubled.game: 5 is no multiplier",),
    ),
    ("bonus by seat", but(DREIER, doubled={"pagat": [1, 2, 1, 1]}), ("doubled.pagat: a list",)),
    ("partners", but(RUFER, doubled={"game": [1, 2, 1, 1]}), ("doubled.game: a list",)),
    (
        "near option",
        but(SOLO_TRI, options={"radlci": [0]}),
        ("options: Tarok (Slovenia) has no option 'radlci'", "'radlc'"),
    ),
    (
        "another book's option",
        but(DREIER, options={"emperor": True}),
        ("options: Königrufen (Austria) has no option 'emperor'", "Taroky (Texas)"),
    ),
    (
        "no option",
        but(DREIER, options={"speed": 1}),
        ("options: ", "no option 'speed'", "it has none"),
    ),
    (
        "switch",
        but(EXERCISE, variant="texas", contract="prever", options={"emperor": 1}),
        ("options.emperor", "true or false"),
    ),
    ("radlc", but(SOLO_TRI, options={"radlc": 1}), ("options.radlc", "0 to 2")),
    ("radlc seat", but(SOLO_TRI, options={"radlc": [3]}), ("options.radlc", "0 to 2")),
    ("radlc bool", but(SOLO_TRI, options={"radlc": [True]}), ("options.radlc", "0 to 2")),
    ("radlc twice", but(SOLO_TRI, options={"radlc": [1, 1]}), ("options.radlc", "different")),
    ("radlc nested", but(SOLO_TRI, options={"radlc": [[1]]}), ("options.radlc", "0 to 2")),
]


@pytest.mark.parametrize(
    ("data", "words"), [pytest.param(data, words, id=name) for name, data, words in REFUSED]
)
def test_a_fault_is_named_in_one_sentence(data: object, words: tuple[str, ...]) -> None:
    sentence = error(data)
    assert sentence.startswith(words[0])
    assert [word for word in words if word not in sentence] == []
    assert "\n" not in sentence
    assert len(sentence) < 300


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        ({"hands": (1 << 54, 0, 0, 0)}, "hands[0]: not a set of the 54 cards"),
        ({"hands": (0, -1, 0, 0)}, "hands[1]: not a set of the 54 cards"),
        ({"trick": (54,)}, "trick: there is no card number 54"),
        ({"talon": (-1,)}, "talon: there is no card number -1"),
    ],
)
def test_numbers_that_are_no_cards_are_refused(spoilt: Json, words: str) -> None:
    sound: Json = {"variant": "czech", "contract": "solo", "hands": (1, 2, 4, 8)}
    assert Position(**sound).hands == (1, 2, 4, 8)
    with pytest.raises(PositionError) as caught:
        Position(**sound | spoilt)
    assert str(caught.value).startswith(words)


# --- Round trips ---


@given(st.sampled_from(TABLES), st.integers(1, 5), st.integers(0, 2**32))
@settings(max_examples=300, deadline=None)
def test_writing_and_reading_gives_the_same_position(
    table: tuple[str, str, int], tricks: int, seed: int
) -> None:
    position = random_ending(random.Random(seed), *table, tricks)
    written = position_to_dict(position)
    read = parse_position(json.loads(json.dumps(written)))
    assert read == position
    assert position_to_dict(read) == written


@pytest.mark.parametrize("data", FIXED)
def test_the_canonical_form_leaves_out_what_is_understood(data: Json) -> None:
    written = position_to_dict(parse_position(data))
    for key in set(written) - {"variant", "contract", "hands"}:
        try:
            same = parse_position(but(written, key)) == parse_position(data)
        except PositionError:
            same = False
        assert not same, f"{key} could be left out"


def test_the_canonical_form_sorts_and_names_the_cards() -> None:
    position = parse_position(but(EXERCISE, hands=["♠k v", "sq,t7", "T9 SN", "T11 SJ"], leader=0))
    assert position_to_dict(position) == EXERCISE


# --- Whatever comes ---

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "T1", "SK H4", "pagat", "game", "radlc", "T1 T1", "klop", "texas"])
    | st.text(max_size=5)
)
anything = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.sampled_from(["leader", "cards", "seat", "bonus", "game", "radlc", "emperor"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)
FIELDS = [field.name for field in fields(Position) if field.name != "extra"]


@given(
    st.sampled_from(FIXED),
    st.dictionaries(st.sampled_from([*FIELDS, "x_any", "other"]), anything, max_size=3),
)
@settings(max_examples=500, deadline=None)
def test_a_spoilt_position_is_refused_or_read_but_never_crashes(data: Json, spoilt: Json) -> None:
    (item,) = read_positions([json.dumps(data | spoilt)])
    if isinstance(item, Position):
        assert parse_position(position_to_dict(item)) == item
    else:
        assert item.error
        assert item.id == (data | spoilt).get("id")


@given(st.sampled_from(FIXED), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_a_card_moved_to_another_seat_is_refused(data: Json, chance: random.Random) -> None:
    moved = json.loads(json.dumps(data))
    key = chance.choice([key for key in ("hands", "taken") if any(data.get(key, ()))])
    source = chance.choice([seat for seat, cards in enumerate(data[key]) if cards])
    target = chance.choice([seat for seat in range(len(data[key])) if seat != source])
    card = chance.choice(data[key][source].split())
    moved[key][source] = " ".join(name for name in data[key][source].split() if name != card)
    moved[key][target] += f" {card}"
    (item,) = read_positions([json.dumps(moved)])
    assert isinstance(item, Rejected)
    assert item.error.startswith(f"{key}[")


@given(st.lists(st.binary(max_size=30) | st.sampled_from([b"{", b"}", b'{"a": [', b"]", b'"x"'])))
@settings(max_examples=300, deadline=None)
def test_bytes_are_answered_whatever_they_are(lines: list[bytes]) -> None:
    items = list(read_positions(io.BytesIO(b"\n".join(lines))))
    assert items
    assert all(isinstance(item, Rejected) and item.error for item in items)


# --- Streams ---


def lines_of(*items: object, indent: int | None = None) -> str:
    """Return items as JSON, one after the other; texts as they are."""
    texts = [item if isinstance(item, str) else json.dumps(item, indent=indent) for item in items]
    return "\n".join(texts) + "\n"


def ids(text: str | bytes) -> list[object]:
    """Return the ids of the positions of a stream, and the sentences about what is none."""
    stream = io.BytesIO(text) if isinstance(text, bytes) else io.StringIO(text)
    return [
        item.error if isinstance(item, Rejected) else item.id for item in read_positions(stream)
    ]


A, B, C = (but(EXERCISE, id=name) for name in "ABC")


@pytest.mark.parametrize("indent", [None, 0, 1, 4])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n \n"])
def test_one_object_or_several_are_read_on_any_number_of_lines(
    indent: int | None, end: str
) -> None:
    text = lines_of(A, but(played(DREIER, 4), id=1, comment="{[\"'}"), B, indent=indent)
    assert ids(text.replace("\n", end)) == ["A", 1, "B"]


def test_a_byte_order_mark_and_a_missing_last_newline_do_not_matter() -> None:
    assert ids(b"\xef\xbb\xbf" + json.dumps(A).encode()) == ["A"]
    assert ids("\ufeff" + lines_of(A, B).strip()) == ["A", "B"]


FAULTY_LINES = [
    ('{"variant": "texas", "hands": ["T1"}', "line 2, column 36: no JSON: Expecting ','"),
    ('{"variant": "texas", ', "line 2: the JSON object is not finished"),
    ('{"variant": "texas", "hands": ["T1",', "line 2: the JSON object is not finished"),
    ('{"variant": "texas", "hand', "line 2, column 22: no JSON: "),
    ('{"variant": ', "line 2: the JSON object is not finished"),
    ("{", "line 2: the JSON object is not finished"),
    ("[", "line 2: the JSON object is not finished"),
    ("nonsense", "line 2: expected a JSON object, a deal string or Taroky Notation"),
    ("}", "line 2: expected a JSON object, a deal string or Taroky Notation"),
    ("[1, 2]", "line 2: a list, expected a JSON object"),
    ("null", "line 2: null, expected a JSON object"),
    ('"T1"', 'line 2: "T1", expected a JSON object'),
    ("1" * 5000, "line 2: "),
    ("[" * 100_000, "line 2: lists and objects nested too deeply"),
    ('{"a":' * 60 + "1" + "}" * 60, "line 2: lists and objects nested too deeply"),
    (json.dumps(A) + json.dumps(B), "line 2, column 108: no JSON: Extra data"),
    (json.dumps(A) + ",", "line 2, column 108: no JSON: Extra data"),
    ('{"id": NaN}', "NaN is no number"),
    ('{"id": -Infinity}', "-Infinity is no number"),
    ('{"id": 1e999}', "1e999 is no number"),
    ('{"id": ' + "9" * 5000 + "}", "a number of 5000 digits is too long"),
    ('{"id": "\\ud800"}', "a text contains half of a surrogate pair"),
    ('{"hands": [], "hands": []}', '"hands" appears twice in one object'),
    ('{"x_a": {"b": 1, "b": 2}}', '"b" appears twice in one object'),
    ("{}", "variant: missing"),
]


@pytest.mark.parametrize(("line", "words"), FAULTY_LINES, ids=range(len(FAULTY_LINES)))
def test_a_faulty_line_is_answered_and_the_next_ones_are_read(line: str, words: str) -> None:
    first, fault, *rest = ids(lines_of(A, line, B, C))
    assert (first, rest) == ("A", ["B", "C"])
    assert str(fault).startswith(words)
    assert "\n" not in str(fault)
    assert len(str(fault)) < 200


def test_a_line_that_is_not_utf8_is_answered_and_the_next_ones_are_read() -> None:
    text = json.dumps(A).encode() + b'\n{"variant": "\xff"}\n' + json.dumps(B).encode()
    assert ids(text) == ["A", "line 2: not UTF-8", "B"]
    file = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8")
    assert [item.id for item in read_positions(file)] == ["A", None, "B"]


def test_a_fault_in_a_printed_object_is_one_fault() -> None:
    printed = json.dumps(played(DREIER, 2), indent=2)
    spoilt = printed.replace('"talon":', '"talon"')
    assert spoilt != printed
    fault, rest = ids(lines_of(spoilt, A))
    assert rest == "A"
    assert "no JSON: Expecting ':' delimiter" in str(fault)


@pytest.mark.parametrize("lines", [1, 2, 5, 11])
def test_a_printed_object_that_ends_too_early_does_not_swallow_the_next(lines: int) -> None:
    printed = json.dumps(DREIER, indent=2).splitlines()[:lines]
    fault, *rest = ids(lines_of("\n".join(printed), A, B))
    assert rest == ["A", "B"]
    assert str(fault).startswith("line ")
    assert ids("\n".join(printed)) == [f"line {lines}: the JSON object is not finished"]


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n", "\ufeff"])
def test_an_empty_stream_is_a_fault(text: str) -> None:
    assert ids(text) == ["empty input, expected a JSON object, or one JSON object a line"]


def test_every_fault_carries_what_is_copied_to_the_answer() -> None:
    faulty = but(A, q=1, comment="c", x_a=[1])
    for text in (json.dumps(faulty), json.dumps(faulty)[:-1] + ', "q": 2}'):
        (item,) = read_positions([text])
        assert isinstance(item, Rejected)
        assert (item.id, item.comment, item.extra) == ("A", "c", {"x_a": [1]})


@pytest.mark.parametrize("indent", [None, 2])
def test_a_pipe_that_never_ends_is_answered_as_it_comes(indent: int | None) -> None:
    read: list[int] = []

    def pipe() -> Iterator[str]:
        number = 0
        while True:
            yield from lines_of(but(EXERCISE, id=number), indent=indent).splitlines(True)
            number += 1
            read.append(number)

    positions = read_positions(pipe())
    for number in range(50):
        assert next(positions).id == number
        # Nothing of the next position was asked for before this one was answered.
        assert len(read) == number


def test_a_faulty_line_is_answered_before_the_next_one_comes() -> None:
    waiting = iter(['{"variant": "texas", "hands": ["T1"}\n'])

    def pipe() -> Iterator[str]:
        yield from waiting
        raise AssertionError("asked for another line first")

    first = next(read_positions(pipe()))
    assert isinstance(first, Rejected)
    assert first.error.startswith("line 1, column 36: no JSON")


def test_a_long_unfinished_object_is_given_up() -> None:
    def pipe() -> Iterator[str]:
        yield '{"hands": ['
        while True:
            yield ' "T1",'

    first = next(read_positions(pipe()))
    assert isinstance(first, Rejected)
    assert first.error.startswith("line 1000: ")
