"""The columns of labels, declared once. No column has gaps: a value of its own stands for none."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pyarrow as pa

from trull.analysis.labels.spec import BidSpec, LabelSpec
from trull.analysis.study.schema import Column
from trull.solver.cards import PACK
from trull.solver.rules import TALON_SIZE

VERSION = 1
"""The version of the columns; a change of their names, types or meaning needs a new one."""

SEATS = 4
PLAYED = 48
"""The cards of all hands of a game with a talon."""
TRICKS = 16
"""The most tricks of a game."""

NOTHING = -1
"""Stands for no card, no seat, no trick, and for a contract that is neither made nor lost."""
NO_VALUE = -32768
"""Stands for no value: of a card that is not legal, of a contract that may not be bid."""

_WORD = pa.dictionary(pa.int32(), pa.string())
_MASK = pa.uint64()

_DEAL = (
    Column("deal", pa.int64(), "number of the deal"),
    Column("split", _WORD, "`train`, `validation` or `test`, the same in all rows of a deal"),
)
_TERMS = (
    Column("game", _WORD, "name of the game in the specification"),
    Column("variant", _WORD, "rule book"),
    Column("contract", _WORD, "contract"),
    Column("players", pa.int8(), "number of players"),
    Column("declarer", pa.int8(), "seat of the declarer; without meaning in games of everyone"),
    Column("partner", pa.int8(), "seat of the partner, -1 when the declarer is alone"),
    Column("called", pa.int8(), "called card, by number, or -1"),
    Column("level", pa.int8(), "level of a trojka or prever, else 1"),
)
_TABLE = (
    Column("trick", pa.int8(), "number of the trick, from 1"),
    Column("leader", pa.int8(), "seat that leads, or led, the trick"),
    Column("player", pa.int8(), "seat to play"),
    Column("table", pa.list_(pa.int8(), SEATS), "cards on the table in order of play, then -1"),
    *(
        Column(f"hand{seat}", _MASK, f"cards that seat {seat} holds, as a mask")
        for seat in range(SEATS)
    ),
    *(
        Column(f"taken{seat}", _MASK, f"cards that seat {seat} has won in tricks, as a mask")
        for seat in range(SEATS)
    ),
    *(
        Column(f"discards{seat}", _MASK, f"cards that seat {seat} laid away, as a mask")
        for seat in range(SEATS)
    ),
    Column("talon", pa.list_(pa.int8(), TALON_SIZE), "talon cards left, in order, then -1"),
    Column("tricks_won", pa.list_(pa.int8(), SEATS), "tricks won by each seat so far"),
    Column(
        "points",
        pa.list_(pa.int16(), SEATS),
        "card points of each seat so far, discards included, in thirds, in Texas taroky in points",
    ),
    Column("played", pa.list_(pa.int8(), PLAYED), "cards of the finished tricks in order, then -1"),
    Column("leaders", pa.list_(pa.int8(), TRICKS), "seats that led the finished tricks, then -1"),
)
_LABEL = (
    Column("objective", _WORD, "what is asked: `points`, `tricks`, `made` or `score`"),
    Column("unit", _WORD, "unit of the values: `thirds`, `face`, `tricks`, `bool` or `score`"),
    Column("maximises", pa.bool_(), "whether the seat to play wants the value large"),
    Column(
        "value",
        pa.int16(),
        "what the declaring side ends with under best play by everyone; in games of everyone the "
        "fewest points that the seat to play can hold itself to",
    ),
    Column(
        "card_values",
        pa.list_(pa.int16(), PACK),
        "the same after each card is played; -32768 for cards that are not legal",
    ),
    Column(
        "regrets",
        pa.list_(pa.int16(), PACK),
        "what the seat to play loses by each card, 0 for the best; -32768 as above",
    ),
    Column("best", _MASK, "best cards, as a mask"),
    Column("legal", _MASK, "legal cards, as a mask"),
    Column("nodes", pa.int64(), "positions searched for the label"),
)

PLAY_COLUMNS: tuple[Column, ...] = (*_DEAL, *_TERMS, *_TABLE, *_LABEL)
"""Every column of play labels, in their order."""

_KEYS = {"play": ("deal", "game", "declarer", "trick"), "bid": ("deal", "seat")}
"""The columns that a row is told by, in the files of times."""


def bid_columns(contracts: int) -> tuple[Column, ...]:
    """Return every column of bid labels; the lists have one entry a contract."""

    def each(kind: pa.DataType) -> pa.DataType:
        return pa.list_(kind, contracts)

    mean, small = each(pa.float32()), each(pa.int16())
    return (
        *_DEAL,
        Column("variant", _WORD, "rule book"),
        Column("players", pa.int8(), "number of players"),
        Column("seat", pa.int8(), "seat of the hand, 0 for forehand"),
        Column("hand", _MASK, "the hand as dealt, as a mask"),
        Column("allowed", each(pa.bool_()), "whether hand and seat may bid the contract"),
        Column("samples", small, "how many sampled deals the means are taken over"),
        Column("value", mean, "mean value of the contract, played by this seat; NaN for none"),
        Column("value_error", mean, "its standard error; NaN for fewer than two deals"),
        Column("made", mean, "share of the deals in which it is made"),
        Column("made_error", mean, "its standard error"),
        Column("score", mean, "mean of what the declarer writes"),
        Column("score_error", mean, "its standard error"),
        Column("open_value", small, "value in the deal that the hand was dealt in; -32768: none"),
        Column("open_made", each(pa.int8()), "whether it is made there: 1 or 0; -1: none"),
        Column("open_score", small, "what the declarer writes there; -32768: none"),
    )


def columns_of(spec: LabelSpec) -> tuple[Column, ...]:
    """Return the columns of the labels that a specification makes."""
    return bid_columns(len(spec.games)) if isinstance(spec, BidSpec) else PLAY_COLUMNS


def schema_of(spec: LabelSpec) -> pa.Schema:
    """Return the schema of the data files; its metadata name the order of the contracts."""
    names = json.dumps([game.name for game in spec.games], ensure_ascii=False)
    return _schema(columns_of(spec)).with_metadata({"trull.contracts": names})


def timing_schema_of(spec: LabelSpec) -> pa.Schema:
    """Return the schema of the files of times."""
    by_name = {column.name: column for column in columns_of(spec)}
    keys = [by_name[name] for name in _KEYS[spec.kind]]
    return _schema([*keys, Column("ms", pa.float64(), "milliseconds that the row took")])


def _schema(columns: Sequence[Column]) -> pa.Schema:
    return pa.schema([pa.field(c.name, c.type, nullable=c.nullable) for c in columns])
