"""One pass over the rows of a study, in memory that does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from trull.analysis.summary.columns import expression

_UNMERGED = 1 << 17  # rows of counts

_INTEGERS = (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint64())
_DTYPES = {pa.bool_(): pd.BooleanDtype(), **dict.fromkeys(_INTEGERS, pd.Int64Dtype())}
"""Types that hold a missing value without turning whole numbers into others."""

COUNT = "count"
"""The column of a tally that says how many rows there are of each kind."""


class Consumer(Protocol):
    """What looks at every row once.

    Attributes:
        columns: the columns it needs.
    """

    columns: Sequence[str]

    def add(self, rows: pa.Table) -> None:
        """Take up the next rows, in the order of the study."""


def scan(
    parts: Iterable[ds.Dataset],
    consumers: Sequence[Consumer],
    where: pc.Expression | None = None,
) -> None:
    """Show every row to consumers, reading only the columns that they need.

    Args:
        parts: the rows, in parts that fit into memory.
        consumers: who looks at them, in the form of `columns.expression`.
        where: leaves out rows for which it is not true.
    """
    needed = dict.fromkeys(column for consumer in consumers for column in consumer.columns)
    for part in parts:
        columns = {name: expression(part.schema.field(name)) for name in needed}
        rows = part.to_table(columns=columns, filter=where)
        if rows.num_rows:
            for consumer in consumers:
                consumer.add(rows)


class Tally:
    """Counts how often each combination of values occurs.

    Counts are integers, so neither the order of the rows nor their division into files changes
    what is computed from them. There are as many as there are different combinations.
    """

    def __init__(self, columns: Sequence[str]) -> None:
        self.columns = columns
        self._parts: list[pa.Table] = []

    def add(self, rows: pa.Table) -> None:
        """Count the combinations of some rows."""
        grouped = rows.select(self.columns).group_by(list(self.columns), use_threads=False)
        counted = grouped.aggregate([([], "count_all")])
        self._parts.append(self._named(counted))
        if sum(part.num_rows for part in self._parts) > _UNMERGED:
            self._merge()

    def frame(self) -> pd.DataFrame:
        """Return the combinations in ascending order, their number in the column `count`."""
        if not self._parts:
            return pd.DataFrame(columns=[*self.columns, COUNT])
        self._merge()
        frame: pd.DataFrame = self._parts[0].to_pandas(types_mapper=_DTYPES.get)
        return frame.sort_values(list(self.columns), ignore_index=True)

    def _merge(self) -> None:
        grouped = pa.concat_tables(self._parts).group_by(list(self.columns), use_threads=False)
        merged = grouped.aggregate([(COUNT, "sum")])
        self._parts = [self._named(merged)]

    def _named(self, counted: pa.Table) -> pa.Table:
        names = counted.column_names
        return counted.rename_columns([name if name in self.columns else COUNT for name in names])
