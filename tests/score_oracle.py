"""What the declarer scores under best play, over referee and settlement: the truth for `score`.

A short ending is played out in every way (`Tree`), so that one can also ask what it would be worth
under another scoring. For longer ones there is `can_score`, which decides whether a score can be
reached, and remembers positions without the order of their past; it is itself tested against the
tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trull.solver import Position
from trull.solver.cards import KINGS, TRULL
from trull.solver.position import Trick
from trull.solver.referee import TAKE, Referee, State
from trull.solver.settlement import Facts, Scoring, facts_of
from trull.solver.settlement.facts import birds_played, mond_lost

Tricks = tuple[Trick, ...]
"""The finished tricks on record."""


class TooLarge(Exception):
    """There are more ways to play an ending than may be searched."""


@dataclass(frozen=True, slots=True)
class End:
    """A finished deal: its facts, and the parts of the declarer's score."""

    facts: Facts
    parts: dict[str, int]


@dataclass(frozen=True, slots=True)
class Node:
    """A state to play from: who plays, and what each move leads to."""

    maximises: bool
    moves: dict[int, Node | End]


Worth = Callable[[End], int]


class Play:
    """The play of one position with its tricks on record."""

    def __init__(self, position: Position) -> None:
        self.referee = Referee(position)
        self.scoring = Scoring(position)
        self.past: Tricks = tuple(position.history or ())
        self._known: dict[tuple[object, ...], tuple[int, ...]] = {}

    def after(self, state: State, tricks: Tricks, move: int) -> tuple[State, Tricks]:
        """Return the state and the tricks after a move."""
        after = self.referee.play(state, move)
        if after.trick:
            return after, tricks
        return after, (*tricks, Trick(state.leader, (*state.trick, move % TAKE)))

    def moves(self, state: State) -> tuple[int, ...]:
        """Return the moves of a state; that a trump was seen matters to the lead of the Fool."""
        key = state.hand, state.trick, state.final, state.trump_seen, state.straw, state.player
        if key not in self._known:
            self._known[key] = self.referee.moves(state)
        return self._known[key]

    def end(self, state: State, tricks: Tricks) -> End:
        """Return the end that a state without cards left is."""
        facts = facts_of(self.referee, state, tricks)
        return End(facts, self.scoring.parts(facts))


class Tree:
    """Every way in which an ending can be played, with the facts in the end.

    Attributes:
        root: where play begins.
        ends: every end.
        scoring: what facts are worth.
    """

    def __init__(self, position: Position, most_ends: int) -> None:
        """Play everything out; raises `TooLarge` when there are more than `most_ends` ends."""
        self.ends: list[End] = []
        self._play = Play(position)
        self._most = most_ends
        self.scoring = self._play.scoring
        self.root = self._grow(self._play.referee.start, self._play.past)

    def _grow(self, state: State, tricks: Tricks) -> Node | End:
        play = self._play
        if play.referee.over(state):
            if len(self.ends) == self._most:
                raise TooLarge
            self.ends.append(play.end(state, tricks))
            return self.ends[-1]
        moves = {move: self._grow(*play.after(state, tricks, move)) for move in play.moves(state)}
        return Node(state.player in play.referee.side, moves)

    def score(self) -> int:
        """Return the score under best play by everyone."""
        return best(self.root, score_of)

    def card_scores(self) -> dict[int, int]:
        """Return the score after each legal card, with the best taking up of straw cards."""
        assert isinstance(self.root, Node)
        choose = max if self.root.maximises else min
        scores: dict[int, int] = {}
        for move, node in self.root.moves.items():
            score = best(node, score_of)
            scores[move % TAKE] = choose(score, scores.get(move % TAKE, score))
        return scores

    def best_end(self) -> End:
        """Return an end that best play leads to."""
        node, score = self.root, self.score()
        while isinstance(node, Node):
            node = next(after for after in node.moves.values() if best(after, score_of) == score)
        return node


def score_of(end: End) -> int:
    """Return what the declarer scores."""
    return sum(end.parts.values())


def best(node: Node | End, worth: Worth) -> int:
    """Return what best play is worth from a node on."""
    if isinstance(node, End):
        return worth(node)
    values = [best(after, worth) for after in node.moves.values()]
    return max(values) if node.maximises else min(values)


class Proof:
    """The test whether the declaring side can reach a score.

    Attributes:
        play: the play of the position.
    """

    def __init__(self, position: Position, most_nodes: int) -> None:
        """Begin; `can_score` raises `TooLarge` after `most_nodes` nodes."""
        self.play = Play(position)
        self._known: dict[tuple[object, ...], bool] = {}
        self._left = most_nodes
        called = 0 if position.called is None else 1 << position.called
        self._watched = TRULL | KINGS | called

    def can_score(self, state: State, tricks: Tricks, target: int) -> bool:
        """Return whether the score can be brought to `target` from a state on.

        Args:
            state: the state.
            tricks: the finished tricks on record before it.
            target: the score.
        """
        play = self.play
        if play.referee.over(state):
            return score_of(play.end(state, tricks)) >= target
        key = (*self._key(state, tricks), target) if not state.trick else ()
        if key in self._known:
            return self._known[key]
        self._left -= 1
        if self._left < 0:
            raise TooLarge
        following = (play.after(state, tricks, move) for move in play.moves(state))
        answers = (self.can_score(*after, target) for after in following)
        answer = any(answers) if state.player in play.referee.side else all(answers)
        if key:
            self._known[key] = answer
        return answer

    def _key(self, state: State, tricks: Tricks) -> tuple[object, ...]:
        """Return all of a state between tricks that play and settlement still depend on."""
        referee, left = self.play.referee, state.cards_left(state.leader)
        own = theirs = 0
        for seat, taken in enumerate(state.taken):
            own, theirs = (own | taken, theirs) if seat in referee.side else (own, theirs | taken)
        tricks_won = referee.side_tricks(state)
        return (
            *(state.hands, state.straw, state.leader, state.trump_seen),
            *(state.bird_won, state.excused, referee.side_points(state)),
            *(own & self._watched, theirs & self._watched),
            *(tricks_won, sum(state.tricks)),
            tuple(birds_played(referee, tricks, left)),
            mond_lost(referee, state, tricks, left),
        )
