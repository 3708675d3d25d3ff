"""One shard: a pure function of the specification and a number, written as a Parquet file."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic

import pyarrow as pa
import pyarrow.parquet as pq

from trull.analysis.deals import DealError
from trull.analysis.study.error import StudyError
from trull.analysis.study.kind import Kind, Specified
from trull.analysis.study.manifest import Receipt, data_name, made_here, receipt_of, timing_name
from trull.analysis.study.provenance import Makers, environment
from trull.analysis.study.store import Store
from trull.solver.kernel.engine import Engine


class Abandoned(Exception):
    """The engine was told to stop, so that the shard is not finished."""


@dataclass(frozen=True)
class Work(Generic[Specified]):
    """What makes the shards, here or in another process or machine.

    Attributes:
        kind: what is made.
        spec: the specification.
        store: where the files go.
        makers: what they are to be made by.
    """

    kind: Kind[Specified]
    spec: Specified
    store: Store
    makers: Makers

    def check(self) -> None:
        """Raise `StudyError` where Trull or what decides the bytes is of another version."""
        here = made_here(self.spec)
        for name, wanted, found in zip(Makers._fields, self.makers, here, strict=True):
            if wanted != found:
                raise StudyError(
                    f"a worker has {name} {found}, expected {wanted} as where the work was "
                    "started; install the same versions everywhere"
                )

    def write(self, shard: int, engine: Engine) -> Receipt:
        """Make a shard, write its files, the times first, and return the receipt.

        Raises `Abandoned` when the engine was retired meanwhile, and `StudyError` when no deal
        meets the conditions.
        """
        rows, times = [], []
        timing = self.kind.timing_schema(self.spec)
        try:
            for row, ms in self.kind.rows(self.spec, self.spec.deals_of(shard), engine):
                engine.begin()
                if engine.stopped:
                    raise Abandoned
                rows.append(row)
                times.append({name: row[name] for name in timing.names if name in row} | {"ms": ms})
        except DealError as error:
            raise StudyError(f"conditions: {error}") from error
        data = encoded(rows, self.kind.schema(self.spec), self._metadata(shard))
        self.store.write(timing_name(shard), encoded(times, timing, environment()))
        self.store.write(data_name(shard), data)
        return receipt_of(shard, len(rows), data)

    def _metadata(self, shard: int) -> dict[str, str]:
        return {
            "trull.schema": str(self.kind.version),
            "trull.version": self.makers.trull,
            "trull.rules": self.makers.rules,
            "trull.seed": str(self.spec.seed),
            "trull.shard": str(shard),
            "trull.spec": self.spec.json,
        }


def encoded(
    rows: Iterable[Mapping[str, object]], schema: pa.Schema, metadata: Mapping[str, str]
) -> bytes:
    """Return rows as a Parquet file with nothing in it that depends on time or place."""
    schema = schema.with_metadata((schema.metadata or {}) | dict(metadata))
    table = pa.Table.from_pylist(list(rows), schema=schema)
    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd", version="2.6", row_group_size=1 << 20)
    return file.getvalue()
