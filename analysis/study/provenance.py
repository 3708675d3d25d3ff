"""What made a study: versions, and the rule books as they were."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import version
from typing import NamedTuple

from trull.solver import rulebooks

_WORDING = ("source", "sections", "title")
"""What a rule book says about itself, and nothing is played by."""

_TIMED_WITH = ("trull", "numba", "llvmlite", "numpy", "pyarrow")


class Makers(NamedTuple):
    """What decides the bytes of a data file besides the specification.

    Attributes:
        trull: the version of Trull.
        rules: the SHA-256 of the rule books that the study uses, in hexadecimal.
        pyarrow: the version of pyarrow, which writes the files.
    """

    trull: str
    rules: str
    pyarrow: str


def makers(variants: Iterable[str]) -> Makers:
    """Return what is installed here, with the rule books of some variants."""
    return Makers(version("trull"), rules_digest(variants), version("pyarrow"))


def rules_digest(variants: Iterable[str]) -> str:
    """Return the SHA-256 of the rule books of some variants, whatever they say in words."""
    books = {name: _plain(asdict(rulebooks.variant(name))) for name in variants}
    return hashlib.sha256(json.dumps(books, sort_keys=True).encode()).hexdigest()


def environment() -> dict[str, str]:
    """Return versions and machine, for files that hold times."""
    return {
        **{name: version(name) for name in _TIMED_WITH},
        "python": platform.python_version(),
        "machine": platform.platform(),
    }


def _plain(data: object) -> object:
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items() if key not in _WORDING}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return data
