"""Small studies for tests, and what their folders hold."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from commands import REPOSITORY, TRULL, environment

SPEC = """\
title = "Cheap rows of every kind"
deals = 24
seed = 5
nodes = 300
memory = 1
shard = 2
contracts = ["koenigrufen:bettler"]

[[game]]
contract = "koenigrufen:rufer"
objective = ["points", "made"]

[[game]]
contract = "czech:second_duty"
declarer = "every"
"""
"""A specification whose shards take some milliseconds each; every second duty needs the Pagat."""


def write_spec(folder: Path, text: str = SPEC) -> Path:
    """Write a specification into a folder and return its path."""
    path = folder / "spec.toml"
    path.write_text(text, encoding="utf-8")
    return path


def checksums(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file of a study by name, but for those that hold times."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if not path.name.startswith("timing-")
    }


def begin(*words: str | Path) -> subprocess.Popen[str]:
    """Start `trull study` in a process group of its own."""
    return subprocess.Popen(
        [*TRULL, "study", *map(str, words)],
        cwd=REPOSITORY,
        env=environment(PYTHONIOENCODING="utf-8"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=os.name != "nt",
    )
