"""Finished deals for the tests of settlement, written down in few words."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from endings import random_ending
from trull.solver.cards import ALL_CARDS, parse_card, parse_cards, suit_mask, to_mask
from trull.solver.position import Announcement, Position, Trick
from trull.solver.referee import TAKE, Referee, State
from trull.solver.rules import hand_size
from trull.solver.settlement import Facts, Score, facts_of, settle

_SUITS = "TSHDC"


def cards(text: str) -> int:
    """Return the cards of a text: a whole suit by its letter, trumps from to, or single cards.

    >>> cards("S T2-T4") == cards("S7 S8 S9 S10 SJ SN SQ SK T2 T3 T4")
    True
    """
    mask = 0
    for word in text.split():
        if word in _SUITS:
            mask |= suit_mask(_SUITS.index(word))
        elif span := re.fullmatch(r"T(\d+)-T(\d+)", word):
            mask |= to_mask(range(int(span[1]) - 1, int(span[2])))
        else:
            mask |= to_mask(parse_cards(word))
    return mask


def finished(
    variant: str,
    contract: str,
    *piles: str,
    talon: str = "",
    laid: tuple[str, ...] = (),
    called: str | None = None,
    announced: dict[str, int] | None = None,
    **terms: Any,
) -> Position:
    """Return a finished deal without its history.

    Args:
        variant: the rule book.
        contract: the contract.
        piles: what each seat has taken, as `cards` reads it; `rest` is all that is left.
        talon: the talon cards that nobody took up.
        laid: what the first seats laid away.
        called: the called card.
        announced: for each announced bonus the seat.
        terms: other keys of a `Position`.
    """
    seats = len(piles)
    discards = [cards(text) for text in laid] + [0] * (seats - len(laid))
    masks = [0 if pile == "rest" else cards(pile) for pile in piles]
    if "rest" in piles:
        known = to_mask(parse_cards(talon))
        for mask in (*discards, *masks):
            known |= mask
        masks[piles.index("rest")] = ALL_CARDS & ~known
    return Position(
        variant=variant,
        contract=contract,
        hands=(0,) * seats,
        taken=tuple(masks),
        talon=parse_cards(talon),
        discards=tuple(discards),
        called=None if called is None else parse_card(called),
        announced=_announcements(announced),
        **terms,
    )


def _announcements(announced: dict[str, int] | None) -> tuple[Announcement, ...]:
    return tuple(Announcement(seat, bonus) for bonus, seat in (announced or {}).items())


def terms_of(
    variant: str,
    contract: str,
    *,
    seats: int = 4,
    called: str | None = None,
    announced: dict[str, int] | None = None,
    **terms: Any,
) -> Position:
    """Return a position without a card, for its terms alone."""
    return Position(
        variant=variant,
        contract=contract,
        hands=(0,) * seats,
        called=None if called is None else parse_card(called),
        announced=_announcements(announced),
        **terms,
    )


class Played(NamedTuple):
    """A deal played to its end: its referee, the last state, the tricks on record."""

    referee: Referee
    state: State
    tricks: tuple[Trick, ...]

    @property
    def facts(self) -> Facts:
        """The facts of the deal."""
        return facts_of(*self)

    @property
    def scores(self) -> tuple[Score, ...]:
        """What every seat scores."""
        return settle(*self)

    @property
    def position(self) -> Position:
        """The finished deal, when the whole pack is known."""
        return replace(
            self.referee.position,
            hands=self.state.hands,
            leader=self.state.leader,
            taken=self.state.taken,
            tricks_won=self.state.tricks,
            talon=self.state.talon,
            straw=(),
            history=self.tricks,
        )


def played(position: Position, choose: Callable[[Referee, State], int]) -> Played:
    """Return a deal after moves that `choose` makes, legal ones."""
    referee = Referee(position)
    state, tricks, table = referee.start, list(position.history or ()), list(position.trick)
    while not referee.over(state):
        move, leader = choose(referee, state), state.leader
        assert move in referee.moves(state), referee.verdicts(state)
        table.append(move % TAKE)
        state = referee.play(state, move)
        if not state.trick:
            tricks.append(Trick(leader, tuple(table)))
            table = []
    return Played(referee, state, tuple(tricks))


def exercise(variant: str, contract: str, hands: list[str], line: str, **terms: Any) -> Played:
    """Return an exercise played to its end.

    Args:
        variant: the rule book.
        contract: the contract.
        hands: the hands.
        line: the cards in order of play; after them everybody plays what comes first.
        terms: what stands in the position besides, as `terms_of` takes it.
    """
    known = terms_of(variant, contract, seats=len(hands), **terms)
    order = iter(parse_cards(line))

    def choose(referee: Referee, state: State) -> int:
        return next(order, referee.moves(state)[0])

    return played(replace(known, hands=tuple(map(cards, hands))), choose)


def random_deal(
    rng: random.Random, variant: str, contract: str, players: int, **terms: Any
) -> Played:
    """Return a whole deal played at random to its end."""
    size = hand_size(players)
    start = random_ending(rng, variant, contract, players, size, past=True, mid_trick=False)
    return played(replace(start, **terms), lambda referee, state: rng.choice(referee.moves(state)))
