"""The objective `score`: what the declarer writes, silent bonuses and step functions included.

Whether the declarer can score at least T is a question about a sum, like all others. The score
depends on the declaring side's points and on the *facts* of the deal (see `kernel.facts`); with
the facts given it never falls when the points rise. So for every word of facts there is a number
of points that T takes, and reaching T means that the points, plus what the facts are worth
against that number, reach one fixed target:

    points >= needed(facts)   <=>   points + (reference - needed(facts)) >= reference.

The kernel adds the worth of the facts at the end of the deal as it adds the worth of tricks. The
scores that can come out at all are few and known beforehand; the search for the value runs over
their list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from trull.solver import cards
from trull.solver.kernel import facts as word
from trull.solver.kernel.engine import Engine, FactRules
from trull.solver.position import Position
from trull.solver.question import Objective, Question, Value, declarer_question, points_so_far, pool
from trull.solver.referee import Referee
from trull.solver.rules import BIRDS
from trull.solver.settlement import Bird, Facts, Scoring
from trull.solver.settlement.facts import birds_played, called_king_lost, king_ultimo, mond_lost

Array = np.ndarray[Any, np.dtype[np.int32]]

_SIDES = {0: 0, 1: 1, 2: -1, 3: 0}  # what two bits of a set, or of tricks, say: whose it is


class _Field(NamedTuple):
    """A part of the word of facts: its first bit, and a change of the facts for each code."""

    shift: int
    changes: tuple[dict[str, Any], ...]
    settles: bool  # code 0 becomes another one for good; else bits are added


def score_question(position: Position) -> Question | ScoreQuestion:
    """Return the question what the declarer of a game with a declaring side scores."""
    if position.rules.goal == "majority":
        return ScoreQuestion(position)
    scoring = Scoring(position)
    lost, made = (scoring.declarer(Facts(points=0, tricks=0, made=made)) for made in (False, True))
    question = declarer_question(position, "made")
    return replace(question, objective="score", unit="score", scores=(lost, made))


class ScoreQuestion:
    """What the declarer scores in a majority game; sums are places in `values`.

    Attributes:
        values: every score that can come out, in ascending order.
        counting: the declaring side.
        maximising: the same.
        threshold: none.
    """

    objective: Objective = "score"
    unit = "score"
    threshold: int | None = None

    def __init__(self, position: Position) -> None:
        """Find out which facts matter in a position and what they are worth."""
        self.position = position
        self.counting = self.maximising = position.side
        self._referee = Referee(position)
        self._scoring = Scoring(position)
        self._past, self._term = points_so_far(position, self._referee)
        self._most = pool(position, "points")
        self._facts = self._facts_so_far()
        self._fields = [field for field in self._candidates() if self._matters(field)]
        self._start = self._start_word()
        self._target: int | None = None
        self.values = self._possible_scores()

    # --- What the search asks ---

    def load(self, engine: Engine, position: Position) -> None:
        """Load the position into an engine with the facts that matter."""
        engine.load(position, "points", self.counting, self.maximising)
        if self._term is not None:
            engine.add_term(*self._term)
        engine.add_facts(self._rules())
        self._target = None

    def limits(self, engine: Engine) -> tuple[int, int]:
        """Return the first and the last place of `values`."""
        return 0, len(self.values) - 1

    def reach(self, engine: Engine, target: int, line: Sequence[int], extra: int = 0) -> int:
        """Return `target` if the declarer can score `values[target]` after `line`, else less.

        `extra` is what the declaring side has besides the points of the position.
        """
        if target != self._target:
            engine.set_worth(target, self._words, *self._worth(self.values[target]))
            self._target = target
        reference = self._most + 1 - self._past - extra
        return target if engine.reach(reference, line) >= reference else target - 1

    def answer(self, total: int) -> Value:
        """Return the score at a place of `values`."""
        return self.values[total]

    # --- Which facts matter ---

    def _facts_so_far(self) -> Facts:
        """Return what the finished tricks on record have settled for good."""
        tricks, left = self.position.history or (), self._left
        pending_mond = self._term is not None and cards.MOND in self.position.talon
        lost = mond_lost(self._referee, self._referee.before_trick, tricks, left)
        return Facts(
            points=0,
            tricks=0,
            made=False,
            birds=dict(birds_played(self._referee, tricks, left)),
            king_ultimo=king_ultimo(self._referee, tricks) if not left else 0,
            mond_lost=None if pending_mond else lost,
            called_king_lost=called_king_lost(self._referee, self._referee.before_trick),
        )

    @cached_property
    def _left(self) -> int:
        return max(self.position.cards_left)

    def _holder(self, card: int) -> int | None:
        hands = self._referee.before_trick.hands
        straw = [
            cards.to_mask(card for stack in stacks for card in stack)
            for stacks in self.position.straw
        ] or [0] * len(hands)
        holders = (seat for seat, hand in enumerate(hands) if (hand | straw[seat]) >> card & 1)
        return next(holders, None)

    def _candidates(self) -> list[_Field]:
        sets = (("trull", word.TRULL), ("kings", word.KINGS), ("valat", word.TRICKS))
        fields = [
            _Field(shift, tuple({name: _SIDES[code]} for code in range(4)), False)
            for name, shift in sets
        ]
        for number, (name, card) in enumerate(BIRDS.items()):
            holder = self._holder(card)
            if holder is not None and self._left > number:
                side = 1 if holder in self.counting else -1
                won, lost = (
                    {"birds": {**self._facts.birds, name: Bird(side, wins)}}
                    for wins in (True, False)
                )
                fields.append(_Field(word.BIRDS + 2 * number, ({}, won, lost, {}), True))
        called, declarer = self._referee.called, self._referee.declarer
        if called is not None and self._holder(called) is not None:
            ultimo: tuple[dict[str, Any], ...]
            ultimo = ({}, {"king_ultimo": 1}, {"king_ultimo": -1}, {})
            fields.append(_Field(word.ULTIMO, ultimo, True))
            fields.append(_Field(word.KING, ({}, {"called_king_lost": True}), False))
        if self._guards_mond or self._term is not None:
            fields.append(_Field(word.MOND, ({}, {"mond_lost": declarer}), False))
        return fields

    @property
    def _guards_mond(self) -> bool:
        """Whether the declarer can still lose a Mond of his own."""
        return self._holder(cards.MOND) is not None and (
            self._holder(cards.MOND) == self._referee.declarer
        )

    def _matters(self, field: _Field) -> bool:
        return any(
            self._score(points, valat, change) != self._score(points, valat, field.changes[0])
            for change in field.changes
            for points in (0, self._most)
            for valat in (0, 1, -1)
        )

    def _score(self, points: int, valat: int, change: dict[str, Any]) -> int:
        made = points >= self.position.book.threshold
        rest = self._most - points
        facts = replace(self._facts, points=points, their_points=rest, made=made, valat=valat)
        return int(self._scoring.declarer(replace(facts, **change)))

    def _rules(self) -> FactRules:
        """Return what the kernel has to watch."""
        shifts = {field.shift for field in self._fields}
        rules, called = self.position.rules, self._referee.called
        birds = [
            (card, number + 1) if word.BIRDS + 2 * number in shifts else None
            for number, card in enumerate(BIRDS.values())
        ]
        ultimo = (called, 1) if called is not None and word.ULTIMO in shifts else None
        talon = cards.to_mask(self.position.talon)
        sets = (
            (talon & cards.TRULL != 0) << word.TRULL | (talon & cards.KINGS != 0) << word.KINGS
        ) & self._watched
        return FactRules(
            start=self._start,
            tricks=word.TRICKS in shifts,
            trull=word.TRULL in shifts,
            kings=word.KINGS in shifts,
            birds=(*birds, ultimo),
            guarded_mond=word.MOND in shifts and self._guards_mond,
            mond_counts_side=rules.mond is not None and not rules.mond.to_partner,
            guarded_king=called if word.KING in shifts else None,
            talon_king=None if self._term is None else self._term.card,
            talon_sets=sets,
            talon_lost=(talon >> cards.MOND & 1 and word.MOND in shifts) << word.MOND,
        )

    def _start_word(self) -> int:
        """Return the word of facts before the first card of the search."""
        state, start = self._referee.before_trick, 0
        outstanding = 0
        for seat in range(self.position.seats):
            outstanding |= state.hands[seat]
        own, theirs = self._referee.credited(state), 0
        pending = cards.to_mask(state.talon) if self._term is not None else 0
        if not pending and self.position.rules.talon != "aside":
            theirs = cards.to_mask(state.talon) & ~own
        for seat in range(self.position.seats):
            won = state.taken[seat] | self._referee.discards[seat]
            own, theirs = (own | won, theirs) if seat in self.counting else (own, theirs | won)
        absent = cards.ALL_CARDS & ~(outstanding | own | theirs | pending | self._straw)
        for shift, members in ((word.TRULL, cards.TRULL), (word.KINGS, cards.KINGS)):
            code = (members & (own | absent) != 0) | (members & (theirs | absent) != 0) << 1
            start |= code << shift
        tricks = self._referee.side_tricks(state)
        start |= ((tricks > 0) | (sum(state.tricks) > tricks) << 1) << word.TRICKS
        return start & self._watched

    @cached_property
    def _watched(self) -> int:
        """The bits of the word that matter."""
        return sum((len(field.changes) - 1) << field.shift for field in self._fields)

    @cached_property
    def _straw(self) -> int:
        stacks = (stack for stacks in self.position.straw for stack in stacks)
        return cards.to_mask(card for stack in stacks for card in stack)

    # --- What they are worth ---

    def _mesh(self, values: Callable[[_Field], Sequence[int]]) -> Array:
        """Return the sums of one value a field, for every combination of codes."""
        mesh: Array = np.zeros((), np.int32)
        for field in self._fields:
            mesh = np.add.outer(mesh, np.array(values(field), np.int32))
        return mesh

    @cached_property
    def _words(self) -> Array:
        """Every word of facts that can occur."""
        codes = self._mesh(lambda field: [c << field.shift for c in range(len(field.changes))])
        return codes.ravel()

    @cached_property
    def _valats(self) -> Array:
        """Who would have every trick, by word."""
        sides: Array = np.array([_SIDES[code] for code in range(4)], np.int32)
        valats: Array = sides[(self._words >> word.TRICKS) & 3]
        return valats

    @cached_property
    def _game(self) -> dict[int, Array]:
        """What the game pays for every number of points, by who has every trick."""
        points = range(self._most + 1)
        game = {v: np.array([self._score(p, v, {}) for p in points]) for v in (0, 1, -1)}
        assert all((np.diff(scores) >= 0).all() for scores in game.values())
        return game

    @cached_property
    def _bonus(self) -> Array:
        """What the facts pay besides, by word."""
        bonus = np.zeros(self._words.size, np.int32)
        for valat in (0, 1, -1):
            base = self._score(0, valat, {})

            def paid(field: _Field, valat: int = valat, base: int = base) -> list[int]:
                if field.shift == word.TRICKS:
                    return [0] * len(field.changes)
                return [self._score(0, valat, change) - base for change in field.changes]

            here = self._valats == valat
            bonus[here] = self._mesh(paid).ravel()[here]
        return bonus

    def _possible_scores(self) -> list[int]:
        scores: set[int] = set()
        for valat in (0, 1, -1):
            bonuses = np.unique(self._bonus[self._valats == valat])
            scores |= {int(s) for s in np.add.outer(np.unique(self._game[valat]), bonuses).ravel()}
        return sorted(scores)

    def _worth(self, score: int) -> tuple[Array, Array, Array]:
        """Return for every word what it is worth in points against `score`.

        That is its worth at the end of the deal, and the least and the most that it can still
        become.
        """
        needed = np.zeros(self._words.size, np.int32)
        for valat in (0, 1, -1):
            here = self._valats == valat
            needed[here] = np.searchsorted(self._game[valat], score - self._bonus[here])
        leaf = (self._most + 1 - needed).astype(np.int32)
        return leaf, self._extreme(leaf, np.minimum), self._extreme(leaf, np.maximum)

    def _extreme(self, leaf: Array, pick: np.ufunc) -> Array:
        """Return the least or the most that every word can become, one field after another."""
        mesh = leaf.reshape([len(field.changes) for field in self._fields]).copy()
        for axis, field in enumerate(self._fields):
            codes = np.moveaxis(mesh, axis, 0)  # a view
            if len(field.changes) == 2:
                codes[0] = pick(codes[0], codes[1])
            elif field.settles:
                codes[0] = pick.reduce(codes, axis=0)
            else:
                codes[0] = pick.reduce(codes, axis=0)
                codes[1] = pick(codes[1], codes[3])
                codes[2] = pick(codes[2], codes[3])
        flat: Array = mesh.ravel()
        return flat
