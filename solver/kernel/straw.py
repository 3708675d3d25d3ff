"""Scarecrow's straw men: cards that come up, are taken or left, and cover others."""

from __future__ import annotations

from typing import Any

from trull.solver.kernel import form
from trull.solver.kernel.bits import popcount
from trull.solver.kernel.jit import jit, jit_apart
from trull.solver.kernel.play import TRUMP_MASK, suit_mask, suit_of
from trull.solver.kernel.state import STRAW

_KINGS = (1 << 29) | (1 << 37) | (1 << 45) | (1 << 53)


@jit
def face_up(k: Any, seat: int) -> int:
    """Return the card that lies face up before a seat, as a mask."""
    return k.straw_card[seat * STRAW + k.straw_gone[seat]]


@jit
def takeable(k: Any, seat: int) -> int:
    """Return how many cards a seat may take up, in turn, once its face-up card is played.

    The very last straw card is not counted: nothing lies below it, so that taking it and
    leaving it are the same.
    """
    at = seat * STRAW + k.straw_gone[seat] + 1
    number = 0
    while k.straw_card[at + number]:
        card = k.straw_card[at + number]
        free = card & (TRUMP_MASK | _KINGS | form.excuse(k)) or k.straw_bottom[at + number]
        if not free or k.straw_card[at + number + 1] == 0:
            break
        number += 1
    return number


@jit_apart
def uncover(k: Any, seat: int, taken: int) -> None:
    """Remove the face-up card and the `taken` ones below it; the next lies face up."""
    for _ in range(taken + 1):
        k.straw_gone[seat] += 1
        card = face_up(k, seat)
        k.hands[seat] |= card
        k.hands[seat + 2] &= ~card


@jit_apart
def straw_word(k: Any, every: int) -> int:
    """Return in one number how far the straw men are, and where the face-up cards stand."""
    word = 0
    for seat in range(2):
        card = face_up(k, seat)
        rank = 0
        if card:
            rank = 1 + popcount(every & suit_mask(suit_of(popcount(card - 1))) & (card - 1))
        word = (word << 9) | (k.straw_gone[seat] << 5) | rank
    return word
