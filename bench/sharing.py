"""What a table kept warm across related positions saves, in nodes.

    python bench/sharing.py               # some minutes
    python bench/sharing.py --deals 3

Related positions, each kind solved with one table (`Engine.sharing`) and with an empty one for
every position:

- the positions of an exchange search (`best`), a Dreier for `made` and for `points`;
- one deal with each of the four leaders, `points`;
- one deal after each card that can be led, `points`;
- the table of a deal: `made` in Rufer, Solorufer, Dreier and Solodreier by every seat. Here the
  positions of one exchange search share their results on both sides of the comparison.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table
from run import SETS, load

from trull.analysis.deals import Sampler
from trull.analysis.exchange import Exchanger, Setting
from trull.analysis.makeable.solving import Terms, cells_of, groups
from trull.solver import Position
from trull.solver.kernel.engine import Engine
from trull.solver.question import Objective, declarer_question
from trull.solver.referee import Referee
from trull.solver.windows import Search

SEED = 7
CONTRACTS = ("rufer", "solorufer", "dreier", "solodreier")


class ColdEngine(Engine):
    """An engine that begins every position with an empty table."""

    def sharing(self) -> AbstractContextManager[None]:
        """Share nothing."""
        return nullcontext()

    def deal(self, hands: Iterable[int]) -> None:
        """Put other cards into the hands, and forget what was found with the old ones."""
        super().deal(tuple(hands))
        self._next_generation()


class JoiningEngine(Engine):
    """An engine whose `sharing` goes on with what an outer one holds."""

    def sharing(self) -> AbstractContextManager[None]:
        """Share, with the outer `sharing` if there is one."""
        return super().sharing() if self._shared is None else nullcontext()


Solve = Callable[[Engine], int]


def exchange_search(number: int, objective: Objective) -> Solve:
    """Return the search for the best exchange of a random Dreier, which returns its nodes."""
    setting = Setting(deal=Sampler("koenigrufen", seed=SEED).deal(number), contract="dreier")

    def solve(engine: Engine) -> int:
        return (
            Exchanger(contract="dreier", policy="best", objective=objective)
            .choose(engine, setting)
            .nodes
        )

    return solve


def positions_of(related: Iterable[Position]) -> Solve:
    """Return the search for the points of related positions, which returns its nodes."""

    def solve(engine: Engine) -> int:
        engine.begin()
        with engine.sharing():
            for position in related:
                question = declarer_question(position, "points")
                question.load(engine, position)
                Search(engine, Referee(position), question).run("none", pv=False)
        return engine.nodes

    return solve


def table_of(number: int) -> Solve:
    """Return the search for what every seat can make of a random deal, which returns its nodes."""
    deal = Sampler("koenigrufen", seed=SEED).deal(number)
    terms = Terms(columns=frozenset({"made"}))
    work = groups(deal, [(name, seat) for name in CONTRACTS for seat in range(4)], terms)

    def solve(engine: Engine) -> int:
        with engine.sharing():
            cells = [cell for group in work for cell in cells_of(engine, deal, group, terms)]
        return sum(cell.nodes for cell in cells)

    return solve


def leaders(position: Position) -> list[Position]:
    """Return a deal with every seat as its leader."""
    return [replace(position, leader=seat) for seat in range(position.seats)]


def after_each_card(position: Position) -> list[Position]:
    """Return the positions after each card that can be led."""
    referee = Referee(position)
    held = position.hands[position.leader]
    return [
        replace(position, trick=(card,), hands=_with(position, held & ~(1 << card)))
        for card in referee.legal(referee.start)
    ]


def _with(position: Position, hand: int) -> tuple[int, ...]:
    hands = list(position.hands)
    hands[position.leader] = hand
    return tuple(hands)


def row(name: str, searches: list[Solve], cold: Engine, warm: Engine) -> tuple[str, ...]:
    """Return the cells of one comparison."""
    console = Console(stderr=True)
    pairs = [(solve(cold), solve(warm)) for solve in track(searches, name, console=console)]
    before, after = (sum(nodes) / len(pairs) / 1000 for nodes in zip(*pairs, strict=True))
    return name, str(len(pairs)), f"{before:,.0f}", f"{after:,.0f}", f"{before / after:.2f}"


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=10, metavar="N", help="deals of each kind")
    deals = parser.parse_args().deals
    read = load(SETS, "rufer12")[:deals]
    kinds: dict[str, list[Solve]] = {
        "exchange, dreier made": [exchange_search(n, "made") for n in range(deals)],
        "exchange, dreier points": [exchange_search(n, "points") for n in range(deals)],
        "four leaders, rufer points": [positions_of(leaders(item)) for item in read],
        "all leads, rufer points": [positions_of(after_each_card(item)) for item in read],
    }
    table = Table("related", "deals", "cold knodes", "warm knodes", "ratio", box=box.MARKDOWN)
    for name, searches in kinds.items():
        table.add_row(*row(name, searches, ColdEngine(), Engine()))
    tables = [table_of(n) for n in range(deals)]
    table.add_row(*row("contracts, made", tables, Engine(), JoiningEngine()))
    Console(width=100, highlight=False).print(table)


if __name__ == "__main__":
    main()
