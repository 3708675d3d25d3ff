"""What stands above every report: which game it is, who plays with whom, and for what."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from trull.analysis.notation import Notation
from trull.analysis.words import amount, is_complete
from trull.solver.position import Position
from trull.solver.rules import hand_size


def heading(position: Position, notation: Notation) -> Iterator[Text]:
    """Yield the lines above a position: its game, its comment, its terms, whose turn it is.

    Args:
        position: the position.
        notation: how to write cards.
    """
    title = f"{position.book.title}: {position.contract}"
    if position.rules.levels > 1:
        title += f", level {position.level}"
    if position.id is not None:
        title += f"   {position.id}"
    yield Text(notation.words(title), "bold")
    if position.comment is not None:
        yield Text(notation.words(str(position.comment)), "italic")
    yield Text(" ").join([_parties(position, notation), *_stakes(position, notation)])
    yield Text(_turn(position))


def _parties(position: Position, notation: Notation) -> Text:
    if position.rules.sides == "everyone":
        return Text("Everyone plays alone.")
    if position.rules.sides == "two":
        return Text(
            "Nobody took." if position.declarer is None else f"Seat {position.declarer} took."
        )
    text = Text(f"Seat {position.declarer}")
    if position.called is not None:
        text.append(" calls ").append_text(notation.card(position.called)).append(" and")
    if position.partner is None:
        return text.append(" plays alone.")
    return text.append(f" plays with seat {position.partner}.")


def _stakes(position: Position, notation: Notation) -> Iterator[Text]:
    for seat, bonus in position.announced:
        yield Text(f"Seat {seat} announced {bonus}.")
    for name, stake in position.doubled.items():
        factors = stake if isinstance(stake, tuple) else (stake,)
        text = " ".join(f"{notation.times}{factor}" for factor in factors)
        yield Text(f"{name.capitalize()} {text}.")


def _turn(position: Position) -> str:
    left = max(position.cards_left)
    if not left:
        return "No card is left to play."
    does = "plays" if position.trick else "leads"
    if not is_complete(position):
        return f"Seat {position.player} {does}; {amount(left, 'tricks')} to come."
    number, tricks = position.tricks_played + 1, hand_size(position.seats)
    return f"Seat {position.player} {does}, trick {number} of {tricks}."
