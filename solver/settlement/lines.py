"""The lines of a settlement: what a rule gives to every seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

Score = int | Fraction
"""A number that a seat writes; a fraction where losers share a payment."""


class Line(NamedTuple):
    """What one rule gives to every seat.

    Attributes:
        rule: the rule in words.
        amounts: what it gives to each seat.
    """

    rule: str
    amounts: tuple[Score, ...]


class Item(NamedTuple):
    """What one rule gives to one seat.

    Attributes:
        rule: the rule in words, with its place in the rule book.
        value: what it gives, in the variant's score units; never 0.
        seat: the seat.
    """

    rule: str
    value: Score
    seat: int


def totals(lines: Iterable[Line], seats: int) -> tuple[Score, ...]:
    """Return what all lines together give to each seat."""
    sums: list[Score] = [0] * seats
    for line in lines:
        for seat, amount in enumerate(line.amounts):
            sums[seat] += amount
    return tuple(map(simplest, sums))


def times(lines: Iterable[Line], factor: int, rule: str, seats: int) -> Line:
    """Return the line that makes what the lines give so far `factor` times as much."""
    return Line(rule, tuple((factor - 1) * amount for amount in totals(lines, seats)))


def items(lines: Iterable[Line]) -> Iterator[Item]:
    """Yield the lines seat by seat, without what is 0."""
    for line in lines:
        for seat, amount in enumerate(line.amounts):
            if amount:
                yield Item(line.rule, simplest(amount), seat)


def simplest(score: Score) -> Score:
    """Return a score as a whole number where it is one."""
    return int(score) if score.denominator == 1 else score


def decimal(score: Score) -> int | float:
    """Return a score as JSON has it: a fraction becomes a decimal number."""
    return score if isinstance(score, int) else float(score)
