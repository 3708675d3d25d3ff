"""What the play so far says about hands that are not seen (RULES section 2).

A card c was played where the rules would not have allowed it with a card d in hand: so d was not
there. That covers every duty: to follow suit, to trump, to beat the trick, to keep the Pagat or
the Mond back, to lead no trump. More cards in hand never take such a duty away, so a hand
of just c and d tells. This only makes drawing quick; that a drawn deal agrees with all of the
play is checked by the referee (`worlds`).
"""

from __future__ import annotations

from collections.abc import Iterator

from trull.analysis.advice.error import AdviceError
from trull.analysis.advice.knowledge import Knowledge
from trull.solver.cards import NAMES, TRUMP_MASK, from_mask, to_mask
from trull.solver.referee import State
from trull.solver.referee.legality import verdicts
from trull.solver.referee.state import replaced
from trull.solver.referee.tricks import Tricks


def lacked(known: Knowledge) -> tuple[int, ...]:
    """Return for every seat the unseen cards, as a mask, that its play shows it does not hold.

    Raises `AdviceError` when a seat later plays such a card.
    """
    tricks = Tricks(known.book, known.rules)
    plays = list(_plays(known))
    to_come = known.hidden | to_mask(card for _, _, card in plays)
    found = [0] * known.players
    for seat, table, card in plays:
        to_come &= ~(1 << card)
        if found[seat] >> card & 1:
            raise AdviceError(
                f"history: seat {seat} plays {NAMES[card]}, but its play before shows that it does "
                "not hold it"
            )
        if seat != known.seat:
            others = from_mask(to_come & ~found[seat])
            found[seat] |= sum(1 << d for d in others if _forbids(tricks, table, seat, card, d))
    return tuple(cards & known.hidden for cards in found)


def _plays(known: Knowledge) -> Iterator[tuple[int, _Table, int]]:
    """Yield who played each card on record, what lay on the table, and the card."""
    for leader, cards in (*(known.history or ()), (known.leader, known.trick)):
        for place, card in enumerate(cards):
            table = leader, cards[:place], known.players
            yield (leader + place) % known.players, table, card


_Table = tuple[int, tuple[int, ...], int]
"""Who led, the cards on the table, and the number of players."""


def _forbids(tricks: Tricks, table: _Table, seat: int, card: int, other: int) -> bool:
    """Return whether a card may be played by itself, but not from a hand with the other."""
    leader, cards, players = table

    def fault(hand: int) -> str | None:
        # Every trump counts as seen, as the lead of the Fool is left to the referee.
        state = State(
            hands=replaced((0,) * players, seat, hand),
            leader=leader,
            trick=cards,
            taken=(TRUMP_MASK,) * players,
            tricks=(0,) * players,
            talon=(),
        )
        return verdicts(tricks, state)[card]

    return fault(1 << card | 1 << other) is not None
