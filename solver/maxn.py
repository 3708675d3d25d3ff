"""Max^n: endings of games in which every seat plays for its own settlement.

Where everyone plays alone, no seat's loss is another's only gain, so best play is an equilibrium:
each seat in its turn chooses what is best for itself, knowing that all others will do the same.
The search is plain Python over the referee, for short endings.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from trull.solver.cards import NAMES, format_cards
from trull.solver.interchange import copied
from trull.solver.position import Position
from trull.solver.question import Unsolvable
from trull.solver.referee import Referee, State
from trull.solver.settlement import Score, decimal, settle

if TYPE_CHECKING:
    from trull.solver.windows import RootCards

MOST_TRICKS = 5
"""The longest ending, in tricks, the one on the table included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaxnAnswer:
    """The result of an ending in which every seat plays for its own settlement.

    Attributes:
        position: the position that was solved.
        player: the seat to play, or `None` when no card is left.
        scores: the settlement of every seat.
        cards: for each legal card asked for, the player's own settlement after it is played.
        pv: the cards of best play from here, in order.
        nodes: cards played in the search.
        ms: milliseconds spent.
    """

    position: Position = field(repr=False)
    player: int | None
    scores: tuple[Score, ...]
    cards: Mapping[int, Score]
    pv: tuple[int, ...]
    nodes: int
    ms: float

    @property
    def value(self) -> Score:
        """The settlement of the seat to play; after the last card, of the seat that won it."""
        return self.scores[self.position.player]

    def to_dict(self) -> dict[str, object]:
        """Return the answer as the public JSON object; fractions become decimal numbers."""
        return copied(self.position) | {
            "objective": "score",
            "value": decimal(self.value),
            "unit": "score",
            "player": self.player,
            "cards": {NAMES[card]: decimal(score) for card, score in self.cards.items()},
            "maxn": [decimal(score) for score in self.scores],
            "pv": format_cards(self.pv),
            "exact": True,
            "nodes": self.nodes,
            "ms": round(self.ms, 1),
        }


def _never() -> bool:
    return False


def solve_maxn(
    position: Position,
    *,
    cards: RootCards = "all",
    seconds: float | None = None,
    nodes: int | None = None,
    stopped: Callable[[], bool] = _never,
) -> MaxnAnswer:
    """Solve an ending of a game of everyone in which each seat maximises its own settlement.

    Among cards that pay a seat the same it plays the one that leaves it the fewest card points
    in the end, and among those the one with the lowest card number. The answer rests on that
    choice: where a seat does not care, the others may.

    Args:
        position: an ending of at most `MOST_TRICKS` tricks.
        cards: value `all` legal cards, the `best` ones, or `none`.
        seconds: time limit.
        nodes: limit of cards played in the search.
        stopped: asked now and then whether to give up.

    Raises `Unsolvable` for a contract with a declaring side, for a longer ending, and when a
    limit ends the search, which proves nothing before its end.

    >>> from trull.solver import Position
    >>> ending = {"variant": "koenigrufen", "contract": "trischaken", "leader": 0,
    ...           "hands": ["T22 S7", "T21 S8", "T5 S9", "T2 S10"]}
    >>> solve_maxn(Position.from_dict(ending)).scores
    (-60, 20, 20, 20)
    """
    began = time.perf_counter()
    if position.rules.payment is None:
        raise Unsolvable(
            f"contract: {position.contract} is no game of everyone, which max^n is for"
        )
    left = max(position.cards_left)
    if left > MOST_TRICKS:
        raise Unsolvable(f"hands: {left} tricks to play, max^n solves at most {MOST_TRICKS}")
    referee = Referee(position)
    deadline = None if seconds is None else began + seconds
    search = _Search(referee, _Limits(deadline, nodes, stopped))
    start = referee.start
    after = search.after_each(start)
    result = search.outcome(start)
    best = result.scores[position.player]
    scores = {card: outcome.scores[position.player] for card, outcome in after.items()}
    return MaxnAnswer(
        position=position,
        player=None if referee.over(start) else position.player,
        scores=result.scores,
        cards={
            card: score
            for card, score in scores.items()
            if cards == "all" or (cards == "best" and score == best)
        },
        pv=search.line(start),
        nodes=search.nodes,
        ms=1000 * (time.perf_counter() - began),
    )


class _Limits(NamedTuple):
    """When to give up: a moment of `time.perf_counter`, a number of nodes, a wish from outside."""

    deadline: float | None
    nodes: int | None
    stopped: Callable[[], bool]

    def check(self, nodes: int) -> None:
        late = self.deadline is not None and time.perf_counter() >= self.deadline
        if late or self.stopped() or (self.nodes is not None and nodes >= self.nodes):
            raise Unsolvable("a limit ended the search, and max^n proves nothing before its end")


class _Outcome(NamedTuple):
    """How an ending ends: the settlement and the card points of every seat."""

    scores: tuple[Score, ...]
    points: tuple[int, ...]


class _Search:
    """Max^n from the states of one position."""

    def __init__(self, referee: Referee, limits: _Limits) -> None:
        self.nodes = 0
        self._referee = referee
        self._limits = limits
        self._known: dict[tuple[object, ...], _Outcome] = {}
        self._legal_known: dict[tuple[object, ...], tuple[int, ...]] = {}
        self._points_known: dict[tuple[int, int], int] = {}

    def outcome(self, state: State) -> _Outcome:
        """Return how it ends from a state when every seat plays its best."""
        if state.trick:
            return self._best(state)
        key = self._key(state)
        if key not in self._known:
            self._limits.check(self.nodes)
            self._known[key] = self._end(state) if self._referee.over(state) else self._best(state)
        return self._known[key]

    def after_each(self, state: State) -> dict[int, _Outcome]:
        """Return how it ends after each legal card, none when no card is left."""
        return {card: self._after(state, card) for card in self._legal(state)}

    def line(self, state: State) -> tuple[int, ...]:
        """Return the cards of best play."""
        cards = []
        while not self._referee.over(state):
            cards.append(self._choice(state)[0])
            state = self._referee.play(state, cards[-1])
        return tuple(cards)

    def _best(self, state: State) -> _Outcome:
        return self._choice(state)[1]

    def _choice(self, state: State) -> tuple[int, _Outcome]:
        """Return the card that the seat to play chooses, and how it ends then."""
        player = state.player

        def wish(choice: tuple[int, _Outcome]) -> tuple[Score, int, int]:
            card, outcome = choice
            return outcome.scores[player], -outcome.points[player], -card

        return max(((card, self._after(state, card)) for card in self._legal(state)), key=wish)

    def _after(self, state: State, card: int) -> _Outcome:
        self.nodes += 1
        return self.outcome(self._referee.play(state, card))

    def _end(self, state: State) -> _Outcome:
        return _Outcome(settle(self._referee, state), self._points(state))

    def _points(self, state: State) -> tuple[int, ...]:
        return tuple(self._points_of(state, seat) for seat in range(self._referee.seats))

    def _points_of(self, state: State, seat: int) -> int:
        key = seat, state.taken[seat]
        if key not in self._points_known:
            self._points_known[key] = self._referee.points(state, seat)
        return self._points_known[key]

    def _key(self, state: State) -> tuple[object, ...]:
        """Return all that decides further play and settlement at the beginning of a trick.

        How many talon cards are left follows from the hands.
        """
        won_any = tuple(map(bool, state.tricks))
        return state.hands, state.leader, self._points(state), won_any, state.trump_seen

    def _legal(self, state: State) -> tuple[int, ...]:
        """Return the legal cards; that a trump was seen matters to the lead of the Fool."""
        key = state.hand, state.trick, state.final, state.trump_seen
        if key not in self._legal_known:
            self._legal_known[key] = self._referee.legal(state)
        return self._legal_known[key]
