"""The hand analyser in the middle of the play: what is inferred, what is drawn, no leak."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from commands import trull
from deals import DREIER, EXERCISE, RUFER, TRISCHAKEN, played
from endings import random_ending
from games import random_line, recorded
from oracle import card_values
from trull.analysis.advice import AdviceError, CardQuestion, Effort, Knowledge
from trull.analysis.advice.inference import lacked
from trull.analysis.advice.reading import read_knowledge
from trull.analysis.advice.worlds import Worlds
from trull.solver.cards import (
    NAMES,
    SUIT_MASKS,
    TRUMP_MASK,
    from_mask,
    parse_cards,
    to_mask,
)
from trull.solver.interchange import parse_position, position_to_dict
from trull.solver.position import Position
from trull.solver.referee import Referee
from trull.solver.rulebooks import every_contract
from trull.solver.rules import hand_size
from trull.solver.validation import PositionError

GAMES = [
    (book.name, contract.name, players)
    for book, contract in every_contract()
    if contract.sides != "two"
    for players in sorted(contract.values)
]


def mask(cards: str) -> int:
    return to_mask(parse_cards(cards))


def effort(deals: int, **changes: Any) -> Effort:
    return replace(Effort(deals=deals, seconds=None, memory=1), **changes)


def advised(known: Knowledge, deals: int = 8, **changes: Any) -> dict[str, Any]:
    found = CardQuestion(known=known, seed=3).answer(effort(deals, **changes))
    return found.to_dict()


def own_view(data: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return a position as a seat writes it down, without anything that it does not know."""
    position = parse_position(data)
    seats = range(position.seats)
    kept = {"variant", "contract", "declarer", "called", "history", "leader", "trick", "taken"}
    found = {key: value for key, value in data.items() if key in kept}
    found["hands"] = [data["hands"][at] if at == seat else "" for at in seats]
    if "discards" in data:
        found["discards"] = [data["discards"][at] if at == seat else "" for at in seats]
    if position.rules.discards:
        found["talon"] = data["talon"]
    return found


# --- What is known ---


def test_a_view_and_the_whole_position_say_the_same() -> None:
    for start, tricks in ((RUFER, 9), (DREIER, 9), (TRISCHAKEN, 9)):
        data = played(start, tricks)
        seat = parse_position(data).player
        whole = read_knowledge(data, None)
        assert whole == read_knowledge(own_view(data, seat), None)
        assert whole == read_knowledge(data, seat)


def test_what_a_view_leaves_out_is_filled_in() -> None:
    data = played(RUFER, 9)
    seat = parse_position(data).player
    view = own_view(data, seat)
    del view["taken"], view["leader"]
    assert read_knowledge(view, seat) == read_knowledge(data, seat)


def shuffled(position: Position, seat: int, rng: random.Random) -> Iterator[Position]:
    """Yield the position with the cards that the seat does not see dealt anew to their places.

    Such are the other hands, what others laid away, and a talon that nobody has looked at. Only
    deals that the referee finds no fault with are yielded.
    """
    others = [at for at in range(position.seats) if at != seat]
    sees_talon = bool(position.rules.discards)
    places = [position.hands[at] for at in others] + [position.discards[at] for at in others]
    places += [] if sees_talon else [to_mask(position.talon)]
    while True:
        unseen = [card for place in places for card in from_mask(place)]
        rng.shuffle(unseen)
        dealt = [tuple(unseen.pop() for _ in range(place.bit_count())) for place in places]
        hands, laid = list(position.hands), list(position.discards)
        for turn, at in enumerate(others):
            hands[at], laid[at] = to_mask(dealt[turn]), to_mask(dealt[len(others) + turn])
        talon = position.talon if sees_talon else dealt[-1]
        holders = [at for at in range(position.seats) if hands[at] >> (position.called or 0) & 1]
        partner = holders[0] if position.called and holders else None
        try:
            yield replace(
                position,
                hands=tuple(hands),
                discards=tuple(laid),
                talon=talon,
                partner=None if partner == position.declarer else partner,
            )
        except PositionError:
            continue


SOLODREIER = DREIER | {
    "contract": "solodreier",
    "talon": DREIER["talon"] + " HQ H2 D3",
    "discards": ["", "", "", ""],
}


def defenders_ending(start: dict[str, Any], tricks_left: int = 3) -> Position:
    """Return an ending in which an opponent is to play and the called card has not been seen."""
    position = parse_position(start)
    for seed in range(100):
        line = random_line(random.Random(seed), position)[: -4 * tricks_left]
        ending = recorded(position, line)
        called = ending.called
        known = Knowledge.of_position(ending, ending.player)
        if ending.player not in ending.side and (called is None or known.hidden >> called & 1):
            return ending
    raise AssertionError("no such ending")


@pytest.mark.parametrize(
    "start", [RUFER, DREIER, SOLODREIER], ids=["rufer", "dreier", "solodreier"]
)
def test_permuting_unseen_cards_changes_nothing(start: dict[str, Any]) -> None:
    position = defenders_ending(start)
    first = json.dumps(advised(read_knowledge(position_to_dict(position), None)))
    permuted = shuffled(position, position.player, random.Random(1))
    others = [next(permuted) for _ in range(6)]
    assert len({(other.hands, other.discards, other.talon) for other in others}) == 6
    assert (len({other.partner for other in others}) > 1) == (position.called is not None)
    for other in others:
        again = advised(read_knowledge(position_to_dict(other), None))
        assert json.dumps(again) == first


def test_permuting_unseen_cards_on_the_command_line() -> None:
    position = defenders_ending(RUFER)
    permuted = shuffled(position, position.player, random.Random(2))
    other = next(found for found in permuted if found.partner != position.partner)
    texts = [json.dumps(position_to_dict(found)) for found in (position, other)]
    words = ("analyse", "-", "--deals", "8", "--memory", "1")
    first, second = (trull(*words, stdin=text) for text in texts)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == second.stdout
    assert first.stdout.count("everyone sees all cards from then on") == 1
    legal = Referee(position)
    best = first.stdout.split("Recommended: ")[1].split(",")[0].split(".")[0]
    assert best in {NAMES[card] for card in legal.legal(legal.start)}


# --- Inference ---


SOLO: dict[str, Any] = {
    "variant": "koenigrufen",
    "contract": "solodreier",
    "hands": ["T22 T21 T20 T19 T18 T17 T16 SQ S9 DN D4", "", "", ""],
    "history": [{"leader": 0, "cards": "SJ H2 T2 T3"}],
    "trick": "DK",
}
"""Seat 0 led the jack of spades: nobody followed, and seat 1 has no trump either."""

BETTLER: dict[str, Any] = {
    **SOLO,
    "contract": "bettler",
    "hands": ["T2 T3 T4 S7 S9 H4 H3 D4 D3 C7 C8", "", "", ""],
    "history": [{"leader": 0, "cards": "S8 H2 SN SJ"}],
    "trick": "HK HN",
}
"""Seat 0 led the eight of spades: seat 1 has neither spades nor trumps, seat 3 none above."""


def test_who_neither_follows_nor_trumps_has_neither() -> None:
    known = read_knowledge(SOLO, None)
    spades, trumps = SUIT_MASKS[0] & known.hidden, TRUMP_MASK & known.hidden
    assert known.seat == 0
    assert lacked(known) == (0, spades | trumps, spades, spades)


def test_who_does_not_beat_the_trick_cannot() -> None:
    known = read_knowledge(BETTLER, None)
    spades, trumps = SUIT_MASKS[0] & known.hidden, TRUMP_MASK & known.hidden
    assert lacked(known) == (0, spades | trumps, 0, mask("SK SQ"))


@pytest.mark.parametrize("view", [SOLO, BETTLER], ids=["solodreier", "bettler"])
def test_deals_hold_what_is_known(view: dict[str, Any]) -> None:
    known = read_knowledge(view, None)
    worlds = Worlds(known, seed=5)
    voids = lacked(known)
    deals = [worlds.position(number) for number in range(12)]
    for deal in deals:
        assert deal.hands[0] == known.hand
        assert all(not hand & lack for hand, lack in zip(deal.hands, voids, strict=True))
        assert deal.trick == known.trick
        assert len(deal.talon) == 6
    assert len({deal.hands for deal in deals}) == len(deals)
    assert [Worlds(known, seed=5).position(number) for number in (7, 3)] == [deals[7], deals[3]]
    assert Worlds(known, seed=6).position(0) != deals[0]


def test_the_called_king_is_with_anybody_but_the_declarer() -> None:
    data = played(RUFER, 2)
    position = parse_position(data)
    assert position.called is not None
    known = Knowledge.of_position(position, position.player)
    assert known.partner is None
    others = set(range(4)) - {known.seat, position.declarer}
    worlds = Worlds(known, seed=1)
    if position.hands[known.seat] >> position.called & 1:
        others = {known.seat}
    assert {worlds.position(number).partner for number in range(12)} == others


def test_what_was_taken_up_before_all_eyes_is_with_the_declarer() -> None:
    data = played(RUFER, 2)
    data["x_exchange"] = {"taken": "D4 HQ H2"}
    position = parse_position(data)
    known = Knowledge.of_position(position, position.player)
    assert known.seat != position.declarer
    worlds = Worlds(known, seed=1)
    for number in range(5):
        deal = worlds.position(number)
        assert (deal.hands[0] | deal.discards[0]) & known.hidden & mask("D4 HQ H2") == (
            known.hidden & mask("D4 HQ H2")
        )


# --- Nothing that is possible is left out ---


def declarers_ending(tricks_left: int) -> Position:
    """Return an ending of a dreier in which the declarer leads or plays."""
    start = parse_position(DREIER)
    for seed in range(100):
        line = random_line(random.Random(seed), start)[: 4 * (12 - tricks_left)]
        ending = recorded(start, line)
        if ending.player == start.declarer and len(worlds_of(ending)) > 8:
            return ending
    raise AssertionError("no such ending")


def worlds_of(position: Position) -> list[tuple[int, ...]]:
    """Return the hands of every deal that the referee finds no fault with, for the declarer."""
    known = Knowledge.of_position(position, position.player)
    found = set()
    for cards in permutations(from_mask(known.hidden)):
        left, hands = list(cards), list(position.hands)
        for seat in range(4):
            if seat != known.seat:
                hands[seat] = to_mask(left.pop() for _ in range(known.sizes[seat]))
        found.add(tuple(hands))
    return [hands for hands in found if is_legal(position, hands)]


def is_legal(position: Position, hands: tuple[int, ...]) -> bool:
    try:
        replace(position, hands=hands)
    except PositionError:
        return False
    return True


def test_every_possible_deal_is_drawn_equally_often() -> None:
    ending = declarers_ending(2)
    possible = worlds_of(ending)
    worlds = Worlds(Knowledge.of_position(ending, ending.player), seed=1)
    number = 12 * len(possible)
    drawn = [worlds.position(turn).hands for turn in range(number)]
    assert set(drawn) == set(possible)
    surprise = sum((drawn.count(hands) - 12) ** 2 / 12 for hands in possible)
    assert surprise < 2.5 * len(possible)


@pytest.mark.parametrize(("variant", "contract", "players"), GAMES)
def test_the_true_deal_is_never_ruled_out(variant: str, contract: str, players: int) -> None:
    rng = random.Random(f"{variant} {contract} {players}")
    size = hand_size(players)
    start = random_ending(rng, variant, contract, players, size, past=True, mid_trick=False)
    line = random_line(rng, start)[: rng.randrange(players * 3, players * (size - 1))]
    position = recorded(start, line)
    known = Knowledge.of_position(position, position.player)
    assert Worlds(known, seed=0).admits(position)


# --- Values ---


def test_values_are_averages_over_the_deals() -> None:
    ending = declarers_ending(2)
    question = CardQuestion(known=Knowledge.of_position(ending, ending.player), seed=2)
    advice = question.answer(effort(8))
    worlds = [Referee(question.worlds.position(number)) for number in range(8)]
    values = [card_values(referee, referee.start, "points") for referee in worlds]
    assert len(advice.choices) > 1
    for choice in advice.choices:
        card = parse_cards(str(choice.data["card"]))[0]
        own = [value[card] for value in values]
        assert choice.value is not None
        assert choice.value.mean == pytest.approx(sum(own) / 8)
        regret = sum(max(value.values()) - value[card] for value in values) / 8
        assert choice.notes["regret"]["mean"] == pytest.approx(regret, abs=1e-4)  # type: ignore[index]
    means = [choice.value.mean for choice in advice.choices if choice.value and not choice.out]
    assert means == sorted(means, reverse=True)


def test_opponents_and_games_of_everyone_want_little() -> None:
    for start in (DREIER, TRISCHAKEN):
        position = parse_position(played(start, 10))
        if position.player == position.declarer and start is DREIER:
            position = parse_position(played(start, 9))
        found = advised(Knowledge.of_position(position, position.player))
        means = [choice["value"]["mean"] for choice in found["choices"] if not choice["out"]]
        if start is TRISCHAKEN or position.player not in position.side:
            assert means == sorted(means)


def test_a_game_about_tricks_is_valued_by_whether_it_is_made() -> None:
    found = advised(read_knowledge(BETTLER, None))
    assert (found["objective"], found["unit"]) == ("made", "bool")
    assert {choice["card"] for choice in found["choices"]} == {"H4", "H3"}
    assert all(0 <= choice["value"]["mean"] <= 1 for choice in found["choices"])


def test_workers_change_nothing() -> None:
    known = read_knowledge(played(RUFER, 9), None)
    assert advised(known, workers=2) == advised(known)


# --- Faults ---


def changed(key: str, value: object) -> dict[str, Any]:
    return {**SOLO, key: value}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (EXERCISE, "hands: not all 54 cards appear"),
        (changed("trick", ""), "seat: 0, but seat 3 is to play"),
        (changed("history", []), "history: 0 tricks, expected 1"),
        (changed("history", [{"leader": 0, "cards": "SJ H2 T2"}]), "history[0].cards: 3 cards"),
        (changed("trick", "DN"), "hands: a card appears twice"),
        (changed("hand", "T1"), 'unknown key "hand"'),
        (changed("discards", ["", ""]), "discards: 2 entries, expected 4"),
        (changed("contract", "scarecrow"), "contract:"),
        ({**SOLO, "contract": "solorufer"}, "called: missing"),
    ],
)
def test_faulty_positions(data: dict[str, Any], sentence: str) -> None:
    with pytest.raises((AdviceError, PositionError)) as caught:
        read_knowledge(data, None)
    assert sentence in str(caught.value)


def test_play_that_no_deal_explains() -> None:
    later = {"leader": 3, "cards": "HK T16 T4 H3"}
    data = {**SOLO, "hands": ["T22 T21 T20 T19 T18 T17 SQ S9 DN D4", "", "", ""], "trick": ""}
    data["history"] = [*SOLO["history"], later]
    with pytest.raises(AdviceError, match="seat 1 plays T4, but its play before shows"):
        Worlds(read_knowledge(data, None), seed=0)


def test_hands_too_small_for_the_cards_that_are_left() -> None:
    # Only seat 2 and the talon have room for spades and trumps.
    data = {**SOLO, "hands": ["T22 T21 T20 T19 T18 T17 T16 T15 T14 DN D4", "", "", ""]}
    data |= {"history": [{"leader": 0, "cards": "SJ H2 T2 CK"}], "trick": "DK DQ"}
    with pytest.raises(AdviceError, match="no deal of the unseen cards agrees"):
        Worlds(read_knowledge(data, None), seed=0)


def test_another_seat_than_the_one_to_play() -> None:
    position = parse_position(played(DREIER, 9))
    other = (position.player + 1) % 4
    found = trull("analyse", json.dumps(played(DREIER, 9)), "--seat", str(other))
    assert found.returncode == 2
    assert found.stderr == f"trull: seat: {other}, but seat {position.player} is to play\n"
