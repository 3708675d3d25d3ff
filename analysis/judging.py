"""`trull hand`: hands in, and what the rule book says about each."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import partial

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trull.analysis.notation import Notation
from trull.analysis.streaming import Outcome, answer_source
from trull.analysis.words import amount
from trull.solver.cards import SUITS, format_hand, from_mask, suit_of
from trull.solver.hands import (
    FEATURES,
    Hand,
    Report,
    judge,
    looks_like_cards,
    parse_hand_cards,
    read_hands,
)
from trull.solver.interchange import Rejected
from trull.solver.validation import PositionError


def judge_source(source: str, *, variant: str | None, seat: int | None, as_json: bool) -> int:
    """Judge the hands of a source and print the answers in their order.

    Args:
        source: a file, `-` or a text, as `sources.opened` takes it, or the cards of a hand.
        variant: the variant of hands that name none.
        seat: the seat of hands that name none.
        as_json: whether to print JSON Lines, faults included, instead of reports.

    Returns the exit status: 2 if any hand was refused, else 0. Raises `OSError` when the file
    cannot be read.
    """
    if looks_like_cards(source) and not os.path.exists(source):
        source = json.dumps({"hand": _spelt_out(source)})
    read = partial(read_hands, variant=variant, seat=seat)
    return answer_source(source, _judged, None if as_json else hand_report, read)


def _spelt_out(cards: str) -> str:
    """Return the names of all cards of a hand, or the text as it is when it has a fault."""
    try:
        return format_hand(parse_hand_cards(cards))
    except PositionError:
        return cards


def _judged(items: Iterator[Hand | Rejected]) -> Iterator[Outcome]:
    for item in items:
        yield item if isinstance(item, Rejected) else judge(item)


# --- Report ---


def hand_report(report: Report, notation: Notation) -> Group:
    """Return everything that is said about a hand, for a terminal of 80 columns."""
    hand = report.hand
    parts: list[RenderableType] = [*_heading(hand, notation), Text(), _cards(hand, notation)]
    parts += [Text(), *_sentences(report), Text(), _features(report, notation)]
    return Group(*parts)


def _heading(hand: Hand, notation: Notation) -> Iterator[Text]:
    title = hand.book.title if hand.seat is None else f"{hand.book.title}: seat {hand.seat}"
    if hand.id is not None:
        title += f"   {hand.id}"
    yield Text(notation.words(title), "bold")
    if hand.comment is not None:
        yield Text(notation.words(str(hand.comment)), "italic")


def _cards(hand: Hand, notation: Notation) -> Table:
    place = hand.book.rank_order
    order = sorted(from_mask(hand.cards), key=lambda card: -place[card])
    suits = Table.grid(padding=(0, 1))
    for suit in range(1 + len(SUITS)):
        ranks = Text(" ").join(notation.rank(card) for card in order if suit_of(card) == suit)
        suits.add_row(notation.suit(suit), ranks or Text(notation.nothing, "dim"))
    return suits


def _sentences(report: Report) -> Iterator[Text]:
    if report.hand.book.hand_bonuses:
        names = ", ".join(f"{bonus.name} {bonus.value}" for bonus in report.announcements)
        total = f"Announces {names}: {report.from_each_opponent} from each opponent."
        yield Text(total if names else "Has nothing to announce.", "bold")
    if report.without_trumps is not None:
        fate = report.without_trumps
        yield Text(f"No trump: the deal is {'redealt' if fate == 'redealt' else f'a {fate}'}.")
    yield Text(f"May bid {_listed(report.bids)}.")
    if report.forehand_bids is not None:
        more = [name for name in report.forehand_bids if name not in report.bids]
        less = [name for name in report.bids if name not in report.forehand_bids]
        if more:
            yield Text(f"Forehand may also bid {_listed(more)}.")
        if less:
            yield Text(f"Forehand may not bid {_listed(less)}.")
    for contract, reason in report.barred.items():
        yield Text(f"May not bid {contract}: {reason}.", "dim")
    advised = [contract for contract, holds in report.rules_of_thumb.items() if holds]
    if report.rules_of_thumb:
        yield Text(f"By the rules of thumb, strong enough for {_listed(advised)}.")


def _listed(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(names) or "nothing"


def _features(report: Report, notation: Notation) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("Feature")
    table.add_column("", justify="right")
    table.add_column("What it counts")
    for name, number in report.features.items():
        meaning = FEATURES[name].meaning
        if name == "points":
            meaning = f"card points: {amount(number, report.hand.book.unit)}"
        table.add_row(name, str(number), notation.words(meaning), style="" if number else "dim")
    return table
