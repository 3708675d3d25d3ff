"""An answer for people: the board, the result in words, the cards, a line of best play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trull.analysis.board import board, by_suit
from trull.analysis.heading import heading
from trull.analysis.notation import Notation
from trull.analysis.words import is_complete, result_sentences
from trull.solver.answer import Answer
from trull.solver.cards import SUITS, to_mask
from trull.solver.question import Value
from trull.solver.referee import TAKE, Referee, State

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
        parts += [Text(), _cards_table(answer, notation)]
    if answer.pv:
        parts += [Text(), _line_table(answer, notation)]
    parts += [Text(), _cost(answer)]
    return Group(*parts)


# --- Cards ---


def _cards_table(answer: Answer, notation: Notation) -> Table:
    """Return the legal cards by value, best first, with a column a suit."""
    legal = Referee(answer.position).legal(Referee(answer.position).start)
    by_value: dict[Value | None, list[int]] = defaultdict(list)
    for card in legal:
        by_value[answer.cards.get(card)].append(card)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(f"Seat {answer.player}'s card", justify="right")
    for suit in range(1 + len(SUITS)):
        table.add_column(notation.suit(suit))
    for value in sorted(by_value, key=lambda value: _distance(answer, value)):
        best = answer.exact and value == answer.value
        row = by_suit(answer.position, to_mask(by_value[value]), notation)
        table.add_row(_value_text(value, best, notation), *row, style=_BEST if best else "")
    return table


def _distance(answer: Answer, value: Value | None) -> tuple[bool, int]:
    return (True, 0) if value is None else (False, abs(value - answer.lower))


def _value_text(value: Value | None, best: bool, notation: Notation) -> str:
    if value is None:
        return "not valued"
    words = ("lost", "made")[value] if isinstance(value, bool) else str(value)
    return f"{notation.best} {words}" if best else words


# --- Line ---


def _line_table(answer: Answer, notation: Notation) -> Table:
    """Return the line of best play, a row a trick, with the running total."""
    position, referee = answer.position, Referee(answer.position)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("Trick", justify="right")
    for seat in range(position.seats):
        table.add_column(f"Seat {seat}")
    table.add_column("Won by")
    table.add_column(_total_title(answer), justify="right")
    first = position.tricks_played + 1 if is_complete(position) else 1
    for number, (before, moves, after) in enumerate(_tricks(answer, referee), first):
        cells = []
        for seat in range(position.seats):
            taken, card = divmod(moves[(seat - before.leader) % position.seats], TAKE)
            cell = Text(notation.leads if seat == before.leader else " ")
            cell += notation.card(card)
            cell.append(f" +{taken}" if taken else "")
            cell.style = _BEST if seat == after.leader else ""
            cells.append(cell)
        total = _total(answer, referee, after)
        table.add_row(str(number), *cells, f"seat {after.leader}", str(total))
    return table


def _tricks(answer: Answer, referee: Referee) -> Iterator[tuple[State, tuple[int, ...], State]]:
    """Yield every whole trick of the line: the state before it, its moves, the state after it.

    A move is a card and the straw cards that its player then takes up, as `Referee.moves` says.
    """
    before = state = referee.before_trick
    taken_up = answer.taken_up or (0,) * len(answer.pv)
    line = [card + TAKE * taken for card, taken in zip(answer.pv, taken_up, strict=True)]
    trick: list[int] = []
    for move in (*answer.position.trick, *line):
        state = referee.play(state, move)
        trick.append(move)
        if not state.trick:
            yield before, tuple(trick), state
            before, trick = state, []


def _counts_tricks(answer: Answer) -> bool:
    made = answer.unit == "bool"
    return answer.unit == "tricks" or (made and not answer.position.rules.counts_points)


def _total_title(answer: Answer) -> str:
    if _counts_tricks(answer):
        return "Tricks"
    return "Thirds" if answer.position.book.unit == "thirds" else "Points"


def _total(answer: Answer, referee: Referee, state: State) -> int:
    if answer.seats:
        return referee.points(state, answer.position.player)
    return referee.side_tricks(state) if _counts_tricks(answer) else referee.side_points(state)


def _cost(answer: Answer) -> Text:
    time = f"{answer.ms:.0f} ms" if answer.ms < 1000 else f"{answer.ms / 1000:.1f} s"
    return Text(f"{answer.nodes:,} nodes, {time}", "dim")
