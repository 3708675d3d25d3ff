"""What the game itself pays: value, difference, points above half, chips, levels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from trull.solver.score_rules import GameScore
from trull.solver.settlement.facts import Facts

if TYPE_CHECKING:
    from trull.solver.position import Position

_FIVE = 5
_TEN = 10


class Stake(NamedTuple):
    """What a rule moves between the sides: an amount for the declaring side, from each loser."""

    rule: str
    amount: int


def game_stakes(position: Position, facts: Facts) -> list[Stake]:
    """Return what the game pays by itself, before it is doubled, levels included.

    Args:
        position: the terms of the deal.
        facts: only `points` are looked at in a majority game, only `made` in others.
    """
    rules = position.rules
    won = is_won(position, facts)
    stakes = list(_SCORES[rules.game_score](position, facts.points, won))
    factor = rules.factors[position.level - 1][0 if won else 1]
    if factor > 1:
        what = "game" if won else "lost game"
        level = f" at level {position.level}" if rules.levels > 1 else ""
        amount = sum(stake.amount for stake in stakes)
        rule = f"{what}{level} ×{factor} ({_section(position)})"
        stakes.append(Stake(rule, (factor - 1) * amount))
    return stakes


def is_won(position: Position, facts: Facts) -> bool:
    """Return whether the game is won, whatever becomes of a bird that belongs to the contract."""
    if position.rules.goal == "majority":
        return facts.points >= position.book.threshold
    return facts.made


def _value(position: Position, _points: int, won: bool) -> Iterator[Stake]:
    yield _game(position, won, _base(position))


def _difference(position: Position, points: int, won: bool) -> Iterator[Stake]:
    """Value and difference of the counted points from half of the pack."""
    counted, half = position.book.counted(points), position.book.half
    yield from _value(position, points, won)
    rule = f"difference of {counted} points from {half} ({_section(position)})"
    yield Stake(rule, _signed(abs(counted - half), won))


def _rounded_difference(position: Position, points: int, won: bool) -> Iterator[Stake]:
    """Value and difference, the counted points rounded to the nearest five."""
    counted, half = position.book.counted(points), position.book.half
    rounded = (counted + _FIVE // 2) // _FIVE * _FIVE
    yield from _value(position, points, won)
    rule = f"difference of {counted} points, rounded to {rounded}, from {half}"
    yield Stake(f"{rule} ({_section(position)})", _signed(abs(rounded - half), won))


def _points(position: Position, points: int, won: bool) -> Iterator[Stake]:
    """The value for each point above half of the side that has more; a tie loses one."""
    half, each = position.book.half, _base(position)
    excess = abs(position.book.counted(points) - half)
    how = f" by {excess} points above {half}, {each} each" if excess else f" by a tie, {each}"
    yield _game(position, won, max(excess, 1) * each, how)


def _chips(position: Position, points: int, won: bool) -> Iterator[Stake]:
    """A chip for every ten of (difference + 10) × value, rounded to the nearest ten, a 5 up."""
    excess, value = abs(points - position.book.half), _base(position)
    exact = (excess + _TEN) * value
    chips = (exact + _TEN // 2) // _TEN
    how = f" by {excess} points: ({excess} + {_TEN}) × {value} = {exact}, rounded to {_TEN * chips}"
    yield _game(position, won, chips, how)


def _game(position: Position, won: bool, amount: int, how: str = "") -> Stake:
    rule = f"game {'won' if won else 'lost'}{how} ({_section(position)})"
    return Stake(rule, _signed(amount, won))


def _section(position: Position) -> str:
    """Return where in the rule book's text the contract stands: its first place."""
    return position.rules.source.partition(";")[0]


def _base(position: Position) -> int:
    return position.rules.values[position.seats]


def _signed(amount: int, won: bool) -> int:
    return amount if won else -amount


_SCORES: Mapping[GameScore, Callable[[Position, int, bool], Iterator[Stake]]] = {
    "value": _value,
    "difference": _difference,
    "rounded_difference": _rounded_difference,
    "points": _points,
    "chips": _chips,
}
