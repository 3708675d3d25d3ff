"""Par: the contract that best bidding reaches, from what every contract pays to every seat.

With open cards the auction is a game of finitely many calls that hides nothing, in which each
seat wants as much for itself as it can get. Backward induction solves it: a seat makes the call
whose outcome pays it most, given that all later calls are made in the same way. Of calls that pay
a seat the same, it passes before it bids, and bids the lowest. `docs/makeable.md` has the whole
definition.

Payoffs may be known as bounds only. Then a call is out of question when another one pays its seat
as much or more in any case, and par is proven when one outcome is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar, cast

from trull.solver.hand_rules import Auction, Bid
from trull.solver.settlement import Score

Scores = tuple[Score | float, ...]
"""What every seat scores; infinite where nothing is known."""

Payoffs = Mapping[tuple[str, int], Scores]
"""What every seat scores when a seat plays a contract; what is missing cannot be bid. The contract
that is played when everybody passes stands under seat 0."""


_MOST_NAMED = 6
"""How many outcomes are named that bounds leave open."""


class NoPar(ValueError):
    """An auction without an outcome; the message says why."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a seat says in its turn.

    Attributes:
        seat: the seat.
        contract: its bid, or `None` for a pass.
    """

    seat: int
    contract: str | None


@dataclass(frozen=True, slots=True)
class Par:
    """Where best bidding leads.

    Attributes:
        contract: the contract that is played.
        declarer: the seat that plays it; `None` when everybody passed.
        scores: what every seat scores.
        calls: the auction.
    """

    contract: str
    declarer: int | None
    scores: tuple[Score, ...]
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class _State:
    """An auction that is not over: all that later calls depend on.

    Attributes:
        turn: the seat to call.
        spoken: how many calls were made in a single round, else 0.
        active: the seats that may still bid.
        highest: the place of the highest bid among the bids, or `None`.
        holder: who made it.
    """

    turn: int
    spoken: int
    active: frozenset[int]
    highest: int | None = None
    holder: int = 0


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What is played: a contract, and by whom; `None` when everybody passed."""

    contract: str
    declarer: int | None

    @property
    def place(self) -> tuple[str, int]:
        """Where its payoffs stand."""
        return self.contract, self.declarer or 0

    def __str__(self) -> str:
        """Return it in words."""
        return f"{self.contract} by {'all' if self.declarer is None else f'seat {self.declarer}'}"


_Outcomes = frozenset[_Outcome]

_Choice = TypeVar("_Choice")


def par(
    bids: Sequence[Bid],
    auction: Auction,
    payoffs: Payoffs,
    seats: int,
    most: Payoffs | None = None,
) -> Par:
    """Return where best bidding leads.

    Args:
        bids: the contracts that may be bid, lowest first.
        auction: how seats bid.
        payoffs: what every contract pays, or the least that it may pay.
        seats: the number of players.
        most: the most that it may pay; `payoffs` when left out.

    Raises `NoPar` when forehand has to bid and may not bid any of the contracts that are his
    alone; when the contract is missing that is played when everybody passes; and when the bounds
    leave par open.
    """
    if auction.forehand_must:
        own = [bid.contract for bid in bids if bid.forehand == "only"]
        if not any((contract, 0) in payoffs for contract in own):
            raise NoPar(f"forehand may bid none of {', '.join(own)}, and one of them is his duty")
    elif (auction.otherwise, 0) not in payoffs:
        raise NoPar(f"{auction.otherwise}, played when everybody passes, has no score")
    return _Induction(bids, auction, payoffs, payoffs if most is None else most, seats).run()


class _Induction:
    """Backward induction over the states of one auction."""

    def __init__(
        self, bids: Sequence[Bid], auction: Auction, least: Payoffs, most: Payoffs, seats: int
    ) -> None:
        self._bids, self._auction, self._seats = bids, auction, seats
        self._least, self._most = least, most
        self._heights = [_height(bids, auction, place) for place in range(len(bids))]
        self._calls = cache(self._best_calls)

    def run(self) -> Par:
        state: _State | _Outcomes = _State(self._auction.opens, 0, frozenset(range(self._seats)))
        outcomes = self._outcomes(state)
        calls = []
        while isinstance(state, _State):
            place = next(iter(self._calls(state)))
            calls.append(Call(state.turn, None if place is None else self._bids[place].contract))
            state = self._after(state, place)
        if len(outcomes) > 1:
            raise NoPar(f"unproven scores leave it open: {_listed(sorted(map(str, outcomes)))}")
        (outcome,) = outcomes
        if self._least[outcome.place] != self._most[outcome.place]:
            raise NoPar(f"{outcome} is par, but its score is not proven")
        scores = cast("tuple[Score, ...]", self._least[outcome.place])  # known, hence finite
        return Par(outcome.contract, outcome.declarer, scores, tuple(calls))

    def _outcomes(self, state: _State | _Outcomes) -> _Outcomes:
        """Return every outcome that best bidding may lead to from here."""
        if not isinstance(state, _State):
            return state
        return frozenset[_Outcome]().union(*self._calls(state).values())

    def _best_calls(self, state: _State) -> Mapping[int | None, _Outcomes]:
        """Return the calls that may be best, as places of bids, with where they lead."""
        calls = {place: self._outcomes(self._after(state, place)) for place in self._legal(state)}
        return self._best(calls, state.turn)

    def _best(self, choices: Mapping[_Choice, _Outcomes], seat: int) -> dict[_Choice, _Outcomes]:
        """Return the choices that may pay a seat most; of equal ones the first."""
        spans = [self._span(outcomes, seat) for outcomes in choices.values()]
        return {
            choice: outcomes
            for at, (choice, outcomes) in enumerate(choices.items())
            if not any(low >= spans[at][1] for low, _ in spans[:at])
            and not any(low > spans[at][1] for low, _ in spans[at + 1 :])
        }

    def _span(self, outcomes: _Outcomes, seat: int) -> tuple[Score | float, Score | float]:
        """Return the least and the most that a seat may score by some outcomes."""
        return (
            min(self._least[outcome.place][seat] for outcome in outcomes),
            max(self._most[outcome.place][seat] for outcome in outcomes),
        )

    def _legal(self, state: _State) -> Iterator[int | None]:
        """Yield the calls of the seat whose turn it is, a pass first, then from the lowest bid."""
        nobody = state.highest is None
        if not (nobody and state.turn == 0 and self._auction.forehand_must):
            yield None
        for place, bid in enumerate(self._bids):
            may_bid = bid.forehand != "only" or state.turn == 0
            if may_bid and self._is_open(bid.contract, state.turn) and self._beats(state, place):
                yield place

    def _is_open(self, contract: str, seat: int) -> bool:
        is_bid = contract not in self._auction.instead.values()
        return is_bid and (contract, seat) in self._least

    def _beats(self, state: _State, place: int) -> bool:
        if state.highest is None:
            return True
        height, highest = self._heights[place], self._heights[state.highest]
        if height == highest:
            may = self._auction.may_equal
            senior = state.turn < state.holder if may == "senior" else state.turn == 0
            return may != "nobody" and senior
        return height > highest

    def _after(self, state: _State, place: int | None) -> _State | _Outcomes:
        """Return the auction after a call, or what may come of it when it is over."""
        if place is None:
            state = replace(state, active=state.active - {state.turn})
        else:
            state = replace(state, highest=place, holder=state.turn)
        if self._auction.single_round:
            state = replace(state, spoken=state.spoken + 1)
            over = state.spoken == self._seats
        else:
            last = {state.holder} if state.highest is not None else set()
            over = state.active == last
        return self._played(state) if over else replace(state, turn=self._next(state))

    def _next(self, state: _State) -> int:
        turns = ((state.turn + step) % self._seats for step in range(1, self._seats + 1))
        return next(turn for turn in turns if self._auction.single_round or turn in state.active)

    def _played(self, state: _State) -> _Outcomes:
        """Return what the winner of the auction may play: what pays him most, his bid first."""
        if state.highest is None:
            return frozenset([_Outcome(str(self._auction.otherwise), None)])
        contract, seat = self._bids[state.highest].contract, state.holder
        names = [contract, *self._replacements(contract, state.highest)]
        found = [_Outcome(name, seat) for name in names if (name, seat) in self._least]
        return frozenset(self._best({outcome: frozenset([outcome]) for outcome in found}, seat))

    def _replacements(self, contract: str, place: int) -> Iterator[str]:
        if contract in self._auction.instead:
            yield self._auction.instead[contract]
        if self._auction.may_raise:
            for higher, bid in enumerate(self._bids):
                if self._heights[higher] > self._heights[place]:
                    yield bid.contract


def _listed(words: Sequence[str]) -> str:
    more = len(words) - _MOST_NAMED
    return ", ".join(words[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _height(bids: Sequence[Bid], auction: Auction, place: int) -> int:
    """Return how high a bid is: the place of the first of its equals."""
    name = bids[place].contract
    equals = next((group for group in auction.equal if name in group), (name,))
    return min(at for at, bid in enumerate(bids) if bid.contract in equals)
