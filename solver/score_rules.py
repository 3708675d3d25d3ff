"""What a rule book says about settlement, as data: bonuses, penalties, how a game is counted."""

from __future__ import annotations

from typing import Literal, NamedTuple

GameScore = Literal["value", "difference", "rounded_difference", "points", "chips"]
"""What a won or lost game is worth: the contract's `value`; that and the `difference` of the
counted points from half of the pack, as it is or `rounded_difference` to the nearest five; the
value for each of the `points` above half; or `chips`, one for every ten of (difference + 10) times
the value, rounded."""

ValatScore = Literal["beside", "game", "all", "double"]
"""What becomes of the rest when a valat is settled: it stands `beside` everything else; in place
of the `game`; in place of `all` but penalties; or it has no value and does `double` everything."""


class Bonus(NamedTuple):
    """What a bonus is worth.

    Attributes:
        silent: its value when nobody announced it; 0 when it counts only if announced.
        announced: its value when it was announced.
        silent_lost: the silent value when it counts against the declaring side; the same when
            left out.
        announced_lost: the announced value likewise.
    """

    silent: int
    announced: int = 0
    silent_lost: int | None = None
    announced_lost: int | None = None

    def value(self, *, announced: bool, lost: bool) -> int:
        """Return what the bonus is worth, without a sign."""
        won = self.announced if announced else self.silent
        against = self.announced_lost if announced else self.silent_lost
        return against if lost and against is not None else won


class MondPenalty(NamedTuple):
    """What a player pays by himself whose Mond does not win its trick.

    Attributes:
        value: the amount: written by its loser, or paid to every other player, as scores go.
        to_partner: whether it is also lost when one's own partner wins the trick.
        in_talon: whether the declarer loses it, too, by leaving it in the talon to the opponents.
    """

    value: int
    to_partner: bool = True
    in_talon: bool = True
