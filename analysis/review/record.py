"""What a review says about a game."""

from __future__ import annotations

from dataclasses import dataclass, field

from trull.analysis.review.game import Game
from trull.solver.cards import NAMES, format_cards
from trull.solver.interchange import copied
from trull.solver.position import Position
from trull.solver.question import Objective, Value


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card of the game and what it was worth.

    In games of everyone the values are those of its player's own seat, else of the declaring
    side.

    Attributes:
        number: its place in the game, from 1 on.
        trick: the number of its trick.
        seat: who played it.
        card: the card.
        before: the value before it was played: under best play by everyone from then on.
        after: the value after it.
        cost: what its player's side has lost by it, 0 or more.
        better: where it cost something, all cards that would have kept the value.
    """

    number: int
    trick: int
    seat: int
    card: int
    before: Value
    after: Value
    cost: int
    better: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatTotal:
    """What one player did.

    Attributes:
        seat: the seat.
        cards: how many cards it has played.
        errors: how many of them cost something.
        cost: what they cost together.
    """

    seat: int
    cards: int
    errors: int
    cost: int


@dataclass(frozen=True, kw_only=True)
class Review:
    """The values along a game, and what every card has cost.

    Attributes:
        game: the game.
        objective: `points`, `tricks`, `made` or `score`.
        unit: `thirds`, `face`, `tricks`, `bool` or `score`.
        courses: the values before the first card and after every card: of the declaring side,
            or in games of everyone those of each seat.
        verdicts: whether the contract is made, likewise; `None` in games of everyone, and in
            exercises unless it is the objective.
        cards: the cards in order of play.
        nodes: positions visited.
        ms: milliseconds spent.
    """

    game: Game = field(repr=False)
    objective: Objective
    unit: str
    courses: tuple[tuple[Value, ...], ...]
    verdicts: tuple[bool, ...] | None
    cards: tuple[PlayedCard, ...]
    nodes: int
    ms: float

    @property
    def position(self) -> Position:
        """The position that the game has come to."""
        return self.game.position

    @property
    def everyone(self) -> bool:
        """Whether everyone plays alone, so that each card is judged for its own player."""
        return self.position.rules.sides == "everyone"

    @property
    def errors(self) -> tuple[PlayedCard, ...]:
        """The cards that cost something."""
        return tuple(card for card in self.cards if card.cost)

    @property
    def totals(self) -> tuple[SeatTotal, ...]:
        """What every seat did."""
        return tuple(self._total(seat) for seat in range(self.position.seats))

    def _total(self, seat: int) -> SeatTotal:
        own = [card for card in self.cards if card.seat == seat]
        costs = [card.cost for card in own if card.cost]
        return SeatTotal(seat, len(own), len(costs), sum(costs))

    @property
    def sides(self) -> tuple[int, int]:
        """What the cards of the declaring side and those of its opponents have cost together."""
        own = sum(total.cost for total in self.totals if total.seat in self.position.side)
        return own, sum(total.cost for total in self.totals) - own

    @property
    def turning_point(self) -> PlayedCard | None:
        """The last card that changed whether the contract is made; `None` when none did."""
        if self.verdicts is None:
            return None
        changes = [
            card for card in self.cards
            if self.verdicts[card.number - 1] != self.verdicts[card.number]
        ]  # fmt: skip
        return changes[-1] if changes else None

    @property
    def costliest(self) -> PlayedCard | None:
        """The first of the cards that cost most; `None` when none cost anything."""
        return max(self.errors, key=lambda card: card.cost, default=None)

    def to_dict(self) -> dict[str, object]:
        """Return the review as the public JSON object (`docs/reviewing.md`)."""
        costliest = self.costliest
        return copied(self.position) | {
            "objective": self.objective,
            "unit": self.unit,
            "finished": self.game.over,
            "start": self._moment(0),
            "end": self._moment(len(self.cards)),
            "cards": [self._card_entry(card) for card in self.cards],
            "seats": [
                {
                    "seat": total.seat,
                    "cards": total.cards,
                    "errors": total.errors,
                    "cost": total.cost,
                }
                for total in self.totals
            ],
            **self._side_entries(),
            "costliest": None if costliest is None else costliest.number,
            **self._talon_entry(),
            "nodes": self.nodes,
            "ms": round(self.ms, 1),
        }

    def _moment(self, number: int) -> dict[str, object]:
        """Return the values after so many cards."""
        values = [course[number] for course in self.courses]
        entry: dict[str, object] = {"seats": values} if self.everyone else {"value": values[0]}
        return entry | ({} if self.verdicts is None else {"made": self.verdicts[number]})

    def _card_entry(self, card: PlayedCard) -> dict[str, object]:
        return {
            "number": card.number,
            "trick": card.trick,
            "seat": card.seat,
            "card": NAMES[card.card],
            "before": card.before,
            "after": card.after,
            "cost": card.cost,
            **({"better": format_cards(card.better)} if card.cost else {}),
            **(
                {"seats": [course[card.number] for course in self.courses]} if self.everyone else {}
            ),
            **({} if self.verdicts is None else {"made": self.verdicts[card.number]}),
        }

    def _side_entries(self) -> dict[str, object]:
        """Return what there is only in games with a declaring side."""
        if self.everyone:
            return {}
        own, theirs = self.sides
        entries: dict[str, object] = {"sides": {"declarers": own, "opponents": theirs}}
        turn = self.turning_point
        if self.verdicts is not None:
            entries["turning_point"] = None if turn is None else turn.number
        return entries

    def _talon_entry(self) -> dict[str, object]:
        if not self.game.talon_order_assumed:
            return {}
        return {"talon_assumed": format_cards(self.game.start.talon)}
