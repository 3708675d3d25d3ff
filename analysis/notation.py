"""How cards are written for people: suit symbols where they can be printed, letters elsewhere."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from rich.text import Text

from trull.solver.cards import NAMES, SUIT_SYMBOLS, SUITS, suit_of

_RED = ("H", "D")


@dataclass(frozen=True)
class Notation:
    """The signs that a report uses.

    Attributes:
        suits: a sign a suit, in the order of `trull.solver.cards.SUITS`.
        best: marks the best cards.
        leads: marks the card that was led.
        times: stands before a multiplier.
        nothing: stands where there is nothing.
    """

    suits: str
    best: str
    leads: str
    times: str
    nothing: str

    def suit(self, suit: int) -> Text:
        """Return the sign of a suit, numbered as in `trull.solver.cards.suit_of`."""
        return Text("T") if suit == 0 else Text(self.suits[suit - 1], _style(SUITS[suit - 1]))

    def card(self, card: int) -> Text:
        """Return a card with its suit."""
        suit = suit_of(card)
        return Text(NAMES[card]) if suit == 0 else self.suit(suit) + self.rank(card)

    def rank(self, card: int) -> Text:
        """Return a card without its suit."""
        return Text(NAMES[card][1:], _style(NAMES[card][0]))

    def cards(self, cards: list[int] | tuple[int, ...]) -> Text:
        """Return cards with their suits, separated by blanks."""
        return Text(" ").join(map(self.card, cards))

    def words(self, text: str) -> str:
        """Return a text without what could not be printed or would move the cursor."""
        if self is ASCII:
            text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
        return "".join(sign if sign.isprintable() else " " for sign in text)


def _style(letter: str) -> str:
    return "red" if letter in _RED else ""


UNICODE = Notation(suits=SUIT_SYMBOLS, best="●", leads="›", times="×", nothing="–")
ASCII = Notation(suits=SUITS, best="*", leads=">", times="x", nothing="-")


def notation_for(encoding: str) -> Notation:
    """Return the notation that can be printed in an encoding."""
    signs = "".join((UNICODE.suits, UNICODE.best, UNICODE.leads, UNICODE.times, UNICODE.nothing))
    try:
        signs.encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return ASCII
    return UNICODE
