"""A review for people: the deal, the result in words, the game with its values, the errors."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trull.analysis.board import board, in_order
from trull.analysis.heading import heading
from trull.analysis.notation import Notation
from trull.analysis.report import cost
from trull.analysis.review.record import PlayedCard, Review
from trull.analysis.review.wording import assumptions, sentences, value_text
from trull.solver.cards import to_mask

_LOSS = "bold red"


def review_report(review: Review, notation: Notation) -> Group:
    """Return everything that a review says, for a terminal of 80 columns.

    Args:
        review: the review.
        notation: how to write cards.
    """
    start = review.game.start
    parts: list[RenderableType] = [*heading(start, notation), Text()]
    parts += [board(start, notation), Text()]
    parts += [Text(sentence, "bold") for sentence in sentences(review, notation)]
    parts += [Text(line, "dim") for line in assumptions(review)]
    parts += [Text(), _game_table(review, notation), Text()]
    if review.errors:
        parts += [_error_table(review, notation), Text()]
    parts += [_total_table(review), Text(), cost(review.nodes, review.ms)]
    return Group(*parts)


def _table() -> Table:
    return Table(box=None, padding=(0, 2, 0, 0), header_style="dim")


# --- Game ---


def _game_table(review: Review, notation: Notation) -> Table:
    """Return the game, a row a trick: each card with the value after it.

    In games of everyone a card stands with its own player's value.
    """
    game = review.game
    seats = game.start.seats
    table = _table()
    table.add_column("Trick", justify="right")
    if not review.everyone:
        table.add_column("Before", justify="right")
    for seat in range(seats):
        table.add_column(f"Seat {seat}", no_wrap=True)
    table.add_column("Won by")
    for first in range(0, len(review.cards), seats):
        cards = review.cards[first : first + seats]
        cells = [Text()] * seats
        for card in cards:
            cells[card.seat] = _cell(card, card is cards[0], notation)
        row: list[RenderableType] = [str(cards[0].trick)]
        if not review.everyone:
            row.append(value_text(cards[0].before))
        after = game.states[first + len(cards)]
        winner = "" if after.trick else f"seat {after.leader}"
        table.add_row(*row, *cells, winner)
    return table


def _cell(card: PlayedCard, leads: bool, notation: Notation) -> Text:
    """Return a card with the value after it."""
    cell = Text(notation.leads if leads else " ") + notation.card(card.card)
    cell.pad_right(max(5 - cell.cell_len, 1))
    return cell.append(value_text(card.after), _LOSS if card.cost else "dim")


# --- Errors ---


def _error_table(review: Review, notation: Notation) -> Table:
    """Return the cards that cost something, with those that would have kept the value."""
    table = _table()
    for title in ("Trick", "Seat"):
        table.add_column(title, justify="right")
    table.add_column("Card", no_wrap=True)
    for title in ("Before", "After", "Cost"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("Better")
    for card in review.errors:
        better = in_order(review.position, to_mask(card.better))
        table.add_row(
            str(card.trick),
            str(card.seat),
            notation.card(card.card),
            value_text(card.before),
            value_text(card.after),
            Text(str(card.cost), _LOSS),
            notation.cards(better),
        )
    return table


# --- Totals ---


def _total_table(review: Review) -> Table:
    """Return what every player has given away, and what each side has."""
    table = _table()
    table.add_column("Player")
    for title in ("Cards", "Errors", "Cost"):
        table.add_column(title, justify="right")
    if review.everyone:
        for title in ("Best play", "End"):
            table.add_column(title, justify="right")
    for total in review.totals:
        row = [_player(review, total.seat), str(total.cards), str(total.errors), str(total.cost)]
        if review.everyone:
            course = review.courses[total.seat]
            row += [value_text(course[0]), value_text(course[-1])]
        table.add_row(*row)
    if not review.everyone:
        for name, amount in zip(("Declaring side", "Opponents"), review.sides, strict=True):
            table.add_row(name, "", "", str(amount), style="bold")
    return table


def _player(review: Review, seat: int) -> str:
    position = review.position
    if review.everyone or seat not in position.side:
        return f"Seat {seat}"
    return f"Seat {seat}, {'declarer' if seat == position.declarer else 'partner'}"
