"""What an exchange starts from: a deal, a contract, and the terms of the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from trull.solver import rulebooks
from trull.solver.hands import Hand, judge
from trull.solver.position import Announcement
from trull.solver.rules import Contract, Variant, in_force, ranked


class ExchangeError(ValueError):
    """A deal that a contract cannot be played with, or a choice that breaks its rules."""


class Dealt(Protocol):
    """What is looked at of a deal; `trull.analysis.deals.Deal` has it."""

    @property
    def variant(self) -> str:
        """The rule book's identifier."""

    @property
    def hands(self) -> tuple[int, ...]:
        """The cards of each seat, as masks."""

    @property
    def talon(self) -> tuple[int, ...]:
        """The talon cards in their order."""

    @property
    def straw(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Scarecrow: the stacks of each seat."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A deal with the contract that is played with it.

    Attributes:
        deal: the deal.
        contract: the contract's identifier.
        declarer: the declarer's seat; `None` where nobody takes (Scarecrow).
        options: the rule book's options that are set.
        announced: the announced bonuses.
        taken: the cards each seat has won before the exchange is made. That happens in no game;
            it makes deals small enough to compare the search with plain enumeration.
    """

    deal: Dealt
    contract: str
    declarer: int | None = 0
    options: Mapping[str, object] = field(default_factory=dict)
    announced: tuple[Announcement, ...] = ()
    taken: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Check the contract, the seat, and whether the declarer's hand allows the contract.

        Raises `ExchangeError`, or `trull.solver.rulebooks.UnknownRule` for unknown names.
        """
        players = self.rules.values
        if self.seats not in players:
            expected = " or ".join(map(str, sorted(players)))
            raise ExchangeError(f"{self.contract} is for {expected} players, not {self.seats}")
        if self.declarer is None:
            if self.rules.sides != "two":
                raise ExchangeError(f"declarer: null, but {self.contract} has one")
            return
        if not 0 <= self.declarer < self.seats:
            raise ExchangeError(f"declarer: {self.declarer}, expected 0 to {self.seats - 1}")
        reason = self._barred
        if reason is not None:
            raise ExchangeError(f"{self.contract}: seat {self.declarer} may not play it: {reason}")

    @property
    def _barred(self) -> str | None:
        """Why the declarer's hand does not allow the contract (RULES section 8)."""
        if self.declarer is None or any(self.taken) or self.seats == 2:
            return None
        hand = Hand(variant=self.deal.variant, cards=self.deal.hands[self.declarer])
        return judge(hand).barred.get(self.contract)

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.deal.hands)

    @property
    def lead(self) -> int:
        """The seat that leads the first trick."""
        return self.declarer or 0 if self.rules.leader == "declarer" else 0

    @cached_property
    def book(self) -> Variant:
        """The rule book with its cards as the options rank them."""
        return ranked(rulebooks.variant(self.deal.variant), self.options)

    @cached_property
    def rules(self) -> Contract:
        """The contract with its knobs as announcements and options set them."""
        contract = rulebooks.contract(self.deal.variant, self.contract)
        return in_force(self.book, contract, [bonus for _, bonus in self.announced], self.options)
