"""The registry of rule books: one module of data a variant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from trull.solver.rulebooks import czech, house, koenigrufen, slovenian, texas
from trull.solver.rules import Contract, Variant

VARIANTS: Mapping[str, Variant] = {
    module.VARIANT.name: module.VARIANT for module in (koenigrufen, slovenian, czech, texas, house)
}
"""Every rule book by name."""


class UnknownRule(ValueError):
    """A variant or contract that no rule book has; the message names the nearest one."""


def variant(name: str) -> Variant:
    """Return the rule book called `name`, or raise `UnknownRule`."""
    if name not in VARIANTS:
        raise UnknownRule(f"unknown variant {name!r}: expected {', '.join(VARIANTS)}")
    return VARIANTS[name]


def contract(variant_name: str, name: str) -> Contract:
    """Return the contract called `name` of a variant, or raise `UnknownRule`."""
    book = variant(variant_name)
    if name in book.contracts:
        return book.contracts[name]
    elsewhere = [other.title for other in VARIANTS.values() if name in other.contracts]
    if elsewhere:
        hint = f"it belongs to {' and '.join(elsewhere)}"
    else:
        near = get_close_matches(name, book.contracts, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(book.contracts)}"
    raise UnknownRule(f"{book.title} has no contract {name!r}: {hint}")


def every_contract() -> Iterator[tuple[Variant, Contract]]:
    """Yield every contract of every rule book."""
    for book in VARIANTS.values():
        for record in book.contracts.values():
            yield book, record
