"""Which contracts a table has, and which seats may play them (RULES section 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trull.analysis.deals import Deal
from trull.solver import rulebooks
from trull.solver.hand_rules import Bid
from trull.solver.hands import Hand, judge


class TableError(ValueError):
    """A deal or a wish that no table can be made of; the message says what is expected."""


def bids_of(deal: Deal) -> list[Bid]:
    """Return the bids of a deal's rule book for its number of players, lowest first."""
    return [
        bid
        for bid in deal.book.bids
        if deal.players in bid.players and deal.players in deal.book.contract(bid.contract).values
    ]


def contracts_of(deal: Deal, wanted: tuple[str, ...] = ()) -> list[str]:
    """Return the contracts of the table of a deal, lowest first.

    Args:
        deal: the deal.
        wanted: the contracts asked for; every one of the auction when left out.

    Raises `TableError` for Scarecrow and for a contract of other numbers of players, and
    `trull.solver.rulebooks.UnknownRule` for one that the rule book does not have.
    """
    if deal.players == 2:
        raise TableError("hands: 2 of them, but Scarecrow has no table of contracts")
    for name in wanted:
        players = rulebooks.contract(deal.variant, name).values
        if deal.players not in players:
            expected = " or ".join(map(str, sorted(players)))
            raise TableError(f"{name} is for {expected} players, not {deal.players}")
    names = [bid.contract for bid in bids_of(deal)]
    if deal.book.auction.otherwise is not None:
        names.insert(0, deal.book.auction.otherwise)
    if not wanted:
        return names
    return [name for name in names if name in wanted] + [
        name for name in dict.fromkeys(wanted) if name not in names
    ]


def closed_cells(deal: Deal, contracts: list[str]) -> Mapping[tuple[str, int], str]:
    """Return why seats may not play contracts, by contract and seat; open ones are missing."""
    return {
        (name, seat): reason
        for seat in range(deal.players)
        for name, reason in _closed_to(deal, contracts, seat)
    }


def _closed_to(deal: Deal, contracts: list[str], seat: int) -> Iterator[tuple[str, str]]:
    barred = judge(Hand(variant=deal.variant, cards=deal.hands[seat], seat=seat)).barred
    whose = {bid.contract: bid.forehand for bid in bids_of(deal)}
    for name in contracts:
        if deal.without_trumps not in (None, name):
            yield name, _void(deal)
        elif deal.book.contract(name).sides == "everyone":
            continue
        elif whose.get(name) == "only" and seat != 0:
            yield name, "only forehand may bid it"
        elif whose.get(name) == "never" and seat == 0:
            yield name, "forehand may not bid it"
        elif name in barred:
            yield name, barred[name]


def _void(deal: Deal) -> str:
    fate = deal.without_trumps
    what = "the deal is redealt" if fate == "redealt" else f"{fate} is played"
    return f"a hand has no trump, so {what}"
