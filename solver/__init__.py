"""The double-dummy solver: cards, rule books, positions, referee and search.

>>> from trull.solver import Position, solve
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trull.solver.answer import Answer
    from trull.solver.api import Request, solve, solve_many
    from trull.solver.claim import Claim, check_claim
    from trull.solver.maxn import MaxnAnswer, solve_maxn
    from trull.solver.position import Position
    from trull.solver.question import Unsolvable
    from trull.solver.settlement import Settlement, Unsettled, score

__all__ = [
    "Answer",
    "Claim",
    "MaxnAnswer",
    "Position",
    "Request",
    "Settlement",
    "Unsettled",
    "Unsolvable",
    "check_claim",
    "score",
    "solve",
    "solve_many",
    "solve_maxn",
]

_HOMES = {
    "Answer": "answer",
    "Claim": "claim",
    "MaxnAnswer": "maxn",
    "Position": "position",
    "Request": "api",
    "Settlement": "settlement",
    "Unsettled": "settlement",
    "Unsolvable": "question",
    "check_claim": "claim",
    "score": "settlement",
    "solve": "api",
    "solve_many": "api",
    "solve_maxn": "maxn",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that numba loads only for a search."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"trull.solver.{_HOMES[name]}"), name)
