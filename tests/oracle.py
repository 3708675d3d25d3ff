"""Plain minimax over the referee: the truth that the kernel is tested against.

No bounds, no cuts, no equivalent cards; a state that was seen is remembered, nothing else. An
ending of three tricks takes a fraction of a second, one of four some seconds.
"""

from __future__ import annotations

from collections.abc import Callable

from trull.solver.referee import Objective, Referee, State

Values = dict[int, int]


def best(referee: Referee, state: State, objective: Objective) -> int:
    """Return the declaring side's result under best play by everyone.

    The declaring side maximises it; in games in which the declarer wants few tricks, it
    minimises `points` and `tricks`. `made` is 0 or 1.
    """
    return _search(referee, objective)(state)


def card_values(referee: Referee, state: State, objective: Objective) -> Values:
    """Return for each legal card the declaring side's result after it is played."""
    search = _search(referee, objective)
    return {card: search(referee.play(state, card)) for card in referee.legal(state)}


def fewest(referee: Referee, state: State, seat: int) -> tuple[int, Values]:
    """Return the fewest points that `seat` can hold itself to against all others together.

    With it comes the same number after each legal card of the player to move. It is for games
    of everyone alone, in the variant's exact unit.
    """
    search = _minimax(
        referee,
        worth=lambda end: referee.points(end, seat),
        maximises=lambda player: player != seat,
    )
    values = {card: search(referee.play(state, card)) for card in referee.legal(state)}
    return search(state), values


def _search(referee: Referee, objective: Objective) -> Callable[[State], int]:
    few = objective != "made" and referee.rules.goal in ("at_most", "exactly")
    return _minimax(
        referee,
        worth=lambda end: int(referee.value(end, objective)),
        maximises=lambda player: (player in referee.side) != few,
    )


def _minimax(
    referee: Referee, worth: Callable[[State], int], maximises: Callable[[int], bool]
) -> Callable[[State], int]:
    known: dict[State, int] = {}

    def search(state: State) -> int:
        if referee.over(state):
            return worth(state)
        if state not in known:
            values = [search(referee.play(state, card)) for card in referee.legal(state)]
            known[state] = max(values) if maximises(referee.player(state)) else min(values)
        return known[state]

    return search
