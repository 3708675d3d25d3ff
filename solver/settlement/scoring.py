"""The scoring of a game with a declaring side: from the terms of a deal and its facts to scores.

With the terms and `Facts.valat` given, the declarer's result is a sum of parts, each of which
depends on one other fact alone: the game on `points` or `made`, every bonus, the Mond and the
called king each on its own fact. `Scoring.parts` returns them, so that a search may add them up in
any order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trull.solver.settlement.bonuses import announcers, bonus_stake, word
from trull.solver.settlement.facts import Facts
from trull.solver.settlement.game import Stake, game_stakes
from trull.solver.settlement.lines import Line, Score, times, totals
from trull.solver.settlement.shares import Shares

if TYPE_CHECKING:
    from trull.solver.position import Position

_DOUBLE = 2

_Parts = dict[str, list[Line]]


class Scoring:
    """What the facts of a deal are worth under the terms of one position (RULES 2 to 7).

    The terms are its contract, level, sides, announcements, doublings and options. Its cards play
    no part, but for the called card of a Solorufer: nothing is doubled when it lies in the talon.
    """

    def __init__(self, position: Position) -> None:
        """Read the terms off a position.

        Raises `ValueError` for a game of everyone, which has no declaring side.
        """
        self._position, self._rules, self._book = position, position.rules, position.book
        if self._rules.sides == "everyone":
            raise ValueError(f"{self._rules.name}: a game of everyone has no declaring side")
        self._shares = Shares(position)
        self._announced = announcers(position)
        void = self._rules.talon == "called_half" and position.called in position.talon
        self._doubled = {} if void else position.doubled
        radlc = position.options.get("radlc", ())
        self._radlc = isinstance(radlc, tuple) and position.declarer in radlc

    def scores(self, facts: Facts) -> tuple[Score, ...]:
        """Return what every seat scores."""
        return totals(self.lines(facts), self._position.seats)

    def lines(self, facts: Facts) -> list[Line]:
        """Return the lines of the settlement in order."""
        parts, seats = self._parts(facts), self._position.seats
        mond = parts.pop("mond", [])
        lines = [line for part in parts.values() for line in part]
        if self._radlc:
            rule = f"unused radlc ×{_DOUBLE} ({self._book.sections['radlc']})"
            lines.append(times(lines, _DOUBLE, rule, seats))
        lines += mond
        if self._valat_doubles(facts):
            lines.append(times(lines, _DOUBLE, f"valat ×{_DOUBLE} ({self._rules.source})", seats))
        return lines

    def declarer(self, facts: Facts) -> int:
        """Return the declarer's own result; where nobody took Scarecrow, forehand's.

        A Mond that another seat has lost is no part of it, though it may be paid to the declarer.
        """
        return sum(self.parts(facts).values())

    def parts(self, facts: Facts) -> dict[str, int]:
        """Return the parts of the declarer's own result, without those that do not count.

        They are called `game`, `mond`, `called_king`, or by a bonus of the contract.
        """
        seat, parts = self._position.declarer or 0, self._parts(facts)
        if facts.mond_lost != seat:
            parts.pop("mond", None)
        whole = _DOUBLE if self._valat_doubles(facts) else 1
        shared = whole * _DOUBLE if self._radlc else whole
        return {
            name: (whole if name == "mond" else shared)
            * int(sum(line.amounts[seat] for line in lines))
            for name, lines in parts.items()
        }

    def _parts(self, facts: Facts) -> _Parts:
        if self._position.declarer is None:
            return {"game": [self._untaken(facts)]}
        settled = "valat" in self._rules.bonus_values and self._valat(facts)
        place = self._rules.valat if settled else "beside"
        parts: _Parts = {}
        if settled:
            parts["valat"] = self._bonus("valat", facts)
        if place not in ("game", "all"):
            parts["game"] = self._multiplied("game", "game", game_stakes(self._position, facts))
        if place != "all":
            parts |= {bonus: self._bonus(bonus, facts) for bonus in self._bonuses(settled)}
        return parts | self._penalties(facts)

    def _penalties(self, facts: Facts) -> _Parts:
        sections, penalties = self._book.sections, {}
        king, mond = self._rules.called_king_penalty, self._rules.mond
        if king and facts.called_king_lost:
            rule = f"called king lost ({sections['called_king']})"
            penalties["called_king"] = [self._shares.stake(rule, -king)]
        if mond is not None and facts.mond_lost is not None:
            rule = f"Mond lost ({sections['mond']})"
            penalties["mond"] = [self._shares.penalty(rule, mond.value, facts.mond_lost)]
        return penalties

    def _untaken(self, facts: Facts) -> Line:
        """Each of the two players writes what he has above half, and nothing else counts."""
        book, rule = self._book, f"points above {self._book.half} ({self._rules.source})"
        sides = facts.points, facts.their_points
        return Line(rule, tuple(max(book.counted(points) - book.half, 0) for points in sides))

    def _valat(self, facts: Facts) -> bool:
        """Return whether a valat is to be settled: made by a side, or announced."""
        return facts.valat != 0 or "valat" in self._announced

    def _valat_doubles(self, facts: Facts) -> bool:
        taken = self._position.declarer is not None
        return taken and self._rules.valat == "double" and self._valat(facts)

    def _bonuses(self, valat: bool) -> Iterator[str]:
        """Yield the bonuses that count, besides the valat, with or without one."""
        for bonus in self._rules.bonus_values:
            silenced = valat and bonus in self._book.without_valat
            if bonus != "valat" and (not silenced or bonus in self._announced):
                yield bonus

    def _bonus(self, bonus: str, facts: Facts) -> list[Line]:
        stake = bonus_stake(self._position, bonus, facts)
        if stake is None:
            return []
        # A valat in the game's place is the game many times over; what doubles the game doubles
        # it, unless it has been doubled by itself.
        as_game = bonus == "valat" and self._rules.valat == "game" and bonus not in self._doubled
        return self._multiplied("game" if as_game else bonus, word(bonus), [stake])

    def _multiplied(self, name: str, what: str, stakes: list[Stake]) -> list[Line]:
        """Return the lines of stakes, and of what doubles them under a name of `doubled`."""
        lines = [self._shares.stake(*stake) for stake in stakes]
        total = sum(stake.amount for stake in stakes)
        factors = self._doubled.get(name, 1)
        where = self._book.sections.get("doubling", self._rules.source)
        for payers, factor in self._factors(factors):
            by = "" if payers is None else f" by seat {payers[0]}"
            rule = f"{what} doubled ×{factor}{by} ({where})"
            lines.append(self._shares.stake(rule, (factor - 1) * total, payers))
        return lines

    def _factors(self, factors: int | tuple[int, ...]) -> Iterator[tuple[list[int] | None, int]]:
        """Yield every multiplier above 1 with the opponents whose stake it multiplies."""
        if isinstance(factors, int):
            if factors > 1:
                yield None, factors
            return
        for seat in self._shares.opponents:
            if factors[seat] > 1:
                yield [seat], factors[seat]
