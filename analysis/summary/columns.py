"""The columns of a study by the names that people use."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from trull.analysis.summary.errors import unknown
from trull.solver.hands import FEATURES

FEATURE = "f_"

_GROUPS = frozenset(
    {"variant", "players", "declarer", "partner", "policy", "objective", "called", "group", "level"}
)
_OUTCOMES = frozenset({"deal", "contract", "value", "made", "score", "exact", "nodes"})
_MEANINGS = {
    "suit_shape": "suit lengths, longest first",
    "talon_trumps": "trumps in the talon",
    "declarer": "declarer's seat, 0 leads first",
    "partner": "partner's seat",
    "called": "called card",
    "group": "talon group taken",
    "level": "level of the game",
}


def short(column: str) -> str:
    """Return the name that is shown for a column: that of a feature goes without its prefix."""
    return column.removeprefix(FEATURE)


def meaning(name: str) -> str:
    """Return what a column holds, in words."""
    if name in FEATURES:
        return FEATURES[name].meaning
    return _MEANINGS.get(name, name.replace("_", " "))


def group_column(schema: pa.Schema, name: str) -> str:
    """Return the column to group by under a name such as `trumps`, `f_trumps` or `declarer`.

    Raises `SummaryError` when the study has no such feature.
    """
    return _found(schema, name, "by", _GROUPS)


def condition_column(schema: pa.Schema, name: str) -> str:
    """Return the column that a condition means by a name.

    Raises `SummaryError` when the study has no such column.
    """
    return _found(schema, name, "where", _GROUPS | _OUTCOMES)


def expression(field: pa.Field) -> pc.Expression:
    """Return how a column is read: words as plain strings, and `made` wherever it can be told.

    A study of scores does not say whether contracts are made; a score above zero counts then.
    """
    column = pc.field(field.name)
    if field.name == "made":
        return pc.coalesce(column, pc.greater(pc.field("score"), pc.scalar(0.0)))
    return column.cast(pa.string()) if pa.types.is_dictionary(field.type) else column


def is_number(schema: pa.Schema, column: str) -> bool:
    """Return whether a column is counted, so that its values have an order and distances."""
    kind = schema.field(column).type
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _found(schema: pa.Schema, name: str, key: str, plain: frozenset[str]) -> str:
    for column in (FEATURE + short(name), name):
        if column in schema.names and (column.startswith(FEATURE) or column in plain):
            return column
    known = {column for column in schema.names if column in plain}
    known |= {short(column) for column in schema.names if column.startswith(FEATURE)}
    raise unknown(key, short(name), known)
