"""The compiled kernel: card by card against the referee, its bits, bounds and limits."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import numba
import numpy as np
import pytest

from compiled import from_python
from endings import random_ending
from trull.solver import Position, Request, cards, solve, solve_many
from trull.solver.kernel import bits, bounds, form, play
from trull.solver.kernel.engine import Engine
from trull.solver.kernel.table import GENERATIONS
from trull.solver.question import declarer_question, seat_question
from trull.solver.referee import TAKE, Objective, Referee
from trull.solver.rulebooks import VARIANTS, every_contract
from trull.solver.rules import hand_size

pext_portable = from_python(bits.pext_portable)
static_bounds = from_python(bounds.static_bounds)
emperor_possible = from_python(play.emperor_possible)

GAMES = 20

EVERY_GAME = [
    (book.name, contract.name, players)
    for book, contract in every_contract()
    for players in contract.values
]

ENDING = {
    "variant": "koenigrufen",
    "contract": "dreier",
    "hands": ["T22 T9 SK S8", "T21 T3 SQ HK", "T5 T2 S9 HQ", "T1 T4 SJ HJ"],
}


def _deals(variant: str, contract: str, players: int) -> Iterator[Position]:
    rng = random.Random(f"kernel {variant} {contract} {players}")
    for _ in range(GAMES):
        size = hand_size(players)
        switches = [name for name, off in VARIANTS[variant].options.items() if off is False]
        yield random_ending(
            rng,
            variant,
            contract,
            players,
            size,
            past=True,
            mid_trick=False,
            options={name: True for name in switches if rng.random() < 1 / 2},
        )


@pytest.mark.parametrize(("variant", "contract", "players"), EVERY_GAME)
def test_random_games_card_by_card(variant: str, contract: str, players: int) -> None:
    """Seat to play, legal cards and a seat's points after every card, all totals at the end."""
    rng = random.Random(f"games {variant} {contract} {players}")
    engine = Engine(0)
    for position in _deals(variant, contract, players):
        referee = Referee(position)
        state, line = referee.start, []
        while not referee.over(state):
            line.append(rng.choice(referee.moves(state)))
            state = referee.play(state, line[-1])
        watched = rng.randrange(players)
        engine.load(position, "points", [watched], [watched])
        before = referee.points(referee.start, watched)
        state = referee.start
        for ply, move in enumerate(line):
            player, legal, points = engine.look(line[:ply])
            assert player == referee.player(state)
            assert tuple(cards.from_mask(legal)) == referee.legal(state)
            assert points == referee.points(state, watched) - before
            state = referee.play(state, move)
        for seat in range(players):
            for measure in ("points", "tricks"):
                engine.load(position, measure, [seat], [seat])
                total = state.tricks[seat] if measure == "tricks" else referee.points(state, seat)
                past = referee.points(referee.start, seat) if measure == "points" else 0
                assert engine.look(line)[2] == total - past


@numba.njit
def _all_bits(mask: int, selector: int) -> tuple[int, int, int, int, int]:
    return (
        bits.popcount(mask),
        bits.lowest(mask),
        bits.highest(mask),
        bits.pext(mask, selector),
        bits.pext_portable(mask, selector),
    )


def test_compiled_bits_are_the_plain_ones() -> None:
    """Every compiled bit function, and PEXT with and without the processor's help."""
    rng = random.Random(1)
    masks = [1, 1 << 54, (1 << 55) - 1, *(rng.getrandbits(55) | 1 << n for n in range(55))]
    for mask in masks:
        for selector in (0, *masks[:3], *(rng.getrandbits(55) for _ in range(10))):
            packed = bits.pext(mask, selector)
            plain = (bits.popcount(mask), bits.lowest(mask), bits.highest(mask), packed, packed)
            assert _all_bits(mask, selector) == plain
            assert pext_portable(mask, selector) == packed


@pytest.mark.parametrize(("variant", "contract", "players"), EVERY_GAME)
def test_static_bounds_hold(variant: str, contract: str, players: int) -> None:
    """What the bounds say without search is true: the value lies between them."""
    rng = random.Random(f"bounds {variant} {contract} {players}")
    engine = Engine(0)
    for _ in range(12):
        tricks = rng.randint(2, 6)
        position = random_ending(rng, variant, contract, players, tricks, mid_trick=False)
        if position.rules.sides == "everyone":
            answer = solve(position, cards="none", pv=False, memory=1)
            seat = rng.randrange(players)
            question, value = seat_question(position, seat, None), answer.seats[seat][0]
        else:
            objective: Objective = rng.choice(("points", "tricks"))
            value = solve(position, objective, cards="none", pv=False, memory=1).value
            question = declarer_question(position, objective)
        question.load(engine, position)
        k = engine.state
        low, high = static_bounds(k, position.leader, tricks, emperor_possible(k))
        assert low <= value - question.past <= high


@pytest.mark.parametrize(("variant", "contract", "players"), EVERY_GAME)
def test_what_a_form_knows_changes_nothing(
    variant: str, contract: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search that takes rules for granted visits the same nodes as the one that asks."""
    rng = random.Random(f"forms {variant} {contract} {players}")
    endings = [random_ending(rng, variant, contract, players, 5) for _ in range(4)]
    chosen = [solve(position, memory=1) for position in endings]
    monkeypatch.setattr(form, "form_of", lambda k: form.ANY)
    for position, answer in zip(endings, chosen, strict=True):
        asked = solve(position, memory=1)
        assert (asked.value, asked.cards, asked.pv) == (answer.value, answer.cards, answer.pv)
        assert asked.nodes == answer.nodes


def test_forms() -> None:
    """Three and four players have a form of their own, until a rare rule comes into force."""
    engine = Engine(0)
    for variant, contract, players, found in (
        ("koenigrufen", "rufer", 4, 4),
        ("slovenian", "solo_tri", 3, 3),
        ("koenigrufen", "bettler", 4, 0),
        ("house", "scarecrow", 2, 0),
    ):
        position = random_ending(random.Random(1), variant, contract, players, 3)
        engine.load(position, "points", [0], [0])
        assert form.form_of(engine.state).players == found
    position = random_ending(random.Random(1), "koenigrufen", "dreier", 4, 3)
    engine.load(position, "points", [0], [0])
    assert form.form_of(engine.state).players == 4
    engine.add_term(cards.PAGAT, 1)
    assert form.form_of(engine.state) == form.ANY


def test_an_ending_without_compilation() -> None:
    """NUMBA_DISABLE_JIT runs the same search: same value, cards, line and number of nodes."""
    code = (
        "from trull.solver import Position, solve\n"
        f"a = solve(Position.from_dict({ENDING!r}), memory=0.01)\n"
        "print(a.value, dict(a.cards), a.pv, a.nodes)"
    )
    plain, compiled = (
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("1", "0")
    )
    assert plain == compiled != ""


def test_the_next_process_finds_the_same() -> None:
    """Code that comes out of the cache, recursion included, does what was compiled."""
    solve(Position.from_dict(ENDING))  # from here on the cache is filled
    code = (
        "from trull.solver import Position, solve\n"
        f"a = solve(Position.from_dict({ENDING!r}))\n"
        "print(a.value, dict(a.cards), a.pv, a.nodes)"
    )
    answer = solve(Position.from_dict(ENDING))
    here = f"{answer.value} {dict(answer.cards)} {answer.pv} {answer.nodes}\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == here


def _hard_deal() -> Position:
    return next(iter(_deals("slovenian", "solo_brez", 3)))


def test_a_stopped_kernel_ends_at_once() -> None:
    """The stop flag ends a running search within a fifth of a second."""
    engine = Engine(1)
    engine.begin()
    position = _hard_deal()
    engine.load(position, "points", position.side, position.side)
    ended = threading.Event()

    def work() -> None:
        for target in range(1, 210):
            engine.reach(target, [])
        ended.set()

    threading.Thread(target=work, daemon=True).start()
    time.sleep(0.1)
    assert not ended.is_set()
    engine.stop()
    assert ended.wait(0.2)


@pytest.mark.parametrize("limit", [1, 30, 1000, 20_000])
def test_limits_leave_bounds_that_hold_the_value(limit: int) -> None:
    """A node limit gives proven bounds, and cards are reported only with proven values."""
    rng = random.Random(3)
    for _ in range(10):
        position = random_ending(rng, "koenigrufen", "rufer", 4, 6)
        full = solve(position)
        limited = solve(position, nodes=limit)
        assert limited.lower <= full.value <= limited.upper
        assert limited.exact == (limited.lower == limited.upper)
        assert limited.cards.items() <= full.cards.items()


def test_a_time_limit_leaves_bounds() -> None:
    """A time limit ends the search soon after, with bounds around what more time proves."""
    position = next(iter(_deals("slovenian", "klop", 3)))  # takes seconds
    began = time.perf_counter()
    answer = solve(position, seconds=0.1)
    assert time.perf_counter() - began < 1
    assert not answer.exact
    longer = solve(position, seconds=0.5)
    assert answer.lower <= longer.lower <= longer.upper <= answer.upper


def test_generations_of_the_table_wrap_around() -> None:
    """More searches than generations: the table is cleared, nothing old is believed."""
    rng = random.Random(4)
    endings = [random_ending(rng, "czech", "trojka", 4, 3) for _ in range(20)]
    alone = [solve(position, memory=0.01) for position in endings]
    rounds = GENERATIONS // len(endings) + 2
    many = list(solve_many(endings * rounds, Request(), memory=0.01))
    assert [answer.nodes for answer in many] == [answer.nodes for answer in alone] * rounds
    assert [answer.value for answer in many] == [answer.value for answer in alone] * rounds


def test_the_tables_memory() -> None:
    """A table never takes more than it was given, and starts on a cache line."""
    for megabytes in (0, 0.01, 1, 3, 64):
        table = Engine(megabytes).table
        assert table.nbytes <= max(megabytes * (1 << 20), 64)
        assert table.ctypes.data % 64 == 0
        assert table.dtype == np.int64


def test_moves_of_a_card_number() -> None:
    """A move of every game but Scarecrow is a card number."""
    position = Position.from_dict(ENDING)
    referee = Referee(position)
    assert referee.moves(referee.start) == referee.legal(referee.start)
    assert all(move < TAKE for move in referee.moves(referee.start))
