"""An advice for people: the hand, a ranked table, what to do and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trull.analysis.advice.record import ASSUMPTION, Advice, Choice, Estimate
from trull.analysis.notation import Notation
from trull.solver import rulebooks
from trull.solver.cards import SUITS, from_mask, suit_of

_TITLES = {"bid": "what to bid", "exchange": "the exchange", "card": "which card to play"}
_COLUMN = {"bid": "Contract", "exchange": "Exchange", "card": "Card"}
_UNITS = {"score": "Score", "bool": "Made", "face": "Value (points)"}
_SHOWN = 8
_PLAIN = 10  # from which size on numbers are shown without decimals
_BEST = "bold green"


def advice_report(advice: Advice, notation: Notation) -> Group:
    """Return everything that an advice says, for a terminal of 80 columns.

    Args:
        advice: the advice.
        notation: how to write cards.
    """
    parts: list[RenderableType] = [
        Text(notation.words(_title(advice)), "bold"),
        Text(),
        _hand(advice, notation),
    ]
    parts += [Text(), _table(advice, notation), Text()]
    parts += [Text(sentence, "bold") for sentence in _verdict(advice)]
    parts += [Text(sentence, "dim") for sentence in _small_print(advice)]
    return Group(*parts)


def _title(advice: Advice) -> str:
    title = f"{rulebooks.variant(advice.variant).title}: seat {advice.seat}, {_TITLES[advice.kind]}"
    contract = advice.given.get("contract")
    return f"{title} in {contract}" if contract else title


def _hand(advice: Advice, notation: Notation) -> Table:
    place = rulebooks.variant(advice.variant).rank_order
    order = sorted(from_mask(advice.hand), key=lambda card: -place[card])
    suits = Table.grid(padding=(0, 1))
    for suit in range(1 + len(SUITS)):
        ranks = Text(" ").join(notation.rank(card) for card in order if suit_of(card) == suit)
        suits.add_row(notation.suit(suit), ranks or Text(notation.nothing, "dim"))
    for key in ("talon", "trick"):
        if advice.given.get(key):
            suits.add_row(key.capitalize(), Text(str(advice.given[key])))
    return suits


# --- Table ---


def _table(advice: Advice, notation: Notation) -> Table:
    """Return the choices, best first, with their intervals of 95 %."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(_COLUMN[advice.kind], no_wrap=advice.kind != "exchange")
    rated = any(choice.made is not None for choice in (*advice.choices, *advice.aside))
    names = ["Made"] if rated else []
    names += [_UNITS.get(advice.unit, f"Value ({advice.unit})"), "Behind", "Deals"]
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    shown = advice.choices if advice.kind != "exchange" else advice.choices[:_SHOWN]
    for place, choice in enumerate(shown):
        best = place == advice.recommended
        cells = [_rate(choice.made)] if rated else []
        cells += [_amount(choice.value), _amount(choice.behind), str(choice.deals)]
        style = _BEST if best else "dim" if choice.out else ""
        mark = f"{notation.best} " if best else "  "
        star = " *" if choice.notes.get("if_all_pass") else ""
        table.add_row(f"{mark}{choice.name}{star}", *cells, style=style)
    return table


def _amount(estimate: Estimate | None) -> str:
    """Return a mean and its interval: `12.3 (9.8, 14.8)`."""
    if estimate is None:
        return "-"
    if estimate.interval is None:
        return _number(estimate.mean)
    low, high = map(_number, estimate.interval)
    return f"{_number(estimate.mean)} ({low}, {high})"


def _number(value: float) -> str:
    """Return a number with two or three digits."""
    places = 0 if abs(value) >= _PLAIN else 1 if abs(value) >= 1 else 2
    text = f"{value:.{places}f}"
    return "0" if float(text) == 0 else text


def _rate(estimate: Estimate | None) -> str:
    """Return a rate and its interval: `78 % (60, 89)`."""
    if estimate is None or estimate.interval is None:
        return "-"
    low, high = estimate.interval
    return f"{100 * estimate.mean:.0f} % ({100 * low:.0f}, {100 * high:.0f})"


# --- Sentences ---


def _verdict(advice: Advice) -> Iterator[str]:
    if advice.best is None:
        yield "No recommendation: no deal was finished; give more time or nodes."
        return
    yield f"Recommended: {advice.best.name}{_ahead(advice)}."
    if not advice.settled:
        yield "The ranking is not settled; more deals may change it."


def _ahead(advice: Advice) -> str:
    second = advice.runner_up
    if second is None or second.behind is None:
        return ", as good as any" if len(advice.choices) > 1 else ""
    return f", {_amount(second.behind)} better than {second.name}"


def _small_print(advice: Advice) -> Iterator[str]:
    yield ASSUMPTION
    if advice.kind == "bid":
        yield "Passing counts as 0: what others would play then is not known."
    yield from advice.remarks
    for choice in advice.aside:
        yield _aside(choice)
    yield from _limits((*advice.choices, *advice.aside))
    yield _deals(advice)


def _aside(choice: Choice) -> str:
    """Return what is found of a game of everyone, which has no declarer's score."""
    star = " *" if choice.notes.get("if_all_pass") else ""
    if choice.value is None:
        return f"{choice.name}{star} is not ranked; the limits left it open."
    return (
        f"{choice.name}{star} is not ranked, as everyone plays alone: seat's points, against all "
        f"others together, {_amount(choice.value)}; sure not to lose in {_rate(choice.made)} of "
        f"{choice.deals} deals."
    )


def _limits(choices: Sequence[Choice]) -> Iterator[str]:
    numbers = {choice.name: choice.open for choice in choices if choice.open}
    if numbers:
        yield f"Deals left out, as a limit or the rules left them open: {_counts(numbers)}."
    numbers = {choice.name: choice.approximate for choice in choices if choice.approximate}
    if numbers:
        yield f"Deals valued only approximately, by the node limit: {_counts(numbers)}."


def _counts(numbers: Mapping[str, int]) -> str:
    """Return numbers of deals by choice, or their range where the names are long."""
    if all(" " not in name for name in numbers):
        return ", ".join(f"{name} {number}" for name, number in numbers.items())
    return f"at most {max(numbers.values())} of a choice"


def _deals(advice: Advice) -> str:
    text = f"{advice.deals} deals of seed {advice.seed}"
    if "draws" in advice.sampling:
        text += f", from {advice.sampling['draws']} draws that agree with the voids"
    if "candidates" in advice.sampling:
        text += f"; the {advice.sampling['candidates']} most promising exchanges were compared"
    if advice.settled:
        return f"{text}; stopped as the ranking is settled."
    return f"{text}; the time was over." if advice.expired else f"{text}."
