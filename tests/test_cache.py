"""The cache of the compiled search: it survives damage, competition and a full or closed disk."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commands import DEALS, TRULL, environment, trull
from trull.solver.kernel import cache

ENDING = str(DEALS / "koenigrufen_emperor.json")


@pytest.fixture
def filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return this version's folder in a cache of its own, warm from the start."""
    if not cache.is_warm():
        assert trull("cache", "warm").returncode == 0
    warm = cache.folder()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    shutil.copytree(warm, cache.folder())
    assert cache.is_warm()
    return cache.folder()


def code_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".nbc", ".nbi"))


def damage(folder: Path) -> None:
    """Cut a file of machine code short, as a full disk or a lost connection does."""
    largest = max(code_files(folder), key=lambda path: path.stat().st_size)
    with largest.open("r+b") as file:
        file.truncate(largest.stat().st_size // 2)


def test_a_warm_cache_is_used_silently(filled: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in code_files(filled)}
    done = trull("solve", ENDING)
    assert (done.returncode, done.stderr) == (0, "")
    assert {path: path.stat().st_mtime_ns for path in code_files(filled)} == before


def test_two_processes_mend_a_damaged_cache_at_once(filled: Path) -> None:
    damage(filled)
    assert not cache.is_warm()
    processes = [
        subprocess.Popen(
            [*TRULL, "solve", "--json", ENDING],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in processes:
        output, errors = process.communicate()
        assert process.returncode == 0, errors
        assert '"value": 0' in output
        assert errors.startswith("compiling the search (once, about ")
    assert cache.is_warm()
    assert trull("solve", ENDING).stderr == ""


def test_lost_code_that_nobody_asks_for_is_forgotten(filled: Path) -> None:
    """It is not compiled again, so the folder is sound without it."""
    other = filled / "other.nbc"
    other.write_bytes(b"code of another command")
    cache.seal(filled)
    other.unlink()
    assert not cache.is_warm()
    assert trull("solve", ENDING).returncode == 0
    assert cache.is_warm()
    assert trull("solve", ENDING).stderr == ""


@pytest.mark.parametrize("text", ["", "[]", "{", '{"x": 1}'])
def test_files_without_a_sound_seal_are_removed(filled: Path, text: str) -> None:
    (filled / "seal.json").write_text(text)
    assert not cache.is_warm()
    assert cache.prepare() == filled
    assert code_files(filled) == []


def test_only_the_damaged_file_is_removed(filled: Path) -> None:
    before = code_files(filled)
    damage(filled)
    cache.prepare()
    assert len(code_files(filled)) == len(before) - 1


def test_old_versions_are_pruned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for age in range(6):
        old = cache.root() / f"version{age}"
        old.mkdir(parents=True)
        os.utime(old, (1e9 - age, 1e9 - age))
    current = cache.prepare()
    assert current is not None
    assert {path.name for path in cache.versions()} == {
        current.name,
        "version0",
        "version1",
        "version2",
    }


def test_a_cache_that_cannot_be_written_is_done_without() -> None:
    program = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    from trull.solver.kernel import jit, search
print(jit.CACHE_FOLDER, jit.must_compile(), len(caught), caught[0].message)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=environment(NUMBA_CACHE_DIR=os.devnull, NUMBA_DISABLE_JIT="0"),
    )
    assert done.stdout.startswith("None True 1 the cache folder /dev/null/trull cannot be written")


def test_cache_commands(filled: Path) -> None:
    shown = trull("cache", "show").stdout
    assert str(cache.root()) in shown
    assert "1 version" in shown
    assert "this version  compiled" in shown
    assert trull("cache", "warm").stderr == ""
    assert trull("cache", "clear").stdout.startswith("removed ")
    assert not cache.root().exists()
    assert "this version  not compiled" in trull("cache", "show").stdout
    assert trull("cache", "clear").returncode == 0


def test_showing_the_cache_loads_no_numba() -> None:
    program = """
import sys
from trull.analysis.cli import run
run(["cache", "show"])
print({"numpy", "numba"} & set(sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "set()"
