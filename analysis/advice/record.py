"""What came of a question: the choices in their order, and which to make."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Literal

from trull.analysis.advice.racing import Effort, Race
from trull.solver.cards import format_hand

ASSUMPTION = "All averages assume that everyone sees all cards from then on."

Kind = Literal["bid", "exchange", "card"]
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean or a rate with its interval of 95 %.

    Attributes:
        mean: the mean.
        interval: its bounds; `None` where there are too few deals for one.
    """

    mean: float
    interval: Interval | None

    def to_dict(self) -> dict[str, object]:
        """Return the estimate as a JSON object."""
        return {"mean": round(self.mean, 4), "interval": _rounded(self.interval)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A choice with what the deals say about it.

    Attributes:
        name: what to do, as the rule book and the cards call it.
        data: the same as JSON keys.
        notes: what else there is to know, as JSON keys.
        deals: the number of deals that its value is known on.
        value: its value.
        made: the rate of the deals on which the contract is made, where that is asked.
        behind: by how much it is worth less than the best choice, on the same deals.
        out: whether it dropped out of the race, being clearly behind.
        open: the deals left out, as the limit or the rules left them open.
        approximate: the deals whose value a node limit left approximate.
    """

    name: str
    data: Mapping[str, object]
    notes: Mapping[str, object] = field(default_factory=dict)
    deals: int
    value: Estimate | None
    made: Estimate | None
    behind: Estimate | None
    out: bool
    open: int
    approximate: int

    def to_dict(self) -> dict[str, object]:
        """Return the choice as a JSON object."""
        found = {**self.data, **self.notes, "deals": self.deals}
        for name in ("value", "made", "behind"):
            estimate = getattr(self, name)
            found[name] = None if estimate is None else estimate.to_dict()
        return found | {
            "out": self.out,
            "open": self.open,
            "approximate": self.approximate,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The answer to a question.

    Attributes:
        kind: `bid`, `exchange` or `card`.
        variant: the rule book's identifier.
        seat: who asks.
        hand: his cards, as a mask.
        given: what else was given, as JSON keys.
        unit: what values are counted in.
        measure: what was asked for.
        choices: the choices, best first.
        aside: choices that are not comparable with the others.
        recommended: the place in `choices` of the one to make; `None` when no deal was finished.
        settled: whether it is settled that no other choice is better.
        seed: the seed of the deals.
        deals: the number of deals.
        expired: whether the time ended the work.
        sampling: what is to be said about the deals, as JSON keys.
        remarks: sentences for the reader.
    """

    kind: Kind
    variant: str
    seat: int
    hand: int
    given: Mapping[str, object]
    unit: str
    measure: str
    choices: tuple[Choice, ...]
    aside: tuple[Choice, ...] = ()
    recommended: int | None
    settled: bool
    seed: int
    deals: int
    expired: bool
    sampling: Mapping[str, object]
    remarks: tuple[str, ...] = ()

    @property
    def best(self) -> Choice | None:
        """The recommended choice."""
        return None if self.recommended is None else self.choices[self.recommended]

    def to_dict(self) -> dict[str, object]:
        """Return the advice as the public JSON object (`docs/advice.md`)."""
        found: dict[str, object] = {
            "question": self.kind,
            "variant": self.variant,
            "seat": self.seat,
            "hand": format_hand(self.hand),
            **self.given,
            "objective": self.measure,
            "unit": self.unit,
            "recommended": None if self.best is None else dict(self.best.data),
            "margin": self.margin,
            "settled": self.settled,
            "choices": [choice.to_dict() for choice in self.choices],
        }
        if self.aside:
            found["not_ranked"] = [choice.to_dict() for choice in self.aside]
        return found | {
            "seed": self.seed,
            "deals": self.deals,
            "time_over": self.expired,
            **self.sampling,
            "assumes": ASSUMPTION,
            "remarks": list(self.remarks),
        }

    @property
    def margin(self) -> dict[str, object] | None:
        """By how much the best choice is ahead of the second, on the same deals."""
        second = self.runner_up
        if second is None or second.behind is None:
            return None
        return {**second.behind.to_dict(), "over": dict(second.data)}

    @property
    def runner_up(self) -> Choice | None:
        """The choice after the best that was not worth the same on every deal, or `None`."""
        for choice in self.choices[1:]:
            behind = choice.behind
            if behind is not None and (behind.mean or _is_wide(behind.interval)):
                return choice
        return None


def _is_wide(interval: Interval | None) -> bool:
    return interval is not None and interval[0] < interval[1]


@dataclass(frozen=True, slots=True)
class Label:
    """How a choice is called.

    Attributes:
        name: what to do, in words.
        data: the same as JSON keys.
        notes: what else there is to know, as JSON keys.
    """

    name: str
    data: Mapping[str, object]
    notes: Mapping[str, object] = field(default_factory=dict)


def ranking(race: Race, labels: Sequence[Label], sign: int = 1) -> tuple[Choice, ...]:
    """Return the choices of a race, those still in it first, each group by its mean.

    Args:
        race: the race, run.
        labels: how the choices are called.
        sign: -1 when values are shown with their sign changed; being behind stays positive.
    """
    leader = race.leader

    def rank(choice: int) -> tuple[bool, float, int]:
        mean = race.mean(choice)
        return choice not in race.active, math.inf if mean is None else -mean, choice

    order = sorted(range(len(labels)), key=rank)
    return tuple(_choice(race, labels[at], at, leader, sign) for at in order)


def _choice(race: Race, label: Label, at: int, leader: int | None, sign: int) -> Choice:
    outcomes = race.outcomes(at)
    values = [sign * found.value for found in outcomes if found.value is not None]
    made = [found.made for found in outcomes if found.made is not None]
    behind = [] if leader in (None, at) else race.differences(leader or 0, at)
    return Choice(
        name=label.name,
        data=label.data,
        notes=label.notes,
        deals=len(values),
        value=mean_of(values),
        made=rate_of(made),
        behind=mean_of(behind),
        out=at not in race.active,
        open=len(outcomes) - len(values),
        approximate=sum(not found.exact for found in outcomes),
    )


def mean_of(values: Sequence[float]) -> Estimate | None:
    """Return the mean of values with Student's interval; `None` of none."""
    from trull.analysis.summary.intervals import mean_interval

    if not values:
        return None
    mean, n = fmean(values), len(values)
    if n < 2:
        return Estimate(mean=mean, interval=None)
    low, high = mean_interval(n, mean, stdev(values))
    return Estimate(mean=mean, interval=(float(low), float(high)))


def rate_of(made: Sequence[bool]) -> Estimate | None:
    """Return a rate with Wilson's interval; `None` of no deals."""
    from trull.analysis.summary.intervals import wilson

    if not made:
        return None
    low, high = wilson(sum(made), len(made))
    return Estimate(mean=sum(made) / len(made), interval=(float(low), float(high)))


def is_expired(race: Race, effort: Effort) -> bool:
    """Return whether the time ended a race."""
    return not race.settled and len(race.rows) < effort.deals


def _rounded(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [round(bound, 4) for bound in interval]
