"""The files of a report: tables, figures, the page."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import pandas as pd

from trull.analysis.summary.drawing import rendered
from trull.analysis.summary.facts import CAUTION, facts, page_title
from trull.analysis.summary.findings import By, Findings
from trull.analysis.summary.page import html_page
from trull.analysis.summary.plots import cell_figure, pairs_figure
from trull.analysis.summary.reproducing import spec_toml
from trull.analysis.summary.tables import (
    TextTable,
    cell_table,
    overall_table,
    pairs_table,
    threshold_sentences,
)

Format = Literal["csv", "md", "png", "svg", "html"]

FORMATS: tuple[Format, ...] = ("csv", "md", "png", "svg", "html")


def report_files(findings: Findings, formats: Sequence[Format]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a report, each with its name; the page comes last.

    Args:
        findings: what is known.
        formats: which kinds of files.
    """
    yield "study.toml", spec_toml(findings.selection.study.spec).encode()
    if "csv" in formats:
        for name, frame in _frames(findings):
            text = frame.to_csv(index=False, lineterminator="\n", float_format="%.10g")
            yield f"{name}.csv", text.encode()
    if "md" in formats:
        for name, tables in _tables(findings):
            yield f"{name}.md", _markdown(findings, tables).encode()
    drawings: dict[tuple[str, By], bytes] = {}
    if {"png", "svg", "html"} & {*formats}:
        for name, game, by in _figures(findings):
            figure = cell_figure(findings, by, game) if game else pairs_figure(findings)
            drawings[game, by] = rendered(figure, "svg")
            if "png" in formats:
                yield f"{name}.png", rendered(figure, "png")
            if "svg" in formats:
                yield f"{name}.svg", drawings[game, by]
    if "html" in formats:
        yield "report.html", html_page(findings, drawings).encode()


def write_files(place: Path, files: Iterable[tuple[str, bytes]]) -> list[str]:
    """Write files into a folder, all or none, over older ones of the same names.

    Args:
        place: the folder, which is made if need be.
        files: names and contents.

    Returns the names. Raises `OSError` when a file cannot be written.
    """
    made = not place.exists()
    place.mkdir(parents=True, exist_ok=True)
    names = []
    try:
        with tempfile.TemporaryDirectory(prefix=".partial-", dir=place) as partial:
            for name, data in files:
                Path(partial, name).write_bytes(data)
                names.append(name)
            for name in names:
                os.replace(Path(partial, name), place / name)
    except BaseException:
        if made and not any(place.iterdir()):
            place.rmdir()
        raise
    return names


def _frames(findings: Findings) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the tables with all their digits."""
    yield "games", findings.overall
    for by, table in findings.cells.items():
        yield _by_name(by), table
    if not findings.thresholds.empty:
        yield "thresholds", findings.thresholds
    if not findings.pairs.empty:
        yield "differences", findings.pairs
    if not findings.reasons.empty:
        yield "not_played", findings.reasons


def _tables(findings: Findings) -> Iterator[tuple[str, list[TextTable]]]:
    """Yield the tables as people read them."""
    yield "games", [overall_table(findings)]
    for by in findings.cells:
        yield _by_name(by), [cell_table(findings, by, game) for game in findings.units]
    sentences = [
        (findings.title(game), sentence)
        for game in findings.units
        for sentence in threshold_sentences(findings, game)
    ]
    if sentences:
        yield "thresholds", [TextTable("Thresholds", ("game", "threshold"), tuple(sentences), 2)]
    if not findings.pairs.empty:
        yield "differences", [pairs_table(findings)]


def _markdown(findings: Findings, tables: list[TextTable]) -> str:
    head = f"# {page_title(findings)}\n\n"
    about = "\n".join(f"- {name}: {text}" for name, text in facts(findings))
    return head + about + f"\n\n{CAUTION}\n\n" + "\n".join(table.markdown() for table in tables)


def _figures(findings: Findings) -> Iterator[tuple[str, str, By]]:
    """Yield the name of each figure with its game and features."""
    for by, table in findings.cells.items():
        shown = set(table["game"])
        for game in findings.units:
            if game in shown:
                yield f"{_file_name(findings.title(game))}_{_by_name(by)}", game, by
    if not findings.pairs.empty:
        yield "differences", "", ()


def _by_name(by: By) -> str:
    return f"by_{'_and_'.join(by)}"


def _file_name(game: str) -> str:
    return re.sub(r"[^\w.-]+", "-", game)
