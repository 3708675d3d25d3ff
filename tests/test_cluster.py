"""Studies on a cluster: scheduler and workers in processes of their own, over TCP."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import trull
from studies import SPEC, begin, checksums, write_spec
from trull.analysis.study import StudyError, open_study, read_spec, run_study
from trull.analysis.study.reading import read_toml

pytest.importorskip("distributed")

LONGER = SPEC.replace("deals = 24", "deals = 80")


def start(*words: str) -> subprocess.Popen[bytes]:
    """Start a part of the cluster."""
    quiet = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-m", "dask", *words], stdout=quiet, stderr=quiet)


def start_worker(scheduler: str) -> subprocess.Popen[bytes]:
    """Start a worker with one thread."""
    return start("worker", scheduler, "--nthreads", "1", "--no-nanny", "--no-dashboard")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """Yield the address of a scheduler that has no workers yet."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = start("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    try:
        yield f"tcp://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def workers(scheduler: str) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Yield two workers, the last of which a test may kill."""
    crew = [start_worker(scheduler) for _ in range(2)]
    try:
        yield crew
    finally:
        for worker in crew:
            worker.kill()
            worker.wait()


def test_a_worker_killed_in_mid_run_changes_nothing(
    scheduler: str, workers: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    spec = write_spec(tmp_path, LONGER)
    folder = tmp_path / "cluster"
    run = begin(spec, "--scheduler", scheduler, "--out", f"file://{folder}")
    while run.poll() is None and len(list(folder.glob("shard-*.parquet"))) < 6:
        time.sleep(0.005)
    workers[-1].kill()
    _, errors = run.communicate(timeout=120)
    assert run.returncode == 0, errors
    run_study(read_spec(read_toml(spec)), str(tmp_path / "local"))
    assert checksums(folder) == checksums(tmp_path / "local")


def test_a_cluster_goes_on_with_a_local_study(
    scheduler: str, workers: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    spec = write_spec(tmp_path)
    run_study(read_spec(read_toml(spec)), str(tmp_path / "study"))
    before = checksums(tmp_path / "study")
    (tmp_path / "study" / "shard-00004.parquet").unlink()
    ended = trull("study", spec, "--scheduler", scheduler, "--out", tmp_path / "study")
    assert ended.returncode == 0, ended.stderr
    assert checksums(tmp_path / "study") == before


def test_a_folder_that_is_not_shared_is_told(
    scheduler: str, workers: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    spec = read_spec(read_toml(write_spec(tmp_path)))
    with pytest.raises(StudyError, match="expected a folder that all machines share"):
        run_study(spec, "memory://cluster/study", scheduler=scheduler)
    assert not open_study("memory://cluster/study").manifest.receipts


def test_no_scheduler(tmp_path: Path) -> None:
    spec = read_spec(read_toml(write_spec(tmp_path)))
    with pytest.raises(StudyError, match="no dask scheduler answers there"):
        run_study(spec, str(tmp_path / "study"), scheduler="nonsense://127.0.0.1:1")
