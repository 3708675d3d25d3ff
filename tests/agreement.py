"""The solver against plain minimax over the referee, on random endings of every contract.

    python tests/agreement.py --endings 20000 --workers 2

runs the full check: it prints for every contract how many endings were compared and how often
each special rule came to bear in them, then every disagreement with the position that shows it.
The exit status is 1 after a disagreement, or when a special rule came to bear too rarely.
`test_agreement.py` runs a bounded sample of the same endings.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Literal, NamedTuple

from crew import hire, shares
from endings import Bias, random_ending, with_talon
from oracle import Visit, can_make, can_reach, card_values, fewest
from special_rules import Moment, rules_of, settings
from trull.solver import Answer, Position, rulebooks, solve
from trull.solver.cards import NAMES, TRULL
from trull.solver.interchange import position_to_dict
from trull.solver.question import Value
from trull.solver.referee import TAKE, Objective, Referee, State
from trull.solver.rules import BIRDS, Contract, Variant

Sizes = dict[int, int]

FULL: Sizes = {2: 10, 3: 52, 4: 37, 5: 1}
"""How many endings in a hundred have how many tricks left, in the full run.

Whether a contract is made is asked one trick earlier, as it takes less to prove.
"""

SAMPLE: Sizes = {2: 64, 3: 34, 4: 2}
"""The same in the bounded sample."""

BITES = 50
"""In how many states each special rule of a contract must bite, more than that."""

ENOUGH = 300
"""From how many endings of a contract on its special rules must have bitten so often."""

_MOST_BITES = 10  # states counted of one ending, so that no rule rests on a few endings

OBJECTIVES: tuple[Objective, ...] = ("points", "tricks", "made")

_PLAIN_MINIMAX = 3  # the longest ending that plain minimax searches, in tricks
_PLAIN_MINIMAX_OF_TWO = 6
_TABLES = (0.001, 0.01, 0.1, 4)  # megabytes; the smallest holds some 60 entries


class Task(NamedTuple):
    """One ending to compare: everything follows from these."""

    variant: str
    contract: str
    number: int
    seed: int
    sizes: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One ending, and how it is to be solved."""

    position: Position
    objective: Objective | None
    memory: float

    @property
    def left(self) -> int:
        """The tricks left, the one on the table included."""
        return max(self.position.cards_left)

    @property
    def by_minimax(self) -> bool:
        """Whether it is short enough for plain minimax."""
        two = self.position.rules.sides == "two"
        return self.left <= (_PLAIN_MINIMAX_OF_TWO if two else _PLAIN_MINIMAX)


@dataclass(slots=True)
class Tally:
    """What came of the endings of one contract.

    Attributes:
        endings: how many were compared.
        sizes: how many had how many tricks left.
        traits: how many were in mid-trick, had a past, could see the emperor trick.
        bites: in how many states each special rule bit, ten of an ending at most.
        faults: every disagreement.
    """

    endings: int = 0
    sizes: Counter[int] = field(default_factory=Counter)
    traits: Counter[str] = field(default_factory=Counter)
    bites: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        self.endings += other.endings
        self.sizes += other.sizes
        self.traits += other.traits
        self.bites += other.bites
        self.faults += other.faults


def contracts(names: Collection[str] = ()) -> list[tuple[Variant, Contract]]:
    """Return every contract, or those called by the names."""
    every = rulebooks.every_contract()
    return [(book, record) for book, record in every if not names or record.name in names]


# --- Endings ---


def make_case(task: Task) -> Case:
    """Return the ending of a task."""
    rng = random.Random(f"{task.seed} {task.variant} {task.contract} {task.number}")
    book = rulebooks.variant(task.variant)
    contract = book.contract(task.contract)
    turn, which = divmod(task.number, len(contract.values))
    biases = _biases(book, contract)
    bias = biases[turn % len(biases)]
    objective = None if contract.sides == "everyone" else rng.choice(OBJECTIVES)
    tricks = _tricks(rng, task, contract, bias, objective)
    position = random_ending(
        rng,
        book.name,
        contract.name,
        sorted(contract.values)[which],
        tricks,
        bias=rng.choice(_under_talon(contract)) if bias == "talon" else bias,
        past=_past(rng, bias),
        mid_trick=rng.random() < 2 / 5,
        options=_options(rng, book, bias),
    )
    if bias == "talon":
        position = with_talon(rng, position)
    return Case(position, objective, rng.choice(_TABLES))


def _biases(book: Variant, contract: Contract) -> list[Bias | Literal["talon"]]:
    """Return what the endings of a contract are full of, in turn; `talon` means talon to come."""
    possible = settings(book, contract)
    biases: list[Bias | Literal["talon"]] = ["plain", "trumps", "honours"]
    if contract.sides != "two" and any(rules.emperor != "off" for rules in possible):
        biases += ["emperor", "voids"]
    if any(rules.emperor == "trump_led" for rules in possible):
        biases += ["voids", "voids"]
    if any(rules.pagat for rules in possible):
        biases += ["pagat"]
    if contract.overtaking == "all":
        biases += ["plain"]
    if any(rules.fool != "trump" for rules in possible):
        biases += ["fool", "fool"]
    if contract.talon.startswith("called"):
        biases += ["called_in_talon"]
    if contract.talon == "tricks":
        biases += ["talon", "talon"] if contract.fool == "trump" else ["talon"] * 6
    return biases


def _under_talon(contract: Contract) -> tuple[Bias, ...]:
    """Return what the hands are full of while talon cards are to come."""
    if contract.fool == "trump":
        return ("plain", "trumps")
    return ("plain", "trumps", "fool", "fool", "fool", "fool")


def _tricks(
    rng: random.Random, task: Task, contract: Contract, bias: str, objective: Objective | None
) -> int:
    """Return how many tricks are left, enough for what the ending is to show."""
    ((tricks, _),) = rng.choices(task.sizes, [share for _, share in task.sizes])
    tricks += objective == "made"
    if bias == "talon":
        tricks = max(tricks, 3)
    if contract.goal_needs_bird and contract.bird is not None and rng.random() < 1 / 2:
        tricks = max(tricks, BIRDS[contract.bird] + 1)
    return min(tricks + 1, _PLAIN_MINIMAX_OF_TWO) if contract.sides == "two" else tricks


def _options(rng: random.Random, book: Variant, bias: str) -> dict[str, object]:
    """Return options set at random, the emperor trick always where it is wanted."""
    switches = [name for name, default in book.options.items() if isinstance(default, bool)]
    options: dict[str, object] = {name: True for name in switches if rng.random() < 1 / 2}
    if bias in ("emperor", "voids") and "emperor" in switches:
        options["emperor"] = True
    return options


def _past(rng: random.Random, bias: str) -> bool | None:
    """Return whether an ending has a past; `None` leaves it to the generator."""
    if bias == "talon":
        return False
    return rng.random() < 3 / 4 if bias in ("plain", "trumps", "honours", "emperor") else None


# --- Comparing ---


def compare(case: Case) -> Tally:
    """Compare one ending's answers with the truth."""
    position = case.position
    referee = Referee(position)
    tally = Tally(endings=1)
    tally.sizes[case.left] += 1
    tally.traits.update(_traits(position, referee))
    answer = solve(position, case.objective, memory=case.memory)
    against = _against_minimax if case.by_minimax else _against_proof
    wrong = against(case, referee, answer, _watch(referee, position, tally))
    for fault in (*wrong, *_answer_faults(referee, answer), *_narrower_faults(case, answer)):
        tally.faults.append(f"{fault} ({case.objective}, {case.memory} MB) {_shown(position)}")
    return tally


def _traits(position: Position, referee: Referee) -> Iterator[str]:
    if position.trick:
        yield "mid-trick"
    if any(position.taken):
        yield "past"
    hands = referee.before_trick.hands
    if position.rules.emperor != "off" and [(h & TRULL).bit_count() for h in hands].count(1) == 3:
        yield "emperor"


def _watch(referee: Referee, position: Position, tally: Tally) -> Callable[[State], None]:
    """Return what counts in the tally the special rules that bite in a state."""
    pending = list(rules_of(position.book, position.rules))
    bites: Counter[str] = Counter()

    def watch(state: State) -> None:
        moment = Moment(referee, state)
        for rule in [rule for rule in pending if rule.bites(moment)]:
            tally.bites[rule.name] += 1
            bites[rule.name] += 1
            if bites[rule.name] == _MOST_BITES:
                pending.remove(rule)

    return watch


def _against_minimax(case: Case, referee: Referee, answer: Answer, watch: Visit) -> Iterator[str]:
    """Yield what differs from plain minimax."""
    start = referee.start
    if case.objective is None:
        truth = [fewest(referee, start, seat, watch) for seat in range(referee.seats)]
        if list(answer.seats) != [(total, total) for total, _ in truth]:
            yield f"seats {answer.seats}, truly {[total for total, _ in truth]}"
        values = truth[case.position.player][1]
    else:
        values = card_values(referee, start, case.objective, watch)
    if dict(answer.cards) != values:
        yield f"cards {_named(answer.cards)}, truly {_named(values)}"


def _against_proof(case: Case, referee: Referee, answer: Answer, watch: Visit) -> Iterator[str]:
    """Yield the values that a slow proof refutes."""
    start = referee.start
    asked = case.position.player if case.objective is None else None
    is_right = _proof(case, asked, watch)
    proven = [("the position", start, answer.value)]
    proven += [(NAMES[c], referee.play(start, c), value) for c, value in answer.cards.items()]
    for what, state, value in proven:
        if not is_right(state, int(value)):
            yield f"value {value} of {what} is refuted"
    for seat, (value, _) in enumerate(answer.seats):
        if seat != asked and not _proof(case, seat)(start, int(value)):
            yield f"value {value} of seat {seat} is refuted"


def _proof(
    case: Case, seat: int | None, watch: Visit | None = None
) -> Callable[[State, int], bool]:
    """Return the test whether a state has a value, for a seat in games of everyone."""
    if case.objective == "made":
        make = can_make(case.position, watch)
        return lambda state, value: make(state) == value
    reach = can_reach(case.position, case.objective or "points", seat, watch)
    return lambda state, value: reach(state, value) and not reach(state, value + 1)


def _answer_faults(referee: Referee, answer: Answer) -> Iterator[str]:
    """Yield what is inconsistent in an answer: exactness, value, line of best play."""
    if not answer.exact:
        yield f"not exact: {answer.lower} to {answer.upper}"
        return
    best = max if _maximises(answer) else min
    if answer.value != best(answer.cards.values()):
        yield f"value {answer.value} of {_named(answer.cards)}"
    state = referee.start
    for card, taken in zip(answer.pv, answer.taken_up or cycle([0]), strict=False):
        if card + TAKE * taken not in referee.moves(state):
            yield f"{NAMES[card]} of the line is illegal"
            return
        state = referee.play(state, card + TAKE * taken)
    if not referee.over(state):
        yield "the line ends early"
    elif _final(referee, state, answer) != answer.value:
        yield f"the line leads to {_final(referee, state, answer)}, not {answer.value}"


def _final(referee: Referee, state: State, answer: Answer) -> Value:
    if referee.rules.sides == "everyone":
        return referee.points(state, answer.position.player)
    assert answer.objective != "score"
    return referee.value(state, answer.objective)


def _maximises(answer: Answer) -> bool:
    """Return whether the seat to play wants the value large."""
    position = answer.position
    if position.rules.sides == "everyone":
        return False
    few = position.rules.goal in ("at_most", "exactly") and answer.objective != "made"
    return (position.player in position.side) != few


def _narrower_faults(case: Case, answer: Answer) -> Iterator[str]:
    """Yield where less that is asked for is answered differently."""
    best = solve(case.position, case.objective, cards="best", pv=False, memory=case.memory)
    expected = {card: value for card, value in answer.cards.items() if value == answer.value}
    if best.value != answer.value or dict(best.cards) != expected:
        yield f"best cards {_named(best.cards)}, expected {_named(expected)}"
    bare = solve(case.position, case.objective, cards="none", pv=False, memory=case.memory)
    if (bare.lower, bare.upper, bare.seats) != (answer.lower, answer.upper, answer.seats):
        yield f"{bare.lower} to {bare.upper} {bare.seats} without cards, not {answer.value}"


def _named(values: Mapping[int, Value]) -> str:
    return " ".join(f"{NAMES[card]} {int(value)}" for card, value in values.items())


def _shown(position: Position) -> str:
    return json.dumps(position_to_dict(position), ensure_ascii=False)


# --- Running ---


def tasks(book: Variant, contract: Contract, endings: int, seed: int, sizes: Sizes) -> list[Task]:
    """Return the endings of a contract to compare."""
    mix = tuple(sizes.items())
    return [Task(book.name, contract.name, number, seed, mix) for number in range(endings)]


def compare_all(some: Sequence[Task]) -> Tally:
    """Compare the endings of some tasks of one contract."""
    tally = Tally()
    for task in some:
        try:
            tally.add(compare(make_case(task)))
        except Exception as error:
            error.add_note(f"in {task}")
            raise
    return tally


def run(
    chosen: Sequence[tuple[Variant, Contract]],
    endings: int,
    workers: int,
    seed: int,
    report: Callable[[str, Tally], None],
) -> dict[str, Tally]:
    """Compare endings in several processes and return the tally of every contract."""
    each = math.ceil(endings / len(chosen))
    tallies = {}
    compare_all(tasks(*chosen[0], 1, seed, SAMPLE))  # compiled and cached before the others start
    with hire(workers) as pool:
        parts = {
            f"{book.name} {record.name}": [
                pool.submit(compare_all, part)
                for part in shares(tasks(book, record, each, seed, FULL), 4 * workers)
            ]
            for book, record in chosen
        }
        for title, futures in parts.items():
            tallies[title] = Tally()
            for future in futures:
                tallies[title].add(future.result())
            report(title, tallies[title])
    return tallies


def main() -> int:
    """Run the check from the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--endings", type=int, default=20000, help="in all, default 20000")
    parser.add_argument("--workers", type=int, default=1, help="processes, default 1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--contract", metavar="NAME", nargs="+", default=(), help="only contracts so called"
    )
    options = parser.parse_args()
    unknown = {*options.contract} - {record.name for _, record in contracts()}
    if unknown:
        parser.error(f"unknown contract {min(unknown)!r}")
    began, chosen = time.perf_counter(), contracts(options.contract)
    tallies = run(chosen, options.endings, options.workers, options.seed, _print_row)
    total = Tally()
    for tally in tallies.values():
        total.add(tally)
    print(
        f"{total.endings} endings of {len(tallies)} contracts, seed {options.seed}: "
        f"{len(total.faults)} disagreements; tricks left {dict(sorted(total.sizes.items()))}; "
        f"{', '.join(f'{number} {trait}' for trait, number in total.traits.items())}; "
        f"{time.perf_counter() - began:.0f} s"
    )
    rare = list(_rare(tallies))
    for line in (*total.faults, *rare):
        print(line)
    return 1 if total.faults or rare else 0


def _print_row(title: str, tally: Tally) -> None:
    bites = ", ".join(f"{rule} {number}" for rule, number in sorted(tally.bites.items()))
    print(
        f"{title}: {tally.endings} endings, {len(tally.faults)} disagreements; {bites or 'plain'}",
        flush=True,
    )


def _rare(tallies: dict[str, Tally]) -> Iterator[str]:
    for book, record in contracts():
        tally = tallies.get(f"{book.name} {record.name}", Tally())
        for rule in rules_of(book, record):
            if tally.bites[rule.name] <= BITES and tally.endings >= ENOUGH:
                yield f"{book.name} {record.name}: {rule.name} bit {tally.bites[rule.name]} times"


if __name__ == "__main__":
    sys.exit(main())
