"""Deal strings: there and back again, as people type them, and what a fault is answered."""

from __future__ import annotations

import json
import random
import re
import shlex
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import REPOSITORY, trull
from deals import DREIER, RUFER, SCARECROW, SOLO_TRI, TRISCHAKEN, played
from endings import random_ending
from trull.solver.cards import CardError, format_cards, parse_cards
from trull.solver.dealstring import format_deal, format_holding, parse_deal, parse_holding
from trull.solver.interchange import (
    Rejected,
    format_text,
    parse_position,
    parse_text,
    position_to_dict,
    read_positions,
)
from trull.solver.position import Position
from trull.solver.rulebooks import every_contract
from trull.solver.validation import PositionError

GAMES = [
    pytest.param(book.name, record.name, players, id=f"{record.name}-{players}")
    for book, record in every_contract()
    for players in record.values
    if players > 2
]
NOTES = (REPOSITORY / "docs" / "notation.md").read_text(encoding="utf-8")


def there_and_back(position: Position) -> str:
    """Return the deal string of a position, which must read as the same position."""
    text = format_text(position, "deal")
    assert "\n" not in text
    read = parse_text(text)
    assert read == position
    assert format_text(read, "deal") == text
    return text


# --- Round trips ---


@pytest.mark.parametrize(("variant", "contract", "players"), GAMES)
def test_every_contract_goes_there_and_back(variant: str, contract: str, players: int) -> None:
    rng = random.Random(f"{contract} {players}")
    for tricks in (12, 5, 1):
        there_and_back(random_ending(rng, variant, contract, players, tricks))


@pytest.mark.parametrize(
    "data",
    [
        DREIER,
        RUFER,
        played(RUFER, 5),
        played(RUFER, 12),
        played(TRISCHAKEN, 3),
        SOLO_TRI,
        SCARECROW,
        {**SCARECROW, "declarer": None},
        {"variant": "slovenian", "contract": "klop", "hands": ["T1", "S8", "H4", "D2"],
         "options": {"radlc": [0, 2], "declarer_leads_negative": False}},
        {"variant": "slovenian", "contract": "klop", "hands": ["T1", "S8", "H4", "D2"],
         "options": {"radlc": []}},
        {"variant": "koenigrufen", "contract": "bettler", "hands": ["T1", "S8", "H4", "D2"],
         "doubled": {"game": [1, 2, 1, 4]}},
        {**RUFER, "announced": [{"seat": 2, "bonus": "king_ultimo"}, {"seat": 0, "bonus": "kings"}],
         "doubled": {"game": 2, "king_ultimo": 4}},
        {"variant": "koenigrufen", "contract": "dreier", "hands": ["", "", "", ""], "history": [],
         "leader": 1},
    ],
)  # fmt: skip
def test_every_key_goes_there_and_back(data: dict[str, Any]) -> None:
    there_and_back(parse_position(data))


ANYTHING = st.recursive(
    st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    | st.sampled_from(["7", "true", "null", "a b", "#1", "=", "a#b", "", " x", "a\u2028b", "-"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text("ab \n", max_size=3), inner),
    max_leaves=5,
)  # fmt: skip


@given(ANYTHING, ANYTHING, ANYTHING)
@settings(max_examples=100, deadline=None)
def test_what_is_copied_to_the_answer_goes_there_and_back(
    name: object, comment: object, extra: object
) -> None:
    ending = {"variant": "czech", "contract": "solo", "hands": ["T1", "S8", "H4", "D2"]}
    data = {**ending, "id": name, "comment": comment, "x_note": extra}
    there_and_back(parse_position(data))


def test_a_key_that_is_no_word_is_refused() -> None:
    ending = parse_position({**DREIER, "x_a b": 1})
    with pytest.raises(PositionError, match="x_a b: cannot stand in a deal string"):
        format_text(ending, "deal")


@given(st.permutations(range(54)), st.integers(0, 54))
@settings(max_examples=100, deadline=None)
def test_cards_keep_their_order(pack: list[int], number: int) -> None:
    cards = tuple(pack[:number])
    text = format_holding(cards)
    assert (parse_holding(text) if cards else ()) == cards
    assert parse_holding(text.lower().replace(".", "")) == cards if cards else text == "-"


# --- Reading ---


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("T22,21,7.SK109.HA.DN2.CQ7", "T22 T21 T7 SK S10 S9 HA DN D2 CQ C7"),
        ("t22,21sk109", "T22 T21 SK S10 S9"),
        ("T5SKT6", "T5 SK T6"),
        ("T5.SK.T6", "T5 SK T6"),
        ("T5, T6 SK, SQ", "T5 T6 SK SQ"),
        ("♠K10♥A4♦2♣J", "SK S10 HA H4 D2 CJ"),
        ("S1087", "S10 S8 S7"),
        ("S10,9", "S10 S9"),
        ("H234", "H2 H3 H4"),
    ],
)
def test_a_holding_may_be_written_in_many_ways(text: str, cards: str) -> None:
    assert format_cards(parse_holding(text)) == cards


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("22,21", "22 in '22,21': expected a suit letter before it"),
        ("T2221", "T2221: expected commas between trumps"),
        ("T23", "unknown card 'T23'"),
        ("T0", "unknown card 'T0'"),
        ("SA", "unknown card 'SA': that suit has SK SQ SN SJ S10"),
        ("H10", "unknown card 'H10': that suit has HK"),
        ("S101", "unknown card 'S1'"),
        ("TK", "unknown card 'TK'"),
        ("T.SK", "T stands without a card in 'T.SK'"),
        ("T5S", "S stands without a card"),
        ("SK.T5.SK", "card SK appears twice"),
        ("Sé", "unknown card 'SÉ'"),
        ("T5-6", "unknown card 'T-'"),
    ],
)
def test_a_faulty_holding_is_named(text: str, words: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_holding(text)
    assert str(caught.value).startswith(words)


def test_a_deal_as_people_type_it() -> None:
    deal = parse_text(
        "Koenigrufen:rufer called=HK  T3,6,8,12,18,22.S8.H4.DKQ4.C10 T1,7,9,13,19SQJ10HNDN2C8 "
        "T4,10,15.SN7.HKJA3.DJ.CK9 t2,5,14,16,17,20,21skdacqn7 talon=CJ.T11.S9 "
        "discards=0:HQ2.D3   # the emperor sleeps"
    )
    assert position_to_dict(replace(deal, comment=None)) == position_to_dict(
        parse_position({**RUFER, "hands": [
            "T22 T18 T12 T8 T6 T3 S8 H4 DK DQ D4 C10", "T19 T13 T9 T7 T1 SQ SJ S10 HN DN D2 C8",
            "T15 T10 T4 SN S7 HK HJ HA H3 DJ CK C9", "T21 T20 T17 T16 T14 T5 T2 SK DA CQ CN C7"]})
    )  # fmt: skip
    assert deal.comment == "the emperor sleeps"
    assert (deal.declarer, deal.partner) == (0, 2)


@pytest.mark.parametrize(
    ("text", "partner"),
    [
        ("koenigrufen:rufer called=HK T5 HK T7 T8", 1),
        ("koenigrufen:rufer@2 called=HK HQ S8 T7 - leader=3 trick=HK", 3),
        ("koenigrufen:rufer called=HK T6 T5 T7 T8", None),
        ("koenigrufen:rufer@0+3 called=HK T6 T5 T7 T8", 3),
        ("czech:first_duty called=T19 T19 T5 T7 T8", None),
    ],
)
def test_the_partner_holds_the_called_card(text: str, partner: int | None) -> None:
    assert parse_text(text).partner == partner


ENDING = "koenigrufen:dreier@1 T22.SK T21.SQ T5.S8 T2.C7"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("koenigrufen:dreier@x T1", "'koenigrufen:dreier@x': expected variant:contract@declarer"),
        ("koenigrufen: T1", "'koenigrufen:': expected variant:contract"),
        ("koenigrufn:dreier T1 T2 T3 T4", "variant: unknown variant 'koenigrufn'"),
        ("koenigrufen:dreyer T1 T2 T3 T4", "contract: Königrufen (Austria) has no contract"),
        ("koenigrufen:dreier", "hands: 0 of them"),
        ("koenigrufen:dreier@1 T22.SK T21.SQ T5.S8 T2.C6", "hands[3]: unknown card 'C6'"),
        ("koenigrufen:dreier@1 T22.SK T21.SQ T5.S8 T2", "hands[3]: 1 card, expected 2"),
        ("koenigrufen:dreier@1 T22.SK T21.SQ T5.S8 T22.C7", "hands[3]: T22 is also in hands[0]"),
        ("koenigrufen:dreier@7 T22.SK T21.SQ T5.S8 T2.C7", "declarer: there is no seat 7"),
        (f"{ENDING} trik=T5", "unknown key \"trik\", did you mean 'trick'?"),
        (f"{ENDING} declarer=2", 'unknown key "declarer"'),
        (f"{ENDING} leader=1 leader=2", "leader: given twice"),
        (f"{ENDING} leader=x", "leader: 'x', expected a whole number"),
        (f"{ENDING} trick=T5,X", "trick: unknown card 'TX'"),
        (f"{ENDING} trick=T6", "leader: missing, but required as trick is not empty"),
        (f"{ENDING} called=", "called: 0 cards, expected one"),
        (f"{ENDING} discards=HQ2", "discards: 'HQ2', expected seat:cards, such as 0:HQ2.D3"),
        (f"{ENDING} discards=4:HQ2", "discards: there is no seat 4, expected one of the 4"),
        (f"{ENDING} discards=1:HQ/1:H2", "discards: seat 1 is given twice"),
        (f"{ENDING} discards=1:HQ0", "discards[1]: unknown card 'H0'"),
        (f"{ENDING} leader=0 history=0:T1.T3", "history[0].cards: 2 cards, expected 4"),
        (f"{ENDING} history=0", "history: '0', expected leader:cards"),
        (f"{ENDING} leader=1 tricks_won=1,x,0,0", "tricks_won[1]: 'x', expected a whole number"),
        (f"{ENDING} announced=pagat", "announced: 'pagat', expected seat:bonus, such as 0:pagat"),
        (f"{ENDING} announced=0:pgat", "announced[0]: 'pgat' cannot be announced"),
        (f"{ENDING} doubled=game", "doubled: 'game', expected stake:multiplier, such as game:2"),
        (f"{ENDING} doubled=game:3", "doubled.game: 3 is no multiplier"),
        (f"{ENDING} options=emperor", "options: Königrufen (Austria) has no option 'emperor'"),
        (f"{ENDING} straw=0:T1|T3", "straw: dreier has no straw men"),
        (f"{ENDING} id={{a", "id: '{a', expected a word, or JSON without blanks"),
        (f"{ENDING} comment=a # b", "comment: given twice"),
    ],
)
def test_a_fault_names_the_part_of_the_string(text: str, words: str) -> None:
    (item,) = read_positions([text])
    assert isinstance(item, Rejected)
    assert item.error.startswith(words)
    assert "\n" not in item.error


@given(st.text('koenigrufen:dreier@+-=/|#,.T1S9H4DCKQ {}[]"\n0', max_size=60), st.integers(0, 200))
@settings(max_examples=150, deadline=None)
def test_a_spoilt_string_is_refused_or_read_but_never_crashes(text: str, at: int) -> None:
    whole = format_text(parse_position(played(RUFER, 2)), "deal")
    for spoilt in (text, f"koenigrufen:dreier {text}", whole[:at] + text[:3] + whole[at:]):
        for item in read_positions(spoilt.splitlines(keepends=True)):
            assert isinstance(item, Position) or item.error


# --- Streams and commands ---


def test_deal_strings_stand_among_json() -> None:
    data = json.dumps({**position_to_dict(parse_text(ENDING)), "id": "json"}, indent=1)
    lines = [f"{ENDING} id=A", *data.splitlines(), f"  {ENDING} id=B # [{{", '{"variant": ',
             f"{ENDING} id=C", f'{{"id": "D", {data[1:]}', f"{ENDING} id=E"]  # fmt: skip
    items = list(read_positions(line + "\n" for line in lines))
    named = [item.error if isinstance(item, Rejected) else item.id for item in items]
    assert named[:3] == ["A", "json", "B"]
    assert named[3].startswith("line ")
    assert named[4] == "C"
    assert named[-1] == "E"


def test_a_line_that_is_not_utf8_is_refused() -> None:
    fault, ending = read_positions([b"koenigrufen:dreier \xff\n", ENDING.encode()])
    assert isinstance(fault, Rejected)
    assert fault.error == "line 1: not UTF-8"
    assert isinstance(ending, Position)


def test_a_deal_string_stands_in_the_place_of_a_file() -> None:
    done = trull("solve", "--json", f"{ENDING} id=7")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["id"], answer["pv"]) == (0, 7, "T22 T21 T5 T2 SK SQ S8 C7")
    fault = trull("solve", ENDING.replace("T2.", "T22."))
    assert fault.returncode == 2
    assert fault.stderr.endswith("trull: hands[3]: T22 is also in hands[0], expected it once\n")


def test_convert() -> None:
    lines = [json.dumps(DREIER), ENDING, "nonsense"]
    done = trull("convert", "-", "--to", "deal", stdin="\n".join(lines))
    assert done.returncode == 2
    assert done.stdout.splitlines() == [format_text(parse_position(DREIER), "deal"), ENDING]
    assert done.stderr == (
        "trull: standard input, line 3: expected a JSON object, a deal string or Taroky Notation\n"
    )
    back = trull("convert", "-", stdin=done.stdout)
    read = [parse_position(json.loads(line)) for line in back.stdout.splitlines()]
    assert read == [parse_position(DREIER), parse_text(ENDING)]


def test_convert_takes_what_it_is_told_it_is_given() -> None:
    done = trull("convert", "-", "--from", "deal", stdin='{"variant": "czech"}\n')
    (answer,) = (json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 2
    assert answer["error"].startswith("'{\"variant\":': expected variant:contract@declarer")


# --- Documentation ---


@pytest.mark.parametrize("text", re.findall(r"^[a-z]+:[a-z_]+[@ ].*$", NOTES, re.MULTILINE))
def test_the_documented_deals_are_canonical(text: str) -> None:
    assert format_deal(position_to_dict(parse_position(parse_deal(text)))) == text


@pytest.mark.parametrize(
    ("command", "shown"), re.findall(r"^\$ trull (.+)\n(.+)$", NOTES, re.MULTILINE)
)
def test_the_documented_sessions(command: str, shown: str) -> None:
    costs = r'"(nodes|ms)": [\d.]+'
    printed = trull(*shlex.split(command)).stdout
    assert re.sub(costs, "", printed) == re.sub(costs, "", shown) + "\n"


def test_holdings_are_read_like_card_names() -> None:
    assert parse_holding(DREIER["hands"][0]) == parse_cards(DREIER["hands"][0])
