"""Reading a study, complete or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

import pyarrow as pa
import pyarrow.parquet as pq

from trull.analysis.study.error import StudyError
from trull.analysis.study.kind import Kind, Specified
from trull.analysis.study.making import STUDY
from trull.analysis.study.manifest import Manifest, data_name, read_manifest, timing_name
from trull.analysis.study.spec import Spec
from trull.analysis.study.store import Store, open_store

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Folder(Generic[Specified]):
    """A folder of shards, complete or not.

    Attributes:
        store: the folder.
        manifest: what it holds.
    """

    store: Store
    manifest: Manifest[Specified]

    @property
    def spec(self) -> Specified:
        """The specification."""
        return self.manifest.spec

    @property
    def complete(self) -> bool:
        """Whether every shard is there."""
        return not self.manifest.missing

    @property
    def shards(self) -> list[int]:
        """The numbers of the complete shards."""
        return sorted(self.manifest.receipts)

    @property
    def schema(self) -> pa.Schema:
        """The columns of the data files."""
        return self.manifest.kind.schema(self.spec)

    def read(self, shard: int, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the rows of a complete shard.

        Args:
            shard: its number.
            columns: the columns to read; by default all.
        """
        return self._read(data_name(shard), columns)

    def tables(self, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """Yield the rows of every complete shard, in the order of the deals.

        Args:
            columns: the columns to read; by default all.
        """
        for shard in self.shards:
            yield self.read(shard, columns)

    def table(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Return all rows as one table. Raises `StudyError` when there are none."""
        return _joined(self.store, self.tables(columns))

    def timing(self) -> pa.Table:
        """Return the milliseconds of all rows, with what tells the rows."""
        names = map(timing_name, self.shards)
        return _joined(self.store, (self._read(name, None) for name in names))

    def _read(self, name: str, columns: Sequence[str] | None) -> pa.Table:
        data = self.store.read(name)
        if data is None:
            raise StudyError(f"{self.store.place}/{name}: missing; run the study again")
        try:
            return pq.read_table(pa.BufferReader(data), columns=columns)
        except (pa.ArrowException, OSError) as error:
            raise StudyError(
                f"{self.store.place}/{name}: damaged, no Parquet file; run the same command again"
            ) from error


@dataclass(frozen=True)
class Study(Folder[Spec]):
    """A study in its folder."""

    def frame(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return all rows as a data frame; whole numbers stay whole where some are missing."""
        frame: pd.DataFrame = self.table(columns).to_pandas(types_mapper=_nullable_types().get)
        return frame


def open_study(folder: str) -> Study:
    """Return the study that a folder holds; raises `StudyError` when there is none.

    Args:
        folder: a local path, or any URL that fsspec knows.
    """
    found = open_folder(STUDY, folder)
    return Study(found.store, found.manifest)


def open_folder(kind: Kind[Specified], folder: str) -> Folder[Specified]:
    """Return what a folder holds; raises `StudyError` when it is nothing of the kind.

    Args:
        kind: what is expected there.
        folder: a local path, or any URL that fsspec knows.
    """
    store = open_store(folder)
    manifest = read_manifest(store, kind)
    if manifest is None:
        raise StudyError(f"{folder}: no {kind.name} there, expected a folder with a manifest.json")
    return Folder(store, manifest)


def _joined(store: Store, tables: Iterator[pa.Table]) -> pa.Table:
    found = [table.replace_schema_metadata() for table in tables]
    if not found:
        raise StudyError(f"{store.place}: no shard is complete yet")
    return pa.concat_tables(found).unify_dictionaries()


def _nullable_types() -> dict[pa.DataType, object]:
    """Return the types of pandas that keep whole numbers and truth values with gaps."""
    import pandas as pd

    return {
        pa.int8(): pd.Int8Dtype(),
        pa.int16(): pd.Int16Dtype(),
        pa.int64(): pd.Int64Dtype(),
        pa.uint64(): pd.UInt64Dtype(),
        pa.bool_(): pd.BooleanDtype(),
    }
