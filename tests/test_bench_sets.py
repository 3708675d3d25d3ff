"""Benchmark sets: fresh ones are of the same kinds as those in bench/sets, and reproducible."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from commands import REPOSITORY
from trull.analysis.benching.sets import SETS, make_deal, make_set, plain_discards
from trull.solver import Position
from trull.solver.cards import ALL_CARDS, FACE_VALUES, KINGS, TRULL, TRUMP_MASK, from_mask, to_mask
from trull.solver.interchange import position_to_dict, read_positions

EXCHANGING = [name for name, kind in SETS.items() if kind.exchanges]


def make_sets(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run bench/make_sets.py."""
    script = REPOSITORY / "bench" / "make_sets.py"
    return subprocess.run(
        [sys.executable, script, *map(str, words)], capture_output=True, encoding="utf-8"
    )


def load(path: Path) -> list[Position]:
    """Return the positions of a file, all of which are valid."""
    with path.open() as lines:
        items = list(read_positions(lines))
    positions = [item for item in items if isinstance(item, Position)]
    assert len(positions) == len(items)
    return positions


def recorded(name: str) -> list[Position]:
    """Return a set of the repository."""
    return load(REPOSITORY / "bench" / "sets" / f"{name}.jsonl")


def declarers_hand(position: Position) -> int:
    return position.hands[position.declarer or 0]


def laid_away(position: Position) -> int:
    return position.discards[position.declarer or 0]


def faces(mask: int) -> Sequence[int]:
    return sorted(FACE_VALUES[card] for card in from_mask(mask))


@pytest.mark.parametrize("name", SETS)
def test_deals_are_whole_and_of_their_kind(name: str) -> None:
    kind = SETS[name]
    for number, position in enumerate(make_set(name, seed=5, deals=20)):
        assert position.id == f"{name}-5-{number:03}"
        everything = (*position.hands, *position.discards, to_mask(position.talon))
        assert sum(everything) == ALL_CARDS
        assert sum(mask.bit_count() for mask in everything) == 54
        assert (position.variant, position.contract) == (kind.variant, kind.contract)
        if not kind.exchanges:
            assert kind.bids(declarers_hand(position))
        else:
            assert laid_away(position).bit_count() == len(position.talon) == 3
            assert not laid_away(position) & (KINGS | TRULL)
        if kind.calls:
            assert position.called is not None and position.partner is not None
            assert KINGS >> position.called & 1
            assert position.hands[position.partner] >> position.called & 1


def test_a_deal_depends_on_set_seed_and_number_alone() -> None:
    later = list(make_set("solo16", seed=3, deals=4))[3]
    assert later == make_deal("solo16", 3, 3)
    others = [make_deal("solo16", 4, 3), make_deal("solo16", 3, 4), make_deal("dreier12", 3, 3)]
    assert len({position.hands for position in (later, *others)}) == 4


@pytest.mark.parametrize("name", [name for name in SETS if name not in EXCHANGING])
def test_the_sets_of_the_repository_fulfil_the_bidding_conditions(name: str) -> None:
    assert all(SETS[name].bids(declarers_hand(position)) for position in recorded(name))


@pytest.mark.parametrize("name", ["dreier12", "solo16"])
def test_twelve_points_are_asked_of_a_lone_declarer(name: str) -> None:
    """After the exchange a declarer has no fewer points by the rule of thumb than before."""
    positions = [*recorded(name), *make_set(name, seed=5, deals=40)]
    assert all(SETS[name].bids(declarers_hand(position)) for position in positions)


@pytest.mark.parametrize("name", EXCHANGING)
def test_discards_are_those_of_the_repository(name: str) -> None:
    """Equal cards, and suits that are equally short, are open: few deals differ by them."""
    positions = recorded(name)
    same = [
        faces(plain_discards(declarers_hand(position) | laid_away(position), 3))
        == faces(laid_away(position))
        for position in positions
    ]
    assert sum(same) >= 0.97 * len(positions)


def test_trumps_are_laid_away_last() -> None:
    hand = to_mask(range(12)) | KINGS
    assert plain_discards(hand, 3) == to_mask([1, 2, 3])
    assert plain_discards(TRUMP_MASK, 22).bit_count() == 19


def test_the_script_writes_the_same_bytes_for_the_same_seed(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        done = make_sets("--seed", "7", "--out", tmp_path / folder, "--deals", "3")
        assert (done.returncode, done.stderr) == (0, "")
    written = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    assert written == {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()}
    assert sorted(written) == sorted(f"{name}.jsonl" for name in SETS)
    made = [position_to_dict(position) for position in make_set("rufer12", 7, 3)]
    read = [position_to_dict(position) for position in load(tmp_path / "one" / "rufer12.jsonl")]
    assert read == made


def test_the_script_refuses_what_it_does_not_know(tmp_path: Path) -> None:
    for words, reason in (
        (("--seed", "1", "rufer"), "unknown set 'rufer'"),
        (("--seed", "-1"), "'-1', expected a number that is not negative"),
    ):
        done = make_sets(*words, "--out", tmp_path / "sets")
        assert done.returncode == 2
        assert reason in done.stderr
    assert not (tmp_path / "sets").exists()
