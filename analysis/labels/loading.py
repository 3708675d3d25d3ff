"""Labels as numpy arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from trull.analysis.labels.making import LabelSet, open_labels
from trull.analysis.labels.splitting import SPLITS
from trull.analysis.study.error import StudyError

Array = np.ndarray[Any, np.dtype[Any]]
Arrays = dict[str, Array]

_BATCH = 4096


def load(folder: str, split: str | None = None, columns: Sequence[str] | None = None) -> Arrays:
    """Return the rows of a folder as one array a column, in the order of the deals.

    Args:
        folder: a local path, or any URL that fsspec knows.
        split: `train`, `validation`, `test`, or `None` for all.
        columns: the columns to read; by default all.

    Lists of a fixed size become arrays of two dimensions, rows first; words become texts. Raises
    `StudyError` where the folder holds no labels, or no such column.
    """
    found = open_labels(folder)
    names = _names(found, columns)
    parts = list(_parts(found, found.shards, split, names)) or [_arrays(_empty(found), names)]
    return {name: np.concatenate([part[name] for part in parts]) for name in names}


def batches(
    folder: str,
    split: str | None = None,
    columns: Sequence[str] | None = None,
    *,
    size: int = _BATCH,
    seed: int | None = None,
    part: tuple[int, int] = (0, 1),
) -> Iterator[Arrays]:
    """Yield the rows of a folder in batches, one file in memory at a time.

    Args:
        folder: as for `load`.
        split: as for `load`.
        columns: as for `load`.
        size: rows in a batch; the last one of a file may have fewer.
        seed: mixes the order of the files, and of the rows in each; `None` keeps their order.
        part: the number of this reader, from 0, and how many there are; each reads files of its
            own.

    Raises `StudyError` as `load` does, and for a size, seed or part out of range.
    """
    number, readers = part
    if size < 1:
        raise StudyError(f"size: {size}, expected at least 1")
    if seed is not None and seed < 0:
        raise StudyError(f"seed: {seed}, expected at least 0")
    if not 0 <= number < readers:
        raise StudyError(f"part: {part}, expected a reader from 0 and a larger number of readers")
    found = open_labels(folder)
    names = _names(found, columns)
    dice = None if seed is None else np.random.default_rng(seed)
    shards = list(found.shards)
    if dice is not None:
        dice.shuffle(shards)
    for arrays in _parts(found, shards[number::readers], split, names):
        rows = len(arrays[names[0]])
        order = np.arange(rows) if dice is None else dice.permutation(rows)
        for first in range(0, rows, size):
            chosen = order[first : first + size]
            yield {name: array[chosen] for name, array in arrays.items()}


def _parts(
    found: LabelSet, shards: Sequence[int], split: str | None, names: Sequence[str]
) -> Iterator[Arrays]:
    if split not in (None, *SPLITS):
        raise StudyError(f"split: {split!r}, expected {', '.join(SPLITS)}")
    for shard in shards:
        table = found.read(shard, list(dict.fromkeys((*names, "split"))))
        if split is not None:
            table = table.filter(pc.equal(table["split"], split))
        yield _arrays(table, names)


def _names(found: LabelSet, columns: Sequence[str] | None) -> tuple[str, ...]:
    known = found.schema.names
    for name in columns or ():
        if name not in known:
            raise StudyError(f"columns: no column {name!r}, expected {', '.join(known)}")
    return tuple(columns or known)


def _empty(found: LabelSet) -> pa.Table:
    return found.schema.empty_table()


def _arrays(table: pa.Table, names: Sequence[str]) -> Arrays:
    return {name: _array(table[name]) for name in names}


def _array(column: pa.ChunkedArray) -> Array:
    kind = column.type
    if pa.types.is_dictionary(kind):
        return np.asarray(column.to_pylist(), dtype=str)
    if pa.types.is_fixed_size_list(kind):
        flat: Array = pc.list_flatten(column).to_numpy()
        return flat.reshape(len(column), kind.list_size)
    plain: Array = column.to_numpy()
    return plain
