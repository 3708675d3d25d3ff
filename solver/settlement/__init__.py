"""What a finished deal pays to every seat, line by line.

Two steps that know nothing of each other: `facts_of` finds the few facts of a finished deal that
its settlement depends on, `Scoring` says what they are worth. For games of everyone, which have no
declaring side, `everyone` does both.

>>> from trull.solver.settlement import Facts, Scoring, facts_of, settle, settled
"""

from trull.solver.settlement.deal import Settlement, settle, settled
from trull.solver.settlement.facts import Bird, Facts, facts_of
from trull.solver.settlement.lines import Item, Score, decimal
from trull.solver.settlement.scoring import Scoring

__all__ = [
    "Bird",
    "Facts",
    "Item",
    "Score",
    "Scoring",
    "Settlement",
    "decimal",
    "facts_of",
    "settle",
    "settled",
]
