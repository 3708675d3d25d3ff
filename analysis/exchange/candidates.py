"""Discards worth a look: from sets that are as good as each other, or better, only one.

Two cards of a hand are *adjacent* when they are of one suit, no other hand holds a card between
them, and neither has a part in the rules or in a bonus. Whichever of the two is kept, every trick
of every line of play has the same winner, so both can be played alike. Let a be worth w more
than b. Keeping a, the owner's side wins by any strategy what it wins keeping b with the same
strategy, and between 0 and w more, as the trick with a falls to it or not. Laying a away and
keeping b, it has those w for sure. So of two adjacent cards the dearer one is laid away at least
as well, for points, for whatever rises with points, and, where weights do not matter, equally
well. That holds for every answer of a later seat, too, and so for the whole exchange.

Adjacent cards make *blocks*. Of a block, only the number of cards laid away has to be chosen: it is
the dearest ones that go. Between cards of equal weight of a block there is no difference at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, groupby

from trull.analysis.exchange.legality import to_lay_away
from trull.analysis.exchange.plans import Plan, Turn
from trull.analysis.exchange.setting import Setting
from trull.solver.cards import KINGS, TRULL, from_mask, suit_of, to_mask
from trull.solver.rules import BIRDS

Blocks = list[list[int]]
"""Cards by block, the dearest first in each."""


def special_cards(setting: Setting, called: int | None) -> int:
    """Return the cards, as a mask, that are adjacent to none: those with a part of their own."""
    rules = setting.rules
    special = TRULL | KINGS
    special |= to_mask(BIRDS[name] for name in BIRDS if name in rules.bonus_values)
    if rules.bird is not None:
        special |= 1 << BIRDS[rules.bird]
    return special if called is None else special | 1 << called


def blocks_of(setting: Setting, cards: int, others: int, special: int) -> Blocks:
    """Return the blocks of a set of cards.

    Args:
        setting: the deal and its contract.
        cards: the cards, as a mask.
        others: the cards that other hands hold or may come to hold, as a mask.
        special: the cards that are adjacent to none, as a mask.
    """
    place, weights = setting.book.rank_order, setting.book.weights
    barriers = sorted(place[card] for card in from_mask(others))
    blocks: Blocks = []
    previous: int | None = None
    for card in sorted(from_mask(cards), key=place.__getitem__):
        joined = (
            previous is not None
            and suit_of(card) == suit_of(previous)
            and not (1 << card | 1 << previous) & special
            and not any(place[previous] < barrier < place[card] for barrier in barriers)
        )
        if joined:
            blocks[-1].append(card)
        else:
            blocks.append([card])
        previous = card
    return [sorted(block, key=lambda card: (-weights[card], card)) for block in blocks]


class Candidates:
    """The discards of a plan that are worth a look.

    Args:
        setting: the deal and its contract.
        plan: the plan.
        every: whether to keep discards that are worse than, or equal to, another: of cards that
            are worth the same in one block, one choice then still stands for all.
    """

    def __init__(self, setting: Setting, plan: Plan, *, every: bool = False) -> None:
        self._setting, self._plan, self._every = setting, plan, every
        self._special = special_cards(setting, plan.called)

    def at(self, outs: Sequence[int]) -> list[int]:
        """Return the discards of the next turn, as masks, after those of earlier turns."""
        turn = self._plan.turns[len(outs)]
        forced, free, number = self._choice(turn)
        blocks = self._blocks(turn, free, outs)
        return [forced | to_mask(chosen) for chosen in _chosen(blocks, number)]

    def equals(self, outs: Sequence[int], out: int) -> Iterator[int]:
        """Yield every discard that differs from `out` only by cards worth the same in a block."""
        turn = self._plan.turns[len(outs)]
        forced, free, _ = self._choice(turn)
        choices: list[int] = [forced]
        for block in self._blocks(turn, free, outs):
            number = (out & to_mask(block)).bit_count()
            choices = [
                found | to_mask(chosen)
                for found in choices
                for chosen in combinations(block, number)
            ]
        yield from choices

    def _choice(self, turn: Turn) -> tuple[int, int, int]:
        pool = self._plan.pools[turn.seat]
        forced, free = to_lay_away(self._setting.rules, pool, turn.number, turn.drawn)
        return forced, free, turn.number - forced.bit_count()

    def _blocks(self, turn: Turn, free: int, outs: Sequence[int]) -> Blocks:
        gone = sum(outs)
        others = 0
        for seat, pool in enumerate(self._plan.pools):
            if seat != turn.seat:
                others |= pool & ~gone
        blocks = blocks_of(self._setting, free, others, self._special)
        return [part for block in blocks for part in self._parts(block)] if self._every else blocks

    def _parts(self, block: list[int]) -> Iterator[list[int]]:
        weights = self._setting.book.weights
        for _, part in groupby(block, key=weights.__getitem__):
            yield list(part)


def _chosen(blocks: Sequence[Sequence[int]], number: int) -> Iterator[tuple[int, ...]]:
    """Yield every choice of so many cards that takes the first ones of each block."""
    if number == 0:
        yield ()
        return
    if not blocks:
        return
    first, *rest = blocks
    left = sum(map(len, rest))
    for taken in range(max(number - left, 0), min(len(first), number) + 1):
        for others in _chosen(rest, number - taken):
            yield (*first[:taken], *others)
