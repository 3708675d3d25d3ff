"""The hand analyser before the play: the race, what to bid, the exchange, the command."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from commands import trull
from trull.analysis.advice import AdviceError, BidQuestion, Effort, ExchangeQuestion
from trull.analysis.advice.asking import Asked, question_of
from trull.analysis.advice.drawing import Seen
from trull.analysis.advice.racing import Expired, Race, Row, looks
from trull.analysis.advice.valuing import Outcome, contract_outcome, swing
from trull.analysis.deals import DealError
from trull.analysis.exchange import exchange
from trull.analysis.exchange.legality import may_lay_away
from trull.solver import Position, rulebooks, solve
from trull.solver.cards import from_mask, parse_cards, to_mask
from trull.solver.hands import parse_hand_cards
from trull.solver.interchange import parse_position
from trull.solver.kernel.engine import Engine
from trull.solver.rulebooks import UnknownRule
from trull.solver.settlement import Facts, Scoring
from trull.solver.validation import PositionError

MONSTER = "T22,21,20,19,18,17,16,15,14,13.SK.HK"
POOR = "T12,4.SQ87.HQ3.DQ4.CQJ10"
PLAIN = "T22,18,12,8,6,3.SK.H4.DKQ4.C10"


def effort(deals: int, **changes: Any) -> Effort:
    return replace(Effort(deals=deals, seconds=None, nodes=30_000, memory=4), **changes)


def seen(hand: str, seat: int = 1, variant: str = "koenigrufen", **more: Any) -> Seen:
    return Seen(variant=variant, seat=seat, hand=parse_hand_cards(hand), **more)


def names(found: dict[str, Any]) -> list[str | None]:
    return [choice["contract"] for choice in found["choices"]]


# --- The race ---


def race(means: Sequence[float], spread: float, deals: int, seed: int = 0) -> Race:
    """Run a race between choices whose values are normal and share half of their variance."""
    valued: list[tuple[int, tuple[int, ...]]] = []

    def evaluate(_engine: Engine, number: int, active: Sequence[int], _expired: Expired) -> Row:
        valued.append((number, tuple(active)))
        common = random.Random(f"{seed} {number}").gauss(0, spread)
        own = random.Random(f"own {seed} {number}")
        noise = [own.gauss(0, spread) for _ in means]
        return {at: Outcome(means[at] + common + noise[at]) for at in active}

    found = Race(swings=[spread] * len(means), evaluate=evaluate, effort=effort(deals, memory=0))
    found.run()
    assert [number for number, _ in valued] == list(range(len(found.rows)))
    return found


def test_a_clear_leader_ends_the_race_early() -> None:
    found = race([0, 50, 20], spread=5, deals=1000)
    assert found.settled
    assert found.active == [1]
    assert len(found.rows) in (8, 16, 32)


def test_choices_drop_out_one_by_one() -> None:
    found = race([100, 97, -100], spread=10, deals=64)
    assert found.active == [0, 1]
    assert not found.settled
    assert len(found.rows) == 64
    assert len(found.outcomes(2)) < len(found.outcomes(1)) == 64


def test_the_best_choice_seldom_drops_out() -> None:
    lost = sum(0 not in race([1, 0, 0], 10, 32, seed).active for seed in range(60))
    assert lost <= 3


def test_a_few_deals_without_spread_settle_nothing() -> None:
    """A contract that is lost on eight deals may be made on the ninth."""

    def evaluate(_engine: Engine, _number: int, active: Sequence[int], _expired: Expired) -> Row:
        return {at: Outcome((-150.0, -60.0)[at]) for at in active}

    def run(swings: Sequence[float], deals: int) -> Race:
        found = Race(swings=swings, evaluate=evaluate, effort=effort(deals, memory=0))
        found.run()
        return found

    assert run([300, 120], 8).active == [0, 1]
    assert run([300, 120], 64).active == [1]


def test_equal_choices_settle_the_race() -> None:
    def evaluate(_engine: Engine, number: int, active: Sequence[int], _expired: Expired) -> Row:
        return {at: Outcome(float(number % 3)) for at in active}

    found = Race(swings=[1, 1], evaluate=evaluate, effort=effort(100, memory=0))
    found.run()
    assert found.settled
    assert found.active == [0, 1]
    assert len(found.rows) == 32


def test_the_time_ends_a_race_between_deals() -> None:
    def evaluate(_engine: Engine, number: int, active: Sequence[int], _expired: Expired) -> Row:
        return {at: Outcome(float(number)) for at in active}

    found = Race(swings=[1, 1], evaluate=evaluate, effort=effort(100, memory=0, seconds=0))
    found.run()
    assert not found.rows
    assert not found.settled


def test_looks_double_and_end_with_all_deals() -> None:
    assert list(looks(100)) == [8, 16, 32, 64, 100]


# --- What a contract comes to ---


ENDING: dict[str, Any] = {
    "variant": "koenigrufen",
    "contract": "dreier",
    "hands": ["T22 SK", "T21 SQ", "T5 S8", "T2 C7"],
}


def deal(contract: str, variant: str = "koenigrufen", hand: str = PLAIN) -> Position:
    return exchange(seen(hand, seat=0, variant=variant).deal(0), contract, 0).position


def test_scores_and_games_agree_with_the_solver() -> None:
    position = deal("bettler")
    found = contract_outcome(Engine(4), position, "score", None)
    answer = solve(position, "score", cards="none", pv=False)
    assert (found.value, found.exact) == (answer.value, True)
    assert found.made == solve(position, "made", cards="none", pv=False).value


def test_the_game_alone_is_settled_by_its_points() -> None:
    position = parse_position({**ENDING, "variant": "slovenian", "contract": "solo_tri"})
    found = contract_outcome(Engine(4), position, "game", None)
    points = solve(position, "points", cards="none").value
    made = points >= position.book.threshold
    parts = Scoring(position).parts(Facts(points=points, tricks=1, made=made))
    assert found == Outcome(parts["game"], made)


def test_a_limit_leaves_approximate_values_within_the_bounds() -> None:
    position = deal("dreier")
    found = contract_outcome(Engine(4), position, "score", 50)
    assert found.exact is False
    assert found.value is not None
    assert abs(found.value) <= 900


def test_swings_are_what_winning_changes() -> None:
    assert swing(deal("bettler")) == 2 * 3 * 40
    assert swing(deal("dreier")) == 2 * 3 * 50
    assert swing(deal("pagatrufer", hand=MONSTER.replace("13", "1"))) == 2 * (10 + 20)


# --- What to bid ---


def test_deals_hold_what_the_bidder_knows() -> None:
    known = seen(
        PLAIN, seat=2, talon=parse_cards("C9 T11 S9 HQ"), where=("seat0.trumps >= 7",), seed=4
    )
    hands = set()
    for number in range(20):
        found = known.deal(number)
        assert found.hands[2] == known.hand
        assert found.talon[:4] == known.talon
        assert (found.hands[0] & to_mask(range(22))).bit_count() >= 7
        hands.add(found.hands)
    assert len(hands) == 20
    assert known.deal(5) == seen(PLAIN, seat=2, talon=known.talon, where=known.where, seed=4).deal(
        5
    )


def test_hands_without_trumps_are_left_out_where_the_rule_book_does() -> None:
    known = seen("T22,21,20,19,18,17,16,15,14,13,12,11,10.SK.HK.DK", variant="house")
    book = rulebooks.variant("house")
    assert all(hand & book.hand_trumps for number in range(20) for hand in known.deal(number).hands)


def test_a_monster_bids_and_a_poor_hand_passes() -> None:
    contracts = ("bettler", "dreier", "solodreier")
    monster = BidQuestion(seen=seen(MONSTER), contracts=contracts, measure="game")
    found = monster.answer(effort(8)).to_dict()
    assert found["recommended"] == {"contract": "solodreier"}
    assert names(found)[:2] == ["solodreier", "dreier"]
    assert found["choices"][0]["made"]["mean"] == 1
    assert found["choices"][0]["value"]["mean"] == 300
    assert found["margin"]["over"] == {"contract": "dreier"}
    assert found["margin"]["mean"] == 150
    poor = BidQuestion(seen=seen(POOR), contracts=contracts, measure="game")
    found = poor.answer(effort(8)).to_dict()
    assert found["recommended"] == {"contract": None}
    assert found["margin"]["mean"] > 0


def test_every_contract_that_may_be_bid_is_ranked() -> None:
    question = BidQuestion(seen=seen(POOR, seat=0), measure="game")
    found = question.answer(effort(2, nodes=500)).to_dict()
    everyone = {choice["contract"] for choice in found["not_ranked"]}
    assert everyone == {"trischaken"}
    assert {*names(found), *everyone} == {*question.report.bids, None}
    starred = {choice["contract"] for choice in found["choices"] if "if_all_pass" in choice}
    assert starred == {"rufer", "sechserdreier"}


def test_workers_and_time_change_nothing_that_is_finished() -> None:
    question = BidQuestion(seen=seen(POOR), contracts=("bettler", "piccolo"))
    first = question.answer(effort(8)).to_dict()
    assert question.answer(effort(8, workers=2)).to_dict() == first
    assert question.answer(effort(8, seconds=600)).to_dict() == first
    other = BidQuestion(seen=replace(question.seen, seed=9), contracts=question.contracts)
    assert other.answer(effort(8)).to_dict()["seed"] == 9


def test_a_hand_without_trumps_ends_the_bidding() -> None:
    with pytest.raises(AdviceError, match="no trump, so the deal is redealt"):
        seen("SKQJ.HKQJ3.DKQJ.CKQJN98", variant="slovenian")
    with pytest.raises(AdviceError, match="no trump, so the deal is a klop"):
        seen("T22.SKQJ.HKQJ.DKQJ.CKQJN98", variant="house")


# --- The exchange ---


TALON = parse_cards("HQ H2 D3 CJ T11 S9")


def exchange_question(contract: str, talon: Sequence[int] = TALON, **more: Any) -> ExchangeQuestion:
    variant = more.pop("variant", "koenigrufen")
    known = seen(PLAIN, seat=0, variant=variant, talon=tuple(talon))
    return ExchangeQuestion(seen=known, contract=contract, **more)


def test_candidates_are_legal_and_cover_every_call_and_half() -> None:
    question = exchange_question("rufer", candidates=10)
    choices = question.choices
    assert len(choices) == 10
    assert {choice.called for choice in choices} == set(parse_cards("HK CK"))
    assert {choice.taken for choice in choices} == {to_mask(TALON[:3]), to_mask(TALON[3:])}
    for choice in choices:
        pool = question.seen.hand | choice.taken
        assert may_lay_away(question.rules, pool, 3, choice.discards)


def test_candidates_depend_on_nothing_unseen() -> None:
    question = exchange_question("rufer")
    others = replace(question, seen=replace(question.seen, seed=77))
    assert others.seen.deal(0) != question.seen.deal(0)
    assert others.choices == question.choices


def test_what_is_given_is_not_compared() -> None:
    question = exchange_question("rufer", call=parse_cards("HK")[0], group=1)
    assert {choice.called for choice in question.choices} == {parse_cards("HK")[0]}
    assert {choice.group for choice in question.choices} == {1}


def test_a_level_is_compared_only_when_its_cards_were_seen() -> None:
    first = exchange_question("trojka", TALON[:3], variant="czech")
    assert {choice.level for choice in first.choices} == {1}
    both = exchange_question("trojka", variant="czech")
    assert {choice.level for choice in both.choices} == {1, 2}
    four = exchange_question("first_duty", TALON[:4], variant="czech")
    assert {choice.taken for choice in four.choices} == {to_mask(TALON[:4])}


def test_the_exchange_keeps_what_is_strong() -> None:
    question = exchange_question("dreier", candidates=3, group=1, measure="game")
    found = question.answer(effort(2, nodes=2000)).to_dict()
    assert found["candidates"] == len(found["choices"]) == 3
    best = found["recommended"]
    assert parse_cards(best["taken"]) and not set(parse_cards(best["discards"])) & set(
        from_mask(parse_hand_cards("T22,18"))
    )
    assert {choice["deals"] for choice in found["choices"]} == {2}


# --- What a user writes ---


def asked(**changes: Any) -> Asked:
    usual: dict[str, Any] = {"hand": PLAIN, "variant": "koenigrufen", "seat": 1}
    return Asked(**{**usual, **changes})


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"hand": "T22 T21"}, "hand: 2 cards, expected 12"),
        ({"hand": "T22 X9"}, "hand: "),
        ({"variant": "skat"}, "unknown variant 'skat'"),
        ({"seat": 7}, "seat: there is no seat 7"),
        ({"seat": None}, "seat: missing"),
        ({"contracts": ("dreyer",)}, "did you mean 'dreier'?"),
        ({"contracts": ("rufer",)}, "seat 1 may not bid rufer"),
        ({"contracts": ("pagatrufer",)}, "pagatrufer may not be bid: needs T1"),
        ({"talon": "T22 T2 T4"}, "talon: T22 is in the hand, too"),
        ({"talon": "T2 T2"}, "talon: "),
        ({"talon": "T1 T2 T4 T5 T7 T9 T10"}, "talon: 7 cards, expected 1 to 6"),
        ({"talon": "T2 T4", "contracts": ("dreier",)}, "talon: 2 cards, expected the 6"),
        ({"talon": "T2 T4", "contracts": ("solodreier",)}, "exchanges no cards"),
        ({"call": "HK"}, "call: needs --talon and one --contract"),
        ({"objective": "tricks"}, "objective: tricks, expected score or game"),
        ({"where": ("seat0.trumps >= 20",)}, "no deal meets"),
        ({"where": ("seat0.trumpets >= 2",)}, "trumpets"),
    ],
)
def test_faults_are_told_in_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises((AdviceError, DealError, PositionError, UnknownRule)) as caught:
        question_of(asked(**changes))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_command_ranks_and_says_what_it_assumes() -> None:
    words = ("--hand", POOR, "--variant", "koenigrufen", "--seat", "1", "--deals", "8")
    words += ("--contract", "bettler", "--contract", "piccolo", "--memory", "4")
    found = trull("analyse", *words)
    assert (found.returncode, found.stderr) == (0, "")
    lines = found.stdout.splitlines()
    assert lines[0] == "Königrufen (Austria): seat 1, what to bid"
    assert all(len(line) <= 80 for line in lines)
    assert found.stdout.count("everyone sees all cards from then on") == 1
    assert "Recommended: pass" in found.stdout
    assert "Passing counts as 0" in found.stdout


def test_the_command_refuses_what_is_no_question() -> None:
    found = trull("analyse", "--hand", "T22", "--variant", "koenigrufen", "--seat", "1", "--json")
    assert found.returncode == 2
    assert (
        json.loads(found.stdout)
        == {"error": "hand: 1 card, expected 12 or 16 in Königrufen (Austria)"}
        or "expected 12" in json.loads(found.stdout)["error"]
    )


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("game.json", "--hand", POOR),
        ("game.json", "--contract", "dreier"),
        ("--hand", POOR, "--seat", "1"),
    ],
)
def test_the_command_refuses_mixed_questions(words: tuple[str, ...]) -> None:
    from typer.exceptions import TyperException

    from trull.analysis.cli import app

    with pytest.raises(TyperException):
        app(["analyse", *words], standalone_mode=False)
