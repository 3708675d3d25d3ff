"""Specifications of labels as TOML files, options of the command line, and mappings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from trull.analysis.deals.layout import usual_players
from trull.analysis.labels.players import PLAYERS
from trull.analysis.labels.spec import (
    KINDS,
    RESULTS,
    SHARES,
    BidSpec,
    LabelKind,
    LabelSpec,
    PlaySpec,
    biddable,
)
from trull.analysis.study.error import StudyError
from trull.analysis.study.reading import (
    DEALING,
    GAME_KEYS,
    read_choice,
    read_choices,
    read_games,
    read_number,
)
from trull.analysis.study.spec import EVERY
from trull.solver import rulebooks
from trull.solver.fields import Reader, check_keys, expect, list_of
from trull.solver.validation import PositionError

_MEMORY = 64
_SHARD_ROWS: Mapping[LabelKind, int] = {"play": 480, "bid": 4}  # some seconds to some minutes
_MOST_SAMPLES = 10_000
_MOST_SHARE = 1_000_000


def read_label_spec(data: Mapping[str, object]) -> LabelSpec:
    """Return the specification that a mapping describes, as a TOML file holds it.

    Args:
        data: the keys that docs/labels.md lists.

    Raises `StudyError` with one sentence that names the key.

    >>> spec = read_label_spec({"contracts": ["koenigrufen:dreier"], "deals": 100})
    >>> spec.kind, spec.shards
    ('play', 1)
    """
    try:
        given = dict(data)
        kind = read_choice(KINDS, "kind", given.get("kind", "play"))
        return _read_bid(given) if kind == "bid" else _read_play(given)
    except (PositionError, rulebooks.UnknownRule) as error:
        raise StudyError(str(error)) from error


def _read_play(data: dict[str, object]) -> PlaySpec:
    known = _known(data, _PLAY)
    games = read_games(data)
    rows = sum(len(game.declarers) for game in games) * known.get("positions", 1)
    shard = max(1, _SHARD_ROWS["play"] // rows)
    return PlaySpec(games=games, **({"memory": _MEMORY, "shard": shard} | known))


def _read_bid(data: dict[str, object]) -> BidSpec:
    known = _known(data, _BID)
    given = {"declarer": EVERY} | data
    if not given.get("contracts") and not given.get("game"):
        given["contracts"] = _all_bids(given)
    games = read_games(given)
    shard = max(1, _SHARD_ROWS["bid"] // len(games[0].declarers))
    return BidSpec(games=games, **({"memory": _MEMORY, "shard": shard} | known))


def _known(data: Mapping[str, object], own: Mapping[str, Reader]) -> dict[str, Any]:
    readers = {**DEALING, **_COMMON, **own}
    check_keys("", data, (*readers, *GAME_KEYS, "kind"), required=("deals",))
    return {key: read(key, data[key]) for key, read in readers.items() if key in data}


def _all_bids(data: Mapping[str, object]) -> list[str]:
    """Return every contract that may be bid in the variant that is named."""
    name = expect("variant", data.get("variant"), str, "a variant, or contracts")
    players = data.get("players", usual_players(rulebooks.variant(name)))
    found = biddable(name, read_number(2, 4, "players", players))
    if not found:
        raise StudyError(f"players: {players}, but nobody bids then in {name}")
    return [f"{name}:{contract}" for contract in found]


def _read_split(key: str, value: object) -> tuple[int, ...]:
    shares = list_of(partial(read_number, 0, _MOST_SHARE), key, value)
    if len(shares) != len(SHARES):
        raise StudyError(f"{key}: {len(shares)} numbers, expected shares such as {list(SHARES)}")
    return tuple(shares)


def _read_tricks(key: str, value: object) -> tuple[int, ...]:
    tricks = list_of(partial(read_number, 1, 16), key, value)
    return tuple(sorted(set(tricks)))


def _read_probability(key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise StudyError(f"{key}: {value}, expected a probability from 0 to 1")
    return float(value)


def _read_switch(key: str, value: object) -> bool:
    read: bool = expect(key, value, bool, "true or false")
    return read


_COMMON: Mapping[str, Reader] = {"split": _read_split}

_PLAY: Mapping[str, Reader] = {
    "player": partial(read_choice, PLAYERS),
    "epsilon": _read_probability,
    "tricks": _read_tricks,
    "positions": partial(read_number, 1, 16),
    "balance": _read_switch,
}

_BID: Mapping[str, Reader] = {
    "samples": partial(read_number, 1, _MOST_SAMPLES),
    "results": partial(read_choices, RESULTS),
}
