"""What a rule book says about a single hand, as data: bonuses, rules of thumb, bids.

All of them ask for numbers of things in the hand, the features of `trull.solver.hands`. The order
in which seats bid stands here, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Needs = Mapping[str, tuple[int, int]]
"""Features by name, each with the lowest and the highest number that fits."""

MANY = 99
"""More than any feature counts: the end of a range that has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandBonus:
    """A bonus that is paid for the cards of a hand alone.

    Attributes:
        name: the identifier.
        value: what each opponent pays.
        needs: what the hand must hold.
    """

    name: str
    value: int
    needs: Needs


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOfThumb:
    """What a hand should hold for a contract, in the opinion of a rule book's author.

    Attributes:
        contract: the contract's identifier.
        source: where in the rule book's text the rule stands.
        needs: what the hand should hold before it takes up talon cards.
    """

    contract: str
    source: str
    needs: Needs


@dataclass(frozen=True, slots=True, kw_only=True)
class Bid:
    """A contract that may be bid.

    Attributes:
        contract: the contract's identifier.
        forehand: whether forehand may bid it like everybody (`too`), alone (`only`), or not at
            all (`never`).
        players: the numbers of players with which all this holds.
        least: features by name with the lowest number that the hand must have, besides what
            follows from the contract itself.
    """

    contract: str
    forehand: Literal["too", "only", "never"] = "too"
    players: tuple[int, ...] = (3, 4)
    least: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Auction:
    """How seats bid in turn (RULES section 8); a later bid is higher, whoever passes is out.

    Bids that forehand alone may make are the lowest, and so his only while nobody has bid.

    Attributes:
        opens: the seat that speaks first.
        single_round: whether every seat speaks once, not until all but one have passed.
        may_equal: who may bid as much as the highest bid: `nobody`, `forehand`, or a `senior`
            bidder, that is a seat before the one that made it.
        forehand_must: whether forehand has to bid when nobody else has.
        otherwise: the contract that is played when everybody passes.
        may_raise: whether the winner may play a higher contract than he bid.
        instead: the contracts that the winner of a bid may play in its place.
        equal: groups of contracts that are bids of equal height.
    """

    opens: int = 0
    single_round: bool = False
    may_equal: Literal["nobody", "forehand", "senior"] = "nobody"
    forehand_must: bool = True
    otherwise: str | None = None
    may_raise: bool = False
    instead: Mapping[str, str] = field(default_factory=dict)
    equal: tuple[tuple[str, ...], ...] = ()


def bids(names: str, **differences: object) -> tuple[Bid, ...]:
    """Return the bids of contracts named in a text, lowest first, all with `differences`."""
    return tuple(Bid(contract=name, **differences) for name in names.split())  # type: ignore[arg-type]
