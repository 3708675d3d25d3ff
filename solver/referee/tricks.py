"""What a card is worth in a trick: its suit, whom it beats, which card wins."""

from __future__ import annotations

from trull.solver.cards import MOND, PAGAT, SKUS, TRUMP_MASK, suit_of, to_mask
from trull.solver.rules import Contract, Variant


class Tricks:
    """The ranks and powers of the cards under one contract (RULES section 2).

    In every method a trick is the cards on the table in order of play, and `final` says whether
    it is the last trick of the deal.
    """

    def __init__(self, book: Variant, rules: Contract) -> None:
        """Lay down the order of the cards by the rule book and the Fool's role."""
        self.rules = rules
        self._rank = list(book.rank_order)
        if rules.fool == "lowest":
            self._rank[SKUS] = -1

    def suit(self, card: int) -> int | None:
        """Return the suit that `card` counts as, 0 for trumps, `None` for the Excuse."""
        return None if card == SKUS and self.rules.fool == "excuse" else suit_of(card)

    def trumps(self, hand: int, *besides: int) -> int:
        """Return the trumps of a hand besides some cards; the Excuse is none."""
        excuse = (SKUS,) if self.rules.fool == "excuse" else ()
        return hand & TRUMP_MASK & ~to_mask(besides + excuse)

    def led(self, trick: tuple[int, ...]) -> int | None:
        """Return the suit led: a led Excuse leaves it to the next card."""
        return next((suit for card in trick if (suit := self.suit(card)) is not None), None)

    def emperor_calls(self, trick: tuple[int, ...]) -> bool:
        """Return whether Mond and Sküs lie in a trick that the Pagat then wins."""
        emperor = self.rules.emperor
        on = emperor == "on" or (emperor == "trump_led" and self.led(trick) == 0)
        return on and MOND in trick and SKUS in trick

    def fool_lifted(self, trick: tuple[int, ...], final: bool) -> bool:
        """Return whether the Mond has made the Excuse the highest trump of the trick."""
        return self.rules.mond_lifts_fool and not final and MOND in trick and SKUS in trick

    def winning(self, trick: tuple[int, ...], final: bool) -> int | None:
        """Return the card that wins the trick as it lies; `None` before any card can."""
        if PAGAT in trick and self.emperor_calls(trick):
            return PAGAT
        if self.fool_lifted(trick, final):
            return SKUS
        best = None
        for card in trick:
            if self.suit(card) is not None and (best is None or self._outranks(card, best)):
                best = card
        return best

    def beats(self, card: int, trick: tuple[int, ...], final: bool) -> bool:
        """Return whether `card` beats the card that wins the trick as it lies.

        It is a matter of rank between the two, whoever wins in the end (refinement c).
        """
        if self.emperor_calls(trick):
            return card == PAGAT
        winning = self.winning(trick, final)
        if winning is None or self.suit(card) is None:
            return False
        return self._outranks(card, winning)

    def _outranks(self, card: int, winning: int) -> bool:
        if self.suit(card) == self.suit(winning):
            return self._rank[card] > self._rank[winning]
        return self.rules.trump_power and self.suit(card) == 0
