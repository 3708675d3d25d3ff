"""Labels found again: rows drawn at random are solved by other means and compared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from trull.analysis.labels.bid_rows import bid_row
from trull.analysis.labels.dealing import bid_sampler
from trull.analysis.labels.dice import Dice
from trull.analysis.labels.making import LabelSet
from trull.analysis.labels.play_rows import label_columns, position_columns
from trull.analysis.labels.rebuilding import position
from trull.analysis.labels.solving import Judged, by_children, by_minimax, wants_more
from trull.analysis.labels.spec import BidSpec, LabelSpec
from trull.analysis.labels.splitting import split_of
from trull.analysis.study.kind import Row
from trull.analysis.study.manifest import data_name, receipt_of
from trull.solver.cards import NAMES
from trull.solver.kernel.engine import Engine
from trull.solver.validation import PositionError

_MEMORY, _OTHER_MEMORY = 16, 8  # MB; one of them differs from that of the labels
_MINIMAX_TRICKS = 3
_NOT_COMPARED = ("nodes",)


@dataclass(frozen=True, slots=True)
class Checked:
    """A row that was solved again.

    Attributes:
        name: which row it is, in words.
        faults: what is wrong with it, in words; empty for a right one.
    """

    name: str
    faults: tuple[str, ...]


def verify(labels: LabelSet, number: int, seed: int = 0) -> Iterator[Checked]:
    """Yield so many rows, drawn at random, each solved again.

    Play labels: the position is rebuilt from the row. With at most three tricks left every line
    of play is tried with the referee; otherwise the position after every legal card is solved by
    itself, in a table of another size. Bid labels: the deals are drawn and solved again, in a
    table of another size. Every column but `nodes` is compared.

    Args:
        labels: the labels.
        number: how many rows; all where there are fewer.
        seed: the seed of their choice.
    """
    spec = labels.spec
    engine = Engine(_OTHER_MEMORY if spec.memory == _MEMORY else _MEMORY)
    for shard, places in _drawn(labels, number, seed):
        table = labels.read(shard)
        if table.num_rows != labels.manifest.receipts[shard].rows or not _is_written(labels, shard):
            yield Checked(data_name(shard), ("the file is not as it was written",))
        for place in places:
            if place < table.num_rows:
                (row,) = table.slice(place, 1).to_pylist()
                yield Checked(_name(row), tuple(_faults(labels, row, engine)))


def _drawn(labels: LabelSet, number: int, seed: int) -> Iterator[tuple[int, list[int]]]:
    """Yield shards, each with the numbers of its rows that are drawn."""
    ends: list[tuple[int, int]] = []
    total = 0
    for shard in labels.shards:
        ends.append((total, shard))
        total += labels.manifest.receipts[shard].rows
    chosen = sorted(_different(Dice("verify", seed), total, number))
    for place, (first, shard) in enumerate(ends):
        after = ends[place + 1][0] if place + 1 < len(ends) else total
        here = [row - first for row in chosen if first <= row < after]
        if here:
            yield shard, here


def _different(dice: Dice, total: int, number: int) -> set[int]:
    """Return so many different numbers below `total`."""
    if number >= total:
        return set(range(total))
    found: set[int] = set()
    while len(found) < number:
        found.add(dice.below(total))
    return found


def _is_written(labels: LabelSet, shard: int) -> bool:
    receipt = labels.manifest.receipts[shard]
    data = labels.store.read(data_name(shard)) or b""
    return receipt_of(shard, receipt.rows, data) == receipt


def _name(row: Mapping[str, Any]) -> str:
    if "hand" in row:
        return f"deal {row['deal']}, seat {row['seat']}"
    return f"deal {row['deal']}, {row['game']}, trick {row['trick']}"


def _faults(labels: LabelSet, row: Mapping[str, Any], engine: Engine) -> Iterator[str]:
    spec = labels.spec
    try:
        right = _bid(spec, row, engine) if isinstance(spec, BidSpec) else _play(spec, row, engine)
    except PositionError as error:
        yield f"no position: {error}"
        return
    (expected,) = pa.Table.from_pylist([dict(right)], schema=labels.schema).to_pylist()
    for column, value in row.items():
        # As text, because NaN stands for none.
        if column not in _NOT_COMPARED and json.dumps(value) != json.dumps(expected[column]):
            yield f"{column}: {_difference(spec, value, expected[column])}"


def _bid(spec: BidSpec, row: Mapping[str, Any], engine: Engine) -> Row:
    deal = bid_sampler(spec).deal(row["deal"])
    return bid_row(spec, row["deal"], deal, row["seat"], engine)


def _play(spec: LabelSpec, row: Mapping[str, Any], engine: Engine) -> Row:
    game = spec.by_name.get(row["game"])
    if game is None:
        raise PositionError(f"game: {row['game']!r}, expected one of the specification")
    found = position(row, game)
    short = max(found.cards_left) <= _MINIMAX_TRICKS and game.objective != "score"
    values = (
        by_minimax(found, game.objective) if short else by_children(engine, found, game.objective)
    )
    judged = Judged(values=values, maximises=wants_more(found, game.objective), nodes=0)
    return {
        "deal": row["deal"],
        "split": split_of(spec.seed, row["deal"], spec.split),
        **position_columns(game, found),
        **label_columns(game, judged),
    }


def _difference(spec: LabelSpec, found: object, expected: object) -> str:
    """Return how two values of a column differ; of lists only the entries that do."""
    if not isinstance(found, list) or not isinstance(expected, list):
        return f"{found}, expected {expected}"
    names = _entry_names(spec, len(found))
    return "; ".join(
        f"{name} {one}, expected {other}"
        for name, one, other in zip(names, found, expected, strict=True)
        if json.dumps(one) != json.dumps(other)
    )


def _entry_names(spec: LabelSpec, size: int) -> Sequence[str]:
    if size == len(NAMES):
        return NAMES
    if isinstance(spec, BidSpec):
        return [game.name for game in spec.games]
    return [f"[{number}]" for number in range(size)]
