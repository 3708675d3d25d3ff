"""What can be wrong with a study folder or with what is asked of it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class SummaryError(ValueError):
    """A folder without a study, or a column or expression that it cannot answer."""


def unknown(what: str, name: str, known: Iterable[str]) -> SummaryError:
    """Return the error for a name that is not among the known ones; it suggests the nearest."""
    known = sorted(known)
    near = get_close_matches(name.lower(), known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(known)}"
    return SummaryError(f"{what}: there is no {name!r}: {hint}")
