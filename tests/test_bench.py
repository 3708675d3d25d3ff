"""Benchmarks: `trull bench`, its comparison of two records, and bench/run.py."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import REPOSITORY, trull
from trull.analysis.benching.comparing import paired, ratios
from trull.analysis.benching.measuring import Spread, measure
from trull.analysis.benching.record import Row, digest
from trull.analysis.benching.sets import make_deal, make_set
from trull.analysis.benching.tables import edges
from trull.solver import Position, Request, solve_many
from trull.solver.interchange import position_to_dict
from trull.solver.kernel.counters import ENDS, NAMES

ENDING = {
    "variant": "koenigrufen",
    "contract": "dreier",
    "hands": ["T22 SK", "T21 SQ", "T5 S8", "T2 C7"],
    "leader": 0,
}
KLOP = {**ENDING, "contract": "trischaken"}


def row(number: int, nodes: int, ms: float, **others: Any) -> Row:
    """Return a row of a record, every number a position of its own."""
    fields: dict[str, Any] = {"id": number, "position": str(number), "objective": "points"}
    fields |= {"value": 100, "nodes": nodes, "ms": ms, "cpu": ms / 2, "counters": {}}
    return Row(**{**fields, **others})


def write_deals(folder: Path) -> Path:
    """Write a file of two endings."""
    path = folder / "deals.jsonl"
    lines = [{**ENDING, "id": "first"}, KLOP]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    """A file of two endings."""
    return write_deals(tmp_path)


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the two endings, their record, made with special settings, and a figure."""
    folder = tmp_path_factory.mktemp("solved")
    deals = write_deals(folder)
    settings = ("--repeat", "2", "--memory", "1")
    outputs = ("--json", folder / "record.json", "--plot", folder / "times.png")
    done = trull("bench", deals, *settings, *outputs)
    assert done.returncode == 0, done.stderr
    return folder


# --- The comparison ---


def test_ratios_of_pairs() -> None:
    old = [row(1, 100, 8.0), row(2, 100, 1.0), row(3, 5, 1.0)]
    new = [row(2, 400, 1.0), row(1, 100, 2.0), row(4, 7, 1.0)]
    pairs = paired(old, new)
    assert [(pair.new.id, pair.nodes, pair.ms, pair.cpu) for pair in pairs] == [
        (2, 4.0, 1.0, 1.0),
        (1, 1.0, 0.25, 0.25),
    ]
    nodes, ms = ratios(pairs, "nodes"), ratios(pairs, "ms")
    assert (nodes.mean, nodes.best, nodes.worst, nodes.total) == pytest.approx((2, 1, 4, 2.5))
    assert (ms.mean, ms.best, ms.worst, ms.total) == pytest.approx((0.5, 0.25, 1, 1 / 3))


def test_only_the_same_question_makes_a_pair() -> None:
    assert paired([row(1, 1, 1.0)], [row(1, 1, 1.0, objective="made")]) == []


def test_a_position_that_stands_twice_is_paired_in_order() -> None:
    old = [row(1, 10, 1.0), row(1, 20, 1.0)]
    new = [row(1, 30, 1.0), row(1, 60, 1.0), row(1, 90, 1.0)]
    assert [(pair.old.nodes, pair.new.nodes) for pair in paired(old, new)] == [(10, 30), (20, 60)]


def test_a_pair_agrees_when_the_values_are_equal() -> None:
    (pair,) = paired([row(1, 1, 1.0)], [row(1, 1, 1.0)])
    assert pair.agrees
    (pair,) = paired([row(1, 1, 1.0, value=[1, 2])], [row(1, 1, 1.0, value=[1, 3])])
    assert not pair.agrees


def test_a_row_without_nodes_or_time_has_a_ratio() -> None:
    (pair,) = paired([row(1, 0, 0.0)], [row(1, 3, 0.002)])
    assert (pair.nodes, pair.ms) == (3, 2)


def test_a_digest_tells_positions_apart_and_not_their_names() -> None:
    first, klop = Position.from_dict(ENDING), Position.from_dict(KLOP)
    named = Position.from_dict({**ENDING, "id": 7, "comment": "c", "x_tag": [1]})
    assert digest(first) == digest(named) != digest(klop)


# --- The statistics ---


def test_the_spread_of_values() -> None:
    assert Spread.of(np.arange(101)) == Spread(mean=50, median=50, p95=95, p99=99, max=100)


@pytest.mark.parametrize("times", [[0.0], [1.0], [2.0, 5.0], [0.3, 77.0], [10.0, 1000.0]])
def test_the_classes_of_a_histogram_hold_every_time(times: Sequence[float]) -> None:
    bounds = edges(times)
    assert np.histogram(times, bounds)[0].sum() == len(times)
    assert bounds == sorted(set(bounds))
    assert np.histogram(times, bounds)[0][[0, -1]].all()


# --- The counters ---


def test_counters_account_for_every_node() -> None:
    """A lone declarer, two against two, a game of few tricks, one for an exact number."""
    positions = [
        shortened(make_deal(name, 2, 0), 8) for name in ("dreier12", "rufer12", "bettler12")
    ]
    positions.append(replace(positions[2], contract="piccolo"))
    request = Request(cards="none", pv=False)
    plain = list(solve_many(positions, request))
    total = dict.fromkeys(NAMES, 0)
    for answer, cost in zip(plain, measure(positions, request), strict=True):
        assert (cost.answer.nodes, cost.answer.value) == (answer.nodes, answer.value)
        assert sum(cost.counters[end] for end in ENDS) == answer.nodes
        assert cost.counters["table"] <= cost.counters["hits"] <= cost.counters["probes"]
        assert cost.counters["gap_game"] <= cost.counters["gap_asked"]
        total = {name: total[name] + cost.counters[name] for name in NAMES}
    assert all(total.values()), total


# --- The command ---


def test_a_record_holds_what_every_deal_cost(solved: Path) -> None:
    record = json.loads((solved / "record.json").read_text())
    first, klop = record["rows"]
    positions = [Position.from_dict(ENDING), Position.from_dict(KLOP)]
    answers = list(solve_many(positions, Request(cards="none", pv=False)))
    assert [first["nodes"], klop["nodes"]] == [answer.nodes for answer in answers]
    assert (first["id"], first["value"], klop["id"], klop["value"]) == (
        *("first", 53),
        *(1, [lower for lower, _ in answers[1].seats]),
    )
    for cost in (first, klop):
        assert sum(cost["counters"][end] for end in ENDS) == cost["nodes"]
    assert (record["repeat"], record["memory"]) == (2, 1)
    assert first["ms"] > 0
    assert {"trull", "numba", "python", "machine"} <= record["system"].keys()


def test_a_comparison_and_a_figure(solved: Path, tmp_path: Path) -> None:
    figure = tmp_path / "times.SVG"
    words = ("--compare", solved / "record.json", "--plot", figure)
    done = trull("bench", solved / "deals.jsonl", *words)
    assert done.returncode == 0, done.stderr
    words = [line.split() for line in done.stdout.splitlines()]
    (first,) = [line for line in words if line[:2] == ["first", "1.000"]]
    assert first[-1] == "53"
    (mean,) = [line for line in words if line[:2] == ["geometric", "mean"]]
    assert mean[2] == "1.000"
    assert "the table has 64 MB now, 1 MB before" in done.stdout
    assert figure.read_bytes().startswith(b"<?xml")
    assert list(tmp_path.iterdir()) == [figure]
    assert (solved / "times.png").read_bytes().startswith(b"\x89PNG")
    assert len(list(solved.iterdir())) == 3


def test_another_value_is_an_error(solved: Path, deals: Path) -> None:
    path = deals.with_name("other.json")
    record = json.loads((solved / "record.json").read_text())
    record["rows"][0]["value"] = 54
    path.write_text(json.dumps(record))
    done = trull("bench", deals, "--compare", path)
    assert done.returncode == 2
    assert done.stderr == f"trull: first: the value is 53, in {path} 54\n"
    assert "53, not 54" in done.stdout


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--plot", "times.pdf"), "times.pdf, expected a name that ends in .png or .svg."),
        (("--json", "nowhere/out.json"), "there is no folder nowhere to write it to"),
        (("--compare", "{deals}"), "no record of trull bench, expected a file that --json wrote"),
        (("--compare", "nowhere.json"), "nowhere.json: No such file"),
        (("--objective", "made"), "position 1: objective: trischaken is solved for points"),
    ],
)
def test_what_is_refused(deals: Path, words: Sequence[str], reason: str) -> None:
    out = deals.with_name("out.json")
    given = [word.replace("{deals}", str(deals)) for word in words]
    done = trull("bench", deals, *(() if "--json" in given else ("--json", out)), *given)
    assert done.returncode == 2
    assert done.stdout == ""
    assert reason in done.stderr and done.stderr.count("\n") == 1
    assert list(deals.parent.iterdir()) == [deals]


def test_a_faulty_position_is_named_and_nothing_is_solved(deals: Path) -> None:
    deals.write_text(deals.read_text() + '{"variant": "koenigrufen"}\n')
    done = trull("bench", deals)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"trull: {deals}, line 3: contract: missing, but required\n"


def test_a_record_of_other_deals_is_refused(solved: Path) -> None:
    path = solved / "record.json"
    done = trull("bench", json.dumps({**ENDING, "declarer": 1}), "--compare", path)
    assert done.returncode == 2
    assert "none of its deals and questions is among those solved now" in done.stderr


# --- bench/run.py ---


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run bench/run.py."""
    script = REPOSITORY / "bench" / "run.py"
    return subprocess.run(
        [sys.executable, script, *map(str, words)], capture_output=True, encoding="utf-8"
    )


def cells(output: str, *first: str) -> list[str]:
    """Return the rest of the one row of a printed table that begins with some cells."""
    table = [[cell.strip() for cell in line.split("|")[1:-1]] for line in output.splitlines()]
    (found,) = [row for row in table if tuple(row[: len(first)]) == first]
    return found[len(first) :]


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    """A folder with two sets of endings in the place of whole deals."""
    for name in ("rufer12", "bettler12"):
        lines = [json.dumps(position_to_dict(shortened(p))) for p in make_set(name, 1, 3)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    return tmp_path


def shortened(position: Position, size: int = 5) -> Position:
    """Return the exercise in which everybody has few of his cards, the called one among them."""
    data = position_to_dict(position)
    called = data.get("called", "")
    hands = []
    for hand in data["hands"]:  # type: ignore[attr-defined]
        cards = sorted(hand.split(), key=lambda card: card != called)
        hands.append(" ".join(cards[:size]))
    kept = ("id", "variant", "contract", "declarer", "partner", "called")
    return Position.from_dict({**{key: data[key] for key in kept if key in data}, "hands": hands})


def test_the_tasks_of_other_sets(sets: Path) -> None:
    out = sets / "figures.json"
    done = run("bettler12", "rufer12", "--sets", sets, "--bridge", "0", "--json", out)
    assert done.returncode == 0, done.stderr
    tasks = json.loads(out.read_text())["tasks"]
    assert [(task["deals"], task["question"]) for task in tasks] == [
        ("bettler12", "made"),
        *(("rufer12", question) for question in ("made", "points", "cards", "score")),
    ]
    for task in tasks:
        assert len(task["ids"]) == len(task["ms"]) == len(task["cpu"]) == len(task["nodes"]) == 3
        deals, mean, *_, knodes, _rate = cells(done.stdout, task["deals"], task["question"])
        assert deals == "3"
        assert float(mean) == pytest.approx(sum(task["ms"]) / 3, abs=0.051)
        assert float(knodes) == pytest.approx(sum(task["nodes"]) / 3000, abs=0.051)


@pytest.mark.skipif(find_spec("endplay") is None, reason="endplay is not installed")
def test_the_ratio_to_bridge_in_the_same_run(sets: Path) -> None:
    out = sets / "figures.json"
    words = ("--question", "cards", "--bridge", "2", "--json", out)
    done = run("rufer12", "--sets", sets, *words)
    assert done.returncode == 0, done.stderr
    ours, theirs = json.loads(out.read_text())["tasks"]
    assert (theirs["deals"], len(theirs["ms"])) == ("bridge", 2)
    ratio = sum(ours["ms"]) / 3 / (sum(theirs["ms"]) / 2)
    assert f"rufer12 cards takes {ratio:.1f} times as long as a bridge deal" in " ".join(
        done.stdout.split()
    )


def test_how_workers_scale(sets: Path) -> None:
    out = sets / "figures.json"
    words = ("--question", "made", "--bridge", "0", "--workers", "2", "--json", out)
    done = run("rufer12", "--sets", sets, *words)
    assert done.returncode == 0, done.stderr
    rates = json.loads(out.read_text())["scaling"]
    assert list(rates) == ["one worker", "2 workers", "2 processes"]
    for way, rate in rates.items():
        _, ratio = cells(done.stdout, way)
        assert float(ratio) == pytest.approx(rate / rates["one worker"], abs=0.0051)


def test_a_set_that_is_not_there(tmp_path: Path) -> None:
    done = run("rufer12", "--sets", tmp_path)
    assert done.returncode != 0
    assert (
        done.stderr.splitlines()[-1] == f"{tmp_path / 'rufer12.jsonl'}: No such file or directory"
    )
