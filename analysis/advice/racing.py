"""The race: choices are valued on the same deals until it is clear which is the best.

The deals come in batches that double, and after each of them there is a *look*. For every two
choices it makes an interval of their mean difference, deal by deal; a choice whose whole interval
lies below the leader drops out and costs no more time. So that all intervals of all looks hold
together with 95 %, the k-th look spends 1 / (k (k + 1)) of the 5 % (these parts add up to 1), and
each of m (m - 1) / 2 pairs an equal part of that (Bonferroni).

Scores are lumpy: a contract that is lost on the first eight deals shows no spread, though it may
be made on the ninth. Each pair therefore starts with two imaginary deals, one in which the
difference is the mean plus the *swing* of the pair, one with the mean minus the swing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from trull.analysis.advice.valuing import Outcome
from trull.solver.kernel.engine import Engine
from trull.solver.workers import map_ordered

FIRST_LOOK = 8
"""The deals before the first look; later looks double them."""

EQUAL_FROM = 32
"""From how many deals on two choices that were worth the same on all of them count as equal."""

ERROR = 0.05
"""The probability that the ranking of the leader is called settled though it is wrong."""

Row = Mapping[int, Outcome]
"""What the choices in the race come to on one deal, by choice."""

Expired = Callable[[], bool]
"""Returns whether the time is over."""

Evaluate = Callable[[Engine, int, Sequence[int], Expired], Row | None]
"""Values choices on the deal of a number; `None` when the time was over before the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How much work is done.

    Attributes:
        deals: the most deals.
        seconds: the time; `None` is no limit. The number of deals then depends on the machine.
        nodes: node limit of each search.
        workers: how many deals to work on at the same time.
        memory: MB of each worker's table.
    """

    deals: int = 1000
    seconds: float | None = 30
    nodes: int | None = 1_000_000
    workers: int = 1
    memory: float = 64


Watch = Callable[[int, int], None]
"""Is told the number of deals done and of choices left."""


@dataclass(slots=True)
class Race:
    """Choices in competition.

    Attributes:
        swings: for every choice the swing of its value.
        evaluate: values choices on a deal.
        effort: the limits.
        watch: is told how far the race is.
        active: the choices still in the race.
        rows: what the choices came to, deal by deal.
        settled: whether every other choice dropped out or equals the leader.
    """

    swings: Sequence[float]
    evaluate: Evaluate
    effort: Effort
    watch: Watch = lambda _done, _left: None
    active: list[int] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    settled: bool = False

    def run(self) -> None:
        """Value the choices until the ranking is settled or a limit is reached."""
        self.active = list(range(len(self.swings)))
        began, limit = time.monotonic(), self.effort.seconds

        def expired() -> bool:
            return limit is not None and time.monotonic() - began >= limit

        for look, upto in enumerate(looks(self.effort.deals), 1):
            if not self._advance(upto, expired):
                return
            self._drop(look)
            if self.settled:
                return

    def _advance(self, upto: int, expired: Expired) -> bool:
        """Value the choices on the next deals; return whether the time was enough."""
        active = tuple(self.active)

        def work(engine: Engine, number: int) -> Row | None:
            return None if expired() else self.evaluate(engine, number, active, expired)

        effort = self.effort
        numbers = range(len(self.rows), upto)
        for row in map_ordered(work, numbers, effort.workers, effort.memory):
            if row is None:
                return False
            self.rows.append(row)
            self.watch(len(self.rows), len(active))
        return True

    def _drop(self, look: int) -> None:
        """Drop the choices that are clearly behind the leader."""
        leader = self.leader
        if leader is None:
            return
        pairs = len(self.swings) * (len(self.swings) - 1) / 2
        error = ERROR / (look * (look + 1)) / max(pairs, 1)
        kept, equal = [leader], True
        for choice in self.active:
            if choice == leader:
                continue
            differences = self.differences(choice, leader)
            if _clearly_negative(differences, self._swing(choice, leader), error):
                continue
            kept.append(choice)
            equal = equal and len(differences) >= EQUAL_FROM and not any(differences)
        self.active = sorted(kept)
        self.settled = equal

    def _swing(self, one: int, other: int) -> float:
        return max(abs(self.swings[one]), abs(self.swings[other]))

    @property
    def leader(self) -> int | None:
        """The choice in the race with the highest mean, the first of equals; `None` without any."""
        means = [(self.mean(choice), -choice) for choice in self.active]
        known = [(mean, order) for mean, order in means if mean is not None]
        return -max(known)[1] if known else None

    def outcomes(self, choice: int) -> list[Outcome]:
        """Return what a choice came to on the deals that it was valued on."""
        return [row[choice] for row in self.rows if choice in row]

    def mean(self, choice: int) -> float | None:
        """Return the mean value of a choice, or `None` where none is known."""
        values = [found.value for found in self.outcomes(choice) if found.value is not None]
        return fmean(values) if values else None

    def differences(self, choice: int, other: int) -> list[float]:
        """Return by how much a choice is worth more than another, on the deals where both are."""
        pairs = [(row[choice], row[other]) for row in self.rows if {choice, other} <= row.keys()]
        return [
            one.value - two.value
            for one, two in pairs
            if one.value is not None and two.value is not None
        ]


def looks(deals: int) -> Iterator[int]:
    """Yield the numbers of deals after which there is a look; the last is all of them.

    >>> list(looks(40)), list(looks(5))
    ([8, 16, 32, 40], [5])
    """
    upto = FIRST_LOOK
    while upto < deals:
        yield upto
        upto *= 2
    yield deals


def _clearly_negative(differences: Sequence[float], swing: float, error: float) -> bool:
    """Return whether a mean difference is below 0 with the given probability of error.

    Args:
        differences: the differences on single deals.
        swing: of the two imaginary deals that are added.
        error: both tails together.
    """
    from trull.analysis.summary.intervals import mean_interval

    if len(differences) < 2:
        return False
    mean, n = fmean(differences), len(differences) + 2
    squares = sum((difference - mean) ** 2 for difference in differences) + 2 * swing**2
    deviation = math.sqrt(squares / (n - 1))
    return float(mean_interval(n, mean, deviation, 1 - error)[1]) < 0
