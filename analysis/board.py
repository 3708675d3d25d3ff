"""A position as players see it: the hands around the table, and what lies beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trull.analysis.notation import Notation
from trull.analysis.words import amount
from trull.solver.cards import SUITS, from_mask, suit_of
from trull.solver.position import Position
from trull.solver.rules import Talon

WIDTH = 80
_SIDE = 30  # columns of the hands at the left and at the right
_INDENT = 27  # columns before the hands at the top and at the bottom

_Places = tuple[int | None, int | None, int | None, int]
_PLACES: Mapping[int, _Places] = {
    2: (1, None, None, 0),
    3: (None, 2, 1, 0),
    4: (2, 3, 1, 0),
}
"""Who sits at the top, left, right and bottom, by number of players: play goes to the right."""

_TALON: Mapping[Talon, str] = {
    "opponents": "for the opponents",
    "called_half": "for the opponents, but for the half with the called card",
    "called_card": "for the declarer",
    "called_king": "for the opponents, unless the called king wins a trick",
    "aside": "out of play",
    "tricks": "for the winners of the next tricks",
}
"""Whom the talon cards count for."""


def board(position: Position, notation: Notation) -> Group:
    """Return the hands around the table with the trick on it, and the cards that are out of play.

    Args:
        position: the position.
        notation: how to write cards.
    """
    top, left, right, bottom = _PLACES[position.seats]
    middle = Table.grid(padding=0)
    middle.add_column(width=_SIDE)
    middle.add_column(width=WIDTH - 2 * _SIDE, justify="center")
    middle.add_column(width=_SIDE)
    middle.add_row(
        _hand(position, left, notation),
        _trick(position, notation),
        _hand(position, right, notation),
    )
    parts: list[RenderableType] = [middle, _indented(position, bottom, notation)]
    if top is not None:
        parts.insert(0, _indented(position, top, notation))
    aside = Table.grid(padding=(0, 2))
    for name, text in _aside(position, notation):
        aside.add_row(name, text)
    return Group(*parts, Text(), aside) if aside.rows else Group(*parts)


def _indented(position: Position, seat: int, notation: Notation) -> Padding:
    return Padding(_hand(position, seat, notation), (0, 0, 0, _INDENT))


def _roles(position: Position, seat: int) -> list[str]:
    """Return what a seat is in this position: declarer, partner, leader."""
    found = []
    if seat == position.declarer and position.rules.sides != "everyone":
        found.append("declarer")
    if seat == position.partner:
        found.append("partner")
    if any(position.cards_left):
        if seat == position.leader:
            found.append("led" if position.trick else "leads")
        if seat == position.player and position.trick:
            found.append("to play")
    return found


def _hand(position: Position, seat: int | None, notation: Notation) -> RenderableType:
    if seat is None:
        return Text()
    name = Text(f"Seat {seat}", "bold")
    name.append("  " + ", ".join(_roles(position, seat)), "cyan")
    suits = Table.grid(padding=(0, 1))
    for suit, ranks in enumerate(by_suit(position, position.hands[seat], notation)):
        suits.add_row(notation.suit(suit), ranks or Text(notation.nothing, "dim"))
    return Group(name, suits)


def by_suit(position: Position, mask: int, notation: Notation) -> list[Text]:
    """Return the ranks of a set of cards, a text a suit, trumps first, from high to low."""
    order = in_order(position, mask)
    return [
        Text(" ").join(notation.rank(card) for card in order if suit_of(card) == suit)
        for suit in range(1 + len(SUITS))
    ]


def in_order(position: Position, mask: int) -> list[int]:
    """Return a set of cards as people sort a hand: trumps, then suits, each from high to low."""
    place = position.book.rank_order
    return sorted(from_mask(mask), key=lambda card: (suit_of(card), -place[card]))


def _trick(position: Position, notation: Notation) -> RenderableType:
    """Return the cards on the table, each before its player."""
    if not position.trick:
        return Text()
    cards = {
        (position.leader + turn) % position.seats: notation.card(card)
        for turn, card in enumerate(position.trick)
    }
    top, left, right, bottom = (
        cards.get(seat, Text()) if seat is not None else Text() for seat in _PLACES[position.seats]
    )
    sides = Table.grid(padding=0)
    for justify in ("left", "right"):
        sides.add_column(width=6, justify=justify)
    sides.add_row(left, right)
    return Group(Text(), Text(), top, sides, bottom)


def _aside(position: Position, notation: Notation) -> Iterator[tuple[str, Text]]:
    """Yield what lies beside the table: talon, straw men, discards and tricks taken."""
    if position.talon:
        fate = _talon_fate(position)
        yield "Talon", notation.cards(position.talon).append(f"   {fate}", "dim")
    for seat, stacks in enumerate(position.straw):
        if stacks:
            piles = Text("  |  ").join(map(notation.cards, stacks))
            yield "Straw", Text(f"Seat {seat}: ") + piles
    for seat, mask in enumerate(position.discards):
        if mask:
            yield "Laid away", Text(f"Seat {seat}: ") + notation.cards(in_order(position, mask))
    for seat, mask in enumerate(position.taken):
        if mask:
            value = sum(position.book.weights[card] for card in from_mask(mask))
            tricks = amount(position.tricks_won[seat], "tricks")
            yield "Taken", Text(f"Seat {seat}: {tricks}, {amount(value, position.book.unit)}")


def _talon_fate(position: Position) -> str:
    fate = position.rules.talon
    called_in_talon = position.called is not None and position.partner is None
    if fate.startswith("called") and not called_in_talon:
        fate = "opponents"
    return _TALON[fate]
