"""The registry of rule books: what it holds, what it answers to a wrong name, what it refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trull.solver import rulebooks
from trull.solver.cards import NAMES, format_hand
from trull.solver.rulebooks import UnknownRule, every_contract
from trull.solver.rules import Contract, Variant, contracts, hand_size, in_force, named

CONTRACTS = [pytest.param(book, record, id=record.name) for book, record in every_contract()]


def test_the_registry_has_the_five_rule_books_under_their_names() -> None:
    assert list(rulebooks.VARIANTS) == ["koenigrufen", "slovenian", "czech", "texas", "house"]
    for name, book in rulebooks.VARIANTS.items():
        assert rulebooks.variant(name) is book
        assert book.name == name


@pytest.mark.parametrize(
    ("variant", "names"),
    [
        (
            "koenigrufen",
            "rufer solorufer pagatrufer uhurufer kakadurufer quapilrufer dreier sechserdreier "
            "solodreier farbendreier farbensolo trischaken piccolo zwiccolo bettler "
            "piccolo_ouvert zwiccolo_ouvert bettler_ouvert",
        ),
        (
            "slovenian",
            "tri dve ena solo_tri solo_dve solo_ena solo_brez klop berac odprti_berac "
            "barvni_valat valat",
        ),
        ("czech", "first_duty second_duty trojka solo warsaw"),
        ("texas", "povinost ze_ruky prever zebrak zebrak_trump"),
        (
            "house",
            "partnered_three partnered_two partnered_one solo_three solo_two solo_one no_peek "
            "closed_barach_three closed_barach_two closed_barach_one closed_barach_full "
            "open_barach_three open_barach_two open_barach_one open_barach_full "
            "colour_valat_three colour_valat_two colour_valat_one colour_valat_full "
            "barcelona_three barcelona_two barcelona_one barcelona_full klop scarecrow",
        ),
    ],
)
def test_every_contract_of_the_rules_is_there(variant: str, names: str) -> None:
    assert sorted(rulebooks.variant(variant).contracts) == sorted(names.split())


@pytest.mark.parametrize(("book", "record"), CONTRACTS)
def test_a_contract_is_found_by_name_and_is_sound(book: Variant, record: Contract) -> None:
    assert rulebooks.contract(book.name, record.name) is record
    assert record.values
    assert set(record.values) <= {2, 3, 4}
    assert sum(record.discards) in (0, 1, 2, 3, 6)
    assert len(record.discards) <= min(record.values)
    # A contract as it stands is in force when nothing is announced and no option set.
    if record.bird is None:
        assert in_force(book, record, (), {}) == record


@pytest.mark.parametrize(
    ("variant", "contract", "words"),
    [
        ("klop", "klop", "unknown variant 'klop': expected koenigrufen, slovenian, czech"),
        ("czech", "troika", "has no contract 'troika': did you mean 'trojka'?"),
        ("texas", "trischaken", "has no contract 'trischaken': it belongs to Königrufen"),
        ("czech", "klop", "it belongs to Tarok (Slovenia) and House Rules tarock"),
        ("czech", "???", "it has first_duty, second_duty, trojka, solo, warsaw"),
    ],
)
def test_a_wrong_name_is_answered_with_help(variant: str, contract: str, words: str) -> None:
    with pytest.raises(UnknownRule) as caught:
        rulebooks.contract(variant, contract)
    assert words in str(caught.value)


ALONE = Contract(name="test", source="", values={4: 1}, sides="alone", goal="majority")
EVERYONE = replace(ALONE, sides="everyone", goal="fewest_points", talon="tricks", doubling=False)


@pytest.mark.parametrize(
    ("sound", "differences", "words"),
    [
        (ALONE, {"trump_lead_last": True}, "trump_lead_last needs suspended trumps"),
        (ALONE, {"talon": "called_half"}, "talon 'called_half' needs a called card"),
        (ALONE, {"talon": "called_card"}, "talon 'called_card' needs a called card"),
        (ALONE, {"talon": "called_king"}, "talon 'called_king' needs a called card"),
        (ALONE, {"talon": "tricks"}, "only games of everyone give the talon to tricks"),
        (ALONE, {"goal": "fewest_points"}, "the fewest points need everyone alone"),
        (ALONE, {"calls": 19}, "a game without a partner calls no card"),
        (ALONE, {"bird": "mond"}, "unknown bird 'mond'"),
        (ALONE, {"goal_needs_bird": True}, "goal_needs_bird needs a bird"),
        (ALONE, {"bonuses": ("pagat", "trula")}, "unknown bonuses ['trula']"),
        (EVERYONE, {"doubling": True}, "nobody doubles where everyone plays alone"),
    ],
)
def test_knobs_that_contradict_each_other_are_refused(
    sound: Contract, differences: dict[str, object], words: str
) -> None:
    with pytest.raises(ValueError, match="test: ") as caught:
        named(sound, "test", **differences)
    assert words in str(caught.value)


def test_a_name_may_be_used_once_in_a_rule_book() -> None:
    with pytest.raises(ValueError, match="defined twice"):
        contracts(ALONE, EVERYONE)


def test_every_player_gets_as_many_cards_as_the_pack_has_for_him() -> None:
    assert [hand_size(players) for players in (4, 3, 2)] == [12, 16, 27]


@pytest.mark.parametrize("name", rulebooks.VARIANTS)
def test_the_cards_of_a_rule_book_weigh_what_the_pack_holds(name: str) -> None:
    book = rulebooks.variant(name)
    assert sum(book.weights) == {"thirds": 210, "face": 106}[book.counting]
    assert sorted(book.rank_order) == list(range(len(NAMES)))


@pytest.mark.parametrize(
    ("name", "pips"),
    [
        ("koenigrufen", "HA H2 H3 H4"),
        ("texas", "HA H4 H3 H2"),
        ("house", "H4 H3 H2 HA"),
    ],
)
def test_red_pips_rank_as_the_rule_book_says(name: str, pips: str) -> None:
    order = rulebooks.variant(name).rank_order
    ranked = sorted((NAMES.index(pip) for pip in pips.split()), key=lambda card: -order[card])
    assert " ".join(NAMES[card] for card in ranked) == pips


@pytest.mark.parametrize(
    ("name", "count"), [("koenigrufen", 8), ("slovenian", 4), ("czech", 22), ("house", 4)]
)
def test_the_cards_that_may_be_called(name: str, count: int) -> None:
    assert len(format_hand(rulebooks.variant(name).callable_cards).split()) == count


@pytest.mark.parametrize(
    ("variant", "contract", "announced", "options", "changed"),
    [
        ("czech", "solo", ["pagat"], {}, {"pagat": ("announced",)}),
        ("czech", "second_duty", [], {}, {"pagat": ("announced",)}),
        ("texas", "prever", ["pagat"], {}, {"pagat": ("announced", "no_lead")}),
        ("koenigrufen", "pagatrufer", [], {}, {}),
        ("slovenian", "tri", ["pagat"], {}, {}),
        ("house", "solo_one", ["french"], {}, {"overtaking": "trumps"}),
        ("house", "barcelona_full", ["fool_high"], {}, {"fool": "high"}),
        ("texas", "povinost", [], {"emperor": True}, {"emperor": "on"}),
        ("texas", "zebrak", [], {"emperor": True}, {"emperor": "trump_led"}),
        ("slovenian", "berac", [], {"declarer_leads_negative": True}, {"leader": "declarer"}),
        ("slovenian", "klop", [], {"declarer_leads_negative": True}, {}),
        ("slovenian", "tri", [], {"declarer_leads_negative": True}, {}),
    ],
)
def test_announcements_and_options_turn_knobs(
    variant: str,
    contract: str,
    announced: list[str],
    options: dict[str, object],
    changed: dict[str, object],
) -> None:
    book, record = rulebooks.variant(variant), rulebooks.contract(variant, contract)
    assert in_force(book, record, announced, options) == named(record, contract, **changed)
