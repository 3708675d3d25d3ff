"""Claims: is a side sure of so much, whatever the others play?"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal

from trull.solver import cards
from trull.solver.interchange import copied
from trull.solver.kernel.engine import Engine, Measure
from trull.solver.position import Position
from trull.solver.question import Question, Unsolvable, declarer_question, pool, seat_question
from trull.solver.referee import TAKE, Referee, State
from trull.solver.windows import Search, Stopped

Side = Literal["declarers", "opponents"] | int


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What came of a claim.

    Attributes:
        position: the position.
        side: who claims: the `declarers`, the `opponents`, or a seat where everyone is alone.
        measure: what is claimed, `points` or `tricks`.
        claimed: how much, with what the side has already.
        at_most: whether that is the most that the side will take, not the least.
        safe: whether the side can do that well against any play; `None` when a limit left it
            open.
        sure: what the side is sure of, once its claim is refuted and as far as proven.
        refutation: the cards of one line on which both sides play their best, with that result.
        taken_up: Scarecrow: how many straw cards are taken up after each card of `refutation`.
        nodes: positions visited.
        ms: milliseconds spent.
    """

    position: Position = field(repr=False)
    side: Side
    measure: Measure
    claimed: int
    at_most: bool
    safe: bool | None
    sure: int | None = None
    refutation: tuple[int, ...] = ()
    taken_up: tuple[int, ...] = ()
    nodes: int
    ms: float

    @property
    def unit(self) -> str:
        """The unit of what is claimed: `thirds`, `face` or `tricks`."""
        return self.position.book.unit if self.measure == "points" else "tricks"

    def total(self, referee: Referee, state: State) -> int:
        """Return what the side that claims has in a state, in the unit of the claim."""
        seats = self._seats(referee)
        if self.measure == "tricks":
            return sum(state.tricks[seat] for seat in seats)
        if self.side == "declarers":
            return referee.side_points(state)
        points = sum(referee.points(state, seat) for seat in seats)
        if self.side != "opponents" or referee.rules.talon == "aside":
            return points
        return points + referee.weight(cards.to_mask(state.talon) & ~referee.credited(state))

    def _seats(self, referee: Referee) -> frozenset[int]:
        if isinstance(self.side, int):
            return frozenset([self.side])
        others = frozenset(range(referee.seats)) - referee.side
        return referee.side if self.side == "declarers" else others

    def to_dict(self) -> dict[str, object]:
        """Return the claim as a JSON object in the manner of an answer."""
        refuted = {
            "sure": self.sure,
            "refutation": cards.format_cards(self.refutation),
            **({"taken_up": list(self.taken_up)} if self.taken_up else {}),
        }
        return copied(self.position) | {
            "side": self.side,
            "claim": "at most" if self.at_most else "at least",
            self.measure: self.claimed,
            "unit": self.unit,
            "safe": self.safe,
            **(refuted if self.sure is not None else {}),
            "nodes": self.nodes,
            "ms": round(self.ms, 1),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRequest:
    """A claim to check in each position; arguments as for `check_claim`."""

    side: Side = "declarers"
    points: int | None = None
    tricks: int | None = None
    nodes: int | None = None

    def answer(self, engine: Engine, position: Position) -> Claim:
        """Return what comes of the claim, found in an engine, or raise `Unsolvable`."""
        began = time.perf_counter()
        measure, claimed = self._claimed()
        total = _question(position, self.side, measure)
        decision = _decision(position, self.side, claimed, total)
        engine.begin(self.nodes)
        verdict = _search(engine, position, decision, pv=False)
        safe = bool(verdict.lower) if verdict.lower == verdict.upper else None
        line: list[int] = []
        sure = None
        if safe is False:
            best = _search(engine, position, total, pv=True)
            if best.lower == best.upper:
                line, sure = best.pv, int(best.lower)
                if self.side == "opponents":
                    sure = pool(position, measure) - sure
        return Claim(
            position=position,
            side=self.side,
            measure=measure,
            claimed=claimed,
            at_most=total.counting != total.maximising,
            safe=safe,
            sure=sure,
            refutation=tuple(move % TAKE for move in line),
            taken_up=tuple(move // TAKE for move in line) if any(position.straw) else (),
            nodes=engine.nodes,
            ms=1000 * (time.perf_counter() - began),
        )

    def _claimed(self) -> tuple[Measure, int]:
        given: list[tuple[Measure, int]] = []
        if self.points is not None:
            given.append(("points", self.points))
        if self.tricks is not None:
            given.append(("tricks", self.tricks))
        if len(given) != 1:
            raise Unsolvable("claim: expected either points or tricks")
        ((measure, claimed),) = given
        if claimed < 0:
            raise Unsolvable(f"{measure}: {claimed} claimed, expected 0 or more")
        return measure, claimed


def check_claim(
    position: Position,
    side: Side = "declarers",
    *,
    points: int | None = None,
    tricks: int | None = None,
    nodes: int | None = None,
    memory: float = 64,
) -> Claim:
    """Decide whether a side is sure of what it claims, and show a refutation if it is not.

    A claim is of at least so much; where the declarer, or everyone, plays for little, a claim of
    either side is of at most so much.

    Args:
        position: the position.
        side: `declarers` or `opponents`; a seat number where everyone plays alone.
        points: card points claimed, in the variant's exact unit, with what the side has already.
        tricks: or tricks claimed, likewise. Exactly one of the two is given.
        nodes: node limit.
        memory: size of the transposition table in MB.

    Raises `Unsolvable` for a side that the contract does not have, and unless one of `points`
    and `tricks` is given.

    >>> from trull.solver import Position
    >>> ending = Position.from_dict({
    ...     "variant": "koenigrufen", "contract": "dreier", "declarer": 0, "leader": 0,
    ...     "hands": ["T22 SK", "T21 SQ", "T5 S8", "T2 C7"],
    ... })
    >>> check_claim(ending, tricks=2).safe, check_claim(ending, "opponents", tricks=1).safe
    (True, False)
    """
    request = ClaimRequest(side=side, points=points, tricks=tricks, nodes=nodes)
    return request.answer(Engine(memory), position)


def _search(engine: Engine, position: Position, question: Question, *, pv: bool) -> Search:
    """Return a search about a question, run as far as the limits let it."""
    question.load(engine, position)
    search = Search(engine, Referee(position), question)
    with suppress(Stopped):
        search.run("none", pv)
    return search


def _question(position: Position, side: Side, measure: Measure) -> Question:
    """Return the question how much the declaring side, or the seat that claims, takes."""
    if position.rules.sides != "everyone":
        if side not in ("declarers", "opponents"):
            raise Unsolvable(f"side: expected declarers or opponents, got {side!r}")
        return declarer_question(position, measure)
    if side not in range(position.seats):
        raise Unsolvable(f"side: expected a seat from 0 to {position.seats - 1}, got {side!r}")
    question = seat_question(position, int(side), "points")
    if measure == "points":
        return question
    past = position.tricks_won[int(side)]
    return replace(question, objective="tricks", measure="tricks", unit="tricks", past=past)


def _decision(position: Position, side: Side, claimed: int, question: Question) -> Question:
    """Return the question whose answer is whether the claim is safe."""
    few = question.counting != question.maximising
    threshold = claimed
    if side == "opponents":
        # What they claim is what the declaring side leaves them.
        few = not few
        threshold = pool(position, question.measure) - claimed
    if few:
        threshold += 1
    return replace(question, objective="made", threshold=threshold, few=few)
