"""A deal: who was dealt what, before anybody bids or takes up the talon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial, reduce
from itertools import chain
from operator import or_
from typing import NoReturn

from trull.solver.cards import (
    ALL_CARDS,
    NAMES,
    PACK,
    display_order,
    format_cards,
    format_hand,
    from_mask,
    to_mask,
)
from trull.solver.dealstring import format_holding, parse_deal
from trull.solver.fields import (
    Reader,
    check_keys,
    extra_keys,
    list_of,
    read_cards,
    read_set,
    read_text,
)
from trull.solver.json_stream import show
from trull.solver.rulebooks import VARIANTS, UnknownRule, variant
from trull.solver.rules import TALON_SIZE, Variant, hand_size

STACKS, STACK_SIZE = 3, 4
"""The straw men of a seat in Scarecrow, and the cards of each."""

Stacks = tuple[tuple[int, ...], ...]


class DealError(ValueError):
    """A deal that is none, or conditions that no deal can meet; the message names the key."""


@dataclass(frozen=True, slots=True)
class Deal:
    """All 54 cards as they were dealt. Building a `Deal` checks it and may raise `DealError`.

    Attributes:
        variant: the rule book's identifier.
        hands: the cards of each seat as a mask, seat 0 (forehand) first; in Scarecrow without
            those of the straw men.
        talon: the six talon cards in their order, first half first; empty in Scarecrow.
        straw: Scarecrow: the three stacks of each seat, left to right, each top to bottom.
    """

    variant: str
    hands: tuple[int, ...]
    talon: tuple[int, ...] = ()
    straw: tuple[Stacks, ...] = ()

    def __post_init__(self) -> None:
        """Check the numbers of cards, and that every card is there once."""
        players = player_counts(book_of(self.variant))
        if len(self.hands) not in players:
            expected = " or ".join(map(str, players))
            raise DealError(f"hands: {self.players} of them, but {self.variant} is for {expected}")
        if any(hand < 0 or hand > ALL_CARDS for hand in self.hands):
            raise DealError(f"hands: not sets of the {PACK} cards")
        self._check_sizes()
        laid = [*self.talon, *chain.from_iterable(chain.from_iterable(self.straw))]
        if to_mask(laid) | reduce(or_, self.hands) != ALL_CARDS:
            self._refuse_cards(laid)

    def _check_sizes(self) -> None:
        size, talon, stacks = shape_of(self.players)
        found = [(f"hands[{seat}]", hand.bit_count(), size) for seat, hand in enumerate(self.hands)]
        found.append(("talon", len(self.talon), talon))
        found.append(("straw", len(self.straw), self.players if stacks else 0))
        for seat, own in enumerate(self.straw):
            found.append((f"straw[{seat}]", len(own), stacks))
            found += [(f"straw[{seat}]", len(stack), STACK_SIZE) for stack in own]
        for key, number, expected in found:
            if number != expected:
                raise DealError(
                    f"{key}: {number}, expected {expected} where {self.players} players are dealt"
                )

    def _refuse_cards(self, laid: list[int]) -> NoReturn:
        """Say which card is there twice, as sizes fit but not all cards are there."""
        seen: set[int] = set()
        for card in chain(laid, *map(from_mask, self.hands)):
            if card in seen:
                raise DealError(f"{NAMES[card]} is dealt twice, expected it once")
            seen.add(card)
        raise AssertionError("54 different cards are the pack")

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.hands)

    @property
    def book(self) -> Variant:
        """The rule book."""
        return VARIANTS[self.variant]

    @property
    def without_trumps(self) -> str | None:
        """What becomes of the deal because a hand has no trump, as in `Variant`; else `None`.

        `redealt`, or the contract that is played. Scarecrow has no such rule.
        """
        rule, trumps = self.book.without_trumps, self.book.hand_trumps
        void = self.players > 2 and not all(hand & trumps for hand in self.hands)
        return rule if void else None

    def to_dict(self) -> dict[str, object]:
        """Return the deal as a JSON object with the keys of a position."""
        data: dict[str, object] = {
            "variant": self.variant,
            "hands": [format_hand(hand) for hand in self.hands],
        }
        if self.talon:
            data["talon"] = format_cards(self.talon)
        if self.straw:
            data["straw"] = [[format_cards(stack) for stack in stacks] for stacks in self.straw]
        return data

    @classmethod
    def from_dict(cls, data: object) -> Deal:
        """Return the deal of a decoded JSON object; keys `id`, `comment` and `x_…` may stand there.

        Raises `DealError`, or `PositionError` of the readers, with a sentence that names the key.
        """
        if not isinstance(data, dict):
            raise DealError(f"{show(data)}, expected a JSON object")
        extra = extra_keys(data) | {key: 0 for key in ("id", "comment")}
        given = {key: value for key, value in data.items() if key not in extra}
        check_keys("", given, _READERS, required=("variant", "hands"))
        return cls(**{key: _READERS[key](key, value) for key, value in given.items()})

    @property
    def deal_string(self) -> str:
        """The deal on one line: a deal string whose header names no contract.

        Writing a contract behind the colon makes a position of it (`docs/notation.md`).
        """
        words = [f"{self.variant}:"]
        words += [format_holding(display_order(hand)) for hand in self.hands]
        if self.talon:
            words.append(f"talon={format_holding(self.talon)}")
        if self.straw:
            stacks = ("|".join(map(format_holding, own)) for own in self.straw)
            words.append("straw=" + "/".join(f"{seat}:{own}" for seat, own in enumerate(stacks)))
        return " ".join(words)

    @classmethod
    def from_string(cls, text: str) -> Deal:
        """Return the deal of a deal string without a contract, as `deal_string` writes it.

        Raises `DealError`, or `PositionError` of the reader of deal strings.
        """
        variant_name, colon, rest = text.strip().partition(":")
        if not colon or (rest and not rest[0].isspace()):
            raise DealError(f"{text.split(' ')[0]!r}: expected a variant, a colon and the hands")
        data = parse_deal(f"{variant_name}:deal{rest}")
        del data["contract"]
        return cls.from_dict(data)


def book_of(name: str) -> Variant:
    """Return a rule book by name, or raise `DealError`."""
    try:
        return variant(name)
    except UnknownRule as error:
        raise DealError(f"variant: {error}") from error


def player_counts(book: Variant) -> list[int]:
    """Return the numbers of players that a rule book has contracts for."""
    return _player_counts(book.name)


@cache
def _player_counts(name: str) -> list[int]:
    contracts = VARIANTS[name].contracts.values()
    return sorted({number for contract in contracts for number in contract.values})


def shape_of(players: int) -> tuple[int, int, int]:
    """Return the cards of a hand and of the talon, and how many straw men a seat has."""
    if players == 2:
        return hand_size(players) - STACKS * STACK_SIZE, 0, STACKS
    return hand_size(players), TALON_SIZE, 0


_READERS: Mapping[str, Reader] = {
    "variant": read_text,
    "hands": partial(list_of, read_set),
    "talon": read_cards,
    "straw": partial(list_of, partial(list_of, read_cards)),
}
