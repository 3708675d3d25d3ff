"""Specifications as TOML files, options of the command line, and mappings of Python."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from trull.analysis.deals import Conditions, DealError
from trull.analysis.study.error import StudyError
from trull.analysis.study.spec import EVERY, POLICIES, Game, Spec
from trull.solver import rulebooks
from trull.solver.fields import Reader, check_keys, expect, list_of, read_text, record_of
from trull.solver.json_stream import show
from trull.solver.question import OBJECTIVES, default_objective
from trull.solver.validation import PositionError

_MOST = 10**12
_MOST_SEED = 2**63 - 1
_MOST_MEMORY = 1 << 20
_MEMORY = 64
_SHARD_ROWS = 240  # some seconds of solving


def read_spec(data: Mapping[str, object]) -> Spec:
    """Return the specification that a mapping describes, as a TOML file holds it.

    Args:
        data: the keys that docs/studying.md lists.

    Raises `StudyError` with one sentence that names the key.

    >>> spec = read_spec({"contracts": ["koenigrufen:dreier"], "deals": 100})
    >>> spec.games[0].objective, spec.shards
    ('points', 1)
    """
    try:
        return _read_spec(dict(data))
    except (PositionError, rulebooks.UnknownRule) as error:
        raise StudyError(str(error)) from error


def read_toml(path: Path) -> dict[str, object]:
    """Return what a TOML file holds; raises `StudyError` where it is none."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StudyError(f"{path}: not TOML: {error}") from error


def _read_spec(data: dict[str, object]) -> Spec:
    check_keys("", data, (*_STUDY, *GAME_KEYS), required=("deals",))
    study = {key: read(key, data[key]) for key, read in _STUDY.items() if key in data}
    games = read_games(data)
    rows = sum(len(game.declarers) for game in games)
    return Spec(games=games, **({"memory": _MEMORY, "shard": max(1, _SHARD_ROWS // rows)} | study))


def read_games(data: Mapping[str, object]) -> tuple[Game, ...]:
    """Return the games that the keys `GAME_KEYS` of a mapping describe, one or more.

    Raises `StudyError`, `PositionError` or `UnknownRule`.
    """
    common = {key: read(key, data[key]) for key, read in _COMMON.items() if key in data}
    games = tuple(_games(data, common))
    if not games:
        raise StudyError("contracts: missing, expected a list such as ['koenigrufen:dreier']")
    names: set[str] = set()
    for game in games:
        if game.name in names:
            raise StudyError(f"game: two are called {game.name!r}, expected a name of its own each")
        names.add(game.name)
    return games


def _games(data: Mapping[str, object], common: Mapping[str, Any]) -> Iterator[Game]:
    for key, text in enumerate(list_of(_read_name, "contracts", data.get("contracts", []))):
        yield from _variations(f"contracts[{key}]", {**common, "contract": text})
    for number, table in enumerate(expect("game", data.get("game", []), list, "[[game]] tables")):
        where = f"game[{number}]"
        entries = expect(where, table, dict, "a table")
        check_keys(where, entries, (*_GAME, *_COMMON), required=("contract",))
        read = {
            key: reader(f"{where}.{key}", entries[key])
            for key, reader in {**_GAME, **_COMMON}.items()
            if key in entries
        }
        yield from _variations(f"{where}.contract", {**common, **read})


def _variations(where: str, given: Mapping[str, Any]) -> Iterator[Game]:
    """Yield the games of one contract: one a policy and objective."""
    variant, contract = _identified(where, given)
    rules = rulebooks.contract(variant, contract)
    policies = given.get("policy", POLICIES[:1])
    objectives = given.get("objective", (default_objective(rules),))
    for policy in policies:
        for objective in objectives:
            name = given.get("name", f"{variant}:{contract}")
            yield Game(
                name=name
                + (f"/{policy}" if len(policies) > 1 else "")
                + (f"/{objective}" if len(objectives) > 1 else ""),
                variant=variant,
                contract=contract,
                players=given.get("players", max(rules.values)),
                declarer=given.get("declarer", 0),
                policy=policy,
                objective=objective,
                level=given.get("level"),
                announced=given.get("announced", ()),
                options=given.get("options", {}),
            )


def _identified(where: str, given: Mapping[str, Any]) -> tuple[str, str]:
    """Return variant and contract, which may stand in one text."""
    variant, colon, contract = given["contract"].partition(":")
    if not colon and "variant" in given:
        return given["variant"], variant
    if not colon or given.get("variant", variant) != variant:
        raise StudyError(
            f"{where}: {given['contract']!r}, expected a variant and a contract of it, such as "
            "'koenigrufen:dreier'"
        )
    return variant, contract


def _read_name(key: str, value: object) -> str:
    text = read_text(key, value)
    if not text.isprintable():
        raise StudyError(f"{key}: {text!r}, expected a text that can be printed")
    return text


def read_number(least: int, most: int, key: str, value: object) -> int:
    """Return a whole number from `least` to `most`."""
    number: int = expect(key, value, int, "a whole number")
    if not least <= number <= most:
        raise StudyError(f"{key}: {number}, expected {least} to {most}")
    return number


def _read_conditions(key: str, value: object) -> Conditions:
    """Read a table, or the expressions of one alone."""
    try:
        return Conditions.from_dict(value if isinstance(value, dict) else {"where": value})
    except (DealError, PositionError) as error:
        raise StudyError(f"{key}: {error}") from error


def _read_declarer(key: str, value: object) -> object:
    if value == EVERY:
        return value
    if type(value) is not int:
        raise StudyError(f"{key}: {show(value)}, expected a seat, or '{EVERY}'")
    return value


def read_choice(choices: tuple[str, ...], key: str, value: object) -> str:
    """Return a text that is one of the `choices`."""
    if value not in choices:
        raise StudyError(f"{key}: {show(value)}, expected {', '.join(choices)}")
    return str(value)


def read_choices(choices: tuple[str, ...], key: str, value: object) -> tuple[str, ...]:
    """Return one or several different texts out of the `choices`."""
    read = partial(read_choice, choices)
    chosen = list_of(read, key, value) if isinstance(value, list) else (read(key, value),)
    if not chosen or len(set(chosen)) < len(chosen):
        raise StudyError(f"{key}: expected one or several different ones of {', '.join(choices)}")
    return chosen


def _read_announced(key: str, value: object) -> tuple[int | None, str]:
    if isinstance(value, str):
        return None, value
    read: tuple[int | None, str] = record_of(
        lambda seat, bonus: (seat, bonus),
        {"seat": partial(read_number, 0, 3), "bonus": read_text},
        key,
        value,
    )
    return read


def _read_options(key: str, value: object) -> dict[str, object]:
    options = expect(key, value, dict, "a table")
    return {
        name: tuple(entry) if isinstance(entry, list) else entry for name, entry in options.items()
    }


DEALING: Mapping[str, Reader] = {
    "title": _read_name,
    "deals": partial(read_number, 1, _MOST),
    "seed": partial(read_number, 0, _MOST_SEED),
    "conditions": _read_conditions,
    "memory": partial(read_number, 0, _MOST_MEMORY),
    "shard": partial(read_number, 1, _MOST),
}
"""What belongs to all games on all deals together."""

_STUDY: Mapping[str, Reader] = {**DEALING, "nodes": partial(read_number, 1, _MOST)}
"""What belongs to the study as a whole."""

_COMMON: Mapping[str, Reader] = {
    "variant": _read_name,
    "players": partial(read_number, 2, 4),
    "declarer": _read_declarer,
    "policy": partial(read_choices, POLICIES),
    "objective": partial(read_choices, OBJECTIVES),
    "announced": partial(list_of, _read_announced),
    "options": _read_options,
}
"""What belongs to a game, and may stand above all games for those that do not say it."""

GAME_KEYS = (*_COMMON, "contracts", "game")
"""The keys that games are read from."""

_GAME: Mapping[str, Reader] = {
    "name": _read_name,
    "contract": _read_name,
    "level": partial(read_number, 1, 3),
}
"""What only a game has."""
