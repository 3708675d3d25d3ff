"""The facts of a finished deal that the settlement of a game with a declaring side depends on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from trull.solver.cards import KINGS, MOND, TRULL, to_mask
from trull.solver.referee import Referee, State
from trull.solver.rules import BIRDS

if TYPE_CHECKING:
    from trull.solver.position import Trick


class Bird(NamedTuple):
    """What became of a bird that was played to its trick.

    Attributes:
        side: who played it, 1 the declaring side, -1 its opponents.
        won: whether it won the trick by itself.
    """

    side: int
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a settlement depends on, besides the terms that the position holds.

    A fact about sides is 1 for the declaring side, -1 for its opponents, 0 for neither.

    Attributes:
        points: the declaring side's card points, in the variant's exact unit; discards and
            credited talon cards included.
        tricks: the number of its tricks.
        made: whether the contract is made; where it is about points, `points` decide what the
            game itself pays, and a bird that belongs to the contract is paid by itself.
        valat: the side that has won every trick.
        trull: the side for which Pagat, Mond and Sküs count.
        kings: the side for which all four Kings count.
        birds: the birds that were played to their tricks.
        king_ultimo: the side that has won the last trick, if the called card was played to it.
        mond_lost: the seat that has to pay for its Mond, by the variant's rule.
        called_king_lost: whether the opponents have won the called card in a trick.
        their_points: the card points of the opponents; settled only where nobody took Scarecrow.
    """

    points: int
    tricks: int
    made: bool
    valat: int = 0
    trull: int = 0
    kings: int = 0
    birds: Mapping[str, Bird] = field(default_factory=dict)
    king_ultimo: int = 0
    mond_lost: int | None = None
    called_king_lost: bool = False
    their_points: int = 0


def facts_of(referee: Referee, state: State, tricks: Sequence[Trick] = ()) -> Facts:
    """Return the facts of a finished deal with a declaring side.

    A bird, a called king or a Mond in a trick that is not on record counts as not played. A side
    has every trick when the other has none of those that are known.

    Args:
        referee: the referee of the deal.
        state: a state without cards left to play.
        tricks: the finished tricks that are on record, in order, the last trick of the deal last.

    Raises `ValueError` for a game of everyone, which has no declaring side.
    """
    total, won = sum(state.tricks), referee.side_tricks(state)
    own, theirs = _own_cards(referee, state), _their_cards(referee, state)
    return Facts(
        points=referee.side_points(state),
        tricks=won,
        made=referee.made(state),
        valat=(won == total) - (won == 0),
        trull=_owner(TRULL, own, theirs),
        kings=_owner(KINGS, own, theirs),
        birds=dict(birds_played(referee, tricks)),
        king_ultimo=king_ultimo(referee, tricks),
        mond_lost=mond_lost(referee, state, tricks),
        called_king_lost=called_king_lost(referee, state),
        their_points=referee.weight(theirs),
    )


def _side_of(referee: Referee, seat: int) -> int:
    return 1 if seat in referee.side else -1


def _owner(cards: int, own: int, theirs: int) -> int:
    return (cards & ~own == 0) - (cards & ~theirs == 0)


def _own_cards(referee: Referee, state: State) -> int:
    return _won(referee, state, 1) | referee.credited(state)


def _their_cards(referee: Referee, state: State) -> int:
    return _won(referee, state, -1) | _left_to_opponents(referee, state)


def _won(referee: Referee, state: State, side: int) -> int:
    """Return the cards that a side has taken in tricks or laid away, as a mask."""
    cards = 0
    for seat in range(referee.seats):
        if _side_of(referee, seat) == side:
            cards |= state.taken[seat] | referee.discards[seat]
    return cards


def _left_to_opponents(referee: Referee, state: State) -> int:
    """Return the talon cards that count for the opponents, as a mask."""
    if referee.rules.talon == "aside":
        return 0
    return to_mask(state.talon) & ~referee.credited(state)


def birds_played(
    referee: Referee, tricks: Sequence[Trick], to_come: int = 0
) -> Iterator[tuple[str, Bird]]:
    """Yield the birds I, II, III, IIII that were played to the last, 2nd, 3rd, 4th last trick.

    Args:
        referee: the referee of the deal.
        tricks: the finished tricks that are on record, in order.
        to_come: how many tricks of the deal come after them.
    """
    for left, (name, card) in enumerate(BIRDS.items()):
        ago = left - to_come
        if not 0 <= ago < len(tricks) or card not in tricks[-1 - ago].cards:
            continue
        player, winner = _player_and_winner(referee, tricks[-1 - ago], card, final=left == 0)
        yield name, Bird(_side_of(referee, player), player == winner)


def _player_and_winner(
    referee: Referee, trick: Trick, card: int, *, final: bool
) -> tuple[int, int]:
    player = (trick.leader + trick.cards.index(card)) % referee.seats
    return player, referee.winner(trick.cards, trick.leader, final)


def king_ultimo(referee: Referee, tricks: Sequence[Trick]) -> int:
    """Return the side that won the last of the tricks, if the called card was played to it."""
    if not tricks or referee.called not in tricks[-1].cards:
        return 0
    return _side_of(referee, referee.winner(tricks[-1].cards, tricks[-1].leader, final=True))


def mond_lost(
    referee: Referee, state: State, tricks: Sequence[Trick], to_come: int = 0
) -> int | None:
    """Return the seat that has lost its Mond so far; arguments as for `birds_played`."""
    penalty = referee.rules.mond
    if penalty is None:
        return None
    if penalty.in_talon and _left_to_opponents(referee, state) >> MOND & 1:
        return referee.declarer
    for number, trick in enumerate(tricks, 1):
        if MOND in trick.cards:
            final = number == len(tricks) + to_come
            player, winner = _player_and_winner(referee, trick, MOND, final=final)
            same_side = _side_of(referee, player) == _side_of(referee, winner)
            lost = player != winner if penalty.to_partner else not same_side
            return player if lost else None
    return None


def called_king_lost(referee: Referee, state: State) -> bool:
    """Return whether the opponents have won the called card in a trick; the talon is none."""
    if referee.called is None:
        return False
    opponents = (seat for seat in range(referee.seats) if seat not in referee.side)
    return any(state.taken[seat] >> referee.called & 1 for seat in opponents)
