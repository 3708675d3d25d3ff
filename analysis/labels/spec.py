"""What a set of labels is made of: which deals, which games, and what is labelled in them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from trull.analysis.labels.players import PlayerName
from trull.analysis.study.error import StudyError
from trull.analysis.study.spec import Game, Sharded
from trull.solver import rulebooks
from trull.solver.rules import hand_size

LabelKind = Literal["play", "bid"]
Result = Literal["value", "made", "score"]

KINDS: tuple[LabelKind, ...] = get_args(LabelKind)
RESULTS: tuple[Result, ...] = get_args(Result)

SHARES = (80, 10, 10)
"""Deals in a hundred for training, validation and test."""


@dataclass(frozen=True, kw_only=True)
class LabelSpec(Sharded):
    """What play and bid labels have in common; the seed is that of everything random.

    Building one checks it; what is wrong raises `StudyError`.

    Attributes:
        split: the shares of the deals for training, validation and test.
    """

    split: tuple[int, int, int] = SHARES

    def __post_init__(self) -> None:
        """Refuse what cannot be labelled."""
        Sharded.__post_init__(self)
        if not sum(self.split):
            raise StudyError("split: no deal belongs anywhere, expected three shares")
        for game in self.games:
            if game.rules.sides == "two":
                raise StudyError(f"{game.name}: straw men have no column, expected another game")

    @property
    @abstractmethod
    def kind(self) -> LabelKind:
        """What is labelled."""

    @cached_property
    def by_name(self) -> dict[str, Game]:
        """The games by their names."""
        return {game.name: game for game in self.games}

    def to_dict(self) -> dict[str, object]:
        """Return the canonical form, which reads back as the same specification."""
        return {
            "kind": self.kind,
            "title": self.title,
            "deals": self.deals,
            "seed": self.seed,
            "conditions": self.conditions.to_dict(),
            "memory": self.memory,
            "shard": self.shard,
            "split": list(self.split),
            **self._own(),
            "game": [game.to_dict() for game in self.games],
        }

    @abstractmethod
    def _own(self) -> dict[str, object]:
        """Return the keys of this kind."""


@dataclass(frozen=True, kw_only=True)
class PlaySpec(LabelSpec):
    """Positions out of played games.

    Attributes:
        player: who plays: `random`, `greedy`, or `noise`, the solver with errors.
        epsilon: the probability that the player of `noise` plays any legal card.
        tricks: the tricks that positions are taken from, counted from 1; empty stands for all.
        positions: how many tricks of a game give a position.
        balance: whether all contracts, and all tricks of a contract, get the same number.
    """

    player: PlayerName = "random"
    epsilon: float = 0.1
    tricks: tuple[int, ...] = ()
    positions: int = 1
    balance: bool = False

    def __post_init__(self) -> None:
        """Check the tricks against the games."""
        LabelSpec.__post_init__(self)
        for game in self.games:
            last = hand_size(game.players)
            if self.tricks and max(self.tricks) > last:
                raise StudyError(
                    f"tricks: {max(self.tricks)}, but {game.name} has {last} with "
                    f"{game.players} players"
                )
            if self.positions > len(self.tricks_of(game)):
                raise StudyError(
                    f"positions: {self.positions}, expected at most {len(self.tricks_of(game))}, "
                    "one a trick"
                )

    @property
    def kind(self) -> LabelKind:
        """What is labelled."""
        return "play"

    def tricks_of(self, game: Game) -> tuple[int, ...]:
        """Return the tricks of a game that positions are taken from."""
        return self.tricks or tuple(range(1, hand_size(game.players) + 1))

    def _own(self) -> dict[str, object]:
        return {
            "player": self.player,
            "epsilon": self.epsilon,
            "tricks": list(self.tricks),
            "positions": self.positions,
            "balance": self.balance,
        }


@dataclass(frozen=True, kw_only=True)
class BidSpec(LabelSpec):
    """Hands before the bidding, all of one variant and number of players.

    Attributes:
        samples: how many deals with the same hand are averaged.
        results: which of `value`, `made` and `score` are found.
    """

    samples: int = 20
    results: tuple[Result, ...] = RESULTS

    def __post_init__(self) -> None:
        """Check that the games are bids of one auction."""
        LabelSpec.__post_init__(self)
        first = self.games[0]
        for game in self.games:
            for key in ("variant", "players", "declarer"):
                if getattr(game, key) != getattr(first, key):
                    raise StudyError(
                        f"{game.name}: {key}: {getattr(game, key)!r}, expected "
                        f"{getattr(first, key)!r} as for {first.name}: bids of one auction"
                    )
            if game.contract not in biddable(game.variant, game.players):
                raise StudyError(
                    f"{game.name}: {game.contract} is never bid by {game.players} players"
                )

    @property
    def kind(self) -> LabelKind:
        """What is labelled."""
        return "bid"

    @property
    def variant(self) -> str:
        """The rule book of all games."""
        return self.games[0].variant

    @property
    def players(self) -> int:
        """The number of players of all games."""
        return self.games[0].players

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats whose hands are labelled."""
        return self.games[0].declarers

    def _own(self) -> dict[str, object]:
        return {"samples": self.samples, "results": list(self.results)}


def biddable(variant: str, players: int) -> tuple[str, ...]:
    """Return the contracts that somebody may bid, lowest first, each once."""
    book = rulebooks.variant(variant)
    found = (
        bid.contract
        for bid in book.bids
        if players in bid.players and players in book.contract(bid.contract).values
    )
    return tuple(dict.fromkeys(found))
