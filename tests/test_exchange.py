"""The exchange: what the rule texts allow, what `best` proves, and what the policies return."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

from exchange_oracle import may_call, may_lay, random_setting, values, worth
from score_oracle import TooLarge
from trull.analysis.deals import Conditions, Deal, draw
from trull.analysis.exchange import Exchanged, ExchangeError, Exchanger, Setting, exchange
from trull.analysis.exchange.legality import calls, legal_discards
from trull.solver import Position, solve
from trull.solver.cards import KINGS, NAMES, from_mask, parse_cards, to_mask
from trull.solver.kernel.engine import Engine
from trull.solver.referee import Referee
from trull.solver.rulebooks import UnknownRule, every_contract
from trull.solver.rulebooks import contract as contract_of
from trull.solver.rules import Contract

GAMES = [
    (book.name, contract, players)
    for book, contract in every_contract()
    for players in contract.values
]
CHOOSING = [
    (variant, contract, players)
    for variant, contract, players in GAMES
    if contract.discards or contract.name == "solorufer"
]
OBJECTIVES = ("points", "tricks", "made", "score")
MANY = 6  # endings a contract and objective in the exhaustive check
PACK = set(range(54))


def ids(game: tuple[str, Contract, int]) -> str:
    """Return the name of a game."""
    variant, contract, players = game
    return f"{variant}-{contract.name}-{players}"


def cards(text: str) -> int:
    """Return the cards that a text names as a mask."""
    return to_mask(parse_cards(text))


def deal(variant: str, own: str, talon: str, *others: str, players: int = 4) -> Deal:
    """Return a deal with seat 0's hand, the talon, and what other seats must hold."""
    hands = [list(parse_cards(own)), *(list(parse_cards(text)) for text in others)]
    hands += [[] for _ in range(players - len(hands))]
    left = sorted(PACK - set(parse_cards(talon)) - {card for hand in hands for card in hand})
    random.Random(5).shuffle(left)
    size = 48 // players
    for hand in hands:
        while len(hand) < size:
            hand.append(left.pop())
    return Deal(variant, tuple(map(to_mask, hands)), parse_cards(talon))


# --- What may be laid away ---


@pytest.mark.parametrize("game", CHOOSING, ids=ids)
def test_discards_are_those_of_the_rule_text(game: tuple[str, Contract, int]) -> None:
    variant, contract, players = game
    rng = random.Random(ids(game))
    for tricks in (2, 3, 5) if contract.discards else ():
        setting = random_setting(rng, variant, contract.name, players, tricks)
        hand = setting.deal.hands[0] | to_mask(setting.deal.talon[: contract.discards[0]])
        number = min(contract.discards[0], 4)
        allowed = [
            to_mask(chosen)
            for chosen in combinations(from_mask(hand), number)
            if may_lay(setting, hand, to_mask(chosen))
        ]
        found = list(legal_discards(contract, hand, number))
        assert sorted(found) == sorted(allowed)


@pytest.mark.parametrize(
    ("variant", "contract", "hand", "legal", "illegal"),
    [
        # no kings, no trull, other trumps only when nothing else is left
        ("koenigrufen", "dreier", "T22 T9 T8 SK SQ S7 H4", ["SQ S7 H4"], ["T9 S7 H4", "SK S7 H4"]),
        ("koenigrufen", "dreier", "T22 T9 T8 T7 SK SQ S7", ["SQ S7 T9", "SQ S7 T7"], ["SQ T9 T8"]),
        (
            "koenigrufen",
            "sechserdreier",
            "T22 T9 T8 T7 SQ S7 S8 S9 H4 HA",
            ["SQ S7 S8 S9 H4 HA"],
            ["SQ S7 S8 S9 H4 T7"],
        ),
        # trumps first, never trull; then suit cards
        (
            "koenigrufen",
            "farbendreier",
            "T22 T9 T8 T1 SK SQ S7",
            ["T9 T8 SQ"],
            ["T9 SQ S7", "T9 T8 T1", "T9 T8 SK"],
        ),
        (
            "koenigrufen",
            "farbendreier",
            "T22 T9 T8 T7 T6 SQ S7",
            ["T9 T8 T7", "T6 T7 T9"],
            ["T9 T8 SQ"],
        ),
        # no card worth 5, trumps as one likes
        (
            "slovenian",
            "solo_tri",
            "T22 T9 T8 SK SQ S7 H4",
            ["T9 T8 SQ", "S7 H4 T8"],
            ["SK SQ S7", "T22 SQ S7"],
        ),
        ("house", "solo_two", "T21 T9 T8 SK SQ S7 H4", ["T9 T8", "SQ T8"], ["SK T8", "T21 S7"]),
        # no king, Pagat, Mond, Skys; other trumps after all eligible suit cards
        ("czech", "trojka", "T21 T9 T8 SK SQ S7 H4", ["SQ S7 H4"], ["T9 SQ S7", "SQ S7 SK"]),
        ("czech", "trojka", "T21 T9 T8 T1 SK HK SQ", ["SQ T9 T8"], ["SQ T9 T1", "SQ T9 T21"]),
        # never a king or the I; a trump only when only kings and trumps are left
        ("texas", "prever", "T22 T9 T1 SK HK DK S7", ["S7 T9 T22"], ["S7 T9 T1", "S7 SK HK"]),
        ("texas", "prever", "T22 T9 T1 SK HQ DJ S7", ["HQ DJ S7"], ["T22 HQ DJ"]),
    ],
)
def test_discards_of_a_hand(
    variant: str, contract: str, hand: str, legal: list[str], illegal: list[str]
) -> None:
    rules = contract_of(variant, contract)
    found = set(legal_discards(rules, cards(hand), rules.discards[0]))
    assert {cards(text) for text in legal} <= found
    assert not {cards(text) for text in illegal} & found


def test_no_exchange_keeps_the_level() -> None:
    dealt = deal("czech", "T22 T20 T9 T8 T7 T6 T5 SK SQ S7 H4 D4", "C7 C8 C9 HK DQ T2")
    for level in (1, 2, 3):
        assert exchange(dealt, "trojka", policy="none", level=level).position.level == level
    with pytest.raises(ExchangeError, match="level: 2, expected 1 to 1 in solo"):
        exchange(dealt, "solo", policy="none", level=2)


def test_a_given_discard_is_checked() -> None:
    dealt = deal("koenigrufen", "T22 T20 T9 T8 T7 T6 T5 SK SQ S7 H4 D4", "C7 C8 C9 HK DQ T2")
    assert exchange(dealt, "dreier", discards=cards("SQ S7 H4")).discards[0] == cards("SQ S7 H4")
    for wrong in ("SK SQ S7", "T9 SQ S7", "SQ S7", "SQ S7 HQ"):
        with pytest.raises(ExchangeError, match="may not be laid away in dreier"):
            exchange(dealt, "dreier", discards=cards(wrong))


# --- What may be called ---


@pytest.mark.parametrize("game", CHOOSING, ids=ids)
def test_calls_are_those_of_the_rule_text(game: tuple[str, Contract, int]) -> None:
    variant, contract, players = game
    rng = random.Random(ids(game))
    for _ in range(5):
        setting = random_setting(rng, variant, contract.name, players, 5)
        hand = setting.deal.hands[setting.declarer or 0]
        assert list(calls(setting, hand)) == may_call(setting, hand, hand)


@pytest.mark.parametrize(
    ("variant", "contract", "own", "allowed"),
    [
        ("koenigrufen", "rufer", "SK HK T9 T8 T7 T6 T5 T4 T3 S7 H4 D4", "DK CK"),
        ("koenigrufen", "rufer", "SK HK DK T8 T7 T6 T5 T4 T3 S7 H4 D4", "CK"),
        ("koenigrufen", "rufer", "SK HK DK CK SQ T6 T5 T4 T3 S7 H4 D4", "HQ DQ CQ"),
        ("slovenian", "tri", "SK HK T9 T8 T7 T6 T5 T4 T3 S7 H4 D4", "DK CK"),
        ("czech", "first_duty", "T18 T9 T8 T7 T6 T5 T4 T3 T2 S7 H4 D4", "T19"),
        ("czech", "first_duty", "T19 T17 T8 T7 T6 T5 T4 T3 T2 S7 H4 D4", "T18 T19"),
        ("czech", "first_duty", "T19 T18 T17 T16 T6 T5 T4 T3 T2 S7 H4 D4", "T19"),
    ],
)
def test_calls_of_a_hand(variant: str, contract: str, own: str, allowed: str) -> None:
    dealt = deal(variant, own, "T22 T21 T20 HJ DJ CJ")
    setting = Setting(deal=dealt, contract=contract)
    assert set(calls(setting, dealt.hands[0])) == set(parse_cards(allowed))
    for card in parse_cards("SK HK DK CK SQ HQ DQ CQ T20 T19 T18 T17"):
        if card in parse_cards(allowed):
            assert exchange(dealt, contract, call=card).called == card
        else:
            with pytest.raises(ExchangeError, match=f"call: {NAMES[card]}"):
                exchange(dealt, contract, call=card)


def test_texas_calls_after_taking_up_the_talon() -> None:
    own = "T19 T9 T8 T7 T6 T5 T4 T3 T2 S7 H4 D4"
    dealt = deal("texas", own, "T20 CJ C7 C8 C9 C10", "T18")
    found = exchange(dealt, "povinost")
    assert (found.called, found.position.partner) == (17, 1)
    assert found.taken == cards("T20 CJ C7 C8")
    own_call = exchange(dealt, "povinost", options={"solo_povinost": True}, call=19)
    assert own_call.position.partner is None
    with pytest.raises(ExchangeError, match="call: T20, expected T18"):
        exchange(dealt, "povinost", call=19)
    all_four = deal("texas", f"{own} T17".replace("T2 ", ""), "T20 T18 C7 C8 C9 C10")
    assert exchange(all_four, "povinost").position.partner is None


def test_the_czech_call_precedes_the_talon() -> None:
    dealt = deal("czech", "T18 T9 T8 T7 T6 T5 T4 T3 T2 S7 H4 D4", "T19 C7 C8 C9 C10 CJ")
    found = exchange(dealt, "first_duty")
    assert (found.called, found.position.partner) == (18, None)
    given = deal("czech", "T18 T9 T8 T7 T6 T5 T4 T3 T2 S7 H4 D4", "CQ C7 C8 C9 T19 CJ")
    assert exchange(given, "first_duty").position.partner == 1


# --- What is taken up ---


def test_halves_groups_and_levels() -> None:
    own = "T22 T20 T9 T8 T7 T6 T5 SK SQ S7 H4 D4"
    talon = "C7 C8 C9 HK DQ T2"
    first, second = cards("C7 C8 C9"), cards("HK DQ T2")
    halves = [exchange(deal("koenigrufen", own, talon), "dreier", group=n).taken for n in (0, 1)]
    assert halves == [first, second]
    six = exchange(deal("koenigrufen", own, talon), "sechserdreier")
    assert (six.taken, six.position.talon) == (first | second, ())
    ones = [exchange(deal("slovenian", own, talon), "solo_ena", group=n).taken for n in range(6)]
    assert ones == [1 << card for card in parse_cards(talon)]
    levels = [exchange(deal("texas", own, talon), "prever", level=n) for n in (1, 2, 3)]
    assert [found.taken for found in levels] == [first, second, first]
    assert [found.position.level for found in levels] == [1, 2, 3]
    assert exchange(deal("czech", own, talon), "trojka").level == 1
    assert levels[0].position.talon == parse_cards("HK DQ T2")
    for wrong in ({"group": 2}, {"level": 2}):
        with pytest.raises(ExchangeError, match=next(iter(wrong))):
            exchange(deal("koenigrufen", own, talon), "dreier", **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("variant", "contract"), [("czech", "first_duty"), ("texas", "povinost")])
def test_three_players_exchange_in_a_duty(variant: str, contract: str) -> None:
    dealt = draw(variant, 4, Conditions(), seed=3, number=1)
    found = exchange(dealt, contract, 2) if variant == "czech" else exchange(dealt, contract)
    declarer = 2 if variant == "czech" else 0
    turns = [(declarer + turn) % 4 for turn in range(3)]
    took = [dealt.talon[:4], dealt.talon[4:5], dealt.talon[5:]]
    for seat, own in zip(turns, took, strict=True):
        after = found.position.hands[seat] | found.discards[seat]
        assert after == dealt.hands[seat] | to_mask(own)
        assert found.discards[seat].bit_count() == len(own)
    assert found.position.talon == ()


def test_second_pickings() -> None:
    dealt = deal(
        "house",
        "T22 T20 T9 T8 T7 T6 T5 SQ S7 H4 D4 C7 C8 C9 T2 T3",
        "DQ DJ DN T21 S8 S9",
        "SK HK DK CK",
        players=3,
    )
    plain = exchange(dealt, "partnered_three", call=29, options={"second_pickings": True})
    assert plain.position.partner == 1
    drawn = 3 - len(plain.position.talon)
    assert plain.discards[2].bit_count() == drawn
    assert plain.discards[1] == 0
    without = exchange(dealt, "partnered_three", call=29)
    assert without.discards[2] == 0 and len(without.position.talon) == 3


def test_solorufer_credits_the_half_of_the_called_king() -> None:
    own = "T22 T20 T9 T8 T7 T6 T5 SK SQ S7 H4 D4"
    dealt = deal("koenigrufen", own, "C7 C8 C9 HK DQ T2")
    position = exchange(dealt, "solorufer", call=37).position
    assert (position.partner, position.talon) == (None, dealt.talon)
    referee = Referee(position)
    assert referee.credited(referee.start) == cards("HK DQ T2")


# --- Policies ---


@pytest.mark.parametrize("game", GAMES, ids=ids)
@pytest.mark.parametrize("policy", ["plain", "none"])
def test_every_contract_is_played(game: tuple[str, Contract, int], policy: Any) -> None:
    variant, contract, players = game
    made = 0
    for number in range(12):
        dealt = draw(variant, players, Conditions(), seed=8, number=number)
        try:
            found = exchange(dealt, contract.name, number % players, policy=policy)
        except ExchangeError as error:
            assert "may not play it" in str(error)
            continue
        made += 1
        assert sum(laid.bit_count() for laid in found.discards) == (
            sum(contract.discards) if policy == "plain" else 0
        )
        if policy == "none" or not contract.discards:
            assert (found.position.hands, found.position.talon) == (dealt.hands, dealt.talon)
        before = dealt.hands[number % players] | found.taken
        after = found.position.hands[number % players]
        assert after | found.discards[number % players] == before
        lead = number % players if contract.leader == "declarer" else 0
        assert found.position.leader == lead
        if contract.sides == "partner":
            holder = [seat for seat in range(players) if _has(found, seat)]
            assert found.position.partner == (
                holder[0] if holder and holder != [number % players] else None
            )
    assert made


def _has(found: Exchanged, seat: int) -> bool:
    assert found.called is not None
    return bool((found.position.hands[seat] | found.discards[seat]) >> found.called & 1)


def test_the_plain_call_is_of_the_shortest_suit() -> None:
    own = "T22 T20 T9 T8 T7 T6 SQ S8 S7 HQ D4 C7"
    dealt = deal("koenigrufen", own, "S10 S9 C8 HJ DQ T2")
    assert exchange(dealt, "rufer").called == 37  # hearts: one card, the queen
    assert exchange(dealt, "rufer", policy="none").called == 37


def test_plain_discards_void_suits() -> None:
    own = "T22 T20 T9 T8 T7 T6 T5 T4 SK SQ S7 HQ"
    dealt = deal("koenigrufen", own, "H4 H3 D4 HJ DQ T2")
    assert exchange(dealt, "dreier", group=0).discards[0] == cards("HQ H4 H3")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"contract": "dreyer"}, "did you mean 'dreier'"),
        ({"declarer": 4}, "declarer: 4, expected 0 to 3"),
        ({"declarer": None}, "declarer: null, but dreier has one"),
        ({"contract": "pagatrufer"}, "pagatrufer: seat 0 may not play it: needs T1"),
        ({"contract": "farbendreier"}, "needs 6 or more suit cards"),
        ({"options": {"emperor": True}}, "emperor"),
        ({"policy": "none", "group": 1}, "policy none takes up and lays away nothing"),
        ({"call": 29}, "call: SK, but nobody calls in dreier"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], message: str) -> None:
    own = "T22 T20 T9 T8 T7 T6 T5 T4 SK SQ S7 HQ"
    dealt = deal("koenigrufen", own, "H4 H3 D4 HJ DQ T2")
    with pytest.raises(ValueError, match=message) as error:
        exchange(dealt, **({"contract": "dreier"} | changes))
    assert isinstance(error.value, ExchangeError | UnknownRule) or "options" in str(error.value)


# --- The best exchange ---


def check_best(rng: random.Random, game: tuple[str, Contract, int], objective: Any) -> bool:
    """Compare the best exchange of a random ending with enumeration; return whether it was."""
    variant, contract, players = game
    small = sum(contract.discards) == 6 or objective == "score" or players == 3
    options: dict[str, object] = {}
    if variant == "house" and players == 3 and contract.sides == "partner":
        options["second_pickings"] = rng.random() < 2 / 3
    if contract.name == "povinost":
        options["solo_povinost"] = rng.random() < 1 / 2
    setting = random_setting(
        rng, variant, contract.name, players, 2 if small else rng.choice((2, 2, 3)), options=options
    )
    exchanger = Exchanger(contract=contract.name, policy="best", objective=objective, ties=True)
    try:
        known = values(setting, objective)
    except TooLarge:
        return False
    if not known:
        with pytest.raises(ExchangeError):
            exchanger.choose(Engine(0), setting)
        return False
    if objective != "score":  # to go back to the first group is worth something in chips only
        known = {choice: value for choice, value in known.items() if choice[1] != 3}
    found = exchanger.choose(Engine(1), setting)
    highest = max(known.values())
    assert found.exact
    assert (found.value, worth(found.position, objective)) == (highest, highest)
    ties = [(tie.called, tie.level, tie.taken, tie.discards) for tie in found.ties]
    assert len(ties) == len(set(ties))
    assert set(ties) == {choice for choice, value in known.items() if value == highest}
    own = found.choice
    assert (own.called, own.level, own.taken, own.discards) in ties
    return True


@pytest.mark.parametrize("game", CHOOSING, ids=ids)
def test_best_is_that_of_enumeration(game: tuple[str, Contract, int]) -> None:
    rng = random.Random(ids(game))
    for objective in OBJECTIVES:
        while not check_best(rng, game, objective):
            pass


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", CHOOSING, ids=ids)
def test_best_is_that_of_enumeration_in_many_endings(game: tuple[str, Contract, int]) -> None:
    rng = random.Random(f"many {ids(game)}")
    compared = sum(check_best(rng, game, objective) for objective in OBJECTIVES * MANY)
    assert compared > MANY


STRONG = "T22 T21 T20 T18 T17 T15 T14 T12 T9 SK SQ D3"
"""A hand whose full deals are solved in a moment."""


@pytest.mark.parametrize("objective", ["points", "made", "score"])
def test_best_of_a_full_deal_is_that_of_solving_every_exchange(objective: Any) -> None:
    dealt = deal("koenigrufen", STRONG, "HQ HJ D4 C8 T2 DN")
    setting = Setting(deal=dealt, contract="dreier")

    def solved(position: Position, objective: Any) -> int:
        return int(solve(position, objective, cards="none", pv=False, memory=4).value)

    known = values(setting, objective, solved)
    found = exchange(dealt, "dreier", policy="best", objective=objective, ties=True)
    assert found.value == max(known.values())
    assert solved(found.position, objective) == found.value
    ties = {(tie.called, tie.level, tie.taken, tie.discards) for tie in found.ties}
    assert ties == {choice for choice, value in known.items() if value == found.value}


def test_given_choices_are_kept_by_best() -> None:
    dealt = deal("koenigrufen", STRONG, "HQ HJ D4 C8 T2 DN")
    free = exchange(dealt, "dreier", policy="best")
    for group in (0, 1):
        found = exchange(dealt, "dreier", policy="best", group=group)
        assert found.group == group
        assert int(found.value or 0) <= int(free.value or 0)
    laid = cards("SQ D3 D4")
    found = exchange(dealt, "dreier", policy="best", group=0, discards=laid)
    assert found.discards[0] == laid
    assert found.value == solve(found.position, cards="none", pv=False).value


def test_the_level_of_most_chips() -> None:
    own = "T22 T21 T20 T19 T18 T17 T16 T15 T14 T13 SK HK"
    dealt = deal("czech", own, "DJ CJ D2 S7 S8 H2")
    found = exchange(dealt, "trojka", policy="best", objective="score")
    assert found.level == 3
    assert exchange(dealt, "trojka", policy="best", objective="points").level in (1, 2)


def test_without_a_choice_best_is_the_value_of_the_position() -> None:
    own = "T22 T21 T20 T19 T18 T17 T16 T15 T14 T13 SK HK"
    dealt = deal("koenigrufen", own, "DJ CJ D2 S7 S8 H2")
    found = exchange(dealt, "solodreier", policy="best", objective="made")
    assert (found.value, found.exact) == (True, True)
    everyone = exchange(dealt, "trischaken", policy="best")
    assert (everyone.value, everyone.exact) == (None, True)


def test_a_limit_leaves_it_open() -> None:
    dealt = deal("koenigrufen", "T22 T20 T9 T8 T7 T6 T5 SQ S7 H4 D4 HN", "C7 C8 C9 HK DQ T2")
    found = exchange(dealt, "rufer", policy="best", nodes=1000)
    assert (found.exact, found.value) == (False, None)
    assert found.nodes <= 1000 and found.position.discards[0].bit_count() == 3
    assert exchange(dealt, "rufer", policy="best", seconds=0).exact is False


def test_nodes_do_not_depend_on_what_came_before() -> None:
    dealt = deal("koenigrufen", STRONG, "HQ HJ D4 C8 T2 DN")
    used, fresh = Engine(4), Engine(4)
    first = exchange(dealt, "dreier", policy="best", objective="score", engine=fresh)
    for number in range(3):
        other = draw("slovenian", 3, Conditions(), seed=1, number=number)
        exchange(other, "solo_ena", policy="best", nodes=20_000, engine=used)
    again = exchange(dealt, "dreier", policy="best", objective="score", engine=used)
    assert (again.nodes, again.value, again.choice) == (first.nodes, first.value, first.choice)


def test_trull_and_kings_are_never_laid_away() -> None:
    for variant, contract, players in CHOOSING:
        dealt = draw(variant, players, Conditions(), seed=4, number=0)
        try:
            found = exchange(dealt, contract.name)
        except ExchangeError:
            continue
        assert not any(laid & KINGS for laid in found.discards)
