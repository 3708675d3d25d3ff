"""Which card to play in the middle of the play, from what one seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from trull.analysis.advice.knowledge import Knowledge
from trull.analysis.advice.racing import Effort, Expired, Race, Row, Watch
from trull.analysis.advice.record import Advice, Label, is_expired, mean_of, ranking
from trull.analysis.advice.valuing import OPEN, Outcome, asked_of, card_values
from trull.analysis.advice.worlds import Worlds
from trull.solver.cards import NAMES, format_cards, format_hand
from trull.solver.kernel.engine import Engine
from trull.solver.question import Objective
from trull.solver.referee import Referee


@dataclass(frozen=True, kw_only=True)
class CardQuestion:
    """Which card the seat to play should play.

    Attributes:
        known: what it knows.
        objective: what is played for; `None` stands for card points where the contract is about
            them, else for making the contract, as how far it is lost pays nothing.
        seed: the seed of the deals.
    """

    known: Knowledge
    objective: Objective | None = None
    seed: int = 0

    @property
    def _wanted(self) -> Objective:
        own: Objective = "points" if self.known.rules.counts_points else "made"
        return self.objective or own

    @cached_property
    def worlds(self) -> Worlds:
        """The deals that agree with what the seat knows."""
        return Worlds(self.known, self.seed)

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The legal cards, which are the same in every deal."""
        referee = Referee(self.worlds.position(0))
        return referee.legal(referee.start)

    def answer(self, effort: Effort, watch: Watch = lambda _done, _left: None) -> Advice:
        """Return the advice.

        Args:
            effort: how much work to do.
            watch: is told how far it is.

        Raises `AdviceError` when no deal agrees with what the seat knows, and `Unsolvable` for an
        objective that the contract does not have.
        """
        question, sign, swing = asked_of(self.worlds.position(0), self._wanted)
        race = Race(
            swings=[swing] * len(self.cards),
            evaluate=lambda *asked: self._evaluated(*asked, nodes=effort.nodes),
            effort=effort,
            watch=watch,
        )
        race.run()
        return Advice(
            kind="card",
            variant=self.known.variant,
            seat=self.known.seat,
            hand=self.known.hand,
            given=self._given(),
            unit=str(question.unit),
            measure=question.objective,
            choices=ranking(race, self._labels(race), sign),
            recommended=None if race.leader is None else 0,
            settled=race.settled,
            seed=self.seed,
            deals=len(race.rows),
            expired=is_expired(race, effort),
            sampling=self._sampling(race),
            remarks=self._remarks(sign),
        )

    def _evaluated(
        self,
        engine: Engine,
        number: int,
        active: Sequence[int],
        _expired: Expired,
        *,
        nodes: int | None,
    ) -> Row:
        """Value all cards at once, those too that have dropped out: it costs no more."""
        values = card_values(engine, self.worlds.position(number), self._wanted, nodes)
        if values is None:
            return dict.fromkeys(range(len(self.cards)), OPEN)
        return {at: Outcome(values[card]) for at, card in enumerate(self.cards)}

    def _given(self) -> dict[str, object]:
        known = self.known
        found: dict[str, object] = {"contract": known.contract, "declarer": known.declarer}
        if known.called is not None:
            found["called"] = NAMES[known.called]
        if known.trick:
            found["trick"] = format_cards(known.trick)
        return found

    def _labels(self, race: Race) -> list[Label]:
        """Return the cards, each with its regret and how often it is among the best."""
        regrets = self._regrets(race)
        labels = []
        for card, own in zip(self.cards, regrets, strict=True):
            estimate = mean_of(own)
            notes: dict[str, object] = {"regret": None, "among_best": None}
            if estimate is not None:
                among_best = fmean(not regret for regret in own)
                notes = {"regret": estimate.to_dict(), "among_best": round(among_best, 4)}
            labels.append(Label(NAMES[card], {"card": NAMES[card]}, notes))
        return labels

    def _regrets(self, race: Race) -> list[list[float]]:
        """Return for every card by how much it falls short of the best card, deal by deal."""
        found: list[list[float]] = [[] for _ in self.cards]
        for row in race.rows:
            values = [row[at].value for at in range(len(self.cards))]
            known = [value for value in values if value is not None]
            for own, value in zip(found, known, strict=bool(known)):
                own.append(max(known) - value)
        return found

    def _sampling(self, race: Race) -> dict[str, object]:
        """Return how many draws the deals took, and what the play shows that seats lack."""
        tries = sum(self.worlds.tries[number] for number in range(len(race.rows)))
        seats = range(self.known.players)
        lacking = {str(seat): format_hand(self.worlds.lacked[seat]) for seat in seats}
        return {
            "draws": tries,
            "lacking": {seat: names for seat, names in lacking.items() if names},
        }

    def _remarks(self, sign: int) -> tuple[str, ...]:
        if self._wanted == "made":
            wants = "wants it made" if sign > 0 else "wants it to fail"
            return (f"Value: how often the contract is made; seat {self.known.seat} {wants}.",)
        if self.known.rules.sides == "everyone":
            return ("Value: the fewest points that the seat can hold itself to.",)
        whose = "declarer's" if self.known.rules.sides == "alone" else "declaring side's"
        wants = "much" if sign > 0 else "little"
        return (f"Value: the {whose}, of which seat {self.known.seat} wants {wants}.",)
