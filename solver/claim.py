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
from trull.solver.referee import TAKE, Referee
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
        safe: whether the side can do that well against any play; `None` when a limit left it
            open.
        refutation: cards of one line on which the side, playing its best, does worse.
        nodes: positions visited.
        ms: milliseconds spent.
    """

    position: Position = field(repr=False)
    side: Side
    measure: Measure
    claimed: int
    safe: bool | None
    refutation: tuple[int, ...]
    nodes: int
    ms: float

    def to_dict(self) -> dict[str, object]:
        """Return the claim as a JSON object in the manner of an answer."""
        return copied(self.position) | {
            "side": self.side,
            self.measure: self.claimed,
            "safe": self.safe,
            "refutation": cards.format_cards(self.refutation),
            "nodes": self.nodes,
            "ms": round(self.ms, 1),
        }


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

    A claim is of at least so much; where the declarer, or everyone, plays for little, it is of
    at most so much for the side that claims.

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
    began = time.perf_counter()
    if (points is None) == (tricks is None):
        raise Unsolvable("claim: expected either points or tricks")
    measure: Measure = "tricks" if points is None else "points"
    claimed = tricks if points is None else points
    assert claimed is not None
    question = _question(position, side, measure, claimed)
    engine = Engine(memory)
    engine.begin(nodes)
    question.load(engine, position)
    search = Search(engine, Referee(position), question)
    with suppress(Stopped):
        search.run("none", pv=False)
        if not search.upper:
            search.run("none", pv=True)
    return Claim(
        position=position,
        side=side,
        measure=measure,
        claimed=claimed,
        safe=bool(search.lower) if search.lower == search.upper else None,
        refutation=tuple(move % TAKE for move in search.pv),
        nodes=engine.nodes,
        ms=1000 * (time.perf_counter() - began),
    )


def _question(position: Position, side: Side, measure: Measure, claimed: int) -> Question:
    """Return the question whose answer is whether the claim is safe."""
    if position.rules.sides == "everyone":
        if side not in range(position.seats):
            raise Unsolvable(f"side: expected a seat from 0 to {position.seats - 1}, got {side!r}")
        question = seat_question(position, int(side), measure)
        return replace(question, objective="made", threshold=claimed + 1, few=True)
    if side not in ("declarers", "opponents"):
        raise Unsolvable(f"side: expected declarers or opponents, got {side!r}")
    question = declarer_question(position, measure)
    much = question.counting == question.maximising
    if side == "declarers":
        # At least the claim, or less than one more.
        threshold = claimed if much else claimed + 1
        return replace(question, objective="made", threshold=threshold, few=not much)
    rest = pool(position, measure) - claimed
    threshold = rest + 1 if much else rest
    return replace(question, objective="made", threshold=threshold, few=much)
