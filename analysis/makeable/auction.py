"""Par: the contract that best bidding reaches, from what every contract pays to every seat.

With open cards the auction is a game of finitely many calls that hides nothing, in which each
seat wants as much for itself as it can get. Backward induction solves it: a seat makes the call
whose outcome pays it most, given that all later calls are made in the same way. Of calls that pay
a seat the same, it passes before it bids, and bids the lowest. `docs/makeable.md` has the whole
definition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from trull.solver.hand_rules import Auction, Bid
from trull.solver.settlement import Score

Payoffs = Mapping[tuple[str, int], tuple[Score, ...]]
"""What every seat scores when a seat plays a contract; what is missing cannot be bid. The contract
that is played when everybody passes stands under seat 0."""


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


def par(bids: Sequence[Bid], auction: Auction, payoffs: Payoffs, seats: int) -> Par:
    """Return where best bidding leads.

    Args:
        bids: the contracts that may be bid, lowest first.
        auction: how seats bid.
        payoffs: what every contract pays.
        seats: the number of players.

    Raises `NoPar` when forehand has to bid and may not bid any of the contracts that are his
    alone, and when the contract is missing that is played when everybody passes.
    """
    if auction.forehand_must:
        own = [bid.contract for bid in bids if bid.forehand == "only"]
        if not any((contract, 0) in payoffs for contract in own):
            raise NoPar(f"forehand may bid none of {', '.join(own)}, and one of them is his duty")
    elif (auction.otherwise, 0) not in payoffs:
        raise NoPar(f"{auction.otherwise}, played when everybody passes, has no score")
    return _Induction(bids, auction, payoffs, seats).run()


class _Induction:
    """Backward induction over the states of one auction."""

    def __init__(self, bids: Sequence[Bid], auction: Auction, payoffs: Payoffs, seats: int) -> None:
        self._bids, self._auction, self._payoffs, self._seats = bids, auction, payoffs, seats
        self._heights = [_height(bids, auction, place) for place in range(len(bids))]
        self._best = cache(self._best_call)

    def run(self) -> Par:
        everybody = frozenset(range(self._seats))
        state: _State | Par = _State(self._auction.opens, 0, everybody)
        calls = []
        while isinstance(state, _State):
            place, _ = self._best(state)
            calls.append(Call(state.turn, None if place is None else self._bids[place].contract))
            state = self._after(state, place)
        return replace(state, calls=tuple(calls))

    def _best_call(self, state: _State) -> tuple[int | None, Par]:
        """Return the place of the best bid, or `None` for a pass, and where it leads."""
        outcomes = [(place, self._outcome(state, place)) for place in self._legal(state)]
        return max(outcomes, key=lambda outcome: outcome[1].scores[state.turn])

    def _outcome(self, state: _State, place: int | None) -> Par:
        after = self._after(state, place)
        return after if isinstance(after, Par) else self._best(after)[1]

    def _legal(self, state: _State) -> Iterator[int | None]:
        """Yield the calls of the seat whose turn it is, a pass first, then from the lowest bid."""
        nobody = state.highest is None
        if not (nobody and state.turn == 0 and self._auction.forehand_must):
            yield None
        for place, bid in enumerate(self._bids):
            open_now = bid.forehand != "only" or (state.turn == 0 and nobody)
            if open_now and self._is_open(bid.contract, state.turn) and self._beats(state, place):
                yield place

    def _is_open(self, contract: str, seat: int) -> bool:
        is_bid = contract not in self._auction.instead.values()
        return is_bid and (contract, seat) in self._payoffs

    def _beats(self, state: _State, place: int) -> bool:
        if state.highest is None:
            return True
        height, highest = self._heights[place], self._heights[state.highest]
        if height == highest:
            may = self._auction.may_equal
            senior = state.turn < state.holder if may == "senior" else state.turn == 0
            return may != "nobody" and senior
        return height > highest

    def _after(self, state: _State, place: int | None) -> _State | Par:
        """Return the auction after a call, or its outcome."""
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

    def _played(self, state: _State) -> Par:
        """Return what the winner of the auction plays: what pays him most, his bid first."""
        if state.highest is None:
            otherwise = str(self._auction.otherwise)
            return Par(otherwise, None, self._payoffs[otherwise, 0], ())
        contract, seat = self._bids[state.highest].contract, state.holder
        choices = [contract, *self._replacements(contract, state.highest)]
        payoffs = [
            (name, self._payoffs[name, seat]) for name in choices if (name, seat) in self._payoffs
        ]
        best, scores = max(payoffs, key=lambda payoff: payoff[1][seat])
        return Par(best, seat, scores, ())

    def _replacements(self, contract: str, place: int) -> Iterator[str]:
        if contract in self._auction.instead:
            yield self._auction.instead[contract]
        if self._auction.may_raise:
            for higher, bid in enumerate(self._bids):
                if self._heights[higher] > self._heights[place]:
                    yield bid.contract


def _height(bids: Sequence[Bid], auction: Auction, place: int) -> int:
    """Return how high a bid is: the place of the first of its equals."""
    name = bids[place].contract
    equals = next((group for group in auction.equal if name in group), (name,))
    return min(at for at, bid in enumerate(bids) if bid.contract in equals)
