"""The command line as tests run it: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
DEALS = REPOSITORY / "data" / "deals"
TRULL = (sys.executable, "-m", "trull.analysis")


def environment(**changes: str) -> dict[str, str]:
    """Return the environment of a test with some variables changed."""
    return {**os.environ, **changes}


def trull(*words: str | Path, stdin: str = "", **changes: str) -> subprocess.CompletedProcess[str]:
    """Run `trull` to its end and return what it printed and its exit status.

    Args:
        words: what stands after `trull`.
        stdin: the standard input.
        changes: changed environment variables.
    """
    return subprocess.run(
        [*TRULL, *map(str, words)],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env=environment(**{"PYTHONIOENCODING": "utf-8", **changes}),
        timeout=120,
        check=False,
    )
