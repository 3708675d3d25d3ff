"""A state of play."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from trull.solver.cards import TRUMP_MASK

Item = TypeVar("Item")
Stacks = tuple[tuple[int, ...], ...]


class State(NamedTuple):
    """Everything that further play and the final count depend on.

    Attributes:
        hands: the cards each seat holds, as masks.
        leader: the seat that leads, or led, the current trick.
        trick: the cards on the table in order of play.
        taken: the cards each seat has won in tricks, as masks.
        tricks: the number of tricks each seat has won.
        talon: the talon cards that nobody has got, in order.
        straw: Scarecrow: the stacks of each seat that are left, each top to bottom.
        bird_won: whether the bird of a bird game has won its trick for the declaring side.
        excused: whether the declarer has played the Excuse to a trick of a game in which such a
            trick does not count against him.
    """

    hands: tuple[int, ...]
    leader: int
    trick: tuple[int, ...]
    taken: tuple[int, ...]
    tricks: tuple[int, ...]
    talon: tuple[int, ...]
    straw: tuple[Stacks, ...] = ()
    bird_won: bool = False
    excused: bool = False

    @property
    def player(self) -> int:
        """The seat to play."""
        return (self.leader + len(self.trick)) % len(self.hands)

    @property
    def hand(self) -> int:
        """The cards that the seat to play can play, as a mask: a card face up on his straw too."""
        return self.hands[self.player] | face_up(self.straw, self.player)

    @property
    def final(self) -> bool:
        """Whether the trick to play, or on the table, is the last one."""
        return self.cards_left(self.player) == 1

    def cards_left(self, seat: int) -> int:
        """Return how many cards a seat has yet to play, its straw men included."""
        stacks = self.straw[seat] if self.straw else ()
        return self.hands[seat].bit_count() + sum(len(stack) for stack in stacks)

    @property
    def trump_seen(self) -> bool:
        """Whether a trump lies in a finished trick or was given out with one."""
        return any(taken & TRUMP_MASK for taken in self.taken)


def face_up(straw: tuple[Stacks, ...], seat: int) -> int:
    """Return the card that lies face up before a seat, as a mask."""
    return 1 << straw[seat][0][0] if straw and straw[seat] else 0


def without_top(stacks: Stacks) -> Stacks:
    """Return the straw men after their face-up card is gone."""
    rest = stacks[0][1:]
    return (rest, *stacks[1:]) if rest else stacks[1:]


def replaced(values: tuple[Item, ...], seat: int, value: Item) -> tuple[Item, ...]:
    """Return `values` with another value for one seat."""
    return (*values[:seat], value, *values[seat + 1 :])


def given_back(hands: tuple[int, ...], leader: int, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return the hands with the cards of a trick back where they came from."""
    for place, card in enumerate(cards):
        seat = (leader + place) % len(hands)
        hands = replaced(hands, seat, hands[seat] | 1 << card)
    return hands
