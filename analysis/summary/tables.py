"""The tables of a report, as text to be laid out by whoever shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from trull.analysis.summary.findings import By, Findings
from trull.analysis.summary.intervals import FEW
from trull.analysis.summary.wording import (
    NOTHING,
    number,
    number_interval,
    share,
    share_interval,
    threshold_sentence,
)

FEW_NOTE = f"* fewer than {FEW} rows"


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of texts.

    Attributes:
        title: what it shows.
        headings: of the columns.
        rows: of as many texts.
        words: how many columns at the left hold words; all others hold numbers.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1

    def column(self, heading: str) -> tuple[str, ...]:
        """Return the texts of a column."""
        place = self.headings.index(heading)
        return tuple(row[place] for row in self.rows)

    def without(self, *headings: str) -> TextTable:
        """Return the table without some of its columns."""
        kept = [i for i, heading in enumerate(self.headings) if not heading.startswith(headings)]
        rows = tuple(tuple(row[i] for i in kept) for row in self.rows)
        return replace(self, headings=tuple(self.headings[i] for i in kept), rows=rows)

    @property
    def note(self) -> str:
        """What the marks in the table mean, or ""."""
        return FEW_NOTE if any(text.endswith("*") for row in self.rows for text in row) else ""

    def markdown(self) -> str:
        """Return the table in Markdown, with title and note."""
        rules = ["---"] * self.words + ["---:"] * (len(self.headings) - self.words)
        lines = [f"## {self.title}", "", *map(_line, (self.headings, rules, *self.rows))]
        lines += ["", self.note.replace("*", "\\*", 1)] if self.note else []
        return "\n".join(lines) + "\n"


def _line(texts: Sequence[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"


def overall_table(findings: Findings) -> TextTable:
    """Return the table of all games."""
    table = findings.overall
    extra = {"not played": table["rows"] - table["played"], "not proven": table["bounded"]}
    columns = {"game": [findings.title(game) for game in table["game"]]}
    columns |= _outcomes(table, findings, _unit(findings, set(findings.units)))
    columns |= {name: [f"{n:,}" for n in counts] for name, counts in extra.items() if counts.any()}
    return _assembled("All games", columns, 1)


def cell_table(findings: Findings, by: By, game: str) -> TextTable:
    """Return the table of a game by one or two features."""
    table = findings.cells[by]
    table = table[table["game"] == game]
    columns = {name: [label(value) for value in table[name]] for name in by}
    columns |= _outcomes(table, findings, _unit(findings, {game}))
    return _assembled(f"{findings.title(game)} by {' and '.join(by)}", columns, len(by))


def pairs_table(findings: Findings) -> TextTable:
    """Return the table of the differences between games."""
    pairs, inside = findings.pairs, _inside(findings)
    rows = list(pairs.to_dict("records"))
    columns = {"games": pair_names(findings)}
    if pairs["n"].any():
        columns |= {
            "n": [_counted(row["n"], row["few"]) for row in rows],
            "score": [number(row["difference"], sign=True) for row in rows],
            f"score, {inside}": [
                number_interval(row["low"], row["high"], sign=True) for row in rows
            ],
        }
    if pairs["rate_n"].any():
        columns |= {
            "n ": [_counted(row["rate_n"], row["few"]) for row in rows],
            "win rate": [
                NOTHING if not row["rate_n"] else f"{100 * row['rate_difference']:+.1f} %"
                for row in rows
            ],
            f"win rate, {inside}": [
                share_interval(row["rate_low"], row["rate_high"], sign=True) for row in rows
            ],
            "only the first won": [f"{row['only_first']:,}" for row in rows],
            "only the second": [f"{row['only_second']:,}" for row in rows],
        }
    return _assembled("Differences on the same deals", columns, 1)


def pair_names(findings: Findings) -> list[str]:
    """Return what is compared in each row of the differences."""
    title = findings.title
    return [f"{title(row.game)} less {title(row.against)}" for row in findings.pairs.itertuples()]


def threshold_sentences(findings: Findings, game: str) -> list[str]:
    """Return what the thresholds of a game are, a sentence for each feature."""
    rows = [row for row in findings.thresholds.to_dict("records") if row["game"] == game]
    fits = {(row["feature"], row["method"]): row for row in rows}
    return [
        threshold_sentence(row, fits[feature, "logistic"], findings.confidence)
        for (feature, method), row in fits.items()
        if method == "isotonic"
    ]


def label(value: object) -> str:
    """Return the name of a cell."""
    return NOTHING if pd.isna(value) else str(value)


def _assembled(title: str, columns: dict[str, list[str]], words: int) -> TextTable:
    headings = tuple(name.strip() for name in columns)
    return TextTable(title, headings, tuple(zip(*columns.values(), strict=True)), words)


def _outcomes(table: pd.DataFrame, findings: Findings, unit: str) -> dict[str, list[str]]:
    return dict(_outcome_columns(table, _inside(findings), unit))


def _outcome_columns(
    table: pd.DataFrame, inside: str, unit: str
) -> Iterator[tuple[str, list[str]]]:
    """Yield the columns of what is known in a table."""
    counts = table[["n", "score_n", "value_n"]].max(axis=1)
    yield "n", [_counted(n, few) for n, few in zip(counts, table["few"], strict=True)]
    if table["n"].any():
        yield "won", [f"{made:,}" for made in table["made"]]
        yield "win rate", [share(rate) for rate in table["win_rate"]]
        ends = zip(table["win_low"], table["win_high"], strict=True)
        yield f"win rate, {inside}", [share_interval(*pair) for pair in ends]
    for of, name in (("score", "mean score"), ("value", f"mean {unit}")):
        if not table[f"{of}_n"].any() or (of, unit) == ("value", "score"):
            continue
        yield name, [number(mean) for mean in table[of]]
        ends = zip(table[f"{of}_low"], table[f"{of}_high"], strict=True)
        yield f"{name}, {inside}", [number_interval(*pair) for pair in ends]


def _counted(n: float, few: bool) -> str:
    return f"{n:,.0f}*" if few else f"{n:,.0f}"


def _inside(findings: Findings) -> str:
    return f"{100 * findings.confidence:.4g} %"


def _unit(findings: Findings, games: set[str]) -> str:
    """Return the unit of the values of games, or "value" where they differ."""
    units = {findings.units[game] for game in games if game in findings.units}
    unit = units.pop() if len(units) == 1 else "value"
    return {"face": "points"}.get(unit, unit)
