"""The scoring of a game with a declaring side: from the terms of a deal and its facts to scores.

With the terms and `Facts.valat` given, a score is a sum of parts, each of which depends on one
other fact alone: the game on `points` or `made`, every bonus, the Mond and the called king each on
its own. `Scoring.parts` returns them, so a search may add them up as the facts come in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from trull.solver.settlement.bonuses import announcers, bonus_stake, section
from trull.solver.settlement.facts import Facts
from trull.solver.settlement.game import Stake, game_stakes
from trull.solver.settlement.lines import Line, Score, times, totals

if TYPE_CHECKING:
    from trull.solver.position import Position

_RADLC = 2
_VALAT = 2


class Scoring:
    """What the facts of a deal are worth under the terms of one position.

    The position's cards play no part, but for the called card of a Solorufer in the talon, with
    which nothing is doubled.
    """

    def __init__(self, position: Position) -> None:
        """Read the terms off a position with a declaring side.

        Raises `ValueError` for a game of everyone.
        """
        self.position = position
        self._rules = position.rules
        self._book = position.book
        if self._rules.sides == "everyone":
            raise ValueError(f"{self._rules.name}: a game of everyone has no declaring side")
        self._side = position.side
        self._opponents = [seat for seat in range(position.seats) if seat not in self._side]
        self._valat_announced = "valat" in announcers(position)
        void = self._rules.talon == "called_half" and position.called in position.talon
        self._doubled = {} if void else position.doubled

    def lines(self, facts: Facts) -> list[Line]:
        """Return the lines of the settlement in order (RULES sections 2 to 7)."""
        parts = self._lines_by_part(facts)
        personal = parts.pop("mond", [])
        lines = [line for part in parts.values() for line in part]
        seats = self.position.seats
        if self._has_radlc:
            rule = f"unused radlc ×{_RADLC} ({self._book.sections['radlc']})"
            lines.append(times(lines, _RADLC, rule, seats))
        lines += personal
        if self._valat_doubles(facts):
            rule = f"valat ×{_VALAT} ({self._rules.source})"
            lines.append(times(lines, _VALAT, rule, seats))
        return lines

    def scores(self, facts: Facts) -> tuple[Score, ...]:
        """Return what every seat scores."""
        return totals(self.lines(facts), self.position.seats)

    def declarer(self, facts: Facts) -> int:
        """Return the declarer's own result.

        It holds his own penalty for a lost Mond, but no share in that of others. Where nobody is
        the declarer it is forehand's.
        """
        return sum(self.parts(facts).values())

    def parts(self, facts: Facts) -> dict[str, int]:
        """Return the parts of the declarer's own result.

        Their names are `game`, the bonuses of the contract, `called_king` and `mond`. Each depends
        on `Facts.valat` and on its own fact alone: `game` on `points` where the contract is about
        a majority of points, else on `made`. What does not count is left out.
        """
        seat = self.position.declarer or 0
        lines = self._lines_by_part(facts)
        if facts.mond_lost != seat:
            lines.pop("mond", None)
        whole = _VALAT if self._valat_doubles(facts) else 1
        shared = whole * (_RADLC if self._has_radlc else 1)
        return {
            part: (whole if part == "mond" else shared)
            * int(totals(part_lines, self.position.seats)[seat])
            for part, part_lines in lines.items()
        }

    @property
    def _has_radlc(self) -> bool:
        seats = self.position.options.get("radlc", ())
        return isinstance(seats, tuple) and self.position.declarer in seats

    def _valat_doubles(self, facts: Facts) -> bool:
        taken = self.position.declarer is not None
        return taken and self._rules.valat == "double" and facts.valat != 0

    def _lines_by_part(self, facts: Facts) -> dict[str, list[Line]]:
        if self.position.declarer is None:
            return {"game": [self._untaken(facts)]}
        settled = bool(facts.valat or self._valat_announced) and "valat" in self._bonus_values
        place = self._rules.valat if settled else "beside"
        lines: dict[str, list[Line]] = {}
        if place not in ("game", "all"):
            lines["game"] = self._game_lines(facts)
        for bonus in self._bonus_values:
            if bonus == "valat" or self._counts(bonus, place, settled=settled):
                lines[bonus] = self._bonus_lines(bonus, facts)
        if facts.called_king_lost and self._rules.called_king_penalty:
            lines["called_king"] = [self._called_king_line()]
        if facts.mond_lost is not None:
            lines["mond"] = [self._mond_line(facts.mond_lost)]
        return lines

    @property
    def _bonus_values(self) -> Mapping[str, object]:
        return self._rules.bonus_values

    def _counts(self, bonus: str, place: str, *, settled: bool) -> bool:
        """Return whether a bonus counts beside the valat of the deal."""
        silenced = settled and bonus in self._book.without_valat
        return place != "all" and (not silenced or bonus in announcers(self.position))

    # --- Parts ---

    def _game_lines(self, facts: Facts) -> list[Line]:
        return self._with_doubling("game", "game", game_stakes(self.position, facts))

    def _bonus_lines(self, bonus: str, facts: Facts) -> list[Line]:
        stake = bonus_stake(self.position, bonus, facts)
        if stake is None:
            return []
        instead = bonus == "valat" and self._rules.valat == "game" and "valat" not in self._doubled
        return self._with_doubling("game" if instead else bonus, bonus, [stake])
