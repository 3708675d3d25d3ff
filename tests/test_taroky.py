"""Taroky Notation: games go there and back, with all that a position has no place for."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import trull
from deals import DREIER
from trull.solver.api import solve
from trull.solver.cards import ALL_CARDS, from_mask, parse_cards, to_mask
from trull.solver.interchange import (
    Rejected,
    format_text,
    parse_position,
    parse_text,
    position_to_dict,
    read_positions,
)
from trull.solver.position import Announcement, Position, Trick
from trull.solver.referee import Referee
from trull.solver.validation import PositionError

DEALT = (
    "100/100/100/100/H1H2H3H4HJHRHQHKS1S2S3S4/SJSRSQSKD1D2D3D4DJDRDQDK/"
    "C1C2C3C4CJCRCQCKT01T02T03T04/T05T06T07T08T09T10T11T12T13T14T15T16/T17T18T19T20T21T22"
)
FRESH = f"{DEALT}/;pn=0"
"""The fresh deal that the notes on the notation show."""

TALON_DRAWN = f"{DEALT}/HJHRHQS1SJC1"
"""The same after the exchange: seat 0 laid away J N Q of hearts and S7, the next two SJ and C7."""

TRICK = "T20T21T01T054"


def game(*fields: str, settings: str = "ACEWINS=true;pn=0") -> str:
    """Return the game of `TALON_DRAWN` with further fields."""
    return "/".join([TALON_DRAWN, *fields, settings])


# --- Reading ---


def test_a_fresh_deal() -> None:
    position = parse_text(FRESH)
    assert position_to_dict(position) == {
        "variant": "texas",
        "contract": "povinost",
        "hands": [
            "S10 S9 S8 S7 HK HQ HN HJ HA H2 H3 H4",
            "SK SQ SN SJ DK DQ DN DJ DA D2 D3 D4",
            "T4 T3 T2 T1 CK CQ CN CJ C10 C9 C8 C7",
            "T16 T15 T14 T13 T12 T11 T10 T9 T8 T7 T6 T5",
        ],
        "talon": "T17 T18 T19 T20 T21 T22",
        "options": {"ace_low": True},
    }
    assert parse_text(format_text(position, "taroky")) == position


def test_a_game_in_full() -> None:
    text = game("T2R4", "9", "V4", "C2C1", "I3", "T20T21T22T164", settings="timeout=30;pn=2")
    with pytest.raises(PositionError, match="trick 1: won by player 4 as written, but player 3"):
        parse_text(text)
    position = parse_text(text.replace("T164", "T163"))
    assert position.contract == "povinost"
    assert (position.declarer, position.partner) == (0, None)
    assert position.called == parse_cards("T19")[0]
    assert set(position.announced) == {Announcement(3, "valat"), Announcement(2, "pagat")}
    assert position.doubled == {"game": 4}
    assert position.options == {"ace_low": True}
    assert position.history == (Trick(0, parse_cards("T20 T21 T22 T16")),)
    assert (position.leader, position.tricks_won) == (2, (0, 0, 1, 0))
    assert position.discards == tuple(
        to_mask(parse_cards(cards)) for cards in ("HJ HN HQ S7", "SJ", "C7", "")
    )
    assert position.extra == {
        "x_taroky": {
            "talon": "T17T18T19T20T21T22",
            "money": "T2R4",
            "settings": "timeout=30;pn=2",
        }
    }
    assert parse_text(format_text(position, "taroky")) == position


@pytest.mark.parametrize(("digit", "called"), [("8", "T18"), ("5", "T15")])
def test_the_partner_holds_the_partner_card(digit: str, called: str) -> None:
    position = parse_text(game(digit))
    assert position.called == parse_cards(called)[0]
    assert position.partner == (3 if called == "T15" else None)


@pytest.mark.parametrize(
    ("group", "level", "taken", "left"),
    [
        ("T", 1, "T17 T18 T19", "T20 T21 T22"),
        ("B", 2, "T20 T21 T22", "T17 T18 T19"),
        ("R", 3, "T17 T18 T19", "T20 T21 T22"),
    ],
)
def test_a_prever(group: str, level: int, taken: str, left: str) -> None:
    position = parse_text(f"{DEALT}/P2/{group}/D1D2D3/U1/7/;pn=1")
    assert (position.contract, position.declarer, position.level) == ("prever", 1, level)
    assert (position.talon, position.called, position.partner) == (parse_cards(left), None, None)
    assert to_mask(parse_cards(taken)) & ~position.hands[1] == 0
    assert position.extra["x_taroky"]["partner"] == "7"  # type: ignore[index]
    assert parse_text(format_text(position, "taroky")) == position


def test_a_prever_before_the_talon_is_taken_up() -> None:
    position = parse_text(f"{DEALT}/P4/;pn=0")
    assert (position.contract, position.declarer, len(position.talon)) == ("prever", 3, 6)
    assert format_text(position, "taroky").endswith("/P4/;pn=0")


def test_the_red_ace_is_lowest_unless_it_wins() -> None:
    for rule, best in (("ACEWINS=true", "HA"), ("aceHigh=true", "HA"), ("", "H4")):
        position = parse_text(game("9", settings=f"{rule};pn=0"))
        order = position.book.rank_order
        pips = parse_cards("HA H2 H3 H4")
        assert max(pips, key=lambda card: order[card]) == parse_cards(best)[0]


def test_the_search_ranks_the_red_ace_as_the_option_says() -> None:
    for option, points in (("", 4), ("options=ace_low", 0)):
        answer = solve(parse_text(f"texas:prever {option} HA H4 S8 C7"))
        assert answer.value == points


def test_options_of_the_rule_book_are_settings() -> None:
    position = parse_text(game("9", settings="emperor=true;lost_mond=false;x=1;pn=3"))
    assert position.options == {"ace_low": True, "emperor": True, "lost_mond": False}
    assert position.extra["x_taroky"]["settings"] == "x=1;pn=3"  # type: ignore[index]
    assert parse_text(format_text(position, "taroky")) == position


def test_the_ace_may_be_written_as_one() -> None:
    assert parse_text(FRESH.replace("H1", "HA")) == parse_text(FRESH)


FAULTS = [
    ("100/100/100", "3 fields, expected at least 10: four chips, four hands, the talon, the"),
    (FRESH.replace("100/", "1e2/", 1), "chips: '1e2', expected a whole number"),
    (FRESH.replace("H1H2", "H1"), "hand 1: 11 cards, expected 12"),
    (FRESH.replace("H1H2", "H1X2"), "hand 1: 'X' is no card, expected T01 to T22, or S H D C"),
    (FRESH.replace("H1H2", "H1H1"), "hand 1: H1 is twice"),
    (FRESH.replace("D1D2", "H1D2"), "hand 2: H1 is also in hand 1"),
    (FRESH.replace("T22", "T23"), "talon: 'T23' is no card"),
    (FRESH.replace("T21T22", "T21"), "talon: 5 cards, expected 6"),
    (FRESH.replace(";pn=0", "pn"), "settings: 'pn', expected NAME=value"),
    (FRESH.replace(";pn=0", "ACEWINS=maybe"), "settings: 'ACEWINS=maybe', expected true or false"),
    (f"{DEALT}/G2/;pn=0", "gifts: G2: a talon card was given to the declarer"),
    (f"{DEALT}/P1/GR2/;pn=0", "gifts: given, but in a prever nobody else gets talon cards"),
    (f"{DEALT}/T/;pn=0", "discards: missing, but required once talon cards are taken up"),
    (f"{DEALT}/T/D1D2D3/;pn=0", "'T': given, but nobody plays prever"),
    (f"{DEALT}/P1/D1D2D3/;pn=0", "prever: the talon group is missing"),
    (f"{DEALT}/P1/T/H1H2/;pn=0", "discards: 2 cards, expected 3"),
    (f"{DEALT}/P1/T/H1H2D1/;pn=0", "discards: D1 is not held by player 1"),
    (f"{DEALT}/U1/;pn=0", "discards: missing, but required"),
    (f"{DEALT}/HJHRHQSJS1C1/;pn=0", "discards: SJ is not held by player 1"),
    (game("U1", "what"), "trick 1: 'what', expected four cards and the winner, such as"),
    (game("9", "V1", "U1"), "trick 1: 'U1', expected four cards and the winner"),
    (game("9", "T20T21T221"), "trick 1: 3 cards, expected 4"),
    (game("9", "T20T21T21T161"), "trick 1: T21 is twice"),
    (game("9", "T20T21T22T163", "C2"), "trick 2: 'C2', expected four cards and the winner"),
    (game("T20T21T22T163"), "partner: missing, but required before the tricks"),
    (game("9", "T20D1T22T163"), "trick 1: D1 of player 2 breaks the rules: must follow trumps"),
    (game("9", "C2C1C2C1C2"), "contra: 5 of them, expected at most 4"),
]


@pytest.mark.parametrize(("text", "words"), FAULTS, ids=range(len(FAULTS)))
def test_a_fault_names_the_field(text: str, words: str) -> None:
    (item,) = read_positions([text], "taroky")
    assert isinstance(item, Rejected)
    assert item.error.startswith(words)
    assert "\n" not in item.error


@given(st.text("T01HSDCKQRJP/=;GVI9", max_size=12), st.integers(0, 300), st.integers(0, 30))
@settings(max_examples=100, deadline=None)
def test_a_spoilt_game_is_refused_or_read_but_never_crashes(text: str, at: int, cut: int) -> None:
    whole = game("T2R4", "9", "V4", "C2C1", "I3", "T20T21T22T163")
    (item,) = read_positions([whole[:at] + text + whole[at + cut :]], "taroky")
    if isinstance(item, Position):
        assert parse_text(format_text(item, "taroky"), "taroky") == item
    else:
        assert item.error


# --- Writing ---


def random_game(rng: random.Random) -> Position:
    """Return a Texas game after some tricks of random legal play."""
    pack = list(range(54))
    rng.shuffle(pack)
    zones = [set(pack[12 * seat : 12 * seat + 12]) for seat in range(4)]
    talon, prever = pack[48:], rng.random() < 1 / 2
    declarer = rng.randrange(4) if prever else 0
    level = rng.randint(1, 3) if prever else 1
    counts = {declarer: 3} if prever else {0: 4, 1: 1, 2: 1}
    if level == 2:
        talon = [*talon[3:], *talon[:3]]
    discards = [0] * 4
    for seat, count in counts.items():
        zones[seat] |= set(talon[:count])
        laid = rng.sample(sorted(zones[seat]), count)
        zones[seat] -= set(laid)
        discards[seat] = to_mask(laid)
        talon = talon[count:]
    called = None if prever else rng.choice(parse_cards("T19 T18 T17 T16 T15"))
    owners = [seat for seat in range(4) if called in zones[seat]]
    owners += [seat for seat in range(4) if called is not None and discards[seat] >> called & 1]
    start = Position(
        variant="texas",
        contract="prever" if prever else "povinost",
        hands=tuple(map(to_mask, zones)),
        declarer=declarer,
        called=called,
        partner=owners[0] if owners and owners[0] != declarer else None,
        talon=tuple(talon),
        discards=tuple(discards),
        level=level,
        announced=tuple(
            Announcement(rng.randrange(4), bonus)
            for bonus in ("valat", "pagat")
            if rng.random() < 1 / 3
        ),
        doubled=rng.choice([{}, {"game": 2}, {"game": 16}]),
        options=rng.choice([{}, {"ace_low": True}, {"emperor": True}]),
    )
    referee, tricks = Referee(start), []
    state = referee.start
    for _ in range(rng.randint(0, 12)):
        leader, trick = state.leader, []
        for _ in range(4):
            trick.append(rng.choice(referee.legal(state)))
            state = referee.play(state, trick[-1])
        tricks.append(Trick(leader, tuple(trick)))
    return replace(
        start,
        hands=state.hands,
        leader=state.leader,
        taken=state.taken,
        tricks_won=state.tricks,
        history=tuple(tricks) or None,
    )


@pytest.mark.parametrize("seed", range(40))
def test_random_games_go_there_and_back(seed: int) -> None:
    rng = random.Random(seed)
    position = random_game(rng)
    text = format_text(position, "taroky")
    assert parse_text(text) == position
    assert format_text(parse_text(text), "taroky") == text
    # What only the notation knows comes back as well.
    chips, rest = text.split("/", 4)[:4], text.split("/", 4)[4]
    told = "/".join(["-20", *chips[1:], rest]).replace("pn=0", "timeout=20;pn=1")
    assert format_text(parse_text(told), "taroky") == told
    again = parse_position(json.loads(format_text(parse_text(told), "json")))
    assert format_text(again, "taroky") == told


def test_the_usual_talon_is_what_was_laid_away() -> None:
    position = parse_text(game("9"))
    plain = replace(position, extra={})
    talon = format_text(plain, "taroky").split("/")[8]
    assert talon == "S1HQHRHJSJC1"
    assert parse_text(format_text(plain, "taroky")) == plain


PLAYED = parse_text(game("9", "T20T21T22T163"))


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (parse_position(DREIER), "variant: koenigrufen, but Taroky Notation is for texas"),
        (replace(PLAYED, contract="zebrak", discards=(), talon=(), called=None, taken=(),
                 tricks_won=(), history=None, extra={}),
         "contract: zebrak, but Taroky Notation knows povinost and prever only"),
        (replace(PLAYED, history=None), "history: missing, but Taroky Notation holds every trick"),
        (replace(parse_text(game("9")), called=parse_cards("T20")[0]),
         "called: T20, but Taroky Notation knows T19 T18 T17 T16 and T15 only"),
        (replace(PLAYED, called=None), "called: missing, but Taroky Notation names"),
        (replace(PLAYED, doubled={"pagat": 2}), "doubled.pagat: Taroky Notation has contras"),
        (replace(parse_text(FRESH), declarer=1), "declarer: 1, but in Taroky Notation seat 0"),
        (replace(parse_text(FRESH), leader=1), "leader: 1, but Taroky Notation has no leader"),
        (replace(parse_text(FRESH), doubled={"game": 2}), "doubled: given, but Taroky Notation"),
        (replace(parse_text(FRESH), talon=(), extra={}), "hands: 48 of the 54 cards appear"),
        (replace(PLAYED, extra={"x_taroky": 1}), "x_taroky: expected an object with chips, talon"),
        (replace(PLAYED, extra={"x_taroky": {"chip": "1"}}), "x_taroky.chip: expected texts by"),
        (replace(PLAYED, extra={"x_taroky": {"chips": "a/b/c/d"}}), "x_taroky: chips: 'a'"),
        (replace(PLAYED, extra={"x_taroky": {"contra": "C2"}}), "x_taroky: contradicts"),
        (replace(PLAYED, extra={"x_taroky": {"talon": "T17"}}), "x_taroky.talon: 1 card, expected"),
        (replace(PLAYED, extra={"x_taroky": {"talon": "T05T18T19T20T21T22"}}),
         "x_taroky.talon: T5 was never held by seat 0"),
        (replace(PLAYED, extra={"x_taroky": {"settings": "ACEWINS=false"}}),
         "x_taroky: contradicts"),
    ],
)  # fmt: skip
def test_what_the_notation_cannot_hold_is_refused(position: Position, words: str) -> None:
    with pytest.raises(PositionError) as caught:
        format_text(position, "taroky")
    assert str(caught.value).startswith(words)


def test_a_trick_on_the_table_is_refused() -> None:
    hands = [set(from_mask(hand)) for hand in PLAYED.hands]
    card = max(hands[2])
    hands[2].discard(card)
    with pytest.raises(PositionError, match="trick: not empty, but Taroky Notation has finished"):
        format_text(replace(PLAYED, hands=tuple(map(to_mask, hands)), trick=(card,)), "taroky")


# --- Commands ---


def test_convert() -> None:
    there = trull("convert", "--to", "json", game("9", "T20T21T22T163"))
    assert there.returncode == 0
    assert parse_position(json.loads(there.stdout)) == PLAYED
    back = trull("convert", "-", "--from", "json", "--to", "taroky", stdin=there.stdout)
    assert parse_text(back.stdout) == PLAYED
    deal = trull("convert", "-", "--to", "deal", stdin=back.stdout)
    assert parse_text(deal.stdout) == PLAYED


def test_the_whole_pack_is_dealt() -> None:
    position = parse_text(FRESH)
    assert sum(position.hands) + to_mask(position.talon) == ALL_CARDS
