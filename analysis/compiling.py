"""The compiled search: warming it, and the commands about its cache."""

from __future__ import annotations

import sys
import threading
import time

from trull.solver.interchange import parse_position
from trull.solver.kernel import cache

_SECONDS = 45  # about what compiling takes

# one for each form of the search
_ENDINGS: tuple[dict[str, object], ...] = (
    {
        "variant": "koenigrufen",
        "contract": "dreier",
        "hands": ["T22 SK", "T21 SQ", "T5 S8", "T2 C7"],
    },
    {"variant": "slovenian", "contract": "solo_tri", "hands": ["T22 SK", "T21 SQ", "T5 S8"]},
    {
        "variant": "koenigrufen",
        "contract": "bettler",
        "hands": ["T22 SK", "T21 SQ", "T5 S8", "T2 C7"],
    },
)


def make_ready() -> None:
    """Load the search, or compile it and say so on standard error.

    An interrupt is raised at once, though compiling goes on in its thread.
    """
    from trull.solver.kernel.jit import must_compile

    if must_compile():
        print(f"compiling the search (once, about {_SECONDS} s) ...", file=sys.stderr, flush=True)
    # A thread of its own, because the main thread hears of no interrupt while LLVM works.
    done = threading.Event()
    threading.Thread(target=_load, args=(done,), daemon=True).start()
    done.wait()


def _load(done: threading.Event) -> None:
    from trull.solver.api import solve

    try:
        for ending in _ENDINGS:
            solve(parse_position(ending), memory=0)
    finally:
        done.set()


def show_cache() -> int:
    """Print the folder of the cache, its size, and whether it holds this version's code."""
    versions = cache.versions()
    print(f"folder        {cache.root()}")
    count = f"{len(versions)} version{'s' * (len(versions) != 1)}"
    print(f"size          {cache.size() / 1e6:.1f} MB, {count}")
    print(f"this version  {'compiled' if cache.is_warm() else 'not compiled'}")
    return 0


def warm_cache() -> int:
    """Compile the search unless its machine code is there."""
    began = time.perf_counter()
    make_ready()
    print(f"ready after {time.perf_counter() - began:.1f} s")
    return 0


def clear_cache() -> int:
    """Remove the machine code of all versions."""
    size = cache.size()
    cache.clear()
    print(f"removed {size / 1e6:.1f} MB from {cache.root()}")
    return 0
