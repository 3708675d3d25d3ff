"""Where the compiled kernel is kept between processes, and how its files are trusted.

numba notices a change of the file that a function stands in, but not of the files of its
callees. The folder of machine code is therefore named by everything that the code depends on:
the kernel's sources and their place, Python, numba and the processor.

numba trusts what it finds there, and a damaged file would end the process. So every compilation
is followed by a *seal*, the digests of all files, and before numba reads anything, the files
that the seal does not vouch for are removed. Files are only ever replaced as a whole, so any
number of processes may compile at once: the worst that can happen is a compilation in vain.

Nothing here imports numba.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import llvmlite.binding
import platformdirs

_KEPT = 3  # folders of other versions that survive pruning
_SEAL = "seal.json"
_SUFFIXES = (".nbi", ".nbc")
_PIECES = 4  # of machine code: `enter`, and `search` in three forms
_TRIES = 10  # seals written while other processes go on compiling


def root() -> Path:
    """Return the folder with the machine code of all versions.

    It lies in numba's own cache folder where `NUMBA_CACHE_DIR` sets one, else among the user's
    caches.
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen).absolute() / "trull"
    return Path(platformdirs.user_cache_dir("trull", appauthor=False)) / "kernel"


def folder() -> Path:
    """Return the folder with the machine code of this version on this machine."""
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for source in sorted(here.glob("*.py")):
        digest.update(source.read_bytes())
    for part in (here, sys.version, version("numba"), llvmlite.binding.get_host_cpu_name()):
        digest.update(str(part).encode())
    return root() / digest.hexdigest()[:16]


def prepare() -> Path | None:
    """Return this version's folder, existing and free of damaged files.

    Returns `None` when it cannot be written.
    """
    try:
        current = folder()
        if not current.exists():
            current.mkdir(parents=True, exist_ok=True)
            _prune(current)
        tempfile.TemporaryFile(dir=current).close()
        _remove_untrusted(current)
    except OSError:
        return None
    return current


def is_warm() -> bool:
    """Return whether all machine code of this version is there, and sound."""
    pieces = [name for name in _read_seal(folder()) if name.endswith(".nbc")]
    return is_sound() and len(pieces) >= _PIECES


def is_sound() -> bool:
    """Return whether the machine code that was kept of this version is still as it was."""
    current = folder()
    sealed = _read_seal(current)
    return bool(sealed) and sealed.items() <= _digests(current).items()


def seal(current: Path) -> None:
    """Vouch for the files that a compilation has just written to a version's folder.

    Another process may replace a file or the seal meanwhile: whoever writes a seal looks whether
    it is right, so that the last one is.
    """
    # A folder that another process has cleared, or a full disk, costs the seal and no more.
    with contextlib.suppress(OSError):
        for _ in range(_TRIES):
            handle, name = tempfile.mkstemp(dir=current)
            with os.fdopen(handle, "w") as file:
                json.dump(_digests(current), file)
            os.replace(name, current / _SEAL)
            if _read_seal(current) == _digests(current):
                break


def versions() -> list[Path]:
    """Return the folders of all versions."""
    return [path for path in root().glob("*") if path.is_dir()]


def size() -> int:
    """Return the bytes that the machine code of all versions takes."""
    return sum(path.stat().st_size for path in root().rglob("*") if path.is_file())


def clear() -> None:
    """Remove the machine code of all versions."""
    if root().exists():
        shutil.rmtree(root())


def _prune(current: Path) -> None:
    others = [path for path in versions() if path != current]
    others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in others[_KEPT:]:
        shutil.rmtree(path, ignore_errors=True)


def _files(current: Path) -> Iterator[Path]:
    return (path for path in current.rglob("*") if path.suffix in _SUFFIXES)


def _digests(current: Path) -> dict[str, str]:
    return {str(path.relative_to(current)): _digest(path) for path in _files(current)}


def _digest(path: Path) -> str:
    """Return the digest of a file; an empty one if it cannot be read or is gone by now."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _read_seal(current: Path) -> dict[str, str]:
    try:
        sealed = json.loads((current / _SEAL).read_bytes())
    except (OSError, ValueError):
        return {}
    return sealed if isinstance(sealed, dict) else {}


def _remove_untrusted(current: Path) -> None:
    sealed = _read_seal(current)
    for name, digest in _digests(current).items():
        if sealed.get(name) != digest:
            (current / name).unlink(missing_ok=True)
