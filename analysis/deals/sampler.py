"""Drawing deals, each with exactly the same probability as any other that meets the conditions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from trull.analysis.deals.conditions import Conditions
from trull.analysis.deals.counting import DealNumbering
from trull.analysis.deals.deal import Deal, DealError, book_of
from trull.analysis.deals.layout import check_players, deal_of, places, usual_players
from trull.analysis.deals.numbers import random_below
from trull.analysis.deals.plan import Plan
from trull.solver.cards import to_mask

MOST_TRIES = 1_000_000
"""How many tries in a row may fail."""


class Sampler:
    """Deals numbers 0, 1, 2, … of a seed, drawn uniformly among those that meet conditions.

    As many conditions as possible are met by construction: the deals that meet them are counted
    and numbered, and a number is drawn. The others are met by drawing again. A deal depends
    on nothing but the arguments and its number, so any part of a series can be drawn anywhere.

    Args:
        variant: the rule book's identifier.
        players: the number of players; by default the greatest of the variant.
        conditions: what the deals must meet; expressions stand for the conditions they make.
        seed: the seed.
        tries: how many tries in a row may fail before `deal` gives up.

    Raises `DealError` for conditions that cannot be read, and for those that no deal can meet
    as far as the count tells.

    Attributes:
        count: the number of deals, as the cards lie, that meet the conditions met by
            construction; exact.
        constructed: the conditions met by construction, in words.
        rejecting: the conditions met by drawing again, in words.
        tried: the tries so far.
        dealt: the deals so far.

    >>> sampler = Sampler("koenigrufen", conditions=Conditions(where="trumps == 12"), seed=7)
    >>> sampler.deal(0).hands[0].bit_count(), sampler.share
    (12, Fraction(209, 110861955))
    """

    def __init__(
        self,
        variant: str,
        players: int | None = None,
        conditions: Conditions | Iterable[str] | None = None,
        seed: int = 0,
        *,
        tries: int = MOST_TRIES,
    ) -> None:
        """Count the deals."""
        book = book_of(variant)
        if not isinstance(conditions, Conditions):
            conditions = Conditions(where=tuple(conditions or ()))
        self.variant = variant
        self.players = usual_players(book) if players is None else players
        check_players(variant, self.players)
        self.seed = seed
        self._tries = tries
        self._predicates = conditions.predicates
        self._clauses = conditions.clauses(variant, self.players)
        plan = Plan(places(self.players), self._clauses)
        self._numbering = plan.numbering
        self.count = plan.numbering.count
        self.constructed = tuple(clause.text for clause in plan.constructed)
        self.rejecting = tuple(clause.text for clause in plan.rejecting)
        self.rejecting += tuple(map(_name, conditions.predicates))
        self.tried = self.dealt = 0

    @property
    def share(self) -> Fraction:
        """The share of all deals that meet the conditions met by construction; exact."""
        return Fraction(self.count, DealNumbering(places(self.players)).count)

    @property
    def acceptance(self) -> float | None:
        """The share of the tries that gave a deal, or `None` before the first try."""
        return self.dealt / self.tried if self.tried else None

    def deal(self, number: int) -> Deal:
        """Return a deal by its number, from 0 on.

        Raises `DealError` when too many tries in a row fail.
        """
        for attempt in range(self._tries):
            rank = random_below(self.count, self.seed, number, attempt)
            deal = self._tried(rank)
            self.tried += 1
            if deal is not None:
                self.dealt += 1
                return deal
        raise DealError(
            f"deal {number}: no deal among {self._tries} tries met the conditions, so less than "
            f"about 1 in {max(1, self._tries // 3)} does; expected conditions that hold more often"
        )

    def _tried(self, rank: int) -> Deal | None:
        """Return the deal with a rank if it meets all conditions."""
        held = self._numbering.deal(rank)
        masks = list(map(to_mask, held))
        if not all(clause.holds(masks) for clause in self._clauses):
            return None
        deal = deal_of(self.variant, self.players, held)
        return deal if all(predicate(deal) for predicate in self._predicates) else None


@lru_cache(maxsize=16)
def _sampler(variant: str, players: int, conditions: Conditions | None, seed: int) -> Sampler:
    return Sampler(variant, players, conditions, seed)


def draw(variant: str, players: int, conditions: Conditions | None, seed: int, number: int) -> Deal:
    """Return deal `number` of a seed: a pure function of the arguments.

    Raises `DealError` as `Sampler` and its `deal` do.
    """
    return _sampler(variant, players, conditions, seed).deal(number)


def _name(predicate: object) -> str:
    return f"predicate {getattr(predicate, '__name__', 'without a name')}"
