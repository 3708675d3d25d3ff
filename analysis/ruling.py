"""`trull legal`: positions in, the cards that may be played out, and why the others may not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trull.analysis.board import board, in_order
from trull.analysis.heading import heading
from trull.analysis.notation import Notation
from trull.analysis.streaming import Outcome, answer_source
from trull.solver.cards import NAMES, to_mask
from trull.solver.interchange import Rejected, copied
from trull.solver.position import Position
from trull.solver.referee import Referee


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the seat to play may play.

    Attributes:
        position: the position.
        verdicts: for each of its cards the rule that forbids it, or `None`.
    """

    position: Position
    verdicts: Mapping[int, str | None]

    @property
    def player(self) -> int | None:
        """The seat to play, or `None` when no card is left."""
        return self.position.player if self.verdicts else None

    @property
    def legal(self) -> list[int]:
        """The cards that may be played, from the lowest number up."""
        return [card for card, rule in self.verdicts.items() if rule is None]

    @property
    def forbidden(self) -> dict[int, str]:
        """The other cards, each with the rule that forbids it."""
        return {card: rule for card, rule in self.verdicts.items() if rule is not None}

    def to_dict(self) -> dict[str, object]:
        """Return the ruling as the public JSON object."""
        return copied(self.position) | {
            "player": self.player,
            "legal": [NAMES[card] for card in self.legal],
            "forbidden": {NAMES[card]: rule for card, rule in self.forbidden.items()},
        }


def rule_on(position: Position) -> Ruling:
    """Return what the seat to play may play in a position (RULES section 2)."""
    referee = Referee(position)
    return Ruling(position, referee.verdicts(referee.start))


def rule_source(source: str, *, as_json: bool) -> int:
    """Rule on the positions of a source and print the rulings in their order.

    Args:
        source: a file, `-` or a text, as `sources.opened` takes it.
        as_json: whether to print JSON Lines, faults included, instead of reports.

    Returns the exit status: 2 if any position was refused, else 0. Raises `OSError` when the
    file cannot be read.
    """
    return answer_source(source, _rulings, None if as_json else ruling_report)


def _rulings(items: Iterator[Position | Rejected]) -> Iterator[Outcome]:
    for item in items:
        yield item if isinstance(item, Rejected) else rule_on(item)


def ruling_report(ruling: Ruling, notation: Notation) -> Group:
    """Return the board and the cards of the seat to play, for a terminal of 80 columns.

    Args:
        ruling: the ruling.
        notation: how to write cards.
    """
    position = ruling.position
    parts: list[RenderableType] = [*heading(position, notation), Text()]
    parts += [board(position, notation)]
    if ruling.verdicts:
        parts += [Text(), Text(_sentence(ruling), "bold"), Text(), _table(ruling, notation)]
    return Group(*parts)


def _sentence(ruling: Ruling) -> str:
    legal, held = len(ruling.legal), len(ruling.verdicts)
    if legal == held:
        return f"Seat {ruling.player} may play any card."
    return f"Seat {ruling.player} may play {legal} of {held} cards."


def _table(ruling: Ruling, notation: Notation) -> Table:
    """Return the legal cards, and then those that each rule forbids."""
    by_rule: dict[str | None, list[int]] = defaultdict(list)
    for card, rule in ruling.verdicts.items():
        by_rule[rule].append(card)
    table = Table.grid(padding=(0, 2))
    for rule in sorted(by_rule, key=lambda rule: rule or ""):
        cards = notation.cards(in_order(ruling.position, to_mask(by_rule[rule])))
        words = f"{notation.best} legal" if rule is None else notation.words(rule)
        style = "bold green" if rule is None else ""
        table.add_row(words, cards, style=style)
    return table
