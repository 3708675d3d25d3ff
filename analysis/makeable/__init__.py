"""Makeable contracts: every contract for every seat, and par (`docs/makeable.md`)."""

from trull.analysis.makeable.auction import Call, NoPar, Par, Payoffs, par
from trull.analysis.makeable.cell import Cell, Found
from trull.analysis.makeable.leads import Leads
from trull.analysis.makeable.openness import TableError
from trull.analysis.makeable.solving import Terms
from trull.analysis.makeable.table import Table, Wanted, make_table

__all__ = [
    "Call",
    "Cell",
    "Found",
    "Leads",
    "NoPar",
    "Par",
    "Payoffs",
    "Table",
    "TableError",
    "Terms",
    "Wanted",
    "make_table",
    "par",
]
