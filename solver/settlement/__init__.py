"""What a finished deal pays to every seat, line by line.

For a game with a declaring side there are two steps that know nothing of each other: `facts_of`
finds the few facts that the settlement depends on, `Scoring` says what they are worth under the
terms of the deal. `settle` and `score` do both, for games of everyone, too.
"""

from trull.solver.settlement.deal import Settlement, Unsettled, lines_of, score, settle
from trull.solver.settlement.everyone import payment_lines
from trull.solver.settlement.facts import Bird, Facts, facts_of
from trull.solver.settlement.lines import Item, Line, Score, decimal, items, totals
from trull.solver.settlement.scoring import Scoring

__all__ = [
    "Bird",
    "Facts",
    "Item",
    "Line",
    "Score",
    "Scoring",
    "Settlement",
    "Unsettled",
    "decimal",
    "facts_of",
    "items",
    "lines_of",
    "payment_lines",
    "score",
    "settle",
    "totals",
]
