"""Par against a plain walk through every auction, with the rules of bidding written out again."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest

from trull.analysis.makeable import Call, NoPar, Payoffs, par
from trull.solver.rulebooks import VARIANTS

Scores = tuple[int, ...]
History = tuple[tuple[int, str | None], ...]

_HEIGHTS: Mapping[str, Mapping[str, int]] = {
    "koenigrufen": {
        "piccolo": 1,
        "zwiccolo": 1,
        "solorufer": 2,
        "dreier": 3,
        "piccolo_ouvert": 4,
        "zwiccolo_ouvert": 4,
    },
    "slovenian": {"dve": 1, "ena": 2, "berac": 3},
    "czech": {"first_duty": 0, "second_duty": 1, "trojka": 2, "solo": 3},
    "texas": {"povinost": 0, "zebrak": 1, "ze_ruky": 2, "prever": 3},
    "house": {"partnered_three": 1, "solo_three": 2, "no_peek": 3},
}
_LOWEST = {
    "koenigrufen": ("rufer", "trischaken", "sechserdreier"),
    "slovenian": ("klop", "tri"),
}
_ONCE = ("czech", "texas")


class Outcome(NamedTuple):
    """Where an auction led."""

    contract: str
    declarer: int | None
    scores: Scores
    history: History


def played_out(variant: str, payoffs: Payoffs, seats: int, history: History = ()) -> Outcome:
    """Return where best bidding leads, by trying every call of every auction."""
    turn = speaker(variant, seats, history)
    if turn is None:
        return ended(variant, payoffs, history)
    best: Outcome | None = None
    for call in calls(variant, payoffs, turn, history):
        outcome = played_out(variant, payoffs, seats, (*history, (turn, call)))
        if best is None or outcome.scores[turn] > best.scores[turn]:
            best = outcome
    assert best is not None
    return best


def highest(history: History) -> tuple[int, str] | None:
    """Return the last bid, which is the highest."""
    return next(((seat, bid) for seat, bid in reversed(history) if bid is not None), None)


def speaker(variant: str, seats: int, history: History) -> int | None:
    """Return who speaks next, or nobody when the auction is over."""
    if variant in _ONCE:
        return len(history) if len(history) < seats else None
    passed = {seat for seat, bid in history if bid is None}
    if len(passed) == seats or (len(passed) == seats - 1 and highest(history)):
        return None
    first = 0 if variant == "house" else 1
    last = history[-1][0] if history else first - 1
    turns = [(last + step) % seats for step in range(1, seats + 1)]
    return next(turn for turn in turns if turn not in passed)


def calls(variant: str, payoffs: Payoffs, seat: int, history: History) -> Iterator[str | None]:
    """Yield what a seat may say: a pass, then its bids from the lowest."""
    top = highest(history)
    if top is not None or seat != 0 or variant == "house":
        yield None
    if top is None and seat == 0:
        yield from (name for name in _LOWEST.get(variant, ()) if (name, 0) in payoffs)
    heights = _HEIGHTS[variant]
    for name, height in heights.items():
        if (name, seat) not in payoffs:
            continue
        if top is None or height > heights.get(top[1], 0):
            yield name
        elif height == heights.get(top[1], 0):
            as_forehand = variant == "slovenian" and seat == 0
            as_senior = variant == "house" and seat < top[0]
            if as_forehand or as_senior:
                yield name


def ended(variant: str, payoffs: Payoffs, history: History) -> Outcome:
    """Return what is played at the end of an auction."""
    top = highest(history)
    if top is None:
        return Outcome("klop", None, payoffs["klop", 0], history)
    seat, bid = top
    choices = [bid]
    if variant == "czech" and bid == "first_duty":
        choices.append("warsaw")
    if variant == "house":
        heights = _HEIGHTS[variant]
        choices += [name for name in heights if heights[name] > heights[bid]]
    open_to_him = [name for name in choices if (name, seat) in payoffs]
    best = max(open_to_him, key=lambda name: payoffs[name, seat][seat])
    return Outcome(best, seat, payoffs[best, seat], history)


def made_up(variant: str, seats: int, generator: random.Random) -> Payoffs:
    """Return payoffs with many ties, in which some seats may not bid some contracts."""

    def scores() -> Scores:
        return tuple(generator.randint(-3, 3) for _ in range(seats))

    names = generator.sample(list(_HEIGHTS[variant]), 3)
    payoffs = {
        (name, seat): scores()
        for name in names
        for seat in range(seats)
        if generator.random() < 0.8 and (name, seat) != ("second_duty", 0)
    }
    for name in ("first_duty", "povinost"):
        payoffs = {place: own for place, own in payoffs.items() if place[0] != name}
    duty = {"czech": "first_duty", "texas": "povinost"}.get(variant)
    lowest = _LOWEST.get(variant, ("klop",) if duty is None else (duty,))
    payoffs |= {(name, 0): scores() for name in lowest}
    if variant == "czech":
        payoffs["warsaw", 0] = scores()
    return payoffs


@pytest.mark.parametrize(
    ("variant", "seats"),
    [
        ("koenigrufen", 4),
        ("slovenian", 4),
        ("slovenian", 3),
        ("czech", 4),
        ("texas", 4),
        ("house", 4),
        ("house", 3),
    ],
)
def test_par_is_what_trying_every_auction_finds(variant: str, seats: int) -> None:
    book = VARIANTS[variant]
    bids = [bid for bid in book.bids if seats in bid.players]
    for seed in range(25):
        payoffs = made_up(variant, seats, random.Random(seed))
        if variant == "slovenian" and seats == 3:
            payoffs = {place: own for place, own in payoffs.items() if place[0] != "tri"}
        found = par(bids, book.auction, payoffs, seats)
        expected = played_out(variant, payoffs, seats)
        calls_made = tuple((call.seat, call.contract) for call in found.calls)
        assert Outcome(found.contract, found.declarer, found.scores, calls_made) == expected, seed


@pytest.mark.parametrize("variant", ["koenigrufen", "czech", "house"])
def test_par_that_bounds_prove_is_par_for_all_scores_within_them(variant: str) -> None:
    book, proven, left_open = VARIANTS[variant], 0, 0
    for seed in range(60):
        generator = random.Random(seed)
        least = made_up(variant, 4, generator)
        wide = generator.sample(sorted(least), 1)
        widths = {place: 3 if place in wide else 0 for place in least}
        most = {place: tuple(s + widths[place] for s in own) for place, own in least.items()}
        try:
            found = par(book.bids, book.auction, least, 4, most)
        except NoPar:
            left_open += 1
            continue
        proven += 1
        for _ in range(10):
            payoffs = {
                place: tuple(s + generator.randint(0, widths[place]) for s in own)
                for place, own in least.items()
            }
            exact = par(book.bids, book.auction, payoffs, 4)
            assert (exact.contract, exact.declarer) == (found.contract, found.declarer), seed
            assert exact.scores == found.scores
    assert proven > 5 and left_open > 5


def test_an_unknown_score_that_cannot_matter_leaves_par_proven() -> None:
    book = VARIANTS["koenigrufen"]
    least: Payoffs = {
        ("rufer", 0): (10, -10, -10, 10),
        ("dreier", 3): (-math.inf, -math.inf, -math.inf, -300),
    }
    hopeless = least | {("dreier", 3): (100, 100, 100, 0)}
    assert par(book.bids, book.auction, least, 4, hopeless).contract == "rufer"
    hopeful = least | {("dreier", 3): (100, 100, 100, 60)}
    with pytest.raises(NoPar, match="open: dreier by seat 3, rufer by seat 0"):
        par(book.bids, book.auction, least, 4, hopeful)


def test_all_pass_and_forehand_plays_what_pays_him_most() -> None:
    book = VARIANTS["koenigrufen"]
    payoffs = {
        ("rufer", 0): (10, -10, -10, 10),
        ("trischaken", 0): (-20, 10, 10, 10),
        ("sechserdreier", 0): (150, -50, -50, -50),
        ("bettler", 1): (40, -120, 40, 40),
    }
    found = par(book.bids, book.auction, payoffs, 4)
    assert (found.contract, found.declarer, found.scores[0]) == ("sechserdreier", 0, 150)


def test_a_sacrifice_that_costs_less_than_what_it_prevents() -> None:
    book = VARIANTS["koenigrufen"]
    payoffs = {
        ("sechserdreier", 0): (150, -50, -50, -50),
        ("trischaken", 0): (-60, 20, 20, 20),
        ("piccolo", 3): (10, 10, 10, -30),
    }
    found = par(book.bids, book.auction, payoffs, 4)
    assert (found.contract, found.declarer) == ("piccolo", 3)
    assert found.calls == (Call(1, None), Call(2, None), Call(3, "piccolo"), Call(0, None))


def test_equal_bids_do_not_beat_each_other() -> None:
    book = VARIANTS["koenigrufen"]
    payoffs = {
        ("rufer", 0): (0, 0, 0, 0),
        ("piccolo", 1): (-20, 60, -20, -20),
        ("zwiccolo", 2): (-20, -20, 60, -20),
    }
    assert par(book.bids, book.auction, payoffs, 4).contract == "piccolo"


def test_forehand_may_equal_in_slovenian_tarok() -> None:
    book = VARIANTS["slovenian"]
    payoffs = {("klop", 0): (-20,) * 4, ("dve", 1): (0, 25, 0, 0), ("dve", 0): (30, 0, 0, 0)}
    found = par(book.bids, book.auction, payoffs, 4)
    assert (found.contract, found.declarer) == ("dve", 0)


def test_without_the_contracts_of_forehand_there_is_no_par() -> None:
    book = VARIANTS["texas"]
    with pytest.raises(NoPar, match="forehand may bid none of povinost"):
        par(book.bids, book.auction, {("prever", 1): (-3, 9, -3, -3)}, 4)


def test_without_the_contract_for_all_passing_there_is_no_par() -> None:
    book = VARIANTS["house"]
    with pytest.raises(NoPar, match="klop"):
        par(book.bids, book.auction, {("no_peek", 1): (0, 80, 0, 0)}, 4)
