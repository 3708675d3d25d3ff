"""Work shared out among processes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import TypeVar

Item = TypeVar("Item")


def hire(workers: int | None = None) -> ProcessPoolExecutor:
    """Return a pool of processes, as many as the machine has processors if not told.

    The search should be compiled and cached before they start.
    """
    return ProcessPoolExecutor(workers or os.cpu_count(), get_context("spawn"))


def shares(items: Sequence[Item], number: int) -> Iterator[list[Item]]:
    """Deal items out into a number of lists."""
    for first in range(number):
        yield list(islice(items, first, None, number))
