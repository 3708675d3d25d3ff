"""The rows of bid labels: what each contract is worth to a hand, on average and in its deal."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev

from trull.analysis.deals import Deal
from trull.analysis.labels.dealing import bid_sampler, opening, with_same_hand
from trull.analysis.labels.schema import NO_VALUE, NOTHING
from trull.analysis.labels.solving import result
from trull.analysis.labels.spec import BidSpec
from trull.analysis.labels.splitting import split_of
from trull.analysis.study.asking import is_made
from trull.analysis.study.kind import Row
from trull.analysis.study.spec import Game
from trull.solver.hands import Hand, judge
from trull.solver.kernel.engine import Engine
from trull.solver.position import Position


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a contract comes to on one deal; `None` for what is not asked or has no meaning.

    Attributes:
        value: the result in the game's own objective.
        made: whether the contract is made.
        score: what the declarer writes.
    """

    value: int | None = None
    made: int | None = None
    score: int | None = None


@dataclass(slots=True)
class Tally:
    """What a contract comes to on the sampled deals, deal by deal.

    Attributes:
        outcomes: one a deal on which the contract can be played.
    """

    outcomes: list[Outcome] = field(default_factory=list)

    def mean_and_error(self, name: str) -> tuple[float, float]:
        """Return the mean of `value`, `made` or `score` and its standard error; NaN for none."""
        found = [getattr(outcome, name) for outcome in self.outcomes]
        numbers = [number for number in found if number is not None]
        mean = fmean(numbers) if numbers else math.nan
        error = stdev(numbers) / math.sqrt(len(numbers)) if len(numbers) > 1 else math.nan
        return mean, error


def bid_rows(spec: BidSpec, deals: Iterable[int], engine: Engine) -> Iterator[tuple[Row, float]]:
    """Yield every row of some deals, with the milliseconds that it took.

    Args:
        spec: the specification.
        deals: the numbers of the deals.
        engine: searches.

    Raises `DealError` when no deal that meets the conditions is found, and `Stopped` when the
    engine is retired meanwhile.
    """
    for number in deals:
        deal = bid_sampler(spec).deal(number)
        for seat in spec.seats:
            began = time.perf_counter()
            row = bid_row(spec, number, deal, seat, engine)
            yield row, 1000 * (time.perf_counter() - began)


def bid_row(spec: BidSpec, number: int, deal: Deal, seat: int, engine: Engine) -> Row:
    """Return the row of a hand.

    Args:
        spec: the specification.
        number: the number of the deal.
        deal: the deal that the hand was dealt in.
        seat: the seat.
        engine: searches.
    """
    hand = deal.hands[seat]
    bids = judge(Hand(variant=spec.variant, cards=hand, seat=seat)).bids
    allowed = [game.contract in bids for game in spec.games]
    tallies = [Tally() for _ in spec.games]
    sampler = with_same_hand(spec, number, seat, hand)
    sampled = (sampler.deal(sample) for sample in range(spec.samples if any(allowed) else 0))
    for other in sampled:
        for game, tally, may in zip(spec.games, tallies, allowed, strict=True):
            found = outcome(spec, game, other, seat, engine) if may else None
            if found is not None:
                tally.outcomes.append(found)
    opened = [
        outcome(spec, game, deal, seat, engine) if may else None
        for game, may in zip(spec.games, allowed, strict=True)
    ]
    return {
        "deal": number,
        "split": split_of(spec.seed, number, spec.split),
        "variant": spec.variant,
        "players": spec.players,
        "seat": seat,
        "hand": hand,
        "allowed": allowed,
        "samples": [len(tally.outcomes) for tally in tallies],
        **_means(tallies),
        **_opened(opened),
    }


def outcome(spec: BidSpec, game: Game, deal: Deal, seat: int, engine: Engine) -> Outcome | None:
    """Return what a contract comes to on a deal, or `None` where the deal does not allow it."""
    position = opening(game, deal, seat, engine)
    if position is None:
        return None
    value = result(engine, position, game.objective, seat) if "value" in spec.results else None
    if position.rules.sides == "everyone":
        return Outcome(value)
    made = _made(game, position, seat, value, engine) if "made" in spec.results else None
    score = result(engine, position, "score", seat) if "score" in spec.results else None
    return Outcome(value, made, score)


def _made(game: Game, position: Position, seat: int, value: int | None, engine: Engine) -> int:
    """Return whether a contract is made, without a search where its value tells."""
    told = None if value is None else is_made(game, position, value)
    return result(engine, position, "made", seat) if told is None else int(told)


def _means(tallies: Sequence[Tally]) -> dict[str, object]:
    columns: dict[str, object] = {}
    for name in ("value", "made", "score"):
        found = [tally.mean_and_error(name) for tally in tallies]
        columns[name] = [mean for mean, _ in found]
        columns[f"{name}_error"] = [error for _, error in found]
    return columns


def _opened(outcomes: Sequence[Outcome | None]) -> dict[str, object]:
    found = [outcome or Outcome() for outcome in outcomes]
    return {
        "open_value": [NO_VALUE if one.value is None else one.value for one in found],
        "open_made": [NOTHING if one.made is None else one.made for one in found],
        "open_score": [NO_VALUE if one.score is None else one.score for one in found],
    }
