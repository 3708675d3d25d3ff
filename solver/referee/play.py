"""The referee of one position: its states, play from them, and the count."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from trull.solver.cards import KINGS, SKUS, TRUMP_MASK, from_mask, to_mask
from trull.solver.referee import legality
from trull.solver.referee.state import State, face_up, given_back, replaced, without_top
from trull.solver.referee.tricks import Tricks
from trull.solver.rules import BIRDS

if TYPE_CHECKING:
    from trull.solver.position import Position

Objective = Literal["points", "tricks", "made"]

TAKE = 64
"""What a move adds to its card for every straw card that is taken up after it."""

_TALON_HALF = 3


class Referee:
    """The rules of one position's contract, and the states of play from that position.

    Nothing is validated here: the hands must fit the trick, and each trick of the history must
    have a card a seat.

    Attributes:
        position: the position.
        start: the position as a state.
        before_trick: the same with the cards of the current trick back in the hands.
        opening: the state before the first trick of the history, or `None` without a history.
    """

    position: Position
    start: State
    before_trick: State
    opening: State | None

    def __init__(self, position: Position) -> None:
        """Read the rules and the states off a position."""
        self.rules = position.rules
        self.seats = position.seats
        self.declarer = position.declarer
        self.partner = position.partner
        self.called = position.called
        self.side = position.side
        self.discards = position.discards
        self.position = position
        self._tricks = Tricks(position.book, position.rules)
        self._weights = position.book.weights
        self._threshold = position.book.threshold
        hands = given_back(position.hands, position.leader, position.trick)
        self.opening = self._opening(position, hands)
        past = self._replayed(position)
        self.start = State(
            hands=position.hands,
            leader=position.leader,
            trick=position.trick,
            taken=position.taken,
            tricks=position.tricks_won,
            talon=position.talon,
            straw=tuple(tuple(stack for stack in stacks if stack) for stacks in position.straw),
            bird_won=past is not None and past.bird_won,
            excused=past is not None and past.excused,
        )
        self.before_trick = self.start._replace(hands=hands, trick=())

    def _opening(self, position: Position, hands: tuple[int, ...]) -> State | None:
        if position.history is None or self.rules.sides == "two":
            return None  # which cards came off the straw men is not on record
        talon = self._given_out(position) + position.talon
        for trick in position.history:
            hands = given_back(hands, trick.leader, trick.cards)
        leader = position.history[0].leader if position.history else position.leader
        nothing = (0,) * self.seats
        return State(hands, leader, (), nothing, nothing, talon)

    def _given_out(self, position: Position) -> tuple[int, ...]:
        """Return the talon cards that went to the winners of the history's tricks, in order.

        Which of his talon cards a winner got first is not on record; a trump comes first, so
        that no lead of the Fool is called a fault without proof.
        """
        history = position.history or ()
        if self.rules.talon != "tricks":
            return ()
        played = to_mask(card for trick in history for card in trick.cards)
        got = [list(from_mask(taken & ~played)) for taken in position.taken]
        # The talon is given out long before the final trick.
        winners = [self.winner(trick.cards, trick.leader, final=False) for trick in history]
        return tuple(got[winner].pop(0) for winner in winners if got[winner])

    def _replayed(self, position: Position) -> State | None:
        """Return the state after the history, which knows the facts of the past."""
        state = self.opening
        if state is not None and position.history is not None:
            for card in (card for trick in position.history for card in trick.cards):
                state = self.play(state, card)
        return state

    def player(self, state: State) -> int:
        """Return the seat to play."""
        return state.player

    def over(self, state: State) -> bool:
        """Return whether no card is left to play."""
        return not any(state.hands) and not any(state.straw)

    def verdicts(self, state: State) -> dict[int, str | None]:
        """Return for every card of the seat to play the rule that forbids it, or `None`.

        The rule is a clause for the user, such as "must follow spades" or "must beat the T13".
        """
        return legality.verdicts(self._tricks, state)

    def legal(self, state: State) -> tuple[int, ...]:
        """Return the cards that the seat to play may play, from the lowest number up."""
        return tuple(card for card, fault in self.verdicts(state).items() if fault is None)

    def moves(self, state: State) -> tuple[int, ...]:
        """Return the moves of the seat to play: a legal card and what is taken up after it.

        A move is a card number plus 64 for every straw card that its player then takes into
        his hand (RULES section 6); elsewhere it is a card number.
        """
        return tuple(
            card + TAKE * taken
            for card in self.legal(state)
            for taken in range(self._takeable(state, card) + 1)
        )

    def _takeable(self, state: State, card: int) -> int:
        """Return how many straw cards may be taken up, one after the other, after `card`."""
        if face_up(state.straw, state.player) != 1 << card:
            return 0
        number = 0
        stacks = without_top(state.straw[state.player])
        while stacks and self._may_take(stacks[0]):
            stacks = without_top(stacks)
            number += 1
        return number

    def _may_take(self, stack: tuple[int, ...]) -> bool:
        """Return whether the card that comes up may be taken: king, trump or bottom card."""
        return bool((TRUMP_MASK | KINGS) >> stack[0] & 1) or len(stack) == 1

    def fault(self, state: State, cards: Iterable[int]) -> tuple[int, str] | None:
        """Return the first illegal card when `cards` are played in order, and the rule it breaks.

        Returns `None` when all are legal.
        """
        for card in cards:
            fault = self.verdicts(state).get(card, f"seat {state.player} does not hold it")
            if fault is not None:
                return card, fault
            state = self.play(state, card)
        return None

    def winner(self, cards: tuple[int, ...], leader: int, final: bool) -> int:
        """Return the seat that wins a trick.

        Args:
            cards: the cards in order of play.
            leader: the seat that led.
            final: whether it is the last trick of the deal.
        """
        winning = self._tricks.winning(cards, final)
        return (leader + (cards.index(winning) if winning is not None else 0)) % self.seats

    def play(self, state: State, move: int) -> State:
        """Return the state after the seat to play has made a move of `moves`, or played a card."""
        taken, card = divmod(move, TAKE)
        player = state.player
        hand, straw = state.hands[player] & ~(1 << card), state.straw
        if face_up(straw, player) == 1 << card:
            stacks = without_top(straw[player])
            for _ in range(taken):
                hand |= 1 << stacks[0][0]
                stacks = without_top(stacks)
            straw = replaced(straw, player, stacks)
        hands = replaced(state.hands, player, hand)
        state = state._replace(hands=hands, straw=straw, trick=(*state.trick, card))
        return self._finish_trick(state) if len(state.trick) == self.seats else state

    def _finish_trick(self, state: State) -> State:
        winner = self.winner(state.trick, state.leader, final=self.over(state))
        from_talon = state.talon[:1] if self.rules.talon == "tricks" else ()
        won = to_mask(state.trick + from_talon)
        return State(
            hands=state.hands,
            leader=winner,
            trick=(),
            taken=replaced(state.taken, winner, state.taken[winner] | won),
            tricks=replaced(state.tricks, winner, state.tricks[winner] + 1),
            talon=state.talon[len(from_talon) :],
            straw=state.straw,
            bird_won=state.bird_won or self._bird_wins(state, winner),
            excused=state.excused or self._excuses(state),
        )

    def _bird_wins(self, state: State, winner: int) -> bool:
        """Return whether the promised bird wins this trick, and this trick is the bird's own."""
        if not self.rules.goal_needs_bird or self.rules.bird is None or winner not in self.side:
            return False
        bird = BIRDS[self.rules.bird]
        tricks_left = state.hands[0].bit_count()
        # The birds I, II, III, IIII are the cards 0, 1, 2, 3, with as many tricks left to play.
        return state.trick[(winner - state.leader) % self.seats] == bird == tricks_left

    def _excuses(self, state: State) -> bool:
        """Return whether the trick does not count against the declarer, who lost his Excuse."""
        if self.rules.goal != "all_but" or self.rules.fool != "excuse" or SKUS not in state.trick:
            return False
        return (state.leader + state.trick.index(SKUS)) % self.seats == self.declarer

    def points(self, state: State, seat: int) -> int:
        """Return the card points of a seat, tricks and discards, in the variant's exact unit."""
        return self.weight(state.taken[seat] | self.discards[seat])

    def credited(self, state: State) -> int:
        """Return the talon cards, as a mask, that count for the declaring side."""
        rule, talon, called = self.rules.talon, state.talon, self.called
        if called is None or self.partner is not None or self.declarer is None:
            return 0
        if rule == "called_half" and called in talon:
            half = talon.index(called) // _TALON_HALF * _TALON_HALF
            return to_mask(talon[half : half + _TALON_HALF])
        if rule == "called_card" and called in talon:
            return to_mask(talon)
        # The declarer held the king himself, so in a trick that he won the king was the winner.
        if rule == "called_king" and state.taken[self.declarer] >> called & 1:
            return to_mask(talon)
        return 0

    def side_points(self, state: State) -> int:
        """Return the declaring side's card points, in the variant's exact unit.

        They include its discards and the talon cards credited to it.
        """
        tricks = sum(self.points(state, seat) for seat in self.side)
        return tricks + self.weight(self.credited(state))

    def side_tricks(self, state: State) -> int:
        """Return the number of tricks that the declaring side has won."""
        return sum(state.tricks[seat] for seat in self.side)

    def made(self, state: State) -> bool:
        """Return whether the declaring side has fulfilled the contract in a finished state.

        Raises `ValueError` for a game of everyone, which has no declaring side.
        """
        goal, tricks = self.rules.goal, self.side_tricks(state)
        if goal == "majority":
            enough = self.side_points(state) >= self._threshold
            return enough and (state.bird_won or not self.rules.goal_needs_bird)
        if goal == "at_most":
            return tricks <= self.rules.tricks
        if goal == "exactly":
            return tricks == self.rules.tricks
        if goal == "all_but":
            lost = sum(state.tricks) - tricks - state.excused
            return lost <= self.rules.tricks
        raise ValueError(f"{self.rules.name}: a game of everyone has no declaring side")

    def value(self, state: State, objective: Objective) -> int | bool:
        """Return the declaring side's result in a finished state.

        Args:
            state: the state without cards left to play.
            objective: `points` in the variant's unit, `tricks`, or `made`.

        Raises `ValueError` for a game of everyone, which has no declaring side.
        """
        if self.rules.sides == "everyone":
            raise ValueError(f"{self.rules.name}: a game of everyone has no declaring side")
        if objective == "points":
            return self.side_points(state)
        return self.side_tricks(state) if objective == "tricks" else self.made(state)

    def weight(self, mask: int) -> int:
        """Return the card points of a set of cards, in the variant's exact unit."""
        return sum(self._weights[card] for card in from_mask(mask))
