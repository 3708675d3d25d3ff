"""What the mechanism has to know of studies."""

from __future__ import annotations

import pyarrow as pa

from trull.analysis.study.kind import Kind
from trull.analysis.study.reading import read_spec
from trull.analysis.study.rows import rows_of, sampler
from trull.analysis.study.schema import SCHEMA, TIMING_SCHEMA, VERSION
from trull.analysis.study.spec import Spec


def _schema(_: Spec) -> pa.Schema:
    return SCHEMA


def _timing_schema(_: Spec) -> pa.Schema:
    return TIMING_SCHEMA


def _count(spec: Spec) -> None:
    for game in spec.games:
        sampler(game.variant, game.players, spec.conditions, spec.seed)


STUDY: Kind[Spec] = Kind(
    name="study",
    format="trull study",
    version=VERSION,
    read=read_spec,
    schema=_schema,
    timing_schema=_timing_schema,
    rows=rows_of,
    count=_count,
)
"""Studies."""
