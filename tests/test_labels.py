"""Training labels: what a row says, and that it can be trusted."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from commands import REPOSITORY, trull
from oracle import card_values, fewest
from studies import checksums
from trull.analysis import labels
from trull.analysis.deals import Sampler
from trull.analysis.exchange import exchange
from trull.analysis.labels.schema import NO_VALUE, PLAY_COLUMNS, bid_columns
from trull.analysis.labels.splitting import split_of
from trull.analysis.labels.verifying import verify
from trull.analysis.study import StudyError
from trull.analysis.study.manifest import data_name, receipt_of
from trull.solver import solve
from trull.solver.cards import ALL_CARDS, to_mask
from trull.solver.referee import Referee

PLAY = {
    "contracts": [
        "koenigrufen:rufer",
        "koenigrufen:pagatrufer",
        "koenigrufen:bettler",
        "slovenian:klop",
        "house:colour_valat_three",
    ],
    "deals": 6,
    "seed": 2,
    "tricks": [10, 11, 12],
    "balance": True,
    "memory": 1,
    "shard": 2,
}
"""Cheap labels of every kind of game, the same number of each."""

BID = {
    "kind": "bid",
    "contracts": ["koenigrufen:bettler", "koenigrufen:farbensolo", "koenigrufen:pagatrufer"],
    "conditions": {"hold": {"1": "T22 T21 T20 T19 T18 T17 T16 T15 T14 T13 T1 SK"}},
    "declarer": 0,
    "results": ["made"],
    "deals": 2,
    "seed": 2,
    "samples": 3,
    "memory": 1,
}

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the labels of `PLAY`."""
    folder = tmp_path_factory.mktemp("play")
    labels.run_labels(labels.read_label_spec(PLAY), str(folder))
    return folder


@pytest.fixture(scope="module")
def bid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the labels of `BID`."""
    folder = tmp_path_factory.mktemp("bid")
    labels.run_labels(labels.read_label_spec(BID), str(folder))
    return folder


def rows_of(folder: Path) -> Rows:
    """Return all rows of a folder."""
    rows: Rows = labels.open_labels(str(folder)).table().to_pylist()
    return rows


def tampered(folder: Path, copy: Path, column: str, value: object, *, known: bool) -> Path:
    """Return a copy of a folder with another value in the first row of its first file.

    Args:
        folder: the folder.
        copy: where the copy goes.
        column: the column.
        value: makes the new value out of the old one.
        known: whether the manifest has the checksum of the new file.
    """
    for path in folder.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    file = copy / data_name(0)
    table = pq.read_table(file)
    rows = table.to_pylist()
    rows[0][column] = value
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), file)
    if known:
        manifest = json.loads((copy / "manifest.json").read_text())
        receipt = receipt_of(0, len(rows), file.read_bytes())
        manifest["shards"][0] |= receipt._asdict()
        (copy / "manifest.json").write_text(json.dumps(manifest))
    return copy


# --- Play rows ---


def test_the_files_have_the_documented_schema(play: Path, bid: Path) -> None:
    text = (REPOSITORY / "docs" / "labels.md").read_text(encoding="utf-8")
    for folder, columns in ((play, PLAY_COLUMNS), (bid, bid_columns(3))):
        spec = labels.open_labels(str(folder)).spec
        for path in folder.glob("shard-*.parquet"):
            schema = pq.read_schema(path)
            assert [(f.name, f.type) for f in schema] == [(c.name, c.type) for c in columns]
            assert not any(field.nullable for field in schema)
            assert json.loads(schema.metadata[b"trull.contracts"]) == [g.name for g in spec.games]
            assert schema.metadata[b"trull.seed"] == str(spec.seed).encode()
            assert schema.metadata[b"trull.schema"] == b"1"
            assert len(schema.metadata[b"trull.rules"]) == 64
        for column in columns:
            name = column.name
            name = f"{name[:-1]}0" if name[-1] in "123" else name
            assert f"`{name}`" in text


def test_positions_are_whole_and_in_play(play: Path) -> None:
    places = set()
    for row in rows_of(play):
        found = labels.position(row)
        cards = [*found.hands, *found.taken, *found.discards, to_mask((*found.talon, *found.trick))]
        assert sum(cards) == ALL_CARDS and len(found.history or ()) == row["trick"] - 1
        assert found.player == row["player"]
        places.add((row["trick"], len(found.trick)))
    assert {trick for trick, _ in places} == {10, 11, 12}
    assert {place for _, place in places} == {0, 1, 2, 3}


def test_values_are_those_of_plain_minimax(play: Path) -> None:
    for row in rows_of(play):
        referee = Referee(labels.position(row))
        if row["contract"] == "klop":
            _, expected = fewest(referee, referee.start, row["player"])
        else:
            expected = card_values(referee, referee.start, row["objective"])
        found = {card: v for card, v in enumerate(row["card_values"]) if v != NO_VALUE}
        assert found == expected, row
        assert row["legal"] == to_mask(expected)


def test_regrets_are_zero_for_the_best_alone(play: Path) -> None:
    for row in rows_of(play):
        values = {card: v for card, v in enumerate(row["card_values"]) if v != NO_VALUE}
        best = (max if row["maximises"] else min)(values.values())
        assert row["value"] == best
        for card, regret in enumerate(row["regrets"]):
            if card not in values:
                assert regret == NO_VALUE
                continue
            assert regret == (best - values[card]) * (1 if row["maximises"] else -1) >= 0
            assert (regret == 0) == bool(row["best"] >> card & 1)


def test_who_wants_the_value_large(play: Path) -> None:
    few = {"bettler": True, "klop": None}
    seen = Counter[tuple[bool | None, bool]]()
    for row in rows_of(play):
        declaring = row["player"] in (row["declarer"], row["partner"])
        game = few.get(row["contract"], False)
        expected = False if game is None else declaring != game
        assert row["maximises"] == expected
        seen[game, declaring] += 1
    assert len(seen) == 6


def test_the_solver_agrees_in_the_middle_of_a_game(tmp_path: Path) -> None:
    for player in ("random", "greedy", "noise"):
        spec = {
            "contracts": ["koenigrufen:bettler_ouvert"],
            "conditions": ["trumps <= 2"],
            "deals": 1,
            "tricks": [7, 9],
            "positions": 2,
            "player": player,
        }
        found = labels.run_labels(labels.read_label_spec(spec), str(tmp_path / player))
        rows = found.table().to_pylist()
        assert [row["trick"] for row in rows] == [7, 9]
        for row in rows:
            answer = solve(labels.position(row), pv=False)
            assert row["value"] == answer.value
            assert answer.cards == {c: v for c, v in enumerate(row["card_values"]) if v != NO_VALUE}


def test_players_play_differently(tmp_path: Path) -> None:
    played = {}
    for player, epsilon in (("random", 0.5), ("greedy", 0.5), ("noise", 0.0), ("noise", 1.0)):
        spec = {
            "contracts": ["koenigrufen:farbensolo"],
            "deals": 1,
            "seed": 5,
            "tricks": [12],
            "player": player,
            "epsilon": epsilon,
            "balance": True,
            "conditions": {"hold": {"0": "SK SQ SN CK CN HK HJ"}},
        }
        folder = str(tmp_path / f"{player}{epsilon}")
        (row,) = labels.run_labels(labels.read_label_spec(spec), folder).table().to_pylist()
        played[player, epsilon] = tuple(row["played"])
        if epsilon == 0.0:
            position = labels.position(row)
            start = exchange(_dealt(spec), "farbensolo").position
            assert sum(position.tricks_won) == 11
            assert row["value"] == solve(start, cards="none", pv=False).value
    assert len(set(played.values())) == 4


def _dealt(spec: Mapping[str, Any]) -> Any:
    read = labels.read_label_spec(spec)
    return Sampler("koenigrufen", 4, read.conditions, read.seed).deal(0)


def test_balance(play: Path) -> None:
    counted = Counter((row["contract"], row["trick"]) for row in rows_of(play))
    assert set(counted.values()) == {2}
    assert len(counted) == 15


def test_without_balance_barred_contracts_have_no_row(tmp_path: Path) -> None:
    spec = PLAY | {"balance": False, "contracts": ["koenigrufen:pagatrufer"], "deals": 10}
    found = labels.run_labels(labels.read_label_spec(spec), str(tmp_path))
    deals = found.table().column("deal").to_pylist()
    sampler = Sampler("koenigrufen", 4, None, 2)
    assert deals == [n for n in range(10) if sampler.deal(n).hands[0] & 1]
    assert 0 < len(deals) < 10


# --- Split, bytes and reading ---


def test_no_deal_is_in_two_parts(play: Path) -> None:
    parts: dict[int, set[str]] = {}
    for row in rows_of(play):
        parts.setdefault(row["deal"], set()).add(row["split"])
    assert all(len(found) == 1 for found in parts.values())
    for seed in (0, 1):
        share = Counter(split_of(seed, deal, (80, 10, 10)) for deal in range(2000))
        assert share["train"] == pytest.approx(1600, abs=90)
        assert share["test"] == pytest.approx(200, abs=70)
    assert {split_of(0, deal, (0, 0, 5)) for deal in range(50)} == {"test"}


@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_same_bytes_after_a_break(play: Path, tmp_path: Path, workers: str) -> None:
    folder = tmp_path / "labels"
    folder.mkdir()
    for path in play.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / data_name(0)).unlink()
    (folder / data_name(2)).write_bytes(b"PAR1")
    file = tmp_path / "play.toml"
    lines = [f"{key} = {json.dumps(value)}" for key, value in PLAY.items()]
    file.write_text("\n".join(lines))
    ended = trull("label", file, "--out", folder, "--workers", workers)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == f"{folder}: 6 deals, 30 rows in 3 shards, complete\n"
    assert checksums(folder) == checksums(play)


def test_load_and_batches(play: Path) -> None:
    everything = labels.load(str(play))
    rows = rows_of(play)
    assert {len(array) for array in everything.values()} == {30}
    assert everything["regrets"].shape == (30, 54) and everything["regrets"].dtype == np.int16
    assert everything["hand0"].dtype == np.uint64 and everything["table"].shape == (30, 4)
    assert everything["maximises"].dtype == np.bool_
    assert everything["card_values"].tolist() == [row["card_values"] for row in rows]
    assert everything["contract"].tolist() == [row["contract"] for row in rows]
    parts = [labels.load(str(play), split, ["deal", "best"]) for split in ("train", "validation")]
    assert sum(len(part["deal"]) for part in parts) + len(
        labels.load(str(play), "test")["deal"]
    ) == len(rows)
    assert {*parts[0]} == {"deal", "best"}
    names = ["deal", "card_values"]
    for seed in (None, 3):
        found = [
            batch
            for part in range(2)
            for batch in labels.batches(str(play), columns=names, size=7, seed=seed, part=(part, 2))
        ]
        assert max(len(batch["deal"]) for batch in found) == 7
        mixed = sorted(v for batch in found for v in batch["card_values"].tolist())
        assert mixed == sorted(everything["card_values"].tolist())
    row = {name: array[0] for name, array in everything.items()}
    assert labels.position(row) == labels.position(rows[0])


# --- Bid rows ---


def test_bids_are_averages_over_deals_with_the_same_hand(bid: Path) -> None:
    for row in rows_of(bid):
        assert row["allowed"][0] and not row["allowed"][2]
        assert row["samples"][0] == 3 and row["samples"][2] == 0
        assert np.isnan(row["value"]).all() and np.isnan(row["score"][0])
        assert np.isnan(row["made"][2]) and row["open_made"][2] == -1
        for mean, error in zip(row["made"][:2], row["made_error"][:2], strict=True):
            times = round(3 * mean) if mean == mean else 0
            expected = {0: 0, 1: 1 / 3, 2: 1 / 3, 3: 0}[times]
            assert error == pytest.approx(expected) or mean != mean


def test_open_values_are_those_of_the_solver(tmp_path: Path) -> None:
    spec = labels.read_label_spec(
        BID
        | {"contracts": ["koenigrufen:bettler"], "deals": 1, "samples": 1}
        | {"results": ["value", "made", "score"]}
    )
    (row,) = labels.run_labels(spec, str(tmp_path)).table().to_pylist()
    deal = Sampler("koenigrufen", 4, spec.conditions, spec.seed).deal(0)
    assert row["hand"] == deal.hands[0]
    position = exchange(deal, "bettler").position
    for name in ("value", "made", "score"):
        objective = "tricks" if name == "value" else name
        answer = solve(position, objective, cards="none", pv=False)
        assert row[f"open_{name}"] == [answer.value]
    assert np.isnan(row["value_error"]).all()


# --- Verification ---


def faults(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return what is wrong with the rows of a folder."""
    checked = verify(labels.open_labels(str(folder)), 99)
    return {one.name: one.faults for one in checked if one.faults}


def test_right_labels_are_verified(play: Path, bid: Path) -> None:
    for folder, rows in ((play, 30), (bid, 2)):
        assert len(list(verify(labels.open_labels(str(folder)), 99))) == rows
        assert not faults(folder)


def test_a_sample_is_drawn_by_its_seed(play: Path) -> None:
    found = labels.open_labels(str(play))
    names = [[one.name for one in verify(found, 5, seed)] for seed in (0, 0, 1)]
    assert names[0] == names[1] != names[2]
    assert len(set(names[0])) == 5


def test_a_longer_row_is_verified_by_other_solves(tmp_path: Path) -> None:
    for objective in ("score", "made"):
        spec = {"contracts": ["koenigrufen:rufer"], "deals": 2, "tricks": [9]}
        folder = tmp_path / objective
        spec |= {"objective": objective}
        labels.run_labels(labels.read_label_spec(spec), str(folder))
        assert not faults(folder)
        (tmp_path / f"{objective}-copy").mkdir()
        copy = tampered(folder, tmp_path / f"{objective}-copy", "value", 77, known=True)
        (fault,) = faults(copy).values()
        assert fault[0].startswith("value: 77, expected ")


@pytest.mark.parametrize("column", ["value", "card_values", "best", "points", "hand0", "split"])
def test_a_tampered_label_is_found(play: Path, tmp_path: Path, column: str) -> None:
    row = rows_of(play)[0]
    legal = (row["legal"] & -row["legal"]).bit_length() - 1
    changed: dict[str, object] = {
        "value": row["value"] + 1,
        "card_values": [v + (card == legal) for card, v in enumerate(row["card_values"])],
        "best": row["best"] ^ 1 << 53,
        "points": [number + 1 for number in row["points"]],
        "hand0": row["hand1"],
        "split": "test" if row["split"] != "test" else "train",
    }
    found = faults(tampered(play, tmp_path, column, changed[column], known=True))
    assert list(found) == [f"deal 0, {row['game']}, trick {row['trick']}"]
    (fault,) = found.values()
    assert fault[0].startswith("no position" if column == "hand0" else f"{column}: ")


def test_a_tampered_bid_is_found(bid: Path, tmp_path: Path) -> None:
    folder = tampered(bid, tmp_path, "made", [0.75, 0.0, float("nan")], known=True)
    (fault,) = faults(folder)["deal 0, seat 0"]
    assert fault.startswith("made: koenigrufen:bettler 0.75, expected ")


def test_a_changed_file_is_found(play: Path, tmp_path: Path) -> None:
    folder = tampered(play, tmp_path, "value", 999, known=False)
    ended = trull("label", "--verify", folder, "--sample", "60")
    assert ended.returncode == 1 and ended.stderr == ""
    assert "shard-00000.parquet: the file is not as it was written" in ended.stdout
    assert ": value: 999, expected " in ended.stdout
    assert ended.stdout.endswith(": 30 rows solved again, 2 faulty\n")


def test_the_command_verifies(play: Path) -> None:
    ended = trull("label", "--verify", play, "--sample", "1")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == f"{play}: 1 row solved again, none faulty\n"


# --- Errors ---


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "game"}, 'kind: "game", expected play, bid'),
        ({"player": "clever"}, 'player: "clever", expected random, greedy, noise'),
        ({"epsilon": 2}, "epsilon: 2, expected a probability from 0 to 1"),
        ({"tricks": [13]}, "tricks: 13, but koenigrufen:rufer has 12 with 4 players"),
        ({"tricks": [0]}, "tricks[0]: 0, expected 1 to 16"),
        ({"positions": 4}, "positions: 4, expected at most 3, one a trick"),
        ({"samples": 4}, 'unknown key "samples"'),
        ({"split": [1, 2]}, "split: 2 numbers, expected shares such as [80, 10, 10]"),
        ({"split": [0, 0, 0]}, "split: no deal belongs anywhere"),
        ({"contracts": ["house:scarecrow"]}, "house:scarecrow: straw men have no column"),
        ({"nodes": 5}, 'unknown key "nodes"'),
    ],
)
def test_a_faulty_specification(change: dict[str, object], message: str) -> None:
    with pytest.raises(StudyError) as refused:
        labels.read_label_spec(PLAY | change)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"contracts": ["koenigrufen:dreier", "texas:zebrak"]},
            "texas:zebrak: variant: 'texas', expected 'koenigrufen' as for koenigrufen:dreier",
        ),
        ({"contracts": []}, "variant: null, expected a variant, or contracts"),
        ({"contracts": ["koenigrufen:piccolo"], "results": []}, "results: expected one or several"),
        (
            {"contracts": ["texas:zebrak_trump"]},
            "texas:zebrak_trump: zebrak_trump is never bid by 4 players",
        ),
    ],
)
def test_a_faulty_specification_of_bids(change: dict[str, object], message: str) -> None:
    with pytest.raises(StudyError) as refused:
        labels.read_label_spec(BID | change)
    assert str(refused.value).startswith(message)


def test_every_bid_of_a_variant_by_default() -> None:
    spec = labels.read_label_spec({"kind": "bid", "variant": "czech", "deals": 1})
    assert [game.contract for game in spec.games] == [
        *("first_duty", "warsaw", "second_duty", "trojka", "solo")
    ]


def test_the_canonical_form_reads_back() -> None:
    for data in (PLAY, BID, PLAY | {"tricks": [], "balance": False, "declarer": "every"}):
        spec = labels.read_label_spec(data)
        assert labels.read_label_spec(json.loads(spec.json)) == spec


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--deals", "3"], "expected a folder where no file names it."),
        (["--deals", "3", "--out", "x"], "contracts: missing"),
        (["--out", "x", "--contract", "koenigrufen:rufer"], "deals: missing, but required"),
        (["--tricks", "5-3", "--out", "x"], "expected the lower number first."),
        (["--tricks", "a", "--out", "x"], "expected tricks such as 7-10,12."),
        (["--verify", "x"], "x: no label set there, expected a folder with a manifest.json"),
        (["--verify", "x", "--deals", "3"], "--verify: only --sample and --seed go with it."),
        (["--verify", "x", "--out", "y"], "--verify: only --sample and --seed go with it."),
        (["--out", "x", "--deals", "3", "--sample", "4"], "--sample: needs --verify."),
    ],
)
def test_refusals_of_the_command(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = trull("label", *words)
    assert refused.returncode == 2
    assert message in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_study_is_no_label_set(play: Path, tmp_path: Path) -> None:
    manifest = json.loads((play / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | {"format": "trull study"}))
    with pytest.raises(StudyError, match="not the manifest of a label set"):
        labels.open_labels(str(tmp_path))


def test_unknown_columns_and_splits(play: Path) -> None:
    with pytest.raises(StudyError, match="columns: no column 'hand', expected deal, split"):
        labels.load(str(play), columns=["hand"])
    with pytest.raises(StudyError, match="split: 'dev', expected train, validation, test"):
        labels.load(str(play), "dev")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"size": 0}, "size: 0, expected at least 1"),
        ({"seed": -1}, "seed: -1, expected at least 0"),
        ({"part": (2, 2)}, r"part: \(2, 2\), expected a reader from 0"),
    ],
)
def test_batches_out_of_range(play: Path, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(StudyError, match=message):
        list(labels.batches(str(play), **wrong))


def test_a_manifest_without_a_specification(play: Path, tmp_path: Path) -> None:
    manifest = json.loads((play / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | {"spec": 5}))
    with pytest.raises(StudyError, match=r"manifest\.json: faulty manifest"):
        labels.open_labels(str(tmp_path))


@pytest.mark.parametrize("place", [0, 40])
def test_a_damaged_file_is_named(play: Path, tmp_path: Path, place: int) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(play, folder)
    file = folder / "shard-00000.parquet"
    data = file.read_bytes()
    file.write_bytes(data[:place] + bytes(200) + data[place + 200 :] if place else b"")
    with pytest.raises(StudyError, match=r"shard-00000\.parquet: damaged, no Parquet file"):
        labels.load(str(folder))
