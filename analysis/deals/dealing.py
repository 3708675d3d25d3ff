"""`trull deal`: deals out, one a line."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from trull.analysis.deals.conditions import Conditions, Voids
from trull.analysis.deals.deal import Deal, DealError, book_of
from trull.analysis.deals.sampler import MOST_TRIES, Sampler
from trull.solver.cards import NAMES
from trull.solver.fields import check_keys, expect, read_card
from trull.solver.interchange import format_text, parse_position, position_to_dict
from trull.solver.position import Position
from trull.solver.rules import Contract, Variant
from trull.solver.validation import PositionError, find_contract

_FAULTY = 2
_MOST = 10**12

_CONDITIONS = ("where", "hold", "talon")
"""The keys of the table [deals] that add up with the options of the same name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be dealt. What is `None` or empty was not said.

    Attributes:
        variant: the rule book's identifier.
        players: the number of players.
        count: how many deals.
        seed: the seed.
        first: the number of the first deal.
        tries: how many tries in a row may fail.
        contract: makes positions of the deals: a contract without an exchange.
        declarer: its declarer.
        called: the card that is called.
        voids: what to do about a hand without trumps, as in `Conditions`.
    """

    variant: str | None = None
    players: int | None = None
    count: int | None = None
    seed: int | None = None
    first: int | None = None
    tries: int | None = None
    contract: str | None = None
    declarer: int | None = None
    called: str | None = None
    voids: Voids | None = None

    def filled(self, other: Order) -> Order:
        """Return the order with what was not said taken from another one."""
        missing = {
            field.name: getattr(other, field.name)
            for field in fields(self)
            if getattr(self, field.name) is None
        }
        return replace(self, **missing)


_DEFAULTS = Order(count=1, seed=0, first=0, tries=MOST_TRIES, voids="rule")
_LEAST = {"players": 2, "count": 1, "seed": 0, "first": 0, "tries": 1, "declarer": 0}


def deal_out(order: Order, conditions: Conditions, toml: Path | None, *, as_json: bool) -> int:
    """Print deals, one a line, and on standard error what their conditions cost.

    Args:
        order: what is to be dealt; goes before what the file says.
        conditions: conditions beside those of the file.
        toml: a file whose table [deals] says more.
        as_json: whether to print JSON objects instead of deal strings.

    Returns the exit status: 2 if anything was refused, else 0. Raises `OSError` when the file
    cannot be read.
    """
    try:
        if toml is not None:
            order, conditions = _with_file(order, conditions, toml)
        _print_deals(order.filled(_DEFAULTS), conditions, as_json=as_json)
    except ValueError as error:
        print(f"trull: {error}", file=sys.stderr)
        return _FAULTY
    return 0


def _print_deals(order: Order, conditions: Conditions, *, as_json: bool) -> None:
    variant = order.variant
    if variant is None:
        raise DealError("variant: missing, expected --variant NAME")
    conditions = replace(conditions, voids=order.voids or "rule")
    rules = _playable(variant, order)
    if rules is None:
        _refuse_terms(order)
    else:
        order = replace(order, players=_players(order, rules))
        if _is_played_otherwise(book_of(variant), order, rules):
            conditions = replace(conditions, voids="redeal")
    sampler = Sampler(
        variant,
        order.players,
        conditions,
        _number(order.seed),
        tries=_number(order.tries),
    )
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        for number in _shown_numbers(order, sampler):
            deal = sampler.deal(number)
            marks: dict[str, object] = {"x_seed": order.seed, "x_number": number}
            print(_line(deal, order, rules, marks, as_json=as_json), flush=True)
    finally:
        _report(sampler)


def _number(value: int | None) -> int:
    """Return a number that has a default."""
    assert value is not None
    return value


# --- The file ---


def _with_file(order: Order, conditions: Conditions, path: Path) -> tuple[Order, Conditions]:
    """Return order and conditions with what a TOML file says beside them."""
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DealError(f"{path}: {error}") from error
    if not isinstance(data.get("deals"), dict):
        raise DealError(f"{path}: no table [deals], expected one")
    try:
        return _read_table(order, conditions, data["deals"])
    except ValueError as error:
        raise DealError(f"{path}: {error}") from error


def _read_table(
    order: Order, conditions: Conditions, table: Mapping[str, Any]
) -> tuple[Order, Conditions]:
    names = [field.name for field in fields(Order)]
    check_keys("", table, (*names, *_CONDITIONS), required=())
    for name in names:
        if name in table and name in _LEAST:
            value = expect(name, table[name], int, "a whole number")
            if not _LEAST[name] <= value <= _MOST:
                raise DealError(f"{name}: {value}, expected {_LEAST[name]} or more")
        elif name in table:
            expect(name, table[name], str, "a text")
    file = Conditions.from_dict({key: table[key] for key in _CONDITIONS if key in table})
    if file.talon and conditions.talon:
        raise DealError("talon: given in the file and as an option, expected one of the two")
    merged = Conditions(
        where=file.where + conditions.where,
        hold=file.hold + conditions.hold,
        talon=conditions.talon or file.talon,
    )
    return order.filled(Order(**{name: table[name] for name in names if name in table})), merged


# --- Positions ---


def _playable(variant: str, order: Order) -> Contract | None:
    """Return the contract, if one is named; refuse one that deals alone are no positions of."""
    book_of(variant)
    if order.contract is None:
        return None
    rules = find_contract(variant, order.contract)
    if rules.discards:
        raise DealError(
            f"contract: {rules.name} exchanges cards with the talon, expected a contract without "
            "an exchange; trull study plays the others"
        )
    if rules.sides == "partner" and rules.calls is None and order.called is None:
        raise DealError(f"called: missing, expected --called with the card that {rules.name} calls")
    if order.called is not None and rules.sides != "partner":
        raise DealError(f"called: {rules.name} calls no card")
    return rules


def _refuse_terms(order: Order) -> None:
    for name in ("declarer", "called"):
        if getattr(order, name) is not None:
            raise DealError(f"{name}: given without a contract, expected --contract, too")


def _players(order: Order, rules: Contract) -> int:
    players = max(rules.values) if order.players is None else order.players
    if players not in rules.values:
        expected = " or ".join(map(str, sorted(rules.values)))
        raise DealError(f"players: {players}, but {rules.name} is for {expected}")
    return players


def _is_played_otherwise(book: Variant, order: Order, rules: Contract) -> bool:
    """Return whether a hand without trumps makes another contract of a deal."""
    if order.voids != "rule" or order.players == 2:
        return False
    return book.without_trumps not in (None, rules.name)


def _position(deal: Deal, order: Order, rules: Contract, marks: dict[str, object]) -> Position:
    """Return the deal as a position before the first trick."""
    data = deal.to_dict() | {"contract": rules.name} | marks
    declarer = 0 if order.declarer is None else order.declarer
    if rules.sides != "everyone" or order.declarer is not None:
        data["declarer"] = declarer
    if rules.sides == "partner":
        called = read_card("called", order.called) if order.called else rules.calls
        assert called is not None
        data["called"] = NAMES[called]
        holders = [seat for seat, hand in enumerate(deal.hands) if hand >> called & 1]
        if holders and holders[0] == declarer:
            raise PositionError(
                f"called: seat {declarer} holds {NAMES[called]} and cannot call it, expected the "
                f"condition {NAMES[called]} not in seat{declarer}"
            )
        data["partner"] = holders[0] if holders else None
    return parse_position(data)


# --- Output ---


def _line(
    deal: Deal,
    order: Order,
    rules: Contract | None,
    marks: dict[str, object],
    *,
    as_json: bool,
) -> str:
    """Return a deal, or the position that a contract makes of it, on one line."""
    if rules is None and as_json:
        return json.dumps(deal.to_dict() | marks)
    if rules is None:
        return " ".join([deal.deal_string, *(f"{key}={value}" for key, value in marks.items())])
    try:
        position = _position(deal, order, rules, marks)
    except PositionError as error:
        raise DealError(f"deal {marks['x_number']}: {error}") from error
    return json.dumps(position_to_dict(position)) if as_json else format_text(position, "deal")


def _shown_numbers(order: Order, sampler: Sampler) -> Iterator[int]:
    """Yield the numbers of the deals, with a bar where standard error alone is a terminal."""
    first, count = _number(order.first), _number(order.count)
    console = Console(stderr=True)
    hidden = not console.is_terminal or sys.stdout.isatty()
    columns = (BarColumn(), TextColumn("{task.completed} of {task.total} deals"), _Tries(sampler))
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task("", total=count)
        for number in range(first, first + count):
            yield number
            progress.advance(task)


class _Tries(ProgressColumn):
    """The tries so far, where some fail."""

    def __init__(self, sampler: Sampler) -> None:
        super().__init__()
        self._sampler = sampler

    def render(self, task: Task) -> Text:
        """Return the column."""
        return Text(f"{self._sampler.tried:,} tries" if self._sampler.rejecting else "")


def _report(sampler: Sampler) -> None:
    """Say on standard error how rare the deals are, and how many tries they took."""
    if sampler.constructed:
        print(
            f"{_percent(sampler.share)} of all deals meet by construction: "
            + "; ".join(sampler.constructed),
            file=sys.stderr,
        )
    if sampler.rejecting and sampler.acceptance is not None:
        print(
            f"{_percent(sampler.acceptance)} of {sampler.tried:,} tries met the rest: "
            + "; ".join(sampler.rejecting),
            file=sys.stderr,
        )


def _percent(share: Any) -> str:
    return f"{100 * float(share):.4g} %"
