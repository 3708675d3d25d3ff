"""`trull exchange`: deals in, positions out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rich.console import Group, RenderableType
from rich.text import Text

from trull.analysis.board import board
from trull.analysis.compiling import make_ready
from trull.analysis.deals import Deal, DealError
from trull.analysis.exchange.choosing import Exchanger
from trull.analysis.exchange.exchanged import Choice, Exchanged
from trull.analysis.exchange.setting import ExchangeError
from trull.analysis.heading import heading
from trull.analysis.notation import Notation
from trull.analysis.streaming import Outcome, answer_source
from trull.analysis.words import amount
from trull.solver.cards import display_order
from trull.solver.fields import extra_keys
from trull.solver.interchange import Rejected, rejected
from trull.solver.json_stream import Faulty, Foreign, read_objects
from trull.solver.kernel.engine import Engine
from trull.solver.question import Unsolvable
from trull.solver.rulebooks import UnknownRule
from trull.solver.validation import PositionError
from trull.solver.workers import map_ordered

_TIES_SHOWN = 8


@dataclass(frozen=True, kw_only=True)
class Named:
    """A deal of a stream with what is copied to its position.

    Attributes:
        deal: the deal.
        id: its `id`.
        comment: its `comment`.
        extra: its keys beginning with `x_`.
    """

    deal: Deal
    id: object = None
    comment: object = None
    extra: Mapping[str, object] = field(default_factory=dict)


def read_deals(stream: Iterable[bytes]) -> Iterator[Named | Rejected]:
    """Yield every deal of a stream, or why it is none: JSON objects and deal strings."""
    for item in read_objects(stream, lambda line: not line.lstrip().startswith("{")):
        if isinstance(item, Faulty):
            yield rejected(item.error, item.data)
            continue
        try:
            if isinstance(item, Foreign):
                yield Named(deal=Deal.from_string(item.text))
            else:
                yield _named(item)
        except (DealError, PositionError) as error:
            yield rejected(str(error), item)


def _named(data: dict[str, object]) -> Named:
    return Named(
        deal=Deal.from_dict(data),
        id=data.get("id"),
        comment=data.get("comment"),
        extra=extra_keys(data),
    )


def exchange_source(
    source: str, exchanger: Exchanger, *, as_json: bool, workers: int, memory: int
) -> int:
    """Make the exchanges of the deals of a source and print the positions in their order.

    Args:
        source: a file, `-` or a text, as `sources.opened` takes it.
        exchanger: how exchanges are made.
        as_json: whether to print JSON Lines, faults included, instead of reports.
        workers: how many deals to work on at the same time.
        memory: size of each worker's transposition table in MB.

    Returns the exit status: 2 if any deal was refused, else 0. Raises `OSError` when the file
    cannot be read.
    """
    searches = exchanger.policy == "best"
    if searches:
        make_ready()

    def work(engine: Engine, item: Named | Rejected) -> Outcome:
        if isinstance(item, Rejected):
            return item
        try:
            found = exchanger.answer(engine, item.deal)
        except (ExchangeError, PositionError, UnknownRule, Unsolvable) as error:
            return error
        named = replace(found.position, id=item.id, comment=item.comment, extra=item.extra)
        return replace(found, position=named)

    def answer(items: Iterator[Named | Rejected]) -> Iterator[Outcome]:
        return map_ordered(work, items, workers, memory if searches else 0)

    return answer_source(source, answer, None if as_json else exchange_report, read_deals)


def exchange_report(found: Exchanged, notation: Notation) -> RenderableType:
    """Return the position after an exchange, and what is proven of it, for a terminal."""
    parts: list[RenderableType] = list(heading(found.position, notation))
    parts += [Text(sentence, "bold") for sentence in _sentences(found)]
    if found.taken:
        cards = notation.cards(display_order(found.taken))
        parts.append(Text("The declarer takes up ") + cards + Text("."))
    parts += [Text(), board(found.position, notation)]
    if found.ties:
        parts += [Text(), *_ties(found, notation)]
    if found.objective is not None:
        parts += [Text(), Text(f"{found.nodes:,} nodes, {found.ms:,.0f} ms", "dim")]
    return Group(*parts)


def _sentences(found: Exchanged) -> Iterator[str]:
    if not found.exact:
        yield "A limit ended the search: there may be a better exchange."
    elif found.objective == "made" and found.value is not None:
        made = "can be made, with this exchange for one" if found.value else "cannot be made"
        yield f"The contract {made}."
    elif found.value is not None:
        yield f"No exchange is worth more than this one: {_worth(found, int(found.value))}."


def _worth(found: Exchanged, value: int) -> str:
    if found.objective == "score":
        return f"the declarer scores {value}"
    return amount(value, found.position.book.unit if found.objective == "points" else "tricks")


def _ties(found: Exchanged, notation: Notation) -> Iterator[Text]:
    number = len(found.ties)
    yield Text(f"{number} choice{'s' if number > 1 else ''} worth as much:")
    for choice in found.ties[:_TIES_SHOWN]:
        yield _choice(found, choice, notation)
    if number > _TIES_SHOWN:
        yield Text(f"  and {number - _TIES_SHOWN} more, which --json lists", "dim")


def _choice(found: Exchanged, choice: Choice, notation: Notation) -> Text:
    text = Text("  ")
    if choice.called is not None:
        text.append("calls ").append_text(notation.card(choice.called)).append(", ")
    if found.position.rules.levels > 1:
        text.append(f"level {choice.level}, ")
    taken = notation.cards(display_order(choice.taken))
    laid = notation.cards(display_order(choice.discards))
    return text.append("takes ").append_text(taken).append(", lays away ").append_text(laid)
