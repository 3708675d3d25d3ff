"""A state of play."""

from __future__ import annotations

from typing import NamedTuple

from trull.solver.cards import TRUMP_MASK


class State(NamedTuple):
    """Everything that further play and the final count depend on.

    Attributes:
        hands: the cards each seat holds, as masks.
        leader: the seat that leads, or led, the current trick.
        trick: the cards on the table in order of play.
        taken: the cards each seat has won in tricks, as masks.
        tricks: the number of tricks each seat has won.
        talon: the talon cards that nobody has got, in order.
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
    bird_won: bool = False
    excused: bool = False

    @property
    def player(self) -> int:
        """The seat to play."""
        return (self.leader + len(self.trick)) % len(self.hands)

    @property
    def hand(self) -> int:
        """The cards of the seat to play, as a mask."""
        return self.hands[self.player]

    @property
    def final(self) -> bool:
        """Whether the trick to play, or on the table, is the last one."""
        return self.hand.bit_count() == 1

    @property
    def trump_seen(self) -> bool:
        """Whether a trump lies in a finished trick or was given out with one."""
        return any(taken & TRUMP_MASK for taken in self.taken)


def replaced(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    """Return `values` with another value for one seat."""
    return (*values[:seat], value, *values[seat + 1 :])


def given_back(hands: tuple[int, ...], leader: int, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return the hands with the cards of a trick back where they came from."""
    for place, card in enumerate(cards):
        seat = (leader + place) % len(hands)
        hands = replaced(hands, seat, hands[seat] | 1 << card)
    return hands
