"""The places that a game deals to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from trull.analysis.deals.counting import Place
from trull.analysis.deals.deal import (
    STACK_SIZE,
    STACKS,
    Deal,
    DealError,
    book_of,
    player_counts,
    shape_of,
)
from trull.solver.cards import to_mask
from trull.solver.rules import Variant


def usual_players(book: Variant) -> int:
    """Return the number of players of a variant where none is given: the greatest."""
    return player_counts(book)[-1]


def check_players(variant: str, players: int) -> None:
    """Refuse a number of players that a variant has no contract for. Raises `DealError`."""
    known = player_counts(book_of(variant))
    if players not in known:
        expected = " or ".join(map(str, known))
        raise DealError(f"players: {players}, expected {expected} in {variant}")


@cache
def places(players: int) -> tuple[Place, ...]:
    """Return the places of a game in their order: the seats, then the talon or the straw men.

    The talon is two halves of three cards, `half0` and `half1`. Seat *n* is place *n*.
    """
    size, talon, stacks = shape_of(players)
    found = [Place(f"seat{seat}", size) for seat in range(players)]
    if talon:
        found += [Place(f"half{half}", talon // 2, ordered=True) for half in range(2)]
    if stacks:
        found += [
            Place(f"straw{seat}", stacks * STACK_SIZE, ordered=True) for seat in range(players)
        ]
    return tuple(found)


def named_places(players: int) -> dict[str, tuple[int, ...]]:
    """Return what conditions may name, with the places it stands for: `talon` is both halves."""
    found: dict[str, tuple[int, ...]] = {
        place.name: (number,) for number, place in enumerate(places(players))
    }
    if "half0" in found:
        found["talon"] = found["half0"] + found["half1"]
    return found


def deal_of(variant: str, players: int, held: Sequence[Sequence[int]]) -> Deal:
    """Return the deal with the cards of each place."""
    hands = tuple(map(to_mask, held[:players]))
    if players > 2:
        return Deal(variant, hands, talon=(*held[players], *held[players + 1]))
    straw = tuple(
        tuple(
            tuple(cards[STACK_SIZE * stack : STACK_SIZE * (stack + 1)]) for stack in range(STACKS)
        )
        for cards in held[players:]
    )
    return Deal(variant, hands, straw=straw)


def masks_of(deal: Deal) -> tuple[int, ...]:
    """Return the cards of each place of a deal as masks."""
    if deal.straw:
        return *deal.hands, *(
            to_mask(card for stack in own for card in stack) for own in deal.straw
        )
    half = len(deal.talon) // 2
    return *deal.hands, to_mask(deal.talon[:half]), to_mask(deal.talon[half:])
