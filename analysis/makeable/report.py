"""A table for people: a row a contract, a column a seat, par and opening leads below."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from trull.analysis.board import by_suit
from trull.analysis.makeable.auction import NoPar
from trull.analysis.makeable.cell import Cell, Found
from trull.analysis.makeable.leads import Leads
from trull.analysis.makeable.table import Table
from trull.analysis.notation import Notation
from trull.analysis.report import cost
from trull.analysis.words import decimal_text
from trull.solver.cards import SUITS, from_mask, suit_of, to_mask
from trull.solver.question import Value
from trull.solver.rules import ranked
from trull.solver.settlement import Score

_MADE = "green"
_UNITS = {"thirds": "thirds", "face": "points", "tricks": "tricks"}

OPEN_CARDS = "All numbers assume that everyone sees all cards from the deal on."


def table_report(table: Table, notation: Notation) -> RenderableType:
    """Return everything that a table says, for a terminal of 80 columns.

    Args:
        table: the table.
        notation: how to write cards.
    """
    parts: list[RenderableType] = [_title(table, notation)]
    if table.comment is not None:
        parts.append(Text(notation.words(str(table.comment)), "italic"))
    parts += [Text(), _deal(table, notation)]
    parts += [Text("Talon  ") + notation.cards(table.deal.talon), Text()]
    parts += [_grid(table, notation), Text()]
    parts += [Text(line, "dim") for line in _legend(table, notation)]
    parts += [Text(), *_par(table)]
    if table.leads is not None:
        parts += [Text(), *_leads(table.leads, notation)]
    parts += [Text(), Text(OPEN_CARDS), cost(table.nodes, table.ms)]
    return Group(*parts)


def _title(table: Table, notation: Notation) -> Text:
    title = f"{table.deal.book.title}: makeable contracts"
    if table.id is not None:
        title += f"   {table.id}"
    return Text(notation.words(title), "bold")


def _deal(table: Table, notation: Notation) -> Grid:
    """Return a row a hand with a column a suit, and the talon in its order."""
    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column()
    for suit in range(1 + len(SUITS)):
        grid.add_column(notation.suit(suit))
    place = ranked(table.deal.book, table.wanted.terms.options).rank_order
    for seat, hand in enumerate(table.deal.hands):
        held = sorted(from_mask(hand), key=lambda card: -place[card])
        suits = (
            Text(" ").join(notation.rank(card) for card in held if suit_of(card) == suit)
            for suit in range(1 + len(SUITS))
        )
        grid.add_row(f"Seat {seat}", *suits)
    return grid


# --- Contracts ---


def _grid(table: Table, notation: Notation) -> Grid:
    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column("Contract", no_wrap=True)
    for seat in table.seats:
        grid.add_column(f"Seat {seat}", justify="right")
    for contract in table.contracts:
        cells = (table.cells[contract, seat] for seat in table.seats)
        grid.add_row(contract, *(_cell(cell, notation) for cell in cells))
    return grid


def _cell(cell: Cell, notation: Notation) -> Text:
    if cell.closed is not None:
        return Text(notation.nothing, "dim")
    parts = []
    if cell.made is not None and cell.made.exact and cell.made.lower:
        parts.append(notation.best)
    elif cell.made is not None and not cell.made.exact:
        parts.append("?")
    if cell.value is not None and cell.value.objective != "made":
        parts.append(_between(cell.value, sign=False))
    if cell.score is not None:
        parts.append(_between(cell.score, sign=True))
    made = cell.made is not None and cell.made.lower
    return Text(" ".join(parts) or notation.nothing, _MADE if made else "")


def _between(found: Found, *, sign: bool) -> str:
    lower, upper = _number(found.lower, sign), _number(found.upper, sign)
    if found.exact:
        return lower
    return f"{lower}.." + ("" if found.upper is None else upper)


def _number(value: Value | Score | None, sign: bool) -> str:
    if value is None:
        return ""
    return f"+{decimal_text(value)}" if sign and value > 0 else decimal_text(value)


def _legend(table: Table, notation: Notation) -> Iterator[str]:
    columns, contracts = table.wanted.terms.columns, table.contracts
    everyone = [name for name in contracts if table.rules(name).sides == "everyone"]
    units = dict.fromkeys(table.unit(name) for name in contracts if name not in everyone)
    names = " or ".join(_UNITS[unit] for unit in units if unit != "bool")
    parts = [f"{notation.best} made"] if "made" in columns else []
    parts += [f"{names} of the declaring side"] if "value" in columns and names else []
    parts += ["score of the declarer"] if "score" in columns else []
    if units:
        yield ", ".join(parts)
    if everyone:
        least = ["the fewest points the seat can hold itself to"] if "value" in columns else []
        least += ["the least it then scores"] if "score" in columns else []
        yield f"{', '.join(everyone)}: {', '.join(least) or 'nothing is made'}"
    if any(cell.closed for cell in table.cells.values()):
        yield f"{notation.nothing} the seat may not play it"
    if not table.exact:
        yield "? and .. not proven within the node limit"


# --- Par ---


def _par(table: Table) -> Iterator[Text]:
    found = table.par
    if isinstance(found, NoPar):
        yield Text(f"No par: {found}.")
        return
    title = "Par among these contracts" if table.wanted.contracts else "Par"
    least = "at least " if table.rules(found.contract).sides == "everyone" else ""
    scores = ", ".join(_number(score, True) for score in found.scores)
    if found.declarer is None:
        who = "everybody passes and" if found.calls else "without bidding,"
        who = f"{who} {found.contract} is played"
    else:
        who = f"seat {found.declarer} plays {found.contract}"
    yield Text(f"{title}: {who}; the seats score {least}{scores}.", "bold")
    if found.calls:
        calls = (f"seat {call.seat} {call.contract or 'passes'}" for call in found.calls)
        yield Text(f"Best bidding: {', '.join(calls)}.")


# --- Leads ---


def _leads(leads: Leads, notation: Notation) -> Iterator[RenderableType]:
    position = leads.position
    everyone = position.rules.sides == "everyone"
    whose = "" if everyone else f" by seat {position.declarer}"
    yield Text(f"Opening leads of seat {position.player} in {position.contract}{whose}:")
    by_value: dict[Value, list[int]] = defaultdict(list)
    for card, value in leads.cards.items():
        by_value[value].append(card)
    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column(leads.answer.unit.capitalize() if leads.answer.unit != "bool" else "Contract")
    for suit in range(1 + len(SUITS)):
        grid.add_column(notation.suit(suit))
    for value in sorted(by_value, reverse=True):
        words = ("lost", "made")[value] if isinstance(value, bool) else str(value)
        grid.add_row(words, *by_suit(position, to_mask(by_value[value]), notation))
    yield grid
