"""Deals for tables out of a stream: deals themselves, and positions that tell their deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from trull.analysis.deals import Deal, DealError
from trull.analysis.makeable.openness import TableError
from trull.solver.fields import extra_keys
from trull.solver.interchange import Rejected, parse_position, parse_text, rejected
from trull.solver.json_stream import Faulty, Foreign, read_objects
from trull.solver.position import Position
from trull.solver.validation import PositionError


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A deal of a stream with what is copied to its table.

    Attributes:
        deal: the deal.
        options: the rule book's options that its position sets.
        id: its `id`.
        comment: its `comment`.
        extra: its keys beginning with `x_`.
    """

    deal: Deal
    options: Mapping[str, object] = field(default_factory=dict)
    id: object = None
    comment: object = None
    extra: Mapping[str, object] = field(default_factory=dict)


def read_asked(stream: Iterable[bytes]) -> Iterator[Asked | Rejected]:
    """Yield every deal of a stream, or why an item is none.

    Items are JSON objects and lines of a notation, deals or positions before the first card.
    """
    for item in read_objects(stream, lambda line: not line.lstrip().startswith("{")):
        if isinstance(item, Faulty):
            yield rejected(item.error, item.data)
            continue
        try:
            yield _of_text(item.text) if isinstance(item, Foreign) else _of_object(item)
        except (DealError, TableError, PositionError) as error:
            yield rejected(str(error), None if isinstance(item, Foreign) else item)


def _of_text(text: str) -> Asked:
    _, colon, rest = text.strip().partition(":")
    if colon and (not rest or rest[0].isspace()):
        return Asked(deal=Deal.from_string(text))
    return _of_position(parse_text(text))


def _of_object(data: dict[str, object]) -> Asked:
    if "contract" in data:
        return _of_position(parse_position(data))
    return Asked(
        deal=Deal.from_dict(data),
        id=data.get("id"),
        comment=data.get("comment"),
        extra=extra_keys(data),
    )


def _of_position(position: Position) -> Asked:
    """Return the deal of a position before the first card and before any exchange."""
    if position.trick or any(position.taken) or any(position.tricks_won) or position.history:
        raise TableError("a card is played already, expected a deal or a position before that")
    if any(position.discards):
        raise TableError("discards: talon and hands are exchanged already, expected the deal")
    deal = Deal(
        variant=position.variant,
        hands=position.hands,
        talon=position.talon,
        straw=position.straw,
    )
    return Asked(
        deal=deal,
        options=position.options,
        id=position.id,
        comment=position.comment,
        extra=position.extra,
    )
