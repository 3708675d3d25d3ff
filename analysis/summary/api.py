"""Summaries of a study as data frames."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import pandas as pd

from trull.analysis.summary.columns import group_column, is_number, short
from trull.analysis.summary.errors import SummaryError
from trull.analysis.summary.findings import named
from trull.analysis.summary.pairing import Pairing
from trull.analysis.summary.rates import mean_table, rate_table
from trull.analysis.summary.scanning import Tally
from trull.analysis.summary.selecting import Selection, select
from trull.analysis.summary.thresholds import REPLICATES, SEED, threshold_table

Names = str | Sequence[str]


def win_rates(
    folder: str | Path,
    by: Names = (),
    *,
    contracts: Names = (),
    where: str = "",
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Return how often the contracts of a study are made, with Wilson intervals.

    Args:
        folder: the folder of the study.
        by: the features that make a cell, such as `trumps` or `("dreier_points", "kings")`;
            without any there is one cell a game.
        contracts: the games to read, by their names or those of their contracts; all by default.
        where: a condition on rows, such as `trumps >= 8 and kings in (1, 2)`.
        confidence: of the intervals, between 0 and 1.

    Returns a row for each game and cell: `game`, the features, `n`, `made`, `win_rate`, `low`,
    `high`, and `few` for cells with too few rows to rely on.
    Raises `SummaryError` when there is no study, or it has no such feature or contract.
    """
    check_confidence(confidence)
    selection = select(folder, contracts, where)
    return rate_table(*_tallied(selection, by, "made"), confidence)


def score_means(
    folder: str | Path,
    by: Names = (),
    *,
    of: Literal["score", "value"] = "score",
    contracts: Names = (),
    where: str = "",
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Return the mean score, or the mean value, of the games of a study.

    Args:
        folder: the folder of the study.
        by: as in `win_rates`.
        of: `score`, which studies with the objective score know, or `value` in the unit of the
            game.
        contracts: as in `win_rates`.
        where: as in `win_rates`.
        confidence: of Student's intervals, between 0 and 1.

    Returns a row for each game and cell: `game`, the features, `n`, `mean`, `sd`, `low`, `high`,
    `few`; no row where `of` is nowhere known.
    Raises `SummaryError` when there is no study, or it has no such feature or contract.
    """
    check_confidence(confidence)
    selection = select(folder, contracts, where)
    tally, keys = _tallied(selection, by, of)
    return mean_table(tally, of, keys, confidence)


def paired(
    folder: str | Path,
    *,
    contracts: Names = (),
    where: str = "",
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Return the differences between games, taken on the same deal with the same declarer.

    Args:
        folder: the folder of the study.
        contracts: as in `win_rates`.
        where: as in `win_rates`.
        confidence: of the intervals, between 0 and 1.

    Returns a row for each two games, the first less the second: `game`, `against`, `n`,
    `difference`, `sd`, `low`, `high` of the score; `rate_n`, `rate_difference`, `rate_low`,
    `rate_high`, `only_first`, `only_second` of the win rate; `few`.
    Raises `SummaryError` when there is no study, or it has no such contract.
    """
    check_confidence(confidence)
    selection = select(folder, contracts, where)
    pairing = Pairing(selection.games)
    selection.scan(pairing)
    return pairing.table(confidence)


def threshold(
    folder: str | Path,
    feature: str,
    *,
    contracts: Names = (),
    where: str = "",
    confidence: float = 0.95,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> pd.DataFrame:
    """Return from which value of a feature on the games of a study are expected to gain.

    Args:
        folder: the folder of the study.
        feature: a feature that is a number, such as `trumps`.
        contracts: as in `win_rates`.
        where: as in `win_rates`.
        confidence: of the intervals, between 0 and 1.
        replicates: samples of the bootstrap.
        seed: of the bootstrap.

    Returns two rows a game, `method` `isotonic` and `logistic`: `game`, `feature`, `criterion`
    (`score`, or `made` for a win rate above one half where scores are not known), `n`, `side`
    (`from` or `up to`), `lowest`, `highest`, `verdict` (`crosses`, `always`, `never`, `unknown`),
    `threshold`, `low`, `high`, `few`.
    Raises `SummaryError` when there is no study, or the feature is not a number of it.
    """
    check_confidence(confidence)
    selection = select(folder, contracts, where)
    column = group_column(selection.schema, feature)
    if not is_number(selection.schema, column):
        raise SummaryError(f"by: {feature} is no number, so it has no threshold")
    tally = Tally(("game", column, "made", "score"))
    selection.scan(tally)
    frame = named(tally, selection)
    return threshold_table(frame, short(column), confidence, replicates=replicates, seed=seed)


def check_confidence(confidence: float) -> None:
    """Refuse what is no confidence; raises `SummaryError`."""
    if not 0 < confidence < 1:
        raise SummaryError(f"confidence: {confidence}, expected a number between 0 and 1")


def _tallied(selection: Selection, by: Names, outcome: str) -> tuple[pd.DataFrame, list[str]]:
    names = (by,) if isinstance(by, str) else by
    columns = ["game", *dict.fromkeys(group_column(selection.schema, name) for name in names)]
    tally = Tally((*columns, outcome))
    selection.scan(tally)
    return named(tally, selection), list(map(short, columns))
