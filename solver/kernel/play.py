"""The rules of play on masks: legal cards, strengths, who wins a trick."""

from __future__ import annotations

from typing import Any

from trull.solver.kernel.bits import popcount
from trull.solver.kernel.jit import jit

TRUMPS = 22
TRUMP_MASK = (1 << TRUMPS) - 1
PAGAT = 1
MOND = 1 << 20
SKUS = 1 << 21
TRULL = PAGAT | MOND | SKUS


@jit
def suit_of(place: int) -> int:
    """Return 0 for a trump, 1 … 4 for a suit card."""
    return 0 if place < TRUMPS else 1 + ((place - TRUMPS) >> 3)


@jit
def suit_mask(suit: int) -> int:
    """Return the places of a suit."""
    return TRUMP_MASK if suit == 0 else 255 << (TRUMPS + 8 * (suit - 1))


@jit
def follow(k: Any, hand: int, led: int) -> int:
    """Return the cards of `hand` that the duties to follow suit and to trump allow."""
    same = hand & suit_mask(led)
    if same:
        return same
    trumps = hand & TRUMP_MASK
    return trumps if trumps else hand


@jit
def strength(k: Any, place: int, led: int) -> int:
    """Return the power of a card in a trick: 0 cannot win, more beats less."""
    if place < TRUMPS:
        return 32 + place if k.trump_power or led == 0 else 0
    if suit_of(place) == led:
        return 1 + ((place - TRUMPS) & 7)
    return 0


@jit
def emperor_possible(k: Any) -> int:
    """Return whether Pagat, Mond and Sküs can still meet in one trick.

    They can only while three different hands hold them. Call it between tricks, or with the
    cards on the table given back to their players.
    """
    if k.emperor == 0:
        return 0
    holders = 0
    for seat in range(k.players):
        holders += popcount(k.hands[seat] & TRULL) == 1
    return 1 if holders == 3 else 0


@jit
def trick_mask(k: Any, ply: int, count: int) -> int:
    """Return the last `count` cards of the line as a mask."""
    mask = 0
    for index in range(ply - count, ply):
        mask |= 1 << k.line[index]
    return mask


@jit
def trick_winner(k: Any, ply: int, leader: int, owner: int, live: int) -> int:
    """Return who wins the complete trick that ends before `ply`.

    `owner` has the strongest card; the Pagat's player wins in an emperor trick.
    """
    if live and (trick_mask(k, ply, k.players) & TRULL) == TRULL:
        for index in range(k.players):
            if k.line[ply - k.players + index] == 0:
                seat = leader + index
                return seat - k.players if seat >= k.players else seat
    return owner
