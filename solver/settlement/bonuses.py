"""What the bonuses pay, silent and announced, the valat included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from trull.solver.rules import BIRDS
from trull.solver.settlement.facts import Facts
from trull.solver.settlement.game import Stake

if TYPE_CHECKING:
    from trull.solver.position import Position

_WORDS: Mapping[str, str] = {
    "trull": "trull",
    "kings": "four kings",
    "pagat": "Pagat",
    "uhu": "Uhu",
    "kakadu": "Kakadu",
    "quapil": "Quapil",
    "king_ultimo": "king ultimo",
    "valat": "valat",
}


def announcers(position: Position) -> dict[str, int]:
    """Return who announced each bonus: a seat, the declarer for the bird that he promised."""
    found = {announcement.bonus: announcement.seat for announcement in position.announced}
    if position.rules.bird is not None and position.declarer is not None:
        found.setdefault(position.rules.bird, position.declarer)
    return found


def bonus_stake(position: Position, bonus: str, facts: Facts) -> Stake | None:
    """Return what a bonus pays before it is doubled; `None` where it does not count.

    An announced bonus is settled at its announced value, for or against the side that announced
    it, whoever else may have made it. A silent one counts for the side that made it; a bird or
    called king that was played to its trick and lost it counts against its own.

    Args:
        position: the terms of the deal.
        bonus: a name of the contract's `bonus_values`.
        facts: only the fact of the bonus itself is looked at.
    """
    seat = announcers(position).get(bonus)
    if seat is None:
        sign, how = _silent(bonus, facts), "silent"
    else:
        side = 1 if seat in position.side else -1
        made = _made_by(bonus, facts) == side
        sign, how = side if made else -side, f"announced by seat {seat}"
    value = position.rules.bonus_values[bonus].value(announced=seat is not None, lost=sign < 0)
    if not sign * value:
        return None
    section = position.book.sections["valat" if bonus == "valat" else "bonus"]
    rule = f"{word(bonus)} {how}, {_outcome(bonus, facts)} ({section})"
    return Stake(rule, sign * value)


def word(bonus: str) -> str:
    """Return what people call a bonus."""
    return _WORDS[bonus]


def _outcome(bonus: str, facts: Facts) -> str:
    side = _made_by(bonus, facts)
    if not side:
        return "not made"
    return "made by the declaring side" if side > 0 else "made by the opponents"


def _made_by(bonus: str, facts: Facts) -> int:
    """Return the side that has made a bonus: 1 the declaring side, -1 its opponents, 0 neither."""
    if bonus not in BIRDS:
        side: int = getattr(facts, bonus)
        return side
    bird = facts.birds.get(bonus)
    return bird.side if bird is not None and bird.won else 0


def _silent(bonus: str, facts: Facts) -> int:
    """Return the side for which a bonus counts that nobody announced."""
    bird = facts.birds.get(bonus)
    if bird is not None and not bird.won:
        return -bird.side
    return _made_by(bonus, facts)
