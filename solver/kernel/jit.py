"""The one numba decorator of the kernel, and its compile cache.

numba notices a change of the file that a function stands in, but not of the files of its
callees. The cache folder is therefore named by everything that machine code depends on: the
kernel's sources, numba's version and the processor. `NUMBA_CACHE_DIR`, where it is set, wins.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import llvmlite.binding
import numba
import platformdirs
from numba.core import config

Function = TypeVar("Function", bound=Callable[..., Any])

_KEPT = 3  # cache folders of other versions that survive pruning


def cache_root() -> Path:
    """Return the folder that holds the caches of all versions."""
    return Path(platformdirs.user_cache_dir("trull", appauthor=False)) / "kernel"


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    digest.update(numba.__version__.encode())
    digest.update(llvmlite.binding.get_host_cpu_name().encode())
    return digest.hexdigest()[:16]


def _prepare(folder: Path) -> Path | None:
    try:
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _prune(folder)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    warnings.warn(
        f"the compile cache {folder} is not writable: compiling at every start", stacklevel=2
    )
    return None


def _prune(current: Path) -> None:
    others = [path for path in current.parent.iterdir() if path.is_dir() and path != current]
    others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in others[_KEPT:]:
        shutil.rmtree(path, ignore_errors=True)


def _cache_folder() -> Path | None:
    if config.CACHE_DIR:
        return Path(config.CACHE_DIR)
    return _prepare(cache_root() / _fingerprint())


CACHE_FOLDER: Path | None = _cache_folder()
"""Where this version's machine code is kept, or `None` when nowhere can be written."""


def jit(function: Function) -> Function:
    """Compile a function of the kernel that only other kernel functions call."""
    return numba.njit(nogil=True, error_model="numpy")(function)  # type: ignore[no-any-return]


def entry(function: Function) -> Function:
    """Compile a function that Python calls, and keep its machine code in the cache."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_FOLDER or "")
    try:
        return numba.njit(  # type: ignore[no-any-return]
            nogil=True, error_model="numpy", cache=CACHE_FOLDER is not None
        )(function)
    finally:
        config.CACHE_DIR = before
