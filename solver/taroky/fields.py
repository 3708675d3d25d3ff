"""The fields of a game in Taroky Notation, each checked as far as it can be alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from trull.solver.cards import to_mask
from trull.solver.taroky.signs import read_cards
from trull.solver.validation import PositionError
from trull.solver.validation.error import count

SEATS = 4
TALON = 6
_HAND = 12

_CARDS = r"(?:T\d\d|[SHDC][KQRJA4321])+"
STAGES = {
    "prever": r"P[1-4]",
    "group": r"[TBR]",
    "gifts": r"(?:GR?[1-4])+",
    "discards": _CARDS,
    "money": r"(?:[UBTRHKP3][1-4])+",
    "partner": r"[5-9]",
    "valat": r"V[1-4]",
    "contra": r"(?:C[1-4])+",
    "I": r"I[1-4]",
}
"""The fields between talon and tricks in their order, each of which may be missing."""


def is_taroky(text: str) -> bool:
    """Return whether a text begins like Taroky Notation: with chips and a slash."""
    return re.match(r"\s*-?\d+/", text) is not None


@dataclass(kw_only=True)
class Fields:
    """The fields of a game.

    Attributes:
        chips: the chips of the four players.
        hands: the hands as dealt, as masks.
        talon: the talon as dealt, from the top.
        stages: the fields of `STAGES` that are there.
        tricks: the cards of each trick and the seat that won it.
        settings: the settings.
    """

    chips: tuple[str, ...]
    hands: tuple[int, ...]
    talon: tuple[int, ...]
    stages: dict[str, str] = field(default_factory=dict)
    tricks: list[tuple[tuple[int, ...], int]] = field(default_factory=list)
    settings: str = ""

    def seat(self, stage: str) -> int | None:
        """Return the seat that ends a field, or `None` when the field is missing."""
        return int(self.stages[stage][-1]) - 1 if stage in self.stages else None


def split_fields(text: str) -> Fields:
    """Return the fields of a game, checked as far as each can be alone."""
    words = text.strip().split("/")
    if len(words) > 2 * SEATS + 2 and not words[-1] and "=" in words[-2]:
        words.pop()
    if len(words) < 2 * SEATS + 2:
        raise PositionError(
            f"{count(len(words), 'field')}, expected at least {2 * SEATS + 2}: four chips, four "
            "hands, the talon, the settings"
        )
    found: dict[int, str] = {}
    hands = [
        to_mask(read_cards(f"hand {number}", word, _HAND, found))
        for number, word in enumerate(words[SEATS : 2 * SEATS], 1)
    ]
    fields = Fields(
        chips=tuple(words[:SEATS]),
        hands=tuple(hands),
        talon=read_cards("talon", words[2 * SEATS], TALON, found),
        settings=words[-1],
    )
    for chips in fields.chips:
        if not re.fullmatch(r"-?[0-9]+", chips):
            raise PositionError(f"chips: {chips!r}, expected a whole number")
    _read_stages(fields, [word for word in words[2 * SEATS + 1 : -1] if word])
    return fields


def _read_stages(fields: Fields, words: Iterable[str]) -> None:
    """Read the fields between talon and settings."""
    to_come = list(STAGES)
    for word in words:
        stage = next((name for name in to_come if re.fullmatch(STAGES[name], word)), None)
        if stage is not None:
            fields.stages[stage] = word
            del to_come[: to_come.index(stage) + 1]
        else:
            fields.tricks.append(_read_trick(len(fields.tricks) + 1, word, to_come))
            to_come.clear()
    begun = fields.stages.keys() - {"prever", "gifts"}
    if (begun or fields.tricks) and "discards" not in begun:
        raise PositionError("discards: missing, but required once talon cards are taken up")


def _read_trick(number: int, word: str, to_come: list[str]) -> tuple[tuple[int, ...], int]:
    cards, winner = word[:-1], word[-1]
    if not re.fullmatch(_CARDS, cards) or winner not in "1234":
        others = f", or {', '.join(to_come)}" if to_come else ""
        raise PositionError(
            f"trick {number}: {word!r}, expected four cards and the winner, such as "
            f"T02T04T15T194{others}"
        )
    return read_cards(f"trick {number}", cards, SEATS, {}), int(winner) - 1
