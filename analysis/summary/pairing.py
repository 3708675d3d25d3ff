"""Differences between the games of a study, deal by deal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from trull.analysis.study.spec import Game
from trull.analysis.summary.errors import SummaryError
from trull.analysis.summary.intervals import FEW, mean_interval, paired_rate_interval

_Numbers = npt.NDArray[np.float64]

_SUMS = 7
"""Of a pair: deals with both scores, sum and sum of squares of the differences of score; deals on
which both are made, the first alone, the second alone, none."""


class Pairing:
    """Sums up the differences of score and success between every two games on common deals.

    The rows of a deal follow one another; only those of one deal are kept from batch to batch.

    Args:
        games: the games to compare, in the order in which they are shown. Those of different
            variants or numbers of players have no deals in common.
    """

    def __init__(self, games: Sequence[Game]) -> None:
        self.columns: Sequence[str] = ("deal", "declarer", "game", "score", "made")
        self._games = [game.name for game in games]
        self._pairs = [
            (i, j)
            for (i, first), (j, second) in combinations(enumerate(games), 2)
            if (first.variant, first.players) == (second.variant, second.players)
        ]
        self._sums: npt.NDArray[np.float64] = np.zeros((len(self._pairs), _SUMS))
        self._kept: pa.Table | None = None
        self._last = -1

    def add(self, rows: pa.Table) -> None:
        """Take up some rows; raises `SummaryError` when deals do not ascend."""
        rows = rows.select(self.columns)
        deals = rows["deal"].to_numpy()
        if deals[0] < self._last or (np.diff(deals) < 0).any():
            raise SummaryError("the rows of the study are not in the order of their deals")
        self._last = deals[-1]
        if self._kept is not None:
            rows = pa.concat_tables([self._kept, rows])
        complete = pc.less(rows["deal"], pa.scalar(self._last, rows["deal"].type))
        self._take(rows.filter(complete))
        self._kept = rows.filter(pc.invert(complete))

    def table(self, confidence: float) -> pd.DataFrame:
        """Return a row for each two games that have deals in common: the first less the second.

        Args:
            confidence: of the intervals: Student's for the score, Newcombe's for the rate.

        Returns the columns `game`, `against`, `n`, `difference`, `sd`, `low`, `high` for the score
        and `rate_n`, `rate_difference`, `rate_low`, `rate_high`, `only_first`, `only_second` for
        the win rate, `few`.
        """
        if self._kept is not None:
            self._take(self._kept)
            self._kept = None
        n, total, squares, both, first, second, neither = self._sums.T
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = total / n
            variance = np.maximum(squares - n * mean**2, 0) / np.where(n > 1, n - 1, np.nan)
            low, high = mean_interval(n, mean, np.sqrt(variance), confidence)
            known = both + first + second + neither
            rate_low, rate_high = paired_rate_interval(both, first, second, neither, confidence)
            rate = (first - second) / known
        names = [(self._games[i], self._games[j]) for i, j in self._pairs]
        table = pd.DataFrame(
            {
                "game": [name for name, _ in names],
                "against": [name for _, name in names],
                "n": n.astype("int64"),
                "difference": mean,
                "sd": np.sqrt(variance),
                "low": low,
                "high": high,
                "rate_n": known.astype("int64"),
                "rate_difference": rate,
                "rate_low": rate_low,
                "rate_high": rate_high,
                "only_first": first.astype("int64"),
                "only_second": second.astype("int64"),
                "few": np.maximum(n, known) < FEW,
            }
        )
        return table[np.maximum(n, known) > 0].reset_index(drop=True)

    def _take(self, rows: pa.Table) -> None:
        if not rows.num_rows:
            return
        frame = rows.to_pandas()
        keys = ["deal", "declarer", "game"]
        if frame.duplicated(keys).any():
            raise SummaryError("the study has two rows for one deal, declarer and game")
        wide = frame.set_index(keys)[["score", "made"]].astype("float64").unstack("game")
        scores, made = (self._matrix(wide[column]) for column in ("score", "made"))
        for number, (i, j) in enumerate(self._pairs):
            self._sums[number] += _summed(scores[:, i] - scores[:, j], made[:, i], made[:, j])

    def _matrix(self, wide: pd.DataFrame) -> _Numbers:
        """Return one outcome as deals by games, NaN where it is not known."""
        matrix: _Numbers = wide.reindex(columns=self._games).to_numpy(np.float64)
        return matrix


def _summed(difference: _Numbers, a: _Numbers, b: _Numbers) -> list[float]:
    known = ~np.isnan(a) & ~np.isnan(b)
    first, second = a[known] == 1, b[known] == 1
    scores = difference[~np.isnan(difference)]
    ways = [(first == i) & (second == j) for i, j in ((1, 1), (1, 0), (0, 1), (0, 0))]
    return [len(scores), scores.sum(), (scores * scores).sum(), *(way.sum() for way in ways)]
