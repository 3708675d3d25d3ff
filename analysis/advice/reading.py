"""A position as one seat writes it down: what it does not know may be left empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from trull.analysis.advice.error import AdviceError
from trull.analysis.advice.knowledge import (
    Knowledge,
    sees_talon,
    shows_groups,
    took_of,
    usual_lays,
)
from trull.analysis.words import is_complete
from trull.solver.cards import to_mask
from trull.solver.fields import Reader, list_of, read_cards, read_number, read_set, record_of
from trull.solver.interchange import parse_position
from trull.solver.position import Position, Trick
from trull.solver.referee.tricks import Tricks
from trull.solver.rules import hand_size
from trull.solver.validation import PositionError
from trull.solver.validation.error import count

_CARDS: Mapping[str, Reader] = {
    "hands": partial(list_of, read_set),
    "discards": partial(list_of, read_set),
    "taken": partial(list_of, read_set),
    "tricks_won": partial(list_of, read_number),
    "talon": read_cards,
    "trick": read_cards,
    "leader": read_number,
    "history": partial(
        list_of, partial(record_of, Trick, {"leader": read_number, "cards": read_cards})
    ),
}
"""The keys that say where cards are or have been, and how each is read."""

_ANY_HANDS = ("S7", "H4", "D4", "C7")


def read_knowledge(data: object, seat: int | None) -> Knowledge:
    """Return what the seat to play knows of a position.

    Args:
        data: a decoded JSON object. The other hands may all be empty; they are not looked at in
            any case, nor is what else the seat has not seen.
        seat: the seat; the one to play when left out.

    Raises `AdviceError`, or `PositionError` with a sentence that names the key.
    """
    if not isinstance(data, dict) or not _leaves_out(data.get("hands")):
        return knowledge_of(parse_position(data), seat)
    return _Partial(data, seat).knowledge()


def knowledge_of(position: Position, seat: int | None) -> Knowledge:
    """Return what the seat to play knows of a whole position; see `read_knowledge`."""
    if not is_complete(position):
        raise AdviceError(
            "hands: not all 54 cards appear, expected the whole deal, or all other hands empty"
        )
    seat = position.player if seat is None else seat
    if not 0 <= seat < position.seats:
        raise AdviceError(f"seat: {seat}, expected 0 to {position.seats - 1}")
    return Knowledge.of_position(position, seat)


def _leaves_out(hands: object) -> bool:
    """Return whether all hands but one are empty."""
    return isinstance(hands, list) and len(hands) > 1 and sum(hand != "" for hand in hands) == 1


class _Partial:
    """A position with one hand.

    Args:
        data: a decoded JSON object.
        seat: the seat that asks, or `None`.
    """

    def __init__(self, data: Mapping[str, Any], seat: int | None) -> None:
        """Read the keys; raises `PositionError`."""
        self._cards = {key: _CARDS[key](key, data[key]) for key in _CARDS if key in data}
        hands = self._cards["hands"]
        # The terms are checked in a position of one card a hand.
        terms = {key: value for key, value in data.items() if key not in _CARDS}
        shown = {"hands": list(_ANY_HANDS[: len(hands)]), "partner": None}
        self._terms = parse_position(terms | shown)
        self._seats = len(hands)
        if self._terms.options.get("second_pickings"):
            raise AdviceError("options: with second_pickings the whole position is needed")
        self._seat = next(at for at, hand in enumerate(hands) if hand) if seat is None else seat
        if not 0 <= self._seat < self._seats or not hands[self._seat]:
            held = [at for at, hand in enumerate(hands) if hand]
            raise AdviceError(f"seat: {self._seat}, but the only hand is that of seat {held[0]}")
        self._hand = hands[self._seat]
        self._check_lists()
        self._check_distinct()

    def _check_lists(self) -> None:
        for key in ("discards", "taken", "tricks_won"):
            entries = len(self._cards.get(key, ()))
            if entries not in (0, self._seats):
                raise PositionError(f"{key}: {entries} entries, expected {self._seats}, one a seat")
        history, played, held = self._cards.get("history"), self._played, self._hand.bit_count()
        if played < 0:
            raise PositionError(
                f"hands[{self._seat}]: {held} cards, expected at most {hand_size(self._seats)}"
            )
        if history is None and played and not any(self._cards.get("taken", ())):
            raise PositionError(
                f"history: missing, expected {count(played, 'trick')} that were played"
            )
        if history is not None and len(history) != played:
            raise PositionError(
                f"history: {count(len(history), 'trick')}, expected {played}, as {held} "
                "cards are in hand"
            )
        for number, trick in enumerate(history or ()):
            if len(trick.cards) != self._seats:
                raise PositionError(
                    f"history[{number}].cards: {len(trick.cards)} cards, expected {self._seats}"
                )

    def _check_distinct(self) -> None:
        seen = 0
        places = [self._hand, self._laid, *map(_single, self._cards.get("trick", ()))]
        places += [1 << card for trick in self._history or () for card in trick.cards]
        for cards in places:
            if seen & cards:
                raise PositionError("hands: a card appears twice, expected every card once")
            seen |= cards

    @property
    def _played(self) -> int:
        held: int = self._hand.bit_count()
        return hand_size(self._seats) - held

    @property
    def _history(self) -> tuple[Trick, ...] | None:
        given: tuple[Trick, ...] | None = self._cards.get("history", None if self._played else ())
        return given

    @property
    def _laid(self) -> int:
        laid: int = (self._cards.get("discards") or (0,) * self._seats)[self._seat]
        return laid

    def knowledge(self) -> Knowledge:
        """Return what the seat knows. Raises `AdviceError` when the cards do not add up."""
        terms, rules, seat = self._terms, self._terms.rules, self._seat
        winners = self._winners()
        taken = self._cards.get("taken") or self._won(winners)
        called, partner = terms.called, None
        for trick in (*(self._history or ()), Trick(self._leader(winners), self._trick)):
            if called in trick.cards:
                partner = (trick.leader + trick.cards.index(called)) % self._seats
        return Knowledge(
            variant=terms.variant,
            contract=terms.contract,
            players=self._seats,
            seat=seat,
            hand=self._hand,
            laid=self._laid,
            lays=usual_lays(rules, terms.declarer, self._seats),
            declarer=terms.declarer,
            called=called,
            partner=None if partner == terms.declarer else partner,
            leader=self._leader(winners),
            trick=self._trick,
            history=self._history,
            taken=tuple(taken),
            tricks_won=tuple(self._cards.get("tricks_won") or self._counted(winners, taken)),
            talon=self._cards.get("talon", ()) if sees_talon(rules, terms, seat) else (),
            took=took_of(terms.extra) if shows_groups(rules) else 0,
            level=terms.level,
            announced=terms.announced,
            doubled=terms.doubled,
            options=terms.options,
        )

    @property
    def _trick(self) -> tuple[int, ...]:
        trick: tuple[int, ...] = self._cards.get("trick", ())
        return trick

    def _winners(self) -> list[int]:
        """Return who won each trick on record, none of which is the last of the deal."""
        tricks = Tricks(self._terms.book, self._terms.rules)
        found = []
        for leader, cards in self._history or ():
            winning = tricks.winning(cards, final=False)
            place = 0 if winning is None else cards.index(winning)
            found.append((leader + place) % self._seats)
        return found

    def _leader(self, winners: Sequence[int]) -> int:
        given: int | None = self._cards.get("leader")
        if given is not None:
            return given
        if self._history is None:
            raise PositionError("leader: missing, but required as tricks were played")
        return winners[-1] if winners else self._terms.leader

    def _won(self, winners: Sequence[int]) -> list[int]:
        if self._terms.rules.talon == "tricks" and winners:
            raise PositionError("taken: missing, expected the cards won, talon cards included")
        taken = [0] * self._seats
        for winner, trick in zip(winners, self._history or (), strict=True):
            taken[winner] |= to_mask(trick.cards)
        return taken

    def _counted(self, winners: Sequence[int], taken: Sequence[int]) -> list[int]:
        if self._history is not None:
            return [winners.count(seat) for seat in range(self._seats)]
        return [cards.bit_count() // self._seats for cards in taken]


def _single(card: int) -> int:
    return 1 << card
