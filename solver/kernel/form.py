"""Forms of the state: what the machine code of a search takes for granted.

Most contracts are played under none of the rare rules, by four players or by three. For each of
these two numbers the search is compiled apart with that known, which saves a sixth of its time
and more; the form `ANY` serves everything else. A form is a type of the state record over the
same memory, and what it knows is a constant wherever compiled code asks one of the functions
below.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from trull.solver.kernel.state import DTYPE


class Form(NamedTuple):
    """What is known of a state.

    Attributes:
        players: how many players there are, and that no rare rule is in force; 0: nothing.
        dtype: the type of its record.
    """

    players: int
    dtype: np.dtype[Any]


def _mark(players: int) -> str:
    return f"players{players}"


def _plain(players: int) -> Form:
    """Return a form whose record type differs in the name of one field, of the same layout."""
    dtype = np.dtype([(name, *rest) for name, *rest in DTYPE.descr])
    dtype.names = tuple(_mark(players) if name == "players" else name for name in DTYPE.names or ())
    return Form(players, dtype)


ANY = Form(0, DTYPE)
FORMS = (ANY, _plain(3), _plain(4))

_RARE = "straw facts exactly duties mond_lifts_fool excuse term_card".split()  # noqa: SIM905


def form_of(k: Any) -> Form:
    """Return the form that knows most of a state."""
    if any(k[name] for name in _RARE):
        return ANY
    return next((form for form in FORMS if form.players == k["players"]), ANY)


def _field(name: str) -> Callable[[Any], int]:
    """Return a function that reads a field of the state, unless the form knows what it holds."""

    def read(k: Any) -> int:
        known = _known(k.dtype.names, name)
        return int(k[name]) if known is None else known

    def compiled(record: Any) -> Callable[[Any], int]:
        known = _known(record.fields, name)
        return (lambda k: k[name]) if known is None else (lambda k: known)

    # numba matches argument names exactly, annotations included, so this is a bare lambda.
    overload(read)(lambda k: compiled(k))
    return read


def _known(names: Container[str], name: str) -> int | None:
    """Return what the form whose record has fields of these names knows of a field."""
    players = next((form.players for form in FORMS[1:] if _mark(form.players) in names), 0)
    if players == 0:
        return None
    return players if name == "players" else 0


players = _field("players")
straw, facts, exactly, duties, mond_lifts_fool, excuse, term_card = map(_field, _RARE)
