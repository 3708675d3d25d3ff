"""The deals of labels, and the positions in which their games begin."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from trull.analysis.deals import Conditions, Deal, Sampler
from trull.analysis.deals.conditions import Predicate
from trull.analysis.exchange import ExchangeError, Policy
from trull.analysis.labels.dice import derived_seed
from trull.analysis.labels.spec import BidSpec, PlaySpec
from trull.analysis.study.asking import exchange_for
from trull.analysis.study.spec import Game
from trull.solver import rulebooks
from trull.solver.cards import display_order, format_cards
from trull.solver.hands import parse_hand_cards
from trull.solver.kernel.engine import Engine
from trull.solver.position import Position
from trull.solver.question import Unsolvable
from trull.solver.validation import PositionError


@dataclass(frozen=True)
class Playable:
    """The condition that a contract can be played on a deal.

    Attributes:
        game: the contract.
        declarer: the declarer's seat.
    """

    game: Game
    declarer: int

    def __call__(self, deal: Deal) -> bool:
        """Return whether a deal meets the condition."""
        policy: Policy = "none" if self.game.policy == "none" else "plain"
        return opening(replace(self.game, policy=policy), deal, self.declarer, None) is not None

    def __hash__(self) -> int:
        """Return the hash of the name, because a game holds options."""
        return hash((self.game.name, self.declarer))


def opening(game: Game, deal: Deal, declarer: int, engine: Engine | None) -> Position | None:
    """Return the position before the first lead, or `None` where the deal does not allow the game.

    Args:
        game: the contract and its terms.
        deal: the deal.
        declarer: the declarer's seat.
        engine: searches for the policy `best`.
    """
    if deal.without_trumps not in (None, game.contract):
        return None
    try:
        return exchange_for(game, deal, declarer, engine).position
    except (ExchangeError, PositionError, Unsolvable):
        return None


def play_sampler(spec: PlaySpec, game: Game, declarer: int) -> Sampler:
    """Return the deals of a game; with `balance` only those on which it can be played."""
    conditions = spec.conditions
    if spec.balance:
        predicates: tuple[Predicate, ...] = (*conditions.predicates, Playable(game, declarer))
        conditions = replace(conditions, predicates=predicates)
    return _sampler(game.variant, game.players, conditions, spec.seed)


def bid_sampler(spec: BidSpec) -> Sampler:
    """Return the deals whose hands are labelled; none of them is thrown in for want of trumps."""
    return _sampler(spec.variant, spec.players, _bid_conditions(spec), spec.seed)


def with_same_hand(spec: BidSpec, deal: int, seat: int, hand: int) -> Sampler:
    """Return the deals that a hand may come from, as far as its seat can know.

    Args:
        spec: the specification, whose conditions hold for these deals, too.
        deal: the number of the deal that the hand was dealt in, for a seed of its own.
        seat: the seat.
        hand: its cards, as a mask.
    """
    conditions = _bid_conditions(spec)
    held = [(f"seat{seat}", format_cards(display_order(hand)))]
    for place, text in (*conditions.hold, *_talon(conditions)):
        others = parse_hand_cards(text) & ~hand
        if others:
            held.append((place, format_cards(display_order(others))))
    conditions = replace(conditions, hold=tuple(held), talon="")
    seed = derived_seed("hand", spec.seed, deal, seat)
    return Sampler(spec.variant, spec.players, conditions, seed)


def _talon(conditions: Conditions) -> Iterable[tuple[str, str]]:
    return [("talon", conditions.talon)] if conditions.talon else []


def _bid_conditions(spec: BidSpec) -> Conditions:
    if rulebooks.variant(spec.variant).without_trumps is None:
        return spec.conditions
    return replace(spec.conditions, voids="redeal")


@lru_cache(maxsize=256)
def _sampler(variant: str, players: int, conditions: Conditions, seed: int) -> Sampler:
    return Sampler(variant, players, conditions, seed)
