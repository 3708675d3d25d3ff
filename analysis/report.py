"""An answer for people: the board, the result in words, the cards, a line of best play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trull.analysis.board import board, by_suit
from trull.analysis.heading import heading
from trull.analysis.notation import Notation
from trull.analysis.scoring import lines_table
from trull.analysis.words import decimal_text, is_complete, maxn_sentences, result_sentences
from trull.solver.answer import Answer
from trull.solver.cards import SUITS, to_mask
from trull.solver.maxn import MaxnAnswer
from trull.solver.position import Position, Trick
from trull.solver.question import Value
from trull.solver.referee import TAKE, Referee, State
from trull.solver.settlement import Line, Score, lines_of

_BEST = "bold green"


def report(answer: Answer, notation: Notation) -> Group:
    """Return everything that an answer says, for a terminal of 80 columns.

    Args:
        answer: the answer.
        notation: how to write cards.
    """
    position = answer.position
    parts: list[RenderableType] = [*heading(position, notation), Text()]
    parts += [board(position, notation), Text()]
    parts += [Text(sentence, "bold") for sentence in result_sentences(answer)]
    if answer.cards:
        best = answer.value if answer.exact else None
        parts += [Text(), _cards_table(position, answer.cards, answer.lower, best, notation)]
    if answer.pv:
        line = moves(answer.pv, answer.taken_up)
        parts += [Text(), line_table(position, line, _account(answer), notation)]
        if answer.unit == "score":
            settled = _settled(position, line)
            parts += [Text(), lines_table(settled, position.seats, notation)]
    parts += [Text(), cost(answer.nodes, answer.ms)]
    return Group(*parts)


def maxn_report(answer: MaxnAnswer, notation: Notation) -> Group:
    """Return everything that an answer of max^n says, for a terminal of 80 columns.

    Args:
        answer: the answer.
        notation: how to write cards.
    """
    position, own = answer.position, answer.value
    parts: list[RenderableType] = [*heading(position, notation), Text()]
    parts += [board(position, notation), Text()]
    parts += [Text(sentence, "bold") for sentence in maxn_sentences(answer)]
    if answer.cards:
        parts += [Text(), _cards_table(position, answer.cards, own, own, notation)]
    if answer.pv:
        parts += [Text(), line_table(position, answer.pv, _own_points(position), notation)]
    parts += [Text(), cost(answer.nodes, answer.ms)]
    return Group(*parts)


# --- Cards ---


def _cards_table(
    position: Position,
    cards: Mapping[int, Value | Score],
    root: Value | Score,
    best: Value | Score | None,
    notation: Notation,
) -> Table:
    """Return the legal cards by value, those nearest to the root's first, with a column a suit."""
    referee = Referee(position)
    by_value: dict[Value | Score | None, list[int]] = defaultdict(list)
    for card in referee.legal(referee.start):
        by_value[cards.get(card)].append(card)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(f"Seat {position.player}'s card", justify="right")
    for suit in range(1 + len(SUITS)):
        table.add_column(notation.suit(suit))
    for value in sorted(by_value, key=lambda value: _distance(root, value)):
        is_best = best is not None and value == best
        row = by_suit(position, to_mask(by_value[value]), notation)
        table.add_row(_value_text(value, is_best, notation), *row, style=_BEST if is_best else "")
    return table


def _distance(root: Value | Score, value: Value | Score | None) -> tuple[bool, Score]:
    return (True, 0) if value is None else (False, max(value - root, root - value))


def _value_text(value: Value | Score | None, best: bool, notation: Notation) -> str:
    if value is None:
        return "not valued"
    words = ("lost", "made")[value] if isinstance(value, bool) else decimal_text(value)
    return f"{notation.best} {words}" if best else words


# --- Line ---


def moves(cards: Sequence[int], taken_up: Sequence[int]) -> list[int]:
    """Return the moves of a line, as `Referee.moves` has them.

    Args:
        cards: its cards.
        taken_up: how many straw cards are taken up after each; empty for none.
    """
    taken_up = taken_up or (0,) * len(cards)
    return [card + TAKE * taken for card, taken in zip(cards, taken_up, strict=True)]


def line_table(
    position: Position, line: Sequence[int], account: Account, notation: Notation
) -> Table:
    """Return a line of moves, as `Referee.moves` has them: a row a trick, with a running total."""
    referee = Referee(position)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("Trick", justify="right")
    for seat in range(position.seats):
        table.add_column(f"Seat {seat}")
    table.add_column("Won by")
    table.add_column(account.title, justify="right")
    first = position.tricks_played + 1 if is_complete(position) else 1
    for number, (before, played, after) in enumerate(_tricks(position, referee, line), first):
        cells = []
        for seat in range(position.seats):
            taken, card = divmod(played[(seat - before.leader) % position.seats], TAKE)
            cell = Text(notation.leads if seat == before.leader else " ")
            cell += notation.card(card)
            cell.append(f" +{taken}" if taken else "")
            cell.style = _BEST if seat == after.leader else ""
            cells.append(cell)
        total = account.total(referee, after)
        table.add_row(str(number), *cells, f"seat {after.leader}", str(total))
    return table


def _tricks(
    position: Position, referee: Referee, line: Sequence[int]
) -> Iterator[tuple[State, tuple[int, ...], State]]:
    """Yield every whole trick of the line: the state before it, its moves, the state after it."""
    before = state = referee.before_trick
    trick: list[int] = []
    for move in (*position.trick, *line):
        state = referee.play(state, move)
        trick.append(move)
        if not state.trick:
            yield before, tuple(trick), state
            before, trick = state, []


class Account(NamedTuple):
    """What is counted up trick by trick: its name, and how much it is after a trick."""

    title: str
    total: Callable[[Referee, State], int]


def _account(answer: Answer) -> Account:
    """Return what an answer counts up."""
    if answer.seats:
        return _own_points(answer.position)
    of_contract = answer.unit in ("bool", "score")
    if answer.unit == "tricks" or (of_contract and not answer.position.rules.counts_points):
        return Account("Tricks", Referee.side_tricks)
    return Account(unit_title(answer.position), Referee.side_points)


def _settled(position: Position, line: Sequence[int]) -> list[Line]:
    """Return the settlement of the deal at the end of a line."""
    referee = Referee(position)
    end, tricks = referee.start, list(position.history or ())
    for before, played, after in _tricks(position, referee, line):
        tricks.append(Trick(before.leader, tuple(move % TAKE for move in played)))
        end = after
    return lines_of(referee, end, tricks)


def _own_points(position: Position) -> Account:
    """Return the account of the points of the seat to play."""

    def total(referee: Referee, state: State) -> int:
        return referee.points(state, position.player)

    return Account(unit_title(position), total)


def unit_title(position: Position) -> str:
    """Return the heading of a column of card points."""
    return "Thirds" if position.book.unit == "thirds" else "Points"


def cost(nodes: int, ms: float) -> Text:
    """Return what an answer has cost."""
    time = f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"
    return Text(f"{nodes:,} nodes, {time}", "dim")
