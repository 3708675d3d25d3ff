"""Who plays the games whose positions are labelled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from trull.analysis.labels.dice import Dice
from trull.analysis.labels.solving import best_cards
from trull.analysis.labels.walking import Walk
from trull.solver.cards import suit_of
from trull.solver.kernel.engine import Engine
from trull.solver.question import Objective

PlayerName = Literal["random", "greedy", "noise"]

PLAYERS: tuple[PlayerName, ...] = get_args(PlayerName)

_FINE = 10**9
"""The probability of an error is a multiple of 1 in so many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a player looks at.

    Attributes:
        walk: the game up to here.
        legal: the legal cards.
        objective: what the game is about.
        epsilon: the probability that the player of `noise` plays any legal card.
        dice: choose for him.
        engine: searches for him.
    """

    walk: Walk
    legal: tuple[int, ...]
    objective: Objective
    epsilon: float
    dice: Dice
    engine: Engine


def choose(name: PlayerName, turn: Turn) -> int:
    """Return the card that a player plays."""
    return turn.legal[0] if len(turn.legal) == 1 else _POLICIES[name](turn)


def _random(turn: Turn) -> int:
    """Play any legal card."""
    return turn.dice.choice(turn.legal)


def _noise(turn: Turn) -> int:
    """Play one of the best cards by the solver, or with a small probability any legal one."""
    if turn.dice.below(_FINE) < round(turn.epsilon * _FINE):
        return turn.dice.choice(turn.legal)
    return turn.dice.choice(best_cards(turn.engine, turn.walk.position, turn.objective))


def _greedy(turn: Turn) -> int:
    """Look at the own hand and the table alone, no further than this trick.

    In games about many points or tricks: lead the strongest card, trumps first. To a trick that
    the own side is winning add the dearest card; otherwise win it as cheaply as possible, or
    give the cheapest card. In games about few: lead the weakest card; follow with the strongest
    that does not win, else with the weakest, but last in hand with the strongest.
    """
    few = turn.walk.referee.rules.goal in ("fewest_points", "at_most", "exactly")
    return _duck(turn) if few else _collect(turn)


def _collect(turn: Turn) -> int:
    state, legal = turn.walk.state, turn.legal
    strength, weights = _strengths(turn), turn.walk.book.weights
    if not state.trick:
        return max(legal, key=strength)
    if _same_side(turn, _winner(turn, state.trick), state.player):
        return max(legal, key=lambda card: (weights[card], -strength(card)[1]))
    winning = [card for card in legal if _wins(turn, card)]
    return min(winning or legal, key=lambda card: (weights[card], strength(card)))


def _duck(turn: Turn) -> int:
    state, legal = turn.walk.state, turn.legal
    strength = _strengths(turn)
    if not state.trick:
        return min(legal, key=strength)
    losing = [card for card in legal if not _wins(turn, card)]
    last = len(state.trick) == turn.walk.referee.seats - 1
    return max(losing, key=strength) if losing else (max if last else min)(legal, key=strength)


def _strengths(turn: Turn) -> Callable[[int], tuple[bool, int, int]]:
    """Return how strong cards are: trumps above suits, then by rank in their suit."""
    order = turn.walk.book.rank_order
    first = {suit: 22 + 8 * (suit - 1) if suit else 0 for suit in range(5)}

    def strength(card: int) -> tuple[bool, int, int]:
        suit = suit_of(card)
        return suit == 0, order[card] - first[suit], card

    return strength


def _wins(turn: Turn, card: int) -> bool:
    """Return whether a card would win the trick as it lies then."""
    return _winner(turn, (*turn.walk.state.trick, card)) == turn.walk.state.player


def _winner(turn: Turn, trick: tuple[int, ...]) -> int:
    return turn.walk.referee.winner(trick, turn.walk.state.leader, turn.walk.state.final)


def _same_side(turn: Turn, seat: int, other: int) -> bool:
    side = turn.walk.referee.side
    return (seat in side) == (other in side)


_POLICIES: Mapping[PlayerName, Callable[[Turn], int]] = {
    "random": _random,
    "greedy": _greedy,
    "noise": _noise,
}
