"""Conditions as formulas over linear ones, and their division into cases.

Much that is asked of a hand is not linear, but is made of linear conditions: "two voids or more"
is a choice of the suits that are void. A formula joins linear conditions by *all* and *any*;
`linear_cases` divides it into lists of linear conditions of which never two hold for one deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trull.analysis.deals.counting import Linear, TooManyCases

MOST_CASES = 500
"""The most cases that a formula is divided into."""

Case = tuple[Linear, ...]
"""Linear conditions that all hold, each about another sum."""


@dataclass(frozen=True, slots=True)
class All:
    """All parts hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """A part holds; `apart` says that never two of them hold together."""

    parts: tuple[Formula, ...]
    apart: bool = False


Formula = Linear | All | Any

ALWAYS = All(())
NEVER = Any(())


def negation(formula: Formula) -> Formula:
    """Return the formula that holds where the other does not."""
    if isinstance(formula, Any):
        return All(tuple(map(negation, formula.parts)))
    if isinstance(formula, All):
        return Any(tuple(map(negation, formula.parts)))
    outside: list[Linear] = []
    if formula.low is not None:
        outside.append(Linear(formula.weights, None, formula.low - 1))
    if formula.high is not None:
        outside.append(Linear(formula.weights, formula.high + 1, None))
    return outside[0] if len(outside) == 1 else Any(tuple(outside), apart=True)


def holds(formula: Formula, masks: Sequence[int]) -> bool:
    """Return whether a formula holds in a deal, given as a mask a place."""
    if isinstance(formula, All):
        return all(holds(part, masks) for part in formula.parts)
    if isinstance(formula, Any):
        return any(holds(part, masks) for part in formula.parts)
    total = sum(
        weight
        for place, weights in formula.weights.items()
        for card, weight in enumerate(weights)
        if weight and masks[place] >> card & 1
    )
    low, high = formula.range
    return low <= total <= high


def linear_cases(formula: Formula, most: int = MOST_CASES) -> list[Case]:
    """Return the cases of a formula: where it holds, exactly one of them does.

    Conditions about the same sum are joined; a case that contradicts itself so is left out.
    Raises `TooManyCases` when there are more than `most`, on the way or in the end.
    """
    return _narrowed([()], formula, most)


def _narrowed(cases: list[Case], formula: Formula, most: int) -> list[Case]:
    """Return what is left of cases when a formula holds as well."""
    if len(cases) > most:
        raise TooManyCases
    if isinstance(formula, Linear):
        joined = (_joined(case, formula) for case in cases)
        return [case for case in joined if case is not None]
    if isinstance(formula, All):
        for part in formula.parts:
            cases = _narrowed(cases, part, most)
        return cases
    found: list[Case] = []
    last = len(formula.parts) - 1
    for turn, part in enumerate(formula.parts):
        found += _narrowed(cases, part, most)
        if turn < last and not formula.apart:
            cases = _narrowed(cases, negation(part), most)
    if len(found) > most:
        raise TooManyCases
    return found


def _joined(case: Case, condition: Linear) -> Case | None:
    """Return a case with one more condition, or `None` when nothing is left of a range."""
    for turn, known in enumerate(case):
        if known.weights == condition.weights:
            lows = [low for low in (known.low, condition.low) if low is not None]
            highs = [high for high in (known.high, condition.high) if high is not None]
            low, high = max(lows, default=None), min(highs, default=None)
            if low is not None and high is not None and low > high:
                return None
            return *case[:turn], replace(known, low=low, high=high), *case[turn + 1 :]
    return *case, condition
