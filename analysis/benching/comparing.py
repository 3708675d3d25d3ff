"""Two benchmarks deal by deal: what each costs now, in parts of what it cost before."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trull.analysis.benching.record import Row

_LEAST_NODES = 1
_LEAST_MS = 1e-3  # a clock may tell nothing shorter


@dataclass(frozen=True, slots=True)
class Pair:
    """One deal of two benchmarks.

    Attributes:
        old: what it cost before.
        new: what it costs now.
    """

    old: Row
    new: Row

    @property
    def nodes(self) -> float:
        """Nodes now in parts of those before."""
        return max(self.new.nodes, _LEAST_NODES) / max(self.old.nodes, _LEAST_NODES)

    @property
    def ms(self) -> float:
        """Time on the clock now in parts of that before."""
        return max(self.new.ms, _LEAST_MS) / max(self.old.ms, _LEAST_MS)

    @property
    def cpu(self) -> float:
        """Processor time now in parts of that before."""
        return max(self.new.cpu, _LEAST_MS) / max(self.old.cpu, _LEAST_MS)

    @property
    def agrees(self) -> bool:
        """Whether both have the same answer."""
        return self.old.value == self.new.value


def paired(old: Sequence[Row], new: Sequence[Row]) -> list[Pair]:
    """Return the pairs of rows about the same position and question, in the order of `new`.

    A position that stands several times in both is paired in order. Rows without a partner are
    left out.
    """
    waiting: defaultdict[tuple[str, str], deque[Row]] = defaultdict(deque)
    for row in old:
        waiting[row.position, row.objective].append(row)
    pairs = []
    for row in new:
        partners = waiting[row.position, row.objective]
        if partners:
            pairs.append(Pair(partners.popleft(), row))
    return pairs


@dataclass(frozen=True, slots=True)
class Ratios:
    """The ratios of all pairs in short.

    Attributes:
        mean: the geometric mean.
        best: the least.
        worst: the largest.
        total: the ratio of the sums, in which long deals weigh most.
    """

    mean: float
    best: float
    worst: float
    total: float


def ratios(pairs: Sequence[Pair], quantity: str) -> Ratios:
    """Return the ratios of at least one pair: `nodes`, `ms` or `cpu`."""
    each = np.array([getattr(pair, quantity) for pair in pairs])
    old = sum(getattr(pair.old, quantity) for pair in pairs)
    new = sum(getattr(pair.new, quantity) for pair in pairs)
    return Ratios(
        float(np.exp(np.log(each).mean())),
        float(each.min()),
        float(each.max()),
        max(new, _LEAST_MS) / max(old, _LEAST_MS),
    )
