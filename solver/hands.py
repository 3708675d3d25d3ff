"""One hand by itself: what it is paid for, what can be counted in it, what it may bid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from trull.solver import rulebooks
from trull.solver.cards import (
    KINGS,
    MOND,
    NAMES,
    PAGAT,
    QUEENS,
    SKUS,
    SUIT_MASKS,
    TRULL,
    TRUMP_MASK,
    TRUMPS,
    XVI,
    CardError,
    from_mask,
    parse_cards,
    to_mask,
)
from trull.solver.dealstring import parse_holding
from trull.solver.fields import (
    Reader,
    check_keys,
    extra_keys,
    nullable,
    read_number,
    read_set,
    read_text,
)
from trull.solver.hand_rules import Bid, HandBonus, Needs
from trull.solver.interchange import Rejected, form_of, parse_position, parse_text, rejected
from trull.solver.json_stream import Faulty, Foreign, read_objects
from trull.solver.position import Position
from trull.solver.rules import BIRDS, Variant, hand_size
from trull.solver.validation import PositionError

_X = 9
_MIDDLE = to_mask(range(_X, XVI))
_SMALL = to_mask(range(_X))
_BIG = to_mask(range(XVI, TRUMPS))
_COURTS = 0b11110000  # within a suit of eight cards, lowest first

Count = Callable[[int, Variant], int]


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that can be counted in a hand.

    Attributes:
        meaning: what is counted, in words.
        count: counts it in a hand, given as a mask, under a rule book.
    """

    meaning: str
    count: Count


# --- Features ---


def _number_of(mask: int) -> Count:
    return lambda hand, _: (hand & mask).bit_count()


def _trumps_of(mask: int) -> Count:
    return lambda hand, book: (hand & mask & book.hand_trumps).bit_count()


def _suits_with(fits: Callable[[int], bool]) -> Count:
    """Return the count of the suits whose holding, a mask of eight bits, `fits`."""
    return lambda hand, _: sum(map(fits, _holdings(hand)))


def _holdings(hand: int) -> list[int]:
    """Return the cards of each suit as a mask of eight bits, the lowest number first."""
    return [(hand & mask) >> (mask & -mask).bit_length() - 1 for mask in SUIT_MASKS]


def _end_cards(hand: int, book: Variant) -> int:
    lowest = {min(from_mask(mask), key=book.rank_order.__getitem__) for mask in SUIT_MASKS}
    return (hand & to_mask(lowest)).bit_count()


def _dreier_points(hand: int, book: Variant) -> int:
    trumps = hand & book.hand_trumps
    return (trumps | hand & KINGS).bit_count() + (trumps & _BIG).bit_count()


_KING, _QUEEN = 0b10000000, 0b01000000

FEATURES: Mapping[str, Feature] = {
    "trumps": Feature("trumps; in House Rules the Fool is none", _trumps_of(TRUMP_MASK)),
    "big_trumps": Feature("trumps XVI and above (Stecher)", _trumps_of(_BIG)),
    "middle_trumps": Feature("trumps X to XV, those to lead first", _trumps_of(_MIDDLE)),
    "small_trumps": Feature("trumps I to IX", _trumps_of(_SMALL)),
    "honours": Feature("cards of the trull: I, XXI, Sküs", _number_of(TRULL)),
    "top_trumps": Feature("XXI and Sküs", _trumps_of(1 << MOND | 1 << SKUS)),
    "pagat": Feature("the I", _number_of(1 << PAGAT)),
    "birds": Feature("trumps I to IIII", _number_of(to_mask(BIRDS.values()))),
    "kings": Feature("kings", _number_of(KINGS)),
    "queens": Feature("queens", _number_of(QUEENS)),
    "five_point_cards": Feature("kings and cards of the trull", _number_of(KINGS | TRULL)),
    "points": Feature(
        "card points, in the unit of the variant",
        lambda hand, book: sum(book.weights[card] for card in from_mask(hand)),
    ),
    "suit_cards": Feature("cards that are no trumps", _number_of(~TRUMP_MASK)),
    "spades": Feature("spades", _number_of(SUIT_MASKS[0])),
    "hearts": Feature("hearts", _number_of(SUIT_MASKS[1])),
    "diamonds": Feature("diamonds", _number_of(SUIT_MASKS[2])),
    "clubs": Feature("clubs", _number_of(SUIT_MASKS[3])),
    "longest_suit": Feature(
        "cards of the longest suit",
        lambda hand, _: max(holding.bit_count() for holding in _holdings(hand)),
    ),
    "voids": Feature("suits without a card", _suits_with(lambda held: not held)),
    "open_suits": Feature(
        "suits held without the king", _suits_with(lambda held: bool(held and not held & _KING))
    ),
    "short_kings": Feature(
        "kings bare or lightly guarded: with at most one other card",
        _suits_with(lambda held: bool(held & _KING) and held.bit_count() <= 2),
    ),
    "short_queens": Feature(
        "queens without the king, with at most one other card",
        _suits_with(lambda held: held & (_KING | _QUEEN) == _QUEEN and held.bit_count() <= 2),
    ),
    "bare_courts": Feature(
        "court cards that are the only card of their suit",
        _suits_with(lambda held: bool(held & _COURTS) and held.bit_count() == 1),
    ),
    "end_cards": Feature("suits of which the lowest card is held", _end_cards),
    "dreier_points": Feature(
        "points of the 12-point rule: a trump or king 1, a trump XVI and above 2", _dreier_points
    ),
}
"""Everything that is counted in a hand, by name."""


def features(hand: int, book: Variant) -> dict[str, int]:
    """Return every feature of a hand.

    >>> counted = features(to_mask(parse_cards("T22 T17 T8 T1 SK H4")), rulebooks.variant("texas"))
    >>> counted["trumps"], counted["big_trumps"], counted["dreier_points"], counted["points"]
    (4, 2, 7, 18)
    """
    return {name: feature.count(hand, book) for name, feature in FEATURES.items()}


# --- A hand and what is said about it ---


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
        sizes = {hand_size(players): players for players in _player_counts(book)}
        size = self.cards.bit_count()
        if size not in sizes:
            expected = " or ".join(map(str, sorted(sizes)))
            raise PositionError(f"hand: {size} cards, expected {expected} in {book.title}")
        if self.seat is not None and not 0 <= self.seat < sizes[size]:
            raise PositionError(
                f"seat: there is no seat {self.seat}, expected a seat from 0 to {sizes[size] - 1}"
            )

    @property
    def book(self) -> Variant:
        """The rule book."""
        return rulebooks.variant(self.variant)

    @property
    def players(self) -> int:
        """The number of players, as the number of cards tells."""
        size = self.cards.bit_count()
        return next(n for n in _player_counts(self.book) if hand_size(n) == size)


def _player_counts(book: Variant) -> list[int]:
    """Return the numbers of players whose games have a talon and one hand a seat."""
    return sorted({n for contract in book.contracts.values() for n in contract.values if n > 2})


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


# --- Reading ---


def parse_hand_cards(text: str) -> int:
    """Return the cards of a hand as a mask, named one by one or as in a deal string.

    Raises `PositionError` for what is no card.
    """
    try:
        return to_mask(parse_cards(text))
    except CardError as first:
        try:
            return to_mask(parse_holding(text))
        except CardError as second:
            error = first if text.split()[1:] else second
            raise PositionError(f"hand: {error}") from error


_READERS: Mapping[str, Reader] = {
    "variant": read_text,
    "hand": read_set,
    "seat": lambda key, value: nullable(read_number, key, value),
}


def parse_hand(data: dict[str, object], variant: str | None, seat: int | None) -> list[Hand]:
    """Return the hand that a decoded JSON object describes, or every hand of a position.

    Args:
        data: an object with `variant`, `hand` and perhaps `seat`; or a position.
        variant: the variant where the object names none.
        seat: the seat where the object names none.

    Raises `PositionError` with one sentence that names the key.
    """
    if "hands" in data:
        return _hands_of(parse_position(data))
    defaults = {"variant": variant, "seat": seat}
    usual = {key: value for key, value in defaults.items() if value is not None}
    extra = extra_keys(data)
    named = {key: value for key, value in data.items() if key not in extra}
    given = usual | {key: named[key] for key in named if key not in ("id", "comment")}
    check_keys("", given, _READERS, required=("variant", "hand"))
    values = {key: _READERS[key](key, value) for key, value in given.items()}
    return [
        Hand(
            variant=values["variant"],
            cards=values["hand"],
            seat=values.get("seat"),
            id=named.get("id"),
            comment=named.get("comment"),
            extra=extra,
        )
    ]


def _hands_of(position: Position) -> list[Hand]:
    return [
        Hand(
            variant=position.variant,
            cards=cards,
            seat=seat,
            id=position.id,
            comment=position.comment,
            extra=position.extra,
        )
        for seat, cards in enumerate(position.hands)
    ]


def read_hands(
    stream: Iterable[str] | Iterable[bytes], variant: str | None = None, seat: int | None = None
) -> Iterator[Hand | Rejected]:
    """Yield every hand of a stream, or why it is none, in their order.

    The stream holds objects as for `parse_hand`, positions in any notation, each of which gives
    the hands of all seats, and, where `variant` is known, lines with the cards of a hand.

    Args:
        stream: an open file, text or binary (UTF-8), or any iterable of lines.
        variant: the variant of hands that name none.
        seat: the seat of hands that name none.
    """

    def is_foreign(line: str) -> bool:
        return form_of(line) != "json" or (variant is not None and line.lstrip()[:1].isalpha())

    for item in read_objects(stream, is_foreign):
        try:
            if isinstance(item, Faulty):
                yield rejected(item.error, item.data)
            elif not isinstance(item, Foreign):
                yield from parse_hand(item, variant, seat)
            elif form_of(item.text) != "json":
                yield from _hands_of(parse_text(item.text))
            else:
                yield Hand(variant=variant or "", cards=parse_hand_cards(item.text), seat=seat)
        except PositionError as error:
            yield rejected(str(error), item)
