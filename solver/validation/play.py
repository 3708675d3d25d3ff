"""The play on record: a history and a trick that break no rule, and agree with the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trull.solver.cards import NAMES, from_mask, to_mask
from trull.solver.referee import Referee, State
from trull.solver.validation.error import PositionError, check_seat
from trull.solver.validation.placement import check_distinct, places

if TYPE_CHECKING:
    from trull.solver.position import Position, Trick


def check_history_shape(position: Position, *, complete: bool) -> None:
    """Check that `history` holds whole tricks, as many as were played, of cards gone by."""
    if position.history is None:
        return
    found = {
        card: key
        for key, cards in places(position)
        if not key.startswith("taken")
        for card in cards
    }
    for number, trick in enumerate(position.history):
        key = f"history[{number}]"
        check_seat(f"{key}.leader", trick.leader, position)
        if len(trick.cards) != position.seats:
            raise PositionError(
                f"{key}.cards: {len(trick.cards)} cards, expected {position.seats}, one a seat"
            )
        check_distinct(f"{key}.cards", trick.cards, found)
    recorded, played = len(position.history), position.tricks_played
    if recorded > played or (complete and recorded < played):
        raise PositionError(
            f"history: {recorded} tricks, expected {played}, as {position.cards_left[0]} are "
            "still to be played"
        )


def check_play(position: Position, *, complete: bool) -> None:
    """Check every recorded card against the rules, and the record against what was won.

    Scarecrow is not replayed: the record does not tell which cards came off the straw men.
    """
    if position.rules.sides == "two":
        return
    referee = Referee(position)
    if position.history and referee.opening is not None:
        state = referee.opening
        for number, trick in enumerate(position.history):
            state = _replayed(referee, state, number, trick)
        _check_record(position, state, complete)
    fault = referee.fault(referee.before_trick, position.trick)
    if fault is not None:
        raise PositionError(_breach("trick", referee, position.leader, position.trick, *fault))


def _replayed(referee: Referee, state: State, number: int, trick: Trick) -> State:
    """Return the state after a trick of the history, or refuse it."""
    key = f"history[{number}]"
    if trick.leader != state.leader:
        raise PositionError(
            f"{key}.leader: {trick.leader}, expected {state.leader}, the winner of the trick before"
        )
    fault = referee.fault(state, trick.cards)
    if fault is not None:
        raise PositionError(_breach(f"{key}.cards", referee, trick.leader, trick.cards, *fault))
    for card in trick.cards:
        state = referee.play(state, card)
    return state


def _breach(
    key: str, referee: Referee, leader: int, cards: tuple[int, ...], card: int, rule: str
) -> str:
    seat = (leader + cards.index(card)) % referee.seats
    return f"{key}: {NAMES[card]} of seat {seat} breaks the rules: {rule}"


def _check_record(position: Position, state: State, complete: bool) -> None:
    """Check `leader`, `taken` and `tricks_won` against the state that the history leads to."""
    if position.leader != state.leader:
        raise PositionError(
            f"leader: {position.leader}, expected {state.leader}, who won the last trick of history"
        )
    recorded = to_mask(card for trick in position.history or () for card in trick.cards)
    for seat, taken in enumerate(state.taken):
        strange = position.taken[seat] & recorded & ~taken
        for card in from_mask(strange):
            raise PositionError(f"taken[{seat}]: {NAMES[card]} was won by another seat in history")
        cards = position.taken[seat].bit_count()
        if complete and cards != taken.bit_count():
            raise PositionError(
                f"taken[{seat}]: {cards} cards, expected {taken.bit_count()}, as history has it"
            )
    for seat, tricks in enumerate(state.tricks):
        won = position.tricks_won[seat]
        if won < tricks or (complete and won != tricks):
            raise PositionError(
                f"tricks_won[{seat}]: {won}, but in history this seat has won {tricks}"
            )
