"""The play on record: a history and a trick that break no rule, and agree with the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trull.solver.cards import NAMES, from_mask, to_mask
from trull.solver.referee import Referee
from trull.solver.rules import TALON_SIZE
from trull.solver.validation.error import PositionError, check_seat, count
from trull.solver.validation.placement import check_distinct, places

if TYPE_CHECKING:
    from trull.solver.position import Position


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
                f"{key}.cards: {count(len(trick.cards), 'card')}, expected {position.seats}, one a "
                "seat"
            )
        check_distinct(f"{key}.cards", trick.cards, found)
    recorded, played = len(position.history), position.tricks_played
    if recorded > played or (complete and recorded < played):
        raise PositionError(
            f"history: {count(recorded, 'trick')}, expected {played}, as {position.cards_left[0]} "
            "are still to be played"
        )


def check_play(position: Position, *, complete: bool) -> None:
    """Check every recorded card against the rules, and the record against what was won.

    The cards of Scarecrow are not checked, as it is not on record which of them lay on the straw
    men and what came up since: a Fool on the table may have been its leader's only free card.
    """
    if not position.history and not position.trick:
        return
    referee = Referee(position)
    winners = _winners(position, referee) if position.history else []
    state = referee.opening
    if state is not None:
        for number, (leader, cards) in enumerate(position.history or ()):
            key = f"history[{number}].cards"
            _check_legal(key, leader, cards, referee.seats, referee.fault(state, cards))
            for card in cards:
                state = referee.play(state, card)
    if winners:
        _check_won(position, winners, complete=complete)
    if position.rules.sides != "two":
        fault = referee.fault(referee.before_trick, position.trick)
        _check_legal("trick", position.leader, position.trick, referee.seats, fault)


def _check_legal(
    key: str, leader: int, cards: tuple[int, ...], seats: int, fault: tuple[int, str] | None
) -> None:
    if fault is not None:
        card, rule = fault
        seat = (leader + cards.index(card)) % seats
        raise PositionError(f"{key}: {NAMES[card]} of seat {seat} breaks the rules: {rule}")


def _winners(position: Position, referee: Referee) -> list[int]:
    """Return the winner of every trick of the history, each of whom must have led the next."""
    history = position.history or ()
    ended = not max(position.cards_left)
    winners = [
        referee.winner(trick.cards, trick.leader, final=ended and number == len(history))
        for number, trick in enumerate(history, 1)
    ]
    leaders = [trick.leader for trick in history[1:]]
    for number, (leader, winner) in enumerate(zip(leaders, winners, strict=False), 1):
        if leader != winner:
            raise PositionError(
                f"history[{number}].leader: {leader}, expected {winner}, who won the trick before"
            )
    if position.leader != winners[-1]:
        raise PositionError(
            f"leader: {position.leader}, expected {winners[-1]}, who won the last trick of history"
        )
    return winners


def _check_won(position: Position, winners: list[int], *, complete: bool) -> None:
    """Check `taken` and `tricks_won` against the winners of the history."""
    history = position.history or ()
    recorded = to_mask(card for trick in history for card in trick.cards)
    talon = TALON_SIZE if position.rules.talon == "tricks" else 0
    for seat, taken in enumerate(position.taken):
        own = [
            trick.cards for trick, winner in zip(history, winners, strict=True) if winner == seat
        ]
        won = to_mask(card for cards in own for card in cards)
        for card in from_mask(taken & recorded & ~won):
            raise PositionError(f"taken[{seat}]: {NAMES[card]} was won by another seat in history")
        size = won.bit_count() + winners[:talon].count(seat)
        if complete and taken.bit_count() != size:
            raise PositionError(
                f"taken[{seat}]: {count(taken.bit_count(), 'card')}, expected {size}, as history "
                "has it"
            )
        tricks = position.tricks_won[seat]
        if tricks < len(own) or (complete and tricks > len(own)):
            raise PositionError(
                f"tricks_won[{seat}]: {tricks}, but in history this seat has won {len(own)}"
            )
