"""The transposition table: what it finds again, and what its keys tell apart."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from compiled import from_python
from endings import random_ending
from trull.solver import Position
from trull.solver.cards import MOND, PAGAT, SKUS, TRULL, from_mask, parse_cards, suit_of, to_mask
from trull.solver.kernel import play, table
from trull.solver.kernel.engine import Engine
from trull.solver.kernel.table import GENERATIONS
from trull.solver.question import Question, declarer_question, seat_question
from trull.solver.referee import Referee, State
from trull.solver.rulebooks import every_contract

probe, store = from_python(table.probe), from_python(table.store)
position_key = from_python(table.position_key)
emperor_possible = from_python(play.emperor_possible)

NO_VALUES = 0

ENDING = {
    "variant": "koenigrufen",
    "contract": "dreier",
    "hands": ["T22 T9 SK S8", "T21 T3 SQ HK", "T5 T2 S9 HQ", "T1 T4 SJ HJ"],
}


def _loaded() -> Engine:
    """Return an engine with the smallest table and a position loaded."""
    engine = Engine(0)
    position = Position.from_dict(ENDING)
    engine.load(position, "points", position.side, position.side)
    return engine


def test_an_empty_table_knows_nothing() -> None:
    """A key of zero hits no empty entry, whatever the generation."""
    engine = _loaded()
    k = engine.state
    for generation in (1, 2, GENERATIONS):
        k.generation = generation
        assert probe(k, 0, NO_VALUES, 0, 500, 0) == (0, 500)


def test_what_is_stored_is_found_under_its_key() -> None:
    """Bounds come back under their own key and generation, and only tighten what is known."""
    engine = _loaded()
    k = engine.state
    key = 0x1234_5678_9ABC_0000
    store(k, key, NO_VALUES, 20, 90, 100)
    assert probe(k, key, NO_VALUES, 0, 500, 0) == (20, 90)
    assert probe(k, key, NO_VALUES, 30, 40, 0) == (30, 40)
    assert probe(k, key + (1 << 16), NO_VALUES, 0, 500, 0) == (0, 500)
    store(k, key, NO_VALUES, 10, 60, 5)
    assert probe(k, key, NO_VALUES, 0, 500, 0) == (20, 60)
    k.generation += 1
    assert probe(k, key, NO_VALUES, 0, 500, 0) == (0, 500)


def test_stored_bounds_allow_for_other_values() -> None:
    """Bounds of a suit's King serve a position with its Queen instead, three thirds weaker."""
    engine = _loaded()
    k = engine.state
    king, queen = 8, 4
    store(k, 0, king, 50, 70, 1)
    assert probe(k, 0, king, 0, 500, 0) == (50, 70)
    assert probe(k, 0, queen, 0, 500, 0) == (47, 70)
    store(k, 0, queen, 48, 66, 1)
    assert probe(k, 0, king, 0, 500, 0) == (50, 69)


def test_a_full_bucket_gives_up_the_least_work() -> None:
    """The entry that cost the fewest nodes makes room."""
    engine = _loaded()
    k = engine.state
    keys = [number << 16 for number in range(5)]
    for key, work in zip(keys, (1000, 10, 5000, 100, 50), strict=True):
        store(k, key, NO_VALUES, 7, 8, work)
    found = [probe(k, key, NO_VALUES, 0, 500, 0) == (7, 8) for key in keys]
    assert found == [True, False, True, True, True]


# --- Keys ---

TRICKS, PLAYOUTS = 6, 60

GAMES = [
    (book.name, contract.name, players)
    for book, contract in every_contract()
    for players in contract.values
]


def _question(position: Position, rng: random.Random) -> Question:
    if position.rules.sides == "everyone":
        return seat_question(position, rng.randrange(position.seats), None)
    bird_game = position.rules.goal_needs_bird
    return declarer_question(position, "made" if bird_game else rng.choice(("points", "tricks")))


def _between_tricks(referee: Referee, rng: random.Random) -> Iterator[State]:
    """Yield the states between the tricks of random games, with two tricks left or more."""
    for _ in range(PLAYOUTS):
        state = referee.start
        while state.cards_left(state.leader) > 1:
            if not state.trick:
                yield state
            state = referee.play(state, rng.choice(referee.moves(state)))


def _owners(state: State) -> Iterator[tuple[int, int, bool]]:
    """Yield every card with its owner and whether it lies face up; covered cards count apart."""
    for seat, hand in enumerate(state.hands):
        yield from ((card, seat, False) for card in from_mask(hand))
    for seat, stacks in enumerate(state.straw):
        for place, card in enumerate(card for stack in stacks for card in stack):
            yield card, seat + 2 if place else seat, place == 0


def _marked(referee: Referee, question: Question) -> int:
    """Return the cards that have a part in the rules of play or in what is asked."""
    rules = referee.rules
    marked = 1 << question.term.card if question.term else 0
    marked |= 1 << PAGAT if rules.pagat else 0
    marked |= 1 << MOND | 1 << SKUS if rules.mond_rule or rules.mond_lifts_fool else 0
    return marked | (1 << SKUS if rules.fool != "trump" else 0)


def _structure(position: Position, referee: Referee, question: Question, state: State) -> object:
    """Return what further play depends on, but for the weights of the cards.

    Trumps and every suit are given by the owners of their cards in rank order, with a mark on the
    cards that have a part in the rules; the suits in any order but where straw men cover them.
    """
    rules, marked = referee.rules, _marked(referee, question)
    rows: list[list[tuple[int, int, bool, int]]] = [[] for _ in range(6)]
    for card, owner, is_up in _owners(state):
        is_excuse = rules.fool == "excuse" and card == SKUS
        rank = -1 if rules.fool == "lowest" and card == SKUS else position.book.rank_order[card]
        mark = (card if suit_of(card) == 0 else 99) if marked >> card & 1 else -1
        rows[5 if is_excuse else suit_of(card)].append((rank, owner, is_up, mark))
    trumps, *suits, excuse = ([entry[1:] for entry in sorted(row)] for row in rows)
    live = rules.emperor != "off" and [(h & TRULL).bit_count() for h in state.hands].count(1) == 3
    fool_may_be_led = rules.fool != "trump" and state.trump_seen and bool(_all(state) >> SKUS & 1)
    order = suits if any(referee.start.straw) else sorted(suits)
    gone = [sum(map(len, stacks)) for stacks in state.straw]
    return repr((state.leader, live, fool_may_be_led, trumps, order, excuse, gone))


def _all(state: State) -> int:
    return to_mask(card for card, _, _ in _owners(state))


def _put(engine: Engine, position: Position, state: State) -> None:
    """Put the hands of a later state into an engine that has the position loaded."""
    k = engine.state
    k.hands[:] = k.straw_gone[:] = 0
    for card, owner, _ in _owners(state):
        k.hands[owner] |= 1 << place_of(engine, card)
    for seat, stacks in enumerate(state.straw):
        covered = sum(map(len, stacks))
        k.straw_gone[seat] = sum(map(len, position.straw[seat])) - covered


def place_of(engine: Engine, card: int) -> int:
    """Return the place at which the kernel knows a card."""
    return engine._place[card]


@pytest.mark.parametrize(("variant", "contract", "players"), GAMES)
def test_equal_keys_mean_equal_play(variant: str, contract: str, players: int) -> None:
    """Two positions of one search share a key exactly when they are played alike."""
    rng = random.Random(f"keys {variant} {contract} {players}")
    engine = Engine(0)
    for bias in ("plain", "plain", "trumps", "trumps"):
        position = random_ending(
            rng, variant, contract, players, TRICKS, bias=bias, mid_trick=False
        )
        referee = Referee(position)
        question = _question(position, rng)
        question.load(engine, position)
        found: dict[int, object] = {}
        keys: dict[object, int] = {}
        for state in set(_between_tricks(referee, rng)):
            _put(engine, position, state)
            live = emperor_possible(engine.state)
            left = state.cards_left(state.leader)
            key, _ = position_key(engine.state, state.leader, live, left)
            structure = _structure(position, referee, question, state)
            assert found.setdefault(key, structure) == structure
            assert keys.setdefault(structure, key) == key


def test_the_place_of_a_bird_is_part_of_the_key() -> None:
    """Trumps of the same owners differ when the promised bird is the first or the last of them."""
    hands = ["T1 T3 T10 SK", "T2 T9 SQ SN", "SJ S10 S9 S8", "HK HQ HN HJ"]
    ending = {"variant": "koenigrufen", "contract": "kakadurufer", "hands": hands}
    position = Position.from_dict({**ending, "partner": 1, "called": "CK"})
    engine = Engine(0)
    declarer_question(position, "made").load(engine, position)
    start = Referee(position).start
    keys = set()
    for first, second in (("T3 T10", "T9 SQ"), ("T1 T3", "T2 SQ")):
        left = (first, second, "SJ S10", "HK HQ")
        held = tuple(to_mask(parse_cards(hand)) for hand in left)
        _put(engine, position, start._replace(hands=held))
        keys.add(position_key(engine.state, 0, 0, 2)[0])
    assert len(keys) == 2
