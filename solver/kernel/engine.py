"""One worker's search: a state record, a table, and how a position gets into them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

import numpy as np

from trull.solver import cards
from trull.solver.kernel import counters, facts, form, state, table, weights
from trull.solver.kernel.play import EXCUSE_PLACE, TRUMP_MASK
from trull.solver.kernel.search import enter, find
from trull.solver.position import Position
from trull.solver.referee import TAKE, Referee, State

Measure = Literal["points", "tricks"]

_NO_LIMIT = 1 << 62
_GAP_FROM = 3
_REAL_GAME = 0  # not the gap game
_SHARED_GENERATIONS = table.GENERATIONS // 2
_OF_POSITION = frozenset(
    "start_trumps fact hands line taken straw_gone moves results order".split()  # noqa: SIM905
)
_OF_SEARCH = frozenset("table buckets generation counts nodes node_limit stop".split())  # noqa: SIM905
_OF_WORTH = frozenset("fact_leaf fact_low fact_high".split())  # noqa: SIM905
_OF_RULES = tuple(
    name for name in state.DTYPE.names or () if name not in _OF_POSITION | _OF_SEARCH | _OF_WORTH
)
"""The fields of the state that say what is played for, and by which rules."""


IntArray = np.ndarray[Any, np.dtype[np.int32]]


class FactRules(NamedTuple):
    """What the kernel has to watch for a settlement (see `facts`).

    Attributes:
        start: the word of facts before the first card.
        tricks: whether it counts who has won a trick.
        trull: whether the trull counts.
        kings: whether the four Kings count.
        birds: Pagat, Uhu, Kakadu, Quapil and the called card, each with the tricks left at its
            own trick; `None` where it does not count.
        guarded_mond: whether the declarer pays for losing his Mond.
        mond_counts_side: whether it is lost to the other side only.
        guarded_king: the called King that the declaring side pays for losing.
        talon_king: the called King that the rest of the talon goes with.
        talon_sets: what that talon adds to the sets of the side that gets it.
        talon_lost: what it adds to the facts when the opponents get it.
    """

    start: int
    tricks: bool
    trull: bool
    kings: bool
    birds: tuple[tuple[int, int] | None, ...]
    guarded_mond: bool
    mond_counts_side: bool
    guarded_king: int | None
    talon_king: int | None
    talon_sets: int
    talon_lost: int


class Engine:
    """A search engine for one thread: load a position, then ask what can be reached.

    Args:
        megabytes: the size of the transposition table.
    """

    def __init__(self, megabytes: float = 64) -> None:
        memory = state.new_memory()
        self._states = {kind: state.record(memory, kind.dtype) for kind in form.FORMS}
        self.state = self._states[form.ANY]
        self.table = table.new_table(megabytes)
        self.state.table = self.table.ctypes.data
        self.state.buckets = table.buckets(self.table) - 1
        self._retired = False
        self._tags: dict[int, int] = {}
        self._newest = 0
        self._shared: dict[bytes, int] | None = None
        self._last = table.GENERATIONS
        self._entered = True

    @property
    def nodes(self) -> int:
        """Positions visited since the last `begin`."""
        return int(self.state.nodes)

    @property
    def counters(self) -> dict[str, int]:
        """What the nodes since the last `begin` were spent on, by the names in `counters.NAMES`."""
        return dict(zip(counters.NAMES, self.state.counts.tolist(), strict=True))

    @property
    def stopped(self) -> bool:
        """Whether a limit or `stop` has ended the search."""
        return bool(self.state.stop)

    def begin(self, nodes: int | None = None) -> None:
        """Start a new account of nodes, which stops the search after `nodes` of them."""
        k = self.state
        k.nodes = k.stop = 0
        k.counts[:] = 0
        k.node_limit = _NO_LIMIT if nodes is None else nodes
        if self._retired:
            self.stop()

    def stop(self) -> None:
        """End the running search, and every later one until the next `begin`."""
        self.state.stop = 1

    def retire(self) -> None:
        """Stop for good: later searches end at once, too."""
        self._retired = True
        self.stop()

    @contextmanager
    def sharing(self) -> Iterator[None]:
        """Let the positions loaded inside the `with` use each other's results.

        Positions share them when everything in the state is equal but the cards in the hands and
        the word of facts: the rules, the seats that count and that maximise, all weights, the
        term, what is watched and what it is worth. An entry of the table bounds what is won from
        a position between tricks *on*. That depends on this state, and besides on what its key
        holds: who owns the outstanding cards, in rank order, who leads, where the cards with a
        part in the rules are, whether a trump was seen, the word of facts; and on the values of
        the cards, which stand beside the bounds. What was laid away or won before plays no part
        in it. So an entry holds for a position of another deal of the cards as it does for one
        of the same deal, and is as exact.

        Search results do not depend on what was searched before: a new `sharing` begins with an
        empty table, and so does one that has used up its share of generations, after the same
        number of them whatever came before.
        """
        if self._newest > table.GENERATIONS - _SHARED_GENERATIONS:
            self._clear()
        self._shared, self._last = {}, self._newest + _SHARED_GENERATIONS
        try:
            yield
        finally:
            self._shared, self._last = None, table.GENERATIONS

    def load(
        self,
        position: Position,
        measure: Measure,
        counting: Iterable[int],
        maximising: Iterable[int],
    ) -> None:
        """Put a position and what its cards and tricks are worth into the state.

        Args:
            position: the position.
            measure: what is counted: card `points` or `tricks`.
            counting: the seats whose tricks count.
            maximising: the seats that want much counted; the others want little.
        """
        referee = Referee(position)
        start = referee.before_trick
        weights = position.book.weights if measure == "points" else (0,) * cards.PACK
        k = self.state
        k.counting = cards.to_mask(counting)
        k.maximising = cards.to_mask(maximising)
        self._lay_places(position)
        self._load_rules(position)
        self._load_weights(weights)
        self._load_hands(start)
        self._load_talon(position, start, weights)
        k.trick_weight = 1 if measure == "tricks" else 0
        k.values = table.ALL_VALUES if measure == "points" else 0
        k.term_card = k.term_weight = k.term_left = 0
        k.exactly = k.facts = k.fact = k.marked = 0
        self._tags.clear()
        self._trick = position.trick
        self._entered = self._shared is None
        if self._entered:
            self._next_generation()

    def deal(self, hands: Sequence[int]) -> None:
        """Put other cards, as masks, into the hands of a loaded position before the first lead.

        They are as many as before, and the rules, what is counted and the word of facts stay.
        """
        k = self.state
        held = 0
        for seat, hand in enumerate(hands):
            k.hands[seat] = self._places(hand)
            held |= int(k.hands[seat])
        k.start_trumps = held & TRUMP_MASK & ~int(k.fool)

    def add_term(self, card: int, weight: int, left: int = 0) -> None:
        """Let `card` earn `weight` by winning a trick itself for a counting seat.

        Args:
            card: the card.
            weight: what it adds to the sum, not negative.
            left: how many tricks are left, that one included; 0 stands for any.
        """
        k = self.state
        k.gap_from = 0
        k.term_card = 1 << self._place[card]
        k.term_weight = weight
        k.term_left = left
        k.special |= k.term_card
        k.roles |= k.term_card

    def add_facts(self, rules: FactRules) -> None:
        """Let the kernel watch the facts of a settlement; `set_worth` says what they are worth."""
        k = self.state
        k.facts = 1
        k.gap_from = 0
        k.fact = rules.start
        kings = self._places(cards.KINGS)
        k.set_tricks = 3 << facts.TRICKS if rules.tricks else 0
        k.set_trull = k.trull if rules.trull else 0
        k.set_kings = k.marked = kings if rules.kings else 0
        k.bird[:] = k.bird_left[:] = k.birds = 0
        for index, bird in enumerate(rules.birds):
            if bird is not None:
                card, left = bird
                k.bird[index] = 1 << self._place[card]
                k.bird_left[index] = left
                k.birds |= k.bird[index]
        k.guarded_mond = k.mond if rules.guarded_mond else 0
        k.mond_counts_side = rules.mond_counts_side
        called = {card for card in (rules.guarded_king, rules.talon_king) if card is not None}
        k.guarded_king = self._places(cards.to_mask(called & {rules.guarded_king}))
        k.talon_king = self._places(cards.to_mask(called & {rules.talon_king}))
        k.talon_sets = rules.talon_sets
        k.talon_lost = rules.talon_lost
        ultimo = k.bird[4] | k.guarded_king | k.talon_king
        if ultimo and k.term_card == 0:
            k.term_card = ultimo  # a term of weight 0: the key tells the called card's suit
        trumps = k.set_trull | k.guarded_mond | (k.birds & TRUMP_MASK)
        k.roles |= trumps | ultimo
        k.special |= trumps | k.set_kings | ultimo

    def set_worth(
        self, tag: int, words: IntArray, leaf: IntArray, low: IntArray, high: IntArray
    ) -> None:
        """Set what words of facts are worth, at the end and as bounds before it.

        Args:
            tag: names the setting; what the table holds under the same tag is used again.
            words: the words of facts.
            leaf: what each is worth at the end, not negative.
            low: the least that it can become worth.
            high: the most.
        """
        k = self.state
        k.fact_leaf[words], k.fact_low[words], k.fact_high[words] = leaf, low, high
        if self._shared is not None:
            self._enter(words, leaf, low, high)
        elif tag in self._tags:
            k.generation = self._tags[tag]
        else:
            self._next_generation()
            self._tags[tag] = int(k.generation)

    def _lay_places(self, position: Position) -> None:
        place = list(position.book.rank_order)
        if position.rules.fool == "lowest":
            place[: cards.TRUMPS] = [*range(1, cards.TRUMPS), 0]
        elif position.rules.fool == "excuse":
            place[cards.SKUS] = EXCUSE_PLACE
        self._place = place

    def _load_rules(self, position: Position) -> None:
        k, rules = self.state, position.rules
        pagat, mond, fool = (
            1 << self._place[card] for card in (cards.PAGAT, cards.MOND, cards.SKUS)
        )
        k.players = position.seats
        k.trump_power = rules.trump_power
        k.void_must_trump = rules.void_must_trump
        k.overtaking = ("none", "all", "trumps").index(rules.overtaking)
        k.emperor = ("off", "on", "trump_led").index(rules.emperor)
        k.pagat_last = "last_trump" in rules.pagat
        k.pagat_kept = "announced" in rules.pagat
        k.pagat_no_lead = "no_lead" in rules.pagat
        k.mond_rule = rules.mond_rule
        k.trump_lead_last = rules.trump_lead_last
        k.fool_lead = rules.fool != "trump"
        k.mond_lifts_fool = rules.mond_lifts_fool
        k.pagat, k.mond, k.fool = pagat, mond, fool
        k.trull = pagat | mond | fool
        k.excuse = fool if rules.fool == "excuse" else 0
        k.roles = 0
        if rules.pagat:
            k.roles |= pagat
        if rules.mond_rule or rules.mond_lifts_fool:
            k.roles |= mond | fool
        if rules.fool != "trump":
            k.roles |= fool
        k.special = k.roles
        k.duties = bool(k.roles) or rules.overtaking != "none" or rules.trump_lead_last
        k.bounded = (
            rules.trump_power
            and rules.void_must_trump
            and rules.overtaking != "all"
            and rules.sides != "two"
            and k.counting == k.maximising
        )
        lone = int(k.counting).bit_count() == 1
        k.declarer = int(k.counting).bit_length() - 1
        if k.counting != k.maximising:
            k.order[:] = weights.EVERYONE if rules.sides == "everyone" else weights.FEW
        else:
            k.order[:] = weights.LONE if lone else weights.TWO_SIDES
        k.gap_from = _GAP_FROM if lone and k.bounded and not k.roles else 0

    def _load_weights(self, weights: tuple[int, ...]) -> None:
        k = self.state
        k.weight[:] = 0
        k.weight[self._place] = weights
        k.class_mask[:] = k.class_weight[:] = 0
        for index, weight in enumerate(sorted(set(weights))):
            k.class_weight[index] = weight
            k.class_mask[index] = sum(
                1 << place for card, place in enumerate(self._place) if weights[card] == weight
            )
        self._load_slack()

    def _load_hands(self, start: State) -> None:
        k = self.state
        self._leader = start.leader
        k.hands[:] = 0
        for seat, hand in enumerate(start.hands):
            k.hands[seat] = self._places(hand)
        self._load_straw(start)
        held = 0
        for hand in k.hands:
            held |= int(hand)
        k.start_trumps = held & TRUMP_MASK & ~int(k.fool)
        k.trump_seen = start.trump_seen

    def _load_straw(self, start: State) -> None:
        """Lay out the straw men: the top cards in the hands, the covered ones behind them."""
        k = self.state
        k.straw = any(start.straw)
        k.straw_card[:] = k.straw_bottom[:] = k.straw_gone[:] = 0
        for seat, stacks in enumerate(start.straw):
            at = seat * state.STRAW
            for stack in stacks:
                for card in stack:
                    k.straw_card[at] = 1 << self._place[card]
                    k.straw_bottom[at] = card == stack[-1]
                    owner = seat + 2 if at > seat * state.STRAW else seat
                    k.hands[owner] |= k.straw_card[at]
                    at += 1

    def _load_talon(self, position: Position, start: State, weights: tuple[int, ...]) -> None:
        """Lay out what the talon adds to each trick, by the number of tricks left."""
        k = self.state
        k.talon_weight[:] = k.talon_rest[:] = 0
        k.seen_left = -1
        if position.rules.talon != "tricks":
            return
        left = start.hands[0].bit_count()
        for card in start.talon[:left]:
            k.talon_weight[left] = weights[card]
            left -= 1
            if card < cards.TRUMPS and card != cards.SKUS:
                k.seen_left = max(int(k.seen_left), left)
        k.talon_rest[:] = np.cumsum(k.talon_weight)

    def _places(self, mask: int) -> int:
        return sum(1 << self._place[card] for card in cards.from_mask(mask))

    def _next_generation(self) -> None:
        if self._newest == self._last:
            self._clear()
            if self._shared is not None:
                self._last = _SHARED_GENERATIONS
        self._newest += 1
        self.state.generation = self._newest

    def _clear(self) -> None:
        self.table[:] = 0
        self._tags.clear()
        if self._shared is not None:
            self._shared.clear()
        self._newest = 0

    def _enter(self, *worth: IntArray) -> None:
        """Enter the generation of the state's rules and of what facts are worth, where shared."""
        if self._shared is None:
            return
        digest = blake2b(digest_size=16)
        for name in _OF_RULES:
            digest.update(np.asarray(self.state[name]).tobytes())
        for array in worth:
            digest.update(array.tobytes())
        key = digest.digest()
        if key not in self._shared:
            self._next_generation()
            self._shared[key] = self._newest
        self.state.generation = self._shared[key]
        self._entered = True

    def _load_slack(self) -> None:
        """Set what the value vectors of two positions can differ by."""
        k = self.state
        place = self._place
        first = cards.TRUMPS
        honours = tuple(int(k.weight[first + n]) for n in (7, 6, 5, 4))
        trull = tuple(int(k.weight[place[card]]) for card in (cards.PAGAT, cards.MOND, cards.SKUS))
        k.suit_slack[:] = _suit_slack(honours, int(k.weight[first]))
        k.trump_slack[:] = _trump_slack(
            trull, int(k.weight[place[cards.UHU]]), place[cards.SKUS] < place[cards.PAGAT]
        )

    def reach(self, target: int, line: Sequence[int]) -> int:
        """Decide whether the maximisers can reach `target` after `line`.

        Args:
            target: the sum asked for, counted from the beginning of the current trick on.
            line: moves from the position on, as `Referee.moves` gives them.

        Returns:
            A bound of the sum: at least `target` and a lower bound if they can, else less and
            an upper bound. Means nothing when the engine was stopped.
        """
        if not self._entered:
            self._enter()
        k = self._states[form.form_of(self.state)]
        with self._after(line) as (plies, *position, cards, worth):
            found = find(k, plies, target - worth, *position, _REAL_GAME, cards)
            return int(worth + found)

    def limit(self) -> int:
        """Return a bound of the sum from above that needs no search."""
        k = self.state
        hands, weight = k.hands.tolist(), k.weight.tolist()
        held = sum(weight[place] for hand in hands for place in cards.from_mask(hand))
        left = sum(hand.bit_count() for hand in hands) // int(k.players)
        talon = int(k.talon_rest[left])
        return held + left * int(k.trick_weight) + talon + int(k.term_weight)

    def look(self, line: Sequence[int]) -> tuple[int, int, int]:
        """Return what `line` leads to: the seat to play, its legal cards, the sum so far."""
        with self._after(line) as (_plies, seat, *_trick, places, worth):
            legal = (self._place.index(place) for place in cards.from_mask(int(places)))
            return int(seat), cards.to_mask(legal), int(worth)

    @contextmanager
    def _after(self, line: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Play a line and take it back in the end.

        Gives how many cards are played and what `search.enter` says of the position reached.
        """
        k = self.state
        before = k.hands.copy(), k.straw_gone.copy(), int(k.fact)
        plies = self._set_line(line)
        try:
            yield plies, *enter(k, plies, self._leader)
        finally:
            k.hands[:], k.straw_gone[:], k.fact = before

    def _set_line(self, line: Sequence[int]) -> int:
        played = (*self._trick, *line)
        for ply, move in enumerate(played):
            taken, card = divmod(move, TAKE)
            self.state.line[ply] = self._place[card]
            self.state.taken[ply] = taken
        return len(played)


@cache
def _suit_slack(honours: tuple[int, ...], pip: int) -> list[int]:
    """Return Σ(oldᵢ − newᵢ)⁺ for two sets of a suit's honours, given from the King down."""
    runs = [
        [weight for place, weight in zip((3, 2, 1, 0), honours, strict=True) if mask >> place & 1]
        for mask in range(16)
    ]
    return [_excess(old, new, pip) for old in runs for new in runs]


@cache
def _trump_slack(trull: tuple[int, ...], common: int, fool_is_lowest: bool) -> list[int]:
    """Return the same for two sets of the trull (Pagat 1, Mond 2, Fool 4).

    It is summed up from the top and from the bottom: where the two overlap it is too large,
    which is safe.
    """
    pagat, mond, fool = trull
    tops, ends = [], []
    for mask in range(8):
        out_pagat, out_mond, out_fool = mask & 1, mask >> 1 & 1, mask >> 2 & 1
        high_fool = out_fool and not fool_is_lowest
        tops.append([fool] * high_fool + [mond] * out_mond)
        ends.append([fool] * (out_fool and fool_is_lowest) + [pagat] * out_pagat)
    return [
        _excess(tops[old], tops[new], common) + _excess(ends[old], ends[new], common)
        for old in range(8)
        for new in range(8)
    ]


def _excess(old: list[int], new: list[int], rest: int) -> int:
    """Return Σ(oldᵢ − newᵢ)⁺ of two runs of weights from the top, `rest` below them."""
    length = max(len(old), len(new))
    old = old + [rest] * (length - len(old))
    new = new + [rest] * (length - len(new))
    return sum(max(a - b, 0) for a, b in zip(old, new, strict=True))
