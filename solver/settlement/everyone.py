"""Games of everyone: what each seat pays or writes, who has no declaring side to share it with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from trull.solver.referee import Referee, State
from trull.solver.rules import Contract, Payment, Variant
from trull.solver.settlement.lines import Line, Score, times

_MAYOR = 107
"""35 points and 2 Blatt, in thirds."""

_WARSAW_STEPS = ((40, 4), (30, 2), (0, 1))
"""From how many counted points the loser of Warsaw pays how many times the value."""

_DOUBLE = 2


@dataclass(frozen=True, slots=True)
class _Tally:
    """What the payment of a game of everyone depends on.

    Attributes:
        book: the rule book.
        source: where it describes the contract.
        value: the base value of the contract.
        thirds: the card points of each seat, in thirds.
        tricks: the number of tricks of each seat.
        radlc: the seats with an unused radlc.
    """

    book: Variant
    source: str
    value: int
    thirds: tuple[int, ...]
    tricks: tuple[int, ...]
    radlc: Collection[int]

    @property
    def seats(self) -> range:
        """All seats."""
        return range(len(self.thirds))

    @property
    def counted(self) -> tuple[int, ...]:
        """The counted points of each seat."""
        return tuple(map(self.book.counted, self.thirds))

    @property
    def trickless(self) -> frozenset[int]:
        """The seats that have won no trick."""
        return frozenset(seat for seat in self.seats if not self.tricks[seat])


def everyone_lines(referee: Referee, state: State) -> list[Line]:
    """Return what every seat of a game of everyone pays or writes (RULES sections 3 to 6).

    An absent card counts for nobody.

    Args:
        referee: the referee of a game of everyone.
        state: a state without cards left to play.

    Raises `ValueError` for a contract with a declaring side.
    """
    rules = referee.rules
    radlc = referee.position.options.get("radlc", ())
    thirds = tuple(referee.points(state, seat) for seat in range(referee.seats))
    return payment_lines(
        referee.position.book,
        rules,
        thirds,
        state.tricks,
        radlc if isinstance(radlc, tuple) else (),
    )


def payment_lines(
    book: Variant,
    rules: Contract,
    thirds: tuple[int, ...],
    tricks: tuple[int, ...],
    radlc: Collection[int] = (),
) -> list[Line]:
    """Return what every seat of a game of everyone pays or writes for points and tricks.

    Args:
        book: the rule book.
        rules: a game of everyone.
        thirds: the card points of each seat, in thirds.
        tricks: the number of tricks of each seat.
        radlc: the seats with an unused radlc.

    Raises `ValueError` for a contract with a declaring side.
    """
    if rules.payment is None:
        raise ValueError(f"{rules.name}: no game of everyone")
    tally = _Tally(
        book=book,
        source=rules.source,
        value=rules.values[len(thirds)],
        thirds=thirds,
        tricks=tricks,
        radlc=radlc,
    )
    return list(_PAYMENTS[rules.payment](tally))


def _trischaken(tally: _Tally) -> Iterator[Line]:
    """The most exact points pay every other seat; tied losers pay the full amount each.

    The mayor pays double, so does forehand; a single seat without a trick receives double.
    """
    source, most = tally.source, max(tally.thirds)
    owed: dict[int, Score] = {
        seat: tally.value for seat in tally.seats if tally.thirds[seat] == most
    }
    rule = f"most points: {_seats(owed)} pays {tally.value} to each ({source})"
    yield _paid(tally, rule, owed)
    if most >= _MAYOR:
        yield _paid(tally, f"mayor, at least {_MAYOR} thirds ×{_DOUBLE} ({source})", owed)
        owed = {seat: _DOUBLE * amount for seat, amount in owed.items()}
    if 0 in owed:
        yield _paid(tally, f"forehand pays ×{_DOUBLE} ({source})", {0: owed[0]}, owed)
        owed[0] *= _DOUBLE
    if len(tally.trickless) == 1:
        (seat,) = tally.trickless
        yield _received(tally, f"seat {seat} alone without a trick receives ×{_DOUBLE}", owed, seat)


def _warsaw(tally: _Tally) -> Iterator[Line]:
    """The most counted points pay every other seat by steps; tied losers share the payment.

    Every seat without a trick receives double.
    """
    most = max(tally.counted)
    factor = next(factor for step, factor in _WARSAW_STEPS if most >= step)
    losers = [seat for seat in tally.seats if tally.counted[seat] == most]
    owed: dict[int, Score] = dict.fromkeys(losers, Fraction(tally.value * factor, len(losers)))
    rule = f"most points, {most}: {_seats(owed)} pays {tally.value * factor} to each"
    yield _paid(tally, f"{rule} ({tally.source})", owed)
    for seat in sorted(tally.trickless):
        yield _received(tally, f"seat {seat} without a trick receives ×{_DOUBLE}", owed, seat)


def _seats(owed: Collection[int]) -> str:
    return " and ".join(f"seat {seat}" for seat in owed)


def _paid(
    tally: _Tally,
    rule: str,
    owed: Mapping[int, Score],
    losers: Collection[int] | None = None,
) -> Line:
    """Return the line of payments: each seat of `owed` pays its amount to each seat not losing."""
    losers = owed if losers is None else losers
    winners = [seat for seat in tally.seats if seat not in losers]
    received = sum(owed.values())
    amounts = dict.fromkeys(winners, received)
    amounts |= {seat: -amount * len(winners) for seat, amount in owed.items()}
    return Line(rule, tuple(amounts.get(seat, 0) for seat in tally.seats))


def _received(tally: _Tally, rule: str, owed: Mapping[int, Score], winner: int) -> Line:
    """Return the line of one more payment of every loser to one winner; to a loser, of none."""
    amounts = {} if winner in owed else {seat: -amount for seat, amount in owed.items()}
    received = {winner: -sum(amounts.values())}
    rule = f"{rule} ({tally.source})"
    return Line(rule, tuple((received | amounts).get(seat, 0) for seat in tally.seats))


def _klop(tally: _Tally) -> Iterator[Line]:
    """No trick wins, more than half of the points lose; if neither happens, points are written.

    A seat with an unused radlc writes double.
    """
    source, half, value = tally.source, tally.book.half, tally.value
    losers = {seat for seat in tally.seats if tally.counted[seat] > half}
    lines = []
    if tally.trickless:
        lines.append(_written(tally, f"no trick ({source})", dict.fromkeys(tally.trickless, value)))
    if losers:
        rule = f"more than {half} points ({source})"
        lines.append(_written(tally, rule, dict.fromkeys(losers, -value)))
    if not lines:
        points = {seat: -tally.counted[seat] for seat in tally.seats}
        lines.append(_written(tally, f"points, as nobody has won or lost ({source})", points))
    yield from lines
    if tally.radlc:
        rule = f"unused radlc ×{_DOUBLE} ({tally.book.sections['radlc']})"
        doubled = times(lines, _DOUBLE, rule, len(tally.seats)).amounts
        yield _written(tally, rule, {seat: doubled[seat] for seat in tally.radlc})


def _written(tally: _Tally, rule: str, amounts: Mapping[int, Score]) -> Line:
    return Line(rule, tuple(amounts.get(seat, 0) for seat in tally.seats))


_PAYMENTS: Mapping[Payment, Callable[[_Tally], Iterator[Line]]] = {
    "trischaken": _trischaken,
    "klop": _klop,
    "warsaw": _warsaw,
}
