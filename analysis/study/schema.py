"""The columns of a study, declared once: what a row says, and how its shards are written."""

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa

from trull.solver.hands import FEATURES
from trull.solver.rules import TALON_SIZE

VERSION = 1
"""The version of the columns; a change of their names, types or meaning needs a new one."""

_WORD = pa.dictionary(pa.int32(), pa.string())
_TALON = pa.list_(pa.uint8(), TALON_SIZE)


class Column(NamedTuple):
    """A column: its name, type, meaning, and whether a row may leave it empty."""

    name: str
    type: pa.DataType
    meaning: str
    nullable: bool = False


_DEALT = (
    Column("deal", pa.int64(), "number of the deal; the same cards in every game of a variant"),
    Column("game", _WORD, "name of the game in the specification"),
    Column("variant", _WORD, "rule book"),
    Column("contract", _WORD, "contract"),
    Column("players", pa.int8(), "number of players"),
    Column("declarer", pa.int8(), "seat of the declarer; in games of everyone the seat asked for"),
    Column("partner", pa.int8(), "seat of the partner; empty when the declarer is alone", True),
    *(
        Column(
            f"hand{seat}",
            pa.uint64(),
            f"cards dealt to seat {seat}, before any exchange, as a mask (bit *n* is card *n*)",
            seat > 1,
        )
        for seat in range(4)
    ),
    Column("talon", _TALON, "talon cards in order, by number; empty where there is none", True),
    Column("deal_string", pa.string(), "the same cards, readable, as docs/notation.md has it"),
)
_FEATURES = (
    *(
        Column(f"f_{name}", pa.int16(), f"declarer's hand as dealt: {feature.meaning}")
        for name, feature in FEATURES.items()
    ),
    Column("f_suit_shape", _WORD, "cards in each suit, longest first, such as `4-3-2-0`"),
    Column("f_talon_trumps", pa.int8(), "trumps among the talon cards"),
)
_PLAYED = (
    Column("policy", _WORD, "how talon, discards and call are chosen"),
    Column("objective", _WORD, "what is asked: `points`, `tricks`, `made` or `score`"),
    Column("called", _WORD, "called card, such as `SK`", True),
    Column("group", pa.int8(), "talon group taken, from 0; empty where none is", True),
    Column("level", pa.int8(), "level of a trojka or prever", True),
    Column("taken", pa.uint64(), "talon cards that the declarer took up, as a mask", True),
    Column("discards", pa.uint64(), "cards that the declarer laid away, as a mask", True),
    Column(
        "value",
        pa.int16(),
        "result of best play by everyone, in `unit`; empty for `made` and where `exact` is false",
        True,
    ),
    Column("unit", _WORD, "`thirds`, `face`, `tricks`, `bool` or `score`"),
    Column("made", pa.bool_(), "whether the contract is made, where the result tells", True),
    Column("score", pa.float64(), "what the declarer writes, with objective `score`", True),
    Column("exact", pa.bool_(), "whether the result is proven"),
    Column("nodes", pa.int64(), "positions searched, choosing the exchange included"),
    Column("reason", pa.string(), "why the contract cannot be played on this deal", True),
)

COLUMNS: tuple[Column, ...] = (*_DEALT, *_FEATURES, *_PLAYED)
"""Every column of the data files, in their order."""

TIMING_COLUMNS: tuple[Column, ...] = (
    Column("deal", pa.int64(), "number of the deal"),
    Column("game", _WORD, "name of the game in the specification"),
    Column("declarer", pa.int8(), "seat of the declarer"),
    Column("ms", pa.float64(), "milliseconds that the row took, drawing the deal left out"),
)
"""The columns of the timing files, which differ from run to run."""


def _schema(columns: tuple[Column, ...]) -> pa.Schema:
    return pa.schema([pa.field(c.name, c.type, nullable=c.nullable) for c in columns])


SCHEMA = _schema(COLUMNS)
TIMING_SCHEMA = _schema(TIMING_COLUMNS)
