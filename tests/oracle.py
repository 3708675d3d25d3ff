"""Plain minimax over the referee: the truth that the kernel is tested against.

No bounds, no cuts, no equivalent cards; a state that was seen is remembered, nothing else. An
ending of three tricks takes some milliseconds, one of four some tenths of a second.

For longer endings there are `can_reach` and `can_make`: they decide whether a sum can be reached
or a contract made, look at no more moves than that takes, and remember positions without their
past. They are themselves tested against plain minimax.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from trull.solver.cards import from_mask
from trull.solver.position import Position
from trull.solver.referee import TAKE, Objective, Referee, State

Values = dict[int, int]
Measure = Literal["points", "tricks"]
Visit = Callable[[State], None]
"""What to do with a state that is searched."""


def best(referee: Referee, state: State, objective: Objective) -> int:
    """Return the declaring side's result under best play by everyone.

    The declaring side maximises it; in games in which the declarer wants few tricks, it
    minimises `points` and `tricks`. `made` is 0 or 1.
    """
    return _search(referee, objective)(state)


def card_values(
    referee: Referee, state: State, objective: Objective, visit: Visit | None = None
) -> Values:
    """Return for each legal card the declaring side's result after it is played.

    What its player takes up after it (Scarecrow) is his best choice.
    """
    search = _search(referee, objective, visit)
    search(state)
    choose = max if _maximises(referee, objective)(state.player) else min
    values: Values = {}
    for move in referee.moves(state):
        value = search(referee.play(state, move))
        values[move % TAKE] = choose(value, values.get(move % TAKE, value))
    return values


def fewest(
    referee: Referee, state: State, seat: int, visit: Visit | None = None
) -> tuple[int, Values]:
    """Return the fewest points that `seat` can hold itself to against all others together.

    With it comes the same number after each legal card of the player to move. It is for games
    of everyone alone, in the variant's exact unit.
    """
    search = _minimax(
        referee,
        worth=lambda end: referee.points(end, seat),
        maximises=lambda player: player != seat,
        visit=visit,
    )
    total = search(state)
    return total, {card: search(referee.play(state, card)) for card in referee.legal(state)}


def can_reach(
    position: Position, measure: Measure, seat: int | None = None, visit: Visit | None = None
) -> Callable[[State, int], bool]:
    """Return the test whether the maximisers can bring a sum to a target from a state.

    Args:
        position: the position that the states come from.
        measure: the sum: `points` or `tricks`, past and credit included.
        seat: in games of everyone the seat whose points are summed up, which wants few of them;
            else the sum is that of the declaring side.
        visit: what to do with every state that is looked into.
    """
    referee, weights = Referee(position), position.book.weights
    few = seat is not None or referee.rules.goal in ("at_most", "exactly")
    counting = referee.side if seat is None else {seat}
    known: dict[object, bool] = {}

    def total(state: State) -> int:
        if seat is not None:
            return referee.points(state, seat)
        return referee.side_points(state) if measure == "points" else referee.side_tricks(state)

    def at_stake(state: State) -> int:
        if measure == "tricks":
            return state.cards_left(state.leader) + bool(state.trick)
        straw = (card for stacks in state.straw for stack in stacks for card in stack)
        in_hand = (card for hand in state.hands for card in from_mask(hand))
        return sum(weights[card] for card in (*in_hand, *straw, *state.trick, *state.talon))

    def reached(state: State, missing: int) -> bool:
        if missing <= 0 or referee.over(state) or missing > at_stake(state):
            return missing <= 0
        key = (*_without_past(state), missing)
        if key not in known:
            if visit is not None:
                visit(state)
            now = total(state)
            following = (referee.play(state, move) for move in referee.moves(state))
            answers = (reached(after, missing - total(after) + now) for after in following)
            known[key] = any(answers) if (state.player in counting) != few else all(answers)
        return known[key]

    return lambda state, target: reached(state, target - total(state))


def can_make(position: Position, visit: Visit | None = None) -> Callable[[State], bool]:
    """Return the test whether the declaring side can fulfil its contract from a state.

    Args:
        position: the position that the states come from.
        visit: what to do with every state that is looked into.
    """
    referee = Referee(position)
    known: dict[object, bool] = {}

    def count(state: State) -> int:
        majority = referee.rules.goal == "majority"
        return referee.side_points(state) if majority else referee.side_tricks(state)

    def made(state: State) -> bool:
        if referee.over(state):
            return referee.made(state)
        key = (*_without_past(state), state.bird_won, state.excused, count(state))
        if key not in known:
            if visit is not None:
                visit(state)
            answers = (made(referee.play(state, move)) for move in referee.moves(state))
            known[key] = any(answers) if state.player in referee.side else all(answers)
        return known[key]

    return made


def _without_past(state: State) -> tuple[object, ...]:
    """Return what further play depends on."""
    return (state.hands, state.straw, state.trick, state.leader, state.trump_seen)


def _maximises(referee: Referee, objective: Objective) -> Callable[[int], bool]:
    few = objective != "made" and referee.rules.goal in ("at_most", "exactly")
    return lambda player: (player in referee.side) != few


def _search(
    referee: Referee, objective: Objective, visit: Visit | None = None
) -> Callable[[State], int]:
    return _minimax(
        referee,
        worth=lambda end: int(referee.value(end, objective)),
        maximises=_maximises(referee, objective),
        visit=visit,
    )


def _minimax(
    referee: Referee,
    worth: Callable[[State], int],
    maximises: Callable[[int], bool],
    visit: Visit | None = None,
) -> Callable[[State], int]:
    known: dict[State, int] = {}

    def search(state: State) -> int:
        if referee.over(state):
            return worth(state)
        if state not in known:
            values = [search(referee.play(state, move)) for move in referee.moves(state)]
            known[state] = max(values) if maximises(referee.player(state)) else min(values)
            if visit is not None:
                visit(state)
        return known[state]

    return search
