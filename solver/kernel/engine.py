"""One worker's search: a state record, a table, and how a position gets into them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trull.solver import cards
from trull.solver.kernel import state, table
from trull.solver.kernel.search import legal_cards, reach

if TYPE_CHECKING:
    from trull.solver.position import Position

_NO_LIMIT = 1 << 62


class Engine:
    """A search engine for one thread: load a position, then ask what can be reached.

    Args:
        megabytes: the size of the transposition table.
    """

    def __init__(self, megabytes: float = 64) -> None:
        self.state = state.new_state()
        self.table = table.new_table(megabytes)
        self.state.generation = 0

    def load(self, position: Position, objective: str) -> None:
        """Put a position and what its cards and tricks are worth into the state.

        Args:
            position: any position of two teams.
            objective: `points` or `tricks`.
        """
        k = self.state
        book, rules = position.book, position.rules
        self._place = book.rank_order
        self._card = [0] * cards.PACK
        for card, place in enumerate(self._place):
            self._card[place] = card
        k.players = position.seats
        k.trump_power = int(rules.trump_power)
        k.emperor = int(rules.emperor != "off")
        k.declaring = sum(1 << seat for seat in position.side)

        weights = book.weights if objective == "points" else (0,) * cards.PACK
        for card, place in enumerate(self._place):
            k.weight[place] = weights[card]
        k.trick_weight = 1 if objective == "tricks" else 0
        k.term_card = k.term_weight = 0
        distinct = sorted(set(weights))
        k.class_mask[:] = 0
        k.class_weight[:] = 0
        for index, weight in enumerate(distinct):
            k.class_weight[index] = weight
            k.class_mask[index] = sum(
                1 << self._place[card] for card in range(cards.PACK) if weights[card] == weight
            )
        self._load_slack()
        k.values = (1 << 19) - 1 if objective == "points" else 0

        self.leader = position.leader
        for seat in range(state.SEATS):
            k.hands[seat] = 0
        for seat, hand in enumerate(position.hands):
            k.hands[seat] = self._places(hand)
        for turn, card in enumerate(position.trick):
            k.hands[(position.leader + turn) % position.seats] |= 1 << self._place[card]
        self.root = list(position.trick)
        k.nodes = 0
        k.node_limit = _NO_LIMIT
        k.stop = 0
        self._next_generation()

    def _places(self, mask: int) -> int:
        return sum(1 << self._place[card] for card in cards.from_mask(mask))

    def _next_generation(self) -> None:
        if self.state.generation == table.GENERATIONS:
            self.table[:] = 0
            self.state.generation = 0
        self.state.generation += 1

    def _load_slack(self) -> None:
        """Fill the tables of Σ(oldᵢ − newᵢ)⁺ for suits and for trumps."""
        k = self.state
        weight = [int(k.weight[place]) for place in range(64)]
        first = cards.TRUMPS
        honours = [
            [weight[first + 4 + n] for n in reversed(range(4)) if mask >> n & 1]
            for mask in range(16)
        ]
        pip = weight[first]
        for old in range(16):
            for new in range(16):
                k.suit_slack[old * 16 + new] = _excess(honours[old], honours[new], pip)
        tops = [
            [weight[20 + n] for n in (1, 0) if mask >> n & 1] for mask in range(4)
        ]
        for old in range(8):
            for new in range(8):
                pagat = max((old & 1) - (new & 1), 0) * (weight[cards.PAGAT] - weight[1])
                k.trump_slack[old * 8 + new] = pagat + _excess(
                    tops[old >> 1], tops[new >> 1], weight[1]
                )

    def reach(self, target: int, line: list[int]) -> int:
        """Return the bound that `search.reach` gives after the cards of `line`.

        Args:
            target: the result asked for, from the beginning of the current trick on.
            line: cards played from the position on.
        """
        played = [*self.root, *line]
        for ply, card in enumerate(played):
            self.state.line[ply] = self._place[card]
        return int(reach(self.state, self.table, target, self.leader, len(played)))

    def legal(self, line: list[int]) -> list[int]:
        """Return the legal cards after the cards of `line`."""
        played = [*self.root, *line]
        for ply, card in enumerate(played):
            self.state.line[ply] = self._place[card]
        mask = int(legal_cards(self.state, self.leader, len(played)))
        return sorted(self._card[place] for place in cards.from_mask(mask))


def _excess(old: list[int], new: list[int], rest: int) -> int:
    """Return Σ(oldᵢ − newᵢ)⁺ of two runs of weights from the top, `rest` below them."""
    length = max(len(old), len(new))
    old = old + [rest] * (length - len(old))
    new = new + [rest] * (length - len(new))
    return sum(max(a - b, 0) for a, b in zip(old, new, strict=True))
