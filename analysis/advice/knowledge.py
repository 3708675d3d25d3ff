"""What one seat knows in the middle of the play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import or_

from trull.analysis.advice.error import AdviceError
from trull.solver import rulebooks
from trull.solver.cards import ALL_CARDS, CardError, parse_cards, to_mask
from trull.solver.position import Announcement, Position, Trick
from trull.solver.rules import TALON_SIZE, Contract, Variant, hand_size, in_force, ranked

_LEVELS_SEEN = 2
"""The level from which the declarer has seen both halves of the talon."""


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """Everything that the seat to play knows, and nothing else.

    Cards are numbers and sets of cards are masks. Building it checks that the cards add up, and
    raises `AdviceError`; whether the play broke a rule shows when deals are drawn.

    Attributes:
        variant: the rule book's identifier.
        contract: the contract's identifier.
        players: the number of players.
        seat: the seat, which is to play.
        hand: its cards.
        laid: the cards that it has laid away.
        lays: how many cards each seat has laid away.
        declarer: the declarer's seat.
        called: the called card.
        partner: its holder, only when it has been played.
        leader: the seat that led the current trick.
        trick: the cards on the table.
        history: the finished tricks, or `None` when it is not known who played what.
        taken: the cards that each seat has won.
        tricks_won: the tricks that each seat has won.
        talon: the talon cards left over, where all of them have been seen; else empty.
        took: the cards that the declarer took up before all eyes, as far as that is on record.
        level: the level of a trojka or prever.
        announced: the announced bonuses.
        doubled: multipliers by `game` or bonus.
        options: the rule book's options that are set.
    """

    variant: str
    contract: str
    players: int
    seat: int
    hand: int
    laid: int = 0
    lays: tuple[int, ...]
    declarer: int | None
    called: int | None = None
    partner: int | None = None
    leader: int
    trick: tuple[int, ...] = ()
    history: tuple[Trick, ...] | None = None
    taken: tuple[int, ...] = ()
    tricks_won: tuple[int, ...] = ()
    talon: tuple[int, ...] = ()
    took: int = 0
    level: int = 1
    announced: tuple[Announcement, ...] = ()
    doubled: Mapping[str, int | tuple[int, ...]] = field(default_factory=dict)
    options: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check that there is a question, and that the cards add up."""
        if self.rules.sides == "two":
            raise AdviceError(f"contract: {self.contract} is not supported, as it has straw men")
        if self.rules.sides == "partner" and self.called is None:
            raise AdviceError("called: missing, expected the card that was called")
        player = (self.leader + len(self.trick)) % self.players
        if player != self.seat:
            raise AdviceError(f"seat: {self.seat}, but seat {player} is to play")
        if not self.hand:
            raise AdviceError("hands: no card is left to play")
        unseen, room = self.hidden.bit_count(), sum(self.sizes) + sum(self.laid_away)
        room += self.talon_left
        if unseen != room:
            raise AdviceError(
                f"hands[{self.seat}]: {unseen} cards are not seen, but by the number of cards in "
                f"hand others have {room}; expected the whole deal"
            )

    @cached_property
    def book(self) -> Variant:
        """The rule book with its cards as the options rank them."""
        return ranked(rulebooks.variant(self.variant), self.options)

    @cached_property
    def rules(self) -> Contract:
        """The contract with its knobs as announcements and options set them."""
        contract = rulebooks.contract(self.variant, self.contract)
        names = [announcement.bonus for announcement in self.announced]
        return in_force(self.book, contract, names, self.options)

    @cached_property
    def hidden(self) -> int:
        """The cards whose place is not known."""
        seen = self.hand | self.laid | to_mask(self.trick) | to_mask(self.talon)
        return ALL_CARDS & ~reduce(or_, self.taken, seen)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of hidden cards in the hands; 0 for the seat's own."""
        sizes = [self.hand.bit_count()] * self.players
        for place in range(len(self.trick)):
            sizes[(self.leader + place) % self.players] -= 1
        sizes[self.seat] = 0
        return tuple(sizes)

    @cached_property
    def laid_away(self) -> tuple[int, ...]:
        """The numbers of hidden cards that the seats have laid away."""
        return tuple(0 if seat == self.seat else number for seat, number in enumerate(self.lays))

    @property
    def talon_left(self) -> int:
        """The number of hidden cards in the talon."""
        gone = sum(self.lays)
        if self.rules.talon == "tricks":
            gone = min(hand_size(self.players) - self.hand.bit_count(), TALON_SIZE)
        return TALON_SIZE - gone - len(self.talon)

    @classmethod
    def of_position(cls, position: Position, seat: int) -> Knowledge:
        """Return what a seat knows of a position; all else in it is not looked at."""
        called = position.called
        shown = reduce(or_, position.taken, to_mask(position.trick))
        return cls(
            variant=position.variant,
            contract=position.contract,
            players=position.seats,
            seat=seat,
            hand=position.hands[seat],
            laid=position.discards[seat],
            lays=tuple(cards.bit_count() for cards in position.discards),
            declarer=position.declarer,
            called=called,
            partner=position.partner if called is not None and shown >> called & 1 else None,
            leader=position.leader,
            trick=position.trick,
            history=position.history,
            taken=position.taken,
            tricks_won=position.tricks_won,
            talon=position.talon if sees_talon(position.rules, position, seat) else (),
            took=took_of(position.extra) if shows_groups(position.rules) else 0,
            level=position.level,
            announced=position.announced,
            doubled=position.doubled,
            options=position.options,
        )


def shows_groups(rules: Contract) -> bool:
    """Return whether the declarer takes a group of the talon that everyone has seen."""
    return len(rules.discards) == 1 and rules.levels == 1


def sees_talon(rules: Contract, terms: Position, seat: int) -> bool:
    """Return whether a seat has seen the talon cards that are left over.

    The groups of a talon are turned up for all before the declarer takes one. In a trojka or
    prever only the declarer looks at them, at the second half from level 2 on. A talon that
    is not touched is seen by nobody.

    Args:
        rules: the contract.
        terms: a position with its declarer and level.
        seat: the seat.
    """
    if shows_groups(rules):
        return True
    return rules.levels > 1 and seat == terms.declarer and terms.level >= _LEVELS_SEEN


def took_of(extra: Mapping[str, object]) -> int:
    """Return the cards that the declarer took up, as `trull exchange` has written them down."""
    noted = extra.get("x_exchange")
    text = noted.get("taken") if isinstance(noted, dict) else None
    try:
        return to_mask(parse_cards(text)) if isinstance(text, str) else 0
    except CardError as error:
        raise AdviceError(f"x_exchange.taken: {error}") from error


def usual_lays(rules: Contract, declarer: int | None, players: int) -> tuple[int, ...]:
    """Return how many cards each seat lays away by the contract, from the declarer on."""
    turns = ((seat - (declarer or 0)) % players for seat in range(players))
    counts = rules.discards
    return tuple(counts[turn] if turn < len(counts) else 0 for turn in turns)
