"""The report as one page that needs nothing beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jinja2 import Environment, Template
from markupsafe import Markup

from trull.analysis.summary.facts import CAUTION, again, facts, notes, page_title
from trull.analysis.summary.findings import By, Findings
from trull.analysis.summary.reproducing import spec_toml
from trull.analysis.summary.scanning import COUNT
from trull.analysis.summary.tables import (
    TextTable,
    cell_table,
    overall_table,
    pairs_table,
    threshold_sentences,
)

_WIDTH = re.compile(r'width="([\d.]+)pt"')


Drawings = Mapping[tuple[str, By], bytes]
"""Figures by game and features; that of the differences between games has an empty name."""


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure within the page.

    Attributes:
        svg: the drawing.
        width: its natural width, which it does not exceed.
        caption: what it shows.
    """

    svg: Markup
    width: str
    caption: str


@dataclass(frozen=True, slots=True)
class _Section:
    """What the page says about a game."""

    title: str
    sentences: Sequence[str]
    reasons: Sequence[tuple[str, int]]
    parts: Sequence[tuple[_Figure, TextTable]]


def html_page(findings: Findings, drawings: Drawings) -> str:
    """Return the whole report as HTML.

    Args:
        findings: what is known.
        drawings: the figures as SVG.
    """
    sections = [_section(findings, game, drawings) for game in findings.units]
    differences = None if findings.pairs.empty else pairs_table(findings)
    return _template().render(
        title=page_title(findings),
        facts=facts(findings),
        caution=CAUTION,
        overall=overall_table(findings),
        sections=sections,
        differences=differences,
        differences_figure=differences
        and _figure(drawings["", ()], "Differences with their intervals; zero is no difference."),
        notes=notes(findings),
        command=again(findings),
        toml=spec_toml(findings.selection.study.spec),
    )


@cache
def _template() -> Template:
    text = files("trull.analysis.summary").joinpath("page.html").read_text(encoding="utf-8")
    return Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(text)


def _section(findings: Findings, game: str, drawings: Drawings) -> _Section:
    reasons = findings.reasons[findings.reasons["game"] == game]
    tables = {by: cell_table(findings, by, game) for by in findings.cells}
    return _Section(
        title=findings.title(game),
        sentences=threshold_sentences(findings, game),
        reasons=list(zip(reasons["reason"], reasons[COUNT], strict=True)),
        parts=[
            (_figure(drawings[game, by], _caption(by)), table)
            for by, table in tables.items()
            if table.rows
        ],
    )


def _caption(by: By) -> str:
    if len(by) == 2:
        return "Each cell with its number of rows below; pale cells have too few to rely on."
    return (
        "Bars are intervals, hollow points have too few rows to rely on, grey columns show how "
        "many there are; the yellow line is the threshold, the band its interval."
    )


def _figure(svg: bytes, caption: str) -> _Figure:
    drawing = svg.decode()
    drawing = drawing[drawing.index("<svg") :]
    drawing = re.sub(r"<metadata>.*?</metadata>\s*", "", drawing, flags=re.DOTALL)
    width = _WIDTH.search(drawing)
    assert width is not None
    return _Figure(Markup(drawing), f"{float(width[1]):.0f}pt", caption)
