"""The one error of a benchmark that cannot be run, read or compared."""

from __future__ import annotations


class BenchError(ValueError):
    """Faulty positions or records; the message names the file and what is expected."""
