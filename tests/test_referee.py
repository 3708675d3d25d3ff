"""The referee against the text of the rules: one test a rule, worked out by hand."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from endings import random_ending
from oracle import best, card_values, fewest
from trull.solver import rulebooks
from trull.solver.cards import (
    ALL_CARDS,
    PACK,
    TRULL,
    format_cards,
    from_mask,
    parse_card,
    parse_cards,
    to_mask,
)
from trull.solver.position import Announcement, Position, Trick
from trull.solver.referee import Referee, State
from trull.solver.referee.legality import verdicts
from trull.solver.referee.tricks import Tricks
from trull.solver.rules import hand_size, named

PAGAT_ANNOUNCED = (Announcement(0, "pagat"),)
FRENCH = (Announcement(0, "french"),)
FOOL_HIGH = (Announcement(0, "fool_high"),)

GAMES = [
    pytest.param(book.name, record.name, players, id=f"{book.name}-{record.name}-{players}")
    for book, record in rulebooks.every_contract()
    for players in record.values
    if record.sides != "two"
]
EVERYONE = [
    pytest.param(book.name, record.name, id=f"{book.name}-{record.name}")
    for book, record in rulebooks.every_contract()
    if record.sides == "everyone"
]


def mask(cards: str) -> int:
    return to_mask(parse_cards(cards))


def referee(variant: str, contract: str, seats: int = 4, **keys: Any) -> Referee:
    """Return the referee of a contract, from a position without a card."""
    hands = keys.pop("hands", [""] * seats)
    return Referee(
        Position(variant=variant, contract=contract, hands=tuple(map(mask, hands)), **keys)
    )


def turn(
    variant: str, contract: str, hand: str, trick: str = "", taken: str = "", **keys: Any
) -> dict[str, str | None]:
    """Return the verdicts on the cards of a hand whose turn it is, by name."""
    game = referee(variant, contract, **keys)
    table = parse_cards(trick)
    state = game.start._replace(
        hands=(mask(hand),) * game.seats,
        trick=table,
        leader=-len(table) % game.seats,
        taken=(mask(taken),) + (0,) * (game.seats - 1),
    )
    return {format_cards([card]): fault for card, fault in game.verdicts(state).items()}


def legal(
    variant: str, contract: str, hand: str, trick: str = "", taken: str = "", **keys: Any
) -> set[str]:
    """Return the legal cards of a hand whose turn it is."""
    found = turn(variant, contract, hand, trick, taken, **keys)
    return {card for card, fault in found.items() if fault is None}


def winning(variant: str, contract: str, trick: str, final: bool = False, **keys: Any) -> str:
    """Return the card that wins a trick, which seat 1 led."""
    game = referee(variant, contract, len(trick.split()), **keys)
    seat = game.winner(parse_cards(trick), leader=1, final=final)
    return trick.split()[(seat - 1) % game.seats]


def play(game: Referee, state: State, cards: str) -> State:
    """Return the state after the legal play of `cards`."""
    assert game.fault(state, parse_cards(cards)) is None
    for card in parse_cards(cards):
        state = game.play(state, card)
    return state


def end(game: Referee, *taken: str, tricks: tuple[int, ...] = (0, 0, 0, 0)) -> State:
    """Return a finished state with what each seat has taken."""
    won = tuple(map(mask, taken)) + (0,) * (game.seats - len(taken))
    return game.start._replace(taken=won, tricks=tricks[: game.seats])


# --- Cards (section 1) ---


@pytest.mark.parametrize(
    ("variant", "contract", "high_to_low"),
    [
        ("koenigrufen", "rufer", "HK HQ HN HJ HA H2 H3 H4"),
        ("czech", "solo", "DK DQ DN DJ DA D2 D3 D4"),
        ("slovenian", "tri", "HK HQ HN HJ HA H2 H3 H4"),
        ("texas", "prever", "DK DQ DN DJ DA D4 D3 D2"),
        ("house", "no_peek", "HK HQ HN HJ H4 H3 H2 HA"),
        ("house", "no_peek", "SK SQ SN SJ S10 S9 S8 S7"),
    ],
)
def test_ranks_of_a_suit(variant: str, contract: str, high_to_low: str) -> None:
    """Section 1: the red pips rank differently from rule book to rule book."""
    ranks = high_to_low.split()
    for high, low in pairwise(ranks):
        assert winning(variant, contract, f"{low} {high} CK C7") == high


def test_trumps_rank_from_pagat_to_skus() -> None:
    """Section 1: I to XXI, then the Sküs."""
    assert winning("koenigrufen", "rufer", "T20 T22 T21 T5") == "T22"
    assert winning("koenigrufen", "rufer", "T2 T9 T10 T3") == "T10"


@pytest.mark.parametrize(("variant", "contract"), [("czech", "solo"), ("slovenian", "solo_tri")])
def test_thirds_weigh_three_times_the_face_less_two(variant: str, contract: str) -> None:
    """Section 1: King and trull 13, Queen 10, Cavalier 7, Jack 4, the rest 1; together 210."""
    game = referee(variant, contract)
    assert game.points(end(game, "SK T1 T21 T22"), 0) == 52
    assert game.points(end(game, "SQ SN SJ S10 T20"), 0) == 10 + 7 + 4 + 1 + 1
    assert game.points(game.start._replace(taken=(ALL_CARDS, 0, 0, 0)), 0) == 210


def test_face_points() -> None:
    """Section 1: Texas counts face values, 106 in the pack."""
    game = referee("texas", "prever")
    assert game.points(end(game, "SK SQ SN SJ S10 T1 T2"), 0) == 5 + 4 + 3 + 2 + 1 + 5 + 1
    assert game.points(game.start._replace(taken=(ALL_CARDS, 0, 0, 0)), 0) == 106


# --- Following, trumping, power of trumps (section 2) ---


def test_suit_led_must_be_followed() -> None:
    """Section 2, follow suit: always obligatory."""
    found = turn("koenigrufen", "rufer", "S7 SK HK T5", "S10")
    assert found == {
        "S7": None,
        "SK": None,
        "HK": "must follow spades",
        "T5": "must follow spades",
    }


def test_trump_led_must_be_followed_with_a_trump() -> None:
    """Section 2, follow suit: a trump lead must be followed with a trump."""
    assert turn("czech", "solo", "T2 SK", "T10") == {"T2": None, "SK": "must follow trumps"}


def test_void_must_play_a_trump() -> None:
    """Section 2, void in the suit led: a trump if one is held, otherwise any card."""
    assert turn("slovenian", "tri", "T2 HK", "S10") == {"T2": None, "HK": "must play a trump"}
    assert legal("slovenian", "tri", "HK C7", "S10") == {"HK", "C7"}
    assert legal("slovenian", "tri", "HK C7", "T10") == {"HK", "C7"}


def test_zebrak_void_may_play_any_card() -> None:
    """Section 7, zebrak: a void player may play any card, yet suits and trumps are followed."""
    assert legal("texas", "zebrak", "T2 HK", "S10") == {"T2", "HK"}
    assert legal("texas", "zebrak", "T2 HK", "T10") == {"T2"}
    assert legal("texas", "zebrak", "T2 HK S7", "S10") == {"S7"}
    assert legal("texas", "zebrak_trump", "T2 HK", "S10") == {"T2"}


def test_without_overtaking_any_card_of_the_suit_is_legal() -> None:
    """Section 2, overtaking none."""
    assert legal("koenigrufen", "dreier", "S8 SK", "SJ") == {"S8", "SK"}
    assert legal("koenigrufen", "dreier", "T1 T20", "SJ T10") == {"T1", "T20"}


def test_any_card_may_be_led() -> None:
    """Section 2: nothing restricts a lead where no duty does."""
    assert legal("koenigrufen", "rufer", "T1 T21 T22 SK") == {"T1", "T21", "T22", "SK"}


def test_trumps_beat_suits() -> None:
    """Section 2, power of trumps; without a trump the highest card of the suit led wins."""
    assert winning("koenigrufen", "rufer", "SK T1 CK HK") == "T1"
    assert winning("koenigrufen", "rufer", "S7 CK HK DK") == "S7"


@pytest.mark.parametrize(
    ("variant", "contract"),
    [
        ("koenigrufen", "farbensolo"),
        ("slovenian", "barvni_valat"),
        ("house", "colour_valat_full"),
        ("texas", "zebrak"),
    ],
)
def test_suspended_trumps_do_not_beat_suits(variant: str, contract: str) -> None:
    """Section 2, power suspended: the highest card of the suit led wins, or the highest trump."""
    assert winning(variant, contract, "S7 T20 S8 T5") == "S8"
    assert winning(variant, contract, "T5 SK T7 CK") == "T7"


@pytest.mark.parametrize("contract", ["farbendreier", "farbensolo"])
def test_suit_games_lead_trumps_last(contract: str) -> None:
    """Section 2, leading trumps: only when the player has no suit card left."""
    found = turn("koenigrufen", contract, "T1 T22 S7")
    assert found["S7"] is None
    assert found["T1"] == "trumps may be led only from a hand without suit cards"
    assert legal("koenigrufen", contract, "T1 T22") == {"T1", "T22"}
    assert legal("slovenian", "barvni_valat", "T1 T22 S7") == {"T1", "T22", "S7"}


def test_play_goes_round_and_the_winner_leads() -> None:
    """Section 1: whatever the leader, play goes 0, 1, 2, 3, 0."""
    game = referee("koenigrufen", "rufer", hands=["S7 HK", "S8 HQ", "S9 HN", "SK HJ"], leader=2)
    state = game.start
    assert [game.player(state)] == [2]
    state = play(game, state, "S9 SK")
    assert game.player(state) == 0
    state = play(game, state, "S7 S8")
    assert (state.leader, state.trick, state.tricks) == (3, (), (0, 0, 0, 1))
    assert state.taken == (0, 0, 0, mask("S7 S8 S9 SK"))
    assert not game.over(state)
    assert game.over(play(game, state, "HJ HK HQ HN"))


# --- Overtaking (section 2) ---


@pytest.mark.parametrize(
    ("variant", "contract"),
    [
        ("koenigrufen", "bettler"),
        ("koenigrufen", "piccolo_ouvert"),
        ("koenigrufen", "trischaken"),
        ("slovenian", "berac"),
        ("slovenian", "klop"),
        ("czech", "warsaw"),
        ("house", "closed_barach_two"),
        ("house", "klop"),
        ("texas", "zebrak_trump"),
    ],
)
def test_overtaking_in_negative_games(variant: str, contract: str) -> None:
    """Section 2, overtaking all: who can beat the winning card must play one that does."""
    found = turn(variant, contract, "S7 SQ SK", "S10 SN")
    assert found == {"S7": "must beat the SN", "SQ": None, "SK": None}
    assert legal(variant, contract, "S7 S8", "SK") == {"S7", "S8"}
    assert legal(variant, contract, "T5 T15 T20", "T6 T10") == {"T15", "T20"}
    assert legal(variant, contract, "T5 T15 HK", "S7 T10") == {"T15"}
    assert legal(variant, contract, "T5 T6 HK", "S7 T10") == {"T5", "T6"}
    assert legal(variant, contract, "HK C7", "S7") == {"HK", "C7"}


def test_a_follower_cannot_overtake_a_trump() -> None:
    """Section 2, refinement a: once the suit trick is trumped, any card of the suit is legal."""
    assert legal("koenigrufen", "bettler", "S7 SK", "S10 T5") == {"S7", "SK"}


def test_suspended_trumps_overtake_only_trumps() -> None:
    """Section 2, refinement b: with trump power suspended only the suit led can be beaten."""
    book = rulebooks.variant("slovenian")
    rules = named(book.contract("barvni_valat"), "suspended_overtaking", overtaking="all")

    def legal_cards(hand: str, trick: str) -> set[str]:
        table = parse_cards(trick)
        state = State((mask(hand),) * 4, 0, table, (0,) * 4, (0,) * 4, ())
        found = verdicts(Tricks(book, rules), state)
        return {format_cards([card]) for card, fault in found.items() if fault is None}

    assert legal_cards("T2 T20 HK", "S10") == {"T2", "T20"}
    assert legal_cards("T2 T20 HK", "S10 T10") == {"T2", "T20"}
    assert legal_cards("S7 SK T20", "S10 T10") == {"SK"}
    assert legal_cards("T2 T20 HK", "T10") == {"T20"}


def test_beating_is_a_matter_of_rank() -> None:
    """Section 2, refinement c: who gets the trick in the end does not matter.

    The Sküs beats the Mond although the Pagat then wins; the Mond beats the XX although the
    Fool, which lies there, then becomes the highest trump.
    """
    assert legal("koenigrufen", "bettler", "T22 T5", "T1 T21") == {"T22"}
    assert legal("house", "klop", "T21 T5", "T22 T20") == {"T21"}


def test_nothing_but_the_pagat_beats_the_fool_beside_the_mond() -> None:
    """Section 2, refinement c, and section 6: the lifted Fool is the highest trump."""
    assert legal("house", "klop", "T2 T20", "T21 T22") == {"T2", "T20"}
    assert turn("house", "klop", "T1 T20", "T21 T22") == {"T1": None, "T20": "must beat the T22"}
    book = rulebooks.variant("house")
    tricks, table = Tricks(book, book.contract("klop")), parse_cards("T21 T22")
    assert tricks.beats(parse_card("T1"), table, final=False)
    assert not tricks.beats(parse_card("T20"), table, final=False)


def test_french_style_overtakes_with_trumps_only() -> None:
    """Section 2, overtaking trumps, announced in low contracts of the house rules."""
    assert legal("house", "solo_three", "S7 SK", "S10", announced=FRENCH) == {"S7", "SK"}
    assert legal("house", "solo_three", "T5 T15", "T10", announced=FRENCH) == {"T15"}
    assert legal("house", "solo_three", "T5 T15 HK", "S7 T10", announced=FRENCH) == {"T15"}
    assert legal("house", "solo_three", "T5 T15 HK", "S7", announced=FRENCH) == {"T5", "T15"}
    assert legal("house", "solo_three", "T5 T15", "T10") == {"T5", "T15"}


def test_french_style_calls_for_the_pagat() -> None:
    """Section 2, refinement d: the Pagat must be played on Mond and Fool."""
    assert legal("house", "solo_three", "T1 T20", "T21 T22", announced=FRENCH) == {"T1"}
    assert legal("house", "solo_three", "T1 T20", "T21 T22") == {"T1", "T20"}


# --- The emperor trick (section 2) ---


@pytest.mark.parametrize(
    ("variant", "contract"),
    [
        ("koenigrufen", "rufer"),
        ("koenigrufen", "trischaken"),
        ("koenigrufen", "farbensolo"),
        ("slovenian", "tri"),
        ("slovenian", "valat"),
        ("slovenian", "barvni_valat"),
        ("house", "solo_one"),
        ("house", "barcelona_full"),
        ("house", "colour_valat_full"),
    ],
)
@pytest.mark.parametrize("final", [False, True])
def test_pagat_wins_the_emperor_trick(variant: str, contract: str, final: bool) -> None:
    """Sections 2, 3, 4 and 6: in whatever order, the last trick included."""
    for trick in ("T21 T22 T5 T1", "T1 T21 T22 T5", "T22 T1 T5 T21", "T5 T22 T21 T1"):
        assert winning(variant, contract, trick, final) == "T1"


def test_emperor_trick_in_a_suit_led() -> None:
    """Section 3 and 4: whatever was led; section 6: not on a suit led in a colour valat."""
    trick = "SK T21 T22 T1"
    assert winning("koenigrufen", "farbendreier", trick) == "T1"
    assert winning("koenigrufen", "rufer", trick) == "T1"
    assert winning("slovenian", "barvni_valat", trick) == "T1"
    assert winning("house", "colour_valat_three", trick) == "SK"


def test_no_emperor_trick_in_the_other_rule_books() -> None:
    """Section 5 and 7; the option of section 7 puts it on."""
    assert winning("czech", "first_duty", "T21 T22 T5 T1") == "T22"
    assert winning("czech", "warsaw", "T21 T22 T5 T1") == "T22"
    assert winning("texas", "prever", "T21 T22 T5 T1") == "T22"
    assert winning("texas", "prever", "T21 T22 T5 T1", options={"emperor": True}) == "T1"


def test_emperor_trick_of_three_players() -> None:
    """Section 4: the trick then holds nothing but the trull."""
    assert winning("slovenian", "solo_tri", "T22 T1 T21") == "T1"


# --- The duties of the Pagat (section 2) ---


@pytest.mark.parametrize(
    ("variant", "contract"),
    [
        ("koenigrufen", "bettler"),
        ("koenigrufen", "trischaken"),
        ("slovenian", "odprti_berac"),
        ("czech", "warsaw"),
        ("house", "open_barach_full"),
        ("house", "klop"),
    ],
)
def test_pagat_is_the_last_trump(variant: str, contract: str) -> None:
    """Section 2, last_trump: led, played or discarded only without another trump in hand."""
    kept = "the Pagat must be kept as the last trump"
    assert turn(variant, contract, "T1 T2 S7")["T1"] == kept
    assert turn(variant, contract, "T1 T2 S7", "T10")["T1"] == kept
    assert turn(variant, contract, "T1 T2 HK", "S7")["T1"] == kept
    assert legal(variant, contract, "T1 S7") == {"T1", "S7"}
    assert legal(variant, contract, "T1 S7", "T10") == {"T1"}


def test_pagat_wins_the_emperor_trick_before_it_is_last() -> None:
    """Section 2, last_trump: it may, and under overtaking must, win an emperor trick."""
    for trick in ("T21 T22", "T5 T22 T21", "S7 T21 T22"):
        assert legal("koenigrufen", "bettler", "T1 T20 HK", trick) == {"T1"}
        assert legal("slovenian", "klop", "T1 T20 HK", trick) == {"T1"}
    assert legal("czech", "warsaw", "T1 T20", "T21 T22") == {"T20"}


def test_following_suit_forbids_the_emperor_trick() -> None:
    """Section 2, last_trump: when following suit does not forbid it."""
    found = turn("koenigrufen", "bettler", "T1 T20 S8", "S7 T21 T22")
    assert found == {"S8": None, "T1": "must follow spades", "T20": "must follow spades"}


@pytest.mark.parametrize(
    ("variant", "contract"),
    [("czech", "first_duty"), ("czech", "solo"), ("house", "solo_two"), ("texas", "prever")],
)
def test_announced_pagat_is_kept(variant: str, contract: str) -> None:
    """Section 2, announced: while its holder has any other legal card."""
    kept = "the announced Pagat must be kept while another card is legal"
    assert turn(variant, contract, "T1 T2", "T10", announced=PAGAT_ANNOUNCED) == {
        "T1": kept,
        "T2": None,
    }
    assert turn(variant, contract, "T1 S7", announced=PAGAT_ANNOUNCED) == {"T1": kept, "S7": None}
    assert legal(variant, contract, "T1 HK", "S7", announced=PAGAT_ANNOUNCED) == {"T1"}
    assert legal(variant, contract, "T1 T2", "T10") == {"T1", "T2"}


def test_second_duty_announces_the_pagat() -> None:
    """Section 5: second duty announces the Pagat ultimo, listed or not."""
    assert legal("czech", "second_duty", "T1 T2", "T10") == {"T2"}


def test_announced_pagat_waits_for_the_excuse() -> None:
    """Section 6: the Excuse, too, must be played before the announced Pagat."""
    assert legal("house", "solo_two", "T1 T22", "T10", announced=PAGAT_ANNOUNCED) == {"T22"}
    # The Fool may not be led yet, so no other card is legal.
    assert legal("house", "solo_two", "T1 T22", announced=PAGAT_ANNOUNCED) == {"T1"}
    assert legal("house", "solo_two", "T1 T22", taken="T9", announced=PAGAT_ANNOUNCED) == {"T22"}


def test_announced_pagat_goes_to_the_emperor_trick_when_nothing_else_is_legal() -> None:
    """Section 2, announced and refinement d: overtaking leaves the Pagat alone."""
    both = PAGAT_ANNOUNCED + FRENCH
    assert legal("house", "solo_two", "T1 T20", "T21 T22", announced=both) == {"T1"}


def test_announced_pagat_is_free_where_no_duty_is_named() -> None:
    """Section 3 and 4: an announced Pagat puts no duty on its holder."""
    assert legal("koenigrufen", "rufer", "T1 T2", "T10", announced=PAGAT_ANNOUNCED) == {"T1", "T2"}
    assert legal("koenigrufen", "pagatrufer", "T1 T2", "T10") == {"T1", "T2"}
    assert legal("slovenian", "tri", "T1 T2", "T10", announced=PAGAT_ANNOUNCED) == {"T1", "T2"}


def test_pagat_may_not_be_led() -> None:
    """Section 7, no_lead: only as the player's last trump; it may be played."""
    found = turn("texas", "zebrak_trump", "T1 T2 S7")
    assert found["T1"] == "the Pagat may not be led while another trump is held"
    assert legal("texas", "zebrak_trump", "T1 S7") == {"T1", "S7"}
    assert legal("texas", "zebrak_trump", "T1 T2", "S7") == {"T1", "T2"}
    called = turn("texas", "povinost", "T1 T2", announced=PAGAT_ANNOUNCED)
    assert called["T1"] == "the Pagat may not be led while another trump is held"


# --- The Mond in Warsaw (section 2) ---


def test_mond_of_warsaw() -> None:
    """Section 2, Mond: neither led nor played to the Sküs while another trump is held."""
    led = "the Mond may not be led while another trump besides the Pagat is held"
    played = "the Mond may not be played to the Sküs while another trump besides the Pagat is held"
    assert turn("czech", "warsaw", "T21 T5 S7")["T21"] == led
    assert turn("czech", "warsaw", "T21 T22")["T21"] == led
    assert turn("czech", "warsaw", "T21 T5", "T22") == {"T21": played, "T5": None}
    assert legal("czech", "warsaw", "T21 T5", "T20") == {"T21"}


def test_mond_of_warsaw_with_the_pagat_alone() -> None:
    """Section 2, Mond: the Pagat does not bind it, and the Pagat is the last trump."""
    assert legal("czech", "warsaw", "T21 T1") == {"T21"}
    assert legal("czech", "warsaw", "T21 T1", "T22") == {"T21"}
    assert legal("czech", "warsaw", "T21 S7") == {"T21", "S7"}


def test_mond_is_free_elsewhere() -> None:
    """Section 2, Mond: the rule is Warsaw's."""
    assert legal("koenigrufen", "trischaken", "T21 T5") == {"T21", "T5"}
    assert legal("czech", "solo", "T21 T5", "T22") == {"T21", "T5"}


# --- The Fool (section 6) ---


def test_excuse_may_be_played_at_any_time() -> None:
    """Section 6, Excuse: whatever was led, with or without cards of the suit."""
    assert legal("house", "solo_one", "T22 S7 SK T5", "S10") == {"T22", "S7", "SK"}
    assert legal("house", "solo_one", "T22 T5 HK", "T10") == {"T22", "T5"}
    assert legal("house", "solo_one", "T22 T5 HK", "S10") == {"T22", "T5"}


def test_excuse_is_no_trump_in_hand() -> None:
    """Section 6, Excuse: it obliges to nothing."""
    assert legal("house", "solo_one", "T22 HK C7", "S10") == {"T22", "HK", "C7"}
    assert legal("house", "solo_one", "T22 HK C7", "T10") == {"T22", "HK", "C7"}
    assert legal("house", "klop", "T22 T1", "T10") == {"T22", "T1"}


def test_excuse_never_wins() -> None:
    """Section 6, Excuse: it goes with the trick to its winner."""
    assert winning("house", "solo_one", "S7 T22 S8 HK") == "S8"
    assert winning("house", "solo_one", "T5 T22 T2 HK") == "T5"


def test_card_after_a_led_excuse_sets_the_suit() -> None:
    """Section 6, Excuse: anything may follow it, and the third card follows the second."""
    assert legal("house", "solo_one", "T5 HK S7", "T22") == {"T5", "HK", "S7"}
    assert turn("house", "solo_one", "T5 HK S7", "T22 S8")["HK"] == "must follow spades"
    assert winning("house", "solo_one", "T22 S7 HK S8") == "S8"
    assert winning("house", "solo_one", "T22 T2 T5 S8") == "T5"


def test_duties_hold_for_the_card_after_a_led_excuse() -> None:
    """Section 2, last_trump: the Pagat is bound there too, and nothing can be overtaken."""
    assert legal("house", "klop", "T1 T5 S7", "T22") == {"T5", "S7"}
    assert legal("house", "klop", "S7 SK T9", "T22 S8") == {"SK"}


@pytest.mark.parametrize(
    ("contract", "announced"),
    [("solo_one", ()), ("barcelona_full", ()), ("barcelona_full", FOOL_HIGH), ("klop", ())],
)
def test_fool_is_not_led_before_another_trump(contract: str, announced: Any) -> None:
    """Section 6: in every role, until a trump other than the Fool lies in a finished trick."""
    fault = "the Fool may not be led before another trump lies in a finished trick"
    assert turn("house", contract, "T22 S7", announced=announced)["T22"] == fault
    assert (
        turn("house", contract, "T22 S7", taken="SK S8 HQ S9", announced=announced)["T22"] == fault
    )
    assert legal("house", contract, "T22 S7", taken="SK S8 T5 S9", announced=announced) == {
        "T22",
        "S7",
    }
    assert legal("house", contract, "T22", announced=announced) == {"T22"}


def test_lowest_fool_is_not_led_before_another_trump() -> None:
    """Section 6: colour valat is no exception; a trump given out with a trick counts in klop."""
    assert legal("house", "colour_valat_full", "T22 T5") == {"T5"}
    assert legal("house", "klop", "T22 S7", taken="SK S8 HQ S9 T5") == {"T22", "S7"}


def test_skus_is_led_freely_elsewhere() -> None:
    """Section 6: only the house rules have a Fool."""
    assert legal("koenigrufen", "bettler", "T22 S7") == {"T22", "S7"}


@pytest.mark.parametrize("contract", ["solo_one", "no_peek", "klop", "open_barach_three"])
def test_mond_lifts_the_fool(contract: str) -> None:
    """Section 6, exception: beside the Mond in a trick before the last, the Fool wins."""
    for trick in ("T21 T22 T5 T20", "T22 T21 T5 T20", "S7 T22 T20 T21"):
        assert winning("house", contract, trick) == "T22"
        assert winning("house", contract, trick, final=True) == "T21"


def test_mond_wins_the_last_trick() -> None:
    """Section 6, exception: in the final trick the Fool is an Excuse even beside the Mond."""
    hands = ["T21 T20", "T22 S8", "S9 T5", "SK T6"]
    game = referee("house", "solo_one", hands=hands)
    assert play(game, game.start, "T20 T22 T5 T6 T21 S8 S9 SK").tricks == (2, 0, 0, 0)
    assert play(game, game.start, "T21 T22 T5 T6").leader == 1
    game = referee("house", "solo_one", hands=["T21", "T22", "S9", "SK"])
    assert play(game, game.start, "T21 T22 S9 SK").leader == 0


def test_mond_does_not_lift_the_fool_of_valats() -> None:
    """Section 6, exception: not in colour valat and barcelona."""
    assert winning("house", "barcelona_one", "T21 T22 T5 T20") == "T21"
    assert winning("house", "colour_valat_one", "T21 T22 T5 T20") == "T21"


def test_high_fool() -> None:
    """Section 6, high trump: the highest trump, and obliged like any trump."""
    assert winning("house", "barcelona_full", "T21 T22 T5 T20", True, announced=FOOL_HIGH) == "T22"
    assert legal("house", "barcelona_full", "T22 HK", "S7", announced=FOOL_HIGH) == {"T22"}
    assert legal("house", "barcelona_full", "T22 S8", "S7", announced=FOOL_HIGH) == {"S8"}


def test_lowest_fool() -> None:
    """Section 6, lowest trump: below the Pagat, and obliged like any trump."""
    assert winning("house", "colour_valat_two", "T22 T1 SK HK") == "T1"
    assert winning("house", "colour_valat_two", "T22 SK HK CK") == "T22"
    assert legal("house", "colour_valat_two", "T22 HK", "S7") == {"T22"}
    assert legal("house", "colour_valat_two", "T22 HK", "T7") == {"T22"}
    assert legal("house", "colour_valat_two", "T22 S8", "S7") == {"S8"}


def test_excuse_in_negative_games() -> None:
    """Section 6: who can overtake must do so with another card; the Excuse is always legal."""
    assert legal("house", "klop", "T22 S7 SK", "S10") == {"T22", "SK"}
    assert legal("house", "klop", "T22 T5", "T21") == {"T22", "T5"}
    assert legal("house", "solo_one", "T22 T5 T15", "T10", announced=FRENCH) == {"T22", "T15"}


def test_lost_excuse_does_not_count_against_the_barcelona() -> None:
    """Section 6: a trick to which the declarer played the Excuse does not count against him."""
    hands = ["SK T22 T20", "S7 T10 T9", "S8 HK C7", "S9 HQ C8"]
    game = referee("house", "barcelona_full", hands=hands)
    state = play(game, game.start, "SK S7 S8 S9 T20 T9 HK HQ T22 T10 C7 C8")
    assert (game.value(state, "tricks"), game.made(state)) == (2, True)
    high = referee("house", "barcelona_full", hands=hands, announced=FOOL_HIGH)
    state = play(high, high.start, "SK S7 S8 S9 T20 T9 HK HQ T22 T10 C7 C8")
    assert (high.value(state, "tricks"), high.made(state)) == (3, True)


def test_tricks_lost_after_the_excuse_count_against_the_barcelona() -> None:
    """Section 6: only the trick with the declarer's Excuse is forgiven."""
    hands = ["SK T22 T20", "S7 T10 T9", "S8 HK C7", "S9 HQ C8"]
    for contract, made in (("barcelona_full", False), ("barcelona_one", True)):
        game = referee("house", contract, hands=hands)
        state = play(game, game.start, "T20 T9 HK HQ T22 S7 S8 S9 C8 SK T10 C7")
        assert (game.value(state, "tricks"), game.made(state)) == (1, made)


def test_excuse_of_an_opponent_forgives_nothing() -> None:
    """Section 6: it must be the declarer who played the Excuse."""
    hands = ["SQ T10", "T22 C7", "SK C8", "S9 C9"]
    game = referee("house", "barcelona_full", hands=hands)
    state = play(game, game.start, "SQ T22 SK S9 C8 C9 T10 C7")
    assert (game.value(state, "tricks"), game.made(state)) == (1, False)


# --- The talon (sections 2 to 7) ---


@pytest.mark.parametrize(("variant", "contract"), EVERYONE)
def test_talon_goes_into_the_first_six_tricks(variant: str, contract: str) -> None:
    """Section 2, talon into tricks: the winner of each receives the next card, in order."""
    game = referee(variant, contract)
    talon = parse_cards("T22 SK T5 S7 HK D4")
    state = game.start._replace(
        hands=(mask("CK HJ"), mask("CQ HQ"), mask("CN HN"), mask("CJ HA")), talon=talon
    )
    state = play(game, state, "CK CQ CN CJ")
    assert state.taken[0] == mask("CK CQ CN CJ T22")
    assert state.talon == talon[1:]
    state = play(game, state, "HJ HQ HN HA")
    assert state.taken[1] == mask("HJ HQ HN HA SK")
    assert state.talon == talon[2:]
    assert game.points(state, 0) == 13 + 10 + 7 + 4 + 13


def test_untouched_talon_counts_for_the_opponents() -> None:
    """Section 3: in solo games the talon is credited to the opponents."""
    game = referee("koenigrufen", "solodreier")
    state = end(game, "SK")._replace(talon=parse_cards("T22 T21 T1 HK DK CK"))
    assert game.side_points(state) == 13


def test_discards_count_for_their_owners() -> None:
    """Section 3: discards count for their owner's side."""
    deal = random_ending(random.Random(3), "czech", "first_duty", 4, 1, past=True)
    game = Referee(deal)
    everything = sum(game.points(game.start, seat) for seat in range(4))
    weights = deal.book.weights
    laid = [sum(weights[card] for card in from_mask(cards)) for cards in deal.discards]
    won = [sum(weights[card] for card in from_mask(cards)) for cards in deal.taken]
    assert [game.points(game.start, seat) for seat in range(4)] == [
        a + b for a, b in zip(laid, won, strict=True)
    ]
    assert everything == sum(laid) + sum(won)


def test_solorufer_half_with_the_called_king() -> None:
    """Section 3, solorufer: the lone caller is credited with the half in which the king lies."""
    talon = parse_cards("T22 T5 S7 HK D4 CQ")
    game = referee("koenigrufen", "solorufer", called=parse_card("HK"))
    state = end(game, "SK")._replace(talon=talon)
    assert game.side_points(state) == 13 + (13 + 1 + 10)
    with_partner = referee("koenigrufen", "solorufer", called=parse_card("DK"), partner=2)
    state = end(with_partner, "SK", "HQ", "SQ")._replace(talon=talon)
    assert with_partner.side_points(state) == 13 + 10


def test_called_king_left_in_the_talon_of_a_rufer() -> None:
    """Section 3: the caller then plays alone, and the other half is the opponents'."""
    game = referee("koenigrufen", "rufer", called=parse_card("HK"))
    state = end(game, "SK")._replace(talon=parse_cards("HK D4 CQ"))
    assert game.side_points(state) == 13


@pytest.mark.parametrize(
    ("variant", "contract"), [("slovenian", "dve"), ("house", "partnered_two")]
)
def test_called_king_out_of_the_talon_wins_the_rest_of_it(variant: str, contract: str) -> None:
    """Section 4 and 6: if the caller took the king and wins a trick with it."""
    game = referee(variant, contract, called=parse_card("HK"))
    rest = parse_cards("T22 T5 SQ D4")
    won = end(game, "HK HQ H2 H3")._replace(talon=rest)
    assert game.side_points(won) == 13 + 10 + 1 + 1 + (13 + 1 + 10 + 1)
    lost = end(game, "SK", "HK H2 H3 T7")._replace(talon=rest)
    assert game.side_points(lost) == 13
    left_lying = end(game, "SK")._replace(talon=parse_cards("T22 T5 SQ HK"))
    assert game.side_points(left_lying) == 13
    with_partner = referee(variant, contract, called=parse_card("HK"), partner=1)
    assert with_partner.side_points(won) == 13 + 10 + 1 + 1


def test_xx_in_the_talon_of_ze_ruky() -> None:
    """Section 7, ze_ruky: alone with the XX in the talon, the bidder counts the talon."""
    talon = parse_cards("T20 SK T22 D4 C7 HQ")
    game = referee("texas", "ze_ruky", called=parse_card("T20"))
    assert game.side_points(end(game, "CK")._replace(talon=talon)) == 5 + 1 + 5 + 5 + 1 + 1 + 4
    with_partner = referee("texas", "ze_ruky", called=parse_card("T20"), partner=3)
    rest = parse_cards("T19 SK T22 D4 C7 HQ")
    state = end(with_partner, "CK", "", "", "CQ")._replace(talon=rest)
    assert with_partner.side_points(state) == 5 + 4


# --- What is made (sections 1 and 3 to 7) ---


@pytest.mark.parametrize(
    ("variant", "contract", "needed"),
    [
        ("koenigrufen", "dreier", 107),
        ("czech", "solo", 107),
        ("house", "solo_one", 107),
        ("slovenian", "solo_tri", 106),
        ("texas", "prever", 54),
    ],
)
def test_threshold_of_a_majority(variant: str, contract: str, needed: int) -> None:
    """Section 1, thresholds."""
    game = referee(variant, contract)
    weights = rulebooks.variant(variant).weights
    plain, points, cards = parse_card("T5"), 1, mask("T5")
    for card in sorted(set(range(PACK)) - {plain}, key=lambda card: -weights[card]):
        if points + weights[card] <= needed:
            points, cards = points + weights[card], cards | 1 << card
    assert points == needed
    assert game.made(game.start._replace(taken=(cards, 0, 0, 0)))
    assert not game.made(game.start._replace(taken=(cards & ~(1 << plain), 1 << plain, 0, 0)))


def test_partners_count_together() -> None:
    """Section 3: caller and holder of the called king are one side."""
    game = referee("koenigrufen", "rufer", partner=2, called=parse_card("HK"))
    state = end(game, "SK", "HQ", "HK SQ", tricks=(1, 4, 2, 5))
    assert game.side_points(state) == 13 + 13 + 10
    assert game.side_tricks(state) == 3


@pytest.mark.parametrize(
    ("contract", "hands", "cards", "bird_won"),
    [
        ("pagatrufer", ["HK T1", "HQ DQ", "HN DN", "HJ CJ"], "HK HQ HN HJ T1 DQ DN CJ", True),
        ("pagatrufer", ["HK T1", "HQ DQ", "HN DN", "HJ T9"], "HK HQ HN HJ T1 DQ DN T9", False),
        ("pagatrufer", ["T1 HK", "DQ HQ", "DN HN", "CJ HJ"], "T1 DQ DN CJ HK HQ HN HJ", False),
        ("pagatrufer", ["HK DK", "HQ T1", "HN DN", "HJ CJ"], "HK HQ HN HJ DK T1 DN CJ", False),
        ("uhurufer", ["T2 HK", "DQ HQ", "DN HN", "CJ HJ"], "T2 DQ DN CJ HK HQ HN HJ", True),
        ("uhurufer", ["HK T2", "HQ DQ", "HN DN", "HJ CJ"], "HK HQ HN HJ T2 DQ DN CJ", False),
    ],
)
def test_bird_games_need_the_bird(
    contract: str, hands: list[str], cards: str, bird_won: bool
) -> None:
    """Section 3: made means the majority and the bird winning, by itself, the trick it names."""
    game = referee("koenigrufen", contract, hands=hands)
    state = play(game, game.start, cards)
    rich = state._replace(taken=(ALL_CARDS, 0, 0, 0))
    assert game.made(rich) is bird_won
    assert game.side_points(rich) == 210
    assert not game.made(state)


def test_kakadu_and_quapil_win_the_third_and_fourth_last_trick() -> None:
    """Section 3, bonuses: the third and fourth last trick."""
    hands = ["T4 T3 HK CK", "S7 S8 HQ CQ", "S9 SJ HN CN", "SN SQ HJ CJ"]
    cards = "T4 S7 S9 SN T3 S8 SJ SQ HK HQ HN HJ CK CQ CN CJ"
    for contract in ("kakadurufer", "quapilrufer"):
        game = referee("koenigrufen", contract, hands=hands)
        state = play(game, game.start, cards)
        assert game.made(state._replace(taken=(ALL_CARDS, 0, 0, 0)))


def test_bird_of_the_past_counts_with_a_history() -> None:
    """A bird that won its trick is known from the history alone."""
    rng = random.Random(11)
    for _ in range(200):
        ending = random_ending(rng, "koenigrufen", "quapilrufer", 4, 3, past=True, mid_trick=False)
        game = Referee(ending)
        if ending.history is None:
            assert not game.start.bird_won
        elif game.start.bird_won:
            trick = ending.history[-1]
            assert game.winner(trick.cards, trick.leader, final=False) == ending.declarer
            assert parse_card("T4") in trick.cards
            return
    pytest.fail("no Quapil won the fourth last trick")


def test_second_duty_is_the_majority_alone() -> None:
    """Section 5: the Pagat is settled as an announced bonus."""
    game = referee("czech", "second_duty")
    assert game.made(game.start._replace(taken=(ALL_CARDS, 0, 0, 0)))


@pytest.mark.parametrize(
    ("variant", "contract", "made_with"),
    [
        ("koenigrufen", "bettler", {0}),
        ("koenigrufen", "piccolo", {1}),
        ("koenigrufen", "zwiccolo_ouvert", {2}),
        ("slovenian", "berac", {0}),
        ("slovenian", "valat", {12}),
        ("slovenian", "barvni_valat", {12}),
        ("house", "closed_barach_three", {0, 1, 2, 3}),
        ("house", "open_barach_one", {0, 1}),
        ("house", "colour_valat_two", {10, 11, 12}),
        ("house", "barcelona_full", {12}),
        ("texas", "zebrak", {0}),
    ],
)
def test_goals_in_tricks(variant: str, contract: str, made_with: set[int]) -> None:
    """Sections 3, 4, 6 and 7: at most, exactly, all but a number of tricks."""
    game = referee(variant, contract)
    states = {number: end(game, tricks=(number, 12 - number, 0, 0)) for number in range(13)}
    assert {number for number, state in states.items() if game.made(state)} == made_with


def test_games_of_everyone_have_no_declaring_side() -> None:
    """Section 3, trischaken: everyone alone; there are only the points of each seat."""
    game = referee("koenigrufen", "trischaken")
    with pytest.raises(ValueError, match="no declaring side"):
        game.value(game.start, "points")
    with pytest.raises(ValueError, match="no declaring side"):
        game.made(game.start)


# --- Who leads (sections 2 to 7) ---


@pytest.mark.parametrize(
    ("variant", "leaders"),
    [
        ("koenigrufen", "bettler bettler_ouvert piccolo piccolo_ouvert zwiccolo zwiccolo_ouvert"),
        ("slovenian", ""),
        ("czech", ""),
        ("texas", "povinost"),
        (
            "house",
            "no_peek closed_barach_* open_barach_* colour_valat_* barcelona_*",
        ),
    ],
)
def test_contracts_that_the_declarer_leads(variant: str, leaders: str) -> None:
    """Sections 3 to 7: the declarer leads these, forehand all others."""
    parts = ("three", "two", "one", "full")
    expected = {name.replace("*", part) for name in leaders.split() for part in parts if name}
    found = {
        name
        for name, record in rulebooks.variant(variant).contracts.items()
        if record.leader == "declarer"
    }
    assert found == expected


def test_option_declarer_leads_negative() -> None:
    """Section 4: the option concerns berač, not klop."""
    option = {"declarer_leads_negative": True}
    assert referee("slovenian", "berac", options=option).rules.leader == "declarer"
    assert referee("slovenian", "klop", options=option).rules.leader == "forehand"
    assert referee("slovenian", "tri", options=option).rules.leader == "forehand"


# --- States and replays ---


def test_fault_names_the_first_illegal_card() -> None:
    """Section 2: a recorded play that breaks the rules is an error that says which."""
    game = referee("koenigrufen", "rufer", hands=["S7 HK", "S8 HQ", "S9 HN", "SK HJ"])
    assert game.fault(game.start, parse_cards("S7 S8 HN")) == (
        parse_card("HN"),
        "must follow spades",
    )
    assert game.fault(game.start, parse_cards("S7 SK")) == (
        parse_card("SK"),
        "seat 1 does not hold it",
    )
    assert game.fault(game.start, parse_cards("S7 S8 S9 SK HJ")) is None


@pytest.mark.parametrize(("variant", "contract", "players"), GAMES)
def test_random_games(variant: str, contract: str, players: int) -> None:
    """Sections 1 and 2: there is always a legal card, and in the end the pack adds up."""
    rng = random.Random(f"{variant} {contract} {players}")
    size = hand_size(players)
    for bias in ("plain", "plain", "emperor"):
        deal = random_ending(
            rng, variant, contract, players, size, bias=bias, past=True, mid_trick=False
        )
        game = Referee(deal)
        state, tricks, table = game.start, [], []
        while not game.over(state):
            card = rng.choice(game.legal(state))
            table.append(card)
            if len(table) == players:
                tricks.append(Trick(state.leader, tuple(table)))
                table = []
            state = game.play(state, card)
        assert sum(state.tricks) == size
        assert (
            sum(taken.bit_count() for taken in state.taken)
            + len(state.talon)
            + sum(laid.bit_count() for laid in deal.discards)
            == PACK
        )
        weights = deal.book.weights
        lying = sum(weights[card] for card in state.talon)
        assert sum(game.points(state, seat) for seat in range(players)) + lying == sum(weights)
        _check_replay(deal, state, tuple(tricks))


def _check_replay(deal: Position, state: State, history: tuple[Trick, ...]) -> None:
    """Check that the finished deal, with its history, leads back to the first lead."""
    finished = Position(
        variant=deal.variant,
        contract=deal.contract,
        hands=state.hands,
        declarer=deal.declarer,
        partner=deal.partner,
        called=deal.called,
        leader=state.leader,
        taken=state.taken,
        tricks_won=state.tricks,
        history=history,
        talon=state.talon,
        discards=deal.discards,
        level=deal.level,
        announced=deal.announced,
        options=deal.options,
    )
    game = Referee(finished)
    assert game.start == state
    assert game.opening is not None
    assert game.opening.hands == deal.hands
    assert set(game.opening.talon) == set(deal.talon)
    cards = [card for trick in history for card in trick.cards]
    assert game.fault(game.opening, cards) is None
    assert play(game, game.opening, format_cards(cards)) == state


def test_before_trick_gives_the_cards_back() -> None:
    """The cards on the table return to the hands they came from."""
    for seed in range(50):
        ending = random_ending(random.Random(seed), "house", "klop", 3, 4, mid_trick=True)
        game = Referee(ending)
        assert {hand.bit_count() for hand in game.before_trick.hands} == {4}
        assert game.fault(game.before_trick, ending.trick) is None
        assert play(game, game.before_trick, format_cards(ending.trick)) == game.start


# --- Random endings ---


def test_endings_depend_on_the_seed_alone() -> None:
    """The same seed gives the same endings, another seed others."""

    def endings(seed: int) -> list[Position]:
        rng = random.Random(seed)
        return [random_ending(rng, "slovenian", "tri", 4, 3) for _ in range(10)]

    assert endings(1) == endings(1)
    assert endings(1) != endings(2)


@pytest.mark.parametrize("past", [True, False])
def test_endings_with_an_emperor_trick_ahead(past: bool) -> None:
    """Pagat, Mond and Sküs are in three different hands."""
    for seed in range(5):
        ending = random_ending(
            random.Random(seed), "koenigrufen", "bettler", 4, 3, bias="emperor", past=past
        )
        assert any(ending.taken) is past
        hands = Referee(ending).before_trick.hands
        assert sorted((hand & TRULL).bit_count() for hand in hands) == [0, 1, 1, 1]


def test_endings_with_the_called_card_out_of_the_talon() -> None:
    """The declarer has taken up the called king, or it lies in the talon that is credited."""
    for seed in range(5):
        ending = random_ending(
            random.Random(seed), "slovenian", "ena", 4, 3, bias="called_in_talon", mid_trick=False
        )
        assert ending.called in set(from_mask(ending.hands[ending.declarer or 0]))
        ending = random_ending(
            random.Random(seed), "texas", "ze_ruky", 4, 3, bias="called_in_talon"
        )
        assert ending.called in ending.talon


# --- The oracle ---


def test_oracle_finds_the_play_by_hand() -> None:
    """The Sküs must catch the Mond at once; after a spade lead it catches two small trumps."""
    game = referee("koenigrufen", "solodreier", hands=["T22 S7", "T21 C7", "T5 S8", "T4 S9"])
    assert best(game, game.start, "tricks") == 1
    assert best(game, game.start, "points") == 13 + 13 + 1 + 1
    assert card_values(game, game.start, "points") == {
        parse_card("T22"): 13 + 13 + 1 + 1,
        parse_card("S7"): 13 + 1 + 1 + 1,
    }


def test_oracle_minimises_tricks_in_negative_games() -> None:
    """The bettler's declarer wants few tricks, the defenders want to give him some."""
    game = referee("koenigrufen", "bettler", hands=["S8 H3", "S9 H4", "SK C7", "DK C8"])
    assert best(game, game.start, "tricks") == 0
    assert best(game, game.start, "made") == 1


@pytest.mark.parametrize(("variant", "contract"), EVERYONE)
def test_oracle_fewest(variant: str, contract: str) -> None:
    """A seat can always avoid at least what all others together can force on it."""
    ending = random_ending(random.Random(5), variant, contract, 4, 3, mid_trick=False)
    game = Referee(ending)
    for seat in range(4):
        value, cards = fewest(game, game.start, seat)
        choose = min if seat == game.player(game.start) else max
        assert value == choose(cards.values())
