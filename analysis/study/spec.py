"""The specification of a study: which contracts on which deals, and what is asked about each."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from trull.analysis.deals import Conditions, DealError
from trull.analysis.study.error import StudyError
from trull.solver import rulebooks
from trull.solver.position import Announcement, Position
from trull.solver.question import Objective
from trull.solver.rules import Contract, Variant, ranked
from trull.solver.validation import PositionError

Declarer = int | Literal["every"]
Policy = Literal["plain", "best", "none"]

EVERY = "every"
_MOST_SHARDS = 1_000_000
POLICIES: tuple[Policy, ...] = ("plain", "best", "none")


@dataclass(frozen=True, kw_only=True)
class Game:
    """One contract of a study and what is asked about it, a row for every deal and declarer.

    Building a `Game` checks it against its rule book; what is wrong raises `StudyError`.

    Attributes:
        name: what its rows are called.
        variant: the rule book's identifier.
        contract: the contract's identifier.
        players: the number of players.
        declarer: the declarer's seat, or `every` for a row a seat.
        policy: how talon, discards and call are chosen, as `trull.analysis.exchange` has it.
        objective: what is asked, as `trull.solver.solve` has it.
        level: the level of a trojka or prever; `None` leaves it to the policy.
        announced: the bonuses announced, each with a seat or `None` for the declarer.
        options: the rule book's options that are set.
    """

    name: str
    variant: str
    contract: str
    players: int
    declarer: Declarer = 0
    policy: Policy
    objective: Objective
    level: int | None = None
    announced: tuple[tuple[int | None, str], ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check everything that does not depend on the deal."""
        if self.players not in self.rules.values:
            expected = " or ".join(map(str, sorted(self.rules.values)))
            raise StudyError(
                f"{self.name}: players: {self.players}, but {self.contract} is played by {expected}"
            )
        if self.rules.sides == "everyone" and self.objective != "points":
            raise StudyError(
                f"{self.name}: objective: {self.contract} is solved for points, "
                f"not {self.objective}"
            )
        for seat in self.declarers:
            self._check_terms(seat)

    def _check_terms(self, declarer: int) -> None:
        """Check seats, announcements and options on a position without cards."""
        try:
            Position(
                variant=self.variant,
                contract=self.contract,
                hands=(0,) * self.players,
                declarer=declarer,
                level=self.level or 1,
                announced=self.announced_by(declarer),
                options=self.options,
            )
        except PositionError as error:
            raise StudyError(f"{self.name}: {error}") from error

    @cached_property
    def book(self) -> Variant:
        """The rule book with its cards as the options rank them."""
        return ranked(rulebooks.variant(self.variant), self.options)

    @cached_property
    def rules(self) -> Contract:
        """The contract as the rule book has it."""
        return rulebooks.contract(self.variant, self.contract)

    @property
    def declarers(self) -> tuple[int, ...]:
        """The seats that declare, each in a row of its own."""
        return tuple(range(self.players)) if isinstance(self.declarer, str) else (self.declarer,)

    def announced_by(self, declarer: int) -> tuple[Announcement, ...]:
        """Return the announcements with the seats that make them."""
        return tuple(
            Announcement(declarer if seat is None else seat, bonus)
            for seat, bonus in self.announced
        )

    def to_dict(self) -> dict[str, object]:
        """Return the canonical form: what a `[[game]]` table holds, nothing left out."""
        return {
            "name": self.name,
            "variant": self.variant,
            "contract": self.contract,
            "players": self.players,
            "declarer": self.declarer,
            "policy": self.policy,
            "objective": self.objective,
            **({} if self.level is None else {"level": self.level}),
            "announced": [
                bonus if seat is None else {"seat": seat, "bonus": bonus}
                for seat, bonus in self.announced
            ],
            "options": {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in sorted(self.options.items())
            },
        }


@dataclass(frozen=True, kw_only=True)
class Sharded(ABC):
    """Games on deals, so many deals in a file.

    Attributes:
        games: the contracts, in the order of the rows of a deal.
        deals: how many deals.
        seed: the seed of the deals.
        conditions: what every deal meets.
        memory: MB of the transposition table; the numbers of nodes depend on it.
        shard: deals in one file.
        title: what it is about, in a line.
    """

    games: tuple[Game, ...]
    deals: int
    seed: int = 0
    conditions: Conditions = field(default_factory=Conditions)
    memory: int
    shard: int
    title: str = ""

    def __post_init__(self) -> None:
        """Check the number of files, and the conditions as far as possible without counting."""
        if self.shards > _MOST_SHARDS:
            raise StudyError(
                f"shard: {self.shards:,} files for {self.deals:,} deals, expected so many deals in "
                f"one that there are at most {_MOST_SHARDS:,}"
            )
        for game in self.games:
            try:
                self.conditions.clauses(game.variant, game.players)
            except DealError as error:
                raise StudyError(f"conditions: {error}") from error

    @property
    def variants(self) -> tuple[str, ...]:
        """The rule books, each once."""
        return tuple(dict.fromkeys(game.variant for game in self.games))

    @property
    def shards(self) -> int:
        """The number of shards."""
        return -(-self.deals // self.shard)

    def deals_of(self, shard: int) -> range:
        """Return the numbers of the deals in a shard."""
        return range(shard * self.shard, min((shard + 1) * self.shard, self.deals))

    @abstractmethod
    def to_dict(self) -> dict[str, object]:
        """Return the canonical form, which reads back as the same specification."""

    @property
    def json(self) -> str:
        """The canonical form as one line of JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, kw_only=True)
class Spec(Sharded):
    """Everything that decides what the data files of a study hold.

    `trull.analysis.study.reading` makes one of TOML, of options or of a mapping.

    Attributes:
        nodes: node limit of one solve, after which the row is not exact; `None` without limit.
    """

    nodes: int | None = None

    @property
    def condition_texts(self) -> tuple[str, ...]:
        """The conditions, each as a text."""
        given = self.conditions
        talon = (("talon", given.talon),) if given.talon else ()
        held = (f"{place} holds {cards}" for place, cards in (*given.hold, *talon))
        voids = () if given.voids == "rule" else (f"hands without trumps: {given.voids}",)
        return *given.where, *held, *voids

    @property
    def rows_a_deal(self) -> int:
        """The number of rows that each deal has."""
        return sum(len(game.declarers) for game in self.games)

    def to_dict(self) -> dict[str, object]:
        """Return the canonical form, which reads back as the same specification."""
        return {
            "title": self.title,
            "deals": self.deals,
            "seed": self.seed,
            "conditions": self.conditions.to_dict(),
            **({} if self.nodes is None else {"nodes": self.nodes}),
            "memory": self.memory,
            "shard": self.shard,
            "game": [game.to_dict() for game in self.games],
        }
