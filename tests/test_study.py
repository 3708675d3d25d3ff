"""Studies: what a row says, and that nothing but the specification decides the bytes."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from commands import REPOSITORY, trull
from studies import SPEC, begin, checksums, write_spec
from trull.analysis.deals import Deal
from trull.analysis.exchange import exchange
from trull.analysis.study import Study, StudyError, open_study, read_spec, run_study
from trull.analysis.study.catalogue import preset_names, read_preset
from trull.analysis.study.reading import read_toml
from trull.analysis.study.schema import COLUMNS, SCHEMA, TIMING_SCHEMA
from trull.solver import solve
from trull.solver.cards import ALL_CARDS, TRUMP_MASK, parse_card, to_mask
from trull.solver.hands import features
from trull.solver.rulebooks import VARIANTS

DREIER = {"contracts": ["koenigrufen:dreier"], "deals": 3}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the study of `SPEC`, made by one worker without a break."""
    folder = tmp_path_factory.mktemp("study")
    spec = write_spec(folder)
    run_study(read_spec(read_toml(spec)), str(folder / "done"))
    return folder / "done"


@pytest.fixture
def spec_file(tmp_path: Path) -> Path:
    return write_spec(tmp_path)


# --- Rows ---


def test_the_files_have_the_declared_schema(done: Path) -> None:
    for path in done.glob("shard-*.parquet"):
        assert pq.read_schema(path).equals(SCHEMA)
    for path in done.glob("timing-*.parquet"):
        assert pq.read_schema(path).equals(TIMING_SCHEMA)
        assert min(pq.read_table(path)["ms"].to_pylist()) > 0


def test_rows_come_by_deal_game_and_declarer(done: Path) -> None:
    rows = open_study(str(done)).table(["deal", "game", "declarer"]).to_pylist()
    games = [
        ("koenigrufen:bettler", 0),
        ("koenigrufen:rufer/points", 0),
        ("koenigrufen:rufer/made", 0),
        *(("czech:second_duty", seat) for seat in range(4)),
    ]
    expected = [(deal, *game) for deal in range(24) for game in games]
    assert [tuple(row.values()) for row in rows] == expected


def test_every_contract_has_the_same_deals(done: Path) -> None:
    dealt: dict[int, tuple[int, ...]] = {}
    for row in open_study(str(done)).table().to_pylist():
        hands, talon = tuple(row[f"hand{seat}"] for seat in range(4)), to_mask(row["talon"])
        assert sum(hands) + talon == ALL_CARDS
        assert dealt.setdefault(row["deal"], hands) == hands
        assert Deal.from_string(row["deal_string"]).hands == hands
        assert row["f_talon_trumps"] == (talon & TRUMP_MASK).bit_count()
    assert len(set(dealt.values())) == 24


def test_features_are_those_of_the_hand_as_dealt(done: Path) -> None:
    for row in open_study(str(done)).table().to_pylist():
        counted = features(row[f"hand{row['declarer']}"], VARIANTS[row["variant"]])
        assert {name: row[f"f_{name}"] for name in counted} == counted
        lengths = [int(length) for length in row["f_suit_shape"].split("-")]
        assert sorted(lengths, reverse=True) == lengths
        assert sum(lengths) == counted["suit_cards"]


def test_a_contract_that_cannot_be_played_keeps_its_row(done: Path) -> None:
    frame = open_study(str(done)).frame()
    second_duty = frame[frame.game == "czech:second_duty"]
    pagat = second_duty.f_pagat == 1
    assert second_duty[pagat].reason.isna().all()
    assert second_duty[~pagat].reason.str.endswith("may not play it: needs T1").all()
    assert second_duty[~pagat][["value", "made", "called", "level"]].isna().all(axis=None)
    assert not second_duty[~pagat].exact.any()


def test_values_are_those_of_the_solver(tmp_path: Path) -> None:
    spec = {
        "contracts": ["koenigrufen:rufer", "slovenian:barvni_valat", "texas:prever"],
        "objective": "made",
        "deals": 2,
        "seed": 3,
        "conditions": ["trumps >= 9"],
    }
    study = run_study(read_spec(spec), str(tmp_path / "study"))
    for row in study.table().to_pylist():
        assert row["f_trumps"] >= 9
        deal = Deal.from_string(row["deal_string"])
        chosen = exchange(
            Deal(row["variant"], deal.hands, deal.talon), row["contract"], policy="plain"
        )
        answer = solve(chosen.position, "made", cards="none", pv=False)
        assert (row["made"], row["exact"], row["value"]) == (answer.value, True, None)
        assert row["nodes"] == answer.nodes > 0
        assert row["partner"] == chosen.position.partner
        assert row["called"] is None or parse_card(row["called"]) == chosen.called
        assert (row["taken"], row["discards"]) == (chosen.taken, chosen.discards[0])


def test_points_and_tricks_tell_whether_the_contract_is_made(tmp_path: Path) -> None:
    asked = {"czech:solo": "points", "slovenian:barvni_valat": "tricks", "texas:zebrak": "tricks"}
    game = [
        {"contract": contract, "objective": [own, "made"], "declarer": "every"}
        for contract, own in asked.items()
    ]
    held = {"0": "S7 S8 S9 C7 C8 C9 H4 H3 D3 D4 H2", "1": "T22 T21 T20 T19 T18 T17 SK SQ HK"}
    spec = {"deals": 4, "nodes": 200_000, "game": game, "conditions": {"hold": held}}
    study = run_study(read_spec(spec), str(tmp_path / "study"))
    frame = study.frame(["deal", "contract", "declarer", "objective", "value", "made", "exact"])
    told: Counter[tuple[str, bool]] = Counter()
    for (_, contract, _), pair in frame.groupby(["deal", "contract", "declarer"], observed=True):
        if pair.exact.all():
            assert pair.made.nunique() == 1
            assert pair.value.notna().tolist() == [True, False]
            told[contract, bool(pair.made.iloc[0])] += 1
    assert told["solo", True] and told["solo", False], told
    assert told["zebrak", True] and told["barvni_valat", False]


def test_everyone_for_himself(tmp_path: Path) -> None:
    held = {"0": "T22 T21 T20 T19 T18 T17 T16 T15 T14 T13 SK SQ"}
    spec = {"contracts": ["koenigrufen:trischaken"], "declarer": "every", "deals": 1}
    spec["conditions"] = {"hold": held}  # makes the search short
    rows = run_study(read_spec(spec), str(tmp_path / "study")).table().to_pylist()
    position = exchange(Deal.from_string(rows[0]["deal_string"]), "trischaken").position
    answer = solve(position, cards="none", pv=False)
    assert [(row["value"], row["value"]) for row in rows] == list(answer.seats)
    assert len(set(answer.seats)) == 3
    assert {(row["made"], row["unit"]) for row in rows} == {(None, "thirds")}


def test_scarecrow_has_no_talon(tmp_path: Path) -> None:
    spec = {"contracts": ["house:scarecrow"], "deals": 2, "nodes": 10}
    for row in run_study(read_spec(spec), str(tmp_path / "study")).table().to_pylist():
        assert (row["hand2"], row["hand3"], row["talon"]) == (None, None, None)
        assert len(Deal.from_string(row["deal_string"]).straw) == 2


def test_whole_numbers_with_gaps_stay_whole(done: Path) -> None:
    frame = open_study(str(done)).frame()
    assert frame.value.isna().any()
    for column in SCHEMA:
        if pa.types.is_integer(column.type):
            kind = str(column.type)
            assert str(frame[column.name].dtype) == kind.replace("i", "I").replace("u", "U")
    assert (frame.hand0 + frame.hand1 + frame.hand2 + frame.hand3 <= ALL_CARDS).all()


def test_the_documentation_has_every_column() -> None:
    text = (REPOSITORY / "docs" / "studying.md").read_text(encoding="utf-8")
    for column in COLUMNS:
        if not column.name.startswith("f_"):
            name = "hand0" if column.name.startswith("hand") else column.name
            assert f"| `{name}`" in text


# --- The specification ---


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"polisy": "plain"}, "unknown key \"polisy\", did you mean 'policy'?"),
        ({"deals": 0}, "deals: 0, expected 1 to 1000000000000"),
        ({"deals": True}, "deals: true, expected a whole number"),
        ({"contracts": []}, "contracts: missing, expected a list such as ['koenigrufen:dreier']"),
        (
            {"contracts": ["dreier"]},
            "contracts[0]: 'dreier', expected a variant and a contract of it, such as "
            "'koenigrufen:dreier'",
        ),
        (
            {"contracts": ["koenigrufen:dreyer"]},
            "Königrufen (Austria) has no contract 'dreyer': did you mean 'dreier'?",
        ),
        ({"policy": "clever"}, 'policy: "clever", expected plain, best, none'),
        (
            {"declarer": 4},
            "koenigrufen:dreier: declarer: there is no seat 4, expected a seat from 0 to 3",
        ),
        ({"players": 3}, "koenigrufen:dreier: players: 3, but dreier is played by 4"),
        (
            {"announced": ["king_ultimo"]},
            "koenigrufen:dreier: announced[0]: 'king_ultimo' cannot be announced in dreier, "
            "expected pagat, uhu, kakadu, quapil, trull, kings, valat",
        ),
        (
            {"options": {"emperor": True}},
            "koenigrufen:dreier: options: Königrufen (Austria) has no option 'emperor': it belongs "
            "to Taroky (Texas)",
        ),
        (
            {"contracts": ["slovenian:klop"], "objective": "made"},
            "slovenian:klop: objective: klop is solved for points, not made",
        ),
        (
            {"contracts": ["koenigrufen:dreier", "koenigrufen:dreier"]},
            "game: two are called 'koenigrufen:dreier', expected a name of its own each",
        ),
        ({"deals": 10**12}, "shard: 4,166,666,667 files for 1,000,000,000,000 deals, "),
        ({"conditions": ["trumpss > 3"]}, "conditions: where: unknown word 'trumpss', "),
        (
            {"game": [{"contract": "czech:solo", "level": 2}]},
            "czech:solo: level: 2, expected 1, as solo has no levels",
        ),
    ],
)
def test_a_faulty_specification(change: dict[str, object], message: str) -> None:
    with pytest.raises(StudyError) as refused:
        read_spec(DREIER | change)
    assert str(refused.value).startswith(message)


def test_the_canonical_form_reads_back(spec_file: Path) -> None:
    spec = read_spec(
        read_toml(spec_file)
        | {
            "conditions": {"where": "trumps >= 2", "hold": {"0": "T22"}},
            "announced": [],
            "game": [
                {
                    "contract": "czech:trojka",
                    "level": 2,
                    "policy": ["plain", "best"],
                    "announced": ["pagat", {"seat": 1, "bonus": "valat"}],
                },
                {"name": "radlc", "contract": "slovenian:tri", "options": {"radlc": [0, 2]}},
            ],
        }
    )
    assert read_spec(json.loads(spec.json)) == spec
    assert len(spec.games) == 4


@pytest.mark.parametrize("name", preset_names())
def test_presets(name: str) -> None:
    spec = read_spec(read_preset(name))
    assert spec.title and spec.deals >= 1000


# --- The same bytes, whatever happened ---


def test_two_workers_make_the_same_bytes(done: Path, spec_file: Path, tmp_path: Path) -> None:
    ended = trull("study", spec_file, "--workers", "2", "--out", tmp_path / "study")
    assert ended.returncode == 0, ended.stderr
    assert "24 of 24 deals" in ended.stderr
    assert checksums(tmp_path / "study") == checksums(done)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_killed_and_started_again(
    done: Path, spec_file: Path, tmp_path: Path, workers: str
) -> None:
    folder = tmp_path / "study"
    dice = random.Random(int(workers))
    for shards in (1, 4)[: int(workers)]:
        run = begin(spec_file, "--workers", workers, "--out", folder)
        while run.poll() is None and len(list(folder.glob("shard-*.parquet"))) < shards:
            time.sleep(0.002)
        time.sleep(dice.uniform(0, 0.05))
        run.kill()
        run.communicate()
    ended = trull("study", spec_file, "--workers", workers, "--out", folder)
    assert ended.returncode == 0, ended.stderr
    assert checksums(folder) == checksums(done)


def test_a_damaged_shard_is_made_again(done: Path, spec_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    spec = read_spec(read_toml(spec_file))
    run_study(spec, str(folder))
    (folder / "shard-00003.parquet").write_bytes(b"PAR1")
    (folder / "shard-00007.parquet").unlink()
    (folder / ".shard-00005.parquet.0.partial").write_bytes(b"PAR1")
    made: list[int] = []
    run_study(spec, str(folder), watch=lambda manifest: made.append(len(manifest.receipts)))
    assert made == [10, 11, 12]
    assert checksums(folder) == checksums(done)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interrupt_leaves_a_valid_study(done: Path, tmp_path: Path, workers: str) -> None:
    spec = write_spec(tmp_path, SPEC.replace("deals = 24", "deals = 100000"))
    folder = tmp_path / "study"
    run = begin(spec, "--workers", workers, "--out", folder)
    manifest = folder / "manifest.json"
    while run.poll() is None and not (manifest.exists() and b"sha256" in manifest.read_bytes()):
        time.sleep(0.01)
    if run.poll() is None:
        os.killpg(run.pid, signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 130, errors
    study = open_study(str(folder))
    kept = len(study.manifest.receipts)
    told = f"{kept} of 50,000 shards are kept, run the same command again to go on"
    assert kept and errors.splitlines()[-1] == f"trull: interrupted; {told}"
    assert not list(folder.glob(".*.partial"))
    assert study.table().num_rows == study.manifest.rows == kept * 14
    assert not study.complete
    whole = checksums(done)
    for shard in sorted(study.manifest.receipts)[:4]:
        name = f"shard-{shard:05d}.parquet"
        table = pq.read_table(folder / name).replace_schema_metadata()
        assert name not in whole or table == pq.read_table(done / name).replace_schema_metadata()


def test_another_specification_is_refused(spec_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    run_study(read_spec(read_toml(spec_file)), str(folder))
    before = checksums(folder)
    refused = trull("study", spec_file, "--seed", "6", "--out", folder)
    assert refused.returncode == 2
    assert refused.stderr == (
        f"trull: {folder}: holds a study of another specification (seed: 5 there, 6 here); choose "
        "another folder\n"
    )
    assert checksums(folder) == before


@pytest.mark.parametrize("key", ["trull", "rules"])
def test_another_version_is_refused(done: Path, spec_file: Path, tmp_path: Path, key: str) -> None:
    manifest = json.loads((done / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | {key: "0"}))
    with pytest.raises(StudyError, match="was begun with another version"):
        run_study(read_spec(read_toml(spec_file)), str(tmp_path))


@pytest.mark.parametrize("text", ["", "{}", '{"format": "trull study"}', "[]"])
def test_a_faulty_manifest_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(StudyError, match="manifest"):
        open_study(str(tmp_path))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shard": "0"}, "shards: .*expected one of"),
        ({"shard": 10**6}, "shards: .*expected one of"),
        ({"rows": -1}, "shards: .*expected one of"),
        ({"bytes": None}, "shards: .*expected one of"),
    ],
)
def test_a_faulty_entry_of_a_manifest_is_refused(
    done: Path, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    manifest = json.loads((done / "manifest.json").read_text())
    manifest["shards"][0] |= change
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(StudyError, match=f"manifest.json: faulty manifest: {message}"):
        open_study(str(tmp_path))


@pytest.mark.skipif(os.name == "nt", reason="folders are not locked there")
def test_two_runs_in_one_folder(tmp_path: Path) -> None:
    spec = write_spec(tmp_path, SPEC.replace("deals = 24", "deals = 100000"))
    run = begin(spec, "--out", tmp_path / "study")
    try:
        while run.poll() is None and not (tmp_path / "study" / "manifest.json").exists():
            time.sleep(0.01)
        refused = trull("study", spec, "--out", tmp_path / "study")
    finally:
        run.kill()
        run.communicate()
    assert refused.returncode == 2
    assert "another run is working in this folder" in refused.stderr


def test_a_dead_worker_process_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = read_spec(read_toml(write_spec(tmp_path)))
    monkeypatch.setattr("trull.analysis.study.crews._begin_process", os._exit)
    with pytest.raises(StudyError, match="a worker process has died"):
        run_study(spec, str(tmp_path / "study"), workers=2)
    assert not open_study(str(tmp_path / "study")).complete


def test_a_store_in_memory(done: Path, spec_file: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    spec = read_spec(read_toml(spec_file))
    system = fsspec.filesystem("memory")
    run_study(spec, "memory://somewhere/study")
    system.pipe_file("/somewhere/study/shard-00001.parquet", b"")
    study = run_study(spec, "memory://somewhere/study")
    assert study.table().equals(Study(study.store, study.manifest).table())
    for name, checksum in checksums(done).items():
        if name != ".lock":
            found = system.cat_file(f"/somewhere/study/{name}")
            assert found == (done / name).read_bytes(), checksum


def test_the_command_without_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    words = ["--contract", "texas:zebrak", "--deals", "3", "--objective", "made", "--nodes", "50"]
    words += ["--where", "trumps == 0", "--declarer", "every", "--policy", "none"]
    ended = trull("study", *words, "--out", folder)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == f"{folder}: 3 deals, 12 rows in 1 shards, complete\n"
    table = open_study(str(folder)).table(["policy", "objective", "declarer", "f_trumps"])
    rows = Counter((row["declarer"], row["policy"]) for row in table.to_pylist())
    assert rows == {(seat, "none"): 3 for seat in range(4)}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--deals", "3"], "expected a folder where no file names it."),
        (["--preset", "dreier13"], "unknown preset 'dreier13', did you mean 'dreier12'?"),
        (["nowhere.toml"], "nowhere.toml: No such file or directory"),
        (["README.md"], "README.md: not TOML: "),
        (
            ["--preset", "bettler", "--where", "trumps > 11 and seat1.trumps > 11"],
            "conditions: no deal meets",
        ),
        (["--preset", "bettler", "--out", "nonsense://x"], "nonsense://x: "),
        (["--preset", "bettler", "--objective", "none"], 'objective: "none", expected'),
    ],
)
def test_refusals_of_the_command(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "README.md").write_text("# No TOML\n* here")
    monkeypatch.chdir(tmp_path)
    refused = trull("study", *words)
    assert refused.returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert message in refused.stderr.replace("[0]", "")
    assert len(refused.stderr.splitlines()) == 1
