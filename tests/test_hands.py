"""One hand: announcements, counts and bids, with the worked examples of the rule books."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from commands import DEALS, REPOSITORY, trull
from deals import DREIER, SOLO_TRI
from trull.solver import rulebooks
from trull.solver.cards import PACK, format_hand, to_mask
from trull.solver.hands import FEATURES, Hand, Report, features, judge, parse_hand_cards, read_hands
from trull.solver.interchange import Rejected
from trull.solver.rulebooks import VARIANTS
from trull.solver.validation import PositionError


def report_on(variant: str, cards: str, seat: int | None = None) -> Report:
    return judge(Hand(variant=variant, cards=parse_hand_cards(cards), seat=seat))


def announced(variant: str, cards: str) -> dict[str, int]:
    report = report_on(variant, cards)
    found = {bonus.name: bonus.value for bonus in report.announcements}
    assert report.from_each_opponent == sum(found.values())
    return found


# --- Announcements ---


TEXAS = [
    # The example of the source: eight trumps with the trull, and a king.
    ("T22,21,9,8,7,6,5,1.SK10.H4.CQ", "tarocky 2 trull_pani 4"),
    ("T19,18,17,16,15,14,13,12,11.SQ.H4.D2", "tarocky 2"),
    ("T19,18,17,16,15,14,13,12,11,10.SQ.H4", "taroky 4"),
    ("T22,21,17,16,15,14,13,12,11,10,9,1", "taroky 4 trull 2"),
    ("T5.SQNJ10.HQN4.DQN2.C7", "bida 2"),
    ("T5,6.SQNJ10.HQN4.DQN2", "bida 2"),
    ("SQNJ10.HQN4.DQN2.CQ7", "zebrak 4"),
    ("T5,6,7.SQNJ10.HQN4.DQN", ""),
    # Pani: any four cards of five points in these combinations.
    ("T22,21,5.SKQ10.HKQ4.DQN2", "pani 2"),
    ("T21,5,1.SKQ10.HKQ4.DQN2", "pani 2"),
    ("T22,5,1.SKQ10.HKQ4.DQN2", "pani 2"),
    ("T22,5,6.SKQ10.HKQ4.DKN2", "pani 2"),
    ("T21,5,6.SKQ10.HKQ4.DKN2", "pani 2"),
    ("T5,6,1.SKQ10.HKQ4.DKN2", "pani 2"),
    ("T22,21,6.SKQ10.HKQ4.DKN2", "pani 2"),
    ("T22,5,6.SKQ10.HKQ4.DQN2", ""),
    ("T22,21,6.SKQ10.HQN4.DQN2", ""),
    ("T4,5,6.SKQ10.HKQ4.DKN2", ""),
    ("T22,21,1.SQJ10.HQN4.DQN2", "trull 2"),
    ("T22,21,1.SKQ10.HKQ4.DKN2", "trull_pani 4"),
    ("T5,6,7.SKQ10.HKQ4.DK.CK7", "krale 4"),
    ("T22,6,7.SKQ10.HKQ4.DK.CK7", "rozani_pani 6"),
    ("T22,6,1.SKQ10.HKQ4.DK.CK7", "rozani_pani 6"),
    ("T22,21,1.SKQ10.HKQ4.DK.CK7", "spjst 10"),
    ("SKQ10.HKQ4.DKQN.CKQ7", "zebrak 4 krale 4"),
]
CZECH = [
    ("T19,18,17,16,15,14,13,12,11,10.SQ.H4", "trumps_10_12 10"),
    ("T22,21,17,16,15,14,13,12,11,10,9,1", "trumps_10_12 10 trull 5"),
    ("SQNJ10.HQN4.DQN2.CQ7", "no_trump 10"),
    ("T1.SQNJ10.HQN4.DQN2.C7", "pagat_alone 10"),
    ("T5.SQNJ10.HQN4.DQN2.C7", "trumps_1_2 5"),
    ("T5,1.SQNJ10.HQN4.DQN2", "trumps_1_2 5"),
    ("T19,18,17,16,15,14,13,12.SQ.H4.D24", "trumps_8_9 5"),
    ("T19,18,17,16,15,14,13,12,11.SQ.H4.D2", "trumps_8_9 5"),
    ("T22,21,1.SQJ10.HQN4.DQN2", "trull 5"),
    ("T22,21,1.SKJ10.HQN4.DQN2", "trull 5 five_point_cards 5"),
    ("T22,5,6.SKQ10.HKQ4.DKN2", "five_point_cards 5"),
    ("T5,6,7.SKQ10.HKQ4.DK.CK7", "four_kings 10"),
    ("T22,21,1.SKQ10.HKQ4.DK.CK7", "trull 5 four_kings 10"),
    ("T5,6,7.SKQ10.HKQ4.DKN2", ""),
]


@pytest.mark.parametrize(("cards", "names"), TEXAS)
def test_texas(cards: str, names: str) -> None:
    words = names.split()
    expected = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    assert announced("texas", cards) == expected


@pytest.mark.parametrize(("cards", "names"), CZECH)
def test_czech(cards: str, names: str) -> None:
    words = names.split()
    expected = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    assert announced("czech", cards) == expected


@pytest.mark.parametrize(("variant", "examples"), [("texas", TEXAS), ("czech", CZECH)])
def test_every_bonus_has_an_example(variant: str, examples: list[tuple[str, str]]) -> None:
    names = {bonus.name for bonuses in VARIANTS[variant].hand_bonuses for bonus in bonuses}
    assert names == {word for _, words in examples for word in words.split()[::2]}


@pytest.mark.parametrize("variant", ["koenigrufen", "slovenian", "house"])
def test_elsewhere_nothing_is_announced(variant: str) -> None:
    assert announced(variant, "T22,21,1.SKQ10.HKQ4.DK.CK7") == {}


# --- Features ---


def test_features() -> None:
    counted = report_on("koenigrufen", "T22,17,16,15,10,9,4,1.SK.HQ4.DJ").features
    assert counted == {
        "trumps": 8,
        "big_trumps": 3,
        "middle_trumps": 2,
        "small_trumps": 3,
        "honours": 2,
        "top_trumps": 1,
        "pagat": 1,
        "birds": 2,
        "kings": 1,
        "queens": 1,
        "five_point_cards": 3,
        "points": 13 * 2 + 6 + 13 + 10 + 1 + 4,
        "suit_cards": 4,
        "spades": 1,
        "hearts": 2,
        "diamonds": 1,
        "clubs": 0,
        "longest_suit": 2,
        "voids": 1,
        "open_suits": 2,
        "short_kings": 1,
        "short_queens": 1,
        "bare_courts": 2,
        "end_cards": 1,
        "dreier_points": 8 + 3 + 1,
    }
    assert list(counted) == list(FEATURES)
    notes = (REPOSITORY / "docs" / "hands.md").read_text(encoding="utf-8")
    for name, feature in FEATURES.items():
        assert f"| `{name}` | {feature.meaning} |" in notes


def test_points_are_counted_as_the_variant_counts() -> None:
    cards = "T22,17,16,15,10,9,4,1.SK.HQ4.DJ"
    assert report_on("texas", cards).features["points"] == 5 * 2 + 6 + 5 + 4 + 1 + 2
    assert report_on("czech", cards).features["points"] == 60


def test_short_cards() -> None:
    counted = report_on("czech", "T5,6,7.SKQ.HQJ4.DKA.CQ7").features
    assert (counted["short_kings"], counted["short_queens"], counted["open_suits"]) == (2, 1, 2)


def test_the_lowest_card_of_a_red_suit_is_the_variant_s() -> None:
    cards = "T5,6,7,8.SQNJ7.HA4.D2.CK"
    lowest = {variant: report_on(variant, cards).features["end_cards"] for variant in VARIANTS}
    assert lowest == {"koenigrufen": 2, "slovenian": 2, "czech": 2, "texas": 2, "house": 2}
    aces = "T5,6,7,8.SQNJ8.HA.D2.CK9"
    assert report_on("house", aces).features["end_cards"] == 1
    assert report_on("texas", aces).features["end_cards"] == 1
    assert report_on("czech", aces).features["end_cards"] == 0


def test_the_fool_of_the_house_rules_is_no_trump() -> None:
    counted = report_on("house", "T22,20,5.SQNJ8.HA.D2.CK98").features
    assert (counted["trumps"], counted["big_trumps"], counted["top_trumps"]) == (2, 1, 0)
    assert (counted["honours"], counted["dreier_points"]) == (1, 4)


def test_numbers_add_up() -> None:
    rng = random.Random(1)
    for variant, book in VARIANTS.items():
        for size in (12, 16) if variant in ("slovenian", "house") else (12,):
            counted = features(to_mask(rng.sample(range(PACK), size)), book)
            parts = ("small_trumps", "middle_trumps", "big_trumps")
            assert counted["trumps"] == sum(counted[part] for part in parts)
            suits = ("spades", "hearts", "diamonds", "clubs")
            assert counted["suit_cards"] == sum(counted[suit] for suit in suits)
            fool = variant == "house" and counted["trumps"] + counted["suit_cards"] < size
            assert counted["trumps"] + counted["suit_cards"] + fool == size


@pytest.mark.parametrize(
    ("cards", "advised"),
    [
        # Dreier: at least 7 trumps with Sküs or Mond, some more high ones, 1 or 2 kings.
        ("T22,19,18,12,9,8,5.SK.HK4.DQ2", "dreier sechserdreier"),
        ("T22,17,12,10,9,8,5.SK.HQ4.DQ2", "solorufer sechserdreier"),
        ("T21,12,9,8,5.SKQ.HK4.DQ2.C7", "solorufer"),
        ("T20,12,9,8,5.SKQ.HK4.DQ2.C7", ""),
        ("T20,12,9,8,5,1.SKQ.HK.DQ2.C7", "pagatrufer"),
        ("T20,12,9,8,5,4,1.SQ.HQ3.DQ2", "pagatrufer"),
        ("T20,12,9,8,5,2,1.SQ.HQ3.DQ2", "pagatrufer uhurufer"),
        ("T14,12,9,8,5,4,3,2.SQ.HQ3.D2", "uhurufer kakadurufer quapilrufer"),
        # Solodreier: 9 trumps, 4 high ones, a card of the trull, a short king, one open suit.
        ("T22,20,19,18,9,8,7,6,5.SK.HQ4", "dreier sechserdreier solodreier"),
        ("T22,20,19,9,8,7,6,5,10.SK.HQ4", "dreier sechserdreier"),
        ("T22,20,19,18,9,8,7,6,5.SK.HQ.D4", "dreier sechserdreier"),
    ],
)
def test_rules_of_thumb(cards: str, advised: str) -> None:
    rules = report_on("koenigrufen", cards).rules_of_thumb
    assert {contract for contract, holds in rules.items() if holds} == set(advised.split())


def test_rules_of_thumb_are_about_contracts_and_features() -> None:
    for book in VARIANTS.values():
        for rule in book.rules_of_thumb:
            assert rule.contract in book.contracts
            assert set(rule.needs) <= set(FEATURES)
        for bonus in (bonus for bonuses in book.hand_bonuses for bonus in bonuses):
            assert set(bonus.needs) <= set(FEATURES)


# --- Bids ---

PLAIN = "T22,17,12,10,9,8.SK10.HQ4.DQ.CQ"
FOREHAND = {
    "koenigrufen": "rufer trischaken sechserdreier",
    "slovenian": "klop tri",
    "czech": "first_duty warsaw",
    "texas": "povinost",
    "house": "",
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_only_forehand_may_bid(variant: str) -> None:
    unknown = report_on(variant, PLAIN)
    first, other = report_on(variant, PLAIN, 0), report_on(variant, PLAIN, 3)
    only = set(FOREHAND[variant].split())
    assert set(first.bids) - set(other.bids) == only
    assert unknown.bids == other.bids
    assert unknown.forehand_bids == first.bids
    assert first.forehand_bids is None


def test_bids_stand_from_the_lowest_to_the_highest() -> None:
    full = "T22,21,3,2,1,4.SK.HQ.DQ.CQ98"
    assert " ".join(report_on("koenigrufen", full).bids) == (
        "piccolo zwiccolo solorufer pagatrufer bettler uhurufer farbendreier dreier "
        "piccolo_ouvert zwiccolo_ouvert kakadurufer bettler_ouvert quapilrufer farbensolo "
        "solodreier"
    )
    assert report_on("czech", full, 1).bids == ("second_duty", "trojka", "solo")
    assert report_on("texas", full, 0).bids == ("povinost", "zebrak", "ze_ruky", "prever")


def test_every_bid_is_a_contract() -> None:
    for book in VARIANTS.values():
        names = {bid.contract for bid in book.bids}
        assert names <= set(book.contracts)
        assert all(set(bid.least) <= set(FEATURES) for bid in book.bids)
    left_out = set(VARIANTS["house"].contracts) - {bid.contract for bid in VARIANTS["house"].bids}
    assert left_out == {"klop", "scarecrow"}


@pytest.mark.parametrize(
    ("variant", "cards", "barred"),
    [
        ("texas", "SQNJ10.HQN4.DQN2.CQ7", {"povinost": "needs 1 or more trumps, has 0"}),
        ("texas", "T20,5.SQNJ10.HQN4.DQN2",
         {"ze_ruky": "not with T20 in hand, which it calls"}),
        ("czech", PLAIN, {"second_duty": "needs T1"}),
        ("koenigrufen", "T22,17,12,10,9,8,1.SK10.HQ4.DQ",
         {"uhurufer": "needs T2", "kakadurufer": "needs T3", "quapilrufer": "needs T4",
          "farbendreier": "needs 6 or more suit cards, has 5",
          "farbensolo": "needs 6 or more suit cards, has 5"}),
        ("slovenian", "T22,17,12,10,9,8.SK10.HK4.DK.CK",
         {name: "every card that may be called is in hand" for name in ("tri", "dve", "ena")}),
    ],
)  # fmt: skip
def test_what_a_hand_may_not_bid(variant: str, cards: str, barred: dict[str, str]) -> None:
    report = report_on(variant, cards)
    assert report.barred == barred
    assert not set(barred) & {*report.bids, *(report.forehand_bids or ())}


def test_three_players() -> None:
    cards = "T22,17,12,10,9,8,7,6,5.SK10.HQ4.DQ.CQ7"
    report = report_on("slovenian", cards)
    assert report.bids == ("solo_dve", "solo_ena", "berac", "solo_brez", "valat")
    assert report.forehand_bids == ("klop", "solo_tri", *report.bids)


@pytest.mark.parametrize(
    ("variant", "cards", "fate"),
    [
        ("slovenian", "SKQNJ.HKQNJ.DKQNJ", "redealt"),
        ("house", "T22.SKQNJ.HKQNJ.DKQN", "klop"),
        ("house", "T22,1.SKQNJ.HKQNJ.DKQ", None),
        ("slovenian", "T22.SKQNJ.HKQNJ.DKQN", None),
        ("texas", "SKQNJ.HKQNJ.DKQNJ", None),
    ],
)
def test_a_hand_without_trumps(variant: str, cards: str, fate: str | None) -> None:
    report = report_on(variant, cards)
    assert report.without_trumps == fate
    assert bool(report.bids) == (fate is None)


# --- Reading ---


def answer_to(*words: str, stdin: str = "") -> dict[str, Any]:
    done = trull("hand", "--json", *words, stdin=stdin)
    (line,) = done.stdout.splitlines()
    answer: dict[str, Any] = json.loads(line)
    assert done.returncode == (2 if "error" in answer else 0)
    return answer


def test_the_command() -> None:
    cards = "T22 T21 T9 T8 T7 T6 T5 T1 SK S10 H4 CQ"
    line = json.dumps({"id": 7, "variant": "texas", "hand": cards, "seat": 0, "x_a": 1})
    answer = answer_to("-", stdin=line)
    assert list(answer) == [
        "id", "seat", "x_a", "announcements", "from_each_opponent", "unit", "features",
        "rules_of_thumb", "bids", "barred",
    ]  # fmt: skip
    assert answer["announcements"] == [
        {"id": "trull_pani", "value": 4}, {"id": "tarocky", "value": 2}
    ]  # fmt: skip
    assert (answer["id"], answer["x_a"], answer["from_each_opponent"]) == (7, 1, 6)
    assert answer["features"]["dreier_points"] == 11
    kept = {"announcements", "features", "bids", "barred"}
    for spelling in (cards, cards.replace(" ", ","), "T22,21,9,8,7,6,5,1.SK10.H4.CQ"):
        again = answer_to("--variant", "texas", "--seat", "0", spelling)
        assert {key: again[key] for key in kept} == {key: answer[key] for key in kept}


def test_a_report() -> None:
    cards = "T22,21,9,8,7,6,5,1.SK10.H4.CQ"
    shown = trull("hand", "--variant", "texas", cards).stdout
    assert "Announces trull_pani 4, tarocky 2: 6 from each opponent." in shown
    assert "Forehand may also bid povinost." in shown
    assert "31 points" in shown
    assert max(map(len, shown.splitlines())) <= 80
    plain = trull("hand", "--variant", "czech", cards, PYTHONIOENCODING="ascii").stdout
    assert plain.isascii()
    assert "Forehand may not bid second_duty." in plain


def test_positions_give_the_hands_of_all_seats() -> None:
    done = trull("hand", "--json", DEALS / "texas_prever.json")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["seat"] for answer in answers] == [0, 1, 2, 3]
    deal = "koenigrufen:dreier@3 " + " ".join(
        hand.replace(" ", ".") for hand in DREIER["hands"]
    )  # fmt: skip
    hands = list(read_hands([deal, json.dumps(SOLO_TRI)]))
    assert [hand.seat for hand in hands if isinstance(hand, Hand)] == [0, 1, 2, 3, 0, 1, 2]


def test_lines_of_cards_where_the_variant_is_given() -> None:
    deal = [format_hand(to_mask(range(seat * 12, seat * 12 + 12))) for seat in range(4)]
    hands = list(read_hands(deal, "czech"))
    assert [hand.cards for hand in hands if isinstance(hand, Hand)] == [
        to_mask(range(seat * 12, seat * 12 + 12)) for seat in range(4)
    ]


ELEVEN = "T22 T21 T9 T8 T7 T6 T5 T1 SK S10 H4"
FAULTS: list[tuple[dict[str, object], str]] = [
    ({}, "variant: missing, but required"),
    ({"variant": "texas"}, "hand: missing, but required"),
    ({"variant": "teksas", "hand": ELEVEN}, "variant: unknown variant 'teksas': expected"),
    ({"variant": 1, "hand": ELEVEN}, "variant: 1, expected a text"),
    ({"variant": "texas", "hand": ELEVEN}, "hand: 11 cards, expected 12 in Taroky (Texas)"),
    ({"variant": "house", "hand": ELEVEN}, "hand: 11 cards, expected 12 or 16 in House Rules"),
    ({"variant": "texas", "hand": f"{ELEVEN} CX"}, "hand: unknown card 'CX'"),
    ({"variant": "texas", "hand": f"{ELEVEN} T1"}, "hand: card T1 appears twice"),
    ({"variant": "texas", "hand": [ELEVEN]}, "hand: a list, expected a text with cards"),
    ({"variant": "texas", "hand": f"{ELEVEN} CQ", "seat": 4}, "seat: there is no seat 4"),
    ({"variant": "texas", "hand": f"{ELEVEN} CQ", "seat": "0"}, 'seat: "0", expected a whole'),
    ({"variant": "texas", "hnd": ELEVEN}, "unknown key \"hnd\", did you mean 'hand'?"),
    ({"variant": "texas", "contract": "prever", "hands": [ELEVEN]}, "hands: 1 of them"),
]


@pytest.mark.parametrize(("data", "words"), FAULTS, ids=range(len(FAULTS)))
def test_a_fault_names_the_key(data: dict[str, object], words: str) -> None:
    (item,) = read_hands([json.dumps({**data, "id": 3})])
    assert isinstance(item, Rejected)
    assert item.error.startswith(words)
    assert item.id == 3


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["T22,21.SK10"], "variant: missing, but required"),
        (["--variant", "texas", "T22,21.SK10"], "hand: 4 cards, expected 12"),
        (["--variant", "texas", "T22 T21 T30"], "hand: unknown card 'T30'"),
        (["--variant", "texas", "--seat", "5", f"{ELEVEN} CQ"], "seat: there is no seat 5"),
    ],
)
def test_a_faulty_argument_is_answered(words: list[str], error: str) -> None:
    assert answer_to(*words)["error"].startswith(error)


def test_a_missing_file() -> None:
    done = trull("hand", "nowhere.json")
    assert done.returncode == 2
    assert done.stderr == "trull: nowhere.json: No such file or directory\n"


def test_a_hand_is_checked_when_it_is_built() -> None:
    with pytest.raises(PositionError, match="hand: 1 card, expected 12"):
        Hand(variant="czech", cards=1)
    assert rulebooks.variant("czech") is Hand(variant="czech", cards=to_mask(range(12))).book
