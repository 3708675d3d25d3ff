"""The table of a deal: every contract for every seat, par, and opening leads."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from trull.analysis.deals import Deal
from trull.analysis.makeable.auction import NoPar, Par, Payoffs, par
from trull.analysis.makeable.cell import Cell, Found
from trull.analysis.makeable.leads import Leads, leads_of
from trull.analysis.makeable.openness import TableError, bids_of, closed_cells, contracts_of
from trull.analysis.makeable.payoffs import payoffs_of
from trull.analysis.makeable.solving import Group, Terms, cells_of, groups
from trull.solver.api import DEFAULT_MEMORY
from trull.solver.kernel.engine import Engine
from trull.solver.rules import Contract
from trull.solver.settlement import Score, decimal
from trull.solver.workers import map_ordered

Progress = Callable[[int, int], None]
"""Hears how many cells are done, and of how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a table is to hold.

    Attributes:
        contracts: the contracts; every one of the auction when empty.
        seats: the seats; all when empty.
        terms: what is asked about each.
        leads: whether the opening leads of the only cell are compared.
    """

    contracts: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    terms: Terms = field(default_factory=Terms)
    leads: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What every contract is worth for every seat when all cards are open.

    Attributes:
        deal: the deal.
        wanted: what was asked for.
        contracts: the contracts, lowest first.
        seats: the seats.
        cells: the cells by contract and seat.
        par: where best bidding leads, among these contracts; or why that is not known.
        leads: the opening leads, when asked for.
        ms: milliseconds spent.
        id: the deal's `id`.
        comment: the deal's `comment`.
        extra: the deal's keys beginning with `x_`.
    """

    deal: Deal = field(repr=False)
    wanted: Wanted
    contracts: tuple[str, ...]
    seats: tuple[int, ...]
    cells: Mapping[tuple[str, int], Cell]
    par: Par | NoPar
    leads: Leads | None = None
    ms: float
    id: object = None
    comment: object = None
    extra: Mapping[str, object] = field(default_factory=dict)

    @property
    def nodes(self) -> int:
        """Positions visited."""
        leads = self.leads.answer.nodes if self.leads else 0
        return sum(cell.nodes for cell in self.cells.values()) + leads

    @property
    def exact(self) -> bool:
        """Whether everything is proven; a limit can leave results open."""
        found = [f for c in self.cells.values() for f in (c.value, c.made, c.score) if f]
        return all(result.exact for result in found) and (
            self.leads is None or self.leads.answer.exact
        )

    def rules(self, contract: str) -> Contract:
        """Return the rules of a contract of the table."""
        return self.deal.book.contract(contract)

    def unit(self, contract: str) -> str:
        """Return the unit of a contract's value."""
        rules = self.rules(contract)
        if rules.counts_points:
            return self.deal.book.unit
        return "bool" if rules.goal == "exactly" else "tricks"

    def to_dict(self) -> dict[str, object]:
        """Return the table as a JSON object."""
        names = {"id": self.id, "comment": self.comment}
        data: dict[str, object] = {k: value for k, value in names.items() if value is not None}
        data |= dict(self.extra) | {"deal": self.deal.deal_string}
        data |= {"policy": self.wanted.terms.policy, "open_cards": True}
        data["contracts"] = [
            {
                "contract": contract,
                "sides": self.rules(contract).sides,
                "unit": self.unit(contract),
                "seats": [self.cells[contract, seat].to_dict() for seat in self.seats],
            }
            for contract in self.contracts
        ]
        data["par"] = _par_dict(self.par)
        if self.leads is not None:
            data["leads"] = self.leads.to_dict()
        return data | {"exact": self.exact, "nodes": self.nodes, "ms": round(self.ms, 1)}


def _par_dict(found: Par | NoPar) -> dict[str, object]:
    if isinstance(found, NoPar):
        return {"contract": None, "reason": str(found)}
    return {
        "contract": found.contract,
        "declarer": found.declarer,
        "scores": [decimal(score) for score in found.scores],
        "auction": [{"seat": call.seat, "bid": call.contract} for call in found.calls],
    }


def make_table(
    deal: Deal,
    wanted: Wanted = Wanted(),
    *,
    workers: int = 1,
    memory: float = DEFAULT_MEMORY,
    progress: Progress | None = None,
) -> Table:
    """Return the table of a deal.

    Args:
        deal: the deal.
        wanted: what it is to hold.
        workers: how many cells to work on at the same time.
        memory: size of each worker's transposition table in MB.
        progress: hears of every finished cell.

    Raises `TableError` when there is no such table, `trull.solver.rulebooks.UnknownRule` for an
    unknown contract, and `trull.solver.validation.PositionError` for an option that it cannot have.
    """
    began = time.perf_counter()
    contracts = contracts_of(deal, wanted.contracts)
    seats = wanted.seats or tuple(range(deal.players))
    for seat in seats:
        if not 0 <= seat < deal.players:
            raise TableError(f"seat {seat}, expected 0 to {deal.players - 1}")
    closed = closed_cells(deal, contracts)
    places = [(contract, seat) for contract in contracts for seat in seats]
    cells = {
        place: Cell(contract=place[0], seat=place[1], closed=closed[place])
        for place in places
        if place in closed
    }
    work = groups(deal, [place for place in places if place not in closed], wanted.terms)
    if progress is not None:
        progress(len(cells), len(places))

    def fill(engine: Engine, group: Group) -> list[Cell]:
        return cells_of(engine, deal, group, wanted.terms)

    for found in map_ordered(fill, work, workers, memory):
        cells |= {(cell.contract, cell.seat): cell for cell in found}
        if progress is not None:
            progress(len(cells), len(places))
    return Table(
        deal=deal,
        wanted=wanted,
        contracts=tuple(contracts),
        seats=seats,
        cells=cells,
        par=_par(deal, seats, cells, wanted),
        leads=_leads(cells[places[0]], wanted, memory) if wanted.leads else None,
        ms=1000 * (time.perf_counter() - began),
    )


def _par(
    deal: Deal, seats: tuple[int, ...], cells: Mapping[tuple[str, int], Cell], wanted: Wanted
) -> Par | NoPar:
    try:
        if "score" not in wanted.terms.columns:
            raise NoPar("the scores were not asked for")
        if len(seats) < deal.players:
            raise NoPar("not every seat was asked for")
        if deal.without_trumps == "redealt":
            raise NoPar("a hand has no trump, so the deal is redealt")
        least, most = payoffs_of(cells.values())
        if deal.without_trumps is not None:
            return _without_bidding(deal.without_trumps, least, most)
        return par(bids_of(deal), deal.book.auction, least, deal.players, most)
    except NoPar as reason:
        return reason


def _without_bidding(contract: str, least: Payoffs, most: Payoffs) -> Par:
    place = contract, 0
    if place not in least:
        raise NoPar(f"a hand has no trump, so {contract} is played, which was not asked for")
    if least[place] != most[place]:
        raise NoPar(f"{contract} is par, but its scores are not proven")
    return Par(contract, None, cast("tuple[Score, ...]", least[place]), ())


def _leads(cell: Cell, wanted: Wanted, memory: float) -> Leads:
    """Compare the leads of a cell on a thread of its own, which an interrupt can stop."""
    found = cell.value or cell.made or cell.score
    if found is None:
        raise TableError(f"{cell.contract}: seat {cell.seat} may not play it: {cell.closed}")

    def compare(engine: Engine, found: Found) -> Leads:
        return leads_of(engine, found, wanted.terms.nodes)

    (leads,) = map_ordered(compare, [found], 1, memory)
    return leads
