"""The objective `score` against the plain truth of `score_oracle`, on endings of every contract.

    python tests/score_agreement.py --endings 200 --workers 2

runs the full check, so many endings of every contract with a declaring side: it prints for every
contract how many endings were compared, how many had a bonus announced and a stake doubled, and in
how many of the short ones each fact of the settlement changed the score, then every disagreement
with the position that shows it. The exit status is 1 after a disagreement, or when something came
up too rarely: a fact that changes the score, an announcement or a doubling. `test_score.py` runs
a bounded sample of the same endings.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import cycle
from operator import or_
from typing import Any, NamedTuple

from crew import hire, shares
from score_endings import score_ending
from score_oracle import Play, Proof, TooLarge, Tree, Worth, best, score_of
from trull.solver import Answer, Position, solve
from trull.solver.cards import NAMES, to_mask
from trull.solver.interchange import position_to_dict
from trull.solver.referee import TAKE, Referee
from trull.solver.rulebooks import every_contract
from trull.solver.rules import BIRDS, Contract, Variant
from trull.solver.settlement import Facts, settle
from trull.solver.settlement.facts import birds_played, called_king_lost, mond_lost
from trull.solver.settlement.game import is_won

CHANGES = 50
"""In how many endings each fact must change the score in the full run, more than that."""

TERMS = 20
"""In how many endings of each contract that allows it something must be announced, and doubled."""

FULL = 1500
"""How many ends the largest tree may have in the full run."""

SAMPLE = 300
"""The same in the bounded sample."""

_LONG = 10  # every so many endings one is too long for a tree
_LONG_TRICKS = (5, 5, 6)
_MOST_NODES = 100_000
_TABLES = (0.001, 0.01, 0.1, 4)  # megabytes; the smallest holds some 60 entries
_TRICKS = (2, 3, 3, 4)
_ATTEMPTS = 6

_SIDES = {1: "won", -1: "lost", 0: "neither"}
_OUTCOMES = {
    **dict.fromkeys(BIRDS, ("won", "lost", "missed")),
    **dict.fromkeys(("king_ultimo", "trull", "kings", "valat"), tuple(_SIDES.values())),
    **dict.fromkeys(("mond", "called_king"), ("lost", "saved")),
    "verdict": ("won", "lost"),
}
"""The facts that a score can turn on, and what can become of each."""

_AIMED_MORE = {
    **{("quapil", outcome): 6 for outcome in _OUTCOMES["quapil"]},
    **dict.fromkeys((("kakadu", "won"), ("kakadu", "missed"), ("called_king", "lost")), 2),
}
"""How many times as often as others an outcome that turns up rarely is aimed at."""


class Task(NamedTuple):
    """One ending to compare: everything follows from these."""

    variant: str
    contract: str
    number: int
    seed: int
    most_ends: int


@dataclass(slots=True)
class Tally:
    """What came of the endings of one contract.

    Attributes:
        endings: how many were compared.
        sizes: how many had how many tricks left.
        traits: how many were in mid-trick, had a past, had terms of some kind; in how many a fact
            changed the score that was announced, or doubled.
        changes: in how many each fact changed the score.
        faults: every disagreement.
    """

    endings: int = 0
    sizes: Counter[int] = field(default_factory=Counter)
    traits: Counter[str] = field(default_factory=Counter)
    changes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        self.endings += other.endings
        self.sizes += other.sizes
        self.traits += other.traits
        self.changes += other.changes
        self.faults += other.faults


def contracts(names: Collection[str] = ()) -> list[tuple[Variant, Contract]]:
    """Return every contract with a declaring side, or those called by the names."""
    return [
        (book, record)
        for book, record in every_contract()
        if record.sides != "everyone" and (not names or record.name in names)
    ]


# --- What changed the score ---


def changes(position: Position, tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield every fact that play decides and that changes the score, and its outcome."""
    for name in _OUTCOMES:
        outcome = _change(position, tree, name)
        if outcome is not None:
            yield name, outcome


def _change(position: Position, tree: Tree, name: str) -> str | None:
    """Return the outcome of a fact that play decides and that changes the score, else `None`.

    Without it best play would be worth something else. Of a verdict it is enough that both are
    possible.
    """
    if len(_outcomes(position, name, tree)) < 2 or (
        name != "verdict" and best(tree.root, _without(tree, name)) == tree.score()
    ):
        return None
    return _outcome(position, name, tree.best_end().facts)


def _outcomes(position: Position, name: str, tree: Tree) -> set[str]:
    return {_outcome(position, name, end.facts) for end in tree.ends}


def _outcome(position: Position, name: str, facts: Facts) -> str:
    if name in BIRDS:
        bird = facts.birds.get(name)
        return "missed" if bird is None else "won" if bird.won else "lost"
    if name == "mond":
        return "lost" if facts.mond_lost == (position.declarer or 0) else "saved"
    if name == "called_king":
        return "lost" if facts.called_king_lost else "saved"
    if name == "verdict":
        return "won" if is_won(position, facts) else "lost"
    return _SIDES[getattr(facts, name)]


def _without(tree: Tree, name: str) -> Worth:
    """Return what an end is worth when a fact does not count."""
    if name == "valat":
        return lambda end: tree.scoring.declarer(replace(end.facts, valat=0))
    return lambda end: score_of(end) - end.parts.get(name, 0)


# --- Endings ---


def make_ending(task: Task, rng: random.Random) -> tuple[Position, Tree]:
    """Return a short ending with its tree.

    Some attempts go to an ending in which a fact with an outcome, both chosen beforehand, changes
    the score. A bird that is to do so has not been played before.
    """
    (fact, outcome), attempts = _aim(task, rng), 0
    while True:
        tricks = max(rng.choice(_TRICKS), BIRDS.get(fact, 0) + 1)
        position = _ending(task, rng, tricks, fact, outcome)
        if fact in BIRDS and not _in_play(position) >> BIRDS[fact] & 1:
            continue
        with suppress(TooLarge):
            tree = Tree(position, task.most_ends)
            attempts += 1
            if attempts == _ATTEMPTS or _change(position, tree, fact) == outcome:
                return position, tree


def _in_play(position: Position) -> int:
    """Return the cards in hands, straw men and the current trick, as a mask."""
    straw = (card for stacks in position.straw for stack in stacks for card in stack)
    return reduce(or_, position.hands) | to_mask((*position.trick, *straw))


def make_long_ending(task: Task, rng: random.Random) -> Position:
    """Return an ending that is too long for a tree."""
    return _ending(task, rng, rng.choice(_LONG_TRICKS), *_aim(task, rng))


def _aim(task: Task, rng: random.Random) -> tuple[str, str]:
    """Return a fact that the settlement of a contract depends on, and an outcome of it."""
    _, contract = _contract(task)
    aims = [(fact, outcome) for fact in _facts(contract) for outcome in _OUTCOMES[fact]]
    return rng.choices(aims, [_AIMED_MORE.get(aim, 1) for aim in aims])[0]


def _ending(task: Task, rng: random.Random, tricks: int, fact: str, outcome: str) -> Position:
    book, contract = _contract(task)
    players = sorted(contract.values)[task.number % len(contract.values)]
    tricks += contract.sides == "two"
    return score_ending(rng, book, contract, players, tricks, fact, outcome)


def _contract(task: Task) -> tuple[Variant, Contract]:
    return next(pair for pair in contracts([task.contract]) if pair[0].name == task.variant)


def _facts(contract: Contract) -> list[str]:
    """Return the facts that the settlement of a contract depends on."""
    penalties = {"mond": contract.mond, "called_king": contract.called_king_penalty}
    found = {name for name, penalty in penalties.items() if penalty}
    found |= {*contract.bonus_values, "verdict"} | (
        {"valat"} if contract.valat == "double" else set()
    )
    return [name for name in _OUTCOMES if name in found]


# --- Comparing ---


def compare(task: Task) -> Tally:
    """Compare one ending's answers with the truth."""
    rng = random.Random(f"{task.seed} {task.variant} {task.contract} {task.number}")
    tally, tree = Tally(endings=1), None
    if task.number % _LONG == _LONG - 1:
        position = make_long_ending(task, rng)
    else:
        position, tree = make_ending(task, rng)
        changed = dict(changes(position, tree))
        tally.changes.update(map(" ".join, changed.items()))
        tally.traits.update(_deciding_terms(position, changed))
    memory = rng.choice(_TABLES)
    answer = solve(position, "score", memory=memory)
    faults = (
        *(_refuted(answer, tally) if tree is None else _against(tree, answer)),
        *_line_faults(answer),
        *_narrower_faults(answer, rng, memory),
    )
    for fault in faults:
        shown = json.dumps(position_to_dict(position), ensure_ascii=False)
        tally.faults.append(f"{fault} ({memory} MB) {shown}")
    tally.sizes[max(position.cards_left)] += 1
    tally.traits.update(_traits(position))
    return tally


def _traits(position: Position) -> Iterator[str]:
    if position.trick:
        yield "mid-trick"
    if any(position.taken):
        yield "past"
    if position.history:
        yield "history"
    if position.announced:
        yield "announced"
    if any(seat not in position.side for seat, _ in position.announced):
        yield "announced against"
    if _doubled_stakes(position):
        yield "doubled"
    if any(isinstance(position.doubled[name], tuple) for name in _doubled_stakes(position)):
        yield "doubled by seat"
    yield from (f"past {fact}" for fact in _past(position))
    yield from position.options
    if position.level > 1:
        yield "level"


def _doubled_stakes(position: Position) -> list[str]:
    """Return what is doubled: `game`, or bonuses."""
    opponents = [seat for seat in range(position.seats) if seat not in position.side]
    return [
        name
        for name, factors in position.doubled.items()
        if any((factors[seat] if isinstance(factors, tuple) else factors) > 1 for seat in opponents)
    ]


def _deciding_terms(position: Position, changed: Collection[str]) -> Iterator[str]:
    """Yield whether facts that changed the score were announced, and doubled."""
    if any(bonus in changed for _, bonus in position.announced):
        yield "decided by an announced bonus"
    stakes = {"game" if name == "verdict" else name for name in changed}
    if stakes & {*_doubled_stakes(position)}:
        yield "decided by a doubled stake"


def _past(position: Position) -> Iterator[str]:
    """Yield what the finished tricks on record have settled already."""
    referee, tricks = Referee(position), position.history or ()
    state, left = referee.before_trick, max(position.cards_left)
    if dict(birds_played(referee, tricks, left)):
        yield "bird"
    if mond_lost(referee, state, tricks, left) is not None:
        yield "lost Mond"
    if called_king_lost(referee, state):
        yield "lost called king"


def _against(tree: Tree, answer: Answer) -> Iterator[str]:
    """Yield where the value, or a card's, is not the true one."""
    score, cards = tree.score(), tree.card_scores()
    if not answer.exact or answer.value != score:
        yield f"{answer.lower} to {answer.upper}, truly {score}"
    if dict(answer.cards) != cards:
        yield f"cards {_named(dict(answer.cards))}, truly {_named(cards)}"


def _refuted(answer: Answer, tally: Tally) -> Iterator[str]:
    """Yield every value that the proof refutes, as far as the proof gets."""
    proof, position = Proof(answer.position, _MOST_NODES), answer.position
    play, start = proof.play, proof.play.referee.start
    with suppress(TooLarge):
        if not proof.can_score(start, play.past, answer.lower):
            yield f"{answer.lower} cannot be reached"
        if proof.can_score(start, play.past, answer.upper + 1):
            yield f"more than {answer.upper} can be reached"
        choose = any if position.player in position.side else all
        for card, score in answer.cards.items():
            moves = (move for move in play.moves(start) if move % TAKE == card)
            after = [play.after(start, play.past, move) for move in moves]
            reached = [
                choose(proof.can_score(*state, target) for state in after)
                for target in (score, score + 1)
            ]
            if reached != [True, False]:
                yield f"{NAMES[card]} is not worth {score}"
        tally.traits["proven"] += 1


def _line_faults(answer: Answer) -> Iterator[str]:
    """Yield what is wrong with the line of best play: illegal, or not worth the value."""
    play, declarer = Play(answer.position), answer.position.declarer or 0
    state, tricks = play.referee.start, play.past
    for card, taken in zip(answer.pv, answer.taken_up or cycle([0]), strict=False):
        if play.referee.over(state) or card + TAKE * taken not in play.moves(state):
            yield f"{NAMES[card]} of the line is illegal"
            return
        state, tricks = play.after(state, tricks, card + TAKE * taken)
    if not play.referee.over(state):
        yield "the line ends early"
        return
    end, scores = play.end(state, tricks), settle(play.referee, state, tricks)
    if score_of(end) != answer.lower:
        yield f"the line leads to {score_of(end)}, not {answer.lower}"
    if end.facts.mond_lost in (None, declarer) and scores[declarer] != answer.lower:
        yield f"the line is settled at {scores[declarer]}, not {answer.lower}"


def _narrower_faults(answer: Answer, rng: random.Random, memory: float) -> Iterator[str]:
    """Yield where less that is asked for, or allowed, is answered differently."""
    position, value = answer.position, answer.lower
    some = solve(position, "score", cards="best", pv=False, memory=memory)
    expected = {card: score for card, score in answer.cards.items() if score == value}
    if (some.lower, some.upper, dict(some.cards)) != (value, value, expected):
        yield f"best cards {_named(dict(some.cards))}, expected {_named(expected)}"
    limit = rng.randint(1, max(answer.nodes, 2))
    cut = solve(position, "score", nodes=limit, memory=memory)
    wrong = {card: score for card, score in cut.cards.items() if score != answer.cards[card]}
    if not cut.lower <= value <= cut.upper or wrong:
        yield f"{cut.lower} to {cut.upper}, cards {_named(wrong)} within {limit} nodes"


def _named(values: dict[int, Any]) -> str:
    return " ".join(f"{NAMES[card]} {value}" for card, value in values.items())


# --- Running ---


def tasks(book: Variant, contract: Contract, endings: int, seed: int, most_ends: int) -> list[Task]:
    """Return the endings of a contract to compare."""
    return [Task(book.name, contract.name, number, seed, most_ends) for number in range(endings)]


def compare_all(some: Sequence[Task]) -> Tally:
    """Compare the endings of some tasks of one contract."""
    tally = Tally()
    for task in some:
        try:
            tally.add(compare(task))
        except Exception as error:  # the others are still to be compared
            tally.faults.append(f"{error!r} in {task}")
    return tally


def run(
    chosen: Sequence[tuple[Variant, Contract]],
    endings: int,
    workers: int,
    seed: int,
    report: Callable[[str, Tally], None],
) -> dict[str, Tally]:
    """Compare endings in several processes; return the tally of every contract."""
    tallies = {}
    compare_all(tasks(*chosen[0], 1, seed, SAMPLE))  # compiled and cached before the others start
    with hire(workers) as pool:
        parts = {
            _title(book, record): [
                pool.submit(compare_all, part)
                for part in shares(tasks(book, record, endings, seed, FULL), 2 * workers)
            ]
            for book, record in chosen
        }
        for title, futures in parts.items():
            tallies[title] = Tally()
            for future in futures:
                tallies[title].add(future.result())
            report(title, tallies[title])
    return tallies


def _title(book: Variant, record: Contract) -> str:
    return f"{book.name} {record.name}"


def main() -> int:
    """Run the check from the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--endings", type=int, default=200, help="of each contract, default 200")
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
        f"{', '.join(f'{number} {trait}' for trait, number in sorted(total.traits.items()))}; "
        f"{time.perf_counter() - began:.0f} s"
    )
    print(f"scores changed by {_counts(total.changes)}")
    rare = list(_rare_terms(tallies)) if options.endings >= 200 else []
    if options.endings >= 200 and not options.contract:
        rare += _rare(total.changes)
    for line in rare:
        print(line)
    return 1 if total.faults or rare else 0


def _print_row(title: str, tally: Tally) -> None:
    print(
        f"{title}: {tally.endings} endings, {tally.traits['announced']} announced, "
        f"{tally.traits['doubled']} doubled, {len(tally.faults)} disagreements; "
        f"{_counts(tally.changes)}",
        *tally.faults,
        sep="\n",
        flush=True,
    )


def _counts(changes: Counter[str]) -> str:
    return ", ".join(f"{fact} {number}" for fact, number in sorted(changes.items()))


def _rare(changes: Counter[str]) -> Iterator[str]:
    for name, outcomes in _OUTCOMES.items():
        for outcome in set(outcomes) - {"neither", "saved"}:
            if changes[f"{name} {outcome}"] <= CHANGES:
                yield f"{name} {outcome} changed only {changes[f'{name} {outcome}']} scores"


def _rare_terms(tallies: Mapping[str, Tally]) -> Iterator[str]:
    for book, record in contracts():
        title = _title(book, record)
        allowed = {"announced": bool(record.bonuses), "doubled": record.doubling}
        for trait, may in allowed.items():
            if may and title in tallies and tallies[title].traits[trait] < TERMS:
                yield f"{title}: only {tallies[title].traits[trait]} endings {trait}"


if __name__ == "__main__":
    sys.exit(main())
