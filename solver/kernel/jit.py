"""The one numba decorator of the kernel; its machine code is kept as `cache` says."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

from trull.solver.kernel import cache

Function = TypeVar("Function", bound=Callable[..., Any])

config: Any = numba.config


def _cache_folder() -> Path | None:
    current = cache.prepare()
    if current is None and not config.DISABLE_JIT:
        warnings.warn(
            f"the cache folder {cache.root()} cannot be written, so every process compiles the "
            "search anew; NUMBA_CACHE_DIR can name another folder",
            stacklevel=2,
        )
    return current


CACHE_FOLDER: Path | None = _cache_folder()
"""Where this version's machine code is kept, or `None` when nowhere can be written."""


def must_compile() -> bool:
    """Return whether this process may have to compile a part of the kernel."""
    return not config.DISABLE_JIT and (CACHE_FOLDER is None or not cache.is_warm())


def jit(function: Function) -> Function:
    """Compile a function of the kernel into those that call it.

    A call costs more than it seems: results and errors go through memory.
    """
    return _compiled(function, forceinline=True, **_KERNEL_ONLY)


def jit_apart(function: Function) -> Function:
    """Compile a function of the kernel that is called: one that is large and rare."""
    return _compiled(function, **_KERNEL_ONLY)


# Python must not call such a function, it would crash: what it takes is a fifth of the compiling.
_KERNEL_ONLY = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def kept(function: Function) -> Function:
    """Compile a function that Python may call, and keep its machine code in the cache."""
    if CACHE_FOLDER is None or config.DISABLE_JIT:
        return _compiled(function)
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        return _compiled(function, cache=True)
    finally:
        config.CACHE_DIR = before


def _compiled(function: Function, **options: Any) -> Function:
    compiled: Any = numba.njit(nogil=True, error_model="numpy", **options)(function)
    return compiled


def entry(function: Function) -> Function:
    """Compile a function of the kernel that Python calls and nothing else does."""
    return called(kept(function))


def called(compiled: Any) -> Any:
    """Return a function that Python calls a kept one by: it seals the cache after compilation.

    The first call seals it, too, where the seal is not right: code that was lost, and that this
    process does not ask for, is not compiled again.
    """
    if CACHE_FOLDER is None or config.DISABLE_JIT:
        return compiled
    folder = CACHE_FOLDER
    sealed = -1

    @functools.wraps(compiled)
    def call(*args: Any) -> Any:
        nonlocal sealed
        try:
            result = compiled(*args)
        except OSError:
            # The machine code could not be written (a full disk); the process has it all the same.
            result = compiled(*args)
        compilations = compiled.stats.cache_misses.total()
        if compilations > sealed:
            sealed = compilations
            if compilations or not cache.is_sound():
                cache.seal(folder)
        return result

    return call
