"""Taroky Notation, the one-line form of a Texas game that the MachTarok program writes.

Fields separated by `/`: the chips of four players, their hands as dealt from Povinnost on, the
talon, then as far as the game got the prever, gifts, discards, money cards, partner card, valat,
contras, the I on the end and the tricks, and last the settings. What a position has no place for
is kept in its key `x_taroky`, so that reading and writing lose nothing (`docs/notation.md`).
"""

from trull.solver.taroky.fields import is_taroky
from trull.solver.taroky.reading import parse_taroky
from trull.solver.taroky.writing import format_taroky

__all__ = ["format_taroky", "is_taroky", "parse_taroky"]
