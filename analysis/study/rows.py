"""The rows of a study: a deal, what the declarer was dealt, how he plays it, what comes of it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from functools import lru_cache

from trull.analysis.deals import Conditions, Deal, Sampler
from trull.analysis.exchange import ExchangeError
from trull.analysis.study.asking import Found, ask, exchange_for, is_made
from trull.analysis.study.kind import Row
from trull.analysis.study.spec import Game, Spec
from trull.solver.cards import NAMES, SUIT_MASKS, TRUMP_MASK, to_mask
from trull.solver.hands import features
from trull.solver.kernel.engine import Engine
from trull.solver.position import Position
from trull.solver.question import Unsolvable
from trull.solver.validation import PositionError


def rows_of(spec: Spec, deals: Iterable[int], engine: Engine) -> Iterator[tuple[Row, float]]:
    """Yield every row of some deals, with the milliseconds that it took.

    Args:
        spec: the specification.
        deals: the numbers of the deals.
        engine: searches.

    Raises `DealError` when no deal that meets the conditions is found.
    """
    for number in deals:
        drawn: dict[tuple[str, int], Deal] = {}
        for game in spec.games:
            key = game.variant, game.players
            if key not in drawn:
                drawn[key] = sampler(*key, spec.conditions, spec.seed).deal(number)
            for declarer in game.declarers:
                began = time.perf_counter()
                row = _row(spec, game, drawn[key], declarer, engine)
                yield {"deal": number, **row}, 1000 * (time.perf_counter() - began)


@lru_cache(maxsize=16)
def sampler(variant: str, players: int, conditions: Conditions, seed: int) -> Sampler:
    """Return the sampler of these deals; raises `DealError` when it knows that there are none."""
    return Sampler(variant, players, conditions, seed)


def _row(spec: Spec, game: Game, deal: Deal, declarer: int, engine: Engine) -> Row:
    """Return a row; of a contract that cannot be played on the deal it says the reason."""
    hand = deal.hands[declarer]
    row: dict[str, object] = {
        "game": game.name,
        "variant": game.variant,
        "contract": game.contract,
        "players": game.players,
        "declarer": declarer,
        **{f"hand{seat}": cards for seat, cards in enumerate(deal.hands)},
        "talon": deal.talon or None,
        "deal_string": deal.deal_string,
        **{f"f_{name}": number for name, number in features(hand, game.book).items()},
        "f_suit_shape": suit_shape(hand),
        "f_talon_trumps": (to_mask(deal.talon) & TRUMP_MASK).bit_count(),
        "policy": game.policy,
        "objective": game.objective,
        "unit": _unit(game),
        "exact": False,
        "nodes": 0,
    }
    instead = deal.without_trumps
    if instead not in (None, game.contract):
        return row | {"reason": f"a hand has no trump, so the deal is {instead}"}
    try:
        return row | _played(spec, game, deal, declarer, engine)
    except (ExchangeError, PositionError, Unsolvable) as error:
        return row | {"reason": str(error)}


def _played(spec: Spec, game: Game, deal: Deal, declarer: int, engine: Engine) -> dict[str, object]:
    """Return how the contract is played, and what comes of it."""
    chosen = exchange_for(game, deal, declarer, engine, spec.nodes)
    position = chosen.position
    if chosen.value is None:
        found = ask(engine, game, position, declarer, spec.nodes)
    else:
        found = Found(chosen.value, chosen.value, 0)
    return {
        "partner": position.partner,
        "called": None if chosen.called is None else NAMES[chosen.called],
        "group": chosen.group,
        "level": chosen.level,
        "taken": chosen.taken,
        "discards": chosen.discards[declarer],
        "nodes": chosen.nodes + found.nodes,
        **(_result(game, position, int(found.lower)) if found.exact and chosen.exact else {}),
    }


def _result(game: Game, position: Position, value: int) -> dict[str, object]:
    """Return the columns of a proven result."""
    return {
        "value": None if game.objective == "made" else value,
        "made": is_made(game, position, value),
        "score": value if game.objective == "score" else None,
        "exact": True,
    }


def suit_shape(hand: int) -> str:
    """Return how many cards a hand has in each suit, longest first.

    >>> from trull.solver.cards import parse_cards
    >>> suit_shape(to_mask(parse_cards("T22 SK SQ S7 HA H2")))
    '3-2-0-0'
    """
    lengths = sorted(((hand & mask).bit_count() for mask in SUIT_MASKS), reverse=True)
    return "-".join(map(str, lengths))


def _unit(game: Game) -> str:
    units = {"points": game.book.unit, "tricks": "tricks", "made": "bool", "score": "score"}
    return units[game.objective]
