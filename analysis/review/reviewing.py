"""From a played game to its review."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trull.analysis.review.course import Course, Tick, course
from trull.analysis.review.game import Game, game_of
from trull.analysis.review.record import PlayedCard, Review
from trull.analysis.words import is_complete
from trull.solver.api import DEFAULT_MEMORY, answer_each
from trull.solver.kernel.engine import Engine
from trull.solver.position import Position
from trull.solver.question import (
    Objective,
    Question,
    Unsolvable,
    declarer_question,
    seat_question,
)
from trull.solver.score_question import ScoreQuestion, score_question

Progress = Callable[[Position, int, int], None]
"""Is told how many of how many values of a game are found."""


def _ignore(_position: Position, _found: int, _wanted: int) -> None:
    """Watch nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRequest:
    """What to find out about each game.

    Attributes:
        objective: `points`, `tricks`, `made` or `score`; `None` asks for the contract's own.
        progress: is told how far each review is.
    """

    objective: Objective | None = None
    progress: Progress = _ignore

    def answer(self, engine: Engine, position: Position) -> Review:
        """Return the review of the game that has come to a position, or raise `Unsolvable`."""
        began = time.perf_counter()
        game = game_of(position)
        questions = _questions(game.start, self.objective)
        engine.begin()
        tick = self._ticker(position, len(questions) * (len(game.line) + 1))
        seats = range(position.seats)
        judged = [seats] if len(questions) == 1 else [[seat] for seat in seats]
        courses = [
            course(engine, question, game, own, tick)
            for question, own in zip(questions, judged, strict=True)
        ]
        verdicts = _verdicts(engine, game, courses[0])
        return Review(
            game=game,
            objective=questions[0].objective,
            unit=questions[0].unit,
            courses=tuple(found.values for found in courses),
            verdicts=verdicts,
            cards=_played_cards(game, courses),
            nodes=engine.nodes,
            ms=1000 * (time.perf_counter() - began),
        )

    def _ticker(self, position: Position, wanted: int) -> Tick:
        found = 0

        def tick() -> None:
            nonlocal found
            found += 1
            self.progress(position, found, wanted)

        return tick


def review(
    position: Position,
    objective: Objective | None = None,
    *,
    memory: float = DEFAULT_MEMORY,
) -> Review:
    """Review a played game: the value before and after every card, and what each card cost.

    All values assume that everyone sees all cards from then on. What was laid away is not judged.

    Args:
        position: the position that the game has come to, with its `history`.
        objective: `points`, `tricks`, `made` or `score`; by default the contract's own. In games
            of everyone a card is judged by the fewest points that its player's seat can hold
            itself to.
        memory: size of the transposition table in MB.

    Raises `Unsolvable` when no card is on record, for Scarecrow, and for an objective that the
    contract does not have. An interrupt stops the search at once and is raised again.

    >>> from trull.solver import Position
    >>> ending = Position.from_dict({
    ...     "variant": "koenigrufen", "contract": "dreier", "declarer": 0,
    ...     "hands": ["T22", "T21", "T5", "C7"], "tricks_won": [0, 0, 0, 1], "leader": 3,
    ...     "history": [{"leader": 0, "cards": "SK SQ S8 T2"}],
    ... })
    >>> [(card.before, card.after, card.cost) for card in review(ending).cards]
    [(53, 28, 25), (28, 28, 0), (28, 28, 0), (28, 28, 0)]
    """
    items: list[Position | Unsolvable] = [position]
    (outcome,) = answer_each(items, ReviewRequest(objective=objective), memory=memory)
    if isinstance(outcome, Unsolvable):
        raise outcome
    return outcome


def _questions(
    start: Position, objective: Objective | None
) -> Sequence[Question] | Sequence[ScoreQuestion | Question]:
    """Return what is asked about a game; in a game of everyone one question a seat."""
    if start.rules.sides == "everyone":
        return [seat_question(start, seat, objective) for seat in range(start.seats)]
    if objective == "score":
        return [score_question(start)]
    return [declarer_question(start, objective)]


def _verdicts(engine: Engine, game: Game, found: Course) -> tuple[bool, ...] | None:
    """Return whether the contract is made before the first card, and after every card.

    It follows from the values where they are sums of the same kind, else it is searched for. In
    an exercise cards are missing that may decide it.
    """
    question = found.question
    if question.objective == "made":
        return tuple(map(bool, found.values))
    if game.start.rules.sides == "everyone" or not is_complete(game.start):
        return None
    wanted = declarer_question(game.start, "made")
    if not _same_sum(question, wanted):
        found = course(engine, wanted, game, (), lambda: None)
    return tuple(bool(wanted.answer(total)) for total in found.sums)


def _same_sum(one: Question | ScoreQuestion, other: Question) -> bool:
    """Return whether two questions are about the same sum, the first about all of it."""
    if isinstance(one, ScoreQuestion) or one.threshold is not None:
        return False
    names = ("measure", "counting", "maximising", "past", "exactly", "term")
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _played_cards(game: Game, courses: Sequence[Course]) -> tuple[PlayedCard, ...]:
    """Return the cards of a game as the courses value them."""
    cards = []
    values = [found.values for found in courses]
    for place, card in enumerate(game.line):
        seat = game.states[place].player
        own = seat if len(courses) > 1 else 0
        before, after = values[own][place : place + 2]
        cards.append(
            PlayedCard(
                number=place + 1,
                trick=game.first_trick + place // game.start.seats,
                seat=seat,
                card=card,
                before=before,
                after=after,
                cost=abs(int(after) - int(before)),
                better=courses[own].better.get(place, ()),
            )
        )
    return tuple(cards)
