"""The part of a study that is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from trull.analysis.study.error import StudyError
from trull.analysis.study.manifest import data_name
from trull.analysis.study.opening import Study, open_study
from trull.analysis.study.schema import SCHEMA
from trull.analysis.study.spec import Game
from trull.analysis.study.store import RemoteStore
from trull.analysis.summary.conditions import parse_condition
from trull.analysis.summary.errors import SummaryError, unknown
from trull.analysis.summary.scanning import Consumer, scan

_ROWS = 1 << 16  # read at a time


@dataclass(frozen=True, slots=True)
class Selection:
    """Rows of the complete shards of a study.

    Attributes:
        study: the study.
        games: the games asked for.
        where: the condition on rows as it was given, or "".
        condition: leaves out the rows that are not asked for; `None` keeps all.
    """

    study: Study
    games: tuple[Game, ...]
    where: str
    condition: pc.Expression | None

    @property
    def schema(self) -> pa.Schema:
        """The columns."""
        return SCHEMA

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the games asked for."""
        return tuple(game.name for game in self.games)

    @property
    def rows(self) -> int:
        """How many rows the complete shards have."""
        return self.study.manifest.rows

    def scan(self, *consumers: Consumer) -> None:
        """Show every row that is asked for to consumers, in the order of the deals.

        Raises `SummaryError` when a file is missing or damaged.
        """
        try:
            scan(self._parts(), consumers, self.condition)
        except (pa.ArrowException, FileNotFoundError) as error:
            place, reason = self.study.store.place, str(error).splitlines()[0]
            raise SummaryError(f"{place}: run the study again: {reason}") from error

    def _parts(self) -> Iterator[ds.Dataset]:
        """Yield the complete shards, many small ones or a large one at a time."""
        store, receipts = self.study.store, self.study.manifest.receipts
        system, root = None, store.place
        if isinstance(store, RemoteStore):
            system, root = store.system, store.root
        files: list[str] = []
        rows = 0
        for number in sorted(receipts):
            if files and rows + receipts[number].rows > _ROWS:
                yield ds.dataset(files, schema=SCHEMA, format="parquet", filesystem=system)
                files, rows = [], 0
            files.append(f"{root}/{data_name(number)}")
            rows += receipts[number].rows
        yield ds.dataset(files, schema=SCHEMA, format="parquet", filesystem=system)


def select(folder: str | Path, contracts: str | Sequence[str] = (), where: str = "") -> Selection:
    """Open a study folder for some of its rows.

    Args:
        folder: a local path, or a URL that fsspec knows.
        contracts: the games to read, by their names or those of their contracts; all by default.
        where: a condition on rows, such as `trumps >= 8 and kings in (1, 2)`.

    Raises `SummaryError` when there is no study, or none of its shards is complete, and for names
    that it does not know.
    """
    study = _opened(str(folder))
    games = _chosen(study.spec.games, (contracts,) if isinstance(contracts, str) else contracts)
    condition = parse_condition(where, SCHEMA) if where else None
    if len(games) < len(study.spec.games):
        of_games = pc.field("game").cast(pa.string()).isin([game.name for game in games])
        condition = of_games if condition is None else condition & of_games
    return Selection(study, games, where, condition)


def _opened(folder: str) -> Study:
    try:
        study = open_study(folder)
    except StudyError as error:
        raise SummaryError(str(error)) from error
    if not study.manifest.receipts:
        raise SummaryError(f"{folder}: no shard is complete yet")
    return study


def _chosen(games: tuple[Game, ...], names: Sequence[str]) -> tuple[Game, ...]:
    for name in names:
        if not any(_is_called(game, name) for game in games):
            known = {known for game in games for known in (game.name, game.contract)}
            raise unknown("contract", name, known)
    return tuple(
        game for game in games if not names or any(_is_called(game, name) for name in names)
    )


def _is_called(game: Game, name: str) -> bool:
    return name in (game.name, game.contract, f"{game.variant}:{game.contract}")
