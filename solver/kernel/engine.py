"""One worker's search: a state record, a table, and how a position gets into them."""

from __future__ import annotations

from collections.abc import Sequence

from trull.solver import cards
from trull.solver.kernel import state, table
from trull.solver.kernel.search import legal_cards, reach
from trull.solver.position import Position
from trull.solver.referee import Referee, State

_NO_LIMIT = 1 << 62


class Engine:
    """A search engine for one thread: load a position, then ask what can be reached.

    Args:
        megabytes: the size of the transposition table.
    """

    def __init__(self, megabytes: float = 64) -> None:
        self.state = state.new_state()
        self.table = table.new_table(megabytes)
        self._retired = False

    @property
    def nodes(self) -> int:
        """Positions visited since the last `load`."""
        return int(self.state.nodes)

    @property
    def stopped(self) -> bool:
        """Whether a limit or `stop` has ended the search."""
        return bool(self.state.stop)

    def stop(self) -> None:
        """End the running search, and every later one until the next `load`."""
        self.state.stop = 1

    def retire(self) -> None:
        """Stop for good: later searches end at once, too."""
        self._retired = True
        self.stop()

    def load(self, position: Position, objective: str, nodes: int | None = None) -> None:
        """Put a position and what its cards and tricks are worth into the state.

        Args:
            position: any position of two teams.
            objective: `points` or `tricks`.
            nodes: after how many nodes the search stops by itself.
        """
        referee = Referee(position)
        book = position.book
        self._place = book.rank_order
        weights = book.weights if objective == "points" else (0,) * cards.PACK
        self._load_rules(position)
        self._load_weights(weights)
        self._load_term(referee, weights)
        self._load_hands(referee.before_trick)
        self._trick = position.trick
        self._past = int(referee.value(referee.start, "points" if objective == "points" else "tricks"))
        k = self.state
        k.trick_weight = 1 if objective == "tricks" else 0
        k.values = table.ALL_VALUES if objective == "points" else 0
        k.nodes = k.stop = 0
        k.node_limit = _NO_LIMIT if nodes is None else nodes
        if self._retired:
            self.stop()
        self._next_generation()

    def _load_rules(self, position: Position) -> None:
        k = self.state
        k.players = position.seats
        k.trump_power = int(position.rules.trump_power)
        k.emperor = int(position.rules.emperor != "off")
        k.declaring = sum(1 << seat for seat in position.side)

    def _load_weights(self, weights: tuple[int, ...]) -> None:
        k = self.state
        for card, place in enumerate(self._place):
            k.weight[place] = weights[card]
        k.class_mask[:] = k.class_weight[:] = 0
        for index, weight in enumerate(sorted(set(weights))):
            k.class_weight[index] = weight
            k.class_mask[index] = self._places(
                cards.to_mask(card for card in range(cards.PACK) if weights[card] == weight)
            )
        self._load_slack()

    def _load_term(self, referee: Referee, weights: tuple[int, ...]) -> None:
        """Set the called king out of the talon, which wins the rest of the talon with a trick."""
        k, state = self.state, referee.start
        k.term_card = k.term_weight = 0
        called = pending_king(referee)
        if called is not None:
            k.term_card = 1 << self._place[called]
            k.term_weight = sum(weights[card] for card in state.talon)

    def _load_hands(self, start: State) -> None:
        k = self.state
        self._leader = start.leader
        k.hands[:] = 0
        for seat, hand in enumerate(start.hands):
            k.hands[seat] = self._places(hand)

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

    def reach(self, target: int, line: Sequence[int]) -> int:
        """Decide whether the declaring side's final result can reach `target` after `line`.

        Args:
            target: the result asked for, everything counted that counts for the side.
            line: cards played from the position on.

        Returns:
            A bound of the result: at least `target` and a lower bound if it can, else less and
            an upper bound. Means nothing when the engine was stopped.
        """
        plies = self._set_line(line)
        gain = reach(self.state, self.table, target - self._past, self._leader, plies)
        return self._past + int(gain)

    def limits(self) -> tuple[int, int]:
        """Return bounds of the declaring side's final result that need no search."""
        k = self.state
        rest = sum(int(k.weight[place]) for hand in k.hands for place in cards.from_mask(int(hand)))
        tricks = int(k.hands[0]).bit_count() * int(k.trick_weight)
        return self._past, self._past + rest + tricks + int(k.term_weight)

    def legal(self, line: Sequence[int]) -> int:
        """Return the legal cards after `line`, as a mask of cards."""
        places = int(legal_cards(self.state, self._leader, self._set_line(line)))
        return cards.to_mask(self._place.index(place) for place in cards.from_mask(places))

    def _set_line(self, line: Sequence[int]) -> int:
        played = (*self._trick, *line)
        for ply, card in enumerate(played):
            self.state.line[ply] = self._place[card]
        return len(played)


def pending_king(referee: Referee) -> int | None:
    """Return a called king out of the talon that may still win it for the lone declarer."""
    start, called = referee.before_trick, referee.called
    if referee.rules.talon != "called_king" or called is None or referee.declarer is None:
        return None
    return called if start.hands[referee.declarer] >> called & 1 else None


def _excess(old: list[int], new: list[int], rest: int) -> int:
    """Return Σ(oldᵢ − newᵢ)⁺ of two runs of weights from the top, `rest` below them."""
    length = max(len(old), len(new))
    old = old + [rest] * (length - len(old))
    new = new + [rest] * (length - len(new))
    return sum(max(a - b, 0) for a, b in zip(old, new, strict=True))
