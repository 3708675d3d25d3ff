"""Deals that agree with what a bidder or declarer knows: his cards, talon cards, bids."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from trull.analysis.advice.error import AdviceError
from trull.analysis.deals import Conditions, Deal, Sampler
from trull.solver import rulebooks
from trull.solver.cards import NAMES, format_cards, format_hand, from_mask, to_mask
from trull.solver.rules import TALON_SIZE, hand_size
from trull.solver.validation import PositionError

_HALF = TALON_SIZE // 2


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What a seat knows before the first lead.

    Building it checks it, and may raise `AdviceError` or what `Sampler` raises.

    Attributes:
        variant: the rule book's identifier.
        seat: the seat.
        hand: its cards as they were dealt, as a mask.
        talon: the talon cards that it has seen, from the first on.
        where: what is known of the other hands, as expressions (`docs/deals.md`).
        seed: the seed of the deals.
    """

    variant: str
    seat: int
    hand: int
    talon: tuple[int, ...] = ()
    where: tuple[str, ...] = ()
    seed: int = 0
    sampler: Sampler = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the cards and prepare the deals."""
        if len(self.talon) > TALON_SIZE:
            raise AdviceError(f"talon: {len(self.talon)} cards, expected at most {TALON_SIZE}")
        if len(set(self.talon)) < len(self.talon):
            raise AdviceError(f"talon: {format_cards(self.talon)}, expected every card once")
        for card in from_mask(self.hand & to_mask(self.talon)):
            raise AdviceError(f"talon: {NAMES[card]} is in the hand, too")
        book = rulebooks.variant(self.variant)
        if book.without_trumps is not None and not self.hand & book.hand_trumps:
            fate = book.without_trumps
            what = fate if fate == "redealt" else f"a {fate}"
            raise AdviceError(f"hand: it has no trump, so the deal is {what}")
        object.__setattr__(self, "sampler", self._sampler())

    @property
    def players(self) -> int:
        """The number of players, as the hand tells."""
        size = self.hand.bit_count()
        players = next((n for n in (3, 4) if hand_size(n) == size), None)
        if players is None:
            raise PositionError(f"hand: {size} cards, expected {hand_size(4)} or {hand_size(3)}")
        return players

    def _sampler(self) -> Sampler:
        hold = [(f"seat{self.seat}", format_hand(self.hand))]
        halves = self.talon[:_HALF], self.talon[_HALF:]
        hold += [(f"half{half}", format_cards(cards)) for half, cards in enumerate(halves) if cards]
        # A hand without trumps ends the bidding wherever the rule book says anything about it.
        rule = rulebooks.variant(self.variant).without_trumps
        conditions = Conditions(
            where=self.where, hold=tuple(hold), voids="keep" if rule is None else "redeal"
        )
        return Sampler(self.variant, self.players, conditions, self.seed)

    def deal(self, number: int) -> Deal:
        """Return deal `number`, its talon beginning with the cards that were seen."""
        deal = self.sampler.deal(number)
        rest = tuple(card for card in deal.talon if card not in self.talon)
        return replace(deal, talon=(*self.talon, *rest))

    def to_dict(self) -> dict[str, object]:
        """Return what was given besides seat and hand as JSON keys."""
        found: dict[str, object] = {}
        if self.talon:
            found["talon"] = format_cards(self.talon)
        if self.where:
            found["where"] = list(self.where)
        return found
