"""Everything that a report says about a study, found in one pass over its rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from trull.analysis.summary.columns import group_column, is_number, short
from trull.analysis.summary.errors import SummaryError
from trull.analysis.summary.intervals import FEW
from trull.analysis.summary.pairing import Pairing
from trull.analysis.summary.rates import mean_table, rate_table
from trull.analysis.summary.scanning import COUNT, Consumer, Tally
from trull.analysis.summary.selecting import Selection
from trull.analysis.summary.thresholds import threshold_table

By = tuple[str, ...]
"""The one or two features that make the cells of a table."""

DEFAULT = ("trumps", "dreier_points")


@dataclass(frozen=True, slots=True)
class Findings:
    """What is known about the games of a study.

    Attributes:
        selection: the rows that were read.
        confidence: of all intervals.
        units: the unit of the values of each game.
        reasons: `game`, `reason`, `count` of the rows that could not be played.
        overall: a row a game, with the columns of `cells` and `rows`, `played`, and `bounded`,
            those without a proven result.
        cells: by features: `game`, the features, `n`, `made`, `win_rate`, `win_low`, `win_high`,
            `score_n`, `score`, `score_low`, `score_high`, the same of `value`, `few`.
        thresholds: as `threshold_table` returns them, for every feature that is a number.
        pairs: as `Pairing.table` returns them.
    """

    selection: Selection
    confidence: float
    units: Mapping[str, str]
    reasons: pd.DataFrame
    overall: pd.DataFrame
    cells: Mapping[By, pd.DataFrame]
    thresholds: pd.DataFrame
    pairs: pd.DataFrame

    def title(self, game: str) -> str:
        """Return a game's name as it is shown: without a variant that all games share."""
        variants = {one.variant for one in self.selection.games}
        return game.removeprefix(f"{variants.pop()}:") if len(variants) == 1 else game


def asked_features(selection: Selection, asked: Sequence[str]) -> tuple[By, ...]:
    """Return the columns that tables go by.

    Args:
        selection: the study.
        asked: features, or two of them with a comma between; without any, those that the
            conditions of the study are about, or else trumps and the points of the 12-point rule.

    Raises `SummaryError` for unknown features and for more than two in one table.
    """
    if not asked:
        words = re.findall(r"\w+", " ".join(selection.study.spec.conditions.where))
        columns = dict.fromkeys(f"f_{word}" for word in words)
        found = [column for column in columns if column in selection.schema.names]
        asked = found or DEFAULT
    bys = [
        tuple(group_column(selection.schema, name.strip()) for name in text.split(","))
        for text in asked
    ]
    for text, by in zip(asked, bys, strict=True):
        if len(by) > 2 or len(set(by)) < len(by):
            raise SummaryError(f"by: {text!r}, expected a feature, or two different ones")
    return tuple(dict.fromkeys(bys))


def collect(
    selection: Selection, bys: Sequence[By], confidence: float, *watching: Consumer
) -> Findings:
    """Read a study and return what a report says about it.

    Args:
        selection: the rows to read.
        bys: the columns of the tables.
        confidence: of all intervals.
        watching: further consumers of the rows.

    Raises `SummaryError` when a file is missing or damaged.
    """
    status = Tally(("game", "unit", "exact", "reason"))
    tables = {by: _Cells(by) for by in ((), *bys)}
    numbers = [by[0] for by in bys if len(by) == 1 and is_number(selection.schema, by[0])]
    outcomes = {column: Tally(("game", column, "made", "score")) for column in numbers}
    pairing = Pairing(selection.games)
    tallies = [tally for cells in tables.values() for tally in cells.tallies.values()]
    selection.scan(status, *tallies, *outcomes.values(), pairing, *watching)
    states = named(status, selection)
    return Findings(
        selection=selection,
        confidence=confidence,
        units=dict(zip(states["game"].astype(str), states["unit"], strict=True)),
        reasons=states[states["reason"].notna()][["game", "reason", COUNT]],
        overall=_overall(states, tables[()].table(selection, confidence)),
        cells={
            tuple(map(short, by)): tables[by].table(selection, confidence) for by in tables if by
        },
        thresholds=pd.concat(
            [
                threshold_table(named(tally, selection), short(column), confidence)
                for column, tally in outcomes.items()
            ]
            or [pd.DataFrame()],
            ignore_index=True,
        ),
        pairs=pairing.table(confidence),
    )


def named(tally: Tally, selection: Selection) -> pd.DataFrame:
    """Return a tally with the names that are shown, its games in the order of the study."""
    frame = tally.frame().rename(columns=short)
    frame["game"] = pd.Categorical(frame["game"], selection.names, ordered=True)
    return frame


def _overall(states: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    """Return the outcomes of all games, also of those that could nowhere be played."""
    table = _status(states).merge(cells, on="game", how="left")
    counts = ["n", "made", "score_n", "value_n"]
    table[counts] = table[counts].fillna(0).astype("int64")
    table["few"] = table[["n", "score_n", "value_n"]].max(axis=1) < FEW
    return table


def _status(states: pd.DataFrame) -> pd.DataFrame:
    played = states["reason"].isna()
    bounded = played & ~states["exact"].astype(bool)
    counts = states[COUNT].astype("int64")
    table = states[["game"]].assign(
        rows=counts, played=counts.where(played, 0), bounded=counts.where(bounded, 0)
    )
    return table.groupby("game", observed=True).sum().reset_index()


class _Cells:
    """The table of the cells that some columns make."""

    def __init__(self, by: By) -> None:
        self._columns = ("game", *by)
        self.tallies = {of: Tally((*self._columns, of)) for of in ("made", "score", "value")}

    def table(self, selection: Selection, confidence: float) -> pd.DataFrame:
        """Return rates and means side by side, a row a cell."""
        keys = list(map(short, self._columns))
        frames = {of: named(tally, selection) for of, tally in self.tallies.items()}
        rates = rate_table(frames["made"], keys, confidence).drop(columns="few")
        table = rates.rename(columns={"low": "win_low", "high": "win_high"})
        for of in ("score", "value"):
            means = mean_table(frames[of], of, keys, confidence).drop(columns=["sd", "few"])
            means = means.rename(
                columns={"n": f"{of}_n", "mean": of, "low": f"{of}_low", "high": f"{of}_high"}
            )
            table = table.merge(means, on=keys, how="outer")
        counts = ["n", "made", "score_n", "value_n"]
        table[counts] = table[counts].fillna(0).astype("int64")
        table["few"] = table[["n", "score_n", "value_n"]].max(axis=1) < FEW
        return table.sort_values(keys, ignore_index=True)
