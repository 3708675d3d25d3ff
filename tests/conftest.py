"""Fixtures of several test files."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import pytest

from crew import hire
from trull.analysis.compiling import make_ready


@pytest.fixture(scope="session")
def crew() -> Iterator[ProcessPoolExecutor]:
    """Processes for what takes long; the search is compiled before they start."""
    make_ready()
    with hire() as pool:
        yield pool
