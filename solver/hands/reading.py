"""Hands as texts and JSON objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from trull.solver.cards import CardError, parse_cards, to_mask
from trull.solver.dealstring import parse_holding
from trull.solver.fields import (
    Reader,
    check_keys,
    extra_keys,
    nullable,
    read_number,
    read_set,
    read_text,
)
from trull.solver.hands.judging import Hand
from trull.solver.interchange import Rejected, form_of, parse_position, parse_text, rejected
from trull.solver.json_stream import Faulty, Foreign, read_objects
from trull.solver.position import Position
from trull.solver.validation import PositionError


def looks_like_cards(text: str) -> bool:
    """Return whether a text begins with a card, as `parse_hand_cards` reads it."""
    first = re.split(r"[\s,.]", text.strip(), maxsplit=1)[0]
    try:
        return bool(parse_hand_cards(first))
    except PositionError:
        return False


def parse_hand_cards(text: str) -> int:
    """Return the cards of a hand as a mask, named one by one or as in a deal string.

    Raises `PositionError` for what is no card.
    """
    try:
        return to_mask(parse_cards(text))
    except CardError as first:
        try:
            return to_mask(parse_holding(text))
        except CardError as second:
            error = first if text.split()[1:] else second
            raise PositionError(f"hand: {error}") from error


_READERS: Mapping[str, Reader] = {
    "variant": read_text,
    "hand": read_set,
    "seat": lambda key, value: nullable(read_number, key, value),
}


def parse_hand(data: dict[str, object], variant: str | None, seat: int | None) -> list[Hand]:
    """Return the hand that a decoded JSON object describes, or every hand of a position.

    Args:
        data: an object with `variant`, `hand` and perhaps `seat`; or a position.
        variant: the variant where the object names none.
        seat: the seat where the object names none.

    Raises `PositionError` with one sentence that names the key.
    """
    if "hands" in data:
        return _hands_of(parse_position(data))
    defaults = {"variant": variant, "seat": seat}
    usual = {key: value for key, value in defaults.items() if value is not None}
    extra = extra_keys(data)
    named = {key: value for key, value in data.items() if key not in extra}
    given = usual | {key: named[key] for key in named if key not in ("id", "comment")}
    check_keys("", given, _READERS, required=("variant", "hand"))
    values = {key: _READERS[key](key, value) for key, value in given.items()}
    return [
        Hand(
            variant=values["variant"],
            cards=values["hand"],
            seat=values.get("seat"),
            id=named.get("id"),
            comment=named.get("comment"),
            extra=extra,
        )
    ]


def _hands_of(position: Position) -> list[Hand]:
    return [
        Hand(
            variant=position.variant,
            cards=cards,
            seat=seat,
            id=position.id,
            comment=position.comment,
            extra=position.extra,
        )
        for seat, cards in enumerate(position.hands)
    ]


def read_hands(
    stream: Iterable[str] | Iterable[bytes], variant: str | None = None, seat: int | None = None
) -> Iterator[Hand | Rejected]:
    """Yield every hand of a stream, or why it is none, in their order.

    The stream holds objects as for `parse_hand`, positions in any notation, each of which gives
    the hands of all seats, and, where `variant` is known, lines with the cards of a hand.

    Args:
        stream: an open file, text or binary (UTF-8), or any iterable of lines.
        variant: the variant of hands that name none.
        seat: the seat of hands that name none.
    """

    def is_foreign(line: str) -> bool:
        return form_of(line) != "json" or (variant is not None and looks_like_cards(line))

    for item in read_objects(stream, is_foreign):
        try:
            if isinstance(item, Faulty):
                yield rejected(item.error, item.data)
            elif not isinstance(item, Foreign):
                yield from parse_hand(item, variant, seat)
            elif form_of(item.text) != "json":
                yield from _hands_of(parse_text(item.text))
            else:
                yield Hand(variant=variant or "", cards=parse_hand_cards(item.text), seat=seat)
        except PositionError as error:
            yield rejected(str(error), item)
