"""The command line: answers in order, faults in their place, and every way to end."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from commands import DEALS, REPOSITORY, TRULL, environment, trull
from deals import DREIER, played

HEAVY = REPOSITORY / "bench" / "sets" / "rufer12.jsonl"

ENDING = json.loads((DEALS / "koenigrufen_emperor.json").read_text())

VALUES = {
    "czech_first_duty.json": 162,
    "koenigrufen_dreier.json": 103,
    "koenigrufen_emperor.json": 0,
    "koenigrufen_rufer.json": 107,
    "slovenian_solo_tri.json": 129,
    "slovenian_tri.json": 100,
    "texas_prever.json": 58,
}
"""The results of the sample deals."""


def lines(*positions: dict[str, Any] | str) -> str:
    """Return positions, or lines as they are, as JSON Lines."""
    return "".join(
        (position if isinstance(position, str) else json.dumps(position)) + "\n"
        for position in positions
    )


def answers(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


# --- Answers ---


def test_the_sample_deals() -> None:
    files = sorted(DEALS.glob("*.json"))
    stdin = lines(*({**json.loads(file.read_text()), "id": file.name} for file in files))
    done = trull("solve", "--json", "--cards", "none", "-", stdin=stdin)
    assert done.returncode == 0, done.stdout
    assert {answer["id"]: answer["value"] for answer in answers(done.stdout)} == VALUES


def test_answers_and_faults_keep_their_order() -> None:
    stdin = lines(
        {**ENDING, "id": "first"},
        {"id": "poor", "x_tag": 1, "variant": "koenigrufen"},
        "nonsense",
        {**ENDING, "contract": "trischaken", "id": "unsolved", "comment": "everyone alone"},
        {**ENDING, "id": "last", "declarer": 0},
    )
    done = trull("solve", "--json", "--objective", "tricks", "--workers", "2", "-", stdin=stdin)
    assert done.returncode == 2
    assert done.stderr == ""
    first, poor, nonsense, unsolved, last = answers(done.stdout)
    assert (first["id"], first["value"]) == ("first", 0)
    assert poor == {"id": "poor", "x_tag": 1, "error": "contract: missing, but required"}
    assert list(nonsense) == ["error"]
    assert list(unsolved) == ["id", "comment", "error"]
    assert (last["id"], last["exact"]) == ("last", True)


def test_faults_of_a_report_name_their_line() -> None:
    stdin = lines({"variant": "koenigrufen"}, "", "nonsense", ENDING)
    done = trull("solve", "-", stdin=stdin)
    assert done.returncode == 2
    poor, nonsense = done.stderr.splitlines()
    assert poor == "trull: standard input, line 1: contract: missing, but required"
    assert nonsense.startswith("trull: standard input, line 3: expected a JSON object")
    assert "The declarer takes 0 thirds" in done.stdout


def test_a_pipe_that_waits_gets_its_answer() -> None:
    with subprocess.Popen(
        [*TRULL, "solve", "--json", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        for number in range(3):
            process.stdin.write(lines({**ENDING, "id": number}))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
    assert process.returncode == 0


def test_workers_change_nothing_but_the_time() -> None:
    stdin = lines(*({**played(DREIER, tricks), "id": tricks} for tricks in (6, 7, 8, 9, 12)))
    runs = [trull("solve", "--json", "--workers", number, "-", stdin=stdin) for number in "13"]
    one, three = (re.sub(r'"ms": [\d.]+', "", run.stdout) for run in runs)
    assert one == three
    assert len(one.splitlines()) == 5


def test_options_reach_the_search() -> None:
    done = trull("solve", "--json", "--objective", "tricks", "--cards", "best", "-",
                 stdin=lines(ENDING))  # fmt: skip
    (answer,) = answers(done.stdout)
    assert (answer["objective"], answer["value"], answer["unit"]) == ("tricks", 0, "tricks")
    assert answer["cards"] == {"CK": 0}
    done = trull("solve", "--json", "--objective", "made", "-", stdin=lines(ENDING))
    (answer,) = answers(done.stdout)
    assert (answer["value"], answer["unit"]) == (False, "bool")


@pytest.mark.parametrize("limit", [("--nodes", "1000"), ("--time", "0")])
def test_limits_give_proven_bounds(limit: tuple[str, str]) -> None:
    done = trull("solve", "--json", *limit, "-", stdin=lines(DREIER))
    (answer,) = answers(done.stdout)
    assert done.returncode == 0
    assert answer["exact"] is False
    assert "value" not in answer
    assert 0 <= answer["lower"] < answer["upper"] <= 210
    shown = trull("solve", *limit, "-", stdin=lines(DREIER)).stdout
    assert "as far as proven" in shown


def test_reports_of_several_positions_are_separated() -> None:
    shown = trull("solve", "-", stdin=lines(ENDING, ENDING)).stdout
    assert shown.count("\n" + "-" * 80 + "\n") == 1


def test_an_encoding_without_suit_signs() -> None:
    done = trull("solve", "-", stdin=lines(ENDING), PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert ">CK" in done.stdout


# --- Refusals ---


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["solve"], "Missing argument 'file'."),
        (["solve", "nowhere.json"], "nowhere.json: No such file or directory"),
        (["solve", "."], ".: Is a directory"),
        (["solve", "-", "--time", "-1"], "'--time': -1.0 is not in the range 0 to 1000000000."),
        (["solve", "-", "--time", "nan"], "'--time': nan is not in the range 0 to 1000000000."),
        (
            ["solve", "-", "--objective", "x"],
            "'x' is not one of 'points', 'tricks', 'made', 'score'.",
        ),
        (["solve", "-", "--cards", "x"], "'x' is not one of 'all', 'best', 'none'."),
        (["solve", "-", "--workers", "0"], "Invalid value for '--workers'"),
        (["solve", "-", "--nodes", "0"], "Invalid value for '--nodes'"),
        (["solve", "-", "--memory", "0"], "Invalid value for '--memory'"),
        (["solve", "-", "--frob"], "No such option: --frob"),
        (["frob"], "No such command 'frob'."),
        (["cache"], "Missing command."),
    ],
)
def test_a_wrong_call_gets_one_sentence(words: list[str], sentence: str) -> None:
    done = trull(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert sentence in done.stderr
    assert done.stderr.startswith("trull: ")
    assert done.stderr.count("\n") == 1


def test_nothing_to_solve() -> None:
    done = trull("solve", "-")
    assert done.returncode == 2
    assert done.stderr.startswith("trull: standard input: empty input")


# --- Other ends ---


def _interrupted(process: subprocess.Popen[str]) -> tuple[str, float]:
    """Interrupt a process; return what else it printed and the seconds until its end."""
    began = time.perf_counter()
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    return output, time.perf_counter() - began


def test_an_interrupt_stops_the_search_and_leaves_answers_whole() -> None:
    with subprocess.Popen(
        [*TRULL, "solve", "--json", "--cards", "none", HEAVY],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout and process.stderr
        first = process.stdout.readline()
        time.sleep(0.1)
        output, seconds = _interrupted(process)
    assert process.returncode == 130
    assert all(answer["exact"] for answer in answers(first + output))
    assert seconds < 0.2


def test_an_interrupt_stops_the_compilation(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*TRULL, "solve", HEAVY],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(NUMBA_CACHE_DIR=str(tmp_path)),
    ) as process:
        assert process.stderr
        assert process.stderr.readline().startswith("compiling the search (once, about ")
        time.sleep(1)
        output, seconds = _interrupted(process)
    assert process.returncode == 130
    assert output == ""
    assert seconds < 0.2


def test_a_closed_pipe_is_no_fault() -> None:
    with subprocess.Popen(
        [*TRULL, "solve", "--json", "--cards", "none", HEAVY],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


def test_closed_streams_are_empty_ones() -> None:
    for redirection in ("<&-", ">&-", "2>&-"):
        command = f"{sys.executable} -m trull.analysis solve - {redirection}"
        done = subprocess.run(
            ["sh", "-c", command], input=lines(ENDING), capture_output=True, text=True, check=False
        )
        assert done.returncode == (2 if redirection == "<&-" else 0), done.stderr
        assert "Traceback" not in done.stderr


# --- What a command loads ---


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["solve", "--help"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    program = f"""
import sys
from trull.analysis.cli import run
status = run({words})
print(status, {{"numpy", "numba", "llvmlite", "pandas"}} & set(sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0 set()"


def test_solving_loads_no_tools_of_studies() -> None:
    program = f"""
import sys
from trull.analysis.cli import run
status = run(["solve", {str(DEALS / "koenigrufen_emperor.json")!r}])
print(status, {{"pandas", "pyarrow", "matplotlib", "distributed"}} & set(sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0 set()"


def test_without_a_command_the_help_is_shown() -> None:
    done = trull()
    assert done.returncode == 2
    assert "Usage: trull" in done.stdout
