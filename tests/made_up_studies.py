"""Study folders with made-up results, in which it is known what a summary has to find."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from trull.analysis.study.making import STUDY
from trull.analysis.study.manifest import Manifest, Receipt, data_name
from trull.analysis.study.reading import read_spec
from trull.analysis.study.schema import SCHEMA
from trull.analysis.study.store import LocalStore

CONTRACTS = ("dreier", "solorufer")

BREAK_EVEN = {"dreier": 8.0, "solorufer": 6.5}
"""Trumps at which a made-up contract is as often made as lost; gain and loss are equal."""

STAKE = {"dreier": 150.0, "solorufer": 20.0}
"""What a made-up contract wins or loses."""


def made_up_rows(
    deals: int, *, first: int = 0, seed: int = 0, objective: str = "score"
) -> pd.DataFrame:
    """Return a row for each deal and contract; a contract is made with logistic probability."""
    random = np.random.default_rng((seed, first))
    number = np.arange(first, first + deals)
    trumps = random.binomial(14, 0.5, deals)
    kings = random.binomial(4, 0.3, deals)
    luck = random.logistic(size=deals)
    tables = []
    for contract in CONTRACTS:
        margin = (
            0.9 * (trumps - BREAK_EVEN[contract]) + 0.7 * luck + 0.3 * random.logistic(size=deals)
        )
        made = margin > 0
        score = np.where(made, 1, -1) * STAKE[contract]
        tables.append(
            pd.DataFrame(
                {
                    "deal": number,
                    "game": f"koenigrufen:{contract}",
                    "contract": contract,
                    "f_trumps": trumps,
                    "f_kings": kings,
                    "f_dreier_points": trumps + kings,
                    "f_suit_shape": np.where(kings > 1, "4-3-2-1", "5-3-0-0"),
                    "made": made,
                    "value": np.clip(107 + np.round(8 * margin), 0, 210).astype("int64"),
                    "score": score if objective == "score" else np.nan,
                }
            )
        )
    rows = pd.concat(tables).sort_values(["deal", "game"], kind="stable", ignore_index=True)
    return rows.assign(objective=objective, unit="thirds", exact=True, reason=None)


def spec_of(deals: int, *, shard: int, **changes: Any) -> dict[str, object]:
    """Return the specification of a made-up study."""
    return {
        "title": "Made-up results",
        "contracts": [f"koenigrufen:{contract}" for contract in CONTRACTS],
        "objective": "score",
        "deals": deals,
        "seed": 7,
        "shard": shard,
        **changes,
    }


def write_study(folder: Path, shards: list[pd.DataFrame], spec: dict[str, object]) -> Path:
    """Write rows as the complete shards of a study and return its folder."""
    store = LocalStore(str(folder))
    manifest = Manifest(kind=STUDY, spec=read_spec(spec), trull="0.1.0", rules="0" * 64)
    for number, rows in enumerate(shards):
        file = folder / data_name(number)
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(_table(rows), file)
        data = file.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        manifest.add(Receipt(number, len(rows), len(data), digest))
    manifest.write(store)
    return folder


def made_up_study(
    folder: Path, deals: int = 400, shards: int = 2, *, planned: int | None = None, **changes: Any
) -> Path:
    """Write a study with `deals` in each of its complete shards and return its folder."""
    spec = spec_of(planned or deals * shards, shard=deals, **changes)
    objective = str(spec["objective"])
    parts = [
        made_up_rows(deals, first=deals * number, objective=objective) for number in range(shards)
    ]
    return write_study(folder, parts, spec)


def _table(rows: pd.DataFrame) -> pa.Table:
    """Return rows with every column of a study; those that are not given hold something."""
    columns = []
    for field in SCHEMA:
        plain = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if field.name in rows:
            column = pa.array(rows[field.name], plain, from_pandas=True)
        elif field.nullable:
            column = pa.nulls(len(rows), plain)
        else:
            column = pa.array([_SOMETHING.get(field.name, _filler(plain))] * len(rows), plain)
        columns.append(column.cast(field.type) if plain is not field.type else column)
    return pa.Table.from_arrays(columns, schema=SCHEMA)


_SOMETHING = {"variant": "koenigrufen", "players": 4, "policy": "plain", "nodes": 1000}


def _filler(kind: pa.DataType) -> object:
    return "" if pa.types.is_string(kind) else 0
