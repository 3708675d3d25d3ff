"""An open-hand position: every card of a deal in its place, and always consistent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from trull.solver import rulebooks, validation
from trull.solver.rules import Contract, Variant, hand_size, in_force, ranked


class Announcement(NamedTuple):
    """A bonus announced by a seat."""

    seat: int
    bonus: str


class Trick(NamedTuple):
    """A finished trick: who led it, and its cards in order of play."""

    leader: int
    cards: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Position:
    """One position with all hands open, before or within any trick.

    Cards are numbers and sets of cards are masks, as `trull.solver.cards` lays them out; tuples
    with an entry a seat start at seat 0, forehand. Building a `Position` checks it: every card
    at most once, hands that fit the trick, a trick and history that break no rule. What is
    wrong raises `validation.PositionError`, whose message names the key and the card.

    Attributes:
        variant: the rule book's identifier.
        contract: the contract's identifier.
        hands: the cards each seat holds.
        declarer: the declarer's seat; `None` where nobody is (Scarecrow without a take).
        partner: the partner's seat, or `None` when the declarer is alone.
        called: the called card, or `None`; left out where the contract itself calls one (XX).
        leader: the seat that leads, or led, the current trick.
        trick: the cards on the table in order of play from `leader`.
        taken: the cards each seat has won in tricks.
        tricks_won: the number of tricks each seat has won; left out where `taken` tells.
        history: the finished tricks in order, or `None` when they are not known.
        straw: Scarecrow: the stacks of each seat, left to right, each top to bottom.
        talon: the talon cards that were not exchanged, in order.
        discards: the cards each seat laid away.
        level: the level of a trojka or prever.
        announced: the announced bonuses.
        doubled: multipliers by `game` or bonus; `game` may hold one a seat.
        options: the rule book's options that are set.
        id: copied to the answer.
        comment: copied to the answer.
        extra: keys beginning with `x_`, copied to the answer.
    """

    variant: str
    contract: str
    hands: tuple[int, ...]
    declarer: int | None = 0
    partner: int | None = None
    called: int | None = None
    leader: int = 0
    trick: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()
    tricks_won: tuple[int, ...] = ()
    history: tuple[Trick, ...] | None = None
    straw: tuple[tuple[tuple[int, ...], ...], ...] = ()
    talon: tuple[int, ...] = ()
    discards: tuple[int, ...] = ()
    level: int = 1
    announced: tuple[Announcement, ...] = ()
    doubled: Mapping[str, int | tuple[int, ...]] = field(default_factory=dict)
    options: Mapping[str, object] = field(default_factory=dict)
    id: object = None
    comment: object = None
    extra: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Fill what was left out, then check the position."""
        validation.check_shape(self)
        for name in ("taken", "discards"):
            self._fill(name, (0,) * self.seats)
        self._fill("tricks_won", self.counted_tricks)
        if self.called is None:
            self._fill("called", self.rules.calls)
        validation.check(self)

    def _fill(self, name: str, default: object) -> None:
        if not getattr(self, name):
            object.__setattr__(self, name, default)

    @classmethod
    def from_dict(cls, data: object) -> Position:
        """Return the position that a decoded JSON object describes.

        Raises `validation.PositionError`, as `trull.solver.interchange.parse_position` does.
        """
        from trull.solver.interchange import parse_position

        return parse_position(data)

    @cached_property
    def book(self) -> Variant:
        """The rule book with its cards as the options rank them."""
        return ranked(rulebooks.variant(self.variant), self.options)

    @cached_property
    def rules(self) -> Contract:
        """The contract with its knobs as announcements and options set them."""
        announced = [announcement.bonus for announcement in self.announced]
        contract = rulebooks.contract(self.variant, self.contract)
        return in_force(self.book, contract, announced, self.options)

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.hands)

    @property
    def cards_left(self) -> tuple[int, ...]:
        """The number of cards each seat had when the current trick began, straw men included."""
        sizes = [hand.bit_count() for hand in self.hands]
        for seat, stacks in enumerate(self.straw):
            sizes[seat] += sum(map(len, stacks))
        for place in range(len(self.trick)):
            sizes[(self.leader + place) % self.seats] += 1
        return tuple(sizes)

    @property
    def tricks_played(self) -> int:
        """The number of finished tricks of the deal, as the hands tell."""
        return hand_size(self.seats) - max(self.cards_left)

    @property
    def counted_tricks(self) -> tuple[int, ...]:
        """The number of tricks each seat has won, as `taken` tells.

        Where the talon went to the tricks, `taken` tells it only while one seat has won them
        all; otherwise every number is 0.
        """
        sizes = [cards.bit_count() for cards in self.taken]
        if self.rules.talon != "tricks":
            return tuple(size // self.seats for size in sizes)
        if sum(map(bool, sizes)) != 1:
            return (0,) * self.seats
        return tuple(self.tricks_played if size else 0 for size in sizes)

    @property
    def player(self) -> int:
        """The seat to play."""
        return (self.leader + len(self.trick)) % self.seats

    @property
    def side(self) -> frozenset[int]:
        """The seats of the declaring side; the forehand where nobody took Scarecrow."""
        if self.declarer is None:
            return frozenset([0])
        return frozenset(seat for seat in (self.declarer, self.partner) if seat is not None)
