"""Every deal that meets linear conditions, counted and numbered.

A *linear condition* says that a sum over the cards lies in a range, where what a card adds depends
on the place it is dealt to: "at least eight trumps at seat 0" adds 1 for each trump there. All
deals that meet a list of such conditions are numbered from 0, and `DealNumbering.deal` finds the
deal of a number. A number drawn uniformly so gives a deal drawn uniformly, without a rejection.

Places that no condition tells apart are put together in a *box*, cards that no condition tells
apart in a *class*. The deals are counted class by class: a node of the count is what room the boxes
have left and how far the sums have come, a branch is how many cards of the next class go into each
box. As soon as no condition is open any more, the cards left are divided freely. All counts
are exact whole numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from math import comb, factorial, inf, prod
from operator import mul, sub
from typing import NamedTuple

from trull.solver.cards import PACK

MOST_BRANCHES = 150_000
"""The most branches of a count: one or two seconds' work."""

Weights = tuple[int, ...]
"""What each card of the pack adds, by card number."""


class TooManyCases(Exception):
    """The count would take more branches than allowed."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where cards are dealt to.

    Attributes:
        name: how conditions call it.
        size: the number of its cards.
        ordered: whether the order of its cards matters.
    """

    name: str
    size: int
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear condition: `low` ≤ the sum over all cards ≤ `high`; `None` is no bound.

    Attributes:
        weights: by place (its index), what each card adds there; nothing at other places.
        low: the least sum.
        high: the greatest sum, no less than the least.
    """

    weights: Mapping[int, Weights]
    low: int | None = None
    high: int | None = None

    def __post_init__(self) -> None:
        """Refuse an empty range, whose outside would be two ranges that overlap."""
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"no sum lies between {self.low} and {self.high}")

    @property
    def range(self) -> tuple[float, float]:
        """The bounds as numbers."""
        return (
            -inf if self.low is None else self.low,
            inf if self.high is None else self.high,
        )


class Box(NamedTuple):
    """Places that no condition tells apart."""

    places: tuple[int, ...]
    room: int


class _Branch(NamedTuple):
    """One way to share out a class: the cards of each box, and what follows."""

    counts: tuple[int, ...]
    rest: _Node


@dataclass(frozen=True, slots=True)
class _Node:
    """A point of the count.

    Attributes:
        count: the number of ways to go on from here.
        room: the room of each box.
        branches: the ways to share out the next class; none where the cards are divided freely.
        bounds: the counts summed up over the branches.
    """

    count: int
    room: tuple[int, ...]
    branches: tuple[_Branch, ...] = ()
    bounds: tuple[int, ...] = ()


class DealNumbering:
    """The numbered deals of one or more cases, each a list of linear conditions that all hold.

    No deal may belong to two cases.

    Args:
        places: the places, which together take the whole pack.
        cases: the cases.
        limit: the most branches that the counts may take together.

    Raises `TooManyCases` when the counts take more.

    Attributes:
        count: the number of deals, the order of cards included in ordered places; perhaps 0.
    """

    def __init__(
        self,
        places: Sequence[Place],
        cases: Iterable[Sequence[Linear]] = ((),),
        limit: int = MOST_BRANCHES,
    ) -> None:
        """Count the deals of every case."""
        self._orders = tuple(factorial(place.size) if place.ordered else 1 for place in places)
        self._cases: list[_Case] = []
        for conditions in cases:
            case = _Case(places, conditions, limit)
            limit -= case.branches
            if case.count:
                self._cases.append(case)
        self._bounds = list(accumulate(case.count for case in self._cases))
        self.count = prod(self._orders) * (self._bounds[-1] if self._cases else 0)

    def deal(self, number: int) -> list[list[int]]:
        """Return the deal with a number from 0 to `count` - 1: the cards of each place.

        In ordered places the cards stand in their order.
        """
        orders = []
        for order in self._orders:
            number, rank = divmod(number, order)
            orders.append(rank)
        turn = bisect_right(self._bounds, number)
        if turn:
            number -= self._bounds[turn - 1]
        held = self._cases[turn].deal(number)
        for place, order in enumerate(self._orders):
            if order > 1:
                held[place] = _arranged(held[place], orders[place])
        return held


class _Case:
    """The numbered deals of one case, the order of cards left aside.

    Attributes:
        count: their number.
        branches: how many branches the count took.
    """

    def __init__(self, places: Sequence[Place], conditions: Sequence[Linear], limit: int) -> None:
        """Count the deals."""
        self._sizes = [place.size for place in places]
        self._boxes = boxes_of(self._sizes, conditions)
        counter = _Counter(self._boxes, conditions, limit)
        self._classes = counter.classes
        self._root = counter.root()
        self.branches = counter.branches
        inner = [multinomial([self._sizes[place] for place in box.places]) for box in self._boxes]
        self.count = self._root.count * prod(inner)

    def deal(self, number: int) -> list[list[int]]:
        """Return the deal with a number, the cards of each place in some order."""
        held: list[list[int]] = [[] for _ in self._sizes]
        number, rank = divmod(number, self._root.count)
        for box, cards in zip(self._boxes, self._filled(rank), strict=True):
            sizes = [self._sizes[place] for place in box.places]
            number = _share(cards, sizes, number, [held[place] for place in box.places])
        return held

    def _filled(self, rank: int) -> list[list[int]]:
        """Return the cards of each box in the deal of the boxes with a rank."""
        filled: list[list[int]] = [[] for _ in self._boxes]
        node, turn = self._root, 0
        while node.branches:
            place = bisect_right(node.bounds, rank)
            if place:
                rank -= node.bounds[place - 1]
            counts, rest = node.branches[place]
            ways, rank = divmod(rank, rest.count)
            _share(self._classes[turn], counts, ways, filled)
            node, turn = rest, turn + 1
        _share(list(chain(*self._classes[turn:])), node.room, rank, filled)
        return filled


def multinomial(parts: Sequence[int]) -> int:
    """Return in how many ways different things are divided into parts of the given sizes."""
    return factorial(sum(parts)) // prod(map(factorial, parts))


# --- From numbers to cards ---


def _share(cards: list[int], counts: Sequence[int], rank: int, held: list[list[int]]) -> int:
    """Share out cards, so many to each holder, in the way that has a rank.

    Returns what is left of the rank after dividing it by the number of ways.
    """
    for holder, count in enumerate(counts):
        if count == len(cards):
            held[holder] += cards
            break
        if count:
            rank, chosen = divmod(rank, comb(len(cards), count))
            cards = _choose(cards, count, chosen, held[holder])
    return rank


def _choose(cards: list[int], count: int, rank: int, taken: list[int]) -> list[int]:
    """Move the subset of `count` cards that has a rank to `taken`, and return the other cards."""
    others: list[int] = []
    for behind, card in zip(range(len(cards) - 1, -1, -1), cards):  # noqa: B905 - equally long
        with_card = _SUBSETS[behind][count - 1]
        if rank < with_card:
            taken.append(card)
            count -= 1
            if not count:
                return others + cards[len(cards) - behind :]
        else:
            rank -= with_card
            others.append(card)
    return others


def _arranged(cards: list[int], rank: int) -> list[int]:
    """Return the order of cards that has a rank."""
    left = list(cards)
    order = []
    while left:
        rank, place = divmod(rank, len(left))
        order.append(left.pop(place))
    return order


# --- Counting ---


def boxes_of(sizes: Sequence[int], conditions: Sequence[Linear]) -> list[Box]:
    """Return the boxes, those without any weights last.

    Args:
        sizes: the number of cards of each place.
        conditions: the conditions that tell places apart.
    """
    nothing = (0,) * sum(sizes)
    alike: dict[tuple[Weights, ...], list[int]] = {}
    for place in range(len(sizes)):
        columns = tuple(condition.weights.get(place, nothing) for condition in conditions)
        alike.setdefault(columns, []).append(place)
    order = sorted(alike, key=lambda columns: not any(map(any, columns)))
    return [Box(tuple(alike[key]), sum(sizes[place] for place in alike[key])) for key in order]


def classes_of(
    boxes: Sequence[Box], conditions: Sequence[Linear]
) -> list[tuple[list[int], tuple[Weights, ...]]]:
    """Return the classes, each as its cards and what one adds, by condition and box.

    Cards that add nothing come last.
    """
    pack = sum(box.room for box in boxes)
    nothing = (0,) * pack
    columns = [
        [condition.weights.get(box.places[0], nothing) for box in boxes] for condition in conditions
    ]
    alike: dict[tuple[Weights, ...], list[int]] = {}
    for card in range(pack):
        weights = tuple(tuple(column[card] for column in by_box) for by_box in columns)
        alike.setdefault(weights, []).append(card)
    order = sorted(alike, key=lambda weights: (not any(map(any, weights)), -len(alike[weights])))
    return [(alike[weights], weights) for weights in order]


class _Counter:
    """Counts the ways to fill boxes under linear conditions.

    Attributes:
        classes: the cards that no condition tells apart, class by class.
        branches: how many branches were looked at.
    """

    def __init__(self, boxes: Sequence[Box], conditions: Sequence[Linear], limit: int) -> None:
        """Sort the cards into classes."""
        found = classes_of(boxes, conditions)
        self.classes = [cards for cards, _ in found]
        self.branches = 0
        self._weights = [weights for _, weights in found]
        self._boxes = boxes
        self._ranges = [condition.range for condition in conditions]
        self._extremes = [self._extremes_from(turn) for turn in range(len(found) + 1)]
        self._nodes: dict[object, _Node] = {}
        self._limit = limit

    def _extremes_from(self, turn: int) -> list[list[tuple[Weights, Weights]]]:
        """Return, by condition and box, the least and the most that n cards add, for every n.

        Only cards of the classes from `turn` on are left.
        """
        found = []
        for condition in range(len(self._ranges)):
            by_box = []
            for box in range(len(self._boxes)):
                weights = sorted(
                    self._weights[later][condition][box]
                    for later in range(turn, len(self.classes))
                    for _ in self.classes[later]
                )
                least = tuple(accumulate(weights, initial=0))
                most = tuple(accumulate(reversed(weights), initial=0))
                by_box.append((least, most))
            found.append(by_box)
        return found

    def root(self) -> _Node:
        """Return the node from which everything is still to be dealt."""
        room = tuple(box.room for box in self._boxes)
        return self._node(0, room, (0,) * len(self._ranges))

    def _node(self, turn: int, room: tuple[int, ...], sums: tuple[int | None, ...]) -> _Node:
        """Return the node with so many classes dealt; a sum that is sure to fit is `None`."""
        settled = self._settled(turn, room, sums)
        if settled is None:
            return _Node(0, room)
        if all(total is None for total in settled):
            return _Node(multinomial(room), room)
        key = (turn, room, settled)
        if key not in self._nodes:
            self._nodes[key] = self._branched(turn, room, settled)
        return self._nodes[key]

    def _branched(self, turn: int, room: tuple[int, ...], sums: tuple[int | None, ...]) -> _Node:
        size, weights = len(self.classes[turn]), self._weights[turn]
        branches, bounds, count = [], [], 0
        for counts in _shares(size, room):
            self.branches += 1
            if self.branches > self._limit:
                raise TooManyCases
            rest = self._node(
                turn + 1,
                tuple(map(sub, room, counts)),
                tuple(
                    None if total is None else total + sum(map(mul, weights[condition], counts))
                    for condition, total in enumerate(sums)
                ),
            )
            if rest.count:
                count += multinomial(counts) * rest.count
                branches.append(_Branch(counts, rest))
                bounds.append(count)
        return _Node(count, room, tuple(branches), tuple(bounds))

    def _settled(
        self, turn: int, room: tuple[int, ...], sums: tuple[int | None, ...]
    ) -> tuple[int | None, ...] | None:
        """Return the sums, `None` for one that is sure to fit; `None` when one cannot fit."""
        found: list[int | None] = []
        for condition, total in enumerate(sums):
            if total is None:
                found.append(None)
                continue
            low, high = self._ranges[condition]
            by_box = self._extremes[turn][condition]
            least = total + sum(by_box[box][0][size] for box, size in enumerate(room))
            most = total + sum(by_box[box][1][size] for box, size in enumerate(room))
            if most < low or least > high:
                return None
            found.append(None if least >= low and most <= high else total)
        return tuple(found)


def _shares(size: int, room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield every way to share out `size` cards that cannot be told apart."""
    if len(room) == 1:
        yield (size,)
        return
    elsewhere = sum(room[1:])
    for first in range(max(0, size - elsewhere), min(size, room[0]) + 1):
        for others in _shares(size - first, room[1:]):
            yield (first, *others)


_SUBSETS = [[comb(size, count) for count in range(PACK + 1)] for size in range(PACK + 1)]
"""In how many ways so many cards are chosen out of a number of cards."""
