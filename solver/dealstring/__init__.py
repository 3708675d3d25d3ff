"""Positions as deal strings: one short line that people type and read.

    koenigrufen:rufer@0+2 called=HK T22,18,3.SA4.DK … … … talon=CJ.T11.S9 discards=0:HQ2.D3

A deal string is another spelling of the JSON object of a position (`docs/notation.md` has the
grammar): `parse_deal` makes the object of it, `format_deal` the string.
"""

from trull.solver.dealstring.holdings import format_holding, parse_holding
from trull.solver.dealstring.reading import is_deal, parse_deal
from trull.solver.dealstring.writing import format_deal

__all__ = ["format_deal", "format_holding", "is_deal", "parse_deal", "parse_holding"]
