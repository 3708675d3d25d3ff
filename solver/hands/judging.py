"""A hand, and what its rule book says about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from trull.solver import rulebooks
from trull.solver.cards import NAMES
from trull.solver.hand_rules import Bid, HandBonus, Needs
from trull.solver.hands.features import features
from trull.solver.rules import BIRDS, Variant, hand_size
from trull.solver.validation import PositionError
from trull.solver.validation.error import count


@dataclass(frozen=True, kw_only=True)
class Hand:
    """One hand as it was dealt, and whose it is.

    Building a `Hand` checks it; what is wrong raises `PositionError`, whose message names the
    key.

    Attributes:
        variant: the rule book's identifier.
        cards: the cards, as a mask.
        seat: the seat, 0 for forehand, or `None` when it is not known.
        id: copied to the answer.
        comment: copied to the answer.
        extra: keys beginning with `x_`, copied to the answer.
    """

    variant: str
    cards: int
    seat: int | None = None
    id: object = None
    comment: object = None
    extra: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check variant, number of cards and seat."""
        try:
            book = rulebooks.variant(self.variant)
        except rulebooks.UnknownRule as error:
            raise PositionError(f"variant: {error}") from error
        sizes = {hand_size(players): players for players in _player_counts(book.name)}
        size = self.cards.bit_count()
        if size not in sizes:
            expected = " or ".join(map(str, sorted(sizes)))
            raise PositionError(f"hand: {count(size, 'card')}, expected {expected} in {book.title}")
        if self.seat is not None and not 0 <= self.seat < sizes[size]:
            raise PositionError(
                f"seat: there is no seat {self.seat}, expected a seat from 0 to {sizes[size] - 1}"
            )

    @property
    def book(self) -> Variant:
        """The rule book."""
        return rulebooks.variant(self.variant)

    @cached_property
    def players(self) -> int:
        """The number of players, as the number of cards tells."""
        size = self.cards.bit_count()
        return next(n for n in _player_counts(self.variant) if hand_size(n) == size)


@cache
def _player_counts(variant: str) -> list[int]:
    """Return the numbers of players whose games have a talon and one hand a seat."""
    contracts = rulebooks.variant(variant).contracts.values()
    return sorted({n for contract in contracts for n in contract.values if n > 2})


@dataclass(frozen=True, kw_only=True)
class Report:
    """What a rule book says about a hand.

    Attributes:
        hand: the hand.
        announcements: the hand bonuses, best first within their list.
        features: every feature by name.
        rules_of_thumb: by contract, whether the hand holds what the source advises for it.
        bids: the contracts that the hand may bid, lowest first. Where the seat is not known,
            those of a seat that is not forehand.
        forehand_bids: the same for forehand, where the seat is not known; else `None`.
        barred: by contract, why the cards do not allow to bid it.
        without_trumps: for a hand without trumps what becomes of the deal, as in `Variant`.
    """

    hand: Hand
    announcements: tuple[HandBonus, ...]
    features: Mapping[str, int]
    rules_of_thumb: Mapping[str, bool]
    bids: tuple[str, ...]
    forehand_bids: tuple[str, ...] | None
    barred: Mapping[str, str]
    without_trumps: str | None

    @property
    def from_each_opponent(self) -> int:
        """What each opponent pays for the hand."""
        return sum(bonus.value for bonus in self.announcements)

    def to_dict(self) -> dict[str, object]:
        """Return the answer as a JSON object."""
        hand = self.hand
        named = {"id": hand.id, "comment": hand.comment, "seat": hand.seat}
        found: dict[str, object] = {key: value for key, value in named.items() if value is not None}
        found |= hand.extra
        found |= {
            "announcements": [
                {"id": bonus.name, "value": bonus.value} for bonus in self.announcements
            ],
            "from_each_opponent": self.from_each_opponent,
            "unit": hand.book.unit,
            "features": dict(self.features),
            "rules_of_thumb": dict(self.rules_of_thumb),
            "bids": list(self.bids),
        }
        if self.forehand_bids is not None:
            found["forehand_bids"] = list(self.forehand_bids)
        found["barred"] = dict(self.barred)
        if self.without_trumps is not None:
            found["without_trumps"] = self.without_trumps
        return found


def judge(hand: Hand) -> Report:
    """Return what the rule book says about a hand (RULES sections 3, 5, 7 and 8).

    >>> from trull.solver.cards import parse_cards, to_mask
    >>> cards = to_mask(parse_cards("T22 T21 T9 T8 T7 T6 T5 T1 SK S10 H4 CQ"))
    >>> report = judge(Hand(variant="texas", cards=cards))
    >>> [bonus.name for bonus in report.announcements], report.from_each_opponent
    (['trull_pani', 'tarocky'], 6)
    """
    book = hand.book
    counted = features(hand.cards, book)
    void = book.without_trumps is not None and not counted["trumps"]
    open_bids = [] if void else [bid for bid in book.bids if _is_open(bid, hand)]
    reasons = {bid.contract: _barred(bid, hand, counted) for bid in open_bids}

    def biddable(not_for: str) -> tuple[str, ...]:
        free = (bid for bid in open_bids if bid.forehand != not_for)
        return tuple(bid.contract for bid in free if reasons[bid.contract] is None)

    return Report(
        hand=hand,
        announcements=tuple(_announcements(book, counted)),
        features=counted,
        rules_of_thumb={
            rule.contract: _holds_bird(rule.contract, hand) and _fits(rule.needs, counted)
            for rule in book.rules_of_thumb
        },
        bids=biddable("never" if hand.seat == 0 else "only"),
        forehand_bids=biddable("never") if hand.seat is None else None,
        barred={name: reason for name, reason in reasons.items() if reason is not None},
        without_trumps=None if counted["trumps"] else book.without_trumps,
    )


def _fits(needs: Needs, counted: Mapping[str, int]) -> bool:
    return all(low <= counted[name] <= high for name, (low, high) in needs.items())


def _announcements(book: Variant, counted: Mapping[str, int]) -> Iterator[HandBonus]:
    for bonuses in book.hand_bonuses:
        best = next((bonus for bonus in bonuses if _fits(bonus.needs, counted)), None)
        if best is not None:
            yield best


def _is_open(bid: Bid, hand: Hand) -> bool:
    """Return whether a bid is there for so many players, and not only for other seats."""
    values = hand.book.contract(bid.contract).values
    for_seat = hand.seat is None or bid.forehand != ("only" if hand.seat else "never")
    return hand.players in values and hand.players in bid.players and for_seat


def _holds_bird(contract: str, hand: Hand) -> bool:
    bird = hand.book.contract(contract).bird
    return bird is None or bool(hand.cards >> BIRDS[bird] & 1)


def _barred(bid: Bid, hand: Hand, counted: Mapping[str, int]) -> str | None:
    """Return why a hand may not bid a contract, whatever its seat."""
    contract = hand.book.contract(bid.contract)
    if contract.bird is not None and not _holds_bird(bid.contract, hand):
        return f"needs {NAMES[BIRDS[contract.bird]]}"
    if contract.calls is not None and hand.cards >> contract.calls & 1:
        return f"not with {NAMES[contract.calls]} in hand, which it calls"
    if contract.sides == "partner" and not hand.book.callable_cards & ~hand.cards:
        return "every card that may be called is in hand"
    for name, least in bid.least.items():
        if counted[name] < least:
            return f"needs {least} or more {name.replace('_', ' ')}, has {counted[name]}"
    return None
